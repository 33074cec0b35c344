"""Limits of numbers, texts, lists and objects: which way they moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from toolbench.drifting.change import reworded, shown
from toolbench.drifting.places import Said

# Keyword, its exclusive twin, the value that says nothing. Lower limits first: higher is stricter.
LOWER = (
    ("minimum", "exclusiveMinimum", None),
    *((key, "", 0) for key in ("minLength", "minItems", "minProperties")),
    ("minContains", "", 1),
)
UPPER = (
    ("maximum", "exclusiveMaximum", None),
    *((key, "", None) for key in ("maxLength", "maxItems", "maxProperties", "maxContains")),
)
LIMITS = frozenset(key for low, high, _ in (*LOWER, *UPPER) for key in (low, high))


class Moved(NamedTuple):
    """A limit that moved: narrower or wider, its old and new place, what was and what is."""

    kind: str
    kept: Said | None
    live: Said | None
    what: str


class _Edge(NamedTuple):
    """Higher is stricter. exclusive: whether the limit itself is outside."""

    height: float
    exclusive: bool
    said: Said
    words: str


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def moved(kept: Mapping[str, Said], live: Mapping[str, Said]) -> Iterator[Moved]:
    """The limits that moved from one schema to another.

    >>> old, new = {"minimum": Said(1, "/minimum")}, {"exclusiveMinimum": Said(1, "/exclusiveMinimum")}
    >>> [(limit.kind, limit.what) for limit in moved(old, new)]
    [('narrower', 'was at least 1, is above 1')]
    """
    for sign, limits in ((1, LOWER), (-1, UPPER)):
        for key, twin, idle in limits:
            old, new = (_edge(said, key, twin, sign, idle) for said in (kept, live))
            if old == new or (old and new and old[:2] == new[:2]):
                continue
            stricter = old is None or (new is not None and new[:2] > old[:2])
            what = reworded(old.words if old else "", new.words if new else "")
            yield Moved("narrower" if stricter else "wider", old and old.said, new and new.said, what)
    yield from _steps(kept.get("multipleOf"), live.get("multipleOf"))


def _edge(said: Mapping[str, Said], key: str, twin: str, sign: int, idle: int | None) -> _Edge | None:
    edges = []
    near, far = ("at least", "above") if sign == 1 else ("at most", "below")
    for name, exclusive, word in ((key, False, near), (twin, True, far)):
        if name in said and is_number(value := said[name].value) and value != idle:
            edges.append(_Edge(sign * value, exclusive, said[name], f"{word} {shown(value)}"))
    return max(edges, key=lambda edge: edge[:2], default=None)


def _steps(kept: Said | None, live: Said | None) -> Iterator[Moved]:
    """A multiple of 6 is one of 3; of 4 and 6, neither is one of the other."""
    old, new = (said if said and is_number(said.value) and said.value > 0 else None for said in (kept, live))
    if (old and old.value) == (new and new.value):
        return
    what = reworded(
        f"a multiple of {shown(old.value)}" if old else "", f"a multiple of {shown(new.value)}" if new else ""
    )
    if new is None or (old and old.value % new.value == 0):
        yield Moved("wider", old, new, what)
    else:
        yield Moved("narrower", old, new, what)
        if old and new.value % old.value:
            yield Moved("wider", old, new, what)
