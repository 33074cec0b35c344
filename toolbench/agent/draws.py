"""The generator that every episode draws from: small, portable, the same in any language.

A 32-bit mixing step (the finaliser of MurmurHash3 with other constants) turns a seed into a start state;
a linear congruential generator (Numerical Recipes, 2nd edition, section 7.1) gives the draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

SEEDS = 2**32
MIX = ((16, 2246822507), (13, 3266489909), (16, 1))  # shift to the right, exclusive or, multiply
FACTOR, STEP = 1664525, 1013904223
_MASK = SEEDS - 1


def start_state(seed: int) -> int:
    """The generator's state for a seed, before its first draw."""
    x = seed
    for shift, factor in MIX:
        x = ((x ^ (x >> shift)) * factor) & _MASK
    return x


def draws(seed: int) -> Callable[[], float]:
    """A function that gives the next draw in [0, 1) each time it is called.

    >>> draw = draws(0)
    >>> round(draw(), 6), round(draw(), 6)
    (0.236068, 0.278567)
    """
    return _stream(start_state(seed & _MASK)).__next__


def _stream(state: int) -> Iterator[float]:
    factor, step, mask, span = (
        FACTOR,
        STEP,
        _MASK,
        float(SEEDS),
    )  # an integer divides an integer slowly, a float exactly as well
    while True:
        state = (state * factor + step) & mask
        yield state / span


def trace_id(name: str) -> int:
    """The 32-bit FNV-1a hash of a name's code points: it sets episodes of one seed apart.

    >>> trace_id("a")
    3826002220
    """
    h = 2166136261
    for character in name:
        h = ((h ^ ord(character)) * 16777619) & _MASK
    return h


def pick(u: float, weights: Sequence[float]) -> int:
    """The index that a draw falls on when indices have these weights; the last one if the sum stays below it.

    >>> pick(0.31, [0.3, 0.7]), pick(0.999, [0.3, 0.3])
    (1, 1)
    """
    total = 0.0
    for index, weight in enumerate(weights):
        total += weight
        if u < total:
            return index
    return len(weights) - 1
