"""Two machines that read the same draws at different steps."""

import pytest
from hypothesis import given, settings

import toolbench as tb
from tests.generated import scenarios
from toolbench.agent.building import Builder
from toolbench.agent.exact import exact
from toolbench.agent.out_of_step import End, followed, too_many
from toolbench.errors import CannotCompile

AGENT = tb.SeededAgent(budget=2, first=0.5, stop=1, results={"one": "x"})


def machine_of(one, agent=AGENT, tools=2):
    def other(**_):
        return {}

    table = tb.ToolTable([
        tb.tool(one, schema=[], name="one"),
        *(tb.tool(other, schema=[], name=f"other{i}") for i in range(tools - 1)),
    ])  # fmt: skip
    [machine] = Builder(table, agent, tb.World).build(table, [tb.Task(id="T", sequence=("one",), answer=1)])
    return machine


def right(**_):
    return {"x": 1}


def error(**_):
    return {"error": "no"}


def test_one_stops_while_the_other_goes_on():
    """Where the one has stopped and the other tries again, ends, chances and efforts are as by hand."""
    found = followed(machine_of(right), machine_of(error), AGENT)
    stopped, late, never = End(1, True, 2, True), End(1, True, 2, False), End(0, False, 2, False)
    assert found.ends == {(stopped, never): 0.75, (late, never): 0.1875, (never, never): 0.0625}
    assert (found.errors, found.effort) == (True, True)


def test_tables_of_different_length():
    """With two tools and with four, one draw takes the tool in both, or in the shorter table alone."""
    agent = tb.SeededAgent(budget=1, first=0, results={"one": "x"})
    found = followed(machine_of(right, agent), machine_of(right, agent, tools=4), agent)
    by_success = {(a.right, b.right): mass for (a, b), mass in found.ends.items()}
    assert by_success == {(True, True): 0.25, (True, False): 0.25, (False, False): 0.5}


@pytest.mark.slow
@settings(max_examples=25)
@given(scenarios(most_tools=3))
def test_a_machine_beside_itself(made):
    """A machine followed beside itself ends as itself, with the chances that it has alone."""
    made = made.at_most(5)
    [machines] = made.machines()
    for machine, alone in zip(machines, exact(machines, made.agent), strict=True):
        found = followed(machine, machine, made.agent)
        assert all(a == b for a, b in found.ends)
        assert sum(found.ends.values()) == pytest.approx(1, abs=1e-12)
        assert sum(mass for (a, _), mass in found.ends.items() if a.right) == pytest.approx(alone.success, abs=1e-12)
        assert sum(mass for (a, _), mass in found.ends.items() if a.done) == pytest.approx(alone.done, abs=1e-12)
        assert (found.errors, found.effort) == (False, False)


@pytest.mark.slow
@settings(max_examples=25)
@given(scenarios(most_tools=3, damaged=1))
def test_each_of_the_two_ends_as_it_does_alone(made):
    """What each of the two comes to beside the other is what it comes to alone: answers, steps, success."""
    made = made.at_most(4)
    first, second = made.machines()
    for one, other, *alone in zip(first, second, exact(first, made.agent), exact(second, made.agent), strict=True):
        found = followed(one, other, made.agent)
        for side in (0, 1):
            steps = {}
            for pair, mass in found.ends.items():
                steps[pair[side].steps] = steps.get(pair[side].steps, 0) + mass
            assert dict(sorted(steps.items())) == pytest.approx(dict(alone[side].steps), abs=1e-12)
            success = sum(mass for pair, mass in found.ends.items() if pair[side].right)
            assert success == pytest.approx(alone[side].success, abs=1e-12)


def test_what_is_very_unlikely_is_not_lost():
    """A way of a probability far below what a float can hold still counts as one that can be gone."""
    agent = tb.SeededAgent(budget=40, first=5e-324, results={"one": "x"})

    def one(world):
        world.state["n"] += 1
        return {"x": world.state["n"]}

    tools = [tb.tool(one, schema=[], inject="world"), tb.tool(right, schema=[], name="other")]
    table = tb.ToolTable(tools)
    ways = [tb.Task(id="T", sequence=("one",) * 40, answer=answer) for answer in (40, 41)]
    sure = tb.ToolTable([tools[0]])
    machines = [
        Builder(table, agent, lambda: tb.World(state={"n": 0})).build(some, [task])[0]
        for some, task in ((sure, ways[0]), (table, ways[1]))
    ]
    found = followed(*machines, agent)
    assert all(mass > 0 for mass in found.ends.values())
    assert any(a.right and not b.right for a, b in found.ends)


def test_the_refusal():
    """The refusal names the task and the limit."""
    assert isinstance(too_many(machine_of(right)), CannotCompile)
    assert str(too_many(machine_of(right))) == ("task T: more than 200,000 pairs of states would have to be compared")
