"""`check`: what holds whatever is checked, what it takes, and that nothing bad that it is given hangs or harms it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

import toolbench as tb
from tests.checking.made_up import DEFINITIONS, TIDY, WILD, checked_here, roots
from toolbench.checks import check
from toolbench.report.findings import html_of, text_of
from toolbench.report.findings_json import json_of, sarif_of


def resolves(pointer, document):
    """Whether a JSON Pointer (RFC 6901) leads somewhere in a document."""
    found = document
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and name in found:
            found = found[name]
        elif isinstance(found, list) and name.isdecimal() and int(name) < len(found):
            found = found[int(name)]
        else:
            return False
    return pointer == "" or pointer.startswith("/")


def leads_somewhere(finding, definition):
    """Whether a finding's place is one of the definition: in its schema, or in what stands beside that."""
    whole = {
        "name": definition.name,
        "description": definition.description,
        "outputSchema": definition.output_schema,
        "examples": list(definition.examples),
        "annotations": {"readOnlyHint": None, "idempotentHint": None},
    }
    return resolves(finding.pointer, definition.schema) or resolves(finding.pointer, whole)


MISSING_KEYWORDS = ("strict-open", "undeclared-parameter")  # told at the place where something ought to be


@given(DEFINITIONS)
def test_whatever_is_declared_is_read(definition):
    """Nothing raises, and each finding has a place that is there."""
    checked = check([definition])
    for finding in checked.findings:
        if finding.code not in MISSING_KEYWORDS:
            assert leads_somewhere(finding, definition), finding
    for write in (text_of, html_of, json_of, sarif_of):
        assert write(checked)
    assert str(checked).isprintable() or "\n" in str(checked)


def anything(**given):
    """Takes whatever it is given."""
    return {"given": sorted(given)}


@settings(max_examples=60)
@given(DEFINITIONS)
def test_whatever_is_declared_is_probed(definition):
    """Behind each declaration stands a function, and nothing raises."""
    scenario = tb.Scenario(name="made up", tools=[tb.Tool(definition, anything)], world=lambda: tb.World(state={}))
    checked = checked_here(scenario)
    for finding in checked.findings:
        if finding.code not in MISSING_KEYWORDS:
            assert leads_somewhere(finding, definition), finding
