"""Definitions in each provider's shape, and what it can't carry."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbench as tb
from tests.formats.made_up import DEFINITIONS
from toolbench.errors import UsageError
from toolbench.formats.reading import read_document
from toolbench.formats.writing import TARGETS, convert
from toolbench.pointers import pointer_to

SCHEMA = {"type": "object", "properties": {"at": {"type": "string"}}, "required": ["at"]}
FULL = tb.Definition(
    "ping",
    SCHEMA,
    "Answers.",
    side_effect=False,
    destructive=False,
    idempotent=True,
    open_world=False,
    title="Ping",
    output_schema={"type": "object"},
    strict=True,
    examples=[{"at": "1"}],
)
UNSAID = {"title": "", "output_schema": None, "strict": False, "examples": ()} | dict.fromkeys(
    ("side_effect", "destructive", "idempotent", "open_world")
)


def lost(definition, to):
    return [loss.pointer for loss in convert([definition], to).losses]


@pytest.mark.parametrize(
    ("to", "document"),
    [
        ("openai",
         [{"type": "function", "function": {"name": "ping", "description": "Answers.",
           "parameters": SCHEMA, "strict": True}}]),
        ("openai-strict",
         [{"type": "function", "function": {"name": "ping", "description": "Answers.",
           "parameters": {**SCHEMA, "additionalProperties": False}, "strict": True}}]),
        ("anthropic",
         [{"name": "ping", "description": "Answers.", "input_schema": SCHEMA, "strict": True,
           "input_examples": [{"at": "1"}]}]),
        ("mcp",
         {"tools": [{"name": "ping", "title": "Ping", "description": "Answers.", "inputSchema": SCHEMA,
                     "outputSchema": {"type": "object"},
                     "annotations": {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True,
                                     "openWorldHint": False}}]}),
        ("json-schema",
         [{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "ping",
           "description": "Answers.", **SCHEMA}]),
    ],
)  # fmt: skip
def test_each_format_has_its_own_words(to, document):
    """Every key, in the order in which people write them."""
    converted = convert([FULL], to).document
    assert json.dumps(converted) == json.dumps(document)


@pytest.mark.parametrize(
    ("to", "pointers"),
    [
        ("openai", "/title /output_schema /examples /side_effect /destructive /idempotent /open_world"),
        ("openai-strict", "/title /output_schema /examples /side_effect /destructive /idempotent /open_world"),
        ("anthropic", "/title /output_schema /side_effect /destructive /idempotent /open_world"),
        ("mcp", "/strict /examples"),
        ("json-schema",
         "/title /output_schema /strict /examples /side_effect /destructive /idempotent /open_world"),
    ],
)  # fmt: skip
def test_what_a_format_cannot_carry_is_listed(to, pointers):
    """Each thing by itself, and nothing where nothing was said."""
    assert lost(FULL, to) == pointers.split()
    assert lost(tb.Definition("ping", SCHEMA), to) == []


def test_what_nobody_has_said_is_not_written():
    """No description, no title, no annotations."""
    assert convert([tb.Definition("ping", SCHEMA)], "mcp").document == {
        "tools": [{"name": "ping", "inputSchema": SCHEMA}]
    }
    assert convert([], "mcp").document == {"tools": []}
    assert convert([], "openai").document == []


@pytest.mark.parametrize("name", ["shop.order", "größe", "x" * 65, "two words", "ping\n"])
def test_a_name_that_a_provider_refuses_is_kept_and_listed(name):
    """MCP and JSON Schema take it."""
    definition = tb.Definition(name, SCHEMA)
    for to, provider in (("openai", "OpenAI"), ("openai-strict", "OpenAI"), ("anthropic", "Anthropic")):
        (loss,) = convert([definition], to).losses
        assert (loss.tool, loss.pointer) == (name, "/name")
        assert loss.what.startswith(f"is kept, and {provider} refuses it: ")
        assert [d.name for d in read_document(convert([definition], to).document, "x").definitions] == [name]
    assert lost(definition, "mcp") == lost(definition, "json-schema") == []


def test_strict_losses_have_their_place_in_the_schema():
    """Behind what the format lacks."""
    definition = tb.Definition("ping", {"properties": {"at": {"type": "string", "minLength": 1}}}, title="Ping")
    assert lost(definition, "openai-strict") == ["/title", "/schema/properties/at/minLength", "/schema/properties/at"]


def test_a_schema_that_stands_alone_says_name_and_description_at_its_root():
    """What the schema said there itself gives way, or becomes the tool's; each is listed. A draft hint stays."""
    schema = {"title": "pingArguments", "description": "Of ping.", "$schema": "http://json-schema.org/draft-07/schema#"}
    described = convert([tb.Definition("ping", schema, "Answers.")], "json-schema")
    assert described.document == [{**schema, "title": "ping", "description": "Answers."}]
    assert [str(loss) for loss in described.losses] == [
        "ping /schema/title: is not kept; the tool's name stands in its place",
        "ping /schema/description: is not kept; the tool's description stands in its place",
    ]
    bare = convert([tb.Definition("ping", schema)], "json-schema")
    assert bare.document == [{**schema, "title": "ping"}]
    assert [loss.pointer for loss in bare.losses] == ["/schema/title", "/schema/description"]


def test_an_unknown_format_is_refused_with_the_nearest():
    """Its name, and those that there are."""
    with pytest.raises(UsageError) as refused:
        convert([FULL], "openapi")
    assert str(refused.value) == (
        "unknown format 'openapi': did you mean openai or openai-strict? "
        "Known: openai, openai-strict, anthropic, mcp, json-schema"
    )


@given(st.lists(DEFINITIONS, max_size=3), st.sampled_from([to for to in TARGETS if to != "openai-strict"]))
def test_reading_back_gives_the_same_definitions_but_for_what_is_listed(definitions, to):
    """Each listed part is as if nobody had said it; everything else is equal, through a JSON text and back."""
    converted = convert(definitions, to)
    if not definitions:
        return
    document = read_document(json.loads(json.dumps(converted.document)), "tools.json")
    assert document.faults == document.losses == ()
    listed = iter(converted.losses)
    for before, after in zip(definitions, document.definitions, strict=True):
        assert after.name == before.name
        parts = {name for name in UNSAID if getattr(before, name) != getattr(after, name)}
        for name in parts:
            before = replace(before, **{name: UNSAID[name]})
        assert after == before
        assert parts <= {loss.pointer.removeprefix("/") for loss in converted.losses if loss.tool == before.name}
    assert all(loss.pointer in {pointer_to("name"), *map(pointer_to, UNSAID)} for loss in listed)


@given(DEFINITIONS)
def test_a_strict_document_can_be_read_and_made_again(definition):
    """The same definition comes back, strict; converting that changes nothing more."""
    once = convert([definition], "openai-strict").document
    (back,) = read_document(once, "tools.json").definitions
    assert (back.name, back.description, back.strict) == (definition.name, definition.description, True)
    assert convert([back], "openai-strict").document == once


@given(DEFINITIONS, st.sampled_from(list(TARGETS)))
def test_the_same_definition_gives_the_same_bytes(definition, to):
    """And is left as it was."""
    before = definition.text()
    assert json.dumps(convert([definition], to).document) == json.dumps(convert([definition], to).document)
    assert definition.text() == before
