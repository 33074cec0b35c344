"""The power of paired runs: against counting every way, scipy's distributions, and simulation."""

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from toolbench import power as module
from toolbench.power import paired_power, power_curve, seeds_needed
from toolbench.statistics import mcnemar

LEVELS = st.sampled_from([0.05, 0.01, 0.0625, 0.3, 1e-4, 0.999])
RUNS = 20_000

UNLIKE = {
    "all alike": ([0.06] * 24, [0.03] * 24),
    "one always fails, the rest waver": ([1.0] + [0.1] * 23, [0.0] + [0.1] * 23),
    "one fails often, the rest waver a little": ([0.8] + [0.02] * 9, [0.05] + [0.02] * 9),
    "two, unlike": ([0.3, 0.1], [0.1, 0.1]),
    "always one or the other": ([0.6], [0.4]),
    "always one or the other, and one that only fails": ([0.5, 0.5], [0.5, 0.0]),
    "only failing": ([0.3, 0.01], [0.0, 0.0]),
    "rare": ([2e-4] * 10, [1e-4] * 10),
    "more pass than fail": ([0.1, 0.2], [0.4, 0.1]),
}


@st.composite
def tasks(draw, most=4):
    """The probabilities of a few tasks, those of a task adding up to 1 at most; sure and impossible ones among them."""
    weights = st.tuples(*[st.sampled_from([0, 1, 2, 5, 40])] * 3).filter(any)
    drawn = draw(st.lists(weights, min_size=1, max_size=most))
    return [a / (a + b + c) for a, b, c in drawn], [b / (a + b + c) for a, b, c in drawn]


@cache
def seen(failing, passing, level):
    return failing > passing and mcnemar(failing, passing) < level


def by_counting(newly_failing, newly_passing, seeds, level):
    """The power from the chances of every pair of counts, one task and seed added at a time."""
    chances = np.ones((1, 1))
    for a, b in list(zip(newly_failing, newly_passing, strict=True)) * seeds:
        chances = (
            np.pad(chances, ((0, 1), (0, 1))) * (1 - a - b)
            + np.pad(chances, ((1, 0), (0, 1))) * a
            + np.pad(chances, ((0, 1), (1, 0))) * b
        )
    return sum(chance for (x, y), chance in np.ndenumerate(chances) if seen(x, y, level))


def by_simulation(newly_failing, newly_passing, seeds):
    """The share of simulated measurements that see the defect at level 0.05."""
    rng = np.random.default_rng(20240229)
    chances = [[a, b, max(0.0, 1 - a - b)] for a, b in zip(newly_failing, newly_passing, strict=True)]
    drawn = sum(rng.multinomial(seeds, chance, size=RUNS) for chance in chances)
    pairs, times = np.unique(drawn[:, :2], axis=0, return_counts=True)
    return sum(n for (x, y), n in zip(pairs.tolist(), times.tolist(), strict=True) if plainly_seen(x, y)) / RUNS


def plainly_seen(failing, passing):
    """Whether a defect is seen at level 0.05, where there are many pairs by a glance at their normal score."""
    score = (failing - passing) / math.sqrt(failing + passing or 1)
    if failing + passing > 400 and not 1.8 < score < 2.2:
        return score > 2
    return seen(failing, passing, 0.05)


def simulation_error(power):
    """Four standard errors, and what one run in 20,000 more or less would make of a power near 0 or 1."""
    return 4 * math.sqrt(power * (1 - power) / RUNS) + 4 / RUNS


@settings(max_examples=60)
@given(tasks(), st.integers(1, 9), LEVELS)
def test_the_power_by_counting(probabilities, seeds, level):
    """However unlike the tasks are, the power is the sum over all pairs of counts that show the defect."""
    assert paired_power(*probabilities, seeds, level) == pytest.approx(
        by_counting(*probabilities, seeds, level), abs=1e-12
    )


@pytest.mark.parametrize("seeds", [7, 50, 8000])
@pytest.mark.parametrize(("failing", "passing", "tasks"), [(0.06, 0.03, 4), (0.26, 0.25, 1), (0.5, 0.0, 1)])
def test_the_power_of_tasks_that_are_alike(failing, passing, tasks, seeds):
    """When all tasks are alike, a binomial number of pairs changes, and a binomial number of these newly fails."""
    n = tasks * seeds
    changed = np.arange(n + 1)
    most_unseen = stats.binom.isf(0.025, changed, 0.5)
    of_these = stats.binom.sf(most_unseen, changed, failing / (failing + passing))
    expected = np.sum(stats.binom.pmf(changed, n, failing + passing) * of_these)
    assert paired_power([failing] * tasks, [passing] * tasks, seeds) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("seeds", [1, 8, 60, 5000])
@pytest.mark.parametrize(("failing", "passing"), UNLIKE.values(), ids=UNLIKE)
def test_the_power_by_simulation(failing, passing, seeds):
    """The power is the share of simulated measurements that see the defect, from one seed to many."""
    power = paired_power(failing, passing, seeds)
    assert abs(power - by_simulation(failing, passing, seeds)) < simulation_error(power)


@pytest.mark.parametrize("seeds", [10**6, 10**9])
@pytest.mark.parametrize("tasks", [1, 12])
def test_the_power_of_very_many_seeds(tasks, seeds):
    """With counts in the millions a tiny excess is judged as in a simulation."""
    excess = 1.2 / math.sqrt(tasks * seeds)
    failing, passing = [0.1 + excess] + [0.1 + excess / 2] * (tasks - 1), [0.1] * tasks
    power = paired_power(failing, passing, seeds)
    assert 0.2 < power < 0.95
    assert abs(power - by_simulation(failing, passing, seeds)) < simulation_error(power) + 1e-4


@pytest.mark.parametrize("level", [0.9999, 0.05, 0.001])
@pytest.mark.parametrize("excess", [0.5, 1.5, 3])
@pytest.mark.parametrize("base", [(0.1, 0.1), (0.3, 0.02), (0.49, 0.49)])
def test_the_normal_approximation(base, excess, level, monkeypatch):
    """Where the approximation begins it differs from the exact power by less than 1e-4."""
    failing, passing = [*base, 1.0], [*reversed(base), 0.0]  # balanced, and one task that fails at each seed
    seeds = 10**6
    spread = math.sqrt(sum(failing[:2] + passing[:2]) - 2 * (base[0] - base[1]) ** 2)
    failing[2] = excess * spread / math.sqrt(seeds)
    monkeypatch.setattr(module, "_WIDEST", 1)
    rough = paired_power(failing, passing, seeds, level)
    monkeypatch.setattr(module, "_WIDEST", 10**6)
    assert rough == pytest.approx(paired_power(failing, passing, seeds, level), abs=1e-4)


@settings(max_examples=50)
@given(tasks(), st.integers(1, 60), LEVELS)
def test_laws_of_power(probabilities, seeds, level):
    """A power is a probability, does not depend on the order of tasks, and is no less at a more lenient level."""
    failing, passing = probabilities
    power = paired_power(failing, passing, seeds, level)
    assert 0 <= power <= 1
    assert paired_power(failing[::-1], passing[::-1], seeds, level) == pytest.approx(power, abs=1e-12)
    assert paired_power(failing, passing, seeds, min(0.9999, 2 * level)) >= power - 1e-12
    assert paired_power([*failing, 0.0], [*passing, 0.0], seeds, level) == pytest.approx(power, abs=1e-12)


@settings(max_examples=50)
@given(tasks(), st.integers(1, 10**9))
def test_a_false_alarm_is_no_likelier_than_half_the_level(probabilities, seeds):
    """Where each task newly passes as often as it newly fails, the share of alarms is half the level at most."""
    both = [(a + b) / 2 for a, b in zip(*probabilities, strict=True)]
    assert paired_power(both, both, seeds) <= 0.025 + 1e-4


@settings(max_examples=20)
@given(tasks(most=3), st.sampled_from([0.5, 0.8, 0.9]), LEVELS)
def test_the_seeds_that_are_needed(probabilities, power, level):
    """The power is reached at the answer, and at no smaller number of seeds."""
    needed = seeds_needed(*probabilities, power=power, level=level)
    assume(needed is None or needed <= 150)
    if needed is None:
        assert sum(probabilities[0]) <= sum(probabilities[1]) + 1e-4
        return
    reached = [seeds for seeds, p in power_curve(*probabilities, range(1, needed + 1), level) if p >= power]
    assert reached == [needed]


@pytest.mark.parametrize(("failing", "passing"), list(UNLIKE.values())[:-1], ids=list(UNLIKE)[:-1])
def test_the_seeds_that_are_needed_by_simulation(failing, passing):
    """So many seeds do show the defect in nine of ten simulated measurements, and half as many do not."""
    needed = seeds_needed(failing, passing)
    power = paired_power(failing, passing, needed)
    assert power >= 0.9 > paired_power(failing, passing, needed - 1)
    assert abs(power - by_simulation(failing, passing, needed)) < simulation_error(power)
    assert by_simulation(failing, passing, needed // 2) < 0.9


def test_seeds_by_hand():
    """A task that always fails with the defect alone needs six seeds: 2/2^6 is below 0.05, and 2/2^5 is not."""
    assert seeds_needed([1.0], [0.0]) == 6
    assert seeds_needed([1.0] * 3, [0.0] * 3) == 2
    assert seeds_needed([1.0] * 6, [0.0] * 6) == 1
    assert seeds_needed([1.0], [0.0], level=0.0625) == 6  # p has to be below the level, not at it
    assert [paired_power([1.0], [0.0], seeds) for seeds in (5, 6, 10**9)] == pytest.approx([0, 1, 1], abs=1e-12)


def test_a_saw_tooth():
    """Where the next numbers of seeds reach less, the least number that reaches the power is given all the same."""
    curve = dict(power_curve([0.99], [0.0], range(5, 10)))
    assert curve[6] == pytest.approx(0.99**6)
    teeth = dict(power_curve([0.95], [0.05], range(6, 12)))
    assert teeth[9] > teeth[10] > teeth[11]
    assert seeds_needed([0.95], [0.05], power=teeth[9] - 1e-6) == 9


def test_defects_that_are_not_visible():
    """Where no more tasks newly fail than newly pass, or all too few do, no number of seeds is enough."""
    assert seeds_needed([0.0, 0.0], [0.0, 0.0]) is None
    assert seeds_needed([0.3], [0.3]) is None
    assert seeds_needed([0.2, 0.1], [0.1, 0.3]) is None
    assert seeds_needed([1e-12], [0.0]) is None
    assert seeds_needed([0.3, 0.1], [0.1, 0.1], most=100) is None
    assert seeds_needed([0.3, 0.1], [0.1, 0.1], most=161) == 161


def test_a_power_curve():
    """The numbers of seeds stand beside their power, in the order in which they were given."""
    curve = power_curve([0.5], [0.1], [40, 10])
    assert [seeds for seeds, _ in curve] == [40, 10]
    assert [power for _, power in curve] == [paired_power([0.5], [0.1], seeds) for seeds in (40, 10)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired_power([], [], 5), "0 and 0 probabilities; each task needs both"),
        (lambda: paired_power([0.1, 0.2], [0.1], 5), "2 and 1 probabilities"),
        (lambda: paired_power([0.1, 0.7], [0.1, 0.4], 5), "task 1: newly failing 0.7, newly passing 0.4"),
        (lambda: paired_power([-0.1], [0.1], 5), "probabilities are 0 or more, and their sum 1 or less"),
        (lambda: paired_power([math.nan], [0.1], 5), "task 0: newly failing nan"),
        (lambda: paired_power([0.1], [0.1], 0), "seeds 0: at least one seed is needed"),
        (lambda: paired_power([0.1], [0.1], 5, 0.0), "level 0.0: a level of significance"),
        (lambda: paired_power([0.1], [0.1], 5, 1.0), "level 1.0"),
        (lambda: seeds_needed([0.1], [0.2], power=1.0), "power 1.0: a power lies between 0 and 1"),
        (lambda: seeds_needed([0.2], [0.1], most=0), "most 0: at least one seed is needed"),
        (lambda: seeds_needed([0.1], [0.1, 0.1]), "1 and 2 probabilities"),
        (lambda: seeds_needed([0.2], [0.1], level=1.0), "level 1.0"),
    ],
)
def test_numbers_that_cannot_be(call, message):
    """What cannot be a probability or a number of seeds is refused, with what was given and what would be right."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is compared
        call()
    assert message in str(caught.value)
