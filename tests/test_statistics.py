"""Intervals, tests of paired runs, and chances over repeated tries: against scipy, statsmodels and counting."""

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import special, stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from toolbench.statistics import (
    Mean,
    clustered_interval,
    holm,
    mcnemar,
    mean_interval,
    pass_at,
    pass_hat,
    percentile,
    percentile_of,
    t_quantile,
    wilson,
)

LEVELS = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999999])
PROBABILITIES = st.floats(0, 1)
DIFFERENCES = st.lists(st.integers(-50, 50), min_size=2, max_size=40)


@st.composite
def counts(draw, most=10**9):
    """A count k of n, with n at least 1."""
    n = draw(st.integers(1, most))
    return draw(st.integers(0, n)), n


# --- a share --------------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(counts(), LEVELS)
def test_the_interval_of_a_share(count, level):
    """The score interval is that of statsmodels, from one try to a billion."""
    found = wilson(*count, level)
    low, high = proportion_confint(*count, alpha=1 - level, method="wilson")
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9, abs=1e-14)
    assert found.level == level


@settings(max_examples=50)
@given(counts(), LEVELS)
def test_a_share_lies_in_its_interval(count, level):
    """The interval holds the share, stays within 0 and 1, has a width, and mirrors when failures are counted."""
    k, n = count
    found, mirrored = wilson(k, n, level), wilson(n - k, n, level)
    assert 0 <= found.low <= k / n * (1 + 1e-15) and k / n * (1 - 1e-15) <= found.high <= 1
    assert found.low < found.high
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((found.low, found.high), rel=1e-9, abs=1e-15)


@given(st.integers(1, 10**6), LEVELS)
def test_the_ends_of_a_share(n, level):
    """None of n begins at exactly 0 and does not end there; all of n ends at exactly 1 and begins below."""
    none, every = wilson(0, n, level), wilson(n, n, level)
    assert none.low == 0 < none.high < 1
    assert every.high == 1 > every.low > 0


@given(counts(most=10**6))
def test_an_interval_narrows_with_tries_and_widens_with_the_level(count):
    """The same share of four times as many tries is known better; more confidence costs width."""
    k, n = count
    width = {name: found.high - found.low for name, found in {
        "as it is": wilson(k, n), "more tries": wilson(4 * k, 4 * n), "more confidence": wilson(k, n, 0.99),
    }.items()}  # fmt: skip
    assert width["more tries"] < width["as it is"] < width["more confidence"]


def test_a_share_of_nothing():
    """No try tells nothing of a share; one try tells little, but something."""
    assert wilson(0, 0) is None
    assert wilson(1, 1).low == pytest.approx(0.206549, abs=1e-6)


# --- Student's t ----------------------------------------------------------------------------------------------


@given(st.floats(1, 1e7) | st.integers(1, 300), st.floats(-12, math.log10(0.49)), st.booleans())
def test_quantiles_of_t(df, exponent, upper):
    """The quantile is that of scipy, in both tails."""
    p = 1 - 10**exponent if upper else 10**exponent
    assert t_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-9)


@given(st.floats(0, 7), st.floats(-13, math.log10(0.49)))
def test_quantiles_of_t_lead_back(log_df, exponent):
    """What lies below a quantile has the probability that was asked for."""
    p, df = 10**exponent, 10**log_df
    assert special.stdtr(df, t_quantile(p, df)) == pytest.approx(p, rel=1e-9)


@given(st.floats(-290, math.log10(0.5)))
def test_quantiles_of_t_in_closed_form(exponent):
    """With one and with two degrees of freedom the quantile is an elementary function."""
    p = min(0.5, 10**exponent)
    assert t_quantile(p, 1) == pytest.approx(-1 / math.tan(math.pi * p), rel=1e-12, abs=1e-15)
    assert t_quantile(p, 2) == pytest.approx(-(1 - 2 * p) / math.sqrt(2 * p * (1 - p)), rel=1e-12)


@settings(max_examples=50)
@given(st.floats(1e-17, 0.4), st.floats(1, 1e9))
def test_quantiles_of_t_near_the_middle(mass, df):
    """Near one half, where a quantile is all but 0, it still has its digits: mass over density, and mirrored."""
    p = 0.5 + mass
    t = t_quantile(p, df)
    assert t_quantile(1 - p, df) == -t  # 1 - p is exact for these
    if mass < 1e-7:
        assert t == pytest.approx((p - 0.5) / stats.t.pdf(0, df), rel=1e-9)


@settings(max_examples=50)
@given(st.floats(1e-200, 0.4), st.floats(1, 1e5), st.floats(1.001, 10))
def test_quantiles_of_t_fall_towards_the_normal(p, df, times):
    """More degrees of freedom bring a quantile nearer to the normal one, and it does not jump where methods change."""
    fewer, more = t_quantile(p, df), t_quantile(p, df * times)
    assert fewer < more < stats.norm.ppf(p) * (1 - 1e-15)


@pytest.mark.parametrize("df", [1e7, 1e8, 1e12, 1e300, math.inf])
def test_quantiles_of_t_without_end(df):
    """With ever more degrees of freedom t becomes normal, and takes no longer."""
    assert t_quantile(0.975, df) == pytest.approx(1.959963984540054 * (1 + 1.2103647 / df), rel=1e-13)
    assert t_quantile(0.5, df) == 0


# --- a mean ---------------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(DIFFERENCES, LEVELS, st.integers(1, 30))
def test_the_interval_of_a_mean(values, level, scale):
    """Mean and interval are those of scipy, in units of the scale."""
    assume(len(set(values)) > 1)
    found = mean_interval(len(values), sum(values), sum(v * v for v in values), level, scale)
    shares = np.array(values) / scale
    expected = stats.t.interval(level, len(values) - 1, loc=shares.mean(), scale=stats.sem(shares))
    assert found.value == pytest.approx(shares.mean(), abs=1e-12)
    assert (found.interval.low, found.interval.high) == pytest.approx(expected, rel=1e-8, abs=1e-10)


@settings(max_examples=50)
@given(DIFFERENCES, st.integers(-(10**15), 10**15))
def test_the_width_does_not_depend_on_where_the_mean_lies(values, shift):
    """However far the numbers lie from 0, nothing cancels: the spread stays what it is."""
    moved = [v + shift for v in values]
    here, there = (mean_interval(len(x), sum(x), sum(v * v for v in x)) for x in (values, moved))
    if here.interval is None:
        assert there.interval is None
        return
    width = here.interval.high - here.interval.low
    assert there.interval.high - there.interval.low == pytest.approx(width, abs=1e-15 * abs(shift) + 1e-9)


def test_equal_numbers():
    """Numbers that do not differ have a mean, and no interval: they do not tell how they vary."""
    assert mean_interval(4, total=12, squares=36, level=0.9) == Mean(3.0, None)


def test_no_number_and_one_number():
    """No number has no mean; one number has a mean and no interval."""
    assert mean_interval(0, total=0, squares=0) == Mean(None, None)
    assert mean_interval(1, total=3, squares=9, scale=4) == Mean(0.75, None)


def test_whole_numbers_of_numpy_do_not_overflow():
    """Sums that numpy hands over are taken as whole numbers without bound."""
    big = np.int64(2**62)
    assert mean_interval(2, big, 2**123).value == 2.0**61
    with pytest.raises(TypeError):
        mean_interval(2, 1.5, 2)


@settings(max_examples=40)
@given(st.integers(1, 6), st.data())
def test_the_interval_clustered_by_task(size, data):
    """It is the cluster-robust interval of a regression on nothing but the intercept, as statsmodels has it."""
    tasks = data.draw(st.lists(st.lists(st.integers(-1, 1), min_size=size, max_size=size), min_size=2, max_size=12))
    sums = [sum(task) for task in tasks]
    assume(len(set(sums)) > 1)
    episodes, groups = np.array(tasks, float).ravel(), np.repeat(np.arange(len(tasks)), size)
    fit = OLS(episodes, np.ones(len(episodes))).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    found = clustered_interval(sums, size, 0.9)
    assert found.value == pytest.approx(fit.params[0], abs=1e-12)
    assert [found.interval.low, found.interval.high] == pytest.approx(fit.conf_int(0.1)[0], abs=1e-9)


def test_few_tasks():
    """No task tells nothing; one task tells a mean, and nothing of how tasks differ."""
    assert clustered_interval([], size=5) == Mean(None, None)
    assert clustered_interval([3], size=4) == Mean(0.75, None)


# --- paired runs ----------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(st.integers(0, 400), st.integers(0, 400))
def test_p_of_paired_runs(failing, passing):
    """It is the p of statsmodels, the same when the two are exchanged, and the nearest float to the exact share."""
    assume(failing + passing)
    k, n = min(failing, passing), failing + passing
    p = mcnemar(failing, passing)
    assert p == mcnemar(passing, failing)
    assert p == pytest.approx(mcnemar_of_statsmodels([[0, failing], [passing, 0]], exact=True).pvalue, rel=1e-9)
    assert p == float(min(Fraction(1), Fraction(2 * sum(math.comb(n, i) for i in range(k + 1)), 2**n)))


@settings(max_examples=50)
@given(st.integers(10, 5 * 10**7), st.floats(0, 30))
def test_p_of_many_paired_runs(n, distance):
    """With up to tens of millions of pairs, from one to thirty deviations out, nine digits stay right."""
    k = max(0, math.floor(n / 2 - distance * math.sqrt(n) / 2))
    expected = min(1.0, 2 * special.betainc(n - k, k + 1, 0.5))
    assume(expected > 1e-290)
    assert mcnemar(n - k, k) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("n", [2000, 2001])
@pytest.mark.parametrize("k", [330, 800, 999])
def test_p_where_its_method_changes(n, k):
    """Just above the number of pairs up to which whole numbers are summed, p is as exact as below."""
    exact = Fraction(2 * sum(math.comb(n, i) for i in range(k + 1)), 2**n)
    assert mcnemar(k, n - k) == pytest.approx(float(min(Fraction(1), exact)), rel=1e-12)


@settings(max_examples=50)
@given(st.integers(1, 3000), st.integers(0, 3000))
def test_p_falls_the_more_one_sided_the_pairs_are(failing, passing):
    """One more newly failing task, when these are the more, lowers p; one to balance it raises it."""
    assume(failing > passing)
    p = mcnemar(failing, passing)
    assert 0 <= mcnemar(failing + 1, passing) <= p <= mcnemar(failing, passing + 1) <= 1


def test_p_at_its_ends():
    """No changed pair has no p; one has 1; evenly parted ones have 1; what is too small to be said is 0."""
    assert mcnemar(0, 0) is None
    assert [mcnemar(1, 0), mcnemar(0, 1), mcnemar(7, 7), mcnemar(10**7, 10**7)] == [1, 1, 1, 1]
    assert mcnemar(900, 0) == 2.0**-899
    assert mcnemar(10**7, 0) == mcnemar(0, 3000) == 0
    assert mcnemar(np.int64(6), np.int64(0)) == 0.03125


# --- a family of tests ----------------------------------------------------------------------------------------


@settings(max_examples=5)  # statsmodels collects garbage at each call
@given(st.lists(PROBABILITIES, min_size=1, max_size=30))
def test_holm(p_values):
    """The adjusted p values are those of statsmodels."""
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1], rel=1e-12, abs=1e-300)


@settings(max_examples=50)
@given(st.lists(PROBABILITIES | st.none(), max_size=12), st.randoms(use_true_random=False))
def test_laws_of_holm(p_values, random):
    """Nothing falls, nothing passes 1, smaller stays smaller, order is of no matter, and None counts as a p of 1."""
    adjusted = holm(p_values)
    known = sorted((p, a) for p, a in zip(p_values, adjusted, strict=True) if p is not None)
    assert [a is None for a in adjusted] == [p is None for p in p_values]
    assert all(p <= a <= 1 for p, a in known)
    assert [a for _, a in known] == sorted(a for _, a in known)
    full = holm([1.0 if p is None else p for p in p_values])
    assert [a for a in adjusted if a is not None] == [f for f, p in zip(full, p_values, strict=True) if p is not None]
    order = list(range(len(p_values)))
    random.shuffle(order)
    assert holm([p_values[i] for i in order]) == [adjusted[i] for i in order]


def test_holm_of_nothing():
    """An empty family stays empty; one without any p tells nothing."""
    assert holm([]) == []
    assert holm([None, None]) == [None, None]


# --- repeated tries -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(1, 8))
def test_chances_by_drawing_every_way(n):
    """At least one, and all, of k tries: the share of the ways to draw k of n, each way looked at."""
    for c in range(n + 1):
        for k in range(1, n + 1):
            ways = [sum(try_ < c for try_ in way) for way in combinations(range(n), k)]
            assert pass_at(k, n, c) == pytest.approx(sum(hits > 0 for hits in ways) / len(ways), rel=1e-14)
            assert pass_hat(k, n, c) == pytest.approx(sum(hits == k for hits in ways) / len(ways), rel=1e-14)


@settings(max_examples=50)
@given(st.data())
def test_chances_of_many_tries(data):
    """With up to ten million tries and thousands drawn, all digits stay right, near 0 too."""
    k, n = data.draw(st.integers(1, 3000)), data.draw(st.integers(1, 10**7))
    k = min(k, n)
    few = data.draw(st.integers(0, min(n, 3000)))
    c = data.draw(st.sampled_from([few, n - few, n // 2]))
    ways = math.comb(n, k)
    assert pass_at(k, n, c) == pytest.approx((ways - math.comb(n - c, k)) / ways, rel=1e-11, abs=1e-300)
    assert pass_hat(k, n, c) == pytest.approx(math.comb(c, k) / ways, rel=1e-11, abs=1e-300)


@settings(max_examples=50)
@given(counts(most=10**7), st.integers(1, 2000))
def test_laws_of_chances(count, k):
    """One try is the share; more tries help one to succeed and hinder all; no success of k is all k failing."""
    c, n = count
    assert pass_at(1, n, c) == pass_hat(1, n, n) * (c / n) == c / n
    assert pass_hat(1, n, c) == pytest.approx(c / n, rel=1e-12)
    if k < n:
        assert 0 <= pass_at(k, n, c) <= pass_at(k + 1, n, c) * (1 + 1e-12) <= 1 + 1e-12
        assert 1 >= pass_hat(k, n, c) >= pass_hat(k + 1, n, c) >= 0
        assert pass_at(k, n, c) + pass_hat(k, n, n - c) == pytest.approx(1, abs=1e-12)


def test_chances_at_their_ends():
    """More tries than were made tell nothing; never and always stay exactly 0 and 1."""
    assert [pass_at(3, 2, 1), pass_hat(3, 2, 1), pass_at(1, 0, 0), pass_hat(1, 0, 0)] == [None] * 4
    assert [pass_at(5, 9, 0), pass_hat(5, 9, 0), pass_at(5, 9, 9), pass_hat(5, 9, 9)] == [0, 0, 1, 1]
    assert [pass_at(5, 9, 5), pass_hat(5, 9, 4)] == [1, 0]
    assert pass_at(10**5, 10**7, 10**6) == pytest.approx(1, abs=1e-14)
    assert 0 <= pass_hat(10**5, 10**7, 9 * 10**6) < 1e-300


# --- ranks ----------------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(st.lists(st.integers(-100, 100) | st.floats(-100, 100), min_size=1, max_size=80), st.integers(0, 64))
def test_percentiles(values, sixty_fourths):
    """The nearest rank is numpy's inverted distribution function, wherever numpy's own share is exact."""
    expected = np.quantile(values, sixty_fourths / 64, method="inverted_cdf")
    assert percentile(values, 100 * sixty_fourths / 64) == expected


@given(st.integers(1, 400), st.integers(0, 1000))
def test_percentiles_as_written(n, tenths):
    """Of 1 to n the percentile is the rank itself, with q the decimal number that was written."""
    assert percentile(range(n, 0, -1), tenths / 10) == max(1, -(-n * tenths // 1000))


@settings(max_examples=50)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=200), st.integers(0, 1000))
def test_percentiles_of_a_distribution(values, tenths):
    """Values with their counts, or their shares, have the percentiles of the values written out."""
    expected, q = percentile(values, tenths / 10), tenths / 10
    times = Counter(values)
    assert percentile_of(times, q) == expected
    assert percentile_of({value: number / len(values) for value, number in times.items()}, q) == expected


def test_percentiles_at_their_ends():
    """Nothing has no percentile; 0 is the least value and 100 the greatest, however little weight they have."""
    assert percentile([], 50) is percentile_of({}, 50) is percentile_of({1: 0, 2: 0.0}, 50) is None
    assert [percentile([3], q) for q in (0, 50, 100)] == [3, 3, 3]
    rare = {0: 0, 1: 1e-300, 2: 1.0, 3: 1e-300, 4: 0}
    assert [percentile_of(rare, q) for q in (0, 50, 100)] == [1, 2, 3]


def test_a_sum_just_below_its_rank():
    """Ten tenths fall short of 1 as floats, and still reach their ranks."""
    tenths = dict.fromkeys(range(1, 11), 0.1)
    assert [percentile_of(tenths, q) for q in range(10, 101, 10)] == list(range(1, 11))
    assert percentile_of(tenths, 30.001) == 4
    assert percentile_of({1: 10**18, 2: 1}, 100 * (1 - 2**-53)) == 1


# --- what cannot be -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: wilson(3, 2), "3 of 2: a share needs counts with 0 <= k <= n"),
        (lambda: wilson(-1, 2), "-1 of 2"),
        (lambda: wilson(1, 2, 1.0), "level 1.0: a level of confidence lies between 0 and 1"),
        (lambda: wilson(0, 0, 95), "level 95"),
        (lambda: t_quantile(0, 3), "p = 0, df = 3: t needs a probability"),
        (lambda: t_quantile(1, 3), "p = 1, df = 3"),
        (lambda: t_quantile(0.5, 0.5), "df of 1 or more"),
        (lambda: t_quantile(0.5, math.nan), "df = nan"),
        (lambda: mean_interval(-1, 0, 0), "n = -1"),
        (lambda: mean_interval(2, 4, 7), "n = 2, sum 4, sum of squares 7, scale 1"),
        (lambda: mean_interval(0, 1, 1), "n squares no less than the sum squared"),
        (lambda: clustered_interval([1, 2], 0), "scale 0"),
        (lambda: mcnemar(-1, 3), "-1 newly failing, 3 newly passing: counts are 0 or more"),
        (lambda: holm([0.1, None, 1.2]), "p value 1.2 at place 2: a probability lies from 0 to 1"),
        (lambda: holm([math.nan]), "p value nan"),
        (lambda: pass_at(0, 5, 1), "k = 0, n = 5, c = 1: k tries need k >= 1"),
        (lambda: pass_hat(1, 5, 6), "c successes of n need 0 <= c <= n"),
        (lambda: pass_hat(9, 5, -1), "c = -1"),
        (lambda: pass_at(1, -1, 0), "n = -1"),
        (lambda: percentile([1], 101), "q = 101: a percentile lies from 0 to 100"),
        (lambda: percentile([], math.nan), "q = nan"),
        (lambda: percentile_of({1: -0.5}, 50), "weight -0.5 of 1: a count or probability is 0 or more"),
        (lambda: percentile_of({1: math.inf}, 50), "weight inf of 1"),
    ],
)
def test_counts_that_cannot_be(call, message):
    """What no count can be is refused, with what was given and what would be right."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is compared
        call()
    assert message in str(caught.value)
