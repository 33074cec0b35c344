"""What a declaration says beside its structure: keywords that are meant, names, choices told in prose."""

import pytest
from hypothesis import given

import toolbench as tb
from tests.checking.made_up import TIDY, WILD
from toolbench.checking.nodes import Declaration
from toolbench.checking.wording import ELSEWHERE, KEYWORDS, wording

TEXT = {"type": "string"}


def said(schema, name="t", description="Does."):
    return list(wording(Declaration(tb.Definition(name, schema, description))))


def of_field(**schema):
    return {finding.code: finding for finding in said({"type": "object", "properties": {"f": schema}})}


@pytest.mark.parametrize(
    ("keyword", "value", "meant"),
    [
        ("desc", "D", "description"),
        ("Description", "D", "description"),
        ("max_length", 3, "maxLength"),
        ("min-items", 3, "minItems"),
        ("defualt", "a", "default"),
        ("min", 3, "minimum"),
        ("default_value", "a", "default"),
        ("choices", ["a"], "enum"),
        ("allowed_values", ["a"], "enum"),
    ],
)
def test_a_misspelt_keyword_has_the_one_that_is_meant_as_its_cure(keyword, value, meant):
    """By its spelling, or as others call it."""
    finding = of_field(type="string", **{keyword: value})["misspelt-keyword"]
    assert (finding.pointer, finding.cure) == (f"/properties/f/{keyword}", f"Write {meant}.")


@pytest.mark.parametrize(
    ("field", "keyword"),
    [
        ({"type": "string", "choices": "a or b"}, "choices"),
        ({"type": "string", "desc": "D", "description": "E"}, "desc"),
        ({"type": "string", "colour": "red"}, "colour"),
        ({"type": "string", "kind": "integer"}, "kind"),
    ],
)
def test_what_cannot_be_meant_is_only_unknown(field, keyword):
    """An enum is a list; what is there already is not meant again; a type is said once."""
    findings = of_field(**field)
    assert findings["unknown-keyword"].pointer == f"/properties/f/{keyword}" and "misspelt-keyword" not in findings


def test_what_names_types_is_the_type():
    """Where nothing else says one."""
    assert of_field(kind="integer")["misspelt-keyword"].cure == "Write type."
    assert of_field(kind=["integer", "null"])["misspelt-keyword"].cure == "Write type."
    assert "misspelt-keyword" not in of_field(kind="whole")


def test_what_lists_the_fields_is_required():
    """Where all that it lists are fields."""
    fields = {"type": "object", "properties": {"f": TEXT, "g": TEXT}}
    assert [f.cure for f in said({**fields, "needs": ["f"]})] == ["Write required."]
    assert [f.code for f in said({**fields, "needs": ["f", "h"]})] == ["unknown-keyword"]
    assert [f.code for f in said({**fields, "needs": ["f"], "required": ["g"]})] == ["unknown-keyword"]


@pytest.mark.parametrize("keyword", sorted({*(KEYWORDS - {"$ref", "type"}), *ELSEWHERE, "x-own", "_own", "$own"}))
def test_a_known_keyword_is_left_alone(keyword):
    """Of JSON Schema, of its neighbours, or marked as somebody's own."""
    assert not {"unknown-keyword", "misspelt-keyword"} & set(of_field(type="string", **{keyword: None}))


def test_a_keyword_with_a_slash_has_a_pointer():
    """As RFC 6901 says."""
    assert of_field(type="string", **{"a/b~c": 1})["unknown-keyword"].pointer == "/properties/f/a~1b~0c"


@pytest.mark.parametrize(
    ("name", "refused"),
    [("a" * 64, False), ("a" * 65, True), ("get_it-2", False), ("get it", True), ("map.get", True), ("größe", True)],
)
def test_a_name_that_a_provider_refuses_is_told(name, refused):
    """At the tool."""
    assert [f.pointer for f in said({"type": "object"}, name)] == (["/name"] if refused else [])


@pytest.mark.parametrize(("name", "refused"), [("a.b-c_1", False), ("a b", True), ("a" * 65, True), ("", True)])
def test_a_field_has_a_name_of_its_own_kind(name, refused):
    """Dots are taken; below other fields too."""
    inner = {"type": "object", "properties": {name: TEXT}}
    told = said({"type": "object", "properties": {"o": inner}})
    assert [(f.code, f.pointer) for f in told] == (
        [("refused-name", f"/properties/o/properties/{name}")] if refused else []
    )


@pytest.mark.parametrize("description", ["", "  \n"])
def test_a_tool_is_described(description):
    """Blanks describe nothing."""
    assert [f.code for f in said({"type": "object"}, description=description)] == ["no-description"]


@pytest.mark.parametrize("description", [
    "One of 'up', 'down'", 'Either "up" or "down".', "Must be `up` / `down`", "Allowed values: 'up'|'down', 'left'",
])  # fmt: skip
def test_choices_in_prose_are_no_enum(description):
    """However they are quoted and parted."""
    assert of_field(type="string", description=description)["choices-in-description"].pointer == "/properties/f"


@pytest.mark.parametrize(
    "field",
    [
        {"type": "string", "description": "Say 'up' or 'down'."},
        {"type": "string", "description": "One of the ways, such as 'up'."},
        {"type": "string", "description": "'up' or 'down', or one of the others."},
        {"type": "integer", "description": "One of '1', '2'."},
        {"type": "string", "description": "One of 'up', 'down'.", "pattern": "up|down"},
        {"type": "string", "description": "One of 'up', 'down'.", "examples": ["up"]},
    ],
)
def test_examples_in_prose_are_no_choices(field):
    """Nor is what something else restricts, or one word alone."""
    assert "choices-in-description" not in of_field(**field)


@pytest.mark.parametrize(
    "field", [{"$ref": "#"}, {"anyOf": [TEXT]}, {"properties": {}}, {"items": TEXT}, {"minimum": 1}, {"const": None}]
)
def test_a_type_may_be_said_without_the_word(field):
    """By what only one type has, or by another schema."""
    assert "type-missing" not in of_field(**field)
    assert of_field(description="D")["type-missing"].pointer == "/properties/f"


@given(WILD | TIDY)
def test_whatever_stands_there_is_read(schema):
    """And everything told has its place below it."""
    told = said({"type": "object", "properties": {"f": schema}})
    assert all(finding.pointer.startswith("/properties/f") for finding in told)
