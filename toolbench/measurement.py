"""Measurement: what was measured, and what follows from it as tables.

Rows are plain values, made once; DataFrames are made of them when asked for, so that pandas is loaded only
where a table is wanted. The report formats the same rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from toolbench.costs import cost_rows
from toolbench.counting import counted
from toolbench.errors import UsageError, unknown
from toolbench.execution.work import Observation
from toolbench.loop_rows import (
    exact_rows,
    growth_rows,
    paired_rows,
    reliability_rows,
    rule_rows,
    run_rows,
    success_rows,
)
from toolbench.mutation.defect import NONE, Defect
from toolbench.mutation.engine import STUB
from toolbench.mutation.operator import CLASSES, TOTAL
from toolbench.overlap import overlap_rows
from toolbench.probing.checked import Checked
from toolbench.rules import BAND, CAUGHT, NOT_MEASURED
from toolbench.scenario import Scenario
from toolbench.seeds import Seeds
from toolbench.verdict import INTERRUPTED, LeftOut, Verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

    from toolbench.loop import Loop

Row = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Measurement:
    """The result of `measure`: it draws itself in a terminal and a notebook, and gives DataFrames.

    suites: the rows of the tool layer by table; `none` is the defect-free one. suite: its two suite runs. checks: what
    the definition layer found, by table. loop: what the loop saw, None where it did not run. rule: the loop's rule
    that shares, overlap and blind spots rest on; the verdicts of all rules are kept.
    """

    scenario: Scenario
    seeds: Seeds
    layers: tuple[str, ...]
    defects: tuple[Defect, ...]
    equivalent: frozenset[str]
    suite: tuple[Observation, ...]
    suites: Mapping[str, Sequence[Mapping[str, Any]]]
    verdicts: tuple[Verdict, ...]
    left_out: tuple[LeftOut, ...]
    checks: Mapping[str, Checked] = field(default_factory=dict)
    loop: Loop | None = None
    rule: str = BAND

    @property
    def interrupted(self) -> LeftOut | None:
        """What Ctrl-C left out; None if nothing."""
        return next((left for left in self.left_out if left.what == INTERRUPTED), None)

    # --- rows -------------------------------------------------------------------------------------------

    @cached_property
    def _verdict(self) -> dict[tuple[str, str], Verdict]:
        """The verdict by each layer's chosen rule."""
        return {
            (verdict.defect, verdict.layer): verdict
            for verdict in self.verdicts
            if verdict.layer != "loop" or verdict.rule == self.rule
        }

    @property
    def engine(self) -> str:
        """How the loop's episodes were played."""
        return "none" if self.loop is None else self.loop.engine

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
        """One row per table and seed, the defect-free table (`none`) first; beyond 1,000 seeds one per table, unless
        what each seed gave was asked for."""
        return success_rows(self.loop)

    def band_rows(self) -> list[Row]:
        """Per layer how far two defect-free runs differ: the suite run twice, the loop from seed to seed."""
        rows: list[Row] = []
        if "tool" in self.layers and self.suite:
            first, second = ({row["case"] for row in run.rows if not row["passed"]} for run in self.suite)
            fails = sorted(map(len, (first, second)))
            rows.append(_band("tool", "case", len(self.suite[0].rows), "two runs", fails, len(first ^ second)))
        if self.loop is not None:
            known = self.loop.all
            clean = known.tallies[NONE]
            unit = "two seeds" if clean.seeds == 2 else counted(clean.seeds, "seed")
            rows.append(_band("loop", "task", len(self.loop.tasks), unit, (clean.fewest, clean.most), known.band.width))
        return rows

    def overlap_rows(self) -> list[Row]:
        """Which defects are caught by exactly which layers; the last row by none of them."""
        active = [name for name in self.layers if self.counts(name)[1]]
        said = {
            defect.id: {name: self._verdict[defect.id, name].verdict for name in self.layers} for defect in self.defects
        }
        return overlap_rows(said, active)

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
        return cost_rows(self.layers, self.suites, self.checks, self.loop)

    def tasks_of_no_use(self) -> tuple[str, ...]:
        """The tasks that fail at every seed without any defect; one seed cannot tell."""
        if self.loop is None or len(self.seeds) < 2:
            return ()
        clean = self.loop.all.tallies[NONE]
        return tuple(task for task, times in zip(self.loop.tasks, clean.failing, strict=True) if times == clean.seeds)

    def vacuous(self) -> tuple[str, ...]:
        """The tools for which the suite is vacuous: a stub that does nothing passes all their cases."""
        if not self.suite:
            return ()
        return tuple(
            tool for tool in self.scenario.table if all(row["passed"] for row in self.suites.get(STUB + tool, ()))
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
        """Defect x seed: the tasks that newly fail and newly pass; beyond 1,000 seeds only where each was asked for."""
        return _frame(paired_rows(self.loop))

    def rules(self) -> DataFrame:
        """Per defect: the rules of the loop side by side, with p values, intervals, and the seeds needed."""
        return _frame(rule_rows(self.defects, self.verdicts, self.loop) if "loop" in self.layers else [])

    def exact(self) -> DataFrame:
        """Table x task: the exact probability of success, and mean steps, tokens and errors, over all seeds."""
        return _frame(exact_rows(self.loop))

    def exact_runs(self) -> DataFrame:
        """Table x number: the exact probability that a run over all tasks fails more than that number of them."""
        return _frame(run_rows(self.loop))

    def growth(self) -> DataFrame:
        """Table x number of seeds: success, band, paired difference and its interval, as the seeds grow in number."""
        return _frame(growth_rows(self.loop))

    def reliability(self) -> DataFrame:
        """Table x k: pass@k (one of k episodes succeeds) and pass^k (all of them do), unbiased, averaged over tasks."""
        return _frame(reliability_rows(self.loop))

    def overlap(self) -> DataFrame:
        """Which defects are caught by exactly which layers."""
        return _frame(
            [{"caught by": r["label"], "k": len(r["defects"]), "defects": r["defects"]} for r in self.overlap_rows()]
        )

    def blind_spots(self) -> DataFrame:
        """The defects that no layer caught."""
        return _frame(self.blind_spot_rows(), ["defect", "tool", "class", "description"])

    def findings(self) -> DataFrame:
        """Table x finding: what the definition layer found, the defect-free table (`none`) first."""
        rows = [{"table": table, **asdict(one)} for table, checked in self.checks.items() for one in checked.findings]
        return _frame(rows, ["table", "code", "severity", "tool", "pointer", "seen", "input", "why", "cure"])

    def cost(self) -> DataFrame:
        """Per layer: runs, calls, steps, tokens, errors, approvals over all tables."""
        return _frame(self.cost_rows())

    def verdict_table(self) -> DataFrame:
        """One row per defect, layer and rule: verdict and reason."""
        keys = ("defect", "layer", "rule", "verdict", "reason")
        return _frame([{key: getattr(verdict, key) for key in keys} for verdict in self.verdicts], list(keys))

    def left_out_table(self) -> DataFrame:
        """What was not measured, how many, and why."""
        return _frame([asdict(left) for left in self.left_out], ["what", "count", "reason"])

    # --- one verdict ------------------------------------------------------------------------------------

    def explain(self, defect: str, layer: str, rule: str | None = None) -> Verdict:
        """The verdict on one defect in one layer, by its rule or another one; its text says why.

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
        if rule is None:
            return self._verdict[defect, layer]
        of_layer = {one.rule: one for one in self.verdicts if (one.defect, one.layer) == (defect, layer)}
        if rule not in of_layer:
            raise UsageError(unknown("rule", rule, of_layer))
        return of_layer[rule]

    # --- plots ------------------------------------------------------------------------------------------

    def plot_bands(self) -> Figure:
        """Success by number of seeds, each defect against the defect-free table; see `toolbench.report.plots`."""
        from toolbench.report.plots import plot_bands

        return plot_bands(self)

    def plot_power(self, defect: str) -> Figure:
        """How likely the paired rule sees a defect, by number of seeds; see `toolbench.report.plots`."""
        from toolbench.report.plots import plot_power

        return plot_power(self, defect)

    def __str__(self) -> str:
        from toolbench.report.text import text_report

        return text_report(self)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from toolbench.report.html import html_report

        return html_report(self)


def _band(layer: str, unit: str, of: int, runs: str, fails: Sequence[int], band: int | None) -> Row:
    return {"layer": layer, "runs": runs, "unit": unit, "of": of, "fewest": fails[0], "most": fails[1], "band": band}


def _frame(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] | None = None) -> DataFrame:
    """A DataFrame of rows; whole numbers stay whole beside a missing one."""
    import pandas

    frame = pandas.DataFrame(list(rows), columns=None if columns is None else list(columns))
    for name in frame.columns:
        kinds = {type(row[name]) for row in rows}
        if kinds == {int, type(None)}:
            frame[name] = frame[name].astype("Int64")
    return frame
