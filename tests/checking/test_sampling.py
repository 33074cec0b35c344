"""Values worth trying."""

import pytest

import toolbench as tb
from toolbench.checking.nodes import Declaration
from toolbench.checking.sampling import (
    Known,
    alternatives,
    assembled,
    candidates,
    declared_values,
    declares_null,
    distinct,
    known_values,
    members,
    near,
    of_type,
    other_types,
    simple,
)  # fmt: skip
from toolbench.checking.source import Source

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


def declaration(required=(), /, **properties):
    return Declaration(tb.Definition("t", {"type": "object", "properties": properties, "required": list(required)}))


def test_each_json_value_is_kept_once():
    """True is not 1, and 1.0 is told from 1 only where JSON does."""
    assert distinct([1, True, "1", 1, [1], [True], None, None]) == [1, True, "1", [1], [True], None]


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        ({"default": 1, "const": 2, "example": 3, "enum": [4], "examples": [5]}, [1, 2, 3, 4, 5]),
        ({"anyOf": [{"default": 1}, {"$ref": "#/$defs/a"}]}, [1, 9]),
        ({"type": ["string", "null"], "default": None}, [None, None, None]),
        ({"enum": "no list"}, []),
    ],
)
def test_the_values_that_a_schema_names(schema, values):
    """Those of its alternatives too."""
    assert declared_values(schema, {"$defs": {"a": {"default": 9}}}) == values


def test_alternatives_that_are_many_are_not_followed_one_and_all():
    """Five levels of eight references are more than thirty thousand ways; ten would never end."""
    defs = {f"a{i}": {"anyOf": [{"$ref": f"#/$defs/a{i + 1}"}] * 8} for i in range(5)}
    defs["a5"] = {"default": 1}
    assert len(declared_values(defs["a0"], {"$defs": defs})) < 10_000


@pytest.mark.parametrize(
    ("field", "null"),
    [
        ({"type": "null"}, True),
        ({"type": ["integer", "null"]}, True),
        ({"anyOf": [TEXT, {"type": "null"}]}, True),
        (TEXT, False),
        ({}, False),
        ({"enum": ["a", None]}, False),
    ],
)
def test_null_is_declared_where_it_is_said(field, null):
    """Not where nothing is said at all."""
    assert declares_null(declaration(x=field), "x") == null


@pytest.mark.parametrize(
    ("field", "choices"),
    [
        ({"enum": ["a", None, 1]}, ["a", 1]),
        ({"anyOf": [{"enum": ["a"]}, {"type": "null"}]}, ["a"]),
        ({"type": "boolean"}, [True, False]),
        (TEXT, []),
    ],
)
def test_the_choices_of_a_field(field, choices):
    """Null is none of them."""
    assert members(declaration(x=field), "x") == choices


@pytest.mark.parametrize(
    "schema",
    [
        TEXT,
        WHOLE,
        {"type": "array", "items": WHOLE, "minItems": 2},
        {"type": "object", "properties": {"a": TEXT, "b": WHOLE}, "required": ["a"]},
        {"enum": [1, 2]},
        {"type": ["string", "null"]},
        {"type": "number", "minimum": 250},
    ],
)
def test_a_few_plain_values_are_of_their_type(schema):
    """At least one of them is admitted."""
    wrapped = declaration(x=schema)
    assert any(wrapped.validators.admits(value, "/properties/x") for value in simple(schema, {}))


def test_values_come_from_the_suite_first():
    """Then from the declaration and the source, and none that the schema refuses."""
    known = Known({"t": [{"x": "case"}]}, {"x": ["case", "task", 5]})
    own = declaration(x={**TEXT, "default": "told"})
    values = candidates(own, Source(literals=("literal", 7)), known, [{"x": "drawn"}], "x")
    assert values[:4] == ["case", "task", "told", "literal"]
    assert values.index("a") < values.index("drawn") < values.index("2024-02-29")  # a few plain ones stand before
    assert all(isinstance(value, str) for value in values)


def test_whole_argument_sets_are_all_admitted():
    """Those that are known first; a set for each choice."""
    own = declaration(["x"], x={"enum": ["a", "b"]}, y=WHOLE)
    made = assembled(own, {"x": ["a", "b"], "y": [1]}, Known({"t": [{"x": "b", "y": 8}, {"x": "z"}]}), [{"x": "a"}])
    assert made[0] == {"x": "b", "y": 8}
    assert all(own.admits(one) for one in made)
    assert {one["x"] for one in made} == {"a", "b"}


def test_a_scenario_knows_values(lending):
    """The arguments of its cases, the starts of its tasks."""
    known = known_values(lending)
    assert set(known.arguments) == set(lending.table)
    for case in lending.cases:
        assert set(case.arguments) <= set(known.values)


@pytest.mark.parametrize("value", ["text", 3, 1.5, [1, 2], {"a": 1}])
def test_close_values_are_others_of_the_same_type(value):
    """None of them is the value itself, or they are left out later."""
    assert near(value)
    assert {type(one) for one in near(value)} == {type(value)}
    assert near(True) == near(None) == []


@pytest.mark.parametrize(
    ("kind", "value", "first"),
    [("null", 1, None), ("string", ["a", "b"], "a, b"), ("string", 5, "5"), ("array", "a", ["a"]), ("integer", "a", 1)],
)
def test_values_that_stand_for_another(kind, value, first):
    """What an agent would send who takes the field for that type."""
    assert of_type(kind, value)[0] == first


def test_other_types_are_those_that_a_field_is_not_of():
    """Where nothing is said of its type, there are none."""
    assert other_types({"integer", "number"}) == ["a", True, [1, 2], {"a": 1}]
    assert other_types({"string"}) == [1, 1.5, True, [1, 2], {"a": 1}]
    assert other_types(()) == []


def test_alternatives_are_behind_references():
    """And a list of types is one alternative for each."""
    assert alternatives({"oneOf": [{"$ref": "#/a"}, 5]}, {"a": TEXT}) == [TEXT]
    assert alternatives({"type": ["string", "null"]}, {}) == [{"type": "string"}, {"type": "null"}]
