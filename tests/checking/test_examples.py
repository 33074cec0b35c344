"""Values that a declaration names: what is of which type, which defaults are none, what the schema refuses."""

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

import toolbench as tb
from tests.checking.made_up import JSON
from toolbench.checking.examples import LISTED, examples, is_of, types_of
from toolbench.checking.nodes import Declaration

TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")


def told(field, **said):
    schema = {"type": "object", "properties": {"f": field}, "$defs": {"d": {"type": "integer"}}}
    return list(examples(Declaration(tb.Definition("t", schema, "Does.", **said))))


def keyed(field):
    return [(finding.code, finding.pointer) for finding in told(field)]


@given(JSON)
def test_types_are_those_of_the_standard(value):
    """As the reference validator sees them."""
    admitted = {kind for kind in TYPES if Draft202012Validator({"type": kind}).is_valid(value)}
    assert set(types_of(value)) == admitted
    assert all(is_of(value, [kind]) == (kind in admitted) for kind in TYPES)
    assert not is_of(value, ["text"]) and not is_of(value, [])


@pytest.mark.parametrize(
    ("field", "codes"),
    [
        ({"type": "integer", "default": "1"}, ["default-invalid"]),
        ({"$ref": "#/$defs/d", "default": "1"}, ["default-invalid"]),
        ({"type": ["integer", "null"], "default": None}, []),
        ({"type": "integer", "default": None}, ["default-invalid"]),
        ({"enum": ["a"], "default": "b"}, ["default-invalid"]),
        ({"type": "string", "default": "null"}, ["default-none-text"]),
        ({"enum": ["None", "all"], "default": "None"}, []),
        ({"type": "integer", "default": "None"}, ["default-invalid", "default-none-text"]),
    ],
)
def test_a_default_is_a_value_that_the_field_admits(field, codes):
    """Also behind a reference; a member that reads None is a member."""
    assert keyed(field) == [(code, "/properties/f/default") for code in codes]


@pytest.mark.parametrize(
    ("default", "description", "repeated"),
    [
        ("The name of it", "The name of it", True),
        ("the NAME, of it", "The name of it.", True),
        ("name", "Name", False),
        ("The name of it", "What it is called.", False),
        ("the name of it", None, True),
        ("The name of it", "", True),
        ("Optional list of ids", None, True),
        ("New York City Hall", None, False),
        ("SELECT a FROM b", None, False),
        ("2 of 3 are 4", None, False),
        ("a b", None, False),
    ],
)
def test_a_default_that_is_a_description_is_none(default, description, repeated):
    """It repeats the one that is there, or reads like the one that is not."""
    field = {"type": "string", "default": default, **({} if description is None else {"description": description})}
    assert keyed(field) == ([("default-is-description", "/properties/f/default")] if repeated else [])


def test_members_of_another_type_are_named():
    """Some of them; without a type there is no other."""
    assert keyed({"enum": [1, "a"]}) == []
    assert keyed({"type": ["integer", "null"], "enum": [1, None, 2.0]}) == []
    (finding,) = told({"type": "string", "enum": [1, "a", 2, 3, None, 5]})
    assert (finding.code, finding.pointer) == ("enum-type", "/properties/f/enum")
    assert finding.seen == "the type is string, and the enum has 1, 2, 3 and 2 more"


def test_a_constant_has_a_type_too():
    """Whatever its value."""
    assert keyed({"type": "string", "const": None}) == [("enum-type", "/properties/f/const")]
    assert keyed({"type": "null", "const": None}) == []


def test_examples_are_held_against_the_schema_beside_them():
    """Of one keyword or the other; some of many."""
    assert keyed({"type": "integer", "examples": [1, 2]}) == []
    assert keyed({"type": "integer", "example": "1"}) == [("example-invalid", "/properties/f/example")]
    assert keyed({"type": "integer", "examples": "1"}) == []
    assert len(keyed({"type": "integer", "examples": ["1"] * (2 * LISTED)})) == LISTED


def test_whole_examples_are_held_against_the_whole():
    """Each at its place, with what it is."""
    (finding,) = told({"type": "integer"}, examples=[{"f": 1}, {"f": "1"}])
    assert (finding.code, finding.pointer, finding.input) == ("example-invalid", "/examples/1", {"f": "1"})


def test_of_a_schema_that_is_not_sound_the_parts_are_read():
    """By what they say themselves."""
    schema = {
        "type": "object",
        "properties": {
            "f": {"type": "integer", "minimum": 3, "default": 2},
            "g": {"type": "integer", "minimum": "3", "default": "a"},
            "h": {"type": "text", "default": 2},
            "i": {"$ref": "#/$defs/none", "type": "string", "default": 2},
        },
    }
    told_of = examples(Declaration(tb.Definition("t", schema, "Does.")))
    assert [finding.pointer for finding in told_of] == [f"/properties/{name}/default" for name in "fghi"]
