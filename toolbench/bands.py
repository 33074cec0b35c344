"""The band: how far defect-free runs differ between seeds, kept up as more and more seeds come in.

The band is the most tasks that one seed's run fails and another's passes, over all ordered pairs of seeds. Only runs
that can still make a wider pair are kept: a run that fails no more tasks than the band is wide cannot be the larger of
one, and a run that passes no more than that cannot be the smaller.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
MOST_COMPARED = 64
ONES = np.array([number.bit_count() for number in range(256)], np.uint8)


@dataclass(frozen=True)
class Band:
    """What is known of the band after some seeds.

    tasks: how many there are. widest: the widest pair so far. larger, smaller: the runs that may still make a wider
    one, each as a number whose binary digits are its failing tasks.
    """

    tasks: int
    seeds: int = 0
    widest: int = 0
    larger: frozenset[int] = frozenset()
    smaller: frozenset[int] = frozenset()

    @property
    def width(self) -> int | None:
        """The band in tasks; None with one seed, which has nothing to differ from."""
        return self.widest if self.seeds > 1 else None

    def settled(self) -> Band:
        """The band as it is, without the runs that later ones might be compared with."""
        return replace(self, larger=frozenset(), smaller=frozenset())

    def with_runs(self, failing: Array) -> Band:
        """The band when further seeds are known: failing is seeds x tasks, true where a task fails.

        >>> Band(3).with_runs(np.array([[1, 1, 0], [0, 1, 0], [0, 0, 0]], bool)).width
        2
        """
        packed = np.packbits(failing, axis=1)
        counts = failing.sum(axis=1)
        if len(counts) and not counts.min():  # a run that fails nothing: no other can be the smaller one
            distinct = packed[[counts.argmin(), counts.argmax()]]
        else:
            distinct = np.unique(packed, axis=0)
        return self._joined(self.seeds + len(failing), self.widest, distinct, distinct)

    def facts(self) -> list[Any]:
        """The band as plain values."""
        return [self.tasks, self.seeds, self.widest, sorted(self.larger), sorted(self.smaller)]

    @classmethod
    def from_facts(cls, facts: list[Any]) -> Band:
        """The band that `facts` were taken from."""
        tasks, seeds, widest, larger, smaller = facts
        return cls(tasks, seeds, widest, frozenset(larger), frozenset(smaller))

    def merged(self, other: Band) -> Band:
        """The band over the seeds of both."""
        runs = [self._rows(band.larger) for band in (self, other)], [self._rows(band.smaller) for band in (self, other)]
        larger, smaller = map(np.concatenate, runs)
        return Band(self.tasks)._joined(self.seeds + other.seeds, max(self.widest, other.widest), larger, smaller)

    def _joined(self, seeds: int, widest: int, larger: Array, smaller: Array) -> Band:
        larger = np.concatenate([self._rows(self.larger), larger])
        smaller = np.concatenate([self._rows(self.smaller), smaller])
        sizes = ONES[smaller].sum(axis=1)
        for index in np.argsort(sizes, kind="stable"):
            if self.tasks - sizes[index] <= widest:
                break
            larger = larger[ONES[larger].sum(axis=1) > widest]
            if not len(larger):
                break
            widest = max(widest, int(ONES[larger & ~smaller[index]].sum(axis=1).max()))
        larger = _outermost(larger[ONES[larger].sum(axis=1) > widest])
        full = np.packbits(np.ones((1, self.tasks), bool), axis=1)
        smaller = full & ~_outermost(full & ~smaller[self.tasks - sizes > widest])
        return Band(self.tasks, seeds, widest, _numbers(larger), _numbers(smaller))

    def _rows(self, numbers: frozenset[int]) -> Array:
        width = (self.tasks + 7) // 8
        text = b"".join(number.to_bytes(width, "big") for number in sorted(numbers))
        return np.frombuffer(text, np.uint8).reshape(-1, width)


def _outermost(runs: Array) -> Array:
    """Runs less those that fail only tasks that one of the largest fails too: what they can show, it shows as well."""
    runs = np.unique(runs, axis=0)
    runs = runs[np.argsort(-ONES[runs].sum(axis=1).astype(np.intp), kind="stable")]
    index = 0
    while index < min(len(runs), MOST_COMPARED):
        inside = ~(runs & ~runs[index]).any(axis=1)
        inside[: index + 1] = False
        runs = runs[~inside]
        index += 1
    return runs


def _numbers(rows: Array) -> frozenset[int]:
    return frozenset(int.from_bytes(row.tobytes(), "big") for row in rows)
