"""The schemas within a schema, and where references lead."""

import pytest
from hypothesis import given

import toolbench as tb
from tests.checking.made_up import TIDY, WILD
from toolbench.checking.nodes import Declaration, at_field, followed, nodes, target

ROOT = {
    "properties": {"a/b": {"type": ["string", "null"]}, "t~x": {"items": [{"title": "first"}, {"title": "second"}]}},
    "$defs": {"a": {"$anchor": "here", "title": "A"}, "b": {"$ref": "#/$defs/a", "title": "B"}, "none": False},
    "not": {"title": "not"},
    "title": "root",
}


def test_every_schema_has_its_place():
    """In the order of the text; names are escaped."""
    assert [node.pointer for node in nodes(ROOT)] == [
        "",
        "/properties/a~1b",
        "/properties/t~0x",
        "/properties/t~0x/items/0",
        "/properties/t~0x/items/1",
        "/$defs/a",
        "/$defs/b",
        "/not",
    ]


@given(WILD | TIDY)
def test_every_place_leads_to_its_schema(schema):
    """By the same rules as a reference is followed."""
    for node in nodes(schema):
        assert target(f"#{node.pointer}".replace("%", "%25"), schema) == node.schema


@pytest.mark.parametrize(
    ("reference", "title"),
    [
        ("#", "root"),
        ("#/$defs/a", "A"),
        ("#here", "A"),
        ("#/properties/t~0x/items/1", "second"),
        ("#/properties/t%7E0x/items/0", "first"),
    ],
)
def test_a_reference_leads_to_a_schema(reference, title):
    """By its place, or by an anchor."""
    assert target(reference, ROOT)["title"] == title


@pytest.mark.parametrize(
    "reference",
    ["#/$defs/c", "#there", "other.json", "#/title", "#/properties/t~0x/items/2", "#/properties/t~0x/items/x"],
)
def test_a_reference_may_lead_nowhere(reference):
    """Out of the document, or to what is no schema."""
    assert target(reference, ROOT) is None


def test_references_are_followed_as_far_as_they_lead():
    """What stands beside a reference goes first; a round of them ends with nothing."""
    assert followed({"$ref": "#/$defs/b"}, ROOT) == {"$anchor": "here", "title": "B"}
    assert followed({"$ref": "#/$defs/none"}, ROOT) == {"$ref": "#/$defs/none"}
    assert followed({"$ref": "#/a"}, {"a": {"$ref": "#/a"}}) == {}


def test_a_declaration_knows_its_fields():
    """What they lead to, which may be left out, what is admitted."""
    schema = {
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": True},
        "required": ["a", 5],
        "$defs": {"A": {"type": "string"}},
    }
    declaration = Declaration(tb.Definition("t", schema))
    assert declaration.field("a") == {"type": "string"} and declaration.field("b") == declaration.field("c") == {}
    assert declaration.required == ("a",) and declaration.optional("b") and not declaration.optional("a")
    assert at_field("a/b") == "/properties/a~1b"


@pytest.mark.parametrize(("arguments", "admitted"), [({"a": "x"}, True), ({"a": 1}, False), ({}, False)])
def test_a_declaration_admits_what_its_schema_does(arguments, admitted):
    """None where nobody can say."""
    schema = {"properties": {"a": {"type": "string"}}, "required": ["a"]}
    assert Declaration(tb.Definition("t", schema)).admits(arguments) is admitted
    assert Declaration(tb.Definition("t", {"$ref": "#/none"})).admits(arguments) is None
