"""What the loop saw: sums over seeds, pairs, and what machines say of all seeds."""

import pytest

import toolbench as tb
from toolbench import loop as module
from toolbench.agent.exact import exact
from toolbench.errors import CannotCompile
from toolbench.power import power_curve


@pytest.fixture(scope="module")
def loop():
    return tb.measure("metering", seeds=3, defects=["D2", "D8"], layers=["loop"]).loop


@pytest.fixture(scope="module")
def walked():
    return tb.measure("metering", seeds=3, defects=["D2", "D8"], layers=["loop"], engine="walk").loop


def test_what_machines_say_of_all_seeds(loop):
    """Per table and task, exact chances; tables without machines have none."""
    assert {table: len(several) for table, several in loop.exact.items()} == {"none": 24, "D2": 24, "D8": 24}
    machines = tb.load_scenario("metering").machines()
    assert [one.success for one in loop.exact["none"]] == pytest.approx(
        [one.success for one in exact(machines, loop.agent)]
    )


def test_what_the_walk_does_not_say(walked):
    """Without machines there is no exact chance, no comparison, no power, and nothing is made up."""
    assert (walked.engine, walked.exact, walked.agent) == ("walk", {}, None)
    assert (walked.compared("D8"), walked.seeds_needed("D8"), walked.chances("D8")) == (None, None, None)


def test_machines_that_are_too_much_to_add_up(loop, monkeypatch):
    """Where exact chances would need too much room there are none, for a reason, and the rest is there all the same."""

    def refuse(*_):
        raise CannotCompile("too many states")

    monkeypatch.setattr(module, "exactly", refuse)
    fresh = module.Loop(loop.tasks, loop.growth, loop.episodes, loop.machines, {}, loop.agent)
    assert (fresh.exact, set(fresh.inexact)) == ({}, {"none", "D2", "D8"})
    assert set(fresh.inexact.values()) == {"too many states"}
    assert (fresh.engine, fresh.compared("D8"), fresh.seeds_needed("D8")) == ("lanes", None, None)
    assert list(fresh.pairs("D8")) == list(loop.pairs("D8"))


def test_pairs_seed_by_seed(loop, walked):
    """Each seed has its failing tasks, and which newly fail and newly pass; lanes and walk agree."""
    pairs = list(loop.pairs("D8"))
    assert pairs == list(walked.pairs("D8"))
    assert pairs[0] == {
        "seed": 20260218,
        "failing": 5,
        "defect_free": 1,
        "newly_failing": ["G07", "G11", "G12", "G18"],
        "newly_passing": [],
    }
    assert [pair["newly_failing"] for pair in loop.pairs("D2")] == [[]] * 3
    assert list(loop.pairs("nowhere")) == []


def test_a_comparison_is_made_once(loop):
    """Tables are walked side by side when somebody asks, and then no more."""
    assert loop.compared("D8") is loop.compared("D8")
    assert loop.compared("nowhere") is None
    assert loop.seeds_needed("D2") is None
    assert loop.seeds_needed("D8") == 2


def test_a_comparison_that_is_too_much(loop, monkeypatch):
    """Where too many states would have to be compared, nothing is known, and nothing breaks."""

    def refuse(*_):
        raise CannotCompile("too many pairs of states")

    monkeypatch.setattr(module, "side_by_side", refuse)
    fresh = module.Loop(loop.tasks, loop.growth, loop.episodes, loop.machines, {}, loop.agent)
    assert (fresh.compared("D8"), fresh.seeds_needed("D8")) == (None, None)


def test_power_grows_with_seeds(loop):
    """The curve has the seeds that were asked for; it reaches 0.9 where `seeds_needed` says."""
    curve = power_curve(*loop.chances("D8"), [1, 2, 3])
    assert [seeds for seeds, _ in curve] == [1, 2, 3]
    assert curve[0][1] < 0.9 <= curve[1][1] <= curve[2][1]
    assert [power for _, power in power_curve(*loop.chances("D2"), [1, 1000])] == [0, 0]


def test_cost_is_summed_over_all_tables(loop, walked):
    """Episodes are tables x seeds x tasks; what they cost is the same by lanes and by the walk."""
    assert loop.cost() == walked.cost()
    assert loop.cost()["runs"] == 3 * 3 * 24
    assert set(loop.cost()) == {"runs", "calls", "steps", "tokens", "errors", "approvals", "timeouts", "died"}


def test_times_by_task(loop):
    """Only tasks with any stand there, in the order of the tasks."""
    counts = [0] * 24
    counts[3], counts[1] = 2, 5
    assert list(loop.times(counts).items()) == [("G02", 5), ("G04", 2)]
