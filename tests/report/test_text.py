"""The report for a terminal."""

from dataclasses import replace

import pytest

import toolbench as tb
from toolbench.report.text import text_report


def test_the_report_is_the_same_twice():
    """The same inputs and seeds give the same bytes."""
    assert str(tb.measure("metering")) == str(tb.measure("metering"))


@pytest.mark.slow
def test_columns_line_up_and_lines_do_not_trail():
    """Under each header stands a rule of the table's width, and no line ends in a blank."""
    lines = str(tb.measure("metering")).splitlines()
    assert "class       tool          definition    loop          any layer" in lines
    assert "----------  ------------  ------------  ------------  -------------" in lines
    assert [line for line in lines if line != line.rstrip()] == []


def test_bold_only_where_asked():
    """Without `bold` there is no escape in the text; with it, titles are set off."""
    m = tb.measure("metering", defects=["D8"])
    assert "\033" not in text_report(m)
    assert "\033[1mOverlap\033[0m" in text_report(m, bold=True)


@pytest.mark.slow
def test_the_blind_spot_is_said_in_words():
    """The last line names the defects that no layer sees, or says that there are none."""
    two = tb.measure("metering", layers=["tool", "loop"])
    assert str(two).rstrip().splitlines()[-1] == "No layer sees D9 D11: blind spots of these tests."
    every = str(tb.measure("metering")).rstrip().splitlines()[-1]
    assert every == "Every defect that was measured is caught by some layer."


def test_tasks_that_can_notice_nothing_are_named():
    """A task that fails at every seed without any defect is of no use, and the report says so."""
    scenario = tb.load_scenario("metering")
    hopeless = tb.Task(id="hopeless", answer="never", sequence=["tariff"])
    m = tb.measure(replace(scenario, tasks=[*scenario.tasks, hopeless]), defects=["D8"])
    assert "Failing at every seed without any defect, so they notice nothing: hopeless." in str(m).splitlines()
