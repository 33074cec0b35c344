"""Damage from outside, around tools of every kind."""

import asyncio
import inspect
from dataclasses import replace

from toolbench import World
from toolbench.mutation.operator import Site
from toolbench.mutation.operators import OPERATORS
from toolbench.mutation.wrap import on_the_way_in, on_the_way_out
from toolbench.tools import tool


@tool(schema=["x"])
async def later(x):
    """Answers after a while."""
    await asyncio.sleep(0)
    if x < 0:
        raise ValueError("below 0")
    return {"y": x}


@tool(schema=["x"])
def now(x, *, y=0):
    if x < 0:
        raise ValueError("below 0")
    return {"y": x + y}


def one_more(given):
    return {name: value + 1 for name, value in given.items()}


def test_on_the_way_in():
    """Arguments pass through the change, for plain and async tools alike; the caller's own stay as they were."""
    arguments = {"x": 1}
    assert on_the_way_in(Site(now), one_more).call(arguments).value == {"y": 2}
    assert on_the_way_in(Site(later), one_more).call(arguments).value == {"y": 2}
    assert arguments == {"x": 1}


def test_on_the_way_out():
    """What is returned passes through the change, for an async tool after it was awaited."""
    assert on_the_way_out(Site(now), one_more).call({"x": 1}).value == {"y": 2}
    assert on_the_way_out(Site(later), one_more).call({"x": 1}).value == {"y": 2}


def test_what_is_raised_is_left_alone():
    """An error that the function raises passes a change of its output unchanged."""
    for original in (now, later):
        outcome = on_the_way_out(Site(original), one_more).call({"x": -1})
        assert (outcome.kind, outcome.message, outcome.types[0]) == ("error", "below 0", "ValueError")


def test_the_declaration_and_the_name_stay():
    """A wrapped tool has the declaration, the name and the signature of the original."""
    wrapped = on_the_way_out(Site(later), one_more)
    assert wrapped.definition is later.definition
    assert wrapped.function.__name__ == "later"
    assert inspect.signature(wrapped.function) == inspect.signature(later.function)


def test_the_original_is_not_touched():
    """Wrapping makes a new tool; the one that was wrapped gives what it gave."""
    before = now.text()
    on_the_way_in(Site(now), one_more)
    assert now.text() == before
    assert now.call({"x": 1}).value == {"y": 1}


def test_the_world_gets_through():
    """The injected world reaches the function, wherever its parameter stands, and is no argument to be changed."""

    @tool(schema=["x"], inject="world")
    def first(world, x):
        return {"y": world.state["n"] + x}

    @tool(schema=["x"], inject="world")
    def last(x, *, world):
        return {"y": world.state["n"] + x}

    def filled(given):
        return {**given, "x": 5}

    for original in (first, last):
        world = World(state={"n": 10})
        assert on_the_way_in(Site(original), filled).call({}, world).value == {"y": 15}
        assert on_the_way_out(Site(original), one_more).call({"x": 1}, world).value == {"y": 12}


def test_damage_upon_damage():
    """A wrapped tool can be wrapped again."""
    once = on_the_way_out(Site(now), one_more)
    assert on_the_way_out(Site(replace(once)), one_more).call({"x": 1}).value == {"y": 3}


def test_two_changes_are_two_texts():
    """Tools wrapped with other changes are other tools; with the same change they are the same."""

    def two_more(given):
        return {name: value + 2 for name, value in given.items()}

    once, again = on_the_way_out(Site(now), one_more), on_the_way_out(Site(now), one_more)
    assert once.text() == again.text() != on_the_way_out(Site(now), two_more).text()


def test_a_world_that_goes_by_position_alone():
    """A function whose world can be given by position only gets it there, whatever is planted around it."""

    @tool(schema=["x"], inject="world")
    def look(world, /, x=None):
        return {"x": x, "world": world}

    assert look.call({"x": 1}, 7).value == {"x": 1, "world": 7}
    copied = OPERATORS["copy_field"].apply(Site(look), {"source": "x", "target": "world"})
    assert copied.call({"x": 1}, 7).value == {"x": 1, "world": 1}
    filled = OPERATORS["fill_missing"].apply(Site(look), {"values": {"x": 5}})
    assert filled.call({}, 7).value == {"x": 5, "world": 7}
