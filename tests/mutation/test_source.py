"""Damage in the source of functions of every kind."""

import asyncio
import functools
from itertools import count

import pytest

from toolbench.definition import Definition
from toolbench.errors import CannotApply
from toolbench.function_source import source_text
from toolbench.mutation.operator import Site
from toolbench.mutation.operators import OPERATORS
from toolbench.mutation.source import read_source, with_edits
from toolbench.tools import Tool, tool


def replaced(target, old, new):
    return OPERATORS["replace_constant"].apply(Site(target), {"old": old, "new": new})


def as_tool(function, *fields):
    return Tool(Definition("t", list(fields)), function)


def refusal(target, old=1, new=2):
    with pytest.raises(CannotApply) as refused:
        replaced(target, old, new)
    return str(refused.value)


def test_a_closure_keeps_what_it_captured():
    """A damaged closure reads and changes the same captured variables as the original."""
    seen, factor = [], 3

    @tool(schema=["x"])
    def note(x):
        seen.append(x)
        return {"y": factor * x + 100}

    damaged = replaced(note, 100, 200)
    assert [note.call({"x": 1}).value, damaged.call({"x": 2}).value] == [{"y": 103}, {"y": 206}]
    assert seen == [1, 2]


def test_a_closure_that_names_only_some_of_its_variables_after_the_damage():
    """A captured name that only the damaged part used may go."""
    limit = 5

    @tool(schema=["x"])
    def check(x=None):
        if x is None or x > limit:
            raise ValueError("too much")
        return {"x": x}

    damaged = OPERATORS["drop_guard"].apply(Site(check), {"field": "x"})
    assert check.call({"x": 9}).kind == "error"
    assert damaged.call({"x": 9}).value == {"x": 9}


def test_an_async_function_stays_async():
    """A damaged coroutine function is one, and is awaited."""

    @tool(schema=["x"])
    async def slow(x):
        await asyncio.sleep(0)
        return {"y": x + 10}

    damaged = replaced(slow, 10, 20)
    assert asyncio.iscoroutinefunction(damaged.function)
    assert [slow.call({"x": 1}).value, damaged.call({"x": 1}).value] == [{"y": 11}, {"y": 21}]


def test_a_generator_stays_one():
    """A damaged generator function is one: what it gives has no JSON form, as before."""

    @tool(schema=[])
    def items():
        yield 10

    assert list(replaced(items, 10, 20).function()) == [20]


def test_a_decorated_function_is_refused():
    """A function wrapped by a decorator is refused: its source is not what is called."""

    def louder(function):
        @functools.wraps(function)
        def called(**arguments):
            return function(**arguments)

        return called

    @tool(schema=["x"])
    @louder
    def shout(x):
        return {"y": x + 10}

    assert refusal(shout, 10, 20) == "shout is wrapped by a decorator; its source is not what is called"


def test_a_function_without_a_source_is_refused():
    """A function that was made by exec has no source to damage."""
    made = {}
    exec("def f(x):\n    return {'y': x + 10}\n", made)
    assert refusal(as_tool(made["f"], "x"), 10) == "the source of t cannot be read"


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (len, "builtin_function_or_method"),
        (functools.partial(max, 10), "partial"),
        (count().__next__, "method-wrapper"),
    ],
)
def test_a_callable_that_is_no_function_is_refused(function, kind):
    """A built-in, a partial or another callable object has no source of its own."""
    assert refusal(as_tool(function)) == f"t is a {kind}, not a Python function with a source"


def test_a_lambda_is_refused():
    """A lambda is part of a statement of somebody else's and is left alone."""
    assert refusal(as_tool(lambda x: {"y": x + 10}, "x"), 10) == "the source of t cannot be read"


class Shop:
    """A tool may be made of a class's functions."""

    rate = 10

    def price(self, x):
        return {"price": x * 10 + self.rate}

    @staticmethod
    def tax(x):
        return {"tax": x * 10}


def test_a_bound_method_is_refused():
    """A bound method is no plain function; it is refused with the reason."""
    assert refusal(as_tool(Shop().price, "x"), 10) == "t is a method, not a Python function with a source"


def test_a_static_method_can_be_damaged():
    """A static method is a function in an indented place."""
    damaged = replaced(as_tool(Shop.tax, "x"), 10, 20)
    assert damaged.call({"x": 2}).value == {"tax": 40}
    assert Shop.tax(2) == {"tax": 20}


def test_constants_inside_an_f_string_are_left_alone():
    """What stands inside an f-string is not replaced, what stands beside it is."""

    @tool(schema=["x"])
    def say(x):
        return {"text": f"{x + 10} of 10", "limit": 10}

    assert replaced(say, 10, 20).call({"x": 1}).value == {"text": "11 of 10", "limit": 20}


def test_an_f_string_alone_gives_nothing_to_replace():
    """When the constant stands only inside an f-string, the defect cannot be applied."""

    @tool(schema=["x"])
    def say(x):
        return {"text": f"{x + 10}"}

    assert (
        refusal(say, 10)
        == "the constant 10 does not occur in the body of say (defaults and f-strings are not searched)"
    )


def test_a_text_over_several_lines():
    """A constant that spans lines is replaced as a whole, and the lines after it stay where they belong."""

    @tool(schema=[])
    def letter():
        first = """Dear
sir,"""
        second = ("see " "you")  # fmt: skip  # noqa: ISC001
        return {"first": first, "second": second, "n": 10}

    changed = replaced(letter, "Dear\nsir,", "Hello")
    assert changed.call({}).value == {"first": "Hello", "second": "see you", "n": 10}
    assert replaced(letter, "see you", "bye").call({}).value["second"] == "bye"


def test_text_beyond_ascii_before_the_constant():
    """Places are counted in bytes: wide characters before a constant on its line do not shift it."""

    @tool(schema=[])
    def greet():
        return {"größe": "日本語 🎈", "n": 10, "m": 10}

    assert replaced(greet, 10, 20).call({}).value == {"größe": "日本語 🎈", "n": 20, "m": 20}
    assert replaced(greet, "日本語 🎈", "ö").call({}).value == {"größe": "ö", "n": 10, "m": 10}


def test_nested_functions_are_damaged_too():
    """A constant inside an inner function, a lambda or a comprehension belongs to the function."""

    @tool(schema=["x"])
    def outer(x):
        def inner(y):
            return y + 10

        return {"a": inner(x), "b": (lambda z: z + 10)(x), "c": [i + 10 for i in range(1)]}

    assert replaced(outer, 10, 20).call({"x": 1}).value == {"a": 21, "b": 21, "c": [20]}


def test_an_inner_function_of_the_same_name():
    """An inner function of the same name is not mistaken for the function."""

    @tool(schema=["x"])
    def price(x):
        def price(y):
            return y * 10

        return {"price": price(x) + 5}

    assert replaced(price, 5, 7).call({"x": 1}).value == {"price": 17}


def test_defaults_are_kept():
    """Defaults, also of keyword-only parameters, are those of the original, and the same objects."""
    memo = []

    @tool(schema=["x", "y", "z"])
    def add(x, y=10, *, z=10, into=memo):
        into.append(x)
        return {"sum": x + y + z + 10}

    damaged = replaced(add, 10, 20)
    assert damaged.call({"x": 1}).value == {"sum": 41}
    assert damaged.call({"x": 1, "y": 0, "z": 0}).value == {"sum": 21}
    assert memo == [1, 1]


def test_a_default_alone_gives_nothing_to_replace():
    """A constant that stands only in the parameters is not in the body."""

    @tool(schema=["x"])
    def add(x=10):
        return {"x": x}

    assert (
        refusal(add, 10)
        == "the constant 10 does not occur in the body of add (defaults and f-strings are not searched)"
    )


@pytest.mark.parametrize(
    ("old", "new", "value"),
    [
        (7, -2, {"a": 4, "b": -5, "c": 1.5, "d": True, "e": None}),
        (-5, -6, {"a": 49, "b": -6, "c": 1.5, "d": True, "e": None}),
        (-5, 5, {"a": 49, "b": 5, "c": 1.5, "d": True, "e": None}),
        (1.5, float("inf"), {"a": 49, "b": -5, "c": float("inf"), "d": True, "e": None}),
        (True, False, {"a": 49, "b": -5, "c": 1.5, "d": False, "e": None}),
        (None, "x", {"a": 49, "b": -5, "c": 1.5, "d": True, "e": "x"}),
    ],
)
def test_constants_of_every_kind(old, new, value):
    """Numbers below 0, infinities, booleans and None are constants too, and true is not 1."""

    @tool(schema=[])
    def values():
        return {"a": 7**2, "b": -5, "c": 1.5, "d": True, "e": None}

    assert replaced(values, old, new).call({}).value == value


@pytest.mark.parametrize("old", [0.0, -0.0])
def test_zero_with_a_minus_sign(old):
    """Zero below zero is zero: -0.0 goes as a whole, and so does a plain 0.0 beside it."""

    @tool(schema=[])
    def zeros():
        return {"a": -0.0, "b": 0.0, "c": 0}

    assert replaced(zeros, old, 2.5).call({}).value == {"a": 2.5, "b": 2.5, "c": 0}


@pytest.mark.parametrize("old", [1, 0, 1.0, "1", 49])
def test_a_constant_of_another_type_is_another(old):
    """1, 1.0, true and "1" are four constants; what only comes out of a sum is none."""

    @tool(schema=[])
    def values():
        return {"a": True, "b": 7**2, "c": False}

    assert refusal(values, old).startswith(f"the constant {old!r} does not occur")


def test_the_source_of_the_damage_is_shown():
    """The damaged tool carries its text, from its `def` on, without the decorators above it."""

    @tool(
        schema=["x"],
    )
    def add(x):
        # A comment stays.
        return {"y": x + 10}

    assert replaced(add, 10, 20).source == 'def add(x):\n    # A comment stays.\n    return {"y": x + 20}\n'
    assert source_text(add.function) == 'def add(x):\n    # A comment stays.\n    return {"y": x + 10}\n'


def test_the_file_and_the_original_are_left_alone():
    """The original still does what it did, under the same name and in the same module."""

    @tool(schema=["x"])
    def add(x):
        return {"y": x + 10}

    damaged = replaced(add, 10, 20)
    assert add.call({"x": 1}).value == {"y": 11}
    assert damaged.function.__globals__ is add.function.__globals__
    assert (damaged.function.__name__, damaged.function.__module__) == ("add", __name__)
    assert damaged.function.__qualname__ == add.function.__qualname__


def test_nothing_runs_while_a_function_is_damaged():
    """Decorators, defaults and annotations of the text are not evaluated again."""
    made = []

    @tool(schema=["x"])
    def add(x=made.append("default") or 1):
        return {"y": x + 10}

    assert replaced(add, 10, 20).call({}).value == {"y": 21}
    assert made == ["default"]


def test_the_indentation_of_a_text_is_part_of_it():
    """A text over several lines in an indented function keeps its blanks when something else is damaged."""

    @tool(schema=[])
    def letter():
        return {"text": """Dear
            sir""", "n": 10}  # fmt: skip

    assert replaced(letter, 10, 20).call({}).value == {**letter.call({}).value, "n": 20}


@tool(schema=["n"])
def falling(n):
    """A function of a module that calls itself."""
    return n if n < 1 else falling(n - 10)


def test_a_function_that_calls_itself():
    """A damaged function of a module calls what its module has under its name, which is the tool."""
    damaged = replaced(falling, 10, 4)
    assert [falling.call({"n": n}).value for n in (25, 9)] == [-5, -1]
    assert [damaged.call({"n": n}).value for n in (25, 9)] == [-9, -5]


def test_a_closure_that_calls_itself():
    """A damaged function within another one calls what the name stands for there."""

    def made():
        def rise(n):
            return n if n > 20 else rise(n + 10)

        return rise

    rise = made()
    damaged = replaced(as_tool(rise, "n"), 10, 1)
    assert rise(5) == 25
    assert damaged.call({"n": 5}).value == rise(6) == 26
    assert damaged.call({"n": 20}).value == 21


def plain(x=1, *more, y=2, **others):
    """A function of a module."""
    try:
        return {"x": x, "y": [x for x in more]}
    except TypeError:
        return {}


async def waiting(x=1):
    return {"x": await x}


def closing(limit):
    def inside(x):
        return {"x": x > limit, "text": """
  indented"""}  # fmt: skip

    return inside


@pytest.mark.parametrize("function", [plain, waiting, closing(3), Shop.tax, Shop.price])
def test_a_function_compiled_again_without_damage(function):
    """Compiling the text as it stands gives the same code, wherever the function stands."""
    original = as_tool(function)
    assert with_edits(original, read_source(original), []).text() == original.text()


def test_a_function_with_the_annotations_of_its_file():
    """Annotations are evaluated late only where the function's own file says so; neither is evaluated again."""

    @tool(schema=["x"])
    def typed(x: int) -> dict:
        part: int = 10
        return {"y": x + part}

    damaged = replaced(typed, 10, 20)
    assert damaged.call({"x": 1}).value == {"y": 21}
    assert damaged.function.__code__.co_flags & 0x1000000 == 0


def test_a_method_that_asks_its_class():
    """A function that uses super() keeps its class."""

    class Dear(Shop):
        def price(self, x):
            return {**super().price(x), "more": 10}

    damaged = replaced(as_tool(Dear.price, "x"), 10, 20)
    assert damaged.function(Dear(), x=1) == {"price": 20, "more": 20}
