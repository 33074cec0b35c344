"""The second scenario, measured: what holds for metering holds for tools that are unlike it in every way."""

import asyncio
import inspect
from collections import Counter

import pytest

import toolbench as tb
from toolbench.mutation.operators import OPERATORS


@pytest.fixture(scope="module")
def measured(lending):
    return tb.measure(lending, seeds=4)


def test_three_tools_unlike_those_of_metering(lending):
    """One of the three tools is async and waits, one raises errors of its own type, one answers with a list."""
    look_up_title, lend_copy, reckon_fine = lending.table.values()
    assert inspect.iscoroutinefunction(look_up_title.function)
    assert [kind.__name__ for kind in lend_copy.errors] == ["LendingRefused", "ToolError"]
    assert reckon_fine.call({"slip_in_hand": {"copy": "B001", "weeks": 1}, "days_late": 1}).value == [
        {"for": "days late", "pence": 15}
    ]
    assert asyncio.run(look_up_title(["emma"], desk=lending.world()))["barcode"] == "B001"


def test_the_defects_use_every_operator(lending):
    """The ten defects use all operators and all three classes, and change something each."""
    defects = tb.load_defects(lending)
    assert {defect.operator for defect in defects} == set(OPERATORS)
    assert Counter(defect.class_ for defect in defects) == {"value": 3, "contract": 4, "definition": 3}
    assert tb.measure(lending, defects=["L1"]).equivalent == frozenset()


def test_what_the_tool_layer_catches(measured):
    """Direct calls catch every value defect and three contract defects; a loan that is not noted, and wrong
    declarations, they miss."""
    assert {v.defect: v.verdict for v in measured.verdicts if v.layer == "tool"} == {
        **dict.fromkeys(["L1", "L2", "L3", "L4", "L5", "L10"], "caught"),
        **dict.fromkeys(["L6", "L7", "L8", "L9"], "missed"),
    }
    assert {class_: measured.counts("tool", class_) for class_ in ("value", "contract", "definition", "total")} == {
        "value": (3, 3),
        "contract": (3, 4),
        "definition": (0, 3),
        "total": (6, 10),
    }


def test_each_defect_fails_the_cases_written_for_it(measured):
    """The failing cases are those whose expectations name what the defect changes."""
    failing = {v.defect: [row["case"] for row in v.evidence["failing"]] for v in measured.verdicts if v.layer == "tool"}
    assert {name: cases for name, cases in failing.items() if cases} == {
        "L1": ["best match of two norths"],
        "L2": ["a fine and a reminder"],
        "L3": ["best match of two norths"],
        "L4": ["no terms"],
        "L5": ["nine weeks are too long", "no terms"],
        "L10": ["no such title"],
    }


def test_what_the_loop_catches(measured):
    """The loop catches a wrong place, and the declaration that leaves an agent without words to look for."""
    caught = [v.defect for v in measured.verdicts if (v.layer, v.rule, v.verdict) == ("loop", "band", "caught")]
    assert caught == ["L1", "L8"]
    alone = tb.measure(measured.scenario, seeds=4, layers=["tool", "loop"])
    assert alone.blind_spots()["defect"].tolist() == ["L6", "L7", "L9"]


def test_what_the_definition_layer_catches(measured):
    """Every wrong declaration, and the contracts that end a refusal; a loan that nobody notes stays a blind spot."""
    codes = {
        v.defect: [(f["code"], f["pointer"]) for f in v.evidence["findings"]]
        for v in measured.verdicts
        if v.layer == "definition" and v.verdict == "caught"
    }
    terms, words = "/properties/loan_terms", "/properties/title_words"
    assert codes == {
        "L4": [("required-but-supplied", terms), ("undeclared-type", terms)],
        "L7": [("undeclared-parameter", "/properties/days_late")],
        "L8": [("case-refused", ""), ("ignored-field", "/properties/search_keyword"), ("undeclared-parameter", words)],
        "L9": [("ignored-field", "/properties/shelf_colour")],
        "L10": [("required-but-supplied", words)],
    }
    assert measured.blind_spots()["defect"].tolist() == ["L6"]
    assert [finding for finding in measured.checks["none"].findings if finding.counts] == []


def test_success_with_nested_answers(measured):
    """Defect-free, all eight tasks succeed at three of four seeds, one fails at the fourth; nothing is left out."""
    clean = [row for row in measured.success_rows() if row["table"] == "none"]
    assert [(row["seed"], row["succeeded"], row["failing"]) for row in clean] == [
        (7000041, 8, []),
        (7000042, 8, []),
        (7000043, 8, []),
        (7000044, 7, ["fine 2"]),
    ]
    assert [(row["steps"], row["tokens"], row["errors"], row["approvals"]) for row in clean] == [
        (23, 1650, 0, 5),
        (26, 2110, 2, 6),
        (24, 1760, 0, 5),
        (24, 1760, 0, 5),
    ]
    assert (measured.left_out, measured.vacuous()) == ((), ())


@pytest.mark.slow
def test_the_same_again(lending, measured):
    """A second measurement, by folder and with one worker, says the same of everything."""
    again = tb.measure(lending.folder, seeds="7000041:7000045", jobs=1)
    assert again.verdicts == measured.verdicts
    assert again.suites == measured.suites
    assert again.success_rows() == measured.success_rows()
    assert again.scenario.digests() == measured.scenario.digests()
