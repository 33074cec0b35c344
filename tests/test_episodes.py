"""Episodes as arrays: the same from lanes, from machines one by one, and from the rows of the walk."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toolbench as tb
from tests.generated import LAST, scenarios
from toolbench.agent.building import Builder
from toolbench.agent.lanes import Track
from toolbench.episodes import COSTS, MOST_ENDED, by_lanes, by_replay, by_rows
from toolbench.layers.all import LAYERS
from toolbench.mutation.engine import Tables
from toolbench.seeds import Seeds

ENDS = (("timeout", "no answer within 2 s"), ("died", "its process exited with code 3"), ("crash", "red\x1b[31m"))


def numbers(*seeds):
    return np.array(seeds, np.uint32)


def walked(scenario, table, seeds):
    """What the loop layer sees of a table, as episodes."""
    layer = LAYERS["loop"]
    units = layer.units(scenario, Seeds("", seeds.tolist()))
    return by_rows(layer.observe(scenario, table, units), seeds, [task.id for task in scenario.tasks])


def facts(episodes):
    """All that episodes say, as plain values; costs summed over seeds too."""
    return {
        "seeds": episodes.seeds.tolist(),
        "failing": episodes.failing.tolist(),
        "costs": {name: episodes.costs[name].tolist() for name in COSTS},
        "ended": [dict(row) for row in episodes.ended],
    }


def as_scenario(made):
    """A generated scenario; None where it names a tool that it lacks, which a scenario may not."""
    named = {name for task in made.tasks for name in task.sequence} | {*made.agent.results, *made.agent.copies}
    if not named <= set(made.table):
        return None
    return tb.Scenario(name="made", tools=made.table, tasks=made.tasks, agent=made.agent, world=made.world)


def in_all(episodes):
    return {name: int(array.sum()) for name, array in episodes.costs.items()}


@pytest.mark.parametrize("settings", [{}, {"self_critique": True, "approval": True}], ids=["plain", "asking"])
def test_three_ways_to_the_same_episodes(scenario, settings):
    """For every table of both scenarios: lanes, replay and walk agree on failing tasks and costs at every seed."""
    scenario = scenario.with_agent(**settings) if settings else scenario
    tables = Tables(scenario, tuple(tb.load_defects(scenario)))
    builder = Builder(scenario.table, scenario.agent, scenario.fresh_world)
    seeds = numbers(*range(scenario.base_seed, scenario.base_seed + 7), 0, LAST)
    known = {}
    for name in ("none", *(defect.id for defect in tables.defects)):
        table = tables.table(name)[0]
        tracks = [Track(machine, scenario.agent) for machine in builder.build(table, scenario.tasks)]
        expected = facts(walked(scenario, table, seeds))
        assert facts(by_lanes(tracks, seeds, known, per_seed=True)) == expected, name
        assert facts(by_replay(tracks, seeds)) == expected, name


@settings(max_examples=25)
@given(scenarios(damaged=1), st.integers(0, LAST - 9))
def test_three_ways_in_any_scenario(made, first):
    """The same holds for tables that Hypothesis makes up."""
    scenario = as_scenario(made)
    seeds = np.arange(first, first + 8, dtype=np.uint32)
    for table, machines in zip((made.table, *made.damaged), made.machines(), strict=True):
        tracks = [Track(machine, made.agent) for machine in machines]
        played = facts(by_replay(tracks, seeds))
        assert facts(by_lanes(tracks, seeds, {}, per_seed=True)) == played
        if scenario is not None:
            assert facts(walked(scenario, table, seeds)) == played


@settings(max_examples=25)
@given(scenarios(), st.integers(1, 30))
def test_costs_in_all_are_the_sums_of_those_per_seed(made, number):
    """Where nobody asks for each seed, there is one number for each cost: the sum over all seeds."""
    seeds = np.arange(number, dtype=np.uint32)
    tracks = [Track(machine, made.agent) for machine in made.machines()[0]]
    each, once = (by_lanes(tracks, seeds, {}, per_seed=per_seed) for per_seed in (True, False))
    assert all(array.shape == (1,) for array in once.costs.values())
    assert in_all(once) == in_all(each)
    assert once.failing.tolist() == each.failing.tolist()


@pytest.fixture(scope="module")
def ending(lending):
    """The machines of lending, in which some calls end their episode from outside."""
    machines = lending.machines()
    return lending, [Track(ended(machine, number), lending.agent) for number, machine in enumerate(machines)]


def ended(machine, number):
    """A machine whose steps to every second node end the episode, each in another of the ways to end."""
    if number % 2:
        return machine
    leads = tuple(tuple(-1 - to // 2 % len(ENDS) if to % 2 else to for to in following) for following in machine.next)
    return replace(machine, next=leads, ends=ENDS)


@pytest.mark.parametrize("number", [15, 200])
def test_episodes_that_are_ended_from_outside(ending, number):
    """They fail, cost nothing, are counted by kind and in `broken`, and the first rows say which, when and why."""
    scenario, tracks = ending
    seeds = np.arange(50, 50 + number, dtype=np.uint32)
    found = by_lanes(tracks, seeds, {}, per_seed=True)
    assert facts(found) == facts(by_replay(tracks, seeds))
    sums = in_all(found)
    assert sums["broken"] >= sums["timeouts"] + sums["died"] > 0
    assert len(found.ended) == min(MOST_ENDED, sums["broken"])
    order = [(row["seed"], [task.id for task in scenario.tasks].index(row["task"])) for row in found.ended]
    assert order == sorted(order)
    said = {f"{kind}: {why}".replace("\x1b", "\\x1b") for kind, why in ENDS}
    assert {row["why"] for row in found.ended} <= said
    once = by_lanes(tracks, seeds, {}, per_seed=False)
    assert in_all(once) == sums
    assert list(once.ended) == list(found.ended)


def test_rows_of_the_walk_that_did_not_end():
    """The rows that an executor gives for a hang, an exit and a crash count as those of a machine do."""
    layer, seeds = LAYERS["loop"], numbers(7, 9)
    rows = [layer.ended(("a", 7), "timeout", "late"), layer.ended(("b", 7), "died", "gone"),
            layer.ended(("a", 9), "crash", "odd"), {**layer.ended(("b", 9), "ok", ""), "succeeded": True,
                                                    "steps": 3, "calls": 2, "tokens": 5, "done": True}]  # fmt: skip
    seen = by_rows(rows, seeds, ["a", "b"])
    assert seen.failing.tolist() == [[True, True], [True, False]]
    assert {name: seen.costs[name].tolist() for name in ("timeouts", "died", "broken", "steps", "calls", "done")} == {
        "timeouts": [1, 0], "died": [1, 0], "broken": [2, 1], "steps": [0, 3], "calls": [0, 2], "done": [0, 1],
    }  # fmt: skip
    assert seen.ended == [
        {"task": "a", "seed": 7, "kind": "timeout", "why": "timeout: late"},
        {"task": "b", "seed": 7, "kind": "died", "why": "died: gone"},
        {"task": "a", "seed": 9, "kind": "crash", "why": "crash: odd"},
    ]


def test_a_part_of_the_seeds(ending):
    """A span of seeds has their failing tasks, costs and rows, and nothing of others."""
    seeds = np.arange(10, dtype=np.uint32)
    every = by_lanes(ending[1], seeds, {}, per_seed=True)
    parts = [every.at(span) for span in (slice(0, 4), slice(4, 10))]
    assert facts(parts[1]) == facts(by_lanes(ending[1], seeds[4:], {}, per_seed=True))
    assert [row for part in parts for row in part.ended] == list(every.ended)


def test_machines_that_tables_share_are_run_once(lending):
    """What a machine's lanes ended in is remembered for the next table that has the same machine."""
    machines = lending.machines()
    known = {}
    seeds = np.arange(30, dtype=np.uint32)
    first = by_lanes([Track(machine, lending.agent) for machine in machines], seeds, known, per_seed=False)
    assert set(known) == {id(machine) for machine in machines}
    kept = dict(known)
    again = by_lanes([Track(machine, lending.agent) for machine in machines], seeds, known, per_seed=False)
    assert all(known[key] is kept[key] for key in kept)
    assert facts(again) == facts(first)
