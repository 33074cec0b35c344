"""What checking a table gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolbench.checking.finding import Finding, in_order
from toolbench.checking.nodes import Declaration
from toolbench.checking.reading import read
from toolbench.checking.structure import names
from toolbench.definition import Definition


@dataclass(frozen=True)
class NotProbed:
    """A tool that was not probed, or not wholly, and why."""

    tool: str
    reason: str


@dataclass(frozen=True)
class Checked:
    """What checking a table, or some of its tools, gave."""

    findings: tuple[Finding, ...]
    not_probed: tuple[NotProbed, ...]
    probes: int = 0
    timeouts: int = 0
    died: int = 0
    hits: int = 0
    missed: str = ""


def of_definitions(definitions: Sequence[Definition]) -> Checked:
    """What can be said of definitions alone, with no function behind them."""
    findings = list(names(definitions))
    for definition in definitions:
        findings += read(Declaration(definition), None)
    unique = list(dict.fromkeys(definition.name for definition in definitions))
    return Checked(in_order(findings, unique), tuple(NotProbed(name, "no function") for name in unique))
