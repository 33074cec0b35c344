"""Measuring: defects x layers -> verdicts, by the rules of honest measurement.

The defect-free table is measured first, its suite twice; if it fails, nothing else is. A stub of every tool
must be caught by the suite. What cannot be measured is counted and named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from toolbench.agent.machine import WALK
from toolbench.commission import build
from toolbench.counting import counted
from toolbench.errors import CleanRunFails, ScenarioError, UsageError, unknown
from toolbench.execution.pool import Pool
from toolbench.execution.work import Executor, Observation, Work, observed
from toolbench.judging import Seen, left_out, verdicts
from toolbench.layers.all import LAYERS
from toolbench.leaving_out import not_asked_for, not_probed, stale, unconfirmed
from toolbench.loading import load_defects, load_scenario
from toolbench.measurement import Measurement
from toolbench.mutation.catalogue import check_arguments
from toolbench.mutation.defect import NONE, Defect, Planted
from toolbench.mutation.engine import STUB, Tables
from toolbench.mutation.operator import Landing
from toolbench.probing.checked import Checked
from toolbench.probing.tables import Checking
from toolbench.rules import ANY_FAILURE, BAND, LOOP_RULES, NEW_FINDING
from toolbench.scenario import Scenario
from toolbench.seeds import Seeds, read_seeds
from toolbench.tools import Tool

if TYPE_CHECKING:
    from toolbench.loop import Loop

ENGINES = ("auto", WALK)
EXECUTORS = ("processes", "dask")


def measure(
    scenario: Scenario | str | Path,
    seeds: int | str | Iterable[int] = 2,
    *,
    layers: Iterable[str] | None = None,
    defects: Iterable[str | Defect] | None = None,
    catalogue: str | Path | None = None,
    deadline: float | None = None,
    jobs: int | None = None,
    rule: str = BAND,
    engine: str = "auto",
    per_seed: bool = False,
    executor: str = "processes",
    scheduler: str | None = None,
    heard: Callable[[int, int], object] | None = None,
) -> Measurement:
    """Plant defects in copies of a scenario's table, let layers observe every copy, and judge.

    scenario: a Scenario, or what `load_scenario` takes. seeds: a number, a text as on the command line, or
    seeds. layers: names, all by default. defects: ids of the catalogue, or Defects; the whole catalogue by
    default. catalogue: another file. deadline: seconds for one case or episode. jobs: the most workers. rule: the
    rule for the loop (band, paired, exact) that rates, overlap and blind spots are made from; all of them judge.
    engine: `auto` plays episodes as lanes where it can, `walk` one by one. per_seed: keep what each seed gave, also
    beyond 1,000 of them. executor: `processes` here, or `dask` with the address of its scheduler. heard: is told how
    many seeds are done, and of how many. Ctrl-C ends the loop at the seeds that are done; `left_out` says so.
    Raises a ToolbenchError that says what is wrong: of kind CleanRunFails when the defect-free table fails
    its own suite.

    >>> measure("metering", seeds=2, layers=["tool", "loop"]).blind_spots()["defect"].tolist()
    ['D9', 'D11']
    >>> measure("metering", seeds=2).blind_spots()["defect"].tolist()
    []
    """
    loaded = scenario if isinstance(scenario, Scenario) else load_scenario(scenario)
    chosen_seeds = read_seeds(seeds, loaded.base_seed)
    names = _chosen_layers(layers)
    known, chosen = _chosen_defects(loaded, defects, catalogue)
    for kind, value, values in (
        ("rule", rule, LOOP_RULES),
        ("engine", engine, ENGINES),
        ("executor", executor, EXECUTORS),
    ):
        if value not in values:
            raise UsageError(unknown(kind, value, values))
    if deadline is not None and not (isinstance(deadline, int | float) and 0 < deadline < float("inf")):
        raise UsageError(f"deadline {deadline!r}: it is a number of seconds above 0")
    if jobs is not None and not (isinstance(jobs, int) and jobs > 0):
        raise UsageError(f"jobs {jobs!r}: it is a whole number, 1 or more")
    tables = Tables(loaded, chosen)
    limit = loaded.deadline if deadline is None else deadline
    beside = ThreadPoolExecutor(1, "toolbench checks")  # left last: what it waits for ends with the other one
    with beside, _executor(executor, tables, scheduler, limit, jobs) as pool:
        loaded.table.check()
        changed = stale(loaded)
        planted = [tables.plant(defect.id) for defect in chosen]
        with_loop = "loop" in names and LAYERS["loop"].lack(loaded) is None
        copies = [NONE, *_copies(planted)]
        building = build(loaded, copies, pool, engine=engine, deadline=limit) if with_loop else iter(())
        being_built = [*islice(building, 1)]  # the first beside the clean suite, the others beside the rest
        checking = Checking(loaded, _tools(loaded, planted), pool) if "definition" in names else None
        from toolbench.playing import play  # with numpy, which takes as long as the workers take to start

        suite = _clean_suite(loaded, chosen_seeds, pool)
        being_built += building
        checked = None if checking is None else beside.submit(checking.results)  # its rounds wait for each other
        suites = _suites(loaded, chosen_seeds, names, planted, suite, pool)
        landings = {name: Landing(seen.hits, seen.missed) for name, seen in suites.items()}
        played = None
        if with_loop:
            played = play(
                loaded,
                chosen_seeds,
                copies,
                pool,
                being_built,
                engine=engine,
                per_seed=per_seed,
                heard=heard,
            )
        checks: dict[str, Checked] = {} if checked is None else checked.result()
        for name, seen_by_probes in checks.items():
            landings.setdefault(name, Landing()).add(seen_by_probes.hits, seen_by_probes.missed)
        if played is not None:
            if played.finished < len(chosen_seeds):
                pool.shutdown(cancel_futures=True)  # Ctrl-C: what is still under way is not waited for
            _check_clean_loop(loaded, played.loop)
            for name, landing in played.landings.items():
                landings.setdefault(name, Landing()).add(landing.hits, landing.missed)
    finished = chosen_seeds if played is None else chosen_seeds.first(played.finished)
    loop = None if played is None else played.loop
    said = verdicts(loaded, planted, names, Seen(suites, checks, loop, landings))
    return Measurement(
        scenario=loaded,
        seeds=finished,
        layers=tuple(names),
        defects=chosen,
        equivalent=frozenset(it.defect.id for it in planted if it.equivalent),
        suite=tuple(suite),
        suites={name: tuple(seen.rows) for name, seen in suites.items()},
        checks=checks,
        loop=loop,
        verdicts=tuple(said),
        left_out=(
            *not_asked_for(known, chosen, names, chosen_seeds, finished),
            *unconfirmed(loaded),
            *changed,
            *left_out(said, {"tool": ANY_FAILURE, "definition": NEW_FINDING, "loop": rule}),
            *not_probed(checks),
        ),
        rule=rule,
    )


def _executor(kind: str, tables: Tables, scheduler: str | None, deadline: float, jobs: int | None) -> Executor:
    if kind == "dask":
        from toolbench.adapters.dask import DaskExecutor

        if scheduler is None:
            raise UsageError("executor dask: give the address of its scheduler, such as tcp://10.0.0.1:8786")
        if jobs is not None:
            raise UsageError(f"jobs {jobs}: the executor dask does as many as its workers have threads; leave it out")
        return DaskExecutor(tables, scheduler=scheduler, deadline=deadline)
    if scheduler is not None:
        raise UsageError(f"scheduler {scheduler}: only the executor dask has one")
    return Pool(tables, deadline=deadline, jobs=jobs)


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


def _clean_suite(scenario: Scenario, seeds: Seeds, pool: Executor) -> list[Observation]:
    """The defect-free table's own suite, run twice in one process; CleanRunFails unless all pass both times."""
    units = LAYERS["tool"].units(scenario, seeds)
    if not units:
        return []
    (both,) = observed(pool, [Work(NONE, "tool", [*units, *units], whole=True)])
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


def _check_clean_loop(scenario: Scenario, loop: Loop) -> None:
    """ScenarioError when a defect-free episode hung, died, or had an agent that crashed: a loop of no use."""
    clean = loop.all.tallies[NONE]
    if broken := clean.costs["broken"]:
        first = clean.ended[0]
        raise ScenarioError(
            f"{scenario.name}: without any defect, {counted(broken, 'episode')} did not come to an end; "
            f"the first is task {first['task']} at seed {first['seed']}: {first['why']}"
        )


def _copies(planted: Sequence[Planted]) -> list[str]:
    """The defects whose tables are worth observing."""
    return [it.defect.id for it in planted if it.table is not None and not it.equivalent]


def _tools(scenario: Scenario, planted: Sequence[Planted]) -> dict[str, list[Tool]]:
    """The tools to check of each table: all of the defect-free one, of the others the damaged one."""
    copies = _copies(planted)
    damaged = {it.defect.id: it.damaged for it in planted if it.defect.id in copies}
    changed = {name: [tool] for name, tool in damaged.items() if tool is not None}
    return {NONE: list(scenario.table.values()), **changed}


def _suites(
    scenario: Scenario,
    seeds: Seeds,
    names: Sequence[str],
    planted: Sequence[Planted],
    clean: Sequence[Observation],
    pool: Executor,
) -> dict[str, Observation]:
    """What the suite says of tables, by name: of each defect's if the tool layer was asked for, and of each stub."""
    if not scenario.suite:
        return {}
    units = LAYERS["tool"].units(scenario, seeds)
    tables = [*(_copies(planted) if "tool" in names else []), *(STUB + tool for tool in scenario.table)]
    seen = observed(pool, [Work(table, "tool", units) for table in tables])
    first = {NONE: clean[0]} if "tool" in names else {}
    return {**first, **dict(zip(tables, seen, strict=True))}
