"""Playing the loop over many seeds: machines first, then chunk by chunk, as lanes or by the walk.

What comes of it depends on the scenario and the seeds alone, not on how the work was cut or where it was done.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from toolbench.agent.lanes import Track
from toolbench.agent.machine import Machine, check_agent, shared
from toolbench.chunks import CHUNK, Chunk, Part, Result, chunks, grown, result, run, tracks
from toolbench.commission import why_none
from toolbench.episodes import Episodes, by_lanes, by_rows
from toolbench.errors import CannotCompile, table_changed
from toolbench.execution.work import Executor, Observation, Work
from toolbench.layers.all import LAYERS
from toolbench.loop import KNOWN, Loop
from toolbench.mutation.defect import NONE
from toolbench.mutation.operator import Landing
from toolbench.scenario import Scenario
from toolbench.seeds import Seeds

WALKED = 256  # seeds of a chunk in which some table is walked
INLINE = 1 << 21  # episodes that are quicker run than handed to another process
AHEAD = 2  # chunks that wait for each process

Heard = Callable[[int, int], object]
Waiting = TypeVar("Waiting")


@dataclass(frozen=True)
class Played:
    """What was played; landings: table -> whether its defect found what it changes; finished: seeds, of those asked
    for (fewer where Ctrl-C came between)."""

    loop: Loop
    landings: Mapping[str, Landing]
    finished: int


def play(
    scenario: Scenario,
    seeds: Seeds,
    tables: Sequence[str],
    executor: Executor,
    building: Iterable[Future[Observation]],
    *,
    engine: str,
    per_seed: bool,
    heard: Heard | None = None,
) -> Played:
    """Play every task at every seed over these tables, the defect-free one (`none`) first.

    building: what `toolbench.commission.build` gave for them.
    Raises KeyboardInterrupt when Ctrl-C comes before anything was finished.
    """
    landings: dict[str, Landing] = {name: Landing() for name in tables}
    machines, walked = _machines(scenario, tables, building, engine, landings)
    keep = per_seed or len(seeds) <= KNOWN
    so_far: tuple[tuple[Part, ...], tuple[Mapping[str, Episodes], ...]] = ((), ())
    try:
        for came in _results(_Round(scenario, seeds, tables, machines, executor, landings, keep)):
            growth, kept = so_far
            for part in came.parts:
                growth = grown(growth, part)
            so_far = growth, (*kept, came.episodes)  # both at once: Ctrl-C may come between any two steps
            if heard is not None:
                heard(growth[-1].end, len(seeds))
    except KeyboardInterrupt:
        if not so_far[0]:
            raise
    growth, kept = so_far
    loop = Loop(
        tasks=tuple(task.id for task in scenario.tasks),
        growth=growth,
        episodes={table: _joined([episodes[table] for episodes in kept]) for table in kept[0]},
        machines=machines,
        walked=walked,
        agent=check_agent(scenario.agent) if machines else None,
    )
    return Played(loop, landings, loop.all.end)


# --- machines -----------------------------------------------------------------------------------------------------


def _machines(
    scenario: Scenario,
    tables: Sequence[str],
    building: Iterable[Future[Observation]],
    engine: str,
    landings: dict[str, Landing],
) -> tuple[dict[str, list[Machine]], dict[str, str]]:
    """Table -> its machines, and table -> why it has none."""
    if why := why_none(scenario, engine):
        return {}, dict.fromkeys(tables, why)
    agent = check_agent(scenario.agent)
    made: dict[str, list[Machine]] = {}
    walked: dict[str, str] = {}
    for future in building:
        for row in future.result().rows:
            if row["changed"]:
                raise table_changed(scenario.name, row["changed"])
            name, clean = row["table"], made.get(NONE, ())
            landings[name].add(row["hits"], row["missed"])
            if row["machines"] is None:
                walked[name] = row["why"]
            elif name not in made:
                made[name] = [
                    clean[number] if facts is None else Machine.from_facts(facts)
                    for number, facts in enumerate(row["machines"])
                ]
    for name, several in list(made.items()):
        try:
            for machine in several:
                _ = Track(machine, agent).states
        except CannotCompile as problem:
            walked[name] = str(problem)
            del made[name]
    if NONE not in made:  # pairs need the defect-free episodes at hand
        return {}, {name: walked.get(name, walked[NONE]) for name in tables}
    ordered = {name: made[name] for name in tables if name in made}
    return ordered, {name: walked[name] for name in tables if name in walked}


# --- episodes -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Round:
    """What has to be played, where, and what is written down of it on the way. keep: what each seed gave is wanted."""

    scenario: Scenario
    seeds: Seeds
    tables: Sequence[str]
    machines: Mapping[str, Sequence[Machine]]
    executor: Executor
    landings: Mapping[str, Landing]
    keep: bool

    def tracks(self) -> dict[str, list[Track]]:
        return tracks(self.machines, check_agent(self.scenario.agent)) if self.machines else {}


def _results(it: _Round) -> Iterator[Result]:
    """What comes of each chunk, in the order of the seeds."""
    if len(it.machines) < len(it.tables):
        yield from _with_the_walk(it)
        return
    if len(it.seeds) * len(it.scenario.tasks) * len(it.tables) <= INLINE:
        ready = it.tracks()
        for chunk in chunks(it.seeds, keep=it.keep):
            yield run(chunk, ready, NONE)
        return
    given = shared(it.machines)
    size = min(CHUNK, max(1024, -(-len(it.seeds) // (4 * it.executor.width))))

    def submit(chunk: Chunk) -> Future[Observation]:
        return it.executor.submit(Work(NONE, "lanes", [chunk.facts()], given=given, patient=True))

    for _, future in _ahead(chunks(it.seeds, keep=it.keep, size=size), submit, AHEAD * it.executor.width):
        yield Result.from_facts(future.result().rows[0])


def _with_the_walk(it: _Round) -> Iterator[Result]:
    """Chunks in which the tables without machines are walked; the others run as lanes here."""
    layer, tasks = LAYERS["loop"], [task.id for task in it.scenario.tasks]
    walked = [name for name in it.tables if name not in it.machines]
    ready = it.tracks()

    def submit(chunk: Chunk) -> list[Future[Observation]]:
        units = layer.units(it.scenario, Seeds("", [int(seed) for seed in chunk.seeds]))
        return [it.executor.submit(Work(name, "loop", units)) for name in walked]

    ahead = max(1, AHEAD * it.executor.width // len(walked))
    for chunk, futures in _ahead(chunks(it.seeds, keep=it.keep, size=WALKED), submit, ahead):
        episodes: dict[str, Episodes] = {}
        for name, future in zip(walked, futures, strict=True):
            observation = future.result()
            it.landings[name].add(observation.hits, observation.missed)
            episodes[name] = by_rows(observation.rows, chunk.seeds, tasks)
        known: dict[int, Any] = {}
        for name, several in ready.items():
            episodes[name] = by_lanes(several, chunk.seeds, known, per_seed=True)
        yield result(chunk, {name: episodes[name] for name in it.tables}, NONE)


def _ahead(every: Iterator[Chunk], submit: Callable[[Chunk], Waiting], most: int) -> Iterator[tuple[Chunk, Waiting]]:
    """Submit chunks, some ahead of the one whose result is wanted next."""
    waiting: deque[tuple[Chunk, Waiting]] = deque()
    for chunk in every:
        waiting.append((chunk, submit(chunk)))
        if len(waiting) > most:
            yield waiting.popleft()
    while waiting:
        yield waiting.popleft()


def _joined(parts: Sequence[Episodes]) -> Episodes:
    import numpy

    if len(parts) == 1:
        return parts[0]
    return Episodes(
        numpy.concatenate([part.seeds for part in parts]),
        numpy.concatenate([part.failing for part in parts]),
        {name: numpy.concatenate([part.costs[name] for part in parts]) for name in parts[0].costs},
        [row for part in parts for row in part.ended],
    )
