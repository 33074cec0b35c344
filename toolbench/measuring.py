"""Measuring: defects x layers -> verdicts, by the rules of honest measurement.

The defect-free table is measured first, its suite twice; if it fails, nothing else is. A stub of every tool
must be caught by the suite. What cannot be measured is counted and named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from toolbench.errors import CleanRunFails, TableChanged, UsageError, unknown
from toolbench.execution.pool import Observation, Pool, Work
from toolbench.layers.all import LAYERS
from toolbench.loading import load_defects, load_scenario
from toolbench.measurement import Measurement
from toolbench.mutation.catalogue import check_arguments
from toolbench.mutation.defect import NONE, Defect, Planted
from toolbench.mutation.engine import STUB, Tables, check_fit
from toolbench.rules import ANY_FAILURE, BAND, MISSED, NOT_MEASURED, Judgement, any_failure, band
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
    if deadline is not None and not 0 < deadline < float("inf"):
        raise UsageError(f"deadline {deadline!r}: it is a number of seconds above 0")
    if jobs is not None and jobs < 1:
        raise UsageError(f"jobs {jobs!r}: at least one worker is needed")
    tables = Tables(loaded, chosen)
    fingerprint = loaded.table.fingerprint()
    with Pool(tables, deadline=deadline, jobs=jobs) as pool:
        loaded.table.check()
        planted = check_fit(tables, [defect.id for defect in chosen])
        suite = _clean_suite(loaded, chosen_seeds, pool)
        seen = _observe(loaded, chosen_seeds, names, planted, pool)
    if loaded.table.fingerprint() != fingerprint:
        raise TableChanged(f"{loaded.name}: the original table was changed while it was measured")
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
    wanted = list(LAYERS) if layers is None else list(layers)
    for name in wanted:
        if name not in LAYERS:
            raise UsageError(unknown("layer", name, LAYERS))
    if not wanted:
        raise UsageError(f"no layer is chosen; known layers: {', '.join(LAYERS)}")
    return [name for name in LAYERS if name in wanted]


def _chosen_defects(
    scenario: Scenario, defects: Iterable[str | Defect] | None, catalogue: str | Path | None
) -> tuple[Sequence[Defect], tuple[Defect, ...]]:
    """The catalogue's defects, and those that were asked for, in the catalogue's order."""
    if defects is not None and not isinstance(defects, str):
        defects = list(defects)
        own = [defect for defect in defects if isinstance(defect, Defect)]
        if own and len(own) == len(defects):
            ids = [defect.id for defect in own]
            for defect in own:
                check_arguments(defect)
            if len(set(ids)) < len(ids):
                raise UsageError(f"two defects have one id among {', '.join(ids)}; an id is unique")
            return own, tuple(own)
    known = load_defects(scenario, catalogue)
    if defects is None:
        return known, known
    wanted = [defects] if isinstance(defects, str) else defects
    for name in wanted:
        if name not in [defect.id for defect in known]:
            raise UsageError(unknown("defect", name, [defect.id for defect in known]))
    return known, tuple(defect for defect in known if defect.id in wanted)


def _clean_suite(scenario: Scenario, seeds: Seeds, pool: Pool) -> list[Observation]:
    """The defect-free table's own suite, run twice; CleanRunFails unless every case passes both times."""
    units = LAYERS["tool"].units(scenario, seeds)
    runs = pool.run([Work(NONE, "tool", units), Work(NONE, "tool", units)]) if units else []
    failing = {row["case"]: row["why"] for run in runs for row in run.rows if not row["passed"]}
    if failing:
        listed = "\n".join(f"  {case}: {why}" for case, why in list(failing.items())[:20])
        more = f"\n  and {len(failing) - 20} more" if len(failing) > 20 else ""
        raise CleanRunFails(
            f"{scenario.name}: the defect-free table fails {len(failing)} of its own {len(units)} cases, "
            f"so no rate would mean anything; put the tools or the expectations right:\n{listed}{more}"
        )
    return runs


def _observe(
    scenario: Scenario, seeds: Seeds, names: Sequence[str], planted: dict[str, Planted], pool: Pool
) -> dict[tuple[str, str], Observation]:
    """What every layer saw of every table, by (table, layer)."""
    works = []
    copies = [name for name, it in planted.items() if it.table is not None and not it.equivalent]
    for name in names:
        if LAYERS[name].lack(scenario) is None:
            units = LAYERS[name].units(scenario, seeds)
            works += [Work(table, name, units) for table in (NONE, *copies)]
    if scenario.cases:
        units = LAYERS["tool"].units(scenario, seeds)
        works += [Work(STUB + tool, "tool", units) for tool in scenario.table]
    observations = pool.run(works)
    return {(work.table, work.layer): seen for work, seen in zip(works, observations, strict=True)}


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
    if observation.missed and not observation.hits:
        return Judgement(NOT_MEASURED, f"never took effect: {observation.missed}")
    return any_failure(observation.rows) if RULES[layer] == ANY_FAILURE else band(observation.rows, clean.rows)


def _left_out(
    known: Sequence[Defect], chosen: Sequence[Defect], names: Sequence[str], verdicts: Sequence[Verdict]
) -> tuple[LeftOut, ...]:
    left = []
    if len(chosen) < len(known):
        left.append(LeftOut("defects", len(known) - len(chosen), "not asked for"))
    if missing := [name for name in LAYERS if name not in names]:
        left.append(LeftOut("layers", len(missing), f"not asked for: {', '.join(missing)}"))
    reasons: dict[tuple[str, str], list[str]] = {}
    for verdict in verdicts:
        if verdict.verdict == NOT_MEASURED:
            reasons.setdefault((verdict.layer, verdict.reason), []).append(verdict.defect)
    for (layer, reason), ids in reasons.items():
        left.append(LeftOut(f"{layer} verdicts", len(ids), f"{', '.join(ids)}: {reason}"))
    return tuple(left)
