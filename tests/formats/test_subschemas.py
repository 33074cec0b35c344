"""Which schemas a schema holds."""

from hypothesis import given

from tests.formats.made_up import schemas
from toolbench.formats.subschemas import changed_inside, subschemas

DEEP = {
    "properties": {"items": {"type": "array", "items": [{"title": "first"}, {"title": "second"}]}},
    "$defs": {"a/b": {"not": {"title": "third"}}},
    "allOf": [{"additionalProperties": {"title": "fourth"}}, "no schema"],
    "enum": [{"title": "no schema"}],
    "default": {"items": {"title": "no schema"}},
}


def test_schemas_are_found_at_every_depth_and_nowhere_else():
    """A field called like a keyword is a field; enum and default hold values."""
    assert {schema["title"]: pointer for pointer, schema in subschemas(DEEP) if "title" in schema} == {
        "first": "/properties/items/items/0",
        "second": "/properties/items/items/1",
        "third": "/$defs/a~1b/not",
        "fourth": "/allOf/0/additionalProperties",
    }


def test_only_schemas_are_changed():
    """What stands where a schema should and is none stays as it is."""
    changed = changed_inside(DEEP, "/root", lambda schema, pointer: pointer)
    assert changed["allOf"] == ["/root/allOf/0", "no schema"]
    assert changed["$defs"] == {"a/b": "/root/$defs/a~1b"}
    assert (changed["enum"], changed["default"]) == (DEEP["enum"], DEEP["default"])
    assert changed_inside({"properties": [1], "items": 5}, "", lambda *_: None) == {"properties": [1], "items": 5}


@given(schemas())
def test_changing_nothing_gives_an_equal_schema(schema):
    """The copy has the same keys in the same order."""
    if isinstance(schema, dict):
        copy = changed_inside(schema, "", lambda inner, _: inner)
        assert copy == schema and list(copy) == list(schema)
