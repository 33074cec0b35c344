"""What calls showed: the findings that rest on outcomes, each with the smallest input that shows it."""

from __future__ import annotations

from collections.abc import Iterator

from toolbench.checking.claims import claims
from toolbench.checking.conduct import conduct
from toolbench.checking.finding import Finding
from toolbench.checking.observed import Behaviour
from toolbench.checking.promises import promises
from toolbench.checking.refusals import refusals
from toolbench.checking.use import use


def behaviour(seen: Behaviour) -> Iterator[Finding]:
    """The findings that the calls of a tool give."""
    yield from refusals(seen)
    yield from use(seen)
    yield from conduct(seen)
    yield from claims(seen)
    yield from promises(seen)
