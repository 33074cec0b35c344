"""Measuring: defects x layers -> verdicts, by the rules of honest measurement.

The defect-free table is measured first, its suite twice; if it fails, nothing else is. A stub of every tool
must be caught by the suite. What cannot be measured is counted and named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from toolbench.errors import CleanRunFails, ScenarioError, UsageError, unknown
from toolbench.execution.pool import Observation, Pool, Work
from toolbench.layers.all import LAYERS
from toolbench.loading import load_defects, load_scenario
from toolbench.measurement import Measurement
from toolbench.mutation.catalogue import check_arguments
from toolbench.mutation.defect import NONE, Defect, Planted
from toolbench.mutation.engine import STUB, Tables
from toolbench.mutation.operator import Landing
from toolbench.rules import (
    ANY_FAILURE,
    BAND,
    MISSED,
    NOT_MEASURED,
    Judgement,
    any_failure,
    band,
    counted,
    ended_episodes,
)
from toolbench.scenario import Scenario
from toolbench.seeds import Seeds, read_seeds
from toolbench.verdict import LeftOut, Verdict

RULES = {"tool": ANY_FAILURE, "loop": BAND}


def measure(
    scenario: Scenario | str | Path,
    seeds: int | str | Iterable[int] = 2,
    *,
    layers: Iterable[str] | None = None,
    defects: Iterable[str | Defect] | None = None,
    catalogue: str | Path | None = None,
    deadline: float | None = None,
    jobs: int | None = None,
) -> Measurement:
    """Plant defects in copies of a scenario's table, let layers observe every copy, and judge.

    scenario: a Scenario, or what `load_scenario` takes. seeds: a number, a text as on the command line, or
    seeds. layers: names, all by default. defects: ids of the catalogue, or Defects; the whole catalogue by
    default. catalogue: another file. deadline: seconds for one case or episode. jobs: the most workers.
    Raises a ToolbenchError that says what is wrong: of kind CleanRunFails when the defect-free table fails
    its own suite.

    >>> measure("metering", seeds=2).blind_spots()["defect"].tolist()
    ['D9', 'D11']
    """
    loaded = scenario if isinstance(scenario, Scenario) else load_scenario(scenario)
    chosen_seeds = read_seeds(seeds, loaded.base_seed)
    names = _chosen_layers(layers)
    known, chosen = _chosen_defects(loaded, defects, catalogue)
    if deadline is not None and not (isinstance(deadline, int | float) and 0 < deadline < float("inf")):
        raise UsageError(f"deadline {deadline!r}: it is a number of seconds above 0")
    if jobs is not None and not (isinstance(jobs, int) and jobs > 0):
        raise UsageError(f"jobs {jobs!r}: it is a whole number, 1 or more")
    tables = Tables(loaded, chosen)
    with Pool(tables, deadline=deadline, jobs=jobs) as pool:
        loaded.table.check()
        planted = {defect.id: tables.plant(defect.id) for defect in chosen}
        suite = _clean_suite(loaded, chosen_seeds, pool)
        seen = _observe(loaded, chosen_seeds, names, planted, suite, pool)
    _check_clean_loop(loaded, seen)
    verdicts = [_verdict(planted[defect.id], name, loaded, seen) for defect in chosen for name in names]
    return Measurement(
        scenario=loaded,
        seeds=chosen_seeds,
        layers=tuple(names),
        defects=chosen,
        equivalent=frozenset(name for name, it in planted.items() if it.equivalent),
        suite=tuple(suite),
        observed={key: tuple(observation.rows) for key, observation in seen.items()},
        verdicts=tuple(verdicts),
        left_out=_left_out(known, chosen, names, verdicts),
    )


def _chosen_layers(layers: Iterable[str] | None) -> list[str]:
    wanted = list(LAYERS) if layers is None else [layers] if isinstance(layers, str) else list(layers)
    for name in wanted:
        if name not in LAYERS:
            raise UsageError(unknown("layer", name, LAYERS))
    if not wanted:
        raise UsageError(f"no layer is chosen; known layers: {', '.join(LAYERS)}")
    return [name for name in LAYERS if name in wanted]


def _chosen_defects(
    scenario: Scenario, defects: Iterable[str | Defect] | None, catalogue: str | Path | None
) -> tuple[Sequence[Defect], tuple[Defect, ...]]:
    """The defects that are known, and those that were asked for: the catalogue's in its order, then one's own."""
    wanted = [defects] if isinstance(defects, str | Defect) else None if defects is None else list(defects)
    own = [defect for defect in wanted or () if isinstance(defect, Defect)]
    ids = [name for name in wanted or () if not isinstance(name, Defect)]
    known = () if own and not ids else load_defects(scenario, catalogue)
    for defect in own:
        check_arguments(defect)
    every = [*known, *own]
    names = [defect.id for defect in every]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"two defects have the id {twice!r}; an id is unique")
    for name in ids:
        if name not in names:
            raise UsageError(unknown("defect", name, names))
    return every, tuple(every if wanted is None else [one for one in every if one in own or one.id in ids])


def _clean_suite(scenario: Scenario, seeds: Seeds, pool: Pool) -> list[Observation]:
    """The defect-free table's own suite, run twice in one process; CleanRunFails unless all pass both times."""
    units = LAYERS["tool"].units(scenario, seeds)
    if not units:
        return []
    (both,) = pool.run([Work(NONE, "tool", [*units, *units], whole=True)])
    runs = [Observation(both.rows[: len(units)]), Observation(both.rows[len(units) :])]
    failing: dict[str, list[str]] = {}
    for row in both.rows:
        if not row["passed"]:
            failing.setdefault(row["case"], []).append(row["why"])
    if failing:
        told = [f"  {case}: {whys[0]}{' (in one of two runs)' * (len(whys) == 1)}" for case, whys in failing.items()]
        listed = "\n".join(told[:20])
        more = f"\n  and {len(failing) - 20} more" if len(failing) > 20 else ""
        raise CleanRunFails(
            f"{scenario.name}: the defect-free table fails {len(failing)} of its own {counted(len(units), 'case')}, "
            f"so no rate would mean anything; put the tools or the expectations right:\n{listed}{more}"
        )
    return runs


def _check_clean_loop(scenario: Scenario, seen: Mapping[tuple[str, str], Observation]) -> None:
    """ScenarioError when a defect-free episode hung, died, or had an agent that crashed: a loop of no use."""
    if (NONE, "loop") in seen and (ended := ended_episodes(seen[NONE, "loop"].rows)):
        first = ended[0]
        raise ScenarioError(
            f"{scenario.name}: without any defect, {counted(len(ended), 'episode')} did not come to an end; "
            f"the first is task {first['task']} at seed {first['seed']}: {first['why']}"
        )


def _observe(
    scenario: Scenario,
    seeds: Seeds,
    names: Sequence[str],
    planted: Mapping[str, Planted],
    suite: Sequence[Observation],
    pool: Pool,
) -> dict[tuple[str, str], Observation]:
    """What every layer saw of every table, by (table, layer); of the defect-free table the suite is known."""
    works = []
    copies = [name for name, it in planted.items() if it.table is not None and not it.equivalent]
    for name in names:
        if LAYERS[name].lack(scenario) is None:
            units = LAYERS[name].units(scenario, seeds)
            works += [Work(table, name, units) for table in ([] if name == "tool" else [NONE]) + copies]
    if scenario.cases:
        units = LAYERS["tool"].units(scenario, seeds)
        works += [Work(STUB + tool, "tool", units) for tool in scenario.table]
    observations = pool.run(works)
    seen = {(work.table, work.layer): it for work, it in zip(works, observations, strict=True)}
    return {(NONE, "tool"): suite[0], **seen} if suite and "tool" in names else seen


def _verdict(planted: Planted, layer: str, scenario: Scenario, seen: dict[tuple[str, str], Observation]) -> Verdict:
    defect = planted.defect
    judged = _judged(planted, layer, scenario, seen)
    if judged.verdict == MISSED and layer == "tool" and defect.class_ == "definition":
        judged = replace(judged, reason=f"{judged.reason}; a direct call never looks at the declaration")
    return Verdict(defect.id, layer, RULES[layer], judged.verdict, judged.reason, judged.evidence)


def _judged(planted: Planted, layer: str, scenario: Scenario, seen: dict[tuple[str, str], Observation]) -> Judgement:
    if planted.table is None:
        return Judgement(NOT_MEASURED, f"could not be applied: {planted.reason}")
    if planted.equivalent:
        return Judgement(NOT_MEASURED, "equivalent: the same code and the same declaration as the original")
    lack = LAYERS[layer].lack(scenario)
    if lack is not None:
        return Judgement(NOT_MEASURED, lack)
    observation, clean = seen[planted.defect.id, layer], seen[NONE, layer]
    everywhere = [it for (table, _), it in seen.items() if table == planted.defect.id]
    missed = next((it.missed for it in everywhere if it.missed), "")
    if (reason := Landing(sum(it.hits for it in everywhere), missed).reason()) is not None:
        return Judgement(NOT_MEASURED, f"never took effect: {reason}")
    return any_failure(observation.rows) if RULES[layer] == ANY_FAILURE else band(observation.rows, clean.rows)


def _left_out(
    known: Sequence[Defect], chosen: Sequence[Defect], names: Sequence[str], verdicts: Sequence[Verdict]
) -> tuple[LeftOut, ...]:
    left = []
    if len(chosen) < len(known):
        names_left = ", ".join(defect.id for defect in known if defect not in chosen)
        left.append(LeftOut("defects", len(known) - len(chosen), f"not asked for: {names_left}"))
    if missing := [name for name in LAYERS if name not in names]:
        left.append(LeftOut("layers", len(missing), f"not asked for: {', '.join(missing)}"))
    reasons: dict[tuple[str, str], list[str]] = {}
    for verdict in verdicts:
        if verdict.verdict == NOT_MEASURED:
            reasons.setdefault((verdict.layer, verdict.reason), []).append(verdict.defect)
    for (layer, reason), ids in reasons.items():
        left.append(LeftOut(f"{layer} verdicts", len(ids), f"{', '.join(ids)}: {reason}"))
    return tuple(left)
