"""What a run over all tasks comes to, from what each task does by itself."""

from __future__ import annotations

from collections.abc import Sequence


def failing(success: Sequence[float]) -> list[float]:
    """The distribution of how many tasks a run over all of them fails: index -> probability, from 0 to all.

    Draws of different tasks are independent, so it is the Poisson binomial distribution (Y. H. Wang, "On the number of
    successes in independent trials", Statistica Sinica 3, 1993), computed by adding one task at a time.

    >>> failing([0.5, 0.5])
    [0.25, 0.5, 0.25]
    """
    distribution = [1.0]
    for right in success:
        longer = [0.0] * (len(distribution) + 1)
        for number, probability in enumerate(distribution):
            longer[number] += probability * right
            longer[number + 1] += probability * (1 - right)
        distribution = longer
    return distribution


def exceeding(success: Sequence[float]) -> list[float]:
    """How likely a run over all tasks fails more of them than a number: index -> probability, from 0 to all.

    >>> exceeding([0.5, 0.5])
    [0.75, 0.25, 0.0]
    """
    more, left = [], 0.0
    for probability in reversed(failing(success)):  # the small ones first, so that none is lost
        more.append(min(1.0, left))
        left += probability
    return more[::-1]


def fails_more_than(number: int, success: Sequence[float]) -> float:
    """The probability that a run over all tasks fails more than `number` of them.

    success: per task, the probability that it succeeds, as `exact` gives it.

    >>> fails_more_than(0, [0.5, 0.5])
    0.75
    """
    more = exceeding(success)
    return 1.0 if number < 0 else more[number] if number < len(more) else 0.0
