"""Making probes where tools run, a process for each table and round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from toolbench.checking.probes import Probe, Seen
from toolbench.execution.work import Executor, Work, observed
from toolbench.outcome import DIED, SKIPPED, TIMEOUT
from toolbench.probing.subject import Subject

ENOUGH = 3  # calls of a tool that do not come back
LAYER = "definition"


class Making:
    """Makes probes where tools run; keeps, by table, whether they reached what a defect changes."""

    def __init__(self, pool: Executor, tables: Iterable[str]):
        self._pool = pool
        self.landed: dict[str, list[Any]] = {table: [0, ""] for table in tables}
        self._ended: Counter[tuple[str, str]] = Counter()  # by table and tool, calls that did not come back

    def of(self, *rounds: Sequence[tuple[Subject, Probe]]) -> list[list[Seen]]:
        """What was seen of each probe of each round; each round has processes of its own, one for a table.

        Where calls of a tool do not come back, the rest of them are skipped; those of other tools are made.
        """
        seen: list[dict[int, Seen]] = [{} for _ in rounds]
        left = [list(range(len(probes))) for probes in rounds]
        while any(left):
            for number, places in enumerate(self._some(rounds, left, seen)):
                left[number] = places
        return [[one[place] for place in range(len(probes))] for one, probes in zip(seen, rounds, strict=True)]

    def _some(
        self,
        rounds: Sequence[Sequence[tuple[Subject, Probe]]],
        left: Sequence[Sequence[int]],
        seen: Sequence[dict[int, Seen]],
    ) -> list[list[int]]:
        """Make what is left of each round; what was skipped although its own tool came back."""
        works: list[Work] = []
        of: list[tuple[int, list[int]]] = []
        for number, places in enumerate(left):
            by_table: dict[str, list[int]] = {}
            for place in places:
                by_table.setdefault(rounds[number][place][0].table, []).append(place)
            for table, own in by_table.items():
                probes = [rounds[number][place] for place in own]
                units = [probe.unit(subject.apart, stirred=number > 0) for subject, probe in probes]
                works.append(Work(table, LAYER, units, whole=True, enough=ENOUGH))
                of.append((number, own))
        still: list[list[int]] = [[] for _ in rounds]
        for (number, own), work, observation in zip(of, works, observed(self._pool, works), strict=True):
            rows = dict(zip(own, map(Seen.of, observation.rows), strict=True))
            tool = {place: rounds[number][place][1].tool for place in own}
            self._ended.update((work.table, tool[place]) for place, one in rows.items() if one.kind in (TIMEOUT, DIED))
            given_up = {name for name in set(tool.values()) if self._ended[work.table, name] >= ENOUGH}
            again = [place for place, one in rows.items() if one.kind == SKIPPED and tool[place] not in given_up]
            seen[number].update((place, one) for place, one in rows.items() if place not in set(again))
            still[number] += again
            mine = self.landed[work.table]
            mine[0] += observation.hits
            mine[1] = mine[1] or observation.missed
        return still
