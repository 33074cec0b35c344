"""Many seeds, chunk by chunk: each chunk is run over all tables, and only its tallies are kept.

What a chunk gives is cut where the number of seeds is a round one, so that it can be told how a figure grew with the
seeds. It does not depend on how the seeds were cut into chunks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from toolbench.agent.lanes import Track
from toolbench.agent.machine import Machine
from toolbench.agent.seeded import SeededAgent
from toolbench.bands import Band
from toolbench.episodes import Array, Episodes, by_lanes, by_replay, packed, unpacked
from toolbench.seeds import Seeds
from toolbench.tally import Tally, tally

CHUNK = 1 << 16
FEW = 20
FIRST = 20_000  # up to here, each seed is known, so that tallies can be cut anywhere


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some seeds, the first of which stands at `begin` in the order of all. keep: what each seed gave is wanted."""

    begin: int
    seeds: Array
    keep: bool

    @property
    def each(self) -> bool:
        """Whether what each seed gave is to be known, if only to be cut at round numbers of seeds."""
        return self.keep or self.begin < FIRST

    def facts(self) -> dict[str, Any]:
        """The chunk as plain values; seeds that follow each other as the first and the number of them."""
        first, count = int(self.seeds[0]), len(self.seeds)
        run = bool((np.diff(self.seeds) == 1).all()) and int(self.seeds[-1]) == first + count - 1  # 0 follows the last
        listed = [first, count] if run else None
        return {
            "begin": self.begin,
            "run": listed,
            "seeds": None if run else packed(self.seeds),
            "keep": self.keep,
        }

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Chunk:
        """The chunk that `facts` were taken from."""
        if facts["run"] is not None:
            first, count = facts["run"]
            seeds = np.arange(first, first + count, dtype=np.uint32)
        else:
            seeds = unpacked(facts["seeds"])
        return cls(facts["begin"], seeds, facts["keep"])


@dataclass(frozen=True)
class Part:
    """The tallies of all tables over some seeds that follow each other, and the band of the defect-free one; `end` is
    the number of seeds up to here."""

    end: int
    tallies: Mapping[str, Tally]
    band: Band


@dataclass(frozen=True)
class Result:
    """What came of a chunk: its parts, and the episodes of each table where they were asked for."""

    parts: Sequence[Part]
    episodes: Mapping[str, Episodes]

    def facts(self) -> dict[str, Any]:
        """The result as plain values."""
        parts = [
            {
                "end": part.end,
                "tallies": {table: one.facts() for table, one in part.tallies.items()},
                "band": part.band.facts(),
            }
            for part in self.parts
        ]
        return {"parts": parts, "episodes": {table: one.facts() for table, one in self.episodes.items()}}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Result:
        """The result that `facts` were taken from."""
        parts = [
            Part(
                part["end"],
                {table: Tally.from_facts(one) for table, one in part["tallies"].items()},
                Band.from_facts(part["band"]),
            )
            for part in facts["parts"]
        ]
        return cls(parts, {table: Episodes.from_facts(one) for table, one in facts["episodes"].items()})


def chunks(seeds: Seeds, *, keep: bool, size: int = CHUNK) -> Iterator[Chunk]:
    """All seeds in their order, cut where their number is a round one."""
    begin = 0
    for end in [FIRST, *rounds(FIRST, len(seeds))]:
        while begin < min(end, len(seeds)):
            stop = min(begin + size, end, len(seeds))
            yield Chunk(begin, seeds.array(begin, stop), keep)
            begin = stop


def rounds(begin: int, end: int) -> list[int]:
    """The round numbers (1, 2, 5, 10, 20, 50 ...) after begin, up to end, and end itself.

    >>> rounds(4, 60)
    [5, 10, 20, 50, 60]
    """
    found, ten = {end}, 1
    while ten <= end:
        found.update(number for number in (ten, 2 * ten, 5 * ten) if begin < number <= end)
        ten *= 10
    return sorted(found)


def is_round(number: int) -> bool:
    """Whether a number of seeds is a round one.

    >>> is_round(200), is_round(256)
    (True, False)
    """
    return str(number).rstrip("0") in ("1", "2", "5")


def run(chunk: Chunk, tables: Mapping[str, Sequence[Track]], clean: str) -> Result:
    """Run all tables at the seeds of a chunk, as lanes; clean: the name of the defect-free table."""
    if len(chunk.seeds) <= FEW:
        return result(chunk, {table: by_replay(tracks, chunk.seeds) for table, tracks in tables.items()}, clean)
    known: dict[int, Array] = {}
    episodes = {table: by_lanes(tracks, chunk.seeds, known, per_seed=chunk.each) for table, tracks in tables.items()}
    return result(chunk, episodes, clean)


def result(chunk: Chunk, episodes: Mapping[str, Episodes], clean: str) -> Result:
    """The tallies of a chunk's episodes, from one round number of seeds to the next where each seed is known."""
    parts, begin, end = [], chunk.begin, chunk.begin + len(chunk.seeds)
    without = episodes[clean].failing
    for stop in rounds(begin, end) if chunk.each else [end]:
        span = slice(begin - chunk.begin, stop - chunk.begin)
        tallies = {}
        for table, one in episodes.items():
            here = one.at(span) if chunk.each else one
            tallies[table] = tally(here, None if table == clean else without[span], begin)
        parts.append(Part(stop, tallies, Band(without.shape[1]).with_runs(without[span])))
        begin = stop
    return Result(parts, episodes if chunk.keep else {})


def grown(growth: Sequence[Part], part: Part) -> tuple[Part, ...]:
    """What was known after round numbers of seeds, and is after these too; only the last can be added to."""
    if not growth:
        return (part,)
    *before, last = growth
    known = (*before, replace(last, band=last.band.settled())) if is_round(last.end) else before
    return (*known, added(last, part))


def added(first: Part, later: Part) -> Part:
    """What is known after both."""
    tallies = {table: one.plus(later.tallies[table]) for table, one in first.tallies.items()}
    return Part(later.end, tallies, first.band.merged(later.band))


def tracks(machines: Mapping[str, Sequence[Machine]], agent: SeededAgent) -> dict[str, list[Track]]:
    """What each table's lanes run on; a machine that tables share has one track."""
    made: dict[int, Track] = {}
    return {
        table: [made.setdefault(id(machine), Track(machine, agent)) for machine in several]
        for table, several in machines.items()
    }
