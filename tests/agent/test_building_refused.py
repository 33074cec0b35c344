"""What no machine can be made of: tools with a memory, worlds that are no help, other agents."""

import random
import threading

import numpy as np
import pytest

import toolbench as tb
from tests.small import AGENT, build, table_of, tasks_of, two
from toolbench.agent.building import Builder
from toolbench.errors import CannotCompile, ScenarioError

NAMED = r"^(one is not repeatable: called twice with |task T\d at seed \d )"


def counting(calls):
    def one(x=None, **_):
        calls.append(x)
        return {"x": len(calls)}

    return one


def drawing(calls):
    def one(x=None, **_):
        return {"x": random.random()}

    return one


def remembering(calls):
    def one(x=None, **_):
        new = x not in calls
        calls.append(x)
        return {"x": 5, "new": new}

    return one


def failing_every_third_time(calls):
    def one(x=None, **_):
        calls.append(x)
        return {"error": "third"} if len(calls) % 3 == 0 else {"x": 3}

    return one


def interrupting_every_third_time(calls):
    def one(x=None, **_):
        calls.append(x)
        if len(calls) % 3 == 0:
            raise KeyboardInterrupt
        return {"x": 3}

    return one


@pytest.mark.parametrize(
    "kind", [counting, drawing, remembering, failing_every_third_time, interrupting_every_third_time]
)
@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("start", [{}, {"x": 1}, {"x": 3}])
def test_a_tool_with_a_memory_of_its_own(kind, number, start):
    """A tool whose answer depends on more than the call and the world is found out; the reason names it."""
    with pytest.raises(CannotCompile, match=NAMED):
        build(table_of(kind([]), two), tasks_of("one", "two", "one", start=start, number=number))


@pytest.mark.parametrize("draw", [random.random, np.random.random])
def test_a_tool_that_draws_and_does_not_show_it(draw):
    """A tool that draws from the interpreter's random numbers is named, in this table and in every other one."""

    def one(x=None, **_):
        return {"x": draw() >= 0}

    def other(x=None, **_):
        return {"x": 4}

    table = table_of(one, two)
    builder, tasks = Builder(table, AGENT, tb.World), tasks_of("two", number=1)
    for tables in (table, table.replace(tb.tool(other, schema=["x"], name="two")), table):
        with pytest.raises(CannotCompile, match=r"^one draws from the interpreter's random numbers"):
            builder.build(tables, tasks)


def test_a_tool_that_remembers_what_it_worked_out():
    """A cache that changes no answer does no harm."""
    cache = {}

    def one(x=None, **_):
        return {"x": cache.setdefault(repr(x), [x])}

    [machine] = build(table_of(one), tasks_of("one", number=1))
    assert machine.answers == (None, [1], [[1]], [[[1]]], [[[[1]]]], [[[[[1]]]]])


def locked():
    return tb.World(state={"lock": threading.Lock()})


def uncomparable():
    return tb.World(state={"thing": object()})


class Unrestorable(tb.World):
    def restore(self, snapshot):
        raise OSError("the disk is full")


def no_world():
    raise OSError("no disk")


@pytest.mark.parametrize(
    ("world", "reason"),
    [
        (locked, "the world cannot be copied and compared: TypeError: cannot pickle '_thread.lock' object"),
        (uncomparable, "the world cannot be copied and compared: ScenarioError: the world holds a object, which"),
        (Unrestorable, "the world cannot be put back: OSError: the disk is full"),
        (no_world, "the world cannot be made: OSError: no disk"),
        (lambda: None, "the world cannot be copied and compared: AttributeError: 'NoneType' object has no attribute"),
    ],
)
def test_a_world_that_is_no_help(world, reason):
    """A world that cannot be made, copied, compared or put back makes no machine, and the reason says which."""

    def one(world, **_):
        return {"x": 1}

    with pytest.raises(CannotCompile) as refused:
        build(table_of(one, inject="world"), tasks_of("one"), world=world)
    assert str(refused.value).startswith(reason)


def test_a_world_that_can_be_put_back_only_so_often():
    """A world that fails when the episodes are walked is refused like one that fails before."""
    left = [3]

    def fresh():
        left[0] -= 1
        if left[0] < 0:
            raise ScenarioError("no more")
        return tb.World()

    with pytest.raises(CannotCompile, match=r"^the world cannot be made: ScenarioError: no more$"):
        build(table_of(two), tasks_of("two"), world=fresh)


def test_a_tool_that_spoils_the_world():
    """A world that a tool fills with what cannot be copied is refused when that happens."""

    def one(world, **_):
        world.state["lock"] = threading.Lock()
        return {"x": 1}

    with pytest.raises(CannotCompile, match=r"^the world cannot be copied and compared: TypeError"):
        build(table_of(one, inject="world"), tasks_of("one"))


class Own(tb.SeededAgent):
    pass


class Other:
    budget = 3


@pytest.mark.parametrize(("agent", "kind"), [(Own(budget=3, first=0.5), "Own"), (Other(), "Other"), (None, "NoneType")])
def test_another_agent(agent, kind):
    """Only a SeededAgent itself makes machines: one that derives from it may do something else."""
    with pytest.raises(CannotCompile) as refused:
        Builder(table_of(two), agent, tb.World)
    assert str(refused.value) == f"the agent is a {kind}; only a SeededAgent's episodes follow from its draws"


@pytest.mark.parametrize("tokens", [tb.Tokens(step=0.1), tb.Tokens(critique=10**30), tb.Tokens(call="x")])
def test_costs_that_do_not_add_up_exactly(tokens):
    """Costs that are no whole numbers of ordinary size are added up by the walk alone."""
    with pytest.raises(CannotCompile, match=r"^the agent's tokens are Tokens\(.*whole numbers"):
        Builder(table_of(two), tb.SeededAgent(budget=3, first=0.5, tokens=tokens), tb.World)


def test_a_table_of_no_tools():
    """A table whose only tool is gone has nothing that could be taken by chance."""
    table = table_of(two)
    with pytest.raises(CannotCompile, match=r"^the table has no tools$"):
        Builder(table, AGENT, tb.World).build(table.without("two"), tasks_of("two"))
