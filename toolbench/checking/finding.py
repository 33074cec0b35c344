"""Finding: something about a tool's declaration that would mislead an agent; how findings are ordered and compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from toolbench.checking.codes import CODES

ERROR, WARNING, NOTE = "error", "warning", "note"
SEVERITIES = (ERROR, WARNING, NOTE)
RANK: Mapping[str, int] = {severity: rank for rank, severity in enumerate(SEVERITIES)}

Key = tuple[str, str, str]


@dataclass(frozen=True)
class Finding:
    """One finding.

    code: stable, see `toolbench.checking.codes`. severity: `error` (the tool cannot be used as declared), `warning` (an
    agent will be misled), `note` (worth a look). pointer: JSON Pointer into the tool's schema (`/name` and
    `/outputSchema/...` lie outside of it). seen: what was seen. input: the smallest arguments that show it, None where
    it was read and not called. why: why an agent would suffer. cure: what would put it right.
    """

    code: str
    severity: str
    tool: str
    pointer: str
    seen: str
    input: Mapping[str, Any] | None
    why: str
    cure: str

    @property
    def key(self) -> Key:
        """What makes it the same finding in another table."""
        return self.code, self.tool, self.pointer

    @property
    def counts(self) -> bool:
        """Whether it is one from warning up."""
        return self.severity != NOTE


def found(
    code: str,
    tool: str,
    pointer: str,
    seen: str,
    *,
    input: Mapping[str, Any] | None = None,
    severity: str | None = None,
    cure: str | None = None,
) -> Finding:
    """A finding with the severity, reason and cure of its code, where nothing else is given.

    >>> found("items-missing", "pack", "/properties/boxes", "the array says nothing of its items").severity
    'warning'
    """
    known = CODES[code]
    return Finding(code, severity or known.severity, tool, pointer, seen, input, known.why, cure or known.cure)


def in_order(findings: Iterable[Finding], tools: Iterable[str]) -> tuple[Finding, ...]:
    """Findings tool by tool, the severest first; of several with the same key the severest only."""
    place = {name: number for number, name in enumerate(tools)}
    ranked = sorted(
        findings, key=lambda f: (place.get(f.tool, len(place)), f.tool, RANK[f.severity], f.pointer, f.code, f.seen)
    )
    best: dict[Key, Finding] = {}
    for finding in ranked:
        best.setdefault(finding.key, finding)
    return tuple(best.values())


def from_severity(findings: Iterable[Finding], least: str) -> list[Finding]:
    """The findings of this severity and those above it."""
    return [finding for finding in findings if RANK[finding.severity] <= RANK[least]]
