"""How many tasks a run over all of them fails."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.agent.runs import exceeding, failing, fails_more_than


@given(st.lists(st.floats(0, 1), max_size=8))
def test_the_number_of_failing_tasks(success):
    """The distribution of failing tasks sums to 1 and has the mean of its parts."""
    distribution = failing(success)
    assert len(distribution) == len(success) + 1
    assert sum(distribution) == pytest.approx(1)
    mean = sum(number * probability for number, probability in enumerate(distribution))
    assert mean == pytest.approx(sum(1 - right for right in success), abs=1e-9)
    for number in range(-2, len(success) + 2):
        if number >= 0:
            assert fails_more_than(number, success) == ([*exceeding(success), 0.0] + [0.0] * 99)[number]
        assert fails_more_than(number, success) == pytest.approx(sum(distribution[max(0, number + 1) :]), abs=1e-12)


@given(st.integers(0, 12), st.floats(0, 1))
def test_equal_tasks_fail_as_coins_fall(number, right):
    """Where all tasks are alike, the number that fails is binomial."""
    assert failing([right] * number) == pytest.approx(
        [comb(number, k) * (1 - right) ** k * right ** (number - k) for k in range(number + 1)], abs=1e-12
    )
