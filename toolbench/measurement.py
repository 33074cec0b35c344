"""Measurement: what was measured, and what follows from it as tables.

Rows are plain values, made once; DataFrames are made of them when asked for, so that pandas is loaded only
where a table is wanted. The report formats the same rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

from toolbench.errors import UsageError, unknown
from toolbench.execution.pool import Observation
from toolbench.mutation.defect import NONE, Defect
from toolbench.mutation.engine import STUB
from toolbench.mutation.operator import CLASSES, TOTAL
from toolbench.rules import CAUGHT, NOT_MEASURED, band_width, counted, failing_tasks, paired
from toolbench.scenario import Scenario
from toolbench.seeds import Seeds
from toolbench.sums import band_of, ended, success_of
from toolbench.verdict import LeftOut, Verdict

if TYPE_CHECKING:
    from pandas import DataFrame

Row = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Measurement:
    """The result of `measure`: it draws itself in a terminal and a notebook, and gives DataFrames.

    observed: the rows of each (table, layer); `none` is the defect-free table. suite: its two suite runs.
    """

    scenario: Scenario
    seeds: Seeds
    layers: tuple[str, ...]
    defects: tuple[Defect, ...]
    equivalent: frozenset[str]
    suite: tuple[Observation, ...]
    observed: Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]
    verdicts: tuple[Verdict, ...]
    left_out: tuple[LeftOut, ...]
    engine: str = "walk"

    # --- rows -------------------------------------------------------------------------------------------

    @cached_property
    def _verdict(self) -> dict[tuple[str, str], Verdict]:
        return {(verdict.defect, verdict.layer): verdict for verdict in self.verdicts}

    def counts(self, layer: str | None = None, class_: str = TOTAL) -> tuple[int, int]:
        """(caught, measured) defects of a class in a layer; without a layer, by any layer that measured them."""
        layers = self.layers if layer is None else (layer,)
        caught = measured = 0
        for defect in self.defects:
            if class_ in (TOTAL, defect.class_):
                said = [self._verdict[defect.id, name].verdict for name in layers if name in self.layers]
                measured += any(word != NOT_MEASURED for word in said)
                caught += CAUGHT in said
        return caught, measured

    def catch_rate_rows(self) -> list[Row]:
        rows = []
        for class_ in (*CLASSES, TOTAL):
            for layer in self.layers:
                caught, measured = self.counts(layer, class_)
                share = caught / measured if measured else None
                rows.append({"class": class_, "layer": layer, "k": caught, "n": measured, "share": share})
        return rows

    def success_rows(self) -> list[Row]:
        """One row per table and seed, the defect-free table (`none`) first."""
        rows = []
        for table in (NONE, *(defect.id for defect in self.defects)):
            by_seed: dict[int, list[Mapping[str, Any]]] = {}
            for episode in self.observed.get((table, "loop"), ()):
                by_seed.setdefault(episode["seed"], []).append(episode)
            rows += [success_of(table, seed, episodes) for seed, episodes in by_seed.items()]
        return rows

    def band_rows(self) -> list[Row]:
        """Per layer how far two defect-free runs differ: the suite run twice, the loop from seed to seed."""
        rows: list[Row] = []
        if "tool" in self.layers and self.suite:
            first, second = ({row["case"] for row in run.rows if not row["passed"]} for run in self.suite)
            rows.append(
                band_of("tool", "case", len(self.suite[0].rows), "two runs", [first, second], len(first ^ second))
            )
        if clean := self.observed.get((NONE, "loop")):
            failing = failing_tasks(clean)
            unit = "two seeds" if len(failing) == 2 else counted(len(failing), "seed")
            sets = [set(tasks) for tasks in failing.values()]
            rows.append(band_of("loop", "task", len(self.scenario.tasks), unit, sets, band_width(failing)))
        return rows

    def newly(self) -> list[Row]:
        """Per defect, over all seeds: how often each task newly fails and newly passes."""
        sums: dict[str, Row] = {}
        for pair in self.paired_rows():
            row = sums.setdefault(pair["defect"], {"defect": pair["defect"], "newly_failing": {}, "newly_passing": {}})
            for key in ("newly_failing", "newly_passing"):
                for task in pair[key]:
                    row[key][task] = row[key].get(task, 0) + 1
        return list(sums.values())

    def paired_rows(self) -> list[Row]:
        """Per defect and seed: the tasks that newly fail and newly pass against the defect-free run."""
        clean = self.observed.get((NONE, "loop"), ())
        return [
            {"defect": defect.id, **pair}
            for defect in self.defects
            for pair in paired(self.observed.get((defect.id, "loop"), ()), clean)
        ]

    def overlap_rows(self) -> list[Row]:
        """Which defects are caught by exactly which layers; the last row by none of them.

        A layer that measured nothing is left out. A defect that no layer caught is by none only if every layer that
        was asked for measured it: of others nobody can say so.
        """
        active = [name for name in self.layers if self.counts(name)[1]]
        groups: dict[tuple[str, ...], list[str]] = {}
        for size in range(1, len(active) + 1):
            groups.update({combination: [] for combination in combinations(active, size)})
        groups[()] = []
        for defect in self.defects:
            said = {name: self._verdict[defect.id, name].verdict for name in self.layers}
            by = tuple(name for name in active if said[name] == CAUGHT)
            if by or NOT_MEASURED not in said.values():
                groups[by].append(defect.id)
        return [{"layers": list(by), "label": _label(by, active), "defects": ids} for by, ids in groups.items()]

    def blind_spot_rows(self) -> list[Row]:
        """The defects that every layer measured and none caught."""
        unseen = next(row["defects"] for row in self.overlap_rows() if not row["layers"])
        return [
            {"defect": defect.id, "tool": defect.tool, "class": defect.class_, "description": defect.description}
            for defect in self.defects
            if defect.id in unseen
        ]

    def cost_rows(self) -> list[Row]:
        """What each layer cost over all tables: runs, calls, steps, tokens; without stubs and the second clean run."""
        rows: list[Row] = []
        for layer in self.layers:
            seen = [row for (table, name), it in self.observed.items() if name == layer
                    and not table.startswith(STUB) for row in it]  # fmt: skip
            if layer == "loop":
                sums = {
                    key: sum(row[key] for row in seen) for key in ("calls", "steps", "tokens", "errors", "approvals")
                }
            else:
                sums = {"calls": len(seen), "steps": None, "tokens": None, "errors": None, "approvals": None}
            rows.append({"layer": layer, "runs": len(seen), **sums, **ended(seen)})
        return rows

    def tasks_of_no_use(self) -> tuple[str, ...]:
        """The tasks that fail at every seed without any defect; one seed cannot tell."""
        failing = [set(tasks) for tasks in failing_tasks(self.observed.get((NONE, "loop"), ())).values()]
        return tuple(
            task.id for task in self.scenario.tasks if len(failing) > 1 and all(task.id in run for run in failing)
        )

    def vacuous(self) -> tuple[str, ...]:
        """The tools for which the suite is vacuous: a stub that does nothing passes all their cases."""
        return tuple(
            tool
            for tool in self.scenario.table
            if all(row["passed"] for row in self.observed.get((STUB + tool, "tool"), ()))
        )

    # --- DataFrames -------------------------------------------------------------------------------------

    def catch_rates(self) -> DataFrame:
        """Class x layer: k caught of n measured defects, and the share (NaN where n is 0)."""
        return _frame(self.catch_rate_rows())

    def success(self) -> DataFrame:
        """Table x seed: succeeded of tasks, share, the failing tasks, steps, tokens, errors, done."""
        return _frame(self.success_rows())

    def bands(self) -> DataFrame:
        """Per layer: how far two defect-free runs differ."""
        return _frame(self.band_rows())

    def paired(self) -> DataFrame:
        """Defect x seed: the tasks that newly fail and newly pass."""
        return _frame(self.paired_rows())

    def overlap(self) -> DataFrame:
        """Which defects are caught by exactly which layers."""
        return _frame(
            [{"caught by": r["label"], "k": len(r["defects"]), "defects": r["defects"]} for r in self.overlap_rows()]
        )

    def blind_spots(self) -> DataFrame:
        """The defects that no layer caught."""
        return _frame(self.blind_spot_rows(), ["defect", "tool", "class", "description"])

    def cost(self) -> DataFrame:
        """Per layer: runs, calls, steps, tokens, errors, approvals over all tables."""
        return _frame(self.cost_rows())

    def verdict_table(self) -> DataFrame:
        """One row per defect and layer: rule, verdict and reason."""
        keys = ("defect", "layer", "rule", "verdict", "reason")
        return _frame([{key: getattr(verdict, key) for key in keys} for verdict in self.verdicts], list(keys))

    def left_out_table(self) -> DataFrame:
        """What was not measured, how many, and why."""
        return _frame([asdict(left) for left in self.left_out], ["what", "count", "reason"])

    # --- one verdict ------------------------------------------------------------------------------------

    def explain(self, defect: str, layer: str) -> Verdict:
        """The verdict on one defect in one layer; its text says why.

        >>> import toolbench as tb
        >>> print(tb.measure("metering", defects=["D8"]).explain("D8", "loop"))
        D8, loop: caught by the rule 'band': fails at least 4 tasks more than the defect-free run at each seed (2 seeds); the band is 1
          seed 20260218: 5 tasks fail, defect-free 1; newly failing G07 G11 G12 G18; newly passing none
          seed 20260219: 6 tasks fail, defect-free 1; newly failing G07 G11 G12 G18 G23; newly passing none
        """  # noqa: E501  # what it prints is one line
        if defect not in [known.id for known in self.defects]:
            raise UsageError(unknown("defect", defect, [known.id for known in self.defects]))
        if layer not in self.layers:
            raise UsageError(unknown("layer", layer, self.layers))
        return self._verdict[defect, layer]

    def __str__(self) -> str:
        from toolbench.report.text import text_report

        return text_report(self)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from toolbench.report.html import html_report

        return html_report(self)


def _label(by: Sequence[str], active: Sequence[str]) -> str:
    if not by:
        return "neither" if len(active) == 2 else "none"
    if len(by) == len(active) > 1:
        return "both" if len(active) == 2 else "all"
    return f"{by[0]} only" if len(by) == 1 else " + ".join(by)


def _frame(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] | None = None) -> DataFrame:
    """A DataFrame of rows; whole numbers stay whole beside a missing one."""
    import pandas

    frame = pandas.DataFrame(list(rows), columns=None if columns is None else list(columns))
    for name in frame.columns:
        kinds = {type(row[name]) for row in rows}
        if kinds == {int, type(None)}:
            frame[name] = frame[name].astype("Int64")
    return frame
