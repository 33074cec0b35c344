"""`python -m toolbench power`."""

import json

import pytest

from toolbench.cli.main import main
from toolbench.power import paired_power


def printed(capsys, *arguments):
    """What a successful command prints; it says nothing on standard error."""
    assert main(["power", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def facts(capsys, *arguments):
    return json.loads(printed(capsys, *arguments, "--format", "json"))


def test_the_seeds_that_a_defect_needs(capsys):
    """The text says how likely success is with the defect and without, how many seeds show it, and in which tasks."""
    lines = printed(capsys, "D5").splitlines()
    assert lines[0].startswith("metering D5: ")
    assert lines[1] == "expected success 0.931753, defect-free 0.939077"
    assert lines[2] == "53 seeds needed for the paired rule to see it with power 0.9 at level 0.05"
    curve = dict(line.split() for line in lines[6:] if line[:1].isdigit())
    assert float(curve["50"]) < 0.9 <= float(curve["53"])
    assert lines[-1] == "Chances are those of one seed, exact with the draws taken as uniform."
    assert any(line.split() == ["task", "newly", "fails", "newly", "passes"] for line in lines)


def test_the_facts_as_json(capsys):
    """As JSON: what was asked, what comes of it, each task that can change, and the curve."""
    found = facts(capsys, "metering", "D5")
    assert (found["scenario"], found["defect"], found["power"], found["level"]) == ("metering", "D5", 0.9, 0.05)
    assert (found["seeds_needed"], found["never"]) == (53, None)
    failing = [task["newly_failing"] for task in found["tasks"]]
    passing = [task["newly_passing"] for task in found["tasks"]]
    assert (sum(passing) - sum(failing)) / 24 == pytest.approx(found["success"] - found["defect_free"])
    curve = {row["seeds"]: row["power"] for row in found["curve"]}
    assert list(curve) == sorted(curve)
    assert curve[50] < 0.9 <= curve[53]
    assert curve[53] == pytest.approx(paired_power(failing, passing, 53))


def test_what_no_seed_can_show(capsys):
    """A defect that cannot be seen has no curve in the text; the proof stands there instead."""
    out = printed(capsys, "D2")
    assert out.splitlines()[2] == (
        "No seed can show it to this check: 546 states compared, none of 24 tasks can end differently right or wrong; "
        "nothing else can differ either."
    )
    assert len(out.splitlines()) == 3
    found = facts(capsys, "D2")
    assert (found["seeds_needed"], found["tasks"], {row["power"] for row in found["curve"]}) == (None, [], {0.0})


def test_power_level_and_a_number_of_seeds_of_ones_own(capsys):
    """A stricter level and a higher power need more seeds; a number of one's own stands in the curve."""
    plain, strict = facts(capsys, "D9"), facts(capsys, "D9", "--power", "0.99", "--level", "0.001", "--seeds", "7700")
    assert (strict["power"], strict["level"]) == (0.99, 0.001)
    assert strict["seeds_needed"] > plain["seeds_needed"] == 17
    assert 7700 in [row["seeds"] for row in strict["curve"]]


def test_another_scenario_by_path(write_scenario, capsys):
    """A scenario is a name or a folder; a defect that always shows needs one seed for each doubling of the coin."""
    defects = '[[defect]]\nid = "X"\ntool = "double"\noperator = "drop_field"\narguments = { field = "length" }\n'
    found = facts(capsys, str(write_scenario(files={"defects.toml": defects})), "X")
    assert (found["scenario"], found["seeds_needed"]) == ("own", 6)
    assert [task["task"] for task in found["tasks"]] == ["t1"]


COUNTING = """
    calls = []

    @tool(schema=["length"])
    def double(length=None):
        calls.append(length)
        return {"doubled": 2 * length, "calls": len(calls)}

    def counts(length=None):
        calls.append(length)
        return {"doubled": len(calls)}

    tools = [double]
"""
DEFECT = '[[defect]]\nid = "X"\ntool = "double"\noperator = "function"\narguments = { function = "counts" }\n'


def test_a_table_without_machines(write_scenario, capsys):
    """Where a table can only be walked nothing can be computed, and the reason is told."""
    folder = write_scenario(files={"defects.toml": DEFECT}, more=COUNTING + "    functions = {'counts': counts}\n")
    assert main(["power", str(folder), "X"]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("toolbench: own: the power for X cannot be computed: ")
    assert captured.out == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["D12"], "unknown defect 'D12': did you mean D2 or D1 or D11?"),
        (["meterin", "D5"], "unknown scenario 'meterin': did you mean metering?"),
        (["metering", "D5", "D6"], "power metering D5 D6: give [SCENARIO] ID"),
        (["D5", "--power", "1"], "--power 1: it is a number between 0 and 1"),
        (["D5", "--power", "most"], "--power most: it is a number between 0 and 1"),
        (["D5", "--level", "0"], "--level 0: it is a number between 0 and 1"),
        (["D5", "--level", "nan"], "--level nan: it is a number between 0 and 1"),
        (["D5", "--seeds", "0"], "--seeds 0: it is a whole number above 0"),
        (["D5", "--seeds", "1:5"], "--seeds 1:5: it is a whole number above 0"),
        (["D5", "--format", "jso"], "unknown format 'jso': did you mean json?"),
        (["D5", "--deadline", "0"], "--deadline 0: it is a finite number above 0"),
        (["D5", "--jobs", "0"], "--jobs 0: it is a whole number above 0"),
        ([], "the following arguments are required: [SCENARIO] ID"),
    ],
)
def test_a_mistake_is_answered_with_what_would_be_right(arguments, said, capsys):
    """Wrong options, names and numbers are refused with exit code 2, and nothing is printed."""
    try:
        code = main(["power", *arguments])
    except SystemExit as left:  # argparse's own way out
        code = left.code
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert said in captured.err
