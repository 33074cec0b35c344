"""The loop's tables for readers, in every format; and sentences on rules."""

import csv
import io
from dataclasses import replace

import pytest

import toolbench as tb
from toolbench.report.csv import csv_files
from toolbench.report.loop_tables import newly, on_rules, over_all_seeds, rules, success
from toolbench.report.markdown import escaped, markdown_report
from toolbench.report.text import text_report

HOSTILE = "<script>alert(1)</script>|`$x$`\x1b[31m"
TITLES = ("Success by table and seed", "Paired view", "Rules side by side", "Over all seeds")


@pytest.fixture(scope="module")
def m():
    return tb.measure("metering", seeds=20, defects=["D2", "D5", "D8", "D10"])


@pytest.fixture(scope="module")
def hostile():
    """Metering with tasks whose ids are markup and more."""
    scenario = tb.load_scenario("metering")
    tasks = [replace(task, id=f"{HOSTILE}{task.id}") for task in scenario.tasks]
    return tb.measure(replace(scenario, tasks=tasks), seeds=2, defects=["D8"], layers=["loop"])


def test_success_by_seed_and_over_seeds(m):
    """Up to four seeds there is a column for each, beyond one row of mean and extremes."""
    few = success(tb.measure("metering", seeds=4, defects=["D8"], layers=["loop"]))
    assert few.columns == ("table", *(f"seed {seed}" for seed in range(20260218, 20260222)), "failing tasks by seed")
    assert few.rows[1][1] == "19/24  0.7917"
    many = success(m)
    assert many.rows[0] == ("none", "446/480  0.9292", "19/24  0.7917", "24/24  1.0000", "0 to 5")
    assert sum(row["succeeded"] for row in m.success_rows() if row["table"] == "none") == 446


def test_what_newly_fails(m):
    """How often, and which tasks, the most frequent first where they are many."""
    rows = {row[0]: row for row in newly(m).rows}
    assert rows["D2"] == ("D2", "0", "-", "0", "-")
    assert rows["D8"][1:3] == ("91", rows["D8"][2])
    assert rows["D10"][1] == "140" and rows["D10"][3] == "18"
    assert "over 20 seeds" in newly(m).note


def test_rules_side_by_side(m):
    """Three verdicts, p, the difference with its interval, the exact difference, and the seeds needed or never."""
    rows = {row[0]: row for row in rules(m).rows}
    assert rows["D2"] == ("D2", "missed", "missed", "missed", "n/a", "0.0000", "n/a", "0.000000", "never")
    assert rows["D5"][1:4] == ("missed", "missed", "caught")
    assert rows["D5"][7:] == ("-0.007324", "53")
    assert rows["D8"][-1] == "2"


@pytest.mark.slow
def test_a_p_that_is_too_small_for_a_number():
    """Where floating point has no more numbers the cell says so, and never that p is 0."""
    many = tb.measure("metering", seeds=2000, defects=["D1"], layers=["loop"])
    assert rules(many).rows[0][4] == "<1e-300"


def test_over_all_seeds(m):
    """Expected success of every table, and how likely a run fails more tasks than it rarely does without a defect."""
    made = over_all_seeds(m)
    chances = m.exact_runs().query("table == 'none'")["fails_more"].tolist()
    usual = min(number for number, chance in enumerate(chances) if chance <= 0.05)
    assert made.columns[:3] == ("table", "expected success", f"fails more than {usual} tasks")
    assert made.note.endswith(f"without a defect, more than {usual} tasks fail in at most 5% of runs")
    assert [row[:2] for row in made.rows] == [
        ("none", "0.939077"), ("D2", "0.939077"), ("D5", "0.931753"), ("D8", "0.749710"), ("D10", "0.675407"),
    ]  # fmt: skip
    assert float(made.rows[0][2]) <= 0.05 < float(made.rows[3][2]) <= float(made.rows[4][2])


def test_no_table_without_a_loop():
    """A measurement by the tool layer alone has none of these tables, and no sentence on rules."""
    m = tb.measure("metering", layers=["tool"], defects=["D8"])
    assert [make(m).rows for make in (success, newly, rules, over_all_seeds)] == [()] * 4
    assert on_rules(m) == []
    assert not any(title in str(m) for title in TITLES)


def test_every_format_shows_them(m):
    """Text, Markdown and HTML have the same tables; a program gets them as CSV."""
    for text in (text_report(m), markdown_report(m), m._repr_html_()):
        assert all(title in text for title in TITLES)
        assert "0.675407" in text
    files = csv_files(m)
    found = {row["defect"]: row for row in csv.DictReader(io.StringIO(files["rules.csv"]))}
    assert (found["D5"]["exact"], found["D5"]["seeds_needed"], found["D2"]["seeds_needed"]) == ("caught", "53", "")
    assert len(list(csv.DictReader(io.StringIO(files["exact.csv"])))) == 5 * 24
    assert len(list(csv.DictReader(io.StringIO(files["growth.csv"])))) == 5 * 5


def test_markup_of_ids_is_shown_and_not_obeyed(hostile):
    """A task's id that is a script, a pipe or a terminal's command is text in every format."""
    assert "\x1b" not in text_report(hostile) + markdown_report(hostile) + hostile._repr_html_()
    assert "<script>" not in markdown_report(hostile) + hostile._repr_html_()
    assert "&lt;script&gt;alert(1)" in hostile._repr_html_()
    assert escaped("|`$x$`") in markdown_report(hostile)
    assert "<script>alert(1)</script>|`$x$`\\x1b[31mG07" in text_report(hostile)
    names = {row["task"] for row in csv.DictReader(io.StringIO(csv_files(hostile)["exact.csv"]))}
    assert f"{HOSTILE}G01" in names


def test_what_was_walked_is_told_once_per_reason():
    """Tables are named with the reason why they were walked; under the exact rule it says what to use instead."""
    m = tb.measure("metering", defects=["D8", "D9"], layers=["loop"], engine="walk", rule="exact")
    assert on_rules(m) == [
        "Walked one by one: none D8 D9 (the engine walk was asked for).",
        "What has no machine has no exact verdict; use --rule paired for it.",
    ]
