"""The strategy over JSON Schema: what it draws is admitted, and what it does not know is named."""

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.checking.made_up import TIDY, WILD
from toolbench.checking.strategy import ANNOTATIONS, BY_TYPE, DEEPEST, DRAWN, FORMATS, NotDrawn, not_drawn, strategy
from toolbench.schema import HOLD_A_LIST, HOLD_BY_NAME, HOLD_ONE

NAMES = st.sampled_from(("a", "b", "a/b", "größe"))


def _between(draw, low, high, numbers):
    first, second = sorted((draw(numbers), draw(numbers)))
    both = {low: first, high: second}
    return {key: value for key, value in both.items() if draw(st.booleans())}


@st.composite
def _scalars(draw):
    kind = draw(st.sampled_from(("string", "integer", "number", "boolean", "null", "enum", "const", "format", "text")))
    if kind in ("enum", "const"):
        members = draw(st.lists(st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=2), min_size=1))
        return {"enum": members} if kind == "enum" else {"const": members[0]}
    if kind == "string":
        return {"type": kind, **_between(draw, "minLength", "maxLength", st.integers(0, 30))}
    if kind == "text":
        return {"pattern": draw(st.sampled_from(("^[a-c]{2,4}$", "a|b", r"^\d+-\d$", "")))}
    if kind == "format":
        return {"type": "string", "format": draw(st.sampled_from(sorted(FORMATS)))}
    if kind == "integer":
        step = draw(st.sampled_from(({}, {"multipleOf": 1}, {"multipleOf": 3})))
        bounds = _between(draw, "minimum", "maximum", st.integers(-300, 300).map(lambda n: 3 * n))
        return {"type": draw(st.sampled_from(("integer", ["integer", "null"]))), **bounds, **step}
    if kind == "number":
        return {"type": kind, **_between(draw, "minimum", "maximum", st.integers(-300, 300) | st.floats(-300, 300))}
    return {"type": kind}


@st.composite
def _parts(draw, inner):
    kind = draw(st.sampled_from(("array", "tuple", "object", "map", "anyOf", "allOf", "ref")))
    if kind == "array":
        return {"type": kind, "items": draw(inner), **_between(draw, "minItems", "maxItems", st.integers(0, 5))}
    if kind == "tuple":
        return {"prefixItems": [draw(inner), draw(inner)], "items": draw(inner | st.just(False))}
    if kind == "object":
        fields = draw(st.dictionaries(NAMES, inner, max_size=3))
        required = draw(st.lists(st.sampled_from(sorted(fields)), unique=True)) if fields else []
        return {"type": kind, "properties": fields, "required": required, "additionalProperties": False}
    if kind == "map":
        return {"type": "object", "additionalProperties": draw(inner)}
    if kind == "anyOf":
        return {"anyOf": [draw(inner), draw(inner)]}
    if kind == "allOf":
        return {"allOf": [draw(inner)], "title": "T"}
    return {"$ref": "#/$defs/d", "description": "D"}


SCHEMAS = st.recursive(_scalars(), _parts, max_leaves=4)


@settings(max_examples=60)
@given(SCHEMAS, _scalars(), st.data())
def test_what_is_drawn_is_admitted(schema, definition, data):
    """By the reference validator, for every keyword that draws."""
    schema = {**schema, "$defs": {"d": definition}}
    assert list(not_drawn(schema, schema)) == []
    value = data.draw(strategy(schema))
    assert Draft202012Validator(schema).is_valid(value)


@settings(max_examples=60)
@given(WILD | TIDY)
def test_whatever_the_schema_an_unknown_keyword_is_named(schema):
    """At a place where it stands, and each place once."""
    told = list(not_drawn(schema, schema))
    assert len(told) == len(set(told))
    for _, keyword in told:
        assert keyword.startswith("format ") or keyword not in DRAWN | ANNOTATIONS


def test_a_keyword_behind_a_reference_is_named_where_the_reference_is():
    """Once, however many lead to it; what nothing leads to is not drawn from."""
    root = {
        "properties": {"a": {"$ref": "#/$defs/d"}, "b": {"$ref": "#/$defs/d"}},
        "$defs": {"d": {"contains": {}}, "e": {"not": {}}},
    }
    assert list(not_drawn(root, root)) == [("/properties/a", "contains")]


def test_a_format_matters_to_a_text_only():
    """One of another type has no values to come from."""
    assert list(not_drawn({"type": ["string", "null"], "format": "colour"}, {})) == [("", "format colour")]
    assert list(not_drawn({"format": "colour"}, {})) == [("", "format colour")]
    assert list(not_drawn({"type": "integer", "format": "int32"}, {})) == []


@pytest.mark.parametrize("keyword", sorted({*HOLD_BY_NAME, *HOLD_A_LIST, *HOLD_ONE} - DRAWN - ANNOTATIONS))
def test_a_keyword_that_holds_schemas_is_drawn_by_or_named(keyword):
    """None is passed over."""
    assert list(not_drawn({keyword: {}}, {})) == [("", keyword)]


def test_every_named_format_has_values_of_its_own():
    """Which are what is drawn."""
    for name, values in FORMATS.items():
        assert len(set(values)) == len(values) > 1
        assert list(not_drawn({"type": "string", "format": name}, {})) == []


def test_every_type_is_drawn():
    """Without a word on it the scalar ones are, and what the other keywords are about."""
    kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}
    for name in BY_TYPE:
        assert not strategy({"type": name}).is_empty
    for kind in kinds.values():
        assert isinstance(find(strategy({}), lambda value, kind=kind: isinstance(value, kind)), kind)
    assert len(find(strategy({"minItems": 1}), lambda value: True)) == 1


def test_alternatives_that_cannot_be_drawn_are_left_out():
    """While there is one that can; a field that may be left out is then."""
    with pytest.raises(NotDrawn, match="leads to nothing"):
        strategy({"anyOf": [{"$ref": "#/$defs/none"}]})
    nowhere = {"$ref": "#/$defs/none"}
    assert not strategy({"anyOf": [nowhere, {"const": 1}]}).is_empty
    assert not strategy({"type": "object", "properties": {"a": nowhere}}).is_empty
    with pytest.raises(NotDrawn, match="leads to nothing"):
        strategy({"type": "object", "properties": {"a": nowhere}, "required": ["a"]})


def test_a_schema_that_holds_itself_is_drawn_to_a_depth():
    """Where it need not go on."""
    tree = {"type": "object", "properties": {"child": {"$ref": "#"}}}
    assert not strategy(tree).is_empty
    with pytest.raises(NotDrawn, match=f"more than {DEEPEST} levels"):
        strategy({**tree, "required": ["child"]})
