"""One episode read off a machine."""

import pytest
from hypothesis import given, settings

import toolbench as tb
from tests.generated import LAST, boundaries, boundary_seeds, scenarios, seed_of
from toolbench.agent.building import Builder
from toolbench.agent.draws import draws
from toolbench.agent.replay import replay


@pytest.mark.slow
@settings(max_examples=25)
@given(scenarios())
def test_an_episode_is_the_walks(made):
    """At any seed, also where a draw lies at a boundary, the episode read off is the one that is walked."""
    [machines] = made.machines()
    for task, machine in zip(made.tasks, machines, strict=True):
        for seed in (*boundary_seeds(machine, made.agent)[:10], *range(3)):
            walked = tb.walk(made.table, task, made.agent, seed, made.world())
            assert repr(replay(machine, made.agent, seed).episode) == repr(walked)
            assert replay(machine, made.agent, seed).end is None


def test_a_seed_for_a_wanted_draw():
    """The seeds that the laws are tried at draw what they were made for."""
    for number in range(3):
        for wanted in (0, 1, 2**31, LAST):
            draw = draws(seed_of(wanted, 77, number) ^ 77)
            assert [draw() for _ in range(number + 1)][-1] == wanted / 2**32


def test_the_boundaries_of_three_tools_and_a_half():
    """Choices change at a half, at each third, and at both ends."""

    def one():
        return {}

    table = tb.ToolTable([tb.tool(one, schema=[], name=name) for name in "abc"])
    agent = tb.SeededAgent(budget=1, first=0.5, stop=0.5)
    [machine] = Builder(table, agent, tb.World).build(table, [tb.Task(id="T", sequence=("a",))])
    third, half = 1431655766, 2**31
    assert boundaries(machine, agent) == [0, third - 1, third, half - 1, half, 2863311530, 2863311531, LAST]
