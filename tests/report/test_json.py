"""The report as JSON, and its schema."""

import json
from dataclasses import replace

import jsonschema
import pytest

import toolbench as tb
from toolbench.report.json import SCHEMA, json_document, json_report

VALIDATOR = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"seeds": "5,", "rule": "paired"},
        {"layers": ["tool"]},
        {"layers": ["definition"]},
        {"layers": ["tool", "definition"], "defects": ["D2", "D9"]},
        {"layers": ["loop"], "seeds": 5, "engine": "walk", "rule": "exact", "defects": ["D2", "D8"]},
        {"layers": ["loop"], "seeds": 1001, "defects": ["D2", "D9"]},
        pytest.param({"layers": ["loop"], "seeds": 1001, "defects": ["D9"], "per_seed": True}, marks=pytest.mark.slow),
        {"defects": []},
    ],
    ids=str,
)
def test_every_report_fits_the_schema_that_ships(options):
    """Whatever was asked for, the document validates."""
    document = json.loads(json_report(tb.measure("metering", **options)))
    assert [error.message for error in VALIDATOR.iter_errors(document)] == []


def of(document, layer):
    """The first verdict of a layer."""
    return next(row for row in document["verdicts"] if row["layer"] == layer)


def finding_of(document):
    """The first finding that a verdict rests on."""
    return of(document, "definition")["evidence"]["findings"][0]


DAMAGES = {
    "a share of nothing": lambda d: d["catch_rates"][0].update(share=1.0, defects=0),
    "an unknown layer": lambda d: d["verdicts"][0].update(layer="lop"),
    "a rate of an unknown layer": lambda d: d["catch_rates"][0].update(layer="definitions"),
    "a cost of an unknown layer": lambda d: d["cost"][0].update(layer=""),
    "an overlap with an unknown layer": lambda d: d["overlap"][0].update(layers=["tools"]),
    "a band of the definition layer": lambda d: d["bands"][0].update(layer="definition"),
    "a rule of the loop for the tool layer": lambda d: of(d, "tool").update(rule="band"),
    "a rule of the tool layer for the definition layer": lambda d: of(d, "definition").update(rule="any failure"),
    "the definition layer's rule for the loop": lambda d: of(d, "loop").update(rule="new finding"),
    "the definition layer's rule for all": lambda d: d.update(rule="new finding"),
    "caught without a finding": lambda d: of(d, "definition")["evidence"].update(findings=[]),
    "caught without evidence": lambda d: of(d, "definition").update(evidence={}),
    "missed with a finding": lambda d: of(d, "definition").update(verdict="missed"),
    "a finding that is a text": lambda d: of(d, "definition")["evidence"].update(findings=["misspelt"]),
    "a finding that is a note": lambda d: finding_of(d).update(severity="note"),
    "a finding of no severity": lambda d: finding_of(d).update(severity="fatal"),
    "a finding without a code": lambda d: finding_of(d).pop("code"),
    "a finding with a code that is a sentence": lambda d: finding_of(d).update(code="Something is wrong"),
    "a finding with a pointer that is none": lambda d: finding_of(d).update(pointer="properties/type"),
    "a finding whose input is a list": lambda d: finding_of(d).update(input=[]),
    "a finding without a cure": lambda d: finding_of(d).update(cure=""),
    "a finding without a reason": lambda d: finding_of(d).pop("why"),
    "a finding that saw nothing": lambda d: finding_of(d).update(seen=""),
    "an unknown verdict": lambda d: d["verdicts"][0].update(verdict="maybe"),
    "a verdict without a reason": lambda d: d["verdicts"][0].update(reason=""),
    "an unknown rule of a verdict": lambda d: d["verdicts"][0].update(rule="guess"),
    "evidence that is no object": lambda d: d["verdicts"][0].update(evidence=[]),
    "no digests": lambda d: d.pop("digests"),
    "another version": lambda d: d.update(version=2),
    "the tool layer's rule for the loop": lambda d: d.update(rule="any failure"),
    "no rule": lambda d: d.pop("rule"),
    "an unknown engine": lambda d: d.update(engine="run"),
    "walked without a reason": lambda d: d.update(walked={"D8": ""}),
    "no seeds at all": lambda d: d["seeds"].update(count=0),
    "a sum over seeds with a list": lambda d: d["success"][0].update(seed=None),
    "a sum over seeds without extremes": lambda d: d["success"][0].update(seed=None, failing={}, seeds=2),
    "a seed with counts": lambda d: d["success"][0].update(failing={"t": 1}),
    "a task that fails at no seed": lambda d: d["paired"][0]["newly_failing"].update(t=0),
    "a rule's verdict that is none": lambda d: d["rules"][0].update(paired=None),
    "a p above 1": lambda d: d["rules"][0].update(p_value=1.1),
    "a number of seeds that is not whole": lambda d: d["rules"][0].update(seeds_needed=1.5),
    "no seeds needed": lambda d: d["rules"][0].update(seeds_needed=0),
    "a rule's row without a key": lambda d: d["rules"][0].pop("invisible"),
    "a chance above 1": lambda d: d["exact"][0].update(success=1.1),
    "an unnamed task": lambda d: d["exact"][0].pop("task"),
    "a chance of more that is missing": lambda d: d["exact_runs"][0].update(fails_more=None),
    "growth without seeds": lambda d: d["growth"][0].update(seeds=0),
    "a band below 0": lambda d: d["growth"][0].update(band=-1),
    "a k of 0": lambda d: d["reliability"][0].update(k=0),
    "reliability above 1": lambda d: d["reliability"][0].update(pass_hat_k=1.5),
    "no growth": lambda d: d.pop("growth"),
}


@pytest.fixture(scope="module")
def document():
    return json.loads(json_report(tb.measure("metering", defects=["D8"])))


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_the_schema_refuses_a_wrong_report(document, damage):
    """What no report says is refused, in every table; what readers do not know is let through."""
    damaged = json.loads(json.dumps(document))
    assert VALIDATOR.is_valid({**damaged, "more": 1})
    damage(damaged)
    assert not VALIDATOR.is_valid(damaged)


def test_a_row_over_all_seeds_fits():
    """Beyond a thousand seeds a table has one row: its seed is null, its failing tasks have counts."""
    document = json_document(tb.measure("metering", seeds=1001, layers=["loop"], defects=["D9"]))
    row = document["success"][1]
    assert (row["table"], row["seed"], row["seeds"], row["tasks"]) == ("D9", None, 1001, 24 * 1001)
    assert sum(row["failing"].values()) == row["tasks"] - row["succeeded"]
    assert row["minimum"] <= row["mean"] <= row["maximum"]


def test_the_chosen_rule_comes_last():
    """A reader who keeps one verdict of each defect and layer keeps that of the rule that was asked for."""
    measured = tb.measure("metering", defects=["D5", "D8"])
    for rule in ("band", "paired", "exact"):
        document = json_document(replace(measured, rule=rule))
        kept = {(row["defect"], row["layer"]): row["rule"] for row in document["verdicts"]}
        assert kept == {(id, layer): said for id in ("D5", "D8") for layer, said in
                        (("tool", "any failure"), ("definition", "new finding"), ("loop", rule))}  # fmt: skip
        assert document["rule"] == rule


def test_the_document_holds_what_the_tables_hold():
    """Seeds, suite, verdict rows, catch rates with total, success, band and overlap."""
    document = json_document(tb.measure("metering"))
    assert document["seeds"] == {"text": "20260218:20260220", "count": 2}
    assert document["suite"] == {"cases": 11, "unconfirmed": 0, "failing": 0, "vacuous": []}
    assert len(document["verdicts"]) == 11 * (1 + 1 + 3)
    assert document["catch_rates"][-3:] == [
        {"class": "total", "layer": "tool", "caught": 7, "defects": 11, "share": 7 / 11},
        {"class": "total", "layer": "definition", "caught": 7, "defects": 11, "share": 7 / 11},
        {"class": "total", "layer": "loop", "caught": 4, "defects": 11, "share": 4 / 11},
    ]
    none = [row for row in document["success"] if row["table"] == "none"]
    assert [row["failing"] for row in none] == [["G23"], ["G15"]]
    assert document["bands"][1]["band"] == 1
    assert document["overlap"][1] == {"layers": ["definition"], "defects": ["D9", "D11"]}
    assert document["overlap"][-1] == {"layers": [], "defects": []}
    assert [row["layer"] for row in document["cost"]] == ["tool", "definition", "loop"]
    assert (document["rule"], document["engine"]) == ("band", "lanes")


def test_the_document_of_two_layers():
    """Without the definition layer the blind spots of the other two stand last."""
    document = json_document(tb.measure("metering", layers=["tool", "loop"]))
    assert document["overlap"][-1] == {"layers": [], "defects": ["D9", "D11"]}
    assert {row["layer"] for row in document["verdicts"]} == {"tool", "loop"}


def test_a_verdict_of_the_definition_layer_rests_on_findings(document):
    """What was found stands beside the verdict with all that a finding says; what calls showed, with the call."""
    [finding] = json_document(tb.measure("metering", layers=["definition"], defects=["D9"]))["verdicts"][0]["evidence"][
        "findings"
    ]
    assert (finding["code"], finding["severity"], finding["tool"], finding["pointer"], finding["input"]) == (
        "undeclared-parameter", "warning", "write_record", "/properties/value", None,
    )  # fmt: skip
    d5 = json_document(tb.measure("metering", layers=["definition"], defects=["D5"]))["verdicts"][0]["evidence"]
    assert any(isinstance(one["input"], dict) for one in d5["findings"])


def test_findings_of_nested_arguments_fit(lending):
    """What calls showed is plain values, also where arguments are nested, and the document of it validates."""
    document = json.loads(json_report(tb.measure(lending, layers=["tool", "definition"])))
    assert [error.message for error in VALIDATOR.iter_errors(document)] == []
    found = [one for row in document["verdicts"] for one in row["evidence"].get("findings", ())]
    assert any(isinstance(value, dict | list) for one in found for value in (one["input"] or {}).values())


@pytest.mark.slow
def test_a_share_that_is_not_measured_is_null():
    """With one seed the loop's shares and its band are null, and the reason is in what was left out."""
    document = json_document(tb.measure("metering", seeds="7,"))
    loop = [row for row in document["catch_rates"] if row["layer"] == "loop"]
    assert {row["share"] for row in loop} == {None}
    assert document["bands"][1]["band"] is None
    assert document["left_out"][0]["count"] == 11


def test_the_digests_name_what_was_measured():
    """Another agent gives another agent digest and leaves the others; the same scenario gives the same."""
    scenario = tb.load_scenario("metering")
    other = scenario.with_agent(budget=9).digests()
    assert scenario.digests() == tb.load_scenario("metering").digests()
    assert other["agent"] != scenario.digests()["agent"]
    assert (other["table"], other["suite"]) == (scenario.digests()["table"], scenario.digests()["suite"])
