"""ToolTable: an ordered, immutable set of tools, called by name or by an agent's host."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbench as tb
from toolbench.errors import ScenarioError, SchemaError
from toolbench.outcome import ERROR, NO_SUCH_TOOL
from toolbench.refusal import refusal


class Refused(Exception):
    pass


@tb.tool(schema={"type": "object", "properties": {"length": {"type": "number"}}, "required": ["length"]})
def double(length=None, **_):
    """Twice a length."""
    return {"doubled": 2 * length}


@tb.tool(schema=["parcel"], inject="depot", side_effect=True, name="store")
def keep(depot, parcel=None):
    depot.state["parcels"].append(parcel)
    return len(depot.state["parcels"])


@tb.tool(schema=["parcel"], inject="depot")
async def find(parcel=None, *, depot):
    return {"place": depot.state["parcels"].index(parcel)}


TABLE = tb.ToolTable([double, keep, find])


def depot():
    return tb.World(state={"parcels": []})


def test_a_table_keeps_its_order():
    """Tools stand in a table in the order in which they were given, by name."""
    assert list(TABLE) == ["double", "store", "find"]
    assert list(TABLE.definitions) == ["double", "store", "find"]
    assert TABLE["store"] is keep
    assert (len(TABLE), "find" in TABLE, "fund" in TABLE, repr(TABLE)) == (
        3,
        True,
        False,
        "ToolTable(double, store, find)",
    )


def test_a_tool_that_is_not_there():
    """Calling an absent tool is a reported error; looking it up offers the nearest names."""
    assert TABLE.call("fund", {"parcel": 1}) == NO_SUCH_TOOL == tb.Outcome(ERROR, None, "no such tool")
    assert TABLE.without("find").call("find", {}, depot()) == NO_SUCH_TOOL
    with pytest.raises(KeyError, match="unknown tool 'fund': did you mean find"):
        TABLE["fund"]


def test_two_tools_of_one_name():
    """A name stands once in a table."""
    with pytest.raises(ScenarioError, match="two tools are named 'double'; a tool's name is unique in its table"):
        tb.ToolTable([double, keep, double])


@pytest.mark.parametrize("item", [len, "double", None])
def test_what_is_no_tool_has_no_place_in_a_table(item):
    """A bare function in a table is refused, with what would make a tool of it."""
    with pytest.raises(ScenarioError, match=r"is not a Tool; put @tool\(schema=...\) above the function"):
        tb.ToolTable([double, item])


def test_replacing_a_tool_never_changes_the_original(scenario):
    """Replacing each tool in turn gives a table that differs in it alone; the original's fingerprint stays."""
    table = scenario.table
    before = table.fingerprint()

    def nothing(**_):
        return {}

    for name, item in table.items():
        copy = table.replace(replace(item, function=nothing))
        assert list(copy) == list(table)
        assert [other for other in table if copy[other] is not table[other]] == [name]
        assert copy.call(name, {}).value == {}
        assert copy.fingerprint() != before
        assert copy.replace(item).fingerprint() == before
        assert list(table.without(name)) == [other for other in table if other != name]
    assert table.fingerprint() == before
    assert all(table[name].function is not nothing for name in table)


def test_a_tool_that_is_not_there_cannot_be_replaced():
    """Replacing keeps the names of a table."""
    with pytest.raises(ScenarioError, match="unknown tool 'duple': did you mean double"):
        TABLE.replace(replace(double, definition=tb.Definition("duple", [])))


def test_a_table_cannot_be_changed():
    """A table has no way to set or delete a tool, and its definitions are read-only."""
    with pytest.raises(TypeError):
        TABLE["double"] = keep
    with pytest.raises(TypeError):
        del TABLE["double"]
    with pytest.raises(TypeError):
        TABLE.definitions["double"] = keep.definition
    with pytest.raises(AttributeError):
        double.inject = "world"


def test_the_fingerprint_sees_every_part():
    """Order, name, schema, description, side effect, function, injection and errors are all part of a fingerprint."""
    table = tb.ToolTable([double, keep])
    changes = [
        tb.ToolTable([keep, double]),
        table.without("store"),
        *(
            table.replace(changed)
            for changed in (
                replace(double, definition=double.definition.with_schema(lambda schema: schema.update(required=[]))),
                replace(double, definition=replace(double.definition, description="twice")),
                replace(double, definition=replace(double.definition, side_effect=True)),
                replace(double, function=lambda length=None, **_: {"doubled": 3 * length}),
                replace(double, inject="world"),
                replace(double, errors=(Refused,)),
            )
        ),
    ]
    prints = [table.fingerprint(), *(changed.fingerprint() for changed in changes)]
    assert len(set(prints)) == len(prints)
    assert tb.ToolTable([double, keep]).fingerprint() == prints[0]
    assert all(len(text) == 16 and int(text, 16) >= 0 for text in prints)


def test_a_table_with_an_invalid_schema_is_found_by_its_check():
    """Checking a table names the tool whose schema is not valid JSON Schema."""
    wrong = tb.tool(schema={"type": "object", "properties": {"a": {"type": "txt"}}}, name="wrong")(lambda a: a)
    with pytest.raises(SchemaError, match="tool wrong: not valid JSON Schema at properties/a/type"):
        tb.ToolTable([double, wrong]).check()


def test_a_call_by_name():
    """A tool is called by its name, plain or async, with the world."""
    world = depot()
    assert TABLE.call("store", {"parcel": "b"}, world).value == 1
    assert TABLE.call("find", {"parcel": "b"}, world).value == {"place": 0}


# --- as an agent's host -----------------------------------------------------------------------------------------------


@tb.tool
def note(content: str, pages: int | None = None, kind: str = "plain"):
    return {"content": content, "pages": pages, "kind": kind}


HOST = tb.ToolTable([note, double, keep])


def test_what_fits_is_called():
    """Arguments that fit the declaration reach the tool, and the world too."""
    assert HOST.dispatch("note", {"content": "tea"}).value == {"content": "tea", "pages": None, "kind": "plain"}
    assert HOST.dispatch("store", {"parcel": 1}, depot()).value == 1
    assert HOST.dispatch("double", {"length": 2, "colour": "red"}).value == {"doubled": 4}
    assert HOST.dispatch("treble", {}) == NO_SUCH_TOOL


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("note", {"text": "tea"}, "unknown field 'text': did you mean 'content'? missing field 'content'"),
        ("note", {"content": "tea", "page": 1}, "unknown field 'page': did you mean 'pages'?"),
        ("note", {"content": "tea", "x": 1}, "unknown field 'x' (known: 'content', 'pages', 'kind')"),
        ("note", {"q": 1}, "unknown field 'q': did you mean 'content'? missing field 'content'"),
        ("note", {"content": 5}, "field 'content': 5 is not of type \"string\""),
        (
            "note",
            {"txt": 1, "knd": 2, "pages": "x", "kind": 5},
            (
                "unknown field 'txt' (known: 'content', 'pages', 'kind'); unknown field 'knd': did you mean 'kind'? "
                "missing field 'content'; "
                'field \'pages\': "x" is not of type "integer", and "x" is not of type "null"; '
                "field 'kind': 5 is not of type \"string\""
            ),
        ),
        ("double", {"lenght": 1}, "unknown field 'lenght': did you mean 'length'? missing field 'length'"),
        ("note", {}, "missing field 'content'"),
        ("note", [1], "arguments are an object of fields, not [1]"),
        ("note", {"content": {1, 2}}, "the arguments are no JSON: a set has no JSON form"),
    ],
)
def test_what_does_not_fit_is_refused(name, arguments, message):
    """A refusal is a reported error that names what is unknown, what is missing and what breaks the schema."""
    outcome = HOST.dispatch(name, arguments)
    assert (outcome.kind, outcome.value) == (ERROR, None)
    assert outcome.message == message


def test_a_long_value_leaves_room_for_what_is_right():
    """Of a long value only the beginning is shown; what would be right is still said."""
    message = HOST.dispatch("double", {"length": "x" * 500}).message
    assert len(message) < 200
    assert message.endswith('breaks type: ["number"]')


def test_a_refused_call_never_happens():
    """What does not fit changes nothing in the world."""
    world = depot()
    closed = replace(
        keep, definition=keep.definition.with_schema(lambda schema: schema.update(additionalProperties=False))
    )
    assert tb.ToolTable([closed]).dispatch("store", {"parcel": 1, "box": 2}, world).kind == ERROR
    assert world.state == {"parcels": []}


def test_a_declaration_that_is_not_valid_is_not_the_callers_fault():
    """A schema that cannot be used is a SchemaError, and nothing is fetched from elsewhere."""
    for schema in ({"properties": {"a": {"type": "txt"}}}, {"properties": {"a": {"$ref": "http://x.invalid/y"}}}):
        with pytest.raises(SchemaError, match="tool f: not valid JSON Schema"):
            refusal(tb.Definition("f", schema), {"a": 1})


@given(st.dictionaries(st.sampled_from(["content", "pages", "kind", "mood"]), st.none() | st.integers() | st.text()))
def test_what_is_refused_is_what_the_schema_does_not_admit(arguments):
    """For a schema that forbids other fields, a refusal and jsonschema agree."""
    from jsonschema import Draft202012Validator

    valid = Draft202012Validator(note.definition.schema).is_valid(arguments)
    assert (refusal(note.definition, arguments) is None) == valid
