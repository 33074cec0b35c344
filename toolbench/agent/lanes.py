"""Lanes: all seeds of a task side by side, as array look-ups in its machine. Identical to the walk, episode by episode.

A lane is one seed. Its state is one whole number: node, errors and approvals so far. The draws are those of
`toolbench.agent.draws`, on whole numbers: `u < p` is `x < below(p)`, and `floor(n * u)` is `n * x >> 32`, both exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolbench.agent.draws import FACTOR, MIX, SEEDS, STEP
from toolbench.agent.machine import Machine, below, chances
from toolbench.agent.replay import replay
from toolbench.agent.seeded import SeededAgent
from toolbench.agent.walk import Episode
from toolbench.errors import CannotCompile, UsageError
from toolbench.outcome import OK

Array = NDArray[Any]
BLOCK = 1 << 14  # lanes at a time: what they touch stays in the processor's cache
MOST_CLASSES = 1 << 22
LAST = np.uint32(2**32 - 1)
WINDOW = 4  # steps that lanes which have stopped are carried along at most
GONE = 0.25  # the share of stopped lanes from which it pays to leave them behind
HIGH = np.uint64(32)


@dataclass(frozen=True, eq=False)
class Track:
    """A machine with the probabilities of an agent: what lanes run on.

    A lane ends in a *class*, a whole number that says all of its episode: `class // states` is the stopping step
    (from 0), or the budget where the agent did not stop by itself; `class % states` is its last state. The arrays
    `steps`, `tokens`, `errors`, `approvals`, `done`, `succeeded`, `answer` and `end` are indexed by class: answer is
    an index of the machine's answers, end of its ends (-1 for an episode that came to its end).
    """

    machine: Machine
    agent: SeededAgent

    @cached_property
    def levels(self) -> tuple[int, int]:
        """How many counts of errors, and of approvals, are told apart."""
        asks = self.agent.approval and any(self.machine.asks)
        return self.agent.budget + 1, self.agent.budget + 1 if asks else 1

    @cached_property
    def states(self) -> int:
        errors, approvals = self.levels
        states = (len(self.machine) + len(self.machine.ends)) * errors * approvals
        if states * (self.agent.budget + 1) > MOST_CLASSES:
            ways = f"{len(self.machine)} states and a budget of {self.agent.budget} steps"
            raise CannotCompile(f"{ways} are too many ways for an episode to end")
        return states

    def _counted(self, following: Array, failed: Array, asked: Array) -> Array:
        """Transitions between nodes (node x action) as transitions between states."""
        errors, approvals = self.levels
        e = np.arange(errors)[:, None, None]
        a = np.arange(approvals)[:, None]
        more_errors = np.minimum(e + failed[:, None, None, :], errors - 1)
        more_approvals = np.minimum(a + asked[:, None, None, :], approvals - 1)
        to = (following[:, None, None, :] * errors + more_errors) * approvals + more_approvals
        return to.reshape(-1, following.shape[1])

    @cached_property
    def _tables(self) -> tuple[list[Array], Array, Array, Array | None]:
        """Where a right draw leads at each step of a window, where any other leads, the limits of a right draw, and
        the states that every draw is right for."""
        machine, nodes, tools = self.machine, len(self.machine), self.machine.tools
        outside = len(machine.ends)  # episodes ended from outside stay where they are
        following = np.array(machine.next, np.intp).reshape(nodes, -1)
        following[following < 0] = nodes - 1 - following[following < 0]
        failed = np.array(machine.failed, np.intp).reshape(nodes, -1)
        asked = np.zeros_like(failed)
        if self.levels[1] > 1:
            asked += np.array(machine.asks, np.intp)
        position = np.array(machine.positions, np.intp)
        at_end = position == len(machine.way)
        way = np.array([*machine.way, 0], np.intp)[position]
        picked = np.concatenate([np.arange(tools), [0]])
        columns = np.where(np.arange(tools + 1) < tools, picked, way[:, None])
        rows = np.arange(nodes)[:, None]
        stay = np.full((outside, tools + 1), 0, np.intp)
        to = np.concatenate([following[rows, columns], stay + np.arange(nodes, nodes + outside)[:, None]])
        states = self._counted(
            to,
            np.concatenate([failed[rows, columns], stay]),
            np.concatenate([asked[rows, columns], stay]),
        )
        count, each = self.states, self.levels[0] * self.levels[1]
        everywhere = np.arange(count * (1 + WINDOW))
        stops = np.repeat(np.concatenate([at_end, np.zeros(outside, bool)]), each)
        right = []
        for late in range(WINDOW):
            leads = everywhere.copy()
            leads[:count] = np.where(stops, np.arange(count) + count * (1 + late), states[:, tools])
            right.append(leads)
        other = np.repeat(everywhere[:, None], tools, axis=1)
        other[:count] = states[:, :tools]
        limits = [below(chance) for chance in chances(self.agent, machine)]
        limit = np.full(len(everywhere), LAST)
        limit[: nodes * each] = np.repeat(np.minimum(limits, int(LAST)).astype(np.uint32)[position], each)
        sure = np.ones(len(everywhere), bool)
        sure[: nodes * each] = np.repeat((np.array(limits) > int(LAST))[position], each)
        return right, other.ravel(), limit, sure if max(limits) > int(LAST) else None

    def classes(self, seeds: Array) -> Array:
        """The class in which each seed's episode ends; seeds are uint32, of any number."""
        classes = np.empty(len(seeds), np.int32)
        scratch = _Scratch(min(BLOCK, len(seeds)))
        for begin in range(0, len(seeds), BLOCK):
            block = slice(begin, begin + BLOCK)
            self._run(start_states(seeds[block], self.machine.trace_id), classes[block], scratch)
        return classes

    def _run(self, x: Array, ended: Array, scratch: _Scratch) -> None:
        """Step lanes from their generators' states `x`, which are used up, to the classes that they end in."""
        right, other, limit, sure = self._tables
        budget, states, tools = self.agent.budget, self.states, self.machine.tools
        lanes: Array | None = None  # which lanes are still there; all of them at first
        count = len(x)
        since = length = min(len(self.machine.way), budget)  # no lane stops before
        here, there = scratch.here, scratch.there
        here[:count] = 0
        for step in range(budget):
            node, following, mask = here[:count], there[:count], scratch.mask[:count]
            x *= FACTOR
            x += STEP
            np.greater_equal(x, limit.take(node, out=scratch.limit[:count], mode="clip"), out=mask)
            wrong = mask.nonzero()[0]
            if sure is not None and len(wrong):
                wrong = wrong[~(sure.take(node.take(wrong)) & (x.take(wrong) == LAST))]
            second = x.take(wrong)
            second *= FACTOR
            second += STEP
            x[wrong] = second
            taken = _scaled(second, tools)
            taken += node.take(wrong) * tools
            right[max(0, step - since)].take(node, out=following, mode="clip")
            following[wrong] = other.take(taken)
            here, there = there, here
            if not length <= step < budget - 1:
                continue
            alive = np.less(following, states, out=mask).nonzero()[0]
            if len(alive) <= (1 - GONE) * count or step - since == WINDOW - 1:
                place = slice(None) if lanes is None else lanes
                ended[place] = following + states * (since - 1)  # of those that go on, overwritten when they end
                lanes = alive if lanes is None else lanes.take(alive)
                x, count, since = x.take(alive), len(alive), step + 1
                following.take(alive, out=there[:count], mode="clip")
                here, there = there, here
        node = here[:count]
        found = np.where(node >= states, node + states * (since - 1), node + states * budget)
        ended[slice(None) if lanes is None else lanes] = found

    # --- what a class says ----------------------------------------------------------------------------------------

    @cached_property
    def _last(self) -> tuple[Array, Array]:
        """Per class: the stopping step (or the budget), and the last state."""
        step, state = np.divmod(np.arange(self.states * (self.agent.budget + 1)), self.states)
        return step, state

    @cached_property
    def _node(self) -> Array:
        node: Array = self._last[1] // (self.levels[0] * self.levels[1])
        return node

    @cached_property
    def end(self) -> Array:
        end: Array = np.maximum(self._node - len(self.machine), -1)
        return end

    @cached_property
    def done(self) -> Array:
        done: Array = self._last[0] < self.agent.budget
        return done

    @cached_property
    def steps(self) -> Array:
        return np.where(self.end >= 0, 0, np.where(self.done, self._last[0] + 1, self.agent.budget))

    @cached_property
    def calls(self) -> Array:
        return np.where(self.end >= 0, 0, self.steps - self.done)

    @cached_property
    def errors(self) -> Array:
        return np.where(self.end >= 0, 0, self._last[1] // self.levels[1] % self.levels[0])

    @cached_property
    def approvals(self) -> Array:
        return np.where(self.end >= 0, 0, self._last[1] % self.levels[1])

    @cached_property
    def tokens(self) -> Array:
        costs, steps = self.agent.tokens, self.steps
        critique = costs.critique if self.agent.self_critique else 0
        begun: Array = costs.step * steps + costs.history * (steps * (steps - 1) // 2)
        tokens: Array = begun + costs.call * self.calls + critique * self.errors
        return tokens

    @cached_property
    def answer(self) -> Array:
        answer: Array = np.array([*self.machine.answer, *[0] * len(self.machine.ends)])[self._node]
        return answer

    @cached_property
    def succeeded(self) -> Array:
        return np.array(self.machine.right, bool)[self.answer] & (self.end < 0)


class _Scratch:
    """Room for a block of lanes, used again and again: fresh room for each step would cost as much as the step."""

    def __init__(self, lanes: int):
        self.here, self.there = np.empty(lanes, np.intp), np.empty(lanes, np.intp)
        self.limit, self.mask = np.empty(lanes, np.uint32), np.empty(lanes, bool)


def _scaled(x: Array, number: int) -> Array:
    """floor(number * u) for the draws u = x / 2^32."""
    wide = x.astype(np.uint64)
    wide *= np.uint64(number)
    wide >>= HIGH
    scaled: Array = wide.view(np.intp)
    return scaled


def start_states(seeds: Array, trace_id: int) -> Array:
    """`draws.start_state(seed ^ trace_id)` for an array of seeds."""
    x: Array = seeds ^ np.uint32(trace_id)
    for shift, factor in MIX:
        x ^= x >> np.uint32(shift)
        if factor != 1:
            x *= np.uint32(factor)
    return x


@dataclass(frozen=True, eq=False)
class Runs:
    """The episodes of one task at many seeds, in the seeds' order: arrays, and single episodes on demand."""

    track: Track
    seeds: Array
    classes: Array

    def __len__(self) -> int:
        return len(self.seeds)

    def __getattr__(self, name: str) -> Array:
        if name not in ("succeeded", "steps", "calls", "tokens", "errors", "approvals", "done"):
            raise AttributeError(name)
        by_class: Array = getattr(self.track, name)
        return by_class[self.classes]

    def answers(self) -> list[Any]:
        """The answer of each episode."""
        values = self.track.machine.answers
        return [values[number] for number in self.track.answer[self.classes]]

    def kinds(self) -> list[str]:
        """How each episode ended: `ok`, or what ended it from outside."""
        ends = [*self.track.machine.ends, (OK, "")]
        return [ends[number][0] for number in self.track.end[self.classes]]

    def episode(self, index: int) -> Episode:
        """One episode with its trace."""
        return replay(self.track.machine, self.track.agent, int(self.seeds[index])).episode


def lanes(machine: Machine, agent: SeededAgent, seeds: Sequence[int] | Array) -> Runs:
    """Play a task at many seeds at once; each episode is the one that `walk` plays at its seed.

    seeds: whole numbers from 0 to 2^32 - 1; UsageError for others. Raises CannotCompile when the agent's budget is
    too long for so large a machine.
    """
    numbers = np.asarray(seeds)
    if numbers.ndim != 1 or (
        len(numbers) and (numbers.dtype.kind not in "iu" or numbers.min() < 0 or numbers.max() >= SEEDS)
    ):
        raise UsageError(f"seeds of {numbers.dtype}: a seed is a whole number from 0 to {SEEDS - 1}")
    given = np.ascontiguousarray(numbers, np.uint32)
    track = Track(machine, agent)
    return Runs(track, given, track.classes(given))
