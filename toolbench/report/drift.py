"""The drift of a server's tools for readers and for programs: as text, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from toolbench.counting import counted
from toolbench.drifting.change import BREAKING, COMPATIBLE, DEGRADING, LEVELS, Change, worst
from toolbench.values import harmless

FORMAT, VERSION = "toolbench-drift", 1
COLOURS = {BREAKING: "\033[31m", DEGRADING: "\033[33m", COMPATIBLE: "\033[2m"}


def text_of(changes: Sequence[Change], *, name: str, kept_from: str = "", colour: bool = False) -> str:
    """Changes level by level, the worst first: tool, place, what was and what is, then why it matters.

    name: whose tools they are. kept_from: when or where the definitions to compare with were kept.

    >>> print(text_of((), name="files", kept_from="snapshot.json"), end="")
    files: no tool has changed since snapshot.json
    """
    if not changes:
        return harmless(f"{name}: no tool has changed{_since(kept_from)}") + "\n"
    numbers = _counts(changes)
    told = ", ".join(f"{number:,} {level}" for level, number in numbers.items() if number)
    parts = [harmless(f"{name}: {counted(len(changes), 'change')}{_since(kept_from)}, {told}")]
    parts += ["\n".join(_lines(level, changes, colour=colour)) for level in LEVELS if numbers[level]]
    return "\n\n".join(parts) + "\n"


def _since(kept_from: str) -> str:
    return f" since {kept_from}" if kept_from else ""


def _lines(level: str, changes: Sequence[Change], *, colour: bool) -> Iterator[str]:
    on, off = (COLOURS[level], "\033[0m") if colour else ("", "")
    yield f"{on}{level}{off}"
    for change in changes:
        if change.level == level:
            yield harmless(f"  {change.tool} at {change.pointer or '/'}: {change.what}")
            yield harmless(f"    why: {change.why}")


def _counts(changes: Sequence[Change]) -> dict[str, int]:
    return {level: sum(change.level == level for change in changes) for level in LEVELS}


def document(changes: Sequence[Change], *, name: str, kept_from: str = "") -> dict[str, Any]:
    """The changes as plain values; readers ignore keys that they do not know."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "server": name,
        "kept_from": kept_from,
        "worst": worst(changes),
        "counts": _counts(changes),
        "changes": [asdict(change) for change in changes],
    }


def json_of(changes: Sequence[Change], *, name: str, kept_from: str = "") -> str:
    """The document as text; every character beyond ASCII is written as an escape."""
    return json.dumps(document(changes, name=name, kept_from=kept_from), indent=1) + "\n"
