"""Cells of tables for readers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.report.cells import interval, listed, number, share, signed, table


@given(st.text() | st.none() | st.integers(), st.text())
def test_every_cell_is_one_harmless_line(cell, column):
    """Whatever comes from outside, a cell and a header are text that a terminal can only show."""
    made = table("title", "note", [column], [[cell]])
    assert all(text.isprintable() for text in (*made.columns, *made.rows[0]))
    assert made.rows[0][0] == ("n/a" if cell is None else made.rows[0][0])


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "n/a"), (0, "0.0000"), (-0.0, "0.0000"), (0.25, "+0.2500"), (-0.25, "-0.2500"), (-0.00001, "0.0000"),
     (0.00005001, "+0.0001"), (-1, "-1.0000")],
)  # fmt: skip
def test_a_difference_has_a_sign(value, text):
    """A difference says its direction, unless nothing of it can be seen; what is not known is n/a."""
    assert signed(value) == text


def test_digits_of_a_difference():
    """More digits show what fewer hide."""
    assert (signed(-0.00001, 6), signed(0.0000001, 6)) == ("-0.000010", "0.000000")


def test_an_interval_has_both_ends():
    """An interval of which one end is not known is none."""
    assert interval(-0.5, 0.25) == "-0.5000 to +0.2500"
    assert {interval(None, 0.1), interval(0.1, None), interval(None, None)} == {"n/a"}


def test_names_are_cut_after_some():
    """A few names stand there, more are counted, none are a dash."""
    assert listed([]) == "-"
    assert listed("abc") == "a b c"
    assert listed("abcdefgh") == "a b c d e f and 2 more"
    assert listed((name for name in "abc"), 2) == "a b and 1 more"


def test_numbers_and_shares():
    """Thousands are set off; a share stands with its counts, and a share of nothing is n/a."""
    assert (number(1234567), number(0), number(None)) == ("1,234,567", "0", "n/a")
    assert (share(1, 3), share(0, 0)) == ("1/3  0.3333", "n/a")
