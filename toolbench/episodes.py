"""The episodes of one table at some seeds, as arrays: run as lanes, or put together from the rows of the walk."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolbench.agent.lanes import Track
from toolbench.agent.replay import replay
from toolbench.outcome import DIED, OK, TIMEOUT
from toolbench.values import harmless

Array = NDArray[Any]
COSTS = ("steps", "calls", "tokens", "errors", "approvals", "done", "timeouts", "died", "broken")
BY_CLASS = COSTS[:6]
KINDS = {TIMEOUT: "timeouts", DIED: "died"}
MOST_ENDED = 50


@dataclass(frozen=True, eq=False)
class Episodes:
    """The episodes of one table at some seeds, as arrays.

    failing: seeds x tasks, true where a task fails. costs: by name (`COSTS`), one number per seed, summed over tasks;
    or one in all, where nobody asked for more. ended: rows of episodes that did not come to an end, {task, seed, kind,
    why}, at most the first `MOST_ENDED`; the cost `broken` is how many there are.
    """

    seeds: Array
    failing: Array
    costs: Mapping[str, Array]
    ended: Sequence[Mapping[str, Any]] = ()

    def at(self, span: slice) -> Episodes:
        """The episodes of some of the seeds, where costs are known seed by seed."""
        seeds = self.seeds[span]
        inside = set(map(int, seeds)) if self.ended else set()
        ended = [row for row in self.ended if row["seed"] in inside]
        return Episodes(seeds, self.failing[span], {name: array[span] for name, array in self.costs.items()}, ended)

    def facts(self) -> dict[str, Any]:
        """The episodes as plain values."""
        return {
            "seeds": packed(self.seeds),
            "tasks": self.failing.shape[1],
            "failing": packed(np.packbits(self.failing, axis=1)),
            "costs": {name: packed(array) for name, array in self.costs.items()},
            "ended": list(self.ended),
        }

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Episodes:
        """The episodes that `facts` were taken from."""
        failing = np.unpackbits(unpacked(facts["failing"]), axis=1, count=facts["tasks"]).astype(bool)
        costs = {name: unpacked(array) for name, array in facts["costs"].items()}
        return cls(unpacked(facts["seeds"]), failing, costs, facts["ended"])


def packed(array: Array) -> list[Any]:
    """An array as plain values."""
    return [array.dtype.str, list(array.shape), b64encode(np.ascontiguousarray(array).tobytes()).decode()]


def unpacked(facts: Sequence[Any]) -> Array:
    """The array that `packed` was given."""
    kind, shape, text = facts
    return np.frombuffer(b64decode(text), np.dtype(kind)).reshape(shape)


def by_lanes(tracks: Sequence[Track], seeds: Array, known: dict[int, Array], *, per_seed: bool) -> Episodes:
    """Run all tasks of a table at these seeds. known: the classes that a machine's lanes ended in at the same seeds, by
    the machine's id; tables share machines, and what is shared is run once."""
    failing = np.empty((len(tracks), len(seeds)), bool)
    costs = {name: np.zeros(len(seeds) if per_seed else 1, np.int64) for name in COSTS}
    ended: list[tuple[int, int, Mapping[str, Any]]] = []
    for number, track in enumerate(tracks):
        classes = known.get(id(track.machine))
        if classes is None:
            classes = known[id(track.machine)] = track.classes(seeds)
        np.logical_not(track.succeeded).take(classes, out=failing[number])
        times = None if per_seed else np.bincount(classes, minlength=len(track.succeeded))
        for name in BY_CLASS:
            by_class = getattr(track, name)
            costs[name] += by_class.take(classes) if times is None else times @ by_class
        if track.machine.ends:
            outside = track.end.take(classes)
            costs["broken"] += (outside >= 0) if per_seed else np.count_nonzero(outside >= 0)
            for end, (kind, why) in enumerate(track.machine.ends):
                at = np.flatnonzero(outside == end)
                if kind in KINDS:
                    costs[KINDS[kind]] += (outside == end) if per_seed else len(at)
                ended += [
                    (int(i), number, _ended(track.machine.task, int(seeds[i]), kind, why)) for i in at[:MOST_ENDED]
                ]
    first = [row for _, _, row in sorted(ended, key=lambda one: one[:2])[:MOST_ENDED]]
    return Episodes(seeds, failing.T, costs, first)


def by_replay(tracks: Sequence[Track], seeds: Array) -> Episodes:
    """As `by_lanes`, one episode after the other: quicker where seeds are so few that arrays do not pay."""
    rows = []
    for seed in map(int, seeds):
        for track in tracks:
            played = replay(track.machine, track.agent, seed)
            if played.end is None:
                facts = {name: getattr(played.episode, name) for name in ("steps", "tokens", "errors", "approvals")}
                kind, why = OK, ""
            else:
                facts = dict.fromkeys(BY_CLASS, 0)
                kind, why = played.end
            episode = played.episode
            done = episode.done and kind == OK
            calls = len(episode.trace) if kind == OK else 0
            rows.append({"succeeded": episode.succeeded, **facts, "calls": calls, "done": done, "kind": kind,
                         **_ended(track.machine.task, seed, kind, why)})  # fmt: skip
    return by_rows(rows, seeds, [track.machine.task for track in tracks])


def by_rows(rows: Iterable[Mapping[str, Any]], seeds: Array, tasks: Sequence[str]) -> Episodes:
    """What the loop layer saw of a table at these seeds: a row for each seed and task, seed by seed."""
    every = list(rows)
    shape = len(seeds), len(tasks)
    failing = np.array([not row["succeeded"] for row in every], bool).reshape(shape)
    columns = {name: [row[name] for row in every] for name in BY_CLASS}
    columns |= {name: [row["kind"] == kind for row in every] for kind, name in KINDS.items()}
    columns["broken"] = [row["kind"] != OK for row in every]
    costs = {name: np.array(column, np.int64).reshape(shape).sum(axis=1) for name, column in columns.items()}
    ended = [{key: row[key] for key in ("task", "seed", "kind", "why")} for row in every if row["kind"] != OK]
    return Episodes(seeds, failing, costs, ended[:MOST_ENDED])


def _ended(task: str, seed: int, kind: str, why: str) -> Mapping[str, Any]:
    return {"task": task, "seed": seed, "kind": kind, "why": harmless(f"{kind}: {why}")}
