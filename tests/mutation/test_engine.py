"""The tables of a run, by name."""

import asyncio

import pytest

import toolbench as tb
from toolbench.errors import CatalogueError
from toolbench.mutation.defect import NONE
from toolbench.mutation.engine import STUB, Tables, stub


@tb.tool(schema=["x"], inject="world", side_effect=True)
def double(world, x):
    world.state["calls"] += 1
    return {"y": 2 * x}


@tb.tool(schema=["x"])
async def half(x):
    await asyncio.sleep(0)
    return {"y": x / 2}


WRONG = tb.Defect(id="W", tool="double", operator="replace_constant", arguments={"old": 2, "new": 3})
NOWHERE = tb.Defect(id="N", tool="half", operator="replace_constant", arguments={"old": 7, "new": 8})
MISFIT = tb.Defect(id="M", tool="half", operator="drop_field", arguments={"field": "y"})


def tables(*defects):
    return Tables(tb.Scenario(name="small", tools=[double, half]), defects)


def test_the_defect_free_table_is_the_scenarios_own():
    """The name `none` stands for the original table itself."""
    made = tables(WRONG)
    assert made.table(NONE)[0] is made.scenario.table


def test_a_defects_table():
    """A defect's id stands for the table with it, planted once; its landing starts empty at each request."""
    made = tables(WRONG)
    table, landing = made.table("W")
    assert table.call("double", {"x": 1}, tb.World(state={"calls": 0})).value == {"y": 3}
    landing.hits, landing.missed = 5, "something"
    again, afresh = made.table("W")
    assert again is table
    assert (afresh.hits, afresh.missed) == (0, "")


@pytest.mark.parametrize("name", ["double", "half"])
def test_a_stub_does_nothing_and_answers_with_nothing(name):
    """A stub takes any call, plain or async alike, touches no world, and keeps the declaration."""
    made = tables()
    world = tb.World(state={"calls": 0})
    table, _ = made.table(STUB + name)
    assert table.call(name, {"x": 1, "y": 2}, world).value == {}
    assert table.call(name, {}, world).value == {}
    assert world.state == {"calls": 0}
    assert table[name].definition is made.scenario.table[name].definition
    assert [other for other in table if table[other] is not made.scenario.table[other]] == [name]


def test_a_stub_is_no_equivalent():
    """A stub is another tool than the one it stands for."""
    assert stub(double).text() != double.text()


def test_a_defect_is_planted_once():
    """A defect asked for again is the one planted before, also when it found nothing to change."""
    made = tables(WRONG, NOWHERE)
    planted = {name: made.plant(name) for name in ("W", "N")}
    assert {name: it.table is None for name, it in planted.items()} == {"W": False, "N": True}
    assert all(made.plant(name) is it for name, it in planted.items())


def test_a_defect_that_does_not_fit_stops_everything():
    """A defect that names what is not there is an error, not a verdict."""
    with pytest.raises(CatalogueError) as refused:
        tables(WRONG, MISFIT).plant("M")
    assert str(refused.value) == "defect M: arguments: unknown field of half 'y'. Known: x"
