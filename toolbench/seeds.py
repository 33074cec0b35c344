"""Which seeds to run: `N`, `a:b`, `a,b,c`, or one alone as `a,`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

from toolbench.agent.draws import SEEDS
from toolbench.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMS = "give N (the first N from the scenario's base seed), a:b (half-open), a,b,c (a list) or a, (one seed)"


@dataclass(frozen=True)
class Seeds:
    """Seeds in order, and the text that gives them again."""

    text: str
    values: Sequence[int]

    def __len__(self) -> int:
        return len(self.values)

    def first(self, count: int) -> Seeds:
        """The first of them; itself for all."""
        if count >= len(self):
            return self
        part = self.values[:count]
        return _span(part.start, part.stop) if isinstance(part, range) else _listed(list(part))

    def array(self, begin: int, end: int) -> NDArray[Any]:
        """The seeds that stand from begin up to end, as numbers of 32 bits."""
        import numpy

        part = self.values[begin:end]
        if isinstance(part, range):
            return numpy.arange(part.start, part.stop, dtype=numpy.uint32)
        return numpy.array(part, numpy.uint32)


def read_seeds(given: int | str | Iterable[int], base: int) -> Seeds:
    """Seeds from what a user gave; UsageError says what is wrong with it.

    >>> list(read_seeds("3", base=100).values), read_seeds("7,", base=100).text
    ([100, 101, 102], '7,')
    """
    if isinstance(given, bool):
        raise UsageError(f"seeds {given!r}: {FORMS}")
    if isinstance(given, Integral):  # numpy's whole numbers too
        return _first(int(given), base)
    if isinstance(given, str):
        return _from_text(given.strip(), base)
    if not isinstance(given, Iterable):
        raise UsageError(f"seeds {given!r}: {FORMS}")
    values = list(given)
    if not all(isinstance(seed, Integral) and not isinstance(seed, bool) for seed in values):
        raise UsageError(f"seeds {values[:5]!r}: a seed is a whole number")
    return _listed([int(seed) for seed in values])


def _from_text(text: str, base: int) -> Seeds:
    if re.fullmatch(r"[0-9]{1,40}", text):
        return _first(int(text), base)
    if re.fullmatch(r"[0-9]{1,40}:[0-9]{1,40}", text):
        start, end = map(int, text.split(":"))
        return _span(start, end)
    if re.fullmatch(r"[0-9]{1,40}(,[0-9]{1,40})*,?", text):
        return _listed([int(part) for part in text.split(",") if part])
    raise UsageError(f"seeds {text!r}: {FORMS}")


def _first(count: int, base: int) -> Seeds:
    if count < 1:
        raise UsageError(f"seeds {count}: at least one seed is needed")
    return _span(base, base + count)


def _span(start: int, end: int) -> Seeds:
    if end <= start:
        kind = "empty" if end == start else "reversed"
        raise UsageError(f"seeds {start}:{end}: the range is {kind}; a:b runs from a up to b, without b")
    _check(start)
    _check(end - 1)
    return Seeds(f"{start}:{end}", range(start, end))


def _listed(values: list[int]) -> Seeds:
    if not values:
        raise UsageError("seeds: the list is empty; at least one seed is needed")
    seen = set()
    for seed in values:
        _check(seed)
        if seed in seen:
            raise UsageError(f"seeds: {seed} stands twice; each seed counts once")
        seen.add(seed)
    return Seeds(",".join(map(str, values)) + ("," if len(values) == 1 else ""), values)


def _check(seed: int) -> None:
    if not 0 <= seed < SEEDS:
        raise UsageError(f"seed {seed}: a seed is a whole number from 0 to {SEEDS - 1}")
