"""Making probes where tools run, a process for each table and round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from toolbench.checking.tried import Probe, Seen
from toolbench.execution.work import Executor, Work, observed
from toolbench.outcome import SKIPPED
from toolbench.probing.subject import Subject

ENOUGH = 3  # calls of a tool that do not come back
LAYER = "definition"
NOT_MADE = Seen(SKIPPED, "", 0, "", "", (), {}, None, "")


class Making:
    """Makes probes where tools run; keeps, by table, whether they reached what a defect changes."""

    def __init__(self, pool: Executor, tables: Iterable[str]):
        self._pool = pool
        self.landed: dict[str, list[Any]] = {table: [0, ""] for table in tables}
        self._ended: Counter[tuple[str, str]] = Counter()  # by table and tool, calls that did not come back
        self.skipped: Counter[tuple[str, str]] = Counter()  # and those that were not made for it

    def of(self, *rounds: Sequence[tuple[Subject, Probe]]) -> list[list[Seen]]:
        """What was seen of each probe of each round; each round has processes of its own, one for a table.

        Where calls of a tool do not come back, the rest of them are skipped; those of other tools are made.
        """
        seen: list[dict[int, Seen]] = [{} for _ in rounds]
        left: list[list[int]] = [[] for _ in rounds]
        for number, probes in enumerate(rounds):
            for place, (subject, probe) in enumerate(probes):
                if self._given_up(subject, probe):
                    seen[number][place] = NOT_MADE
                else:
                    left[number].append(place)
        while any(left):
            for number, places in enumerate(self._some(rounds, left, seen)):
                left[number] = places
        for one, probes in zip(seen, rounds, strict=True):
            skipped = [probes[place] for place, what in one.items() if what.kind == SKIPPED]
            self.skipped.update((subject.table, probe.tool) for subject, probe in skipped)
        return [[one[place] for place in range(len(probes))] for one, probes in zip(seen, rounds, strict=True)]

    def _given_up(self, subject: Subject, probe: Probe) -> bool:
        return self._ended[subject.table, probe.tool] >= ENOUGH

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
                works.append(Work(table, LAYER, units, whole=True, enough=ENOUGH, given=ENOUGH))
                of.append((number, own))
        still: list[list[int]] = [[] for _ in rounds]
        for (number, own), work, observation in zip(of, works, observed(self._pool, works), strict=True):
            rows = dict(zip(own, map(Seen.of, observation.rows), strict=True))
            tool = {place: rounds[number][place][1].tool for place in own}
            self._ended.update((work.table, tool[place]) for place, one in rows.items() if one.useless)
            skipped = [place for place, one in rows.items() if one.kind == SKIPPED]
            again = [place for place in skipped if not self._given_up(*rounds[number][place])]
            seen[number].update((place, one) for place, one in rows.items() if place not in set(again))
            still[number] += again
            mine = self.landed[work.table]
            mine[0] += observation.hits
            mine[1] = mine[1] or observation.missed
        return still
