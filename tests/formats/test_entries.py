"""Where in a document definitions stand."""

import pytest

from toolbench.formats.entries import entries, is_definition, is_schema

PING = {"name": "ping", "parameters": {"type": "object"}}
PONG = {"name": "pong", "inputSchema": {"type": "object"}}
SCHEMA = {"type": "object", "properties": {}}


def places(value):
    return [(entry.pointer, entry.key) for entry in entries(value)]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (PING, [("", "")]),
        ([PING, PONG], [("/0", ""), ("/1", "")]),
        ({"tools": [PING]}, [("/tools/0", "")]),
        ({"functions": [PING], "tools": [PONG]}, [("/tools/0", ""), ("/functions/0", "")]),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [PONG]}}, [("/result/tools/0", "")]),
        ([{"functionDeclarations": [PING]}], [("/0/functionDeclarations/0", "")]),
        ({"tools": {"ping": SCHEMA}}, [("/tools/ping", "ping")]),
        ({"ping": SCHEMA, "a/b": PONG}, [("/ping", "ping"), ("/a~1b", "a/b")]),
        ({"tool": SCHEMA, "function": SCHEMA}, [("/tool", "tool"), ("/function", "function")]),
        ({"tools": SCHEMA}, [("/tools", "tools")]),
        ({"tool": PING, "function": PONG}, [("/tool", "tool"), ("/function", "function")]),
        ({"tool": PING, "expected": SCHEMA}, [("/tool", "")]),
        ({"id": 1, "definition": PING}, [("/definition", "")]),
        ([{"id": 1, "tool": {"type": "function", "function": PING}}], [("/0/tool/function", "")]),
        ({"id": 1, "question": [["x"]], "function": [PING, PONG]}, [("/function/0", ""), ("/function/1", "")]),
        ({"shop": [PING], "bank": [PONG]}, [("/shop/0", ""), ("/bank/0", "")]),
        ({"type": "object", "properties": {"tool": SCHEMA}, "tool": {}}, [("", "")]),
        ([], []),
        ({"tools": []}, []),
    ],
)  # fmt: skip
def test_definitions_are_found(document, expected):
    """Alone, in lists, by name, wrapped."""
    assert places(document) == expected
    assert not any(entry.wrong for entry in entries(document))


@pytest.mark.parametrize(
    ("document", "beside"),
    [
        ([{"id": 1, "why": "x", "definition": PING}, PONG], [[("/0", ("id", "why"), True)], []]),
        ({"nextCursor": "x", "tools": [PING, PONG]}, [[("", ("nextCursor",), False)], []]),
        ({"version": "1", "ping": SCHEMA, "pong": SCHEMA}, [[("", ("version",), False)], []]),
        ({"type": "function", "function": PING, "strict": True}, [[("", ("strict",), True)]]),
        ({"jsonrpc": "2.0", "result": {"tools": [PING]}}, [[]]),
    ],
)
def test_other_data_is_told_once(document, beside):
    """With the first definition that it surrounds; what every answer of a server has is not told."""
    found = [[(around.pointer, around.keys, around.one) for around in entry.beside] for entry in entries(document)]
    assert found == beside


@pytest.mark.parametrize(
    ("item", "wrong"),
    [
        (5, "is a number, not a definition; an object with name and schema is right"),
        (None, "is null, not a definition; an object with name and schema is right"),
        ({}, "is empty, so it is neither a definition nor a JSON Schema; name and parameters are right"),
        ({"x": 1}, "has the keys x, so it is neither a definition nor a JSON Schema; name and parameters are right"),
    ],
)
def test_what_is_no_definition_says_what_it_is(item, wrong):
    """It stands among the others, in its place."""
    assert [entry.wrong for entry in entries([PING, item])] == ["", wrong]


def test_definitions_too_deep_in_wrappers_are_not_looked_for():
    """However deep a document goes, the search ends."""
    document = PING
    for _ in range(500):
        document = {"definition": [document]}
    (entry,) = entries(document)
    assert entry.wrong == "lies too deep in lists and wrappers; a list of definitions is right"


def test_a_schema_is_told_from_a_definition():
    """By keywords that the other does not have."""
    assert is_definition(PING) and not is_schema(PING)
    assert is_definition(SCHEMA) and is_schema(SCHEMA)
    assert is_schema({"$ref": "#/$defs/a"}) and is_schema({"type": ["object", "null"]})
    assert not is_schema({"type": "web_search"}) and not is_schema({"type": "function", "properties": {}})
    assert not is_schema({"type": "custom"}) and not is_schema({"properties": {}, "type": {"type": "string"}})
    assert not is_definition({"name": {"type": "string"}}) and not is_definition([])
