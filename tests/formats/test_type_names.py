"""Type names of programming languages, in JSON Schema's words."""

import pytest
from hypothesis import given

from tests.formats.made_up import TYPED, TYPES, roots
from toolbench.formats.subschemas import subschemas
from toolbench.formats.type_names import JSON_NAMES, TYPE_NAMES, is_typed, translate


def translated(field):
    """A field of a typed schema, translated, and what was lost."""
    schema, losses = translate({"type": "dict", "properties": {"at": field}}, "ping", "/parameters")
    return schema["properties"]["at"], [str(loss) for loss in losses]


@pytest.mark.parametrize("name", ["dict", "HashMap", "OBJECT", "Object", "Dict[str, int]", "Map<String, Long>"])
def test_a_root_that_means_an_object_tells_the_dialect(name):
    """Python's, Java's and Gemini's."""
    assert is_typed({"type": name})
    assert translate({"type": name}, "ping")[0] == {"type": "object"}


@pytest.mark.parametrize(
    "schema", [{"type": "object"}, {}, {"type": ["dict"]}, {"type": "float"}, {"type": 5}, [], None]
)
def test_any_other_root_is_left_to_a_check(schema):
    """A float under an object is a mistake, and not a dialect."""
    assert not is_typed(schema)


@pytest.mark.parametrize(
    ("field", "becomes"),
    [
        ({"type": "float"}, {"type": "number"}),
        ({"type": "str"}, {"type": "string"}),
        ({"type": "STRING"}, {"type": "string"}),
        ({"type": "Boolean"}, {"type": "boolean"}),
        ({"type": "None"}, {"type": "null"}),
        ({"type": "ArrayList", "items": {"type": "int"}}, {"type": "array", "items": {"type": "integer"}}),
        ({"type": "String[]"}, {"type": "array", "items": {"type": "string"}}),
        ({"type": "int[][]"}, {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}),
        ({"type": "int[]", "items": {"type": "long[]"}, "x": 1},
         {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}, "x": 1}),
        ({"type": ["str", "string", "None"]}, {"type": ["string", "null"]}),
        ({"type": ["str", "any"], "title": "x"}, {"title": "x"}),
        ({"type": "Object", "properties": {}}, {"type": "object", "properties": {}}),
        ({"type": "Colour", "enum": ["dict"]}, {"type": "Colour", "enum": ["dict"]}),
        ({"anyOf": [{"type": "int"}, {"not": {"type": "bool"}}]},
         {"anyOf": [{"type": "integer"}, {"not": {"type": "boolean"}}]}),
        ({"additionalProperties": {"type": "double"}}, {"additionalProperties": {"type": "number"}}),
        ({"prefixItems": [{"type": "short"}], "default": {"type": "dict"}},
         {"prefixItems": [{"type": "integer"}], "default": {"type": "dict"}}),
    ],
)  # fmt: skip
def test_names_are_translated_at_every_level(field, becomes):
    """Unknown names, and values that only look like schemas, stay."""
    assert translated(field)[0] == becomes


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("tuple", "tuple became array, which does not say that its length is fixed"),
        ("HashSet", "HashSet became array, which does not say that no item comes twice"),
        ("char", "char became string, which does not say that it is one character"),
        ("long", "long became integer, which does not say how many bits it has"),
        ("List<Order>", "List<Order> became array, which does not say that it is of Order"),
        ("any", "any became no type: JSON Schema has no name for any value"),
    ],
)
def test_what_a_name_said_beyond_json_schema_is_listed(name, what):
    """With the place of the name."""
    assert translated({"type": name})[1] == [f"ping /parameters/properties/at/type: {what}"]


def test_items_of_an_array_among_other_types_are_listed():
    """Where several types are allowed, nothing says what the items are."""
    field, (loss,) = translated({"type": ["int[]", "None"]})
    assert field == {"type": ["array", "null"]}
    assert loss.endswith("int[] became array, which does not say that it is of int")


@given(roots(TYPES | TYPED, root="HashMap"))
def test_a_translation_is_complete_at_once(schema):
    """A second one changes nothing and loses nothing, and no known name of another language is left."""
    once, _ = translate(schema, "ping")
    assert translate(once, "ping") == (once, [])
    names = {inner["type"] for _, inner in subschemas(once) if isinstance(inner.get("type"), str)}
    assert names <= JSON_NAMES | {"odd"}


def test_every_name_becomes_one_of_json_schema_or_none():
    """No name is translated into another that is to be translated."""
    assert set(TYPE_NAMES.values()) == JSON_NAMES | {"any"}
    assert not JSON_NAMES & set(TYPE_NAMES)
