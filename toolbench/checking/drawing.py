"""Values drawn from a schema's strategy: the same ones wherever and whenever they are drawn."""

from __future__ import annotations

import contextlib
import os
import tempfile
from typing import Any

from toolbench.checking.strategy import NotDrawn, not_drawn, strategy
from toolbench.outcome import described
from toolbench.validation import Validators
from toolbench.values import NotPlain, canonical, plain

PROVIDER = "toolbench"
TRIES = 4  # for each value that is wanted: some are drawn twice, some are refused
LARGEST = 5000  # characters


def draw(schema: Any, number: int) -> dict[str, Any]:
    """Up to `number` different values that a schema admits: {values, not_drawn, why}.

    not_drawn: [place, keyword] of what the strategy does not know. why: why there is no value, if so.
    """
    unknown = [list(one) for one in not_drawn(schema, schema)]
    validators = Validators(schema)
    found: dict[str, Any] = {}
    try:
        for value in _drawn(schema, number * TRIES):
            text = canonical(value)
            if len(text) <= LARGEST and validators.admits(value):
                found.setdefault(text, value)
            if len(found) >= number:
                break
    except NotDrawn as problem:
        return {"values": [], "not_drawn": unknown, "why": str(problem)}
    except Exception as problem:  # of Hypothesis: a strategy that is empty, or refuses all that it draws
        return {"values": [], "not_drawn": unknown, "why": described(problem).split("\n")[0]}
    why = "" if found else validators.problem or "no value that was drawn is admitted"
    return {"values": list(found.values()), "not_drawn": unknown, "why": why}


def _drawn(schema: Any, number: int) -> list[Any]:
    from hypothesis import HealthCheck, Phase, Verbosity, given, settings
    from hypothesis.configuration import set_hypothesis_home_dir
    from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS

    # it keeps tables of characters, which have no business in the directory that the user works in
    set_hypothesis_home_dir(os.path.join(tempfile.gettempdir(), f"toolbench-{os.getuid()}"))
    AVAILABLE_PROVIDERS[PROVIDER] = "toolbench.checking.provider.Provider"
    values: list[Any] = []

    @settings(
        max_examples=number,
        backend=PROVIDER,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(strategy(schema))
    def collect(value: Any) -> None:
        with contextlib.suppress(NotPlain):
            values.append(plain(value))

    collect()
    return values
