"""The tables of a report: for readers as text cells, for programs as DataFrames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from toolbench.counting import counted
from toolbench.mutation.defect import NONE
from toolbench.mutation.operator import CLASSES, TOTAL
from toolbench.report.cells import Table, listed, number, share, table
from toolbench.report.loop_tables import newly, on_rules, over_all_seeds, rules, success
from toolbench.rules import NOT_MEASURED
from toolbench.values import canonical, harmless

if TYPE_CHECKING:
    from pandas import DataFrame

    from toolbench.measurement import Measurement

COSTS = ("runs", "calls", "steps", "tokens", "timeouts", "died")


def headline(m: Measurement) -> str:
    """What was measured, in a line."""
    seeds = m.seeds.text if len(m.seeds.text) <= 60 else f"{m.seeds.text[:60]}…"
    return harmless(
        f"{m.scenario.name}: {counted(len(m.defects), 'defect')}, layers {_and(m.layers)}, "
        f"{counted(len(m.seeds), 'seed')} ({seeds}), rule {m.rule}, engine {m.engine}"
    )


def _and(names: Sequence[str]) -> str:
    """Names in a row, the last behind an "and"."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def conclusion(m: Measurement) -> list[str]:
    """What a reader should take along, in sentences."""
    lines = on_rules(m)
    blind = [row["defect"] for row in m.blind_spot_rows()]
    idle = [layer for layer in m.layers if not m.counts(layer)[1]]
    if blind:
        who = "No layer sees" if len(m.layers) > 1 else f"The {m.layers[0]} layer does not see"
        what = "a blind spot" if len(blind) == 1 else "blind spots"
        lines.append(f"{who} {listed(blind, 40)}: {what} of these tests.")
    elif m.defects and idle:
        lines.append(f"The {' and the '.join(idle)} layer measured nothing, so nobody can say what no layer sees.")
    elif m.defects and m.counts()[0] == m.counts()[1]:
        lines.append("Every defect that was measured is caught by some layer.")
    if idle_tasks := m.tasks_of_no_use():
        lines.append(f"Failing at every seed without any defect, so they notice nothing: {listed(idle_tasks)}.")
    if vacuous := m.vacuous():
        lines.append(f"The suite is vacuous for {listed(vacuous)}: a stub that does nothing passes.")
    return [harmless(line) for line in lines]


def tables_for_reading(m: Measurement) -> list[Table]:
    """The tables of the report, in its order; one that has nothing to say is left out."""
    made = [_catch_rates(m), _defects(m), success(m), _clean_runs(m), _overlap(m), newly(m), rules(m)]
    made += [over_all_seeds(m), _cost(m), _left_out(m)]
    return [one for one in made if one.rows]


def tables_for_programs(m: Measurement) -> dict[str, DataFrame]:
    """The DataFrames of a measurement, by name; cells that hold lists are joined with spaces."""
    findings = m.findings()
    findings["input"] = [None if given is None else canonical(given) for given in findings["input"]]
    frames = {
        "catch_rates": m.catch_rates(),
        "verdicts": m.verdict_table(),
        "success": m.success(),
        "bands": m.bands(),
        "findings": findings,
        "overlap": m.overlap(),
        "blind_spots": m.blind_spots(),
        "paired": m.paired(),
        "rules": m.rules(),
        "exact": m.exact(),
        "exact_runs": m.exact_runs(),
        "growth": m.growth(),
        "reliability": m.reliability(),
        "cost": m.cost(),
        "left_out": m.left_out_table(),
    }
    return {name: frame.map(_joined) for name, frame in frames.items()}


def _joined(cell: Any) -> Any:
    if isinstance(cell, dict):
        return " ".join(f"{key}:{value}" for key, value in cell.items())
    return " ".join(map(str, cell)) if isinstance(cell, list) else cell


def _catch_rates(m: Measurement) -> Table:
    columns = ("class", *m.layers, *(["any layer"] if len(m.layers) > 1 else []))
    layers = (*m.layers, *([None] if len(m.layers) > 1 else []))
    rows = [(class_, *(share(*m.counts(layer, class_)) for layer in layers)) for class_ in (*CLASSES, TOTAL)]
    note = "defects caught of those measured"
    return table("Catch rate by class and layer", note, columns, rows if m.defects else [])


def _defects(m: Measurement) -> Table:
    rows = [
        (d.id, d.tool, d.class_, d.description, *(m.explain(d.id, layer).verdict for layer in m.layers))
        for d in m.defects
    ]
    columns = ("defect", "tool", "class", "what", *(f"{layer} layer" for layer in m.layers))
    return table("Defect by layer", "explain one with `python -m toolbench show SCENARIO ID`", columns, rows)


def _clean_runs(m: Measurement) -> Table:
    rows: list[tuple[Any, ...]] = []
    for index, run in enumerate(m.suite if "tool" in m.layers else (), 1):
        failing = [row["case"] for row in run.rows if not row["passed"]]
        rows.append(("tool", f"run {index}", f"{len(failing)} of {len(run.rows)} cases", listed(failing), ""))
    if "definition" in m.layers:
        counting = [finding for finding in m.checks[NONE].findings if finding.counts]
        which = listed(dict.fromkeys(f"{finding.tool}:{finding.code}" for finding in counting))
        rows.append(("definition", "check", f"{counted(len(counting), 'finding')} from warning up", which, ""))
    clean = [row for row in m.success_rows() if row["table"] == NONE and row["seed"] is not None]
    for row in clean[:2]:
        count = f"{len(row['failing'])} of {row['tasks']} tasks"
        rows.append(("loop", f"seed {row['seed']}", count, listed(row["failing"]), ""))
    for band in m.band_rows():
        runs = f"band of {band['runs']}"
        rows.append((band["layer"], runs, f"{band['fewest']} to {band['most']} {band['unit']}s", "", band["band"]))
    order = {layer: i for i, layer in enumerate(m.layers)}
    rows.sort(key=lambda row: order[row[0]])
    note = "how far two runs without any defect differ; what lies inside the band is not a finding"
    return table("Defect-free runs", note, ("layer", "run", "fail", "which", "band"), rows)


def _overlap(m: Measurement) -> Table:
    rows = [(row["label"], len(row["defects"]), listed(row["defects"], 40)) for row in m.overlap_rows()]
    note = "which layers caught which defects"
    return table("Overlap", note, ("caught by", "number", "defects"), rows if m.defects else [])


def _cost(m: Measurement) -> Table:
    rows = [(row["layer"], *(number(row[key]) for key in COSTS)) for row in m.cost_rows()]
    note = "all tables but stubs: cases or episodes, calls, steps and tokens; how many hung or ended their process"
    return table("Cost", note, ("layer", *COSTS), rows)


def _left_out(m: Measurement) -> Table:
    rows = [(left.what, left.count, left.reason) for left in m.left_out]
    return table("Left out", f"what is {NOT_MEASURED}, and why", ("what", "number", "reason"), rows)
