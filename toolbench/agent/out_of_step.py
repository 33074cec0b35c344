"""Two machines that read the same draws at different steps, followed draw by draw.

An agent waits for the first draw of a step (is the right tool taken?) or for the second (which tool is taken
instead?). A pair of agents of which one has read two draws and the other one is out of step: the draw that picks a
tool for the one is the first draw of the next step for the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from toolbench.agent.machine import Machine, chances
from toolbench.agent.seeded import SeededAgent
from toolbench.errors import CannotCompile

MOST_PAIRS = 200_000
LEAST = 5e-324  # a way that can be gone is never lost, however unlikely it is


class Live(NamedTuple):
    """An agent that is not done: its node, its step, and whether it waits for the second draw of the step."""

    node: int
    step: int
    second: bool = False


class End(NamedTuple):
    """How an episode ended: the answer (-1 - e: from outside), whether it is right, its steps, and if by itself."""

    answer: int
    right: bool
    steps: int
    done: bool


State = Live | End
Moves = list[tuple[float, int, bool]]  # on one draw: up to which draw, the state then, whether its call was an error


@dataclass(frozen=True)
class Followed:
    """How many pairs of states there are, how pairs of episodes end and how likely that is, and what can differ."""

    pairs: int
    ends: dict[tuple[End, End], float]
    errors: bool
    effort: bool


class _Side:
    """One machine as a reader of draws: its states by number, since pairs of numbers are quickly looked up."""

    def __init__(self, machine: Machine, agent: SeededAgent):
        self.machine, self.budget = machine, agent.budget
        self.chance = [max(0.0, chance) for chance in chances(agent, machine)]
        self.states: list[State] = []
        self.ranks: list[int] = []  # how far a state is on its way: each draw leads to a higher one, up to an end
        self._numbers: dict[State, int] = {}
        self._moves: list[Moves | None] = []

    def number(self, state: State) -> int:
        found = self._numbers.setdefault(state, len(self.states))
        if found == len(self.states):
            self.states.append(state)
            ended = isinstance(state, End)
            self.ranks.append(2 * self.budget if isinstance(state, End) else 2 * state.step + state.second)
            self._moves.append([(1.0, found, False)] if ended else None)  # nothing moves an end
        return found

    def moves(self, number: int) -> Moves:
        """What the next draw does, from a state."""
        moves = self._moves[number]
        if moves is None:
            state = self.states[number]
            assert isinstance(state, Live)
            moves = self._moves[number] = self._drawn(state)
        return moves

    def _drawn(self, at: Live) -> Moves:
        tools = self.machine.tools
        if at.second:
            return [((action + 1) / tools, *self._call(at, action)) for action in range(tools)]
        limit = self.chance[self.machine.positions[at.node]]
        begun = (1.0, self.number(at._replace(second=True)), False)
        return [(limit, *self._right(at)), begun] if 0 < limit < 1 else [(1.0, *self._right(at)) if limit else begun]

    def _right(self, at: Live) -> tuple[int, bool]:
        machine = self.machine
        position = machine.positions[at.node]
        if position == len(machine.way):
            answer = machine.answer[at.node]
            return self.number(End(answer, machine.right[answer], at.step + 1, True)), False
        return self._call(at, machine.way[position])

    def _call(self, at: Live, action: int) -> tuple[int, bool]:
        machine = self.machine
        to, failed = machine.next[at.node][action], machine.failed[at.node][action]
        if to < 0:
            return self.number(End(to, False, 0, False)), failed
        if at.step + 1 == self.budget:
            answer = machine.answer[to]
            return self.number(End(answer, machine.right[answer], self.budget, False)), failed
        return self.number(Live(to, at.step + 1)), failed


def followed(one: Machine, other: Machine, agent: SeededAgent) -> Followed:
    """Follow both machines over all draws. CannotCompile where more than `MOST_PAIRS` pairs would be followed."""
    left, right = _Side(one, agent), _Side(other, agent)
    # Pairs by the sum of their ranks: when one is looked at, all ways that lead to it have been gone.
    ranked: list[dict[tuple[int, int], float]] = [{} for _ in range(4 * agent.budget + 1)]
    ranked[0][left.number(Live(0, 0)), right.number(Live(0, 0))] = 1.0
    pairs, errors = 0, False
    for level in ranked[:-1]:
        pairs += len(level)
        if pairs > MOST_PAIRS:
            raise too_many(one)
        for (i, j), mass in level.items():
            for width, to, differs in _together(left.moves(i), right.moves(j)):
                following = ranked[left.ranks[to[0]] + right.ranks[to[1]]]
                following[to] = following.get(to, 0.0) + (mass * width or LEAST)
                errors = errors or differs
        level.clear()
    told: dict[tuple[End, End], float] = {}
    for (i, j), mass in ranked[-1].items():
        a, b = left.states[i], right.states[j]
        assert isinstance(a, End) and isinstance(b, End)
        told[a, b] = mass
    effort = any((a.steps, a.done) != (b.steps, b.done) for a, b in told)
    return Followed(pairs, told, errors, effort)


def too_many(machine: Machine) -> CannotCompile:
    """The refusal of a comparison that would take too long."""
    return CannotCompile(f"task {machine.task}: more than {MOST_PAIRS:,} pairs of states would have to be compared")


def _together(left: Moves, right: Moves) -> Iterator[tuple[float, tuple[int, int], bool]]:
    """Both sides' moves on one draw: how wide the draws are that lead to a pair, and whether only one call failed."""
    i = j = 0
    reached = 0.0
    while reached < 1:
        (this, a, a_failed), (that, b, b_failed) = left[i], right[j]
        upto = min(this, that)
        if upto > reached:
            yield upto - reached, (a, b), a_failed != b_failed
            reached = upto
        i += this <= upto
        j += that <= upto
