"""How many seeds until paired runs show a defect: the power of McNemar's exact test.

At each seed every task is run without and with the defect. A pair counts when it changed: newly failing (it fails with
the defect only) or newly passing. A defect is *seen* when mcnemar() over the pairs of all seeds is below the level
and more pairs newly fail than newly pass.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, takewhile
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from toolbench.statistics import mcnemar

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIGNIFICANCE = 1 / 20  # the customary level of a test
_WIDEST = 6001  # counts of the outer number up to which every one is looked at
_DIPS = 16  # seeds below an answer that are tried too, since the power of an exact test rises in a saw-tooth

# How a newly failing and a newly passing pair change a number: of those that fail, that pass, and of both.
_FAILING, _PASSING, _CHANGED = (1, 0), (0, 1), (1, 1)


def paired_power(
    newly_failing: Sequence[float], newly_passing: Sequence[float], seeds: int, level: float = SIGNIFICANCE
) -> float:
    """The probability that a defect is seen with this many seeds, from the probabilities of each task at one seed.

    Tasks and seeds are taken as independent. The numbers of newly failing and newly passing pairs are then sums of
    independent draws, and their joint distribution is the inverse Fourier transform of a product (for one number: Hong,
    Comp. Stat. Data Analysis 59 (2013) 41-51); it is summed over the counts with which the defect is seen. Exact to
    1e-12, also when tasks differ, while a count has a standard deviation below 330; beyond, a normal approximation,
    good to 1e-4. (One share pooled over unlike tasks would say 0.03 too little on average, and up to 0.15.)

    >>> round(paired_power([1.0], [0.0], seeds=6), 6), round(paired_power([0.5], [0.0], seeds=6), 6)
    (1.0, 0.015625)
    """
    tasks = _tasks(newly_failing, newly_passing)
    if seeds < 1:
        raise ValueError(f"seeds {seeds}: at least one seed is needed")
    if not 0 < level < 1:
        raise ValueError(f"level {level}: a level of significance lies between 0 and 1")
    parted = _Parted.over(tasks, seeds)
    inner, outer = parted.axes()
    if outer.length > _WIDEST:
        return _normal_power(parted, level)
    return _exact_power(tasks, seeds, level, inner, outer)


def seeds_needed(
    newly_failing: Sequence[float],
    newly_passing: Sequence[float],
    power: float = 0.9,
    level: float = SIGNIFICANCE,
    most: int = 2**32,
) -> int | None:
    """The number of seeds at which a defect is seen with this power; None when no number up to `most` is enough.

    The power rises in a saw-tooth, so that a number can reach it while the next one does not. Given is one that reaches
    it while none of the 16 below does, found by doubling, halving the gap and walking down. It was the least of all
    wherever that was looked up, save where every pair changes at each seed and thousands are needed (1% less can do).
    None too when no more pairs are expected to fail newly than to pass: such a defect is not visible this way.

    >>> seeds_needed([1.0], [0.0]), seeds_needed([0.3, 0.1], [0.1, 0.1]), seeds_needed([0.2], [0.2])
    (6, 161, None)
    """
    if not 0 < power < 1:
        raise ValueError(f"power {power}: a power lies between 0 and 1")
    if most < 1:
        raise ValueError(f"most {most}: at least one seed is needed")

    @cache
    def enough(seeds: int) -> bool:
        return paired_power(newly_failing, newly_passing, seeds, level) >= power

    low, high = 0, 1
    reached = enough(high)  # looks at the input too
    if math.fsum(newly_failing) <= math.fsum(newly_passing):
        return None
    while not reached:
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
        reached = enough(high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    below = high - 1
    while below > 0 and high - below <= _DIPS:
        high = below if enough(below) else high
        below -= 1
    return high


def power_curve(
    newly_failing: Sequence[float], newly_passing: Sequence[float], counts: Iterable[int], level: float = SIGNIFICANCE
) -> list[tuple[int, float]]:
    """The power at each of these numbers of seeds, beside the number.

    >>> [(seeds, round(power, 3)) for seeds, power in power_curve([0.9], [0.0], [5, 6, 7])]
    [(5, 0.0), (6, 0.531), (7, 0.85)]
    """
    return [(seeds, paired_power(newly_failing, newly_passing, seeds, level)) for seeds in counts]


Tasks = Sequence[tuple[float, float, float, int]]


def _tasks(newly_failing: Sequence[float], newly_passing: Sequence[float]) -> Tasks:
    """The kinds of tasks: how likely each newly fails, newly passes and stays, and how many tasks are of this kind."""
    if not len(newly_failing) == len(newly_passing) > 0:
        sizes = f"{len(newly_failing)} and {len(newly_passing)} probabilities"
        raise ValueError(f"newly failing, newly passing: {sizes}; each task needs both, and one task is needed")
    for place, (fails, passes) in enumerate(zip(newly_failing, newly_passing, strict=True)):
        if not (fails >= 0 and passes >= 0 and fails + passes <= 1 + 1e-9):
            found = f"newly failing {fails}, newly passing {passes}"
            raise ValueError(f"task {place}: {found}: probabilities are 0 or more, and their sum 1 or less")
    kinds = Counter((float(a), float(b)) for a, b in zip(newly_failing, newly_passing, strict=True))
    return [(a, b, max(0.0, 1 - a - b), times) for (a, b), times in kinds.items()]


@dataclass(frozen=True)
class _Axis:
    """A number of pairs: what changes it, the window that it all but surely lies in, the frequencies that matter."""

    kind: tuple[int, int]
    low: int
    length: int
    kept: int


@dataclass(frozen=True)
class _Parted:
    """Mean numbers of newly failing and newly passing pairs, and their variances in three parts.

    With chances a, b and c = 1 - a - b at each try, p, q and r are the sums of ab, ac and bc. Those that fail vary by
    p + q, those that pass by p + r, all that change by q + r, and the part in common is what two of them covary by.
    """

    failing: float
    passing: float
    p: float
    q: float
    r: float

    @classmethod
    def over(cls, tasks: Tasks, seeds: int) -> _Parted:
        return cls(
            failing=seeds * math.fsum(times * a for a, _, _, times in tasks),
            passing=seeds * math.fsum(times * b for _, b, _, times in tasks),
            p=seeds * math.fsum(times * a * b for a, b, _, times in tasks),
            q=seeds * math.fsum(times * a * c for a, _, c, times in tasks),
            r=seeds * math.fsum(times * b * c for _, b, c, times in tasks),
        )

    def axes(self) -> tuple[_Axis, _Axis]:
        """Two numbers to work with, the inner and the outer: not too dependent, and the outer as narrow as can be."""
        p, q, r = self.p, self.q, self.r
        changed = self.failing + self.passing
        pairs = [
            (p, (_FAILING, self.failing, p + q), (_PASSING, self.passing, p + r)),
            (q, (_FAILING, self.failing, p + q), (_CHANGED, changed, q + r)),
            (r, (_CHANGED, changed, q + r), (_PASSING, self.passing, p + r)),
        ]
        # At least one of the three has a squared correlation of 1/4 or less.
        fit = [pair for pair in pairs if pair[0] ** 2 <= 0.75 * pair[1][2] * pair[2][2]]
        common, inner, outer = min(fit, key=lambda pair: pair[2][2])
        return _axis(*inner, common, outer[2]), _axis(*outer, common, inner[2])


def _axis(kind: tuple[int, int], mean: float, variance: float, common: float, other: float) -> _Axis:
    reach = 9 * math.sqrt(variance) + 15 if variance else 0
    low = max(0, math.floor(mean - reach))
    length = (math.ceil(mean + reach) - low + 1) | 1  # odd, so that each frequency but 0 has its opposite
    # The transform at frequency f is at most exp(-own (1 - cos f)), own being the variance that is not the other's.
    own = variance - common * common / other if other else variance
    kept = length // 2 if own < 19 else min(length // 2, math.ceil(length * math.acos(1 - 37 / own) / math.tau))
    return _Axis(kind, low, length, kept)


def _exact_power(tasks: Tasks, seeds: int, level: float, inner: _Axis, outer: _Axis) -> float:
    import numpy as np

    psi = math.tau / inner.length * np.arange(inner.kept + 1)[:, None]  # the negative ones are their conjugates
    places = np.arange(-outer.kept, outer.kept + 1)
    theta = math.tau / outer.length * places
    failing, passing = (np.exp(1j * (inner.kind[i] * psi + outer.kind[i] * theta)) for i in (0, 1))
    size, angle = np.ones(failing.shape), -(inner.low * psi + outer.low * theta)
    for a, b, c, times in tasks:
        one = a * failing + b * passing + c
        size *= np.abs(one) ** (times * seeds)
        angle += times * seeds * np.angle(one)
    transform = np.zeros((inner.kept + 1, outer.length), complex)
    transform[:, places] = size * np.exp(1j * angle)
    joint = np.fft.fft(transform, axis=1)  # by inner frequency and outer number
    skipped = np.clip(_least_seen(level, inner, outer) - inner.low, 0, inner.length)
    above = (np.exp(-1j * psi[1:] * skipped) - 1) / (1 - np.exp(-1j * psi[1:]))  # a geometric sum
    total = np.sum(joint[0].real * (inner.length - skipped)) + 2 * np.sum((joint[1:] * above).real)
    return min(1.0, max(0.0, float(total) / (inner.length * outer.length)))


def _least_seen(level: float, inner: _Axis, outer: _Axis) -> NDArray[Any]:
    """For each outer number in its window, the least inner number at which the defect is seen."""
    import numpy as np

    numbers: NDArray[Any] = np.arange(outer.low, outer.low + outer.length)
    if outer.kind == _CHANGED:
        numbers += 1 - np.array(list(islice(_spoiling(level, outer.low), outer.length)))
        return numbers
    first = 2 * outer.low  # nothing is seen when half of the pairs newly pass
    spoiling = list(takewhile(lambda least: least <= numbers[-1], _spoiling(level, first)))
    pairs: NDArray[Any] = first + np.searchsorted(spoiling, numbers, side="right")
    return pairs if inner.kind == _CHANGED else pairs - numbers


def _spoiling(level: float, pairs: int) -> Iterator[int]:
    """For this number of changed pairs, and each higher one, the least newly passing with which nothing is seen.

    From one number of pairs to the next by Pascal's rule; tail and share are P(Bin(pairs, 1/2) <= least) and (= least).
    """
    least, tail, share, start = 0, 1.0, 1.0, pairs
    if start < 1000:
        pairs = 0
    else:
        pairs -= 1 - pairs % 2  # of an odd number half is always below the middle, and no p is cut off at 1
        least = math.floor(_nearly_spoiling(level, pairs)) - 1  # too low: counts have lighter tails than the normal
        while _p(pairs, least) < level:
            least += 1
        tail, share = _p(pairs, least) / 2, (_p(pairs, least) - _p(pairs, least - 1)) / 2
    while True:
        if pairs >= start:
            yield least
        pairs += 1
        tail -= share / 2
        share = share * pairs / (2 * (pairs - least))
        while 2 * tail < level:
            share = share * (pairs - least) / (least + 1)
            least += 1
            tail += share


def _p(pairs: int, passing: int) -> float:
    return (mcnemar(pairs - passing, passing) or 0.0) if passing >= 0 else 0.0


def _nearly_spoiling(level: float, pairs: Any) -> Any:
    return pairs / 2 + NormalDist().inv_cdf(level / 2) * pairs**0.5 / 2 - 0.5


def _normal_power(parted: _Parted, level: float) -> float:
    """The power for many pairs: those that fail newly are normal given all that change, which are normal too."""
    import numpy as np

    p, q, r = parted.p, parted.q, parted.r
    mean, deviation = parted.failing + parted.passing, math.sqrt(q + r)
    # An odd stride meets even and odd numbers alike: the test is kinder to one of them.
    pairs = np.arange(max(1, math.floor(mean - 9 * deviation)), mean + 9 * deviation, int(deviation / 500) * 2 + 1)
    weights = np.exp(-(((pairs - mean) / deviation) ** 2) / 2)
    least = pairs - np.ceil(_nearly_spoiling(level, pairs)) + 1
    expected = parted.failing + q / (q + r) * (pairs - mean)
    spread = max(1e-9, math.sqrt(p + q * r / (q + r)))  # 0 where the one number follows from the other
    above = [math.erfc(x) / 2 for x in ((least - 0.5 - expected) / (spread * math.sqrt(2))).tolist()]
    return float(np.average(above, weights=weights))
