"""Where the strategies' choices come from: the same ones each time, and none outside of what was asked for."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.internal.intervalsets import IntervalSet

from toolbench.checking.provider import NICE, Provider

LETTERS = IntervalSet.from_string("abcxyz")
SMALLEST = 5e-324


def draws(provider):
    return [
        *(provider.draw_integer() for _ in range(20)),
        *(provider.draw_boolean() for _ in range(20)),
        *(provider.draw_float(smallest_nonzero_magnitude=SMALLEST) for _ in range(20)),
        *(provider.draw_string(LETTERS) for _ in range(20)),
        *(provider.draw_bytes() for _ in range(20)),
    ]


def test_two_providers_draw_the_same():
    """Whatever else was drawn in between; and one alone goes on to other values."""
    one, other = Provider(None), Provider(None)
    first = draws(one)
    assert draws(one) != first and draws(other) == first
    assert len({str(value) for value in first}) > 40


@given(st.none() | st.integers(), st.none() | st.integers(min_value=0))
def test_whole_numbers_lie_within_their_bounds(least, width):
    """Where there is one bound, not far from it; where there is none, around zero."""
    most = None if width is None else (0 if least is None else least) + width
    provider = Provider(None)
    for _ in range(5):
        drawn = provider.draw_integer(least, most)
        assert (least is None or least <= drawn) and (most is None or drawn <= most)
        if most is None:
            assert drawn <= (-100 if least is None else least) + 200


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False))
def test_numbers_lie_within_their_bounds(one, other):
    """However narrow, and however far from what is nice."""
    least, most = sorted((one, other))
    provider = Provider(None)
    for _ in range(5):
        drawn = provider.draw_float(min_value=least, max_value=most, smallest_nonzero_magnitude=SMALLEST)
        assert least <= drawn <= most


def test_numbers_are_nice_or_short():
    """As people write them."""
    provider = Provider(None)
    drawn = [provider.draw_float(smallest_nonzero_magnitude=SMALLEST) for _ in range(200)]
    assert set(NICE) < set(drawn)
    assert all(math.isclose(value, round(value, 2)) and abs(value) <= 100 for value in drawn)


@pytest.mark.parametrize(("least", "most"), [(0, 0), (0, 5), (3, 3), (2, 10**9)])
def test_texts_are_as_long_as_was_asked_for_and_of_the_letters_given(least, most):
    """And not much longer than they have to be."""
    provider = Provider(None)
    for _ in range(30):
        text, data = provider.draw_string(LETTERS, min_size=least, max_size=most), provider.draw_bytes(least, most)
        assert set(text) <= set("abcxyz")
        assert all(least <= len(one) <= min(most, least + 20) for one in (text, data))


def test_a_boolean_is_as_likely_as_was_asked_for():
    """At the ends it is certain."""
    provider = Provider(None)
    assert [provider.draw_boolean(p) for p in (0.0, 1.0) for _ in range(50)] == [False] * 50 + [True] * 50
    assert 40 < sum(provider.draw_boolean(0.25) for _ in range(200)) < 60
