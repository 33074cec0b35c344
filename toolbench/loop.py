"""What the loop saw of every table: sums over seeds, and what the machines say of all seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from toolbench.agent.exact import Exact
from toolbench.agent.exact import exact as exactly
from toolbench.agent.machine import LANES, WALK, Machine
from toolbench.agent.seeded import SeededAgent
from toolbench.agent.side_by_side import Comparison, side_by_side
from toolbench.chunks import Part
from toolbench.episodes import COSTS, Episodes
from toolbench.errors import CannotCompile
from toolbench.mutation.defect import NONE
from toolbench.power import SIGNIFICANCE, seeds_needed

KNOWN = 1000  # up to so many seeds, what each seed gave is kept
SEEN_WITH = 0.9


@dataclass(frozen=True, eq=False)
class Loop:
    """The loop's observation of the defect-free table (`none`) and of one with each defect.

    tasks: their ids. growth: what was known after round numbers of seeds, the last part after all. episodes: table ->
    what each seed gave, where it is kept. machines: table -> its machines, task by task. walked: why the others have
    none, so that their episodes were walked one by one.
    """

    tasks: tuple[str, ...]
    growth: Sequence[Part]
    episodes: Mapping[str, Episodes] = field(default_factory=dict)
    machines: Mapping[str, Sequence[Machine]] = field(default_factory=dict)
    walked: Mapping[str, str] = field(default_factory=dict)
    agent: SeededAgent | None = None

    @property
    def all(self) -> Part:
        """What is known after all seeds."""
        return self.growth[-1]

    @property
    def engine(self) -> str:
        """How episodes were played: as lanes, walked, or some tables so and some so."""
        return LANES if not self.walked else WALK if not self.machines else f"{LANES} and {WALK}"

    @cached_property
    def _exact(self) -> tuple[dict[str, Sequence[Exact]], dict[str, str]]:
        known: dict[str, Sequence[Exact]] = {}
        unknown = {table: f"it has no machine: {why}" for table, why in self.walked.items()}
        if self.agent is not None:
            try:
                every = iter(exactly([one for several in self.machines.values() for one in several], self.agent))
                known = {table: [next(every) for _ in several] for table, several in self.machines.items()}
            except CannotCompile as problem:
                unknown |= dict.fromkeys(self.machines, str(problem))
        return known, unknown

    @property
    def exact(self) -> Mapping[str, Sequence[Exact]]:
        """Table -> what its episodes come to over all seeds, task by task; tables of which that is unknown left out."""
        return self._exact[0]

    def expected(self, table: str) -> float:
        """The share of tasks that a run over all of them is expected to solve."""
        return sum(one.success for one in self.exact[table]) / len(self.tasks)

    @property
    def inexact(self) -> Mapping[str, str]:
        """Table -> why what its episodes come to over all seeds is unknown."""
        return self._exact[1]

    @cached_property
    def _compared(self) -> dict[str, Sequence[Comparison] | str]:
        return {}

    def compared(self, table: str) -> Sequence[Comparison] | None:
        """A table walked side by side with the defect-free one; None where that cannot be, see `incomparable`."""
        if table not in self._compared:
            self._compared[table] = self._compare(table)
        found = self._compared[table]
        return None if isinstance(found, str) else found

    def incomparable(self, table: str) -> str:
        """Why a table cannot be compared with the defect-free one; empty if it can."""
        return "" if self.compared(table) is not None else str(self._compared[table])

    def _compare(self, table: str) -> Sequence[Comparison] | str:
        for one in (NONE, table):
            if one in self.inexact:
                return self.inexact[one]
            if one not in self.exact:
                return "its episodes were not played"
        assert self.agent is not None  # tables with machines have its agent
        try:
            return side_by_side(self.machines[NONE], self.machines[table], self.agent)
        except CannotCompile as problem:
            return str(problem)

    @cached_property
    def _needed(self) -> dict[tuple[str, int], int | None]:
        return {}

    def seeds_needed(self, table: str, among: int = 1) -> int | None:
        """How many seeds until the paired rule sees a defect with power 0.9; None: never, or unknown.

        among: of how many defects of one report; each is then seen at level 0.05 / among, the least that Holm's
        correction asks for.
        """
        if (table, among) not in self._needed:
            chances = self.chances(table)
            self._needed[table, among] = (
                None if chances is None else seeds_needed(*chances, SEEN_WITH, SIGNIFICANCE / among)
            )
        return self._needed[table, among]

    def chances(self, table: str) -> tuple[list[float], list[float]] | None:
        """Per task, how likely it newly fails at one seed, and how likely it newly passes; None where not known."""
        compared = self.compared(table)
        if compared is None:
            return None
        return [one.newly_failing for one in compared], [one.newly_passing for one in compared]

    def pairs(self, table: str) -> Iterator[dict[str, Any]]:
        """Seed by seed: how many tasks fail, and which newly fail and newly pass against the defect-free run."""
        if table in self.episodes and NONE in self.episodes:
            seen, clean = self.episodes[table], self.episodes[NONE]
            for seed, after, before in zip(seen.seeds, seen.failing, clean.failing, strict=True):
                yield {
                    "seed": int(seed),
                    "failing": int(after.sum()),
                    "defect_free": int(before.sum()),
                    "newly_failing": self.names(after & ~before),
                    "newly_passing": self.names(before & ~after),
                }

    def times(self, by_task: Sequence[int]) -> dict[str, int]:
        """Task -> how often, of those with any."""
        return {task: number for task, number in zip(self.tasks, by_task, strict=True) if number}

    def cost(self) -> dict[str, int]:
        """What all episodes cost: how many there were, calls, steps, tokens and so on."""
        tallies = self.all.tallies.values()
        names = [name for name in COSTS if name not in ("done", "broken")]
        sums = {name: sum(tally.costs[name] for tally in tallies) for name in names}
        return {"runs": sum(tally.seeds * len(tally.failing) for tally in tallies), **sums}

    def names(self, which: Any) -> list[str]:
        """The tasks for which an array of truths is true."""
        return [self.tasks[number] for number in which.nonzero()[0]]
