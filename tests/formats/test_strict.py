"""Schemas for OpenAI's strict mode."""

import pytest
from hypothesis import given

from tests.formats.made_up import roots
from toolbench.formats.strict import FORMATS, KNOWN, strict_schema
from toolbench.formats.subschemas import subschemas


def strict_field(field, required=()):
    """A field in strict mode, and what was lost of it."""
    schema, losses = strict_schema({"type": "object", "properties": {"at": field}, "required": list(required)}, "ping")
    return schema["properties"]["at"], [str(loss).removeprefix("ping /properties/at") for loss in losses]


NULLABLE = ": could be left out; in strict mode it is null instead"


@pytest.mark.parametrize(
    ("field", "becomes"),
    [
        ({"type": "string"}, {"type": ["string", "null"]}),
        ({"type": ["string", "integer"]}, {"type": ["string", "integer", "null"]}),
        ({"type": "string", "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"type": ["string", "null"], "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"anyOf": [{"type": "string"}]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ({"$ref": "#/$defs/a"}, {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}),
        ({"$ref": "#/$defs/a", "title": "A"}, {"title": "A", "anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}),
        ({"type": "string", "const": "a", "title": "A"},
         {"title": "A", "anyOf": [{"type": "string", "const": "a"}, {"type": "null"}]}),
    ],
)  # fmt: skip
def test_a_field_that_could_be_left_out_may_be_null(field, becomes):
    """It is required, and told."""
    assert strict_field(field) == (becomes, [NULLABLE])


@pytest.mark.parametrize(
    "field",
    [{"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "null", "enum": [None]}],
)
def test_a_field_that_may_be_null_already_stays(field):
    """Nothing is lost."""
    assert strict_field(field) == (field, [])


@pytest.mark.parametrize(
    ("field", "becomes", "losses"),
    [
        ({"type": "string", "maxLength": 3},
         {"type": "string"}, ["/maxLength: is dropped; strict mode has no such keyword"]),
        ({"type": "string", "format": "uuid"}, {"type": "string", "format": "uuid"}, []),
        ({"type": "string", "format": "iban"}, {"type": "string"},
         [f"/format: is dropped; strict mode knows only {', '.join(sorted(FORMATS))}"]),
        ({"oneOf": [{"type": "string"}, {"type": "integer", "default": 5}]},
         {"anyOf": [{"type": "string"}, {"type": "integer"}]},
         ["/oneOf: became anyOf, which does not say that only one of them fits",
          "/oneOf/1/default: is dropped; strict mode has no such keyword"]),
        ({"allOf": [{"$ref": "#/$defs/a"}], "description": "A."},
         {"description": "A.", "anyOf": [{"$ref": "#/$defs/a"}]}, []),
        ({"type": "string", "allOf": [{"pattern": "a"}, {"pattern": "b"}]}, {"type": "string"},
         ["/allOf: is dropped; strict mode has no such keyword"]),
        ({"$ref": "#/$defs/a", "minimum": 1}, {"$ref": "#/$defs/a"},
         ["/minimum: is dropped; strict mode takes nothing beside $ref"]),
        ({"type": "array", "items": {"type": "object", "properties": {}, "additionalProperties": False}},
         {"type": "array",
          "items": {"type": "object", "properties": {}, "required": [], "additionalProperties": False}},
         []),
        ({"type": "object", "additionalProperties": {"type": "string"}},
         {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
         ["/additionalProperties: becomes false, so that no other fields can be sent",
          ": declares no fields, so that in strict mode it is always empty"]),
        ({}, {}, [": is of any type; strict mode can't say that, and OpenAI refuses it"]),
        ({"properties": {}, "additionalProperties": False},
         {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
         [": has no type; object is taken"]),
        (True, True, [": is of any type; strict mode can't say that, and OpenAI refuses it"]),
        (False, False, [": is never valid; strict mode can't say that, and OpenAI refuses it"]),
        ({"type": "array"},
         {"type": "array"}, [": has items of any type; strict mode can't say that, and OpenAI refuses it"]),
        ({"$ref": "https://example.org/a"}, {"$ref": "https://example.org/a"},
         ["/$ref: leads out of the schema; strict mode can't say that, and OpenAI refuses it"]),
    ],
)  # fmt: skip
def test_what_strict_mode_cannot_say_is_listed(field, becomes, losses):
    """Dropped where it can be, left where nothing can replace it."""
    assert strict_field(field, ["at"]) == (becomes, losses)


def test_required_fields_are_those_that_are_declared():
    """Another name among them is dropped and told."""
    schema, losses = strict_schema(
        {"properties": {"a": {"type": "null"}, "b": {"type": "null"}}, "required": ["c"]}, "ping"
    )
    assert (schema["type"], schema["required"]) == ("object", ["a", "b"])
    assert [str(loss) for loss in losses] == ['ping /required: does not keep "c"; only declared fields are required']


@pytest.mark.parametrize("schema", [{"anyOf": [{"type": "object"}]}, {"type": "string"}, {"$ref": "#/$defs/a"}])
def test_a_root_that_is_no_plain_object_is_listed(schema):
    """It stays, so that the provider's refusal is no surprise."""
    _, losses = strict_schema(schema, "ping", "/schema")
    assert str(losses[-1]) == ("ping /schema: is no plain object, as strict mode wants at the root; OpenAI refuses it")


def test_a_field_may_be_called_like_a_keyword():
    """`additionalProperties` and `schema` are fields like any other."""
    fields = {"additionalProperties": {"type": "null"}, "schema": {"type": "object", "properties": {}}}
    schema, losses = strict_schema({"type": "object", "properties": fields}, "ping", "/schema")
    assert schema["required"] == ["additionalProperties", "schema"]
    assert [loss.pointer for loss in losses] == ["/schema/properties/schema", "/schema/properties/schema"]


@given(roots())
def test_every_object_is_closed_and_every_field_required(schema):
    """At every depth, definitions included, with no keyword left that strict mode does not know."""
    strict, _ = strict_schema(schema, "ping")
    for _, inner in subschemas(strict):
        assert inner.keys() <= KNOWN
        if "properties" in inner:
            assert inner["additionalProperties"] is False
            assert inner["required"] == list(inner["properties"])


@given(roots())
def test_a_second_pass_changes_nothing(schema):
    """And finds only what strict mode can't say."""
    once, _ = strict_schema(schema, "ping")
    twice, losses = strict_schema(once, "ping")
    assert twice == once
    assert all("OpenAI refuses it" in loss.what for loss in losses)


def test_a_schema_of_the_greatest_depth_is_no_trouble():
    """200 levels, the deepest that a definition holds."""
    schema = {"type": "string"}
    for _ in range(198):
        schema = {"type": "array", "items": schema}
    strict, losses = strict_schema({"type": "object", "$defs": schema, "items": schema, "properties": {}}, "ping")
    assert strict["items"] == schema and losses == []
