"""Values drawn from schemas: all admitted, the same ones everywhere, and what is not drawn by is named."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import assume, given, settings
from jsonschema import Draft202012Validator

from tests.checking.made_up import TIDY
from toolbench.checking.drawing import draw
from toolbench.checking.strategy import ANNOTATIONS, DRAWN, not_drawn
from toolbench.validation import metaschema_fault


def drawn(schema, number=6):
    with ThreadPoolExecutor(1) as thread:  # Hypothesis does not draw within a test of its own
        return thread.submit(draw, schema, number).result()


@settings(max_examples=25)
@given(TIDY)
def test_whatever_is_drawn_is_admitted(schema):
    """By the reference validator; each value once, and drawn again the same ones."""
    assume('"$ref"' not in json.dumps(schema))  # where references go round, the reference validator has no end
    assume(metaschema_fault(schema) is None)
    found = drawn(schema)
    for value in found["values"]:
        assert Draft202012Validator(schema).is_valid(value)
    assert len({json.dumps(value, sort_keys=True) for value in found["values"]}) == len(found["values"])
    assert found == drawn(schema)
    assert found["values"] or found["why"]


OBJECT = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z]{2,4}$"},
        "day": {"type": "string", "format": "date"},
        "size": {"type": "number", "exclusiveMinimum": 0, "maximum": 3},
        "parts": {"type": "array", "items": {"$ref": "#/$defs/part"}, "minItems": 1, "uniqueItems": True},
        "other": {"anyOf": [{"type": "null"}, {"type": "integer", "multipleOf": 7}]},
    },
    "required": ["name", "size", "parts"],
    "additionalProperties": False,
    "$defs": {"part": {"enum": ["a", "b", "c"]}},
}


def test_every_stated_keyword_can_be_drawn_by():
    """A whole object of most of them."""
    found = drawn(OBJECT, 8)
    assert len(found["values"]) == 8 and found["not_drawn"] == [] and found["why"] == ""
    assert all(Draft202012Validator(OBJECT).is_valid(value) for value in found["values"])


@pytest.mark.slow
def test_another_process_draws_the_same_values():
    """Whatever else it has loaded, and whatever its hashes are."""
    program = (
        "import sys, json; from toolbench.checking.drawing import draw;"
        "json.dump(draw(json.load(sys.stdin), 8), sys.stdout)"
    )
    written = [
        subprocess.run(
            [sys.executable, "-c", f"{first}{program}"],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            input=json.dumps(OBJECT),
            text=True,
            check=True,
            capture_output=True,
        ).stdout
        for seed, first in (("1", ""), ("2", "import decimal, email.mime.text, numpy; "))
    ]
    assert written[0] == written[1]
    assert json.loads(written[0]) == drawn(OBJECT, 8)


@pytest.mark.parametrize(
    ("schema", "named"),
    [
        ({"not": {"type": "null"}}, [["", "not"]]),
        ({"properties": {"a": {"if": {}, "then": {}}}}, [["/properties/a", "if"], ["/properties/a", "then"]]),
        ({"items": {"contains": {}}}, [["/items", "contains"]]),
        ({"prefixItems": [{"unevaluatedItems": False}]}, [["/prefixItems/0", "unevaluatedItems"]]),
        ({"anyOf": [{"dependentRequired": {}}]}, [["/anyOf/0", "dependentRequired"]]),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"propertyNames": {}}}}, [["", "propertyNames"]]),
        ({"type": "string", "format": "colour"}, [["", "format colour"]]),
        ({"type": "integer", "format": "int32"}, []),
        ({"x-own": 1, "title": "T", "$comment": "c"}, []),
    ],
)
def test_a_keyword_that_nothing_is_drawn_by_is_named(schema, named):
    """With its place, wherever it stands."""
    assert [list(one) for one in not_drawn(schema, schema)] == named


@pytest.mark.parametrize("schema", [{"$ref": "#"}, {"items": {"$ref": "#"}}, {"anyOf": [{"$ref": "#"}]}])
def test_a_schema_that_holds_itself_is_gone_through_once(schema):
    """There is an end to it."""
    assert list(not_drawn(schema, schema)) == []


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        (False, "admits nothing"),
        ({"$ref": "#/$defs/a"}, "leads to nothing"),
        ({"$ref": "#"}, "levels"),
        ({"type": "integer", "enum": ["1"]}, "no member of its type"),
        ({"type": "integer", "minimum": 2, "maximum": 1}, "bounds"),
        ({"type": "integer", "minimum": 1, "maximum": 6, "multipleOf": 7}, "multiple"),
        ({"type": "integer", "minimum": 0.2, "maximum": 0.8}, "whole number"),
        ({"type": "string", "minLength": 2, "maxLength": 1}, "short"),
        ({"type": "array", "items": False, "minItems": 1}, "items"),
        ({"type": "odd"}, "none of JSON Schema's"),
    ],
)
def test_why_nothing_is_drawn_is_said(schema, why):
    """And nothing is drawn."""
    found = drawn(schema)
    assert found["values"] == [] and why in found["why"]


@pytest.mark.parametrize("pattern", ["([", r"^\p{L}$"])
def test_a_pattern_that_python_cannot_read_draws_nothing(pattern):
    """Why is said."""
    found = drawn({"type": "string", "pattern": pattern})
    assert found["values"] == [] and "pattern" in found["why"]


def test_no_keyword_is_drawn_by_and_an_annotation():
    """The two sets that are passed over in silence or drawn by have nothing in common."""
    assert set() == DRAWN & ANNOTATIONS
