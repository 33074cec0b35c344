"""The findings of `check` for programs."""

import json

import pytest

import toolbench as tb
from toolbench.checking.finding import found
from toolbench.checks import Check
from toolbench.probing.checked import NotProbed
from toolbench.report.findings_json import document, json_of, sarif_of

NO_ITEMS = found("items-missing", "pack", "/properties/boxes", "the array says nothing of its items")
NOTE = found("type-missing", "send", "", "no type", input={"to": ["A", None]})


@pytest.fixture
def check():
    return Check(
        name="mine",
        tools=("pack", "send"),
        findings=(NO_ITEMS, NOTE),
        not_probed=(NotProbed("pack", "no function"),),
        off=((found("unused-field", "send", "/properties/a", "never read"), "old clients"),),
        probes=7,
    )


def test_the_document_says_all_that_was_found(check):
    """Findings with all their keys, what was not probed and why, and what is switched off with its reason."""
    said = document(check)
    assert (said["target"], said["tools"], said["probes"]) == ("mine", ["pack", "send"], 7)
    keys = {"code", "severity", "tool", "pointer", "seen", "input", "why", "cure"}
    assert [set(finding) for finding in said["findings"]] == [keys, keys]
    assert [finding["input"] for finding in said["findings"]] == [None, {"to": ["A", None]}]
    assert said["not_probed"] == [{"tool": "pack", "reason": "no function"}]
    assert [(off["code"], off["reason"]) for off in said["switched_off"]] == [("unused-field", "old clients")]
    assert json.loads(json_of(check)) == said


def test_the_text_is_ascii():
    """Every character beyond ASCII is written as an escape, half a character too."""
    finding = found("dangling-ref", "größe\x1b", "/\u202e", "日本\ud800")
    text = json_of(Check("é", ("größe\x1b",), (finding,), ()))
    assert text.isascii()
    assert json.loads(text)["findings"][0]["seen"] == "日本\ud800"


def test_sarif_has_a_rule_for_each_code_and_a_result_for_each_finding(check):
    """Each result names its rule, its level and what was seen; what is switched off is suppressed, with the reason."""
    said = json.loads(sarif_of(check))
    assert said["version"] == "2.1.0"
    [run] = said["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["items-missing", "type-missing"]
    shown = [result for result in run["results"] if not result.get("suppressions")]
    assert [(one["ruleId"], one["level"], one["ruleIndex"]) for one in shown] == [
        ("items-missing", "warning", 0),
        ("type-missing", "note", 1),
    ]
    assert "the array says nothing of its items" in shown[0]["message"]["text"]
    [off] = [result for result in run["results"] if result.get("suppressions")]
    assert (off["ruleId"], off["suppressions"][0]["justification"]) == ("unused-field", "old clients")


def test_nothing_found_is_a_document_too():
    """A check without findings has empty lists, in both forms."""
    check = tb.check([tb.Definition("f", {"type": "object", "properties": {}}, "Does nothing.")])
    assert json.loads(json_of(check))["findings"] == []
    assert json.loads(sarif_of(check))["runs"][0]["results"] == []
