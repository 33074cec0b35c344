"""A number with its noun."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.counting import counted


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 tasks"), (1, "1 task"), (2, "2 tasks"), (1000, "1,000 tasks"), (-1, "-1 tasks")]
)
def test_counted(number, text):
    """A number agrees with its noun, and thousands have commas."""
    assert counted(number, "task") == text


@given(st.integers())
def test_the_number_can_be_read_back(number):
    """Nothing of the number is lost."""
    said, noun = counted(number, "seed").split(" ")
    assert int(said.replace(",", "")) == number
    assert (noun == "seed") == (number == 1)
