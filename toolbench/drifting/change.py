"""Change: one difference between a definition as kept and as given today; its level, and how values are told in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from toolbench.values import equal, show

BREAKING, DEGRADING, COMPATIBLE = "breaking", "degrading", "compatible"
LEVELS = (BREAKING, DEGRADING, COMPATIBLE)
RANK: Mapping[str, int] = {level: rank for rank, level in enumerate(LEVELS)}
SHOWN, DEEP = 80, 6


@dataclass(frozen=True)
class Change:
    """One difference between a tool as kept and the tool of today.

    level: `breaking` (what was right goes wrong), `degrading` (an agent knows less, or must be more careful),
    `compatible` (nobody suffers). tool: its name. pointer: JSON Pointer into the tool's own MCP definition, of today
    where the place is still there, else as kept; empty for the tool as a whole. what: what was and what is, on one
    harmless line. why: what an agent or a caller suffers, or why nobody does.
    """

    level: str
    tool: str
    pointer: str
    what: str
    why: str


def worst(changes: Iterable[Change]) -> str | None:
    """The worst level among changes; None where there is no change.

    >>> worst([Change("compatible", "a", "", "is new", ""), Change("breaking", "b", "", "is gone", "")])
    'breaking'
    """
    return min((change.level for change in changes), key=RANK.__getitem__, default=None)


class Absent:
    """What stands for a value where there is none: null is a value."""


ABSENT = Absent()


def turned(kept: Any, live: Any) -> str:
    """What was and what is.

    >>> turned(1, 2), turned(ABSENT, [True]), turned("a", ABSENT)
    ('was 1, is 2', 'is new: [true]', 'was "a", is gone')
    """
    return reworded("" if kept is ABSENT else shown(kept), "" if live is ABSENT else shown(live))


def reworded(kept: str, live: str) -> str:
    """What was and what is, in words that are harmless already; nothing where there is none."""
    return f"was {kept}, is {live or 'gone'}" if kept else f"is new: {live}"


def shown(value: Any) -> str:
    """A value on one short and harmless line, whatever the order of its keys; for no JSON value, its kind."""
    try:
        return show(_in_order(value, DEEP), SHOWN)
    except (TypeError, ValueError, AttributeError):
        return f"a {type(value).__name__}"


def _in_order(value: Any, levels: int) -> Any:
    """The upper levels of a value, keys sorted: a line has no room for more."""
    if isinstance(value, dict):
        return {key: _in_order(value[key], levels - 1) for key in sorted(value)} if levels else "…"
    if isinstance(value, list):
        return [_in_order(item, levels - 1) for item in value[:SHOWN]] if levels else "…"
    return value


def alike(kept: Any, live: Any) -> bool:
    """Whether two values are the same JSON value, however deep they are and whatever they hold.

    >>> alike({"a": [1]}, {"a": [1.0]}), alike([True], [1])
    (True, False)
    """
    waiting, met = [(kept, live)], set()
    while waiting:
        left, right = waiting.pop()
        if left is right or (id(left), id(right)) in met:
            continue
        if isinstance(left, dict) and isinstance(right, dict):
            if left.keys() != right.keys():
                return False
            waiting += [(left[key], right[key]) for key in left]
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                return False
            waiting += zip(left, right, strict=True)
        else:
            if isinstance(left, dict | list) or isinstance(right, dict | list) or not equal(left, right):
                return False
            continue
        met.add((id(left), id(right)))  # a value may hold itself
    return True


def spelled_alike(kept: Any, live: Any, most: int = 60) -> bool:
    """Whether two schemas are the same to the letter and refer to nothing; False where that takes long to tell."""
    waiting = [(kept, live)]
    for left, right in waiting:
        if isinstance(left, dict) and isinstance(right, dict):
            if left.keys() != right.keys() or "$ref" in left or len(waiting) + len(left) > most:
                return False
            waiting += [(left[key], right[key]) for key in left]
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right) or len(waiting) + len(left) > most:
                return False
            waiting += zip(left, right, strict=True)
        elif isinstance(left, dict | list) or isinstance(right, dict | list) or not equal(left, right):
            return False
    return True
