"""Lanes: all seeds side by side, episode by episode what the walk plays."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import toolbench as tb
from tests.generated import LAST, boundary_seeds, scenarios, seed_of
from toolbench.agent import lanes as module
from toolbench.agent.building import Builder
from toolbench.agent.draws import start_state
from toolbench.agent.lanes import lanes, start_states
from toolbench.agent.machine import below
from toolbench.errors import CannotCompile, UsageError
from toolbench.mutation.engine import Tables

FACTS = ("succeeded", "steps", "tokens", "errors", "approvals", "done")


def assert_as_walked(table, task, agent, world, machine, seeds):
    """The lanes' episodes are the walk's, fact by fact; every seventh one with its trace."""
    runs = lanes(machine, agent, seeds)
    found = list(zip(*(getattr(runs, name).tolist() for name in FACTS), strict=True))
    answers, ended = runs.answers(), runs.kinds()
    for index, seed in enumerate(seeds):
        walked = tb.walk(table, task, agent, seed, world())
        assert found[index] == tuple(getattr(walked, name) for name in FACTS), (task.id, seed)
        assert (repr(answers[index]), ended[index]) == (repr(walked.answer), "ok")
        if index % 7 == 0:
            assert repr(runs.episode(index)) == repr(walked)


@settings(max_examples=25)
@given(scenarios(), st.integers(0, LAST - 100))
def test_every_episode_is_the_walks(made, first):
    """Whatever the scenario, lanes play what the walk plays: at draws on every boundary, and at seeds in a row."""
    [machines] = made.machines()
    for task, machine in zip(made.tasks, machines, strict=True):
        seeds = [*boundary_seeds(machine, made.agent), *range(first, first + 30)]
        assert_as_walked(made.table, task, made.agent, made.world, machine, seeds)


@pytest.mark.slow
@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(scenarios(damaged=1), st.integers(0, LAST - 1000))
def test_every_episode_is_the_walks_in_damaged_tables_too(made, first):
    """The law above, for more scenarios, tables with damage, and more seeds."""
    for table, machines in zip((made.table, *made.damaged), made.machines(), strict=True):
        for task, machine in zip(made.tasks, machines, strict=True):
            seeds = [*boundary_seeds(machine, made.agent), *range(first, first + 200)]
            assert_as_walked(table, task, made.agent, made.world, machine, seeds)


@pytest.mark.parametrize("settings", [{}, {"self_critique": True}, {"approval": True}])
def test_both_scenarios_with_all_their_defects(scenario, settings):
    """All tables of metering and lending make machines, and their lanes are the walk's, whatever is paid and asked."""
    altered = scenario.with_agent(**{"self_critique": False, "approval": False, **settings})
    tables = Tables(altered, tuple(tb.load_defects(scenario)))
    builder = Builder(altered.table, altered.agent, altered.fresh_world)
    tasks, seeds = altered.tasks, range(altered.base_seed, altered.base_seed + 50)
    for number, name in enumerate(("none", *(defect.id for defect in tables.defects))):
        table = tables.table(name)[0]
        machines = builder.build(table, tasks)
        some = range(number % 4, len(tasks), 4) if settings else range(len(tasks))  # every table, every task
        for i in some:
            assert_as_walked(table, tasks[i], altered.agent, altered.fresh_world, machines[i], seeds)


def one_tool(budget=4, **agent):
    """A machine with one tool that counts what it holds, and how it is walked."""

    def one(x=0, **_):
        return {"x": min(x + 1, 3)}

    table = tb.ToolTable([tb.tool(one, schema=["x"], side_effect=True)])
    player = tb.SeededAgent(**{"budget": budget, "first": 0.5, "stop": 0.5, "results": {"one": "x"}, **agent})
    task = tb.Task(id="T", sequence=("one",), answer=2)
    [machine] = Builder(table, player, tb.World).build(table, [task])
    return table, task, player, machine


@pytest.mark.parametrize("probability", [0.0, 1.0, 0.5, 2**-32, 1 - 2**-32, 1 - 2**-33, 0.1])
def test_a_draw_at_the_limit_itself(probability):
    """The draw just below the limit stops, the one at the limit goes on; the largest draw is below 1 alone."""
    _, _, agent, machine = one_tool(budget=2, first=1, stop=probability)
    limit = below(probability)
    wanted = [draw for draw in (limit - 1, limit, LAST) if 0 <= draw <= LAST]
    runs = lanes(machine, agent, [seed_of(draw, machine.trace_id, 1) for draw in wanted])
    assert runs.done.tolist() == [draw < limit for draw in wanted]


@pytest.mark.parametrize("budget", [1, 2, 5, 9, 23])
@pytest.mark.parametrize("stop", [0, 0.02, 0.5, 0.97, 1])
def test_lanes_that_stop_early_and_late(budget, stop):
    """Lanes are left behind as they stop, in no time or in the end: all the same they are the walk's."""
    table, task, agent, machine = one_tool(budget=budget, stop=stop, first=0.9)
    assert_as_walked(table, task, agent, tb.World, machine, range(200))


def test_more_lanes_than_a_block(monkeypatch):
    """Seeds beyond a block, and the last few, are played like the first ones."""
    _, _, agent, machine = one_tool(budget=9)
    seeds = range(1003)
    whole = lanes(machine, agent, seeds).classes.tolist()
    monkeypatch.setattr(module, "BLOCK", 100)
    assert lanes(machine, agent, seeds).classes.tolist() == whole


def test_no_seeds_at_all():
    """No seeds are no episodes."""
    _, _, agent, machine = one_tool()
    runs = lanes(machine, agent, [])
    assert (len(runs), runs.succeeded.tolist(), runs.answers()) == (0, [], [])


def test_seeds_are_left_as_they_were():
    """The seeds that were given are still the same afterwards."""
    _, _, agent, machine = one_tool()
    seeds = np.arange(10, dtype=np.uint32)
    lanes(machine, agent, seeds)
    assert seeds.tolist() == list(range(10))


@pytest.mark.parametrize("seeds", [[-1], [2**32], [0.5], np.array([-1]), np.array([1 << 40]), ["1"]])
def test_a_seed_that_is_none(seeds):
    """A number that is no seed is refused, not cut off."""
    _, _, agent, machine = one_tool()
    with pytest.raises(UsageError, match="a seed is a whole number from 0 to 4294967295"):
        lanes(machine, agent, seeds)


def test_a_name_that_runs_do_not_have():
    """Runs have the arrays that they name, and no others."""
    _, _, agent, machine = one_tool()
    with pytest.raises(AttributeError, match="colour"):
        _ = lanes(machine, agent, [1]).colour


@given(st.lists(st.integers(0, LAST), max_size=20), st.integers(0, LAST))
def test_the_generators_of_all_lanes(seeds, trace_id):
    """Lanes begin where the generator of the walk begins."""
    found = start_states(np.array(seeds, np.uint32), trace_id)
    assert found.tolist() == [start_state(seed ^ trace_id) for seed in seeds]


@pytest.mark.parametrize("settings", [{"budget": 4096}, {"budget": 400, "approval": True}])
def test_too_long_a_budget(settings):
    """A budget too long for so many states is refused before any array is made."""
    _, _, agent, machine = one_tool(**settings)
    with pytest.raises(CannotCompile, match=f"4 states and a budget of {settings['budget']} steps are too many ways"):
        lanes(machine, agent, [1])
