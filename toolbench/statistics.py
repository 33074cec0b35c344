"""What counts can tell: intervals for shares and means, tests of paired runs, and chances over repeated tries.

What no or one observation cannot tell is None (shown as n/a), never 0 or 1; counts that cannot be raise ValueError.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from operator import index
from statistics import NormalDist
from typing import TypeVar

Number = TypeVar("Number", bound=float)

CONFIDENCE = 19 / 20  # the customary level of an interval
_NORMAL = NormalDist()
_EXACT = 2000  # pairs up to which whole numbers are summed; Stirling's series serves where p is then above 1e-300


@dataclass(frozen=True)
class Interval:
    """The values that are compatible with what was seen, at a level of confidence."""

    low: float
    high: float
    level: float = CONFIDENCE


@dataclass(frozen=True)
class Mean:
    """A mean with its interval; None is what too few observations cannot tell."""

    value: float | None
    interval: Interval | None


def wilson(k: int, n: int, level: float = CONFIDENCE) -> Interval | None:
    """The score interval of a share, k of n; None when n is 0.

    With z the normal quantile, the shares s with |k/n - s| <= z sqrt(s(1 - s)/n). Exactly 0 at the low end when k is 0,
    exactly 1 at the high end when k is n, and never without width. Source: Wilson, JASA 22 (1927) 209-212.

    >>> found = wilson(0, 10)
    >>> found.low, round(found.high, 4)
    (0.0, 0.2775)
    """
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n}: a share needs counts with 0 <= k <= n")
    z = -_NORMAL.inv_cdf(_outside(level))
    if n == 0:
        return None
    upper = k + z * z / 2 + z * math.sqrt(k * (n - k) / n + z * z / 4)
    # The low end from the product of the two roots: their difference would lose the digits of a small share.
    return Interval(k * (k / n) / upper, 1.0 if k == n else min(1.0, upper / (n + z * z)), level)


def t_quantile(p: float, df: float) -> float:
    """The value that Student's t with df degrees of freedom (1 or more) stays below with probability p.

    Newton's method on the tail, which is an incomplete beta function (Abramowitz and Stegun 26.7.1, 26.5.8); where t is
    all but normal, the expansion in 1/df (26.7.5). Relative error below 1e-10, in bounded time for any df.

    >>> round(t_quantile(0.975, 2), 6), round(t_quantile(0.975, 1e9), 6)
    (4.302653, 1.959964)
    """
    if not (1e-300 <= p < 1 and df >= 1):
        raise ValueError(f"p = {p}, df = {df}: t needs a probability from 1e-300 to below 1, and df of 1 or more")
    if p > 0.5:
        return -t_quantile(1 - p, df)
    z = _NORMAL.inv_cdf(p)
    if df >= 1000 * (1 + z * z):
        return _nearly_normal(z, df)
    return 0.0 - (_central(0.5 - p, df) if p > 0.25 else _outer(p, df))


def _nearly_normal(z: float, df: float) -> float:
    s = z * z
    g3, g4 = ((3 * s + 19) * s + 17) * s - 15, (((79 * s + 776) * s + 1482) * s - 1920) * s - 945
    return z * (1 + ((s + 1) / 4 + (((5 * s + 16) * s + 3) / 96 + (g3 / 384 + g4 / 92160 / df) / df) / df) / df)


def _central(mass: float, df: float) -> float:
    """The t with this mass between 0 and t: concave in t, so that Newton from 0 never passes its aim."""
    t = step = mass / math.exp(_log_density(0.0, df))
    while abs(step) > 1e-12 * t:
        density, square = math.exp(_log_density(t, df)), t * t / df
        step = (mass - t * density / _fraction(0.5, df / 2, square / (1 + square))) / density
        t += step
    return t


def _outer(tail: float, df: float) -> float:
    """The t with this mass above it: in logarithms of both the tail is concave, however far out it lies."""
    log_t, step = math.log(-_NORMAL.inv_cdf(tail)), 1.0
    while abs(step) > 1e-12:
        t = math.exp(log_t)
        slope = df * _fraction(df / 2, 0.5, 1 / (1 + t * t / df))
        step = (log_t + _log_density(t, df) - math.log(slope * tail)) / slope
        log_t += step
    return t * math.exp(step)


def _log_density(t: float, df: float) -> float:
    a, r = df / 2, t / math.sqrt(df)
    gammas = math.lgamma(a + 0.5) - math.lgamma(a)
    if a > 100:  # the two cancel; this is the series of their difference
        gammas = math.log(a) / 2 + math.log1p(((((-21 / 32 / a + 5) / 8 / a + 1) / 16 / a) - 1) / 8 / a)
    spread = 2 * math.log(r) if r > 1e100 else math.log1p(r * r)
    return gammas - (a + 0.5) * spread - math.log(math.pi * df) / 2


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction F in I_x(a, b) = x^a (1 - x)^b / (a B(a, b) F), by Lentz's method (A&S 26.5.8)."""
    value, above, below, change, step = 1.0, 1.0, 0.0, 0.0, 0
    while abs(change - 1) > 1e-15:
        m, odd = divmod(step := step + 1, 2)
        term = (-(a + m) * (a + b + m) if odd else m * (b - m)) * x / ((a + step - 1) * (a + step))
        below = 1 / (1 + term * below)
        above = 1 + term / above
        change = above * below
        value *= change
    return value


def mean_interval(n: int, total: int, squares: int, level: float = CONFIDENCE, scale: int = 1) -> Mean:
    """The mean of n whole numbers with its t-interval, from their sum and their sum of squares.

    Mean and interval are divided by scale, which turns tasks per seed into shares. With differences per seed, the tasks
    are fixed and the seed is the unit. The variance is (n squares - total^2) / (n (n - 1)), in whole numbers, so that
    nothing cancels; equal numbers say nothing of how they vary, and have no interval. Source: Student, Biometrika 6
    (1908) 1-25.

    >>> found = mean_interval(3, total=6, squares=14)  # 1, 2 and 3
    >>> found.value, round(found.interval.low, 4), round(found.interval.high, 4)
    (2.0, -0.4841, 4.4841)
    """
    n, total, squares, scale = index(n), index(total), index(squares), index(scale)
    if n < 0 or scale < 1 or n * squares < total * total:
        sums = f"n = {n}, sum {total}, sum of squares {squares}, scale {scale}"
        raise ValueError(f"{sums}: n is 0 or more, scale 1 or more, and n squares no less than the sum squared")
    outside = _outside(level)
    if n < 2 or n * squares == total * total:
        return Mean(total / (n * scale) if n else None, None)
    value = total / (n * scale)
    error = math.sqrt((n * squares - total * total) / (n * n * (n - 1) * scale * scale))
    half = -t_quantile(outside, n - 1) * error
    return Mean(value, Interval(value - half, value + half, level))


def clustered_interval(sums: Sequence[int], size: int, level: float = CONFIDENCE) -> Mean:
    """The mean over all episodes when tasks were drawn too: the task is the unit, not the episode.

    sums: for each task, the sum of its differences over `size` seeds. The error is the cluster-robust one with its
    factor G/(G - 1), for G tasks, and t has G - 1 degrees of freedom.
    Source: Liang and Zeger, Biometrika 73 (1986) 13-22; Cameron and Miller, J. Human Resources 50 (2015) 317-372.

    >>> found = clustered_interval([2, 0, 1, 1], size=2)
    >>> found.value, round(found.interval.low, 4), round(found.interval.high, 4)
    (0.5, -0.1496, 1.1496)
    """
    return mean_interval(len(sums), sum(map(index, sums)), sum(index(s) ** 2 for s in sums), level, scale=size)


def mcnemar(newly_failing: int, newly_passing: int) -> float | None:
    """The exact two-sided p of paired runs: how often a fair coin would part the changed pairs as unevenly or more.

    min(1, 2 P(Bin(n, 1/2) <= k)) with k the smaller count and n the sum; None when no pair changed. The nearest float
    up to 2000 pairs; beyond, relative error below 1e-9, and 0 for what is below 1e-300.
    Source: McNemar, Psychometrika 12 (1947) 153-157; exact form in Fagerland et al., BMC Med. Res. Meth. 13 (2013) 91.

    >>> mcnemar(6, 0), mcnemar(5, 0), mcnemar(0, 0)
    (0.03125, 0.0625, None)
    """
    k, n = index(min(newly_failing, newly_passing)), index(newly_failing + newly_passing)
    if k < 0:
        raise ValueError(f"{newly_failing} newly failing, {newly_passing} newly passing: counts are 0 or more")
    if n - 2 * k < 2:
        return 1.0 if n else None
    if n <= _EXACT:
        terms = accumulate(range(k), lambda term, i: term * (n - i) // (i + 1), initial=1)
        return min(1.0, 2 * sum(terms) / (1 << n))
    return min(1.0, _fair(n, k) / _fraction(n - k, k + 1, 0.5))


def _fair(n: int, k: int) -> float:
    """P(Bin(n, 1/2) = k) for many tosses, without the difference of large logarithms (Loader 2000, saddle points)."""
    d = (n - 2 * k) / n
    if n * d * d / 2 > 745:  # a bound of what follows: below the least float
        return 0.0
    deviance = n / 2 * (math.log1p(-d * d) + 2 * d * math.atanh(d))
    stirling = [1 / (12 * m) - 1 / (360 * m**3) + 1 / (1260 * m**5) for m in (n, k, n - k)]
    return math.sqrt(n / (2 * math.pi * k * (n - k))) * math.exp(stirling[0] - stirling[1] - stirling[2] - deviance)


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Each p adjusted for the whole family, so that the chance of any false alarm keeps its level.

    The i-th smallest of m is multiplied by m - i + 1, is no less than those before it, and 1 at most. None stays None
    and counts as a member, as a p of 1 would. Source: Holm, Scand. J. Statistics 6 (1979) 65-70.

    >>> holm([0.01, None, 0.5, 0.02])
    [0.04, None, 1.0, 0.06]
    """
    adjusted: list[float | None] = [None] * len(p_values)
    floor = 0.0
    for rank, (p, place) in enumerate(sorted((p, place) for place, p in enumerate(p_values) if p is not None)):
        if not 0 <= p <= 1:
            raise ValueError(f"p value {p} at place {place}: a probability lies from 0 to 1")
        floor = max(floor, min(1.0, p * (len(p_values) - rank)))
        adjusted[place] = floor
    return adjusted


def pass_at(k: int, n: int, c: int) -> float | None:
    """pass@k: the chance that at least one of k tries succeeds, when c of n did; None when k is above n.

    1 - C(n - c, k) / C(n, k), unbiased, precise also near 0. Source: Chen et al., Codex, arXiv:2107.03374 (2021).

    >>> pass_at(1, 10, 3), round(pass_at(2, 10, 3), 4), pass_at(11, 10, 3)
    (0.3, 0.5333, None)
    """
    return _none_and_some(k, n, c, marked=c)[1]


def pass_hat(k: int, n: int, c: int) -> float | None:
    """pass^k: the chance that all of k tries succeed, when c of n did; None when k is above n.

    C(c, k) / C(n, k), unbiased. Source: Yao et al., tau-bench, arXiv:2406.12045 (2024).

    >>> pass_hat(1, 10, 5), round(pass_hat(2, 10, 5), 4), pass_hat(2, 1, 1)
    (0.5, 0.2222, None)
    """
    return _none_and_some(k, n, c, marked=n - c)[0]


def _none_and_some(k: int, n: int, c: int, marked: int) -> tuple[float, float] | tuple[None, None]:
    """The chances that k of n tries, drawn without putting back, hold none and at least one of the marked."""
    if k < 1 or not 0 <= c <= n:
        raise ValueError(f"k = {k}, n = {n}, c = {c}: k tries need k >= 1, and c successes of n need 0 <= c <= n")
    if k > n:
        return None, None
    few, many = sorted((marked, k))  # which of the two is drawn makes no difference
    if few + many > n:
        return 0.0, 1.0
    none, some = 1.0, 0.0
    for i in range(few):
        some += none * (many / (n - i))  # a sum without minus keeps the digits of a small chance
        none *= (n - many - i) / (n - i)
    return none, min(1.0, some)


def percentile(values: Iterable[Number], q: float) -> Number | None:
    """The least of the values that at least q percent of them do not exceed (nearest rank); None without values.

    q = 0 is the least value. q means the number as written: 99.9 percent of 1000 is the 999th.
    Source: Hyndman and Fan, American Statistician 50 (1996) 361-365, definition 1.

    >>> percentile([30, 10, 20, 40], 50), percentile([30, 10, 20, 40], 51)
    (20, 30)
    """
    ordered, share = sorted(values), _share(q)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else None


def percentile_of(distribution: Mapping[Number, float], q: float) -> Number | None:
    """The percentile (nearest rank) of values given with their counts or probabilities; None when none has any.

    Counts are summed exactly; fractions reach a rank from 1e-12 of their sum below it, since rounded sums fall short.

    >>> percentile_of({1: 0.1, 2: 0.2, 3: 0.7}, 30), percentile_of({1: 1, 2: 2, 3: 7}, 31)
    (2, 3)
    """
    for value, weight in distribution.items():
        if not 0 <= weight < math.inf:
            raise ValueError(f"weight {weight} of {value}: a count or probability is 0 or more")
    share, ordered = _share(q), sorted(value for value, weight in distribution.items() if weight)
    if q == 100 or not ordered:
        return ordered[-1] if ordered else None
    reached = list(accumulate(distribution[value] for value in ordered))
    slack = 1e-12 * reached[-1] if isinstance(reached[-1], float) else 0
    return ordered[bisect_left(reached, share * reached[-1] - slack)]


def _share(q: float) -> Fraction:
    if not 0 <= q <= 100:
        raise ValueError(f"q = {q}: a percentile lies from 0 to 100")
    return Fraction(str(q)) / 100


def _outside(level: float) -> float:
    """The probability that an interval leaves out at each end."""
    if not 0 < level < 1:
        raise ValueError(f"level {level}: a level of confidence lies between 0 and 1")
    return (1 - level) / 2
