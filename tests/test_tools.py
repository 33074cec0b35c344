"""Tool, ToolTable and @tool: the two call paths, and tables that never change."""

import asyncio
import functools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbench as tb
from toolbench.errors import ScenarioError, SchemaError
from toolbench.outcome import CRASH, ERROR, OK
from toolbench.tools import NO_SUCH_TOOL


class Refused(Exception):
    pass


@tb.tool(schema={"type": "object", "properties": {"length": {"type": "number"}}, "required": ["length"]})
def double(length=None, **_):
    """Twice a length.

    More about it.
    """
    if length is None:
        return {"error": "no length"}
    return {"doubled": 2 * length}


@tb.tool(schema=["parcel"], inject="depot", side_effect=True, errors=(Refused,), name="store")
def keep(depot, parcel=None):
    if parcel is None:
        raise Refused("nothing to store")
    depot.state["parcels"].append(parcel)
    return len(depot.state["parcels"])


@tb.tool(schema=["parcel"], inject="depot")
async def find(parcel=None, *, depot):
    await asyncio.sleep(0)
    if parcel is None:
        raise ValueError("which parcel?")
    return {"place": depot.state["parcels"].index(parcel)}


TABLE = tb.ToolTable([double, keep, find])


def depot():
    return tb.World(state={"parcels": []})


# --- what a tool is -------------------------------------------------------------------------------------------


def test_a_tool_of_a_function():
    """A tool takes its name and description from its function, unless they are given."""
    assert (double.name, double.definition.description) == ("double", "Twice a length.")
    assert (keep.name, keep.definition.description, keep.definition.side_effect) == ("store", "", True)
    assert double.definition.fields == ("length",)
    assert double.definition.side_effect is None


def test_a_tool_can_still_be_called_as_its_function():
    """Calling the tool object calls the bare function."""
    assert double(length=2) == {"doubled": 4}
    assert asyncio.run(find(parcel="p", depot=tb.World(state={"parcels": ["p"]}))) == {"place": 0}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: tb.tool(len), r"len: @tool needs a schema; write @tool\(schema="),
        (lambda: tb.tool()(len), "a tool: @tool needs a schema"),
        (lambda: tb.tool(schema="ab")(len), "tool len: a schema is a JSON Schema object or a list of field names"),
        (lambda: tb.tool(schema=[], name="")(len), "a tool's name is a text that is not empty, not ''"),
        (lambda: tb.tool(schema=[], name=5)(len), "a tool's name is a text that is not empty, not 5"),
        (lambda: tb.tool(schema=[])(5), "a tool's name is a text"),
        (lambda: tb.tool(schema=[], name="t")(5), "tool t: 5 cannot be called; a tool is a function"),
        (lambda: tb.tool(schema=["w"], inject="w", name="t")(len), "tool t: 'w' is both injected and declared"),
        (
            lambda: tb.tool(schema=["x"], inject="wrold", name="t")(lambda world, x: x),
            "tool t: its function has no parameter 'wrold' for the world",
        ),
        (lambda: tb.tool(schema=[], errors=Refused)(len), "tool len: errors is a tuple of exception types"),
        (lambda: tb.tool(schema=[], errors=("Refused",))(len), "tool len: errors is a tuple of exception types"),
    ],
)
def test_what_is_no_tool(make, message):
    """A tool without schema, name, function or proper errors is refused where it is made."""
    with pytest.raises((ScenarioError, SchemaError), match=message):
        make()


# --- direct calls ---------------------------------------------------------------------------------------------


def test_a_direct_call_passes_the_arguments_given():
    """A direct call never looks at the declaration: what is not declared is passed all the same."""
    undeclared = replace(double, definition=tb.Definition("double", {"type": "object"}))
    assert undeclared.call({"length": 3}).value == {"doubled": 6}
    assert double.call({"length": 3, "colour": "red"}).value == {"doubled": 6}


def test_the_three_ways_to_report_an_error():
    """A mapping with an error, a declared exception, and by default a ValueError or ToolError, are reported errors."""
    world = depot()
    assert double.call({}) == tb.Outcome(ERROR, {"error": "no length"}, "no length")
    assert keep.call({}, world) == tb.Outcome(
        ERROR, None, "nothing to store", ("Refused", "Exception", "BaseException")
    )
    assert find.call({}, world).kind == ERROR
    assert find.call({}, world).types[0] == "ValueError"


def raising(problem):
    def failing():
        raise problem

    return failing


@pytest.mark.parametrize(
    ("problem", "errors", "kind", "message"),
    [
        (tb.ToolError("no"), None, ERROR, "no"),
        (ValueError("no"), None, ERROR, "no"),
        (UnicodeError("no"), None, ERROR, "no"),
        (KeyError("no"), None, CRASH, "KeyError: 'no'"),
        (tb.ToolError("no"), (Refused,), CRASH, "ToolError: no"),
        (ValueError("no"), (), CRASH, "ValueError: no"),
        (SystemExit(0), None, CRASH, "SystemExit: 0"),
        (GeneratorExit(), None, CRASH, "GeneratorExit"),
        (StopIteration(5), None, CRASH, "StopIteration: 5"),
        (BaseException("all"), None, CRASH, "BaseException: all"),
        (RecursionError("deep"), None, CRASH, "RecursionError: deep"),
    ],
    ids=lambda value: repr(value)[:30],
)
@pytest.mark.parametrize("waits", [False, True], ids=["plain", "async"])
def test_what_a_tool_raises_is_an_outcome(problem, errors, kind, message, waits):
    """An exception of a declared type is a reported error, any other a crash, and none passes through."""
    function = raising(problem)

    async def waiting():
        await asyncio.sleep(0)
        function()

    if waits and isinstance(problem, StopIteration | SystemExit | GeneratorExit):
        message = "RuntimeError: coroutine raised StopIteration" if isinstance(problem, StopIteration) else message
    options = {} if errors is None else {"errors": errors}
    made = tb.tool(schema=[], name="t", **options)(waiting if waits else function)
    outcome = made.call({})
    assert (outcome.kind, outcome.message, outcome.value) == (kind, message, None)


def test_an_interruption_passes_through():
    """Ctrl-C is the user's, not the tool's."""
    with pytest.raises(KeyboardInterrupt):
        tb.tool(schema=[], name="t")(raising(KeyboardInterrupt())).call({})


def test_arguments_that_do_not_fit_are_a_crash():
    """A missing or an unknown argument of a function without `**_` is a crash that names it."""
    assert "unexpected keyword argument 'colour'" in keep.call({"colour": 1}, depot()).message
    assert keep.call({"colour": 1}, depot()).kind == CRASH


def test_the_world_comes_through_the_injected_parameter():
    """The world is passed by name or by position, to plain and async functions, and is never declared."""
    world = depot()
    assert keep.call({"parcel": "a"}, world).value == 1
    assert TABLE.call("store", {"parcel": "b"}, world).value == 2
    assert TABLE.call("find", {"parcel": "b"}, world).value == {"place": 1}
    assert world.state == {"parcels": ["a", "b"]}
    assert all("depot" not in item.definition.fields for item in TABLE.values())


@pytest.mark.parametrize(
    "function",
    [
        lambda parcel, depot: depot.state["parcels"],
        lambda depot, parcel: depot.state["parcels"],
        lambda parcel, *, depot: depot.state["parcels"],
        lambda **given: given["depot"].state["parcels"],
        functools.partial(lambda kind, parcel, depot: depot.state["parcels"], "small"),
        type("Asking", (), {"__call__": lambda self, depot, parcel: depot.state["parcels"]})(),
        type("Asking", (), {"ask": lambda self, depot, parcel: depot.state["parcels"]})().ask,
    ],
    ids=["last", "first", "keyword", "any", "partial", "object", "method"],
)
def test_any_callable_gets_the_world(function):
    """Whatever the callable and wherever its parameter stands, it gets the world."""
    made = tb.tool(schema=["parcel"], inject="depot", name="t")(function)
    assert made.call({"parcel": 1}, tb.World(state={"parcels": [7]})) == tb.Outcome(OK, [7])


def test_a_tool_cannot_change_the_callers_arguments():
    """A function gets its own copy of nested arguments."""

    @tb.tool(schema=["items", "box"])
    def greedy(items, box):
        items.clear()
        box["inside"]["n"] = 0
        return len(items)

    arguments = {"items": [1, 2], "box": {"inside": {"n": 1}}}
    assert greedy.call(arguments).value == 0
    assert arguments == {"items": [1, 2], "box": {"inside": {"n": 1}}}


def test_an_outcome_does_not_change_with_the_world():
    """What a tool returned of the world is a copy, flat or nested."""

    @tb.tool(schema=["deep"], inject="depot")
    def everything(depot, deep):
        return depot.state if deep else depot.state["flat"]

    world = tb.World(state={"flat": {"n": 1}})
    flat, deep = everything.call({"deep": False}, world), everything.call({"deep": True}, world)
    world.state["flat"]["n"] = 2
    assert (flat.value, deep.value) == ({"n": 1}, {"flat": {"n": 1}})


# --- by definition ---------------------------------------------------------------------------------------------


def test_a_call_by_definition_takes_the_declared_fields_that_the_state_holds():
    """Of what an agent holds, only declared fields are sent, and only those that it holds, in the declared order."""
    definition = tb.Definition("t", ["b", "a", "c"])
    assert list(definition.arguments_from({"a": 1, "x": 2, "b": None}).items()) == [("b", None), ("a", 1)]
    assert definition.arguments_from({}) == {}


@given(
    st.lists(st.text(max_size=3), unique=True, max_size=5),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=5),
)
def test_the_fields_sent_are_the_common_ones(names, state):
    """The arguments are exactly the state's fields that are declared."""
    arguments = tb.Definition("t", names).arguments_from(state)
    assert arguments == {name: state[name] for name in state if name in names}


def test_a_changed_schema_is_a_copy():
    """Changing a definition's schema gives a new definition and leaves the old one alone."""
    before = double.definition.text()
    changed = double.definition.with_schema(lambda schema: schema["properties"].pop("length"))
    assert (changed.fields, double.definition.fields) == ((), ("length",))
    assert double.definition.text() == before != changed.text()


# --- tables ---------------------------------------------------------------------------------------------------


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
    wrong = tb.tool(schema={"type": "object", "properties": {"a": {"type": "txt"}}}, name="wrong")(len)
    with pytest.raises(SchemaError, match="tool wrong: not valid JSON Schema at properties/a/type"):
        tb.ToolTable([double, wrong]).check()


def test_a_schema_is_handed_out_as_a_copy():
    """Changing what was handed out, or what was given, changes nothing in the tool."""
    given = {"type": "object", "properties": {"x": {"type": "number"}}}
    definition = tb.Definition("double", given)
    definition.schema["properties"].clear()
    given["properties"].clear()
    assert definition.fields == ("x",)
    assert definition.schema == {"type": "object", "properties": {"x": {"type": "number"}}}
