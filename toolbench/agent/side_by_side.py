"""Two machines of one task, walked side by side on the same draws: where can they end differently, and how often?

As long as both are at the same position they use their draws alike, and the pair of them is a machine of its own. Once
they are not, one may use two draws where the other uses one, and from then on they read the same draws at different
steps; `toolbench.agent.out_of_step` follows that. Either way, what is said holds for every sequence of draws, and the
probabilities are exact (as far as floating point goes: what is less likely than 1e-300 is not seen).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from toolbench.agent.exact import exact
from toolbench.agent.machine import Machine, taken
from toolbench.agent.out_of_step import MOST_PAIRS, followed, too_many
from toolbench.agent.seeded import SeededAgent
from toolbench.values import equal


@dataclass(frozen=True)
class Comparison:
    """What one seed can show of one task.

    pairs: how many different pairs of states were compared. newly_failing, newly_passing: the probabilities that, at
    one seed, the second machine fails where the first succeeds, and the other way round; exactly 0 where no seed can.
    other_answers: the probability that both are wrong in different ways. errors: whether some call can report an
    error with one of them only; effort: whether the number of steps can differ.
    """

    pairs: int
    newly_failing: float = 0.0
    newly_passing: float = 0.0
    other_answers: float = 0.0
    errors: bool = False
    effort: bool = False

    @property
    def invisible(self) -> bool:
        """Whether no seed at all can end right with one and wrong with the other."""
        return self.newly_failing == 0 and self.newly_passing == 0


def side_by_side(first: Sequence[Machine], second: Sequence[Machine], agent: SeededAgent) -> list[Comparison]:
    """Compare the episodes of two tables, task by task: machines of the same tasks in the same order.

    Raises CannotCompile when too many pairs of states would have to be followed.
    """
    comparisons: dict[int, Comparison] = {}
    in_step: dict[int, tuple[Machine, bool]] = {}
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        if one is other:
            comparisons[number] = Comparison(len(one))
        elif (pair := _pair(one, other, agent)) is not None:
            in_step[number] = pair
        else:
            found = followed(one, other, agent)
            ends = [((a.answer, b.answer, a.right, b.right), mass) for (a, b), mass in found.ends.items()]
            comparisons[number] = _compared(found.pairs, one, other, ends, found.errors, found.effort)
    for (number, (machine, errors)), ways in zip(
        in_step.items(), exact([machine for machine, _ in in_step.values()], agent), strict=True
    ):
        one, other = first[number], second[number]
        ends = [((a, b, one.right[a], other.right[b]), mass) for (a, b), mass in ways.answers]
        comparisons[number] = _compared(len(machine), one, other, ends, errors, False)
    return [comparisons[number] for number in range(len(first))]


def _compared(
    pairs: int,
    one: Machine,
    other: Machine,
    ends: Sequence[tuple[tuple[int, int, bool, bool], float]],
    errors: bool,
    effort: bool,
) -> Comparison:
    """Sum up ends: (answer of one, of the other, whether each is right), and how likely; an answer below 0 is none."""

    @cache
    def alike(a: int, b: int) -> bool:
        if a < 0 or b < 0:
            return a < 0 and b < 0 and one.ends[-1 - a] == other.ends[-1 - b]
        return equal(one.answers[a], other.answers[b])

    newly_failing = newly_passing = other_answers = 0.0
    for (a, b, a_right, b_right), mass in ends:
        if a_right and not b_right:
            newly_failing += mass
        elif b_right and not a_right:
            newly_passing += mass
        elif not a_right and not alike(a, b):
            other_answers += mass
    return Comparison(pairs, newly_failing, newly_passing, other_answers, errors, effort)


def _pair(one: Machine, other: Machine, agent: SeededAgent) -> tuple[Machine, bool] | None:
    """Both machines as one, whose nodes are pairs of nodes and whose answers are pairs of answers; None where their
    positions can part. Also whether a call can be an error in one of them only."""
    if one.actions != other.actions or one.tools != other.tools or one.ends or other.ends:
        return None
    actions = taken(agent, one)
    order = [(0, 0)]
    number = {(0, 0): 0}
    following: list[tuple[int, ...]] = []
    width = len(one.actions)
    errors = False
    begin = 0
    for _ in range(agent.budget):
        layer = order[begin:]
        for a, b in layer:
            leads = [0] * width
            a_next, b_next, a_failed, b_failed = one.next[a], other.next[b], one.failed[a], other.failed[b]
            for action in actions[one.positions[a]]:
                to = (a_next[action], b_next[action])
                found = number.get(to)
                if found is None:
                    if one.positions[to[0]] != other.positions[to[1]]:
                        return None
                    found = number[to] = len(order)
                    order.append(to)
                leads[action] = found
                errors = errors or a_failed[action] != b_failed[action]
            following.append(tuple(leads))
            if len(order) > MOST_PAIRS:
                raise too_many(one)
        begin += len(layer)
    blank = ((0,) * width,) * (len(order) - begin)
    answers: dict[tuple[int, int], int] = {}
    answer = tuple([answers.setdefault((one.answer[a], other.answer[b]), len(answers)) for a, b in order])
    return replace(
        one,
        positions=tuple([one.positions[a] for a, _ in order]),
        next=(*following, *blank),
        failed=((False,) * width,) * len(order),
        answer=answer,
        answers=tuple(answers),
        right=(False,) * len(answers),
    ), errors
