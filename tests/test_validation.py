"""What a schema admits: held against jsonschema, the reference."""

import time

import jsonschema
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from toolbench.pointers import pointer_to
from toolbench.validation import Validators, metaschema_fault

# --- the law --------------------------------------------------------------------------------------------------

NAMES = st.sampled_from(["a", "b", "c"])
SCALARS = st.none() | st.booleans() | st.integers(-3, 12) | st.sampled_from([0.5, -1.5, 2.0, "", "a", "ab", "b1", "ä"])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=6
)
TYPES = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
SMALL = st.integers(0, 3)


def keywords(inner):
    """Schemas of common keywords, any of them together."""
    schemas = st.dictionaries(NAMES, inner, max_size=3)
    some = st.lists(inner, min_size=1, max_size=2)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
            "enum": st.lists(VALUES, min_size=1, max_size=3),
            "const": VALUES,
            "minimum": st.integers(-2, 5),
            "maximum": st.integers(-2, 9),
            "exclusiveMinimum": st.integers(-2, 5),
            "exclusiveMaximum": st.integers(0, 9),
            "multipleOf": st.sampled_from([1, 2, 0.5]),
            "minLength": SMALL,
            "maxLength": SMALL,
            "pattern": st.sampled_from(["^a", "b$", "[0-9]", "^(a|b)+$"]),
            "minItems": SMALL,
            "maxItems": SMALL,
            "uniqueItems": st.booleans(),
            "items": inner,
            "prefixItems": some,
            "contains": inner,
            "properties": schemas,
            "required": st.lists(NAMES, max_size=2, unique=True),
            "additionalProperties": inner,
            "propertyNames": inner,
            "minProperties": SMALL,
            "maxProperties": SMALL,
            "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True), max_size=1),
            "allOf": some,
            "anyOf": some,
            "oneOf": some,
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
        },
    )


SCHEMAS = st.recursive(st.booleans() | keywords(st.booleans()), keywords, max_leaves=4)


@given(SCHEMAS, VALUES)
def test_what_is_admitted_is_what_the_reference_admits(schema, value):
    """Any schema of common keywords admits what jsonschema says; what it does not admit has a reason."""
    expected = jsonschema.Draft202012Validator(schema).is_valid(value)
    validators = Validators(schema)
    assert validators.admits(value) is expected
    assert (validators.fault(value) is None) is expected


@given(keywords(st.booleans()), VALUES)
def test_a_place_in_a_schema_is_a_schema(schema, value):
    """The validator at a place admits what the schema that stands there admits."""
    validators = Validators({"type": "object", "properties": {"a/b": {"items": schema}}})
    assert validators.admits(value, "/properties/a~1b/items") is jsonschema.Draft202012Validator(schema).is_valid(value)


@given(SCHEMAS)
def test_what_is_valid_is_what_the_reference_holds_valid(schema):
    """A valid schema has no fault; one whose keyword is of a wrong kind has one."""
    assume(isinstance(schema, dict))
    assert metaschema_fault(schema) is None
    assert metaschema_fault({**schema, "required": 5}) is not None


# --- faults ---------------------------------------------------------------------------------------------------


def test_a_fault_names_its_place():
    """Nested places are told with the value and what would be right."""
    schema = {"properties": {"a": {"items": {"type": "integer"}}}, "required": ["a"]}
    validators = Validators(schema)
    assert validators.fault({"a": [1, "two"]}) == 'a/1: "two" is not of type "integer"'
    assert validators.fault({}) == '"a" is a required property'
    assert validators.fault({"a": []}) is None


def test_true_is_not_one():
    """Equality is JSON's: true is not 1, and 1.0 is."""
    assert [Validators({"enum": [1]}).admits(value) for value in (1, 1.0, True)] == [True, True, False]


def test_where_nobody_can_say():
    """A place that is not there admits nothing and refuses nothing."""
    validators = Validators({"properties": {"a": {}}})
    assert (validators.at("/properties/b"), validators.admits(1, "/properties/b")) == (None, None)
    assert validators.fault(1, "/properties/b") is None


@pytest.mark.parametrize("name", ["a b", "größe", "50%", "a/b", "~", "日本", "[x]", '"', "#", "?"])
def test_a_place_of_any_name(name):
    """Whatever a field is called, its place is found."""
    validators = Validators({"properties": {name: {"type": "integer"}}})
    pointer = pointer_to("properties", name)
    assert (validators.admits(1, pointer), validators.admits("1", pointer)) == (True, False)


@pytest.mark.parametrize("schema", [{"type": "strnig"}, {"required": "a"}, {"properties": []}, {"minimum": "1"}])
def test_a_schema_that_is_not_valid(schema):
    """Why it cannot be used is told in a line; nobody can say then what it admits."""
    validators = Validators(schema)
    assert validators.problem
    assert "\n" not in validators.problem
    assert (validators.admits(1), validators.fault(1)) == (None, None)


@pytest.mark.parametrize(
    "schema", [{"pattern": "("}, {"$ref": "#/$defs/gone"}, {"properties": {"a": {"$ref": "#/$defs/gone"}}}]
)
def test_a_schema_that_leads_to_nothing(schema):
    """Of a schema with a reference to nothing, or a pattern that is none, nobody can say what it admits."""
    validators = Validators(schema)
    assert (validators.at(), validators.admits(1), validators.fault(1)) == (None, None, None)


def test_where_a_schema_is_not_valid():
    """The place is a JSON Pointer, also where a name holds a slash."""
    pointer, why = metaschema_fault({"properties": {"a/b": {"type": "strnig"}}})
    assert pointer == "/properties/a~1b/type"
    assert '"strnig"' in why
    assert metaschema_fault({"type": "string"}) is None
    assert metaschema_fault([]) is not None


@pytest.mark.parametrize(
    "dialect",
    ["https://example.org/own", "nonsense", "http://json-schema.org/draft-07/schema#", 5],
)
def test_a_dialect_that_nobody_knows(dialect):
    """A `$schema` that nobody knows is left alone, and the newest draft is taken; a known one counts."""
    validators = Validators({"$schema": dialect, "type": "integer"})
    assert (validators.admits(1), validators.admits("1")) == (True, False)


# --- what must not hang or reach out --------------------------------------------------------------------------


@pytest.mark.parametrize("pattern", ["^(a+)+$", "^(a|a)*$", r"^(\w+\s?)*$"])
def test_a_pattern_that_would_backtrack_for_ever(pattern):
    """It answers at once: another engine would need more than the age of the universe."""
    begun = time.monotonic()
    validators = Validators({"properties": {"a": {"pattern": pattern}}})
    assert validators.admits({"a": "a" * 5000 + "!"}) is False
    assert validators.fault({"a": "a" * 5000 + "!"}) is not None
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize("place", ["http://127.0.0.1:{port}/schema.json", "//127.0.0.1:{port}/schema.json"])
def test_a_reference_to_a_server_is_never_fetched(place, listening):
    """A `$ref` to a URL is a problem of the schema, and nobody is asked."""
    port, asked = listening
    validators = Validators({"properties": {"a": {"$ref": place.format(port=port)}}})
    assert validators.problem
    assert validators.admits({"a": 1}) is None
    assert asked() == 0


def test_a_reference_to_a_file_is_never_read(tmp_path):
    """Neither is a file on this machine."""
    path = tmp_path / "schema.json"
    path.write_text('{"type": "integer"}')
    validators = Validators({"$ref": path.as_uri()})
    assert validators.problem
    assert validators.admits("text") is None


def test_recursive_types_are_legal():
    """A tree of trees is described by a reference to itself."""
    tree = {"$defs": {"t": {"properties": {"left": {"$ref": "#/$defs/t"}}, "required": ["n"]}}, "$ref": "#/$defs/t"}
    validators = Validators(tree)
    assert validators.admits({"n": 1, "left": {"n": 2}}) is True
    assert validators.fault({"n": 1, "left": {}}) == 'left: "n" is a required property'


@pytest.mark.parametrize("value", ["\ud800", {"a": "\udfff"}, float("nan"), float("inf"), 10**400])
def test_values_that_hardly_are_json(value):
    """Half a character, no number, and a whole number of 400 digits get an answer and no exception."""
    assert Validators({"type": ["string", "number", "object"]}).admits(value) in (True, False)


@pytest.fixture
def listening():
    """A port of this machine, and a function that says how often somebody came."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)

        def asked():
            number = 0
            while True:
                try:
                    server.accept()[0].close()
                except BlockingIOError:
                    return number
                number += 1

        yield server.getsockname()[1], asked
