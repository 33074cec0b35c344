"""Schemas: read, checked, their fields named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.errors import SchemaError
from toolbench.schema import check_schema, declared_fields, read_schema

LOOP = {}
LOOP["properties"] = {"a": LOOP}


def test_a_list_of_names_declares_fields():
    """A plain list of names is a schema of an object with these fields, any type, none required."""
    assert read_schema(["b", "a"], "t") == {"type": "object", "properties": {"b": {}, "a": {}}}
    assert read_schema(("b",), "t") == {"type": "object", "properties": {"b": {}}}
    assert read_schema([], "t") == {"type": "object", "properties": {}}


@given(st.lists(st.text(max_size=5), unique=True))
def test_the_declared_fields_are_those_of_the_list(names):
    """Every list of different names is a valid schema that declares them in their order."""
    schema = read_schema(names, "t")
    check_schema(schema, "t")
    assert declared_fields(schema) == tuple(names)


def test_a_schema_of_ones_own():
    """A JSON Schema is copied, so later changes of the original do not reach the tool."""
    given_schema = {"type": "object", "properties": {"a": {"enum": [1, (2, None)]}}, "required": ("a",)}
    schema = read_schema(given_schema, "t")
    given_schema["properties"]["a"]["enum"].append(3)
    assert schema == {"type": "object", "properties": {"a": {"enum": [1, [2, None]]}}, "required": ["a"]}
    assert declared_fields(schema) == ("a",)
    assert declared_fields({}) == ()


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("query", "tool t: a schema is a JSON Schema object or a list of field names, not 'query'"),
        (5, "tool t: a schema is a JSON Schema object or a list of field names, not 5"),
        (["a", 5], "tool t: a schema is a JSON Schema object or a list"),
        (["a", "b", "a"], "tool t: the list of fields ['a', 'b', 'a'] names a field twice"),
        ({"properties": ["a"]}, 'tool t: properties is ["a"]; it maps field names to schemas'),
        ({"properties": {1: {}}}, "tool t: the schema is not JSON: a key of it is a int, not a text"),
        ({"default": {1, 2}}, "tool t: the schema is not JSON: a set has no JSON form"),
        (LOOP, "tool t: the schema is not JSON: it refers to itself"),
    ],
    ids=["text", "number", "mixed", "twice", "properties", "key", "set", "loop"],
)
def test_what_is_no_schema(schema, message):
    """What is neither JSON Schema nor a list of names is refused, with the tool's name."""
    with pytest.raises(SchemaError) as caught:
        read_schema(schema, "tool t")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "objekt"}, 'tool t: not valid JSON Schema at type: "objekt"'),
        ({"properties": {"a": {"type": "strng"}}}, 'tool t: not valid JSON Schema at properties/a/type: "strng"'),
        ({"properties": {"a": 5}}, "tool t: not valid JSON Schema at properties/a: 5"),
        ({"required": "a"}, 'tool t: not valid JSON Schema at required: "a"'),
        ({"required": ["a", "a"]}, "tool t: not valid JSON Schema at required"),
        ({"properties": {"a": {"minimum": "0"}}}, "tool t: not valid JSON Schema at properties/a/minimum"),
        ({"properties": {"a": {"pattern": "("}}}, "tool t: not valid JSON Schema at properties/a/pattern"),
        ({"type": "array"}, 'tool t: the schema\'s type is "array"; a tool takes an object of fields'),
    ],
    ids=str,
)
def test_an_invalid_schema(schema, message):
    """A schema that is not valid JSON Schema is refused, with the place in it and what stands there."""
    with pytest.raises(SchemaError) as caught:
        check_schema(schema, "tool t")
    assert str(caught.value).startswith(message)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"properties": {"a": True, "b": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/x"}]}}, "$defs": {"x": {}}},
        {
            "type": "object",
            "properties": {"a": {"type": ["string", "null"], "x-own": 1}},
            "additionalProperties": False,
        },
    ],
    ids=str,
)
def test_a_valid_schema(schema):
    """Schemas of draft 2020-12 are accepted, with own keywords too."""
    check_schema(read_schema(schema, "t"), "t")


def test_the_schemas_of_the_scenarios_are_valid(scenario):
    """Every tool of a scenario declares valid JSON Schema, and fields that its calls use."""
    scenario.table.check()
    for name, tool in scenario.table.items():
        declared = set(declared_fields(tool.definition.schema))
        assert {field for case in scenario.cases if case.tool == name for field in case.arguments} <= declared
