"""Whether a declaration is sound: required fields, bounds, items, strictness, and references that go round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbench as tb
from tests.checking.made_up import TIDY, WILD
from toolbench.checking.nodes import Declaration
from toolbench.checking.structure import LISTED, names, references, structure

TEXT = {"type": "string"}


def declared(schema, **said):
    return Declaration(tb.Definition("t", schema, "Does.", **said))


def found(schema, **said):
    return [(finding.code, finding.pointer) for finding in structure(declared(schema, **said))]


def in_definitions(**definitions):
    return declared({"type": "object", "properties": {}, "$defs": definitions})


def referred(**definitions):
    return [(finding.code, finding.pointer) for finding in references(in_definitions(**definitions))]


# References.


def to(name):
    return {"$ref": f"#/$defs/{name}"}


def test_a_circle_is_told_once():
    """By the first of its references, in the order of the text."""
    assert referred(a=to("b"), b=to("c"), c=to("a")) == [("circular-ref", "/$defs/a/$ref")]


def test_each_circle_is_told():
    """What only leads into one is none."""
    circles = referred(into=to("a"), a=to("b"), b=to("a"), c=to("c"))
    assert circles == [("circular-ref", "/$defs/a/$ref"), ("circular-ref", "/$defs/c/$ref")]


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_a_circle_may_go_through_what_stands_beside(keyword):
    """All of it is said of the same value."""
    assert referred(a={keyword: [TEXT, to("b")]}, b=to("a")) == [("circular-ref", f"/$defs/a/{keyword}/1/$ref")]


@pytest.mark.parametrize("keyword", ["if", "then", "else"])
def test_a_circle_may_go_through_a_condition(keyword):
    """Which is put to the same value."""
    assert referred(a={keyword: to("a")}) == [("circular-ref", f"/$defs/a/{keyword}/$ref")]


@pytest.mark.parametrize(
    "part", [{"properties": {"p": to("a")}}, {"items": to("a")}, {"additionalProperties": to("a")}, {"not": {}}]
)
def test_what_holds_itself_is_no_circle(part):
    """A tree's branch is a smaller value."""
    assert referred(a=part) == []


def test_a_chain_of_many_references_is_no_circle():
    """Until its end leads back."""
    chain = {f"d{number}": to(f"d{number + 1}") for number in range(500)}
    assert referred(**chain, d500=TEXT) == []
    assert referred(**chain, d500=to("d0")) == [("circular-ref", "/$defs/d0/$ref")]
    assert referred(**chain, d500=to("d499")) == [("circular-ref", "/$defs/d499/$ref")]


def test_many_ways_to_the_same_schema_are_gone_once():
    """Each level has two ways to the next: one by one they would be more than could ever be gone."""
    levels = {f"d{number}": {"anyOf": [to(f"d{number + 1}"), to(f"d{number + 1}")]} for number in range(100)}
    assert referred(**levels, d100=TEXT) == []


@given(st.lists(st.integers(0, 6), min_size=7, max_size=7))
def test_circles_are_as_many_as_those_of_a_function_that_is_followed(following):
    """Every schema leads to one other: its circles are what following them from anywhere ends in."""
    circles = set()
    for at in range(7):
        for _ in range(7):
            at = following[at]
        circle = [at]
        while following[circle[-1]] != at:
            circle.append(following[circle[-1]])
        circles.add(f"/$defs/d{min(circle)}/$ref")
    told = referred(**{f"d{at}": to(f"d{following[at]}") for at in range(7)})
    assert {pointer for _, pointer in told} == circles and len(told) == len(circles)


def test_a_reference_to_nothing_is_told_where_it_stands():
    """As often as it stands there; one out of the document was not fetched."""
    nowhere = {"$ref": "#/$defs/none"}
    assert referred(a=nowhere, b=nowhere, c={"$ref": "x.json#/a"}, d={"$dynamicRef": "#none"}) == [
        ("dangling-ref", "/$defs/a/$ref"),
        ("dangling-ref", "/$defs/b/$ref"),
        ("remote-ref", "/$defs/c/$ref"),
        ("dangling-ref", "/$defs/d/$dynamicRef"),
    ]


# Required fields.


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": TEXT}, "allOf": [{"required": ["a"]}]},
        {"allOf": [{"properties": {"a": TEXT}}], "required": ["a"]},
        {"allOf": [{"properties": {"a": TEXT}}, {"anyOf": [{"required": ["a"]}]}]},
        {"allOf": [{"$ref": "#/$defs/d"}], "required": ["a"], "$defs": {"d": {"properties": {"a": TEXT}}}},
        {"properties": {"a": TEXT}, "if": {"required": ["a"]}},
        {"patternProperties": {"^a": TEXT}, "required": ["a"]},
        {"additionalProperties": TEXT, "required": ["a"]},
        {"properties": {"o": {"additionalProperties": TEXT, "required": ["a"]}}},
    ],
)
def test_a_required_field_may_be_declared_anywhere_of_the_same_value(schema):
    """Beside, above, behind a reference, or by what is not a name."""
    assert found({"type": "object", **schema}) == []


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"properties": {"o": {"properties": {"a": TEXT}}}, "required": ["a"]}, "/required"),
        ({"properties": {"a": TEXT, "o": {"required": ["a"], "type": "object"}}}, "/properties/o/required"),
        ({"properties": {"a": TEXT}, "not": {"required": ["b"]}}, "/not/required"),
        ({"additionalProperties": True, "required": ["a"]}, "/required"),
    ],
)
def test_a_required_field_of_another_value_is_not_declared(schema, pointer):
    """One level down or up is another value."""
    assert found({"type": "object", **schema}) == [("undeclared-required", pointer)]


def test_of_many_undeclared_fields_some_are_told():
    """Enough to see what is wrong."""
    required = [f"f{number}" for number in range(3 * LISTED)]
    assert len(found({"type": "object", "properties": {}, "required": required})) == LISTED


# Bounds, items, patterns.


@pytest.mark.parametrize(
    ("field", "code", "pointer"),
    [
        ({"minimum": 2, "maximum": 1.5}, "unsatisfiable", "minimum"),
        ({"minLength": 2, "maxLength": 1}, "unsatisfiable", "minLength"),
        ({"minItems": 2, "maxItems": 1}, "unsatisfiable", "minItems"),
        ({"minProperties": 2, "maxProperties": 1}, "unsatisfiable", "minProperties"),
        ({"minContains": 2, "maxContains": 1, "contains": {}}, "unsatisfiable", "minContains"),
        ({"enum": []}, "unsatisfiable", "enum"),
        ({"pattern": "a{2,1}"}, "invalid-pattern", "pattern"),
        ({"patternProperties": {"([": {}}}, "invalid-pattern", "patternProperties"),
    ],
)
def test_what_nothing_satisfies_is_told(field, code, pointer):
    """At the bound, the enum, the pattern."""
    findings = found({"type": "object", "properties": {"f": field}})
    assert (code, f"/properties/f/{pointer}") in findings


@pytest.mark.parametrize("said", ["items", "prefixItems", "contains", "enum", "const", "$ref", "unevaluatedItems"])
def test_an_array_says_something_of_its_items_in_many_ways(said):
    """Also where null is admitted beside it."""
    value = {"prefixItems": [TEXT], "enum": [[1]], "const": [1], "$ref": "#/$defs/d"}.get(said, TEXT)
    schema = {"type": "object", "properties": {"f": {"type": ["array", "null"]}}, "$defs": {"d": {}}}
    assert found(schema) == [("items-missing", "/properties/f")]
    schema["properties"]["f"][said] = value
    assert found(schema) == []


# The whole.


def test_a_tool_takes_an_object():
    """A type that is none of JSON Schema's is told first, and alone."""
    assert found({"type": "array", "items": {}}) == [("invalid-schema", "/type")]
    assert found({"properties": {}}) == []
    assert found({"type": "dict", "properties": {"f": {"type": "text"}}}) == [
        ("invalid-schema", "/type"),
        ("invalid-schema", "/properties/f/type"),
    ]


def test_strict_is_meant_at_every_level():
    """What is open and what is not required is named."""
    closed = {"type": "object", "additionalProperties": False}
    inner = {"type": "object", "properties": {"b": TEXT, "c": TEXT}, "required": ["c"]}
    schema = {**closed, "properties": {"a": inner}, "required": ["a"]}
    (finding,) = structure(declared(schema, strict=True))
    assert (finding.code, finding.pointer) == ("strict-open", "/properties/a")
    assert "the object is open to other fields; not required: " in finding.seen and "b" in finding.seen
    assert found(schema) == []


def test_a_name_that_several_have_is_told_once():
    """With how many there are."""
    definitions = [tb.Definition(name, {"type": "object"}, "Does.") for name in ("a", "b", "a", "a")]
    (finding,) = names(definitions)
    assert (finding.code, finding.tool, finding.seen) == ("duplicate-name", "a", "3 tools have this name")


@given(WILD | TIDY)
def test_whatever_is_told_has_a_place_in_the_schema(schema):
    """Whatever stands there; and reading it again tells the same."""
    declaration = in_definitions(a=schema)
    told = list(structure(declaration))
    assert told == list(structure(declaration))
    assert all(finding.pointer.startswith("/$defs") for finding in told)
