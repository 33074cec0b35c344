"""The report as JSON, and its schema."""

import json

import jsonschema
import pytest

import toolbench as tb
from toolbench.report.json import SCHEMA, json_document, json_report

VALIDATOR = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))


@pytest.mark.parametrize(
    "options",
    [{}, {"seeds": "5,"}, {"layers": ["tool"]}, {"layers": ["loop"], "seeds": 5}, {"defects": []}],
    ids=str,
)
def test_every_report_fits_the_schema_that_ships(options):
    """Whatever was asked for, the document validates."""
    document = json.loads(json_report(tb.measure("metering", **options)))
    assert [error.message for error in VALIDATOR.iter_errors(document)] == []


def test_the_schema_refuses_a_wrong_report():
    """A share without defects, an unknown verdict, a missing key: each is refused."""
    document = json_document(tb.measure("metering", defects=["D8"]))
    for damage in (
        lambda d: d["catch_rates"][0].update(share=1.0, defects=0),
        lambda d: d["verdicts"][0].update(verdict="maybe"),
        lambda d: d.pop("digests"),
        lambda d: d.update(version=2),
    ):
        damaged = json.loads(json.dumps(document))
        damage(damaged)
        assert not VALIDATOR.is_valid(damaged)
    assert VALIDATOR.is_valid(document)


def test_the_document_holds_what_the_tables_hold():
    """Seeds, suite, verdict rows, catch rates with total, success, band and overlap."""
    document = json_document(tb.measure("metering"))
    assert document["seeds"] == {"text": "20260218:20260220", "count": 2}
    assert document["suite"] == {"cases": 11, "failing": 0, "vacuous": []}
    assert len(document["verdicts"]) == 22
    assert document["catch_rates"][-2:] == [
        {"class": "total", "layer": "tool", "caught": 7, "defects": 11, "share": 7 / 11},
        {"class": "total", "layer": "loop", "caught": 4, "defects": 11, "share": 4 / 11},
    ]
    none = [row for row in document["success"] if row["table"] == "none"]
    assert [row["failing"] for row in none] == [["G23"], ["G15"]]
    assert document["bands"][1]["band"] == 1
    assert document["overlap"][-1] == {"layers": [], "defects": ["D9", "D11"]}
    assert document["engine"] == "walk"


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
