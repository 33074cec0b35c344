"""Every seed at once: a machine whose draws are taken as uniform is a Markov chain with a budget.

The chain's state is a node and the errors so far; its mass moves by one call a step, and leaves where the agent
stops or the budget ends. Nothing is sampled: probabilities are exact but for the rounding of floating point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolbench.agent.machine import Machine, chances
from toolbench.agent.seeded import SeededAgent
from toolbench.errors import CannotCompile

Array = NDArray[Any]
MOST_CELLS = 1 << 24


@dataclass(frozen=True, eq=False)
class Exact:
    """What the episodes of one task come to over all seeds.

    success: the probability that the answer is right. done: that the agent stops by itself. answers: (answer,
    probability), the likeliest first. ended: the probabilities of stopping at a step (from 0; in the last row: of not
    stopping within the budget) after a number of errors. steps, tokens, errors: value -> probability, in the order of
    the values. Episodes that are ended from outside (a tool that hangs) fail, and count as no step, token or error.
    """

    success: float
    done: float
    answers: Sequence[tuple[Any, float]]
    ended: Array
    outside: float
    agent: SeededAgent

    @property
    def steps(self) -> dict[int, float]:
        return self._distribution(lambda step, done, errors: step + done)

    @property
    def errors(self) -> dict[int, float]:
        return self._distribution(lambda step, done, errors: errors)

    @property
    def tokens(self) -> dict[int, float]:
        return self._distribution(self._spent)

    def _spent(self, step: int, done: bool, errors: int) -> int:
        costs, steps = self.agent.tokens, step + done
        critique = costs.critique * errors if self.agent.self_critique else 0
        return costs.step * steps + costs.history * (steps * (steps - 1) // 2) + costs.call * step + critique

    def _distribution(self, value: Callable[[int, bool, int], int]) -> dict[int, float]:
        sums: dict[int, float] = {0: self.outside} if self.outside else {}
        for step, errors in zip(*map(np.ndarray.tolist, np.nonzero(self.ended)), strict=True):
            key = value(step, step < self.agent.budget, errors)
            sums[key] = sums.get(key, 0.0) + float(self.ended[step, errors])
        return dict(sorted(sums.items()))


def exact(machines: Sequence[Machine], agent: SeededAgent) -> list[Exact]:
    """What each machine's episodes come to; machines that are one and the same are computed once.

    Raises CannotCompile when the agent's budget is too long for so large a machine.
    """
    different = list({id(machine): machine for machine in machines}.values())
    known = dict(zip(map(id, different), _computed(different, agent), strict=True))
    return [known[id(machine)] for machine in machines]


def _computed(machines: Sequence[Machine], agent: SeededAgent) -> Iterable[Exact]:
    """Machines in blocks: nodes one after the other, so that a step of all is one pass over arrays."""
    group: list[Machine] = []
    size = 0
    for machine in machines:
        levels = agent.budget + 1
        need = max((len(machine) + 1) * len(machine.actions), len(machine) * levels) * levels
        if need > MOST_CELLS:
            ways = f"{len(machine)} states and a budget of {agent.budget} steps"
            raise CannotCompile(f"task {machine.task}: {ways} are too many to add up")
        unlike = group and (len(machine.actions), machine.tools) != (len(group[0].actions), group[0].tools)
        if unlike or size + need > MOST_CELLS:
            yield from _block(group, agent)
            group, size = [], 0
        group.append(machine)
        size += need
    if group:
        yield from _block(group, agent)


def _block(machines: Sequence[Machine], agent: SeededAgent) -> Iterable[Exact]:
    """Machines of as many actions and tools."""
    budget, levels, tools = agent.budget, agent.budget + 1, machines[0].tools
    sizes = np.array([*map(len, machines)])
    first = np.concatenate([[0], sizes.cumsum()])
    nodes = int(first[-1])
    begin = np.repeat(first[:-1], sizes)
    # Of each machine, the chances by position, and the right actions by position: one list after the other.
    steps = [len(machine.way) + 1 for machine in machines]
    position = _all(machine.positions for machine in machines)
    place = position + np.repeat(np.concatenate([[0], np.cumsum(steps)[:-1]]), sizes)
    chance = np.array([*chain.from_iterable(chances(agent, machine) for machine in machines)]).clip(0)[place]
    way = _all((*machine.way, 0) for machine in machines)[place]
    at_end = position == np.repeat(steps, sizes) - 1
    following = np.array([*chain.from_iterable(machine.next for machine in machines)], np.intp)
    failed = np.array([*chain.from_iterable(machine.failed for machine in machines)], bool)
    weight = np.zeros(following.shape)
    weight[:, :tools] = ((1 - chance) / tools)[:, None]
    inside = np.flatnonzero(~at_end)
    weight[inside, way[inside]] += chance[inside]
    rows, columns = np.nonzero((weight > 0) & (following >= 0))  # what is ended from outside leaves the chain
    level = np.arange(levels)
    origin = (rows[:, None] * levels + level).ravel()
    errors = np.minimum(level + failed[rows, columns][:, None], budget)
    target = ((following[rows, columns] + begin[rows])[:, None] * levels + errors).ravel()
    share = np.repeat(weight[rows, columns], levels)
    stop = np.repeat(np.where(at_end, chance, 0), levels)

    mass: Array = np.zeros(nodes * levels)
    mass[first[:-1] * levels] = 1.0
    ended: Array = np.empty((levels, nodes, levels))  # by step (the budget's end last), node and errors
    for step in range(budget):
        ended[step] = (mass * stop).reshape(nodes, levels)
        mass = np.bincount(target, mass[origin] * share, minlength=nodes * levels)
    ended[budget] = mass.reshape(nodes, levels)

    by_time = np.add.reduceat(ended, first[:-1], axis=1)
    by_node = ended.sum(axis=(0, 2))
    for number, machine in enumerate(machines):
        by_answer = np.bincount(machine.answer, by_node[first[number] : first[number + 1]], len(machine.answers))
        yield _exact(machine, agent, by_answer, by_time[:, number])


def _exact(machine: Machine, agent: SeededAgent, by_answer: Array, ended: Array) -> Exact:
    probabilities = by_answer.tolist()
    answers = [(machine.answers[i], mass) for i, mass in enumerate(probabilities) if mass]
    return Exact(
        success=math.fsum(mass for mass, right in zip(probabilities, machine.right, strict=True) if right),
        done=float(ended[: agent.budget].sum()),
        answers=sorted(answers, key=lambda one: -one[1]),
        ended=ended,
        outside=max(0.0, 1.0 - float(ended.sum())) if machine.ends else 0.0,
        agent=agent,
    )


def _all(several: Iterable[Sequence[int]]) -> Array:
    return np.array([*chain.from_iterable(several)], np.intp)
