"""Tool and @tool: what a tool is made of, and the two call paths."""

import asyncio
import enum
import functools
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbench as tb
from toolbench.errors import ScenarioError, SchemaError, ToolRefused
from toolbench.outcome import CRASH, ERROR, OK


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
        (lambda: tb.tool(5), "5 cannot be called; a tool is a function"),
        (lambda: tb.tool()(len), "tool len: its parameter 'obj' is positional-only"),
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
    assert find.call({"parcel": "a"}, world).value == {"place": 0}
    assert world.state == {"parcels": ["a"]}
    assert [item.definition.fields for item in (keep, find)] == [("parcel",), ("parcel",)]


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


def test_a_schema_is_handed_out_as_a_copy():
    """Changing what was handed out, or what was given, changes nothing in the tool."""
    given = {"type": "object", "properties": {"x": {"type": "number"}}}
    definition = tb.Definition("double", given)
    definition.schema["properties"].clear()
    given["properties"].clear()
    assert definition.fields == ("x",)
    assert definition.schema == {"type": "object", "properties": {"x": {"type": "number"}}}


# --- @tool without a schema -----------------------------------------------------------------------------------------


def ship(depot, to: str, parcels: int = 1):
    """Send parcels.

    Slowly.

    Args:
        to: Where to.
    """
    return {"to": to, "parcels": parcels, "from": depot}


SHIP = {
    "type": "object",
    "properties": {"to": {"type": "string", "description": "Where to."}, "parcels": {"type": "integer", "default": 1}},
    "required": ["to"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "make",
    [
        lambda: tb.tool(inject="depot")(ship),
        lambda: tb.tool(ship, inject="depot"),
        lambda: tb.Tool.from_function(ship, inject="depot"),
    ],
    ids=["decorator", "function", "from_function"],
)
def test_a_tool_of_a_function_alone(make):
    """Without a schema, the declaration is made of the function, whichever way the tool is made."""
    made = make()
    assert made.definition == tb.Definition("ship", SHIP, "Send parcels.\n\nSlowly.")
    assert made.call({"to": "Oslo"}, "here").value == {"to": "Oslo", "parcels": 1, "from": "here"}
    assert made.function is ship


def test_the_bare_decorator():
    """`@tool` and `@tool()` are the same."""

    @tb.tool
    def one(x: int):
        return x

    @tb.tool()
    def two(x: int):
        return x

    assert one.definition == replace(two.definition, name="one")


def test_all_that_may_be_said_of_a_tool():
    """What is said beside the function stands in the definition, with a schema and without."""
    said = {
        "name": "send",
        "description": "Sends.",
        "side_effect": True,
        "destructive": False,
        "idempotent": False,
        "open_world": True,
        "output_schema": {"type": "object"},
        "strict": True,
        "examples": ({"to": "Oslo"},),
        "title": "Send",
    }
    expected = tb.Definition(schema=SHIP, **said)
    assert tb.Tool.from_function(ship, inject="depot", **said).definition == expected
    assert tb.tool(ship, inject="depot", schema=SHIP, **said).definition == expected
    with pytest.raises(TypeError, match="colour"):
        tb.tool(ship, inject="depot", colour="red")


def test_a_name_where_the_function_has_none():
    """A partial takes its function's name, a callable object its class's."""
    assert tb.tool(functools.partial(ship, "here")).name == "ship"
    assert tb.tool(type("Asking", (), {"__call__": lambda self, depot: depot})()).name == "Asking"


def test_a_positional_only_parameter_is_refused_also_with_a_schema():
    """Arguments are passed by name; the world is passed by position where it comes first, so it may be so."""

    def hidden(x, /):
        return x

    def second(depot, /, x):
        return [depot, x]

    with pytest.raises(ToolRefused, match="tool hidden: its parameter 'x' is positional-only") as caught:
        tb.tool(hidden, schema=["x"])
    assert (caught.value.tool, caught.value.code, caught.value.pointer) == (
        "hidden",
        "positional-only",
        "/properties/x",
    )
    assert tb.Tool(tb.Definition("hidden", ["x"]), hidden).call({"x": 1}).kind == CRASH
    assert tb.tool(second, inject="depot").call({"x": 1}, 0).value == [0, 1]
    with pytest.raises(ToolRefused, match="'depot' is positional-only"):
        tb.tool(functools.partial(second), inject="depot")


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


@pytest.mark.parametrize("errors", [(), (Exception,)], ids=["no errors", "all errors"])
def test_a_value_that_does_not_fit_is_a_reported_error(errors):
    """What an annotation asks for is made of the JSON value, or the error names the field and what would be right."""

    @tb.tool(errors=errors)
    def pack(size: Size, places: tuple[int, int] = (0, 0)):
        return [size.name, *map(type, places)] == ["SMALL", int, int]

    assert pack.call({"size": "small", "places": [1, 2]}).value is True
    tiny = pack.call({"size": "tiny"})
    assert (tiny.kind, tiny.value, tiny.types[0]) == (ERROR, None, "Misfit")
    assert tiny.message == "field 'size': \"tiny\" does not fit: Input should be 'small' or 'large'"
    assert pack.call({"size": "small", "places": [1, "2"]}).message == (
        "field 'places': [1, \"2\"] does not fit: 1: Input should be a valid integer"
    )
    assert replace(pack, function=lambda size, **_: size.value).call({"size": "large"}).value == "large"


def test_a_tool_that_makes_values_gets_the_world_as_others_do():
    """First or last, async or not, the world is passed beside the values that are made."""

    @tb.tool(inject="depot")
    def first(depot, size: Size):
        return [depot, size.name]

    @tb.tool(inject="depot")
    async def last(size: Size, *, depot):
        return [depot, size.name]

    assert first.call({"size": "small"}, 5).value == last.call({"size": "small"}, 5).value == [5, "SMALL"]


def test_a_field_called_self():
    """No name of an argument is taken by the tool itself."""

    @tb.tool
    def ask(self: str, function: str = "", world: str = ""):
        return [self, function, world]

    arguments = {"self": "a", "function": "b", "world": "c"}
    assert ask.call(arguments).value == ask(**arguments) == ["a", "b", "c"]


@pytest.mark.parametrize("statement", ["import toolbench.tools", "import toolbench.table"])
@pytest.mark.parametrize(
    "use", ["", "import toolbench; toolbench.tool(lambda x: x, schema=['x'], name='f').call({'x': 1})"]
)
def test_a_tool_with_a_schema_loads_nothing_that_derives(statement, use):
    """pydantic and docstring_parser wait until a schema is made of a function."""
    code = f"{statement}\n{use}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "toolbench.deriving" in loaded
    assert loaded & {"pydantic", "pydantic_core", "docstring_parser", "jsonschema_rs", "jsonschema"} == set()
