"""Definitions out of JSON values."""

import pytest
from hypothesis import given

import toolbench as tb
from tests.formats.made_up import JSON
from toolbench.errors import UsageError
from toolbench.formats.document import Document, Fault
from toolbench.formats.reading import read_document

PING = {"name": "ping", "parameters": {"type": "object"}}
PONG = {"name": "pong", "inputSchema": {"type": "object"}}


def test_definitions_are_read_in_their_order_and_doubles_are_kept():
    """A name that stands twice is for a check to find."""
    document = read_document([PING, {**PING, "description": "Again."}], "tools.json")
    assert document == Document(
        (tb.Definition("ping", {"type": "object"}), tb.Definition("ping", {"type": "object"}, "Again.")), "openai"
    )


def test_several_formats_are_mixed():
    """One alone is named."""
    assert read_document([PING, PONG], "tools.json").format == "mixed"
    assert read_document({"tools": [PONG, PONG]}, "tools.json").format == "mcp"


def test_one_bad_definition_leaves_the_others():
    """It is a fault, with its place in the document."""
    document = read_document({"tools": [PING, 5, {"name": "x"}]}, "tools.json")
    assert [definition.name for definition in document.definitions] == ["ping"]
    assert [(fault.tool, fault.pointer) for fault in document.faults] == [
        ("definition 2", "/tools/1"),
        ("x", "/tools/2"),
    ]


def test_data_around_a_list_are_told_of_the_document():
    """And other data around one definition of that definition."""
    document = read_document({"next": 1, "tools": [{"id": 1, "definition": PING}]}, "tools.json")
    assert [str(loss) for loss in document.losses] == [
        "tools.json: beside the definitions stands what is not kept: next",
        "ping /tools/0: beside the definition stands what is not kept: id",
    ]


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (5, "is a number, and holds no definitions"),
        ("ping", "is a text, and holds no definitions"),
        (None, "is null, and holds no definitions"),
        ([], "holds no definitions"),
        ({"tools": []}, "holds no definitions"),
        ([1, 2, "x"], "is a list that holds a number and a text, none of them a definition"),
        ({}, "is an object with the keys none, and holds no definitions"),
        ({"a": 1, "b\n": 2}, "is an object with the keys a, b\\n, and holds no definitions"),
    ],
)
def test_a_document_of_another_kind_is_refused(value, what):
    """What was found, and what would be right."""
    with pytest.raises(UsageError) as refused:
        read_document(value, "tools.json")
    assert str(refused.value).startswith(f"tools.json: {what}; a definition, a list of definitions, ")


@given(JSON)
def test_no_json_value_crashes_the_reading(value):
    """It is a document, with definitions or faults, or refused."""
    try:
        document = read_document(value, "tools.json")
    except UsageError:
        return
    assert document.definitions or document.faults
    for definition in document.definitions:
        assert isinstance(definition, tb.Definition) and definition.name
    for found in document.faults + document.losses:
        assert found.tool and found.what
    assert all(isinstance(fault, Fault) for fault in document.faults)
