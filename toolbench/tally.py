"""Tallies: what the episodes of a table over many seeds come to, without keeping the episodes.

Tallies of different seeds add up to the tally of all, in whatever pieces and order the seeds came. All numbers are
whole, so the sums are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from toolbench.episodes import COSTS, MOST_ENDED, Array, Episodes


@dataclass(frozen=True)
class Excess:
    """How often a table fails this many tasks more than the defect-free one, and the first seed at which it does.

    at: where that seed stands in the order of all seeds. failing: how many tasks fail there with the defect.
    """

    count: int
    at: int
    seed: int
    failing: int


@dataclass(frozen=True)
class Tally:
    """The sums over seeds of one table, and of its pairs with the defect-free table if it has a defect.

    failing: per task, at how many seeds it fails. spread: by the number of failing tasks, at how many seeds so many
    fail. costs: by name, over all episodes. newly_failing, newly_passing: per task, at how many seeds it fails with
    the defect and passes without, and the other way round. excess: failing tasks with the defect less those without,
    and how often. ended: as in `Episodes`.
    """

    seeds: int
    failing: tuple[int, ...]
    spread: tuple[int, ...]
    costs: Mapping[str, int]
    newly_failing: tuple[int, ...] = ()
    newly_passing: tuple[int, ...] = ()
    excess: Mapping[int, Excess] = field(default_factory=dict)
    ended: tuple[Mapping[str, Any], ...] = ()

    @property
    def succeeded(self) -> int:
        """Episodes that succeeded, of `seeds` x tasks."""
        return self.seeds * len(self.failing) - sum(self.failing)

    @property
    def fewest(self) -> int:
        """The fewest tasks that fail at one seed."""
        return next(number for number, seeds in enumerate(self.spread) if seeds)

    @property
    def most(self) -> int:
        """The most tasks that fail at one seed."""
        return max(number for number, seeds in enumerate(self.spread) if seeds)

    def differences(self) -> tuple[int, int]:
        """Over seeds, the sum and the sum of squares of the succeeding tasks with a defect less those without."""
        return (
            -sum(more * excess.count for more, excess in self.excess.items()),
            sum(more * more * excess.count for more, excess in self.excess.items()),
        )

    def plus(self, other: Tally) -> Tally:
        """The tally of the seeds of both; `other`'s come later."""
        excess = dict(self.excess)
        for more, added in other.excess.items():
            mine = excess.get(more)
            first = added if mine is None else min(mine, added, key=lambda one: one.at)
            excess[more] = Excess((mine.count if mine else 0) + added.count, first.at, first.seed, first.failing)
        return Tally(
            seeds=self.seeds + other.seeds,
            failing=_added(self.failing, other.failing),
            spread=_added(self.spread, other.spread),
            costs={name: self.costs[name] + other.costs[name] for name in COSTS},
            newly_failing=_added(self.newly_failing, other.newly_failing),
            newly_passing=_added(self.newly_passing, other.newly_passing),
            excess=dict(sorted(excess.items())),
            ended=(*self.ended, *other.ended)[:MOST_ENDED],
        )

    def facts(self) -> dict[str, Any]:
        """The tally as plain values."""
        return {**vars(self), "excess": [[more, vars(one)] for more, one in self.excess.items()]}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Tally:
        """The tally that `facts` were taken from."""
        lists = ("failing", "spread", "newly_failing", "newly_passing", "ended")
        given: dict[str, Any] = {name: tuple(value) if name in lists else value for name, value in facts.items()}
        return cls(**{**given, "excess": {more: Excess(**one) for more, one in given["excess"]}})


def tally(episodes: Episodes, clean: Array | None = None, begin: int = 0) -> Tally:
    """The tally of some episodes; clean: what fails at these seeds without the defect; begin: where the first of these
    seeds stands in the order of all."""
    failing = episodes.failing
    counts = failing.sum(axis=1)
    made = Tally(
        seeds=len(failing),
        failing=_whole(failing.sum(axis=0)),
        spread=_whole(np.bincount(counts, minlength=failing.shape[1] + 1)),
        costs={name: int(episodes.costs[name].sum()) for name in COSTS},
        ended=tuple(episodes.ended[:MOST_ENDED]),
    )
    if clean is None:
        return made
    more, first, times = np.unique(counts - clean.sum(axis=1), return_index=True, return_counts=True)
    excess = {
        int(value): Excess(int(count), begin + int(index), int(episodes.seeds[index]), int(counts[index]))
        for value, index, count in zip(more, first, times, strict=True)
    }
    return replace(
        made,
        newly_failing=_whole((failing & ~clean).sum(axis=0)),
        newly_passing=_whole((clean & ~failing).sum(axis=0)),
        excess=excess,
    )


def _whole(numbers: Array) -> tuple[int, ...]:
    return tuple(map(int, numbers))


def _added(left: Iterable[int], right: Iterable[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(left, right, strict=True))
