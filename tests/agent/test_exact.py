"""Exact figures: over all draws, against every way that an episode can go, and against lanes."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import toolbench as tb
from tests.generated import near, scenarios
from toolbench.agent import exact as module
from toolbench.agent.building import Builder
from toolbench.agent.exact import exact
from toolbench.agent.lanes import lanes
from toolbench.errors import CannotCompile
from toolbench.mutation.engine import Tables
from toolbench.values import equal


def success_by_every_way(table, task, agent, world):
    """The probability that the answer is right, by going every way with real calls; knows nothing of machines."""

    def from_here(state, k, step):
        if step == agent.budget:
            return float(equal(state.get("result"), task.answer))
        at_end = k == len(task.sequence)
        right = agent.stop if at_end else min(1.0, max(agent.least, agent.first - agent.fall * k))
        total = 0.0
        if right > 0:
            if at_end:
                total += right * equal(state.get("result"), task.answer)
            else:
                total += right * after(state, k, step, task.sequence[k])
        if right < 1:
            total += sum((1 - right) / len(table) * after(state, k, step, name) for name in table)
        return total

    def after(state, k, step, name):
        state, before = dict(state), world.snapshot()
        for target, origin in agent.copies.get(name, {}).items():
            state[target] = state.get(origin)
        declared = table[name].definition.fields if name in table else ()
        outcome = table.call(name, {field: state[field] for field in declared if field in state}, world)
        if outcome.kind == "ok":
            state |= outcome.fields
            if name in agent.results:
                state["result"] = outcome.fields.get(agent.results[name])
            k += k < len(task.sequence) and task.sequence[k] == name
        found = from_here(state, k, step + 1)
        world.restore(before)
        return found

    return from_here(dict(task.start), 0, 0)


@pytest.mark.slow
@settings(max_examples=25)
@given(scenarios(most_tools=4, damaged=1))
def test_success_is_that_of_every_way_together(made):
    """The probability of success is the sum over all ways that an episode can go."""
    made = made.at_most(3)
    for table, machines in zip((made.table, *made.damaged), made.machines(), strict=True):
        for task, found in zip(made.tasks, exact(machines, made.agent), strict=True):
            assert found.success == pytest.approx(success_by_every_way(table, task, made.agent, made.world()), abs=1e-8)


def assert_sums(found):
    """Each distribution sums to 1, in the order of its values; the answers come likeliest first."""
    for distribution in (found.steps, found.tokens, found.errors):
        assert sum(distribution.values()) == pytest.approx(1, abs=1e-9)
        assert list(distribution) == sorted(distribution)
    masses = [mass for _, mass in found.answers]
    assert sum(masses) == pytest.approx(1, abs=1e-9)
    assert masses == sorted(masses, reverse=True)


def assert_as_lanes(found, runs, number):
    """What is exact is what lanes come to, but for chance."""
    assert near(runs.succeeded.sum(), min(1, found.success), number)
    assert near(runs.done.sum(), min(1, found.done), number)
    for name in ("steps", "tokens", "errors"):
        distribution, seen = getattr(found, name), getattr(runs, name)
        assert set(seen.tolist()) <= set(distribution)
        for value, probability in list(distribution.items())[:20]:
            assert near((seen == value).sum(), min(1, probability), number), (name, value)


@pytest.mark.slow
@settings(max_examples=25)
@given(scenarios())
def test_what_the_seeds_come_to(made):
    """Probabilities sum to 1, and are what ten thousand seeds come to, but for chance."""
    made = made.at_most(6)
    [machines] = made.machines()
    for machine, found in zip(machines, exact(machines, made.agent), strict=True):
        assert_sums(found)
        assert_as_lanes(found, lanes(machine, made.agent, range(10_000)), 10_000)


@pytest.mark.slow
@settings(max_examples=12, suppress_health_check=list(HealthCheck))
@given(scenarios(), st.integers(0, 2**31))
def test_what_very_many_seeds_come_to(made, first):
    """The law above, at half a million seeds."""
    [machines] = made.machines()
    for machine, found in zip(machines, exact(machines, made.agent), strict=True):
        assert_sums(found)
        assert_as_lanes(found, lanes(machine, made.agent, range(first, first + 500_000)), 500_000)


def counting(budget=4, number=1, **agent):
    """Machines of a tool that counts to three, and the agent."""

    def one(x=0, **_):
        return {"x": min(x + 1, 3)}

    table = tb.ToolTable([tb.tool(one, schema=["x"])])
    player = tb.SeededAgent(**{"budget": budget, "first": 0.5, "stop": 0.5, "results": {"one": "x"}, **agent})
    tasks = [tb.Task(id=f"T{i}", sequence=("one",), answer=2) for i in range(number)]
    return Builder(table, player, tb.World).build(table, tasks), player


def test_by_hand():
    """One tool that counts, half a chance to stop at each step: every figure as by hand."""
    tokens = tb.Tokens(step=10, history=3, call=1)
    [machine], agent = counting(tokens=tokens)
    [found] = exact([machine], agent)
    assert found.success == 0.25
    assert found.done == 0.875
    assert found.steps == {2: 0.5, 3: 0.25, 4: 0.25}
    assert found.errors == {0: 1.0}
    assert found.tokens == {24: 0.5, 41: 0.25, 61: 0.125, 62: 0.125}
    assert found.answers == [(1, 0.5), (2, 0.25), (3, 0.25)]


def told(one):
    return one.success, one.done, one.answers, one.steps, one.tokens, one.errors


def test_blocks_change_nothing(monkeypatch):
    """Machines computed one at a time come to the same as all in one block."""
    machines, agent = counting(number=5)
    whole = exact(machines, agent)
    monkeypatch.setattr(module, "MOST_CELLS", 160)
    assert [told(one) for one in exact(machines, agent)] == [told(one) for one in whole]
    assert exact([], agent) == []


def test_machines_that_are_one_are_computed_once():
    """The figures of one and the same machine are one and the same object."""
    [machine], agent = counting()
    one, other = exact([machine, machine], agent)
    assert one is other


def test_too_long_a_budget():
    """A budget too long for so many states is refused with the task's name before any array is made."""
    machines, agent = counting(budget=4096)
    with pytest.raises(CannotCompile) as refused:
        exact(machines, agent)
    assert str(refused.value) == "task T0: 4 states and a budget of 4096 steps are too many to add up"


@pytest.mark.slow
@pytest.mark.parametrize("table", ["none", "D9"])
def test_a_million_seeds(table):
    """Success, steps, tokens and errors of every metering task over a million seeds are the exact ones, to five
    standard errors."""
    scenario, number = tb.load_scenario("metering"), 10**6
    damaged = Tables(scenario, tb.load_defects(scenario)).table("D9")[0]
    machines = scenario.machines() if table == "none" else scenario.machines(damaged)[0]
    seeds = np.arange(scenario.base_seed, scenario.base_seed + number, dtype=np.uint32)
    for machine, known in zip(machines, exact(machines, scenario.agent), strict=True):
        runs = lanes(machine, scenario.agent, seeds)
        error = (known.success * (1 - known.success) / number) ** 0.5
        assert abs(runs.succeeded.mean() - known.success) < 5 * error
        for name in ("steps", "tokens", "errors"):
            values, times = np.unique(getattr(runs, name), return_counts=True)
            seen, distribution = dict(zip(values.tolist(), times.tolist(), strict=True)), getattr(known, name)
            assert set(seen) <= set(distribution)
            for value, probability in distribution.items():
                error = (probability * (1 - probability) / number) ** 0.5
                assert abs(seen.get(value, 0) / number - probability) < 5 * error + 5 / number
