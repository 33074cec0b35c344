"""Options that several commands share."""

import argparse

import pytest

from toolbench.cli.options import add_measuring, measured, names, number, whole
from toolbench.errors import UsageError


def options(*given):
    parser = argparse.ArgumentParser()
    add_measuring(parser)
    return parser.parse_args(given)


def refusal(read, *given):
    with pytest.raises(UsageError) as refused:
        read(*given)
    return str(refused.value)


def test_what_is_not_given_has_no_value():
    """An option that was not given is None, so that the library's own default counts."""
    assert (number(None, "--deadline"), whole(None, "--jobs"), names(None, "--defects")) == (None, None, None)


@pytest.mark.parametrize(("text", "value"), [("2", 2.0), ("0.5", 0.5), ("1e3", 1000.0)])
def test_a_number(text, value):
    """Seconds are a number above 0, in any form that Python reads."""
    assert number(text, "--deadline") == value


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "1e999", "two", ""])
def test_what_is_no_number(text):
    """What is no number above 0, an endless one included, is refused with its text."""
    assert refusal(number, text, "--deadline") == f"--deadline {text}: it is a finite number above 0"


def test_a_whole_number():
    """A number of workers is written in plain digits."""
    assert (whole("3", "--jobs"), whole("007", "--jobs")) == (3, 7)


@pytest.mark.parametrize("text", ["0", "-1", "1.0", "1_000", "\u0663", "\u00b2", "", " 1"])
def test_what_is_no_whole_number(text):
    """Signs, points, underscores and digits of other scripts are refused."""
    assert refusal(whole, text, "--jobs") == f"--jobs {text}: it is a whole number above 0"


def test_names():
    """Names stand with commas between them; blanks around them do not count."""
    assert names("D1, D2 ,D3", "--defects") == ["D1", "D2", "D3"]


@pytest.mark.parametrize("text", ["", " ", "D1,", ",D1", "D1,,D2"])
def test_a_name_that_is_empty(text):
    """A comma too many is refused, since it may hide a name that was meant."""
    assert refusal(names, text, "--defects") == f"--defects {text!r}: names with commas between them, such as A,B"


def test_measuring_as_the_options_say():
    """Seeds, layers, defects and the agent's settings reach the measurement."""
    given = options("--seeds", "5,9", "--approval")
    m = measured(given, "metering", layers=["loop"], defects=["D8"])
    assert (m.seeds.values, m.layers, [defect.id for defect in m.defects]) == ([5, 9], ("loop",), ["D8"])
    assert (m.scenario.agent.approval, m.scenario.agent.self_critique) == (True, False)


def test_a_deadline_is_read_before_anything_runs():
    """A number that cannot be one is refused with the name of its option."""
    said = refusal(lambda: measured(options("--deadline", "soon"), "metering", layers=None, defects=["D8"]))
    assert said == "--deadline soon: it is a finite number above 0"
