"""The findings of `check` for readers: as text, and as HTML."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from toolbench.checking.finding import SEVERITIES, Finding
from toolbench.counting import counted
from toolbench.report.cells import listed
from toolbench.values import harmless, show

if TYPE_CHECKING:
    from toolbench.checks import Check

COLOURS = {"error": "\033[31m", "warning": "\033[33m", "note": "\033[2m"}
LISTED = 8


def text_of(check: Check, *, colour: bool = False, notes: bool = True) -> str:
    """Findings tool by tool, what was seen, why it matters and what would cure it; then what was not looked at.

    notes: whether notes are shown in full; else only their number is told.
    """
    shown = [finding for finding in check.findings if notes or finding.counts]
    parts = [headline(check)]
    for tool in dict.fromkeys(finding.tool for finding in shown):
        lines = [harmless(tool)]
        for finding in shown:
            if finding.tool == tool:
                lines += _lines(finding, colour=colour)
        parts.append("\n".join(lines))
    left = len(check.findings) - len(shown)
    parts += [f"{counted(left, 'note')} not shown: --notes shows them"] if left else []
    parts += ["\n".join(lines)] if (lines := list(closing(check))) else []
    return "\n\n".join(parts) + "\n"


def headline(check: Check) -> str:
    """What was checked, and how many findings of each severity there are."""
    numbers = [(sum(f.severity == severity for f in check.findings), severity) for severity in SEVERITIES]
    told = ", ".join(counted(number, severity) for number, severity in numbers if number) or "no findings"
    probes = f", {counted(check.probes, 'probe')}" if check.probes else ""
    return harmless(f"{check.name}: {counted(len(check.tools), 'tool')}{probes}, {told}")


def closing(check: Check) -> Iterator[str]:
    """What was not looked at, and what is switched off."""
    by_reason: dict[str, list[str]] = {}
    for left in check.not_probed:
        by_reason.setdefault(left.reason, []).append(left.tool)
    for reason, tools in by_reason.items():
        yield harmless(f"not probed: {listed(tools, LISTED)} ({reason})")
    for finding, reason in check.off:
        yield harmless(f"switched off: {finding.tool} {finding.code} {finding.pointer or '/'} ({reason})")
    for switch in check.idle:
        yield harmless(f"switches off nothing: {switch.tool} {switch.code} ({switch.reason})")


def _lines(finding: Finding, *, colour: bool) -> Iterator[str]:
    on, off = (COLOURS[finding.severity], "\033[0m") if colour else ("", "")
    yield f"  {on}{finding.severity}{off} {finding.code} at {harmless(finding.pointer or '/')}"
    yield f"    {harmless(finding.seen)}"
    if finding.input is not None:
        yield f"    input: {show(dict(finding.input), 300)}"
    yield f"    why: {finding.why}"
    yield f"    cure: {harmless(finding.cure)}"


def html_of(check: Check) -> str:
    """A table of the findings; every text is escaped, and there is no script and no style sheet."""
    parts = [f"<h3>{escape(headline(check))}</h3>"]
    if check.findings:
        columns = ("tool", "severity", "code", "place", "seen", "input", "why", "cure")
        head = "".join(f"<th scope='col'>{column}</th>" for column in columns)
        rows = "\n".join(_row(finding) for finding in check.findings)
        parts.append(f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>")
    parts += [f"<p>{escape(line)}</p>" for line in closing(check)]
    return "\n".join(parts)


def _row(finding: Finding) -> str:
    given = "" if finding.input is None else show(dict(finding.input), 300)
    cells = (finding.tool, finding.severity, finding.code, finding.pointer or "/", finding.seen, given)
    return "<tr>" + "".join(f"<td>{escape(harmless(c))}</td>" for c in (*cells, finding.why, finding.cure)) + "</tr>"
