"""Two tables' machines on the same draws."""

from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, reject, settings

import toolbench as tb
from tests.generated import boundary_seeds, near, scenarios
from toolbench.agent import out_of_step
from toolbench.agent import side_by_side as module
from toolbench.agent.building import Builder
from toolbench.agent.exact import exact
from toolbench.agent.lanes import lanes
from toolbench.agent.out_of_step import followed
from toolbench.agent.side_by_side import Comparison, side_by_side
from toolbench.errors import CannotCompile


def compared(first, second, agent, most=10_000):
    """The comparisons; an example of too many pairs does not count."""
    try:
        with patch.object(out_of_step, "MOST_PAIRS", most), patch.object(module, "MOST_PAIRS", most):
            return side_by_side(first, second, agent)
    except CannotCompile as problem:
        if "pairs of states" in str(problem):
            reject()
        raise


def assert_as_lanes(made, machines, others, number):
    for one, other, found in zip(machines, others, compared(machines, others, made.agent), strict=True):
        seeds = [*range(number), *boundary_seeds(one, made.agent), *boundary_seeds(other, made.agent)]
        before, after = lanes(one, made.agent, seeds), lanes(other, made.agent, seeds)
        failing, passing = before.succeeded & ~after.succeeded, after.succeeded & ~before.succeeded
        for changed, probability in ((failing, found.newly_failing), (passing, found.newly_passing)):
            assert near(changed[:number].sum(), min(1, probability), number)
            assert probability > 0 or not changed.any()
        if not found.errors:
            assert before.errors.tolist() == after.errors.tolist()
        if not found.effort:
            assert before.steps.tolist() == after.steps.tolist()
            assert before.done.tolist() == after.done.tolist()


@pytest.mark.slow
@settings(max_examples=25)
@given(scenarios(most_tools=4, damaged=1))
def test_what_the_same_seeds_show(made):
    """How many seeds newly fail and newly pass is what is foreseen, but for chance; 0 means none at all."""
    made = made.at_most(6)
    assert_as_lanes(made, *made.machines(), 10_000)


@pytest.mark.slow
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(scenarios(most_tools=5, damaged=1))
def test_what_very_many_seeds_show(made):
    """The law above, at a hundred thousand seeds and with larger budgets."""
    assert_as_lanes(made, *made.machines(), 100_000)


@pytest.mark.slow
@settings(max_examples=25)
@given(scenarios(most_tools=4, damaged=1))
def test_the_other_way_round(made):
    """With the tables swapped, what newly fails newly passes; nothing else changes."""
    first, second = made.at_most(6).machines()
    agent = made.at_most(6).agent
    for there, back in zip(compared(first, second, agent), compared(second, first, agent), strict=True):
        assert back.newly_failing == pytest.approx(there.newly_passing, abs=1e-12)
        assert back.newly_passing == pytest.approx(there.newly_failing, abs=1e-12)
        assert back.other_answers == pytest.approx(there.other_answers, abs=1e-12)
        assert (back.pairs, back.errors, back.effort) == (there.pairs, there.errors, there.effort)
        assert back.invisible == there.invisible


@settings(max_examples=25)
@given(scenarios(most_tools=4, damaged=1))
def test_the_difference_of_expected_success(made):
    """Newly failing less newly passing is the difference of the expected successes."""
    made = made.at_most(6)
    first, second = made.machines()
    before, after = exact(first, made.agent), exact(second, made.agent)
    for found, one, other in zip(compared(first, second, made.agent), before, after, strict=True):
        assert found.newly_failing - found.newly_passing == pytest.approx(one.success - other.success, abs=1e-12)


@pytest.mark.slow
@settings(max_examples=25)
@given(scenarios(most_tools=4, damaged=1))
def test_in_step_and_out_of_step_say_the_same(made):
    """What is found by pairs of states is what is found by following both draw by draw."""
    made = made.at_most(6)
    first, second = made.machines()
    for one, other, found in zip(first, second, compared(first, second, made.agent), strict=True):
        try:
            with patch.object(out_of_step, "MOST_PAIRS", 10_000):
                by_draws = followed(one, other, made.agent)
        except CannotCompile:
            reject()
        failing = sum(mass for (a, b), mass in by_draws.ends.items() if a.right and not b.right)
        passing = sum(mass for (a, b), mass in by_draws.ends.items() if b.right and not a.right)
        assert (found.newly_failing, found.newly_passing) == pytest.approx((failing, passing), abs=1e-12)
        assert (found.errors, found.effort) == (by_draws.errors, by_draws.effort)
        assert (found.newly_failing == 0, found.newly_passing == 0) == (failing == 0, passing == 0)


# --- by hand ------------------------------------------------------------------------------------------------------

AGENT = tb.SeededAgent(budget=2, first=0.5, stop=1, results={"one": "x"})


def machines(answer, right=1, agent=AGENT, ends=None):
    def one(**_):
        if answer == "error":
            return {"error": "no"}
        return {"x": answer}

    def two(**_):
        return {}

    table = tb.ToolTable([tb.tool(one, schema=[]), tb.tool(two, schema=[])])
    task = tb.Task(id="T", sequence=("one",), answer=right)
    return Builder(table, agent, tb.World, ends=ends).build(table, [task])


def test_a_value_that_is_wrong():
    """The tool is taken with 3/4 at each of two steps, so 15 of 16 episodes end with its value."""
    assert side_by_side(machines(1), machines(2), AGENT) == [Comparison(2, newly_failing=0.9375)]
    assert side_by_side(machines(2), machines(1), AGENT) == [Comparison(2, newly_passing=0.9375)]
    assert not side_by_side(machines(1), machines(2), AGENT)[0].invisible


@pytest.mark.parametrize(
    ("first", "second", "others"), [(2, 3, 0.9375), (2, 2.0, 0), (2, True, 0.9375), (0.0, -0.0, 0)]
)
def test_other_wrong_answers(first, second, others):
    """Wrong answers are other ones where they are other JSON values: 2 is 2.0, and true is no number."""
    [found] = side_by_side(machines(first, right="x"), machines(second, right="x"), AGENT)
    assert found.invisible
    assert found.other_answers == others


def test_one_and_the_same():
    """A machine beside itself shows nothing."""
    [machine] = machines(1)
    assert side_by_side([machine], [machine], AGENT) == [Comparison(len(machine))]


def test_an_error_in_one_of_them():
    """Errors in one of them alone are told, and the effort may differ."""
    [found] = side_by_side(machines(1), machines("error"), AGENT)
    assert (found.errors, found.effort, found.newly_passing) == (True, True, 0)


def test_both_ended_from_outside():
    """Episodes that are ended in the same way are no other wrong answers; those ended in another way are."""
    hangs = machines(1, ends={0: ("timeout", "hangs")})
    also = machines(2, ends={0: ("timeout", "hangs")})
    dies = machines(1, ends={0: ("died", "dies")})
    [same], [other], [answered] = (side_by_side(hangs, some, AGENT) for some in (also, dies, machines(2)))
    assert (same.invisible, same.other_answers) == (True, 0)
    assert (other.invisible, other.other_answers) == (True, 0.9375)
    assert answered.other_answers == 0.9375


def test_too_many_pairs(monkeypatch):
    """Too many pairs of states are refused, in step and out of step, with the task's name."""
    monkeypatch.setattr(module, "MOST_PAIRS", 1)
    monkeypatch.setattr(out_of_step, "MOST_PAIRS", 1)
    for second in (2, "error"):
        with pytest.raises(CannotCompile) as refused:
            side_by_side(machines(1), machines(second), AGENT)
        assert str(refused.value) == "task T: more than 1 pairs of states would have to be compared"


def test_as_many_of_the_one_as_of_the_other():
    """Tables of another number of tasks cannot be compared."""
    with pytest.raises(ValueError, match="zip"):
        side_by_side(machines(1), [], AGENT)


def test_an_almost_certain_agent():
    """Where no draw at all takes another turn, none is foreseen."""
    agent = replace(AGENT, first=1 - 2**-33, budget=1)
    [found] = side_by_side(machines(1, agent=agent), machines(2, agent=agent), agent)
    assert found.newly_failing == 1.0
