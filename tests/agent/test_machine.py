"""What a machine is made of, and what an agent can do in it."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toolbench as tb
from tests.generated import LAST, scenarios
from toolbench.agent.draws import SEEDS
from toolbench.agent.machine import Machine, below, chances, taken

EDGES = (0.0, 1.0, 5e-324, 2**-33, 2**-32, 1 - 2**-32, 1 - 2**-33, 1e-12, 0.62, 0.8 - 0.09 * 2)


def way(*actions, tools=3):
    return Machine("T", 0, ("a", "b", "c", "gone"), tools, (False,) * 4, actions)


@given(st.one_of(st.sampled_from(EDGES), st.floats(0, 1)))
def test_how_many_draws_are_below_a_probability(probability):
    """The draws x / 2^32 below a probability are those with x below the number: none less, none more."""
    number = below(probability)
    assert 0 <= number <= SEEDS
    assert number == 0 or (number - 1) / SEEDS < probability
    assert number == SEEDS or not number / SEEDS < probability
    assert number == min(SEEDS, -(-Fraction(probability) * SEEDS // 1))


@pytest.mark.parametrize(("beyond", "number"), [(float("inf"), SEEDS), (1.5, SEEDS), (2, SEEDS), (-0.5, 0)])
def test_what_is_no_probability_is_as_near_as_can_be(beyond, number):
    """With a fall below 0 the first probability can grow beyond 1, as far as infinity: every draw is below it."""
    assert below(beyond) == number


def test_the_chances_along_the_way():
    """Each position has its own probability; the last is that of stopping, also where the budget is shorter."""
    agent = tb.SeededAgent(budget=3, first=0.8, fall=0.25, least=0.5, stop=0.9)
    assert chances(agent, way(0, 1)) == [0.8, 0.55, 0.9]
    assert chances(agent, way(0, 1, 2, 0, 1)) == [0.8, 0.55, 0.5, 1.0, 1.0, 0.9]
    assert chances(agent, way()) == [0.9]


def test_a_chance_that_no_draw_misses_is_certain():
    """A probability above the largest draw is 1: no draw takes the other turn."""
    agent = tb.SeededAgent(budget=2, first=1 - 2**-33, stop=1 - 2**-32)
    assert chances(agent, way(0)) == [1.0, 1 - 2**-32]
    assert below(1 - 2**-32) == LAST


@pytest.mark.parametrize(
    ("first", "stop", "actions"),
    [
        (0.5, 0.5, [(0, 1, 2), (0, 1, 2, 3), (0, 1, 2)]),
        (1, 1, [(1,), (3,), ()]),
        (0, 0, [(0, 1, 2), (0, 1, 2), (0, 1, 2)]),
        (1 - 2**-33, 1 - 2**-32, [(1,), (3,), (0, 1, 2)]),
        (5e-324, 1, [(0, 1, 2), (0, 1, 2, 3), ()]),
    ],
)
def test_the_actions_that_can_be_taken(first, stop, actions):
    """A sure agent takes the right tool alone; a tool that the table lacks is never taken by chance."""
    found = taken(tb.SeededAgent(budget=3, first=first, stop=stop), way(1, 3))
    assert [tuple(sorted(some)) for some in found] == actions


@settings(max_examples=25)
@given(scenarios())
def test_a_machine_as_json_and_back(made):
    """A machine's facts are plain, and the machine made of them, through JSON too, is the same."""
    for machine in made.machines()[0]:
        assert Machine.from_facts(machine.facts()) == machine
        again = Machine.from_facts(json.loads(json.dumps(machine.facts())))
        assert repr(again) == repr(machine)
        assert len(again) == len(machine) == len(machine.next) == len(machine.failed) == len(machine.answer)
