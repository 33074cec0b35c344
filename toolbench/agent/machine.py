"""The machine of one table and one task: everything that a seeded agent can bring about, as numbers.

An episode is a walk through it. A node is what the agent holds, its position in the right sequence, and the
world's fingerprint; a transition is one tool call. The machine knows no probabilities: those are the agent's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from toolbench.agent.draws import SEEDS
from toolbench.agent.seeded import SeededAgent
from toolbench.errors import CannotCompile

MOST_TOKENS = 10**6

WALK, LANES = "walk", "lanes"  # the engines that play episodes


@dataclass(frozen=True)
class Machine:
    """Nodes and transitions, as lists of whole numbers; node 0 is where every episode starts.

    task, trace_id: which task. actions: what can be called: the table's tools in order, the first `tools` of them,
    then tools of the right sequence that the table lacks. asks: per action, whether it has a side effect. way: the
    right sequence, as actions. positions: per node, how much of the way is done. next, failed: per node and action,
    where the call leads and whether it was an error; where it leads below 0, at -1 - e, the episode ends from
    outside with `ends[e]`, a kind and a reason. answer: per node, which of `answers` the agent would give there;
    right: which of them are right. A transition that no episode within the budget can take leads to node 0.
    """

    task: str
    trace_id: int
    actions: tuple[str, ...]
    tools: int
    asks: tuple[bool, ...]
    way: tuple[int, ...]
    positions: tuple[int, ...] = ()
    next: tuple[tuple[int, ...], ...] = ()
    failed: tuple[tuple[bool, ...], ...] = ()
    answer: tuple[int, ...] = ()
    answers: tuple[Any, ...] = ()
    right: tuple[bool, ...] = ()
    ends: tuple[tuple[str, str], ...] = ()

    def __len__(self) -> int:
        return len(self.positions)

    def facts(self) -> dict[str, Any]:
        """The machine as plain values."""
        return dict(vars(self))  # tuples are lists to JSON; asdict() would copy every one of them

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Machine:
        """The machine that `facts` were taken from."""
        given = dict(facts)
        answers = tuple(given.pop("answers"))  # lists in them stay lists
        return cls(**{key: _tuples(value) for key, value in given.items()}, answers=answers)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def chances(agent: SeededAgent, machine: Machine) -> list[float]:
    """Per position of the way, the probability that the next draw takes the right tool; at its end, that it stops."""
    at = [*agent.right[: len(machine.way)], *[1.0] * (len(machine.way) - agent.budget), agent.stop]
    return [1.0 if below(chance) == SEEDS else chance for chance in at]  # no draw is as high as some below 1


@cache
def below(probability: float) -> int:
    """How many of the 2^32 draws are below a probability: `u < p` is `x < below(p)` for u = x / 2^32, exactly."""
    share = Fraction(min(1.0, max(0.0, probability)))
    return -(-share.numerator * SEEDS // share.denominator)


def taken(agent: SeededAgent, machine: Machine) -> list[tuple[int, ...]]:
    """Per position of the way, the actions that an episode can take there."""
    actions: list[tuple[int, ...]] = []
    for position, chance in enumerate(chances(agent, machine)):
        at_random = () if below(chance) == SEEDS else range(machine.tools)
        right = machine.way[position : position + 1] if below(chance) else ()
        actions.append(tuple(dict.fromkeys([*at_random, *right])))
    return actions


def check_agent(agent: object) -> SeededAgent:
    """The agent, if episodes of its kind are walks through a machine; CannotCompile if not."""
    if type(agent) is not SeededAgent:
        raise CannotCompile(
            f"the agent is a {type(agent).__name__}; only a SeededAgent's episodes follow from its draws"
        )
    if not all(type(cost) is int and abs(cost) <= MOST_TOKENS for cost in vars(agent.tokens).values()):
        what = f"only whole numbers up to {MOST_TOKENS:,} add up alike in every order"
        raise CannotCompile(f"the agent's tokens are {agent.tokens}; {what}")
    return agent


def shared(machines: Mapping[str, Sequence[Machine]]) -> dict[str, Any]:
    """The machines of all tables as plain values, each machine once."""
    numbers: dict[int, int] = {}
    different: list[Any] = []
    for several in machines.values():
        for machine in several:
            if id(machine) not in numbers:
                numbers[id(machine)] = len(different)
                different.append(machine.facts())
    return {
        "machines": different,
        "tables": {table: [numbers[id(machine)] for machine in several] for table, several in machines.items()},
    }


def unshared(facts: Mapping[str, Any]) -> dict[str, list[Machine]]:
    """What `shared` was given; a machine that tables share is one object again."""
    different = [Machine.from_facts(one) for one in facts["machines"]]
    return {table: [different[number] for number in numbers] for table, numbers in facts["tables"].items()}
