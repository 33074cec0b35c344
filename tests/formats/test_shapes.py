"""One definition in each provider's shape."""

import pytest

import toolbench as tb
from toolbench.formats.document import Fault
from toolbench.formats.entries import entries
from toolbench.formats.shapes import read_entry

SCHEMA = {"type": "object", "properties": {"at": {"type": "string", "default": "10"}}, "required": ["at"]}


def read(value, document="folder/tools.json"):
    """The one definition (or fault) of a document, its format, and what was lost."""
    (entry,) = entries(value)
    definition, form, losses = read_entry(entry, document)
    return definition, form, [str(loss) for loss in losses]


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ({"type": "function", "function": {"name": "ping", "description": "Answers.", "parameters": SCHEMA}}, "openai"),
        ({"function": {"name": "ping", "description": "Answers.", "parameters": SCHEMA}}, "openai"),
        ({"type": "function", "name": "ping", "description": "Answers.", "parameters": SCHEMA}, "openai"),
        ({"name": "ping", "description": "Answers.", "parameters": SCHEMA, "strict": None}, "openai"),
        ({"name": "ping", "description": "Answers.", "input_schema": SCHEMA, "type": "custom"}, "anthropic"),
        ({"name": "ping", "description": "Answers.", "inputSchema": SCHEMA}, "mcp"),
        ({"title": "ping", "description": "Answers.", **SCHEMA}, "json-schema"),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "ping",
          "description": "Answers.", **SCHEMA}, "json-schema"),
        ({"name": "ping", "description": "Answers.", **SCHEMA}, "json-schema"),
        ({"name": "ping", "description": "Answers.", "parameters": {**SCHEMA, "type": "dict"}}, "python-types"),
        ({"title": "ping", "description": "Answers.", **SCHEMA, "type": "OBJECT"}, "python-types"),
        ({"ping": {"description": "Answers.", "parameters": SCHEMA}}, "openai"),
        ({"ping": {"description": "Answers.", **SCHEMA}}, "json-schema"),
    ],
)  # fmt: skip
def test_every_shape_gives_the_same_definition(value, form):
    """Name, description and schema, and nothing lost."""
    assert read(value) == (tb.Definition("ping", SCHEMA, "Answers."), form, [])


def test_all_that_mcp_says_of_a_tool_is_read():
    """Title, output schema and the four hints; a tool that only reads has no side effect."""
    hints = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
    ping = {"name": "ping", "title": "Ping", "inputSchema": SCHEMA, "outputSchema": SCHEMA, "annotations": hints}
    definition, _, losses = read({"tools": [ping]})
    assert definition == tb.Definition(
        "ping", SCHEMA, "", False, False, True, False, title="Ping", output_schema=SCHEMA
    )
    assert losses == []


def test_a_title_among_the_annotations_is_a_title():
    """Where there is another title as well, that one stands, and this one is lost."""
    ping = {"name": "ping", "inputSchema": SCHEMA, "annotations": {"title": "Ping"}}
    assert read(ping)[0].title == "Ping"
    definition, _, losses = read({**ping, "title": "Pong"})
    assert (definition.title, losses) == ("Pong", ['ping /annotations/title: is not kept beside the title "Pong"'])


def test_what_nobody_has_said_stays_unsaid():
    """A tool without annotations, or with null in them, has no side effect and no safe one."""
    definition, _, losses = read({"name": "ping", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": None}})
    assert (definition.side_effect, definition.destructive, losses) == (None, None, [])


def test_strict_and_examples_are_read():
    """OpenAI's and Anthropic's."""
    assert read({"type": "function", "function": {"name": "ping", "strict": True}})[0].strict is True
    assert read({"name": "ping", "input_schema": SCHEMA, "input_examples": [{"at": "1"}]})[0].examples == ({"at": "1"},)


def test_openai_may_leave_the_parameters_out():
    """Then a tool has no fields; so may Gemini."""
    for ping in (
        {"type": "function", "name": "ping"},
        {"function": {"name": "ping", "parameters": None}},
        {"functions": [{"name": "ping"}]},
        {"functionDeclarations": [{"name": "ping"}]},
    ):
        assert read(ping)[0] == tb.Definition("ping", {"type": "object", "properties": {}})


def test_a_typed_definition_is_translated_with_its_output():
    """`response` is the output schema; what the names said is listed with its place."""
    ping = {
        "name": "ping",
        "parameters": {"type": "dict", "properties": {"at": {"type": "tuple"}}},
        "response": {"type": "object", "properties": {"took": {"type": "float"}, "x": {"type": "any"}}},
    }
    definition, form, losses = read([ping])
    assert form == "python-types"
    assert definition.schema == {"type": "object", "properties": {"at": {"type": "array"}}}
    assert definition.output_schema == {"type": "object", "properties": {"took": {"type": "number"}, "x": {}}}
    assert [loss.partition(": ")[0] for loss in losses] == [
        "ping /0/parameters/properties/at/type",
        "ping /0/response/properties/x/type",
    ]


def test_an_output_can_be_typed_alone():
    """Its own root tells."""
    ping = {"name": "ping", "parameters": SCHEMA, "response": {"type": "dict"}}
    assert read(ping)[0].output_schema == {"type": "object"}


def test_wrong_types_under_an_object_are_kept():
    """They are a mistake that a check can find."""
    schema = {"type": "object", "properties": {"at": {"type": "float"}}}
    assert read({"name": "ping", "parameters": schema})[0].schema == schema


def test_a_schema_is_kept_as_it_is():
    """Draft hints, references, order of fields, and texts that look like numbers or JSON."""
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"b": {"$ref": "https://example.org/b.json"}, "a": {"default": "007", "enum": ["null", "{}"]}},
        "title": "pingArguments",
        "description": "Of ping.",
        "x-own": [1, {"a": None}],
    }
    for ping in ({"name": "ping", "parameters": schema}, {"name": "ping", "inputSchema": schema}):
        assert read(ping)[0].schema == schema
        assert list(read(ping)[0].fields) == ["b", "a"]


@pytest.mark.parametrize(
    ("value", "name", "losses"),
    [
        ([SCHEMA], "tools_1", ['tools_1 /0: has no title that could be its name, and is called "tools_1"']),
        (SCHEMA, "tools", []),
        ({**SCHEMA, "title": ""}, "tools", []),
        ({"ping": {**SCHEMA, "title": "Ping"}}, "Ping", []),
    ],
)
def test_a_schema_without_a_title_is_named_by_its_place(value, name, losses):
    """By its key, or by the file and its number in it."""
    definition, _, lost = read(value, "folder/tools.schema.json")
    assert (definition.name, lost) == (name, losses)


@pytest.mark.parametrize(
    ("more", "loss"),
    [
        ({"_meta": {"a": 1}}, "ping /_meta: is not kept"),
        ({"description": 5}, "ping /description: is a number and is not kept; a text is right"),
        ({"title": ["x"]}, "ping /title: is a list and is not kept; a text is right"),
        ({"strict": "true"}, "ping /strict: is a text and is not kept; true or false is right"),
        ({"annotations": []}, "ping /annotations: is a list and is not kept; an object is right"),
        ({"annotations": {"audience": "x"}}, "ping /annotations/audience: is not kept"),
        ({"annotations": {"readOnlyHint": "yes"}}, "ping /annotations/readOnlyHint: is a text and is not kept"),
        ({"outputSchema": "x"},
         "ping /outputSchema: is a text and is not kept; a JSON Schema of the answer, an object, is right"),
        ({"outputSchema": {"properties": 5}},
         "ping /outputSchema/properties: is not kept: is a number; an object from field names to schemas is right"),
        ({"input_examples": {"at": "1"}},
         "ping /input_examples: is an object and is not kept; a list of arguments is right"),
        ({"input_examples": ["x"]},
         "ping /input_examples/0: is not kept: it is a text; an object of arguments is right"),
    ],
)  # fmt: skip
def test_what_is_not_kept_is_listed(more, loss):
    """The definition is read all the same."""
    definition, _, losses = read({"name": "ping", "inputSchema": SCHEMA, **more})
    assert (definition, losses) == (tb.Definition("ping", SCHEMA), [loss])


def test_a_key_that_is_not_the_name_is_listed():
    """The definition's own name stands."""
    definition, _, losses = read({"p": {"name": "ping", "parameters": SCHEMA}})
    assert (definition.name, losses) == ("ping", ['ping /p: the key "p" is not kept beside the name'])


DEEP = {"type": "object", "properties": {}}
for _ in range(300):
    DEEP = {"type": "object", "not": DEEP}


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ([{"parameters": SCHEMA}], 'definition 1 /0: has no name; "name": a text is right'),
        ([{"name": "", "parameters": SCHEMA}], "definition 1 /0/name: is empty; a tool's name is a text"),
        ({"name": 5, "parameters": SCHEMA}, "folder/tools.json /name: is a number; a tool's name is a text"),
        ({"name": "ping", "parameters": ["at"]},
         "ping /parameters: is a list; a JSON Schema of the arguments, an object, is right"),
        ({"name": "ping", "inputSchema": {"properties": []}},
         "ping /inputSchema/properties: is a list; an object from field names to schemas is right"),
        ({"name": "ping", "parameters": DEEP},
         "ping /parameters: is no schema that can be read: it is nested deeper than 200 levels"),
        ({"title": "ping", **DEEP}, "ping: is no schema that can be read: it is nested deeper than 200 levels"),
        ({"a": SCHEMA, "b": None}, "b /b: is null, not a definition; an object with name and schema is right"),
    ],
)  # fmt: skip
def test_a_definition_that_cannot_be_read_says_why(value, fault):
    """With its name or place, where, what is wrong, and what would be right."""
    found, _, _ = read_entry(list(entries(value))[-1], "folder/tools.json")
    assert isinstance(found, Fault)
    assert str(found) == fault


@pytest.mark.parametrize(
    "ping",
    [
        {"name": "ping"},
        {"name": "ping", "inputSchema": None},
        {"name": "ping", "type": "bash_2025"},
        {"name": "ping", "type": "custom"},
    ],
)
def test_a_definition_without_a_schema_is_a_fault(ping):
    """Only OpenAI lets the schema be left out."""
    found, _, _ = read(ping)
    assert str(found).startswith("ping: has no schema of its arguments; ")
