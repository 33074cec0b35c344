"""The tables of a report: for readers as text cells, for programs as DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolbench.mutation.defect import NONE
from toolbench.mutation.operator import CLASSES, TOTAL
from toolbench.rules import NOT_MEASURED, counted
from toolbench.values import harmless

if TYPE_CHECKING:
    from pandas import DataFrame

    from toolbench.measurement import Measurement

WIDE = 4
LISTED = 6
NA = "n/a"
COSTS = ("runs", "calls", "steps", "tokens", "timeouts", "died")


@dataclass(frozen=True)
class Table:
    """A table for readers: a title, a sentence on how to read it, and text cells."""

    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table(title: str, note: str, columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> Table:
    """A Table whose every cell is harmless text: what comes from outside may hold anything."""
    cells = tuple(tuple(harmless(NA if cell is None else str(cell)) for cell in row) for row in rows)
    return Table(title, note, tuple(map(harmless, columns)), cells)


def headline(m: Measurement) -> str:
    """What was measured, in a line."""
    seeds = m.seeds.text if len(m.seeds.text) <= 60 else f"{m.seeds.text[:60]}…"
    return harmless(
        f"{m.scenario.name}: {counted(len(m.defects), 'defect')}, layers {' and '.join(m.layers)}, "
        f"{counted(len(m.seeds), 'seed')} ({seeds}), engine {m.engine}"
    )


def conclusion(m: Measurement) -> list[str]:
    """What a reader should take along, in sentences."""
    lines = []
    blind = [row["defect"] for row in m.blind_spot_rows()]
    idle = [layer for layer in m.layers if not m.counts(layer)[1]]
    if blind:
        who = "No layer sees" if len(m.layers) > 1 else f"The {m.layers[0]} layer does not see"
        what = "a blind spot" if len(blind) == 1 else "blind spots"
        lines.append(f"{who} {_listed(blind, 40)}: {what} of these tests.")
    elif m.defects and idle:
        lines.append(f"The {' and the '.join(idle)} layer measured nothing, so nobody can say what no layer sees.")
    elif m.defects and m.counts()[0] == m.counts()[1]:
        lines.append("Every defect that was measured is caught by some layer.")
    if idle_tasks := m.tasks_of_no_use():
        lines.append(f"Failing at every seed without any defect, so they notice nothing: {_listed(idle_tasks)}.")
    if vacuous := m.vacuous():
        lines.append(f"The suite is vacuous for {_listed(vacuous)}: a stub that does nothing passes.")
    return [harmless(line) for line in lines]


def tables_for_reading(m: Measurement) -> list[Table]:
    """The tables of the report, in its order; one that has nothing to say is left out."""
    made = [_catch_rates(m), _defects(m), _success(m), _clean_runs(m), _overlap(m), _paired(m), _cost(m), _left_out(m)]
    return [one for one in made if one.rows]


def tables_for_programs(m: Measurement) -> dict[str, DataFrame]:
    """The DataFrames of a measurement, by name; cells that hold lists are joined with spaces."""
    frames = {
        "catch_rates": m.catch_rates(),
        "verdicts": m.verdict_table(),
        "success": m.success(),
        "bands": m.bands(),
        "overlap": m.overlap(),
        "blind_spots": m.blind_spots(),
        "paired": m.paired(),
        "cost": m.cost(),
        "left_out": m.left_out_table(),
    }
    return {
        name: frame.map(lambda cell: " ".join(map(str, cell)) if isinstance(cell, list) else cell)
        for name, frame in frames.items()
    }


def share(k: int, n: int) -> str:
    """A share with its k/n; `n/a` where nothing was measured.

    >>> share(7, 11), share(0, 0)
    ('7/11  0.6364', 'n/a')
    """
    return f"{k}/{n}  {k / n:.4f}" if n else NA


def _catch_rates(m: Measurement) -> Table:
    columns = ("class", *m.layers, *(["any layer"] if len(m.layers) > 1 else []))
    layers = (*m.layers, *([None] if len(m.layers) > 1 else []))
    rows = [(class_, *(share(*m.counts(layer, class_)) for layer in layers)) for class_ in (*CLASSES, TOTAL)]
    note = "defects caught of those measured"
    return table("Catch rate by class and layer", note, columns, rows if m.defects else [])


def _defects(m: Measurement) -> Table:
    verdicts = {(verdict.defect, verdict.layer): verdict.verdict for verdict in m.verdicts}
    rows = [(d.id, d.tool, d.class_, d.description, *(verdicts[d.id, layer] for layer in m.layers)) for d in m.defects]
    columns = ("defect", "tool", "class", "what", *(f"{layer} layer" for layer in m.layers))
    return table("Defect by layer", "explain one with `python -m toolbench show SCENARIO ID`", columns, rows)


def _success(m: Measurement) -> Table:
    by_table: dict[str, list[Mapping[str, Any]]] = {}
    for row in m.success_rows():
        by_table.setdefault(row["table"], []).append(row)
    if len(m.seeds) <= WIDE:
        columns = ("table", *(f"seed {seed}" for seed in m.seeds.values), "failing tasks by seed")
        rows = [
            (name, *(share(r["succeeded"], r["tasks"]) for r in runs), " | ".join(_listed(r["failing"]) for r in runs))
            for name, runs in by_table.items()
        ]
    else:
        columns = ("table", "mean", "lowest seed", "highest seed", "failing tasks per seed")
        rows = [(name, *_over_seeds(runs)) for name, runs in by_table.items()]
    note = "tasks solved by the seeded agent; `none` is the defect-free table"
    return table("Success by table and seed", note, columns, rows)


def _over_seeds(runs: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    counts, number = [run["succeeded"] for run in runs], runs[0]["tasks"]
    fewest, most = number - max(counts), number - min(counts)
    return (
        share(sum(counts), number * len(runs)),
        share(min(counts), number),
        share(max(counts), number),
        str(fewest) if fewest == most else f"{fewest} to {most}",
    )


def _clean_runs(m: Measurement) -> Table:
    rows: list[tuple[Any, ...]] = []
    for number, run in enumerate(m.suite if "tool" in m.layers else (), 1):
        failing = [row["case"] for row in run.rows if not row["passed"]]
        rows.append(("tool", f"run {number}", f"{len(failing)} of {len(run.rows)} cases", _listed(failing), ""))
    clean = [row for row in m.success_rows() if row["table"] == NONE]
    for row in clean[:2]:
        count = f"{len(row['failing'])} of {row['tasks']} tasks"
        rows.append(("loop", f"seed {row['seed']}", count, _listed(row["failing"]), ""))
    for band in m.band_rows():
        runs = f"band of {band['runs']}"
        rows.append((band["layer"], runs, f"{band['fewest']} to {band['most']} {band['unit']}s", "", band["band"]))
    order = {layer: i for i, layer in enumerate(m.layers)}
    rows.sort(key=lambda row: order[row[0]])
    note = "how far two runs without any defect differ; what lies inside the band is not a finding"
    return table("Defect-free runs", note, ("layer", "run", "fail", "which", "band"), rows)


def _overlap(m: Measurement) -> Table:
    rows = [(row["label"], len(row["defects"]), _listed(row["defects"], 40)) for row in m.overlap_rows()]
    note = "which layers caught which defects"
    return table("Overlap", note, ("caught by", "number", "defects"), rows if m.defects else [])


def _paired(m: Measurement) -> Table:
    rows = [(row["defect"], *_times(row["newly_failing"]), *_times(row["newly_passing"])) for row in m.newly()]
    columns = ("defect", "newly failing", "tasks (times)", "newly passing", "tasks (times)")
    note = f"against the defect-free run at the same seed, over {counted(len(m.seeds), 'seed')}"
    return table("Paired view", note, columns, rows)


def _times(times: Mapping[str, int]) -> tuple[str, str]:
    listed = [f"{task} ({times[task]})" if times[task] > 1 else task for task in sorted(times)]
    return str(sum(times.values())), _listed(listed)


def _cost(m: Measurement) -> Table:
    rows = [(row["layer"], *(_number(row[key]) for key in COSTS)) for row in m.cost_rows()]
    note = "all tables but stubs: cases or episodes, calls, steps and tokens; how many hung or ended their process"
    return table("Cost", note, ("layer", *COSTS), rows)


def _left_out(m: Measurement) -> Table:
    rows = [(left.what, left.count, left.reason) for left in m.left_out]
    return table("Left out", f"what is {NOT_MEASURED}, and why", ("what", "number", "reason"), rows)


def _number(value: int | None) -> str:
    return NA if value is None else f"{value:,}"


def _listed(names: Iterable[str], most: int = LISTED) -> str:
    """Names with spaces between them, cut after `most`; a dash for none."""
    shown = list(names)
    more = f" and {len(shown) - most} more" if len(shown) > most else ""
    return (" ".join(shown[:most]) + more) or "-"
