"""The loop as rows: every figure is what the episodes give when they are counted anew."""

from math import comb

import pytest
from scipy import stats

import toolbench as tb
from toolbench import loop_rows as rows


@pytest.fixture(scope="module")
def m():
    return tb.measure("metering", seeds=20, defects=["D2", "D8", "D10"])


@pytest.fixture(scope="module")
def one_seed():
    return tb.measure("metering", seeds="20260218,", defects=["D8"])


def by_table(m, table):
    return [row for row in m.success_rows() if row["table"] == table]


def test_nothing_without_a_loop():
    """Where the loop did not run every table of rows is empty."""
    every = (rows.success_rows, rows.newly_rows, rows.paired_rows, rows.growth_rows, rows.exact_rows)
    assert [make(None) for make in (*every, rows.reliability_rows, rows.run_rows)] == [[]] * 7


def test_pairs_add_up_to_what_newly_fails(m):
    """Over all seeds a task newly fails as often as the pairs of each seed name it."""
    for row in rows.newly_rows(m.loop):
        for what in ("newly_failing", "newly_passing"):
            named = [t for pair in rows.paired_rows(m.loop) if pair["defect"] == row["defect"] for t in pair[what]]
            assert row[what] == {task: named.count(task) for task in m.loop.tasks if task in named}


def test_growth_is_what_a_shorter_measurement_gives(m):
    """The row of ten seeds says what a measurement with ten seeds says, band and interval included."""
    ten = tb.measure("metering", seeds=10, defects=["D2", "D8", "D10"])
    grown = [row for row in rows.growth_rows(m.loop) if row["seeds"] == 10]
    assert grown == rows.growth_rows(ten.loop)[-4:]
    assert [row["seeds"] for row in rows.growth_rows(m.loop) if row["table"] == "D8"] == [1, 2, 5, 10, 20]
    told = rows.rule_rows(ten.defects, ten.verdicts, ten.loop)
    for row, rule in zip(grown[1:], told, strict=True):
        assert (row["difference"], row["low"], row["high"]) == (rule["difference"], rule["low"], rule["high"])
    assert grown[0]["band"] == ten.band_rows()[1]["band"]


def test_growth_of_one_seed(one_seed):
    """One seed has a difference, no interval, and no band; the defect-free table has no difference to itself."""
    none, defect = rows.growth_rows(one_seed.loop)
    assert (none["difference"], none["band"], none["share"]) == (None, None, 23 / 24)
    assert (defect["difference"], defect["low"], defect["high"]) == (-4 / 24, None, None)


@pytest.mark.parametrize("table", ["none", "D8", "D10"])
def test_reliability(m, table):
    """pass@k and pass^k are the shares of all choices of k seeds with one success, and with nothing else."""
    failing = [sum(task in row["failing"] for row in by_table(m, table)) for task in m.loop.tasks]
    for row in rows.reliability_rows(m.loop):
        if row["table"] == table:
            k = row["k"]
            assert row["pass_at_k"] == pytest.approx(sum(1 - comb(f, k) / comb(20, k) for f in failing) / 24)
            assert row["pass_hat_k"] == pytest.approx(sum(comb(20 - f, k) / comb(20, k) for f in failing) / 24)


def test_reliability_of_more_tries_than_seeds(one_seed):
    """Nobody can say how two tries go after one."""
    found = {row["k"]: row for row in rows.reliability_rows(one_seed.loop) if row["table"] == "none"}
    assert found[1]["pass_at_k"] == found[1]["pass_hat_k"] == 23 / 24
    assert [(found[k]["pass_at_k"], found[k]["pass_hat_k"]) for k in (2, 5, 10)] == [(None, None)] * 3


def test_exact_rows(m):
    """A row per table and task; over tasks the mean is the expected success, and tokens have their percentile."""
    found = rows.exact_rows(m.loop)
    assert len(found) == 4 * 24
    none = [row for row in found if row["table"] == "none"]
    assert sum(row["success"] for row in none) / 24 == pytest.approx(0.939077, abs=5e-7)
    for row, one in zip(none, m.loop.exact["none"], strict=True):
        assert row["steps"] == pytest.approx(sum(n * p for n, p in one.steps.items()))
        assert sum(p for n, p in one.tokens.items() if n <= row["tokens_95"]) >= 0.95 - 1e-9
        assert sum(p for n, p in one.tokens.items() if n < row["tokens_95"]) < 0.95


def test_the_exact_number_of_failing_tasks(m):
    """How likely more than so many fail is the tail of scipy's Poisson binomial, and falls to 0 at all tasks."""
    for table, several in m.loop.exact.items():
        tail = [row["fails_more"] for row in rows.run_rows(m.loop) if row["table"] == table]
        law = stats.poisson_binom([1 - one.success for one in several])
        assert tail == pytest.approx([law.sf(number) for number in range(25)], abs=1e-12)
        assert tail == sorted(tail, reverse=True)
        assert (len(tail), tail[-1]) == (25, 0.0)


def test_rules_side_by_side(m):
    """One row per defect: three verdicts, the figures of the pairs, the exact difference, and the seeds needed."""
    found = {row["defect"]: row for row in rows.rule_rows(m.defects, m.verdicts, m.loop)}
    assert list(found) == ["D2", "D8", "D10"]
    d2, d10 = found["D2"], found["D10"]
    assert (d2["invisible"], d2["seeds_needed"], d2["exact_difference"], d2["states"]) == (True, None, 0.0, 546)
    assert (d10["band"], d10["paired"], d10["exact"]) == ("missed", "caught", "caught")
    assert (d10["newly_failing"], d10["newly_passing"], d10["pairs"]) == (140, 18, 480)
    assert d10["difference"] == pytest.approx(-(140 - 18) / 480)
    assert d10["low"] < d10["difference"] < d10["high"] < 0
    assert d10["low_other_tasks"] < d10["low"]  # other tasks may differ more than seeds do


def test_rules_without_machines():
    """What needs machines is not there under the walk: neither invisible nor visible, and no number of seeds."""
    m = tb.measure("metering", seeds=2, defects=["D2"], engine="walk", layers=["loop"])
    [row] = rows.rule_rows(m.defects, m.verdicts, m.loop)
    assert (row["exact"], row["band"]) == ("not measured", "missed")
    assert (row["invisible"], row["seeds_needed"], row["success"], row["exact_difference"]) == (None,) * 4
