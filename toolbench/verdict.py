"""Verdict: caught, missed or not measured, always with rule, reason and evidence; and what was left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

INTERRUPTED = "seeds"


@dataclass(frozen=True, repr=False)
class Verdict:
    """What a rule said of one defect in one layer; never without rule, reason and evidence."""

    defect: str
    layer: str
    rule: str
    verdict: str
    reason: str
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        head = f"{self.defect}, {self.layer}: {self.verdict} by the rule '{self.rule}': {self.reason}"
        return "\n".join([head, *(f"  {line}" for line in evidence_lines(self.evidence))])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


@dataclass(frozen=True)
class LeftOut:
    """What was not measured, how many, and why."""

    what: str
    count: int
    reason: str


def evidence_lines(evidence: Mapping[str, Any]) -> list[str]:
    """What a verdict rests on, a line for each failing case or each seed."""
    lines = [f"case {row['case']}: {row['why']}" for row in evidence.get("failing", ())]
    for finding in evidence.get("findings", ()):
        place = finding["pointer"] or "/"
        lines.append(f"{finding['severity']} {finding['code']} at {place}: {finding['seen']}")
    for pair in evidence.get("paired", ()):
        newly = [f"{what} {' '.join(pair[key]) or 'none'}" for key, what in
                 (("newly_failing", "newly failing"), ("newly_passing", "newly passing"))]  # fmt: skip
        fails = "task fails" if pair["failing"] == 1 else "tasks fail"
        counts = f"{pair['failing']} {fails}, defect-free {pair['defect_free']}"
        lines.append(f"seed {pair['seed']}: {counts}; {'; '.join(newly)}")
    lines += [f"task {row['task']} at seed {row['seed']}: {row['why']}" for row in evidence.get("ended", ())]
    if (seeds := evidence.get("seeds", 0)) > (shown := len(evidence.get("paired", ()))):
        lines.append(f"and {seeds - shown} more seeds")
    return lines
