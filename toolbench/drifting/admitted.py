"""Which values two branches admit, by their types and by the values that they list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from toolbench.drifting.branches import NUMBERS, Branch, fits
from toolbench.drifting.change import alike, reworded, shown
from toolbench.drifting.places import Said

SCALARS = (str, int, float, type(None))


class Admitted(NamedTuple):
    """A change of what is admitted: its kind, where, what was and what is."""

    kind: str
    pointers: tuple[str | None, ...]
    what: str


def admitted_changes(kept: Branch, live: Branch) -> Iterator[Admitted]:
    """The changes in type and listed values."""
    if kept.values is not None and live.values is not None:
        for gone in without(kept.values, live.values):
            yield Admitted("value gone", (gone.pointer,), f"the value {shown(gone.value)} is gone")
        for new in without(live.values, kept.values):
            yield Admitted("value new", (new.pointer,), f"the value {shown(new.value)} is new")
    elif kept.type != live.type or kept.family != live.family:
        kind = "wider" if _is_part(kept, live) else "narrower" if _is_part(live, kept) else "other type"
        yield Admitted(kind, (live.pointer, kept.pointer), reworded(kept.words, live.words))


def _is_part(small: Branch, large: Branch) -> bool:
    """Whether one branch's types and values are among the other's."""
    if large.values is not None:
        return False
    if small.values is not None:
        return all(fits(value, large.type) for value, _ in small.values)
    return large.type is None or (small.type, large.type) == NUMBERS


def says_more(kept: Branch, live: Branch) -> bool:
    """Whether there is anything to compare beyond types and listed values."""
    if kept.family != live.family and (kept.is_anything or live.is_anything):
        return False
    if kept.values is None and live.values is None:
        return kept.family == live.family or None in (kept.type, live.type)
    return True


def without(values: Sequence[Said], others: Sequence[Said]) -> list[Said]:
    """The values that are not among the others."""
    plain = {(isinstance(v, bool), v) for v, _ in others if isinstance(v, SCALARS)}
    nested = [v for v, _ in others if not isinstance(v, SCALARS)]

    def among(value: object) -> bool:
        if isinstance(value, SCALARS):
            return (isinstance(value, bool), value) in plain
        return any(alike(value, other) for other in nested)

    return [said for said in values if not among(said.value)]
