"""Distinct calls: how values and worlds are told apart, and that each call is made once, and once more to check."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbench as tb
from toolbench.agent import calls as module
from toolbench.agent.calls import NOTHING, NOWHERE, Calls
from toolbench.errors import CannotCompile

PLAIN = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from([0.0, -0.0, 1.0, float("nan")]), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=1), inner, max_size=3)),
    max_leaves=6,
)


@given(st.lists(PLAIN, max_size=6))
def test_values_are_numbered_as_a_tool_tells_them_apart(values):
    """Two values have one number exactly when they are written alike: 1, 1.0 and true differ, 0.0 and -0.0 too."""
    calls = Calls(tb.World)
    numbers = [calls.number_of(value) for value in values]
    for value, number in zip(values, numbers, strict=True):
        for other, another in zip(values, numbers, strict=True):
            assert (number == another) == (repr(value) == repr(other))
        assert repr(calls.values[number]) == repr(value)


def test_nothing_has_a_number_of_its_own():
    """None is number 0 from the beginning."""
    assert Calls(tb.World).values[NOTHING] is None


def test_a_call_is_made_once_and_once_more_to_check():
    """The same tool with the same arguments in the same world is called once; a check calls it again, once."""
    made = []

    @tb.tool(schema=["x"], inject="world")
    def one(world, x=None):
        made.append(x)
        world.state["x"] = x
        return {"y": x}

    calls = Calls(tb.World)
    held = {"x": calls.number_of(5), "unread": calls.number_of(6)}
    first = calls.effect(one, held, calls.start)
    assert calls.effect(one, {"x": calls.number_of(5)}, calls.start) is first
    assert made == [5]
    assert (first.failed, first.fields, first.end) == (False, {"y": calls.number_of(5)}, None)
    assert first.world != calls.start
    calls.check([one])
    calls.check([one])
    assert made == [5, 5]
    assert calls.effect(one, held, first.world).world == first.world
    assert calls.effect(one, {}, calls.start).fields == {"y": NOTHING}
    assert made == [5, 5, 5, None]


def test_a_tool_without_a_world_is_called_once_in_all_worlds():
    """The effect of a tool that is given no world does not depend on it."""

    @tb.tool(schema=["x"])
    def one(x=None):
        return [x]

    calls = Calls(tb.World)
    effect = calls.effect(one, {}, calls.start)
    assert calls.effect(one, {}, 7) is effect
    assert (effect.world, effect.fields) == (NOWHERE, {"value": calls.number_of([None])})


def test_an_error_changes_the_world_all_the_same():
    """What a tool did to the world before it reported an error, or crashed, stays done."""

    @tb.tool(schema=["x"], inject="world", errors=(tb.ToolError,))
    def one(world, x=None):
        world.state["x"] = x
        if x is None:
            return {"error": "no x"}
        raise tb.ToolError("x") if x else ZeroDivisionError

    calls = Calls(tb.World)
    helds = ({}, {"x": calls.number_of(0)}, {"x": calls.number_of(1)})
    worlds = [calls.effect(one, held, calls.start).world for held in helds]
    assert len({calls.start, *worlds}) == 4
    assert all(calls.effect(one, held, calls.start).failed for held in helds)


def test_a_tool_cannot_change_what_it_is_given():
    """Nested arguments are copies: a tool that changes them changes nothing that others are given."""

    @tb.tool(schema=["x"])
    def one(x=None):
        x.append(1)
        return {"x": x}

    calls = Calls(tb.World)
    number = calls.number_of([])
    effect = calls.effect(one, {"x": number}, calls.start)
    assert (calls.values[number], calls.values[effect.fields["x"]]) == ([], [1])
    calls.check([one])


@pytest.mark.parametrize("nested", [True, False])
def test_the_limit_on_bytes(monkeypatch, nested):
    """A tool that gives twice as much at each call is stopped at the limit, long before the memory is full."""
    monkeypatch.setattr(module, "MOST_BYTES", 1 << 20)

    @tb.tool(schema=["x"])
    def one(x=None):
        return {"x": [x or "x" * 1000] * 2 if nested else (x or "x") * 2}

    calls = Calls(tb.World)

    def grow():
        held = {}
        for _ in range(64):
            held = calls.effect(one, held, calls.start).fields

    with pytest.raises(CannotCompile, match=r"^states and answers need more than 1 MB$"):
        grow()
    assert len(calls.values) < 30


@pytest.mark.parametrize("kind", ["marshalled", "copied"])
def test_the_limit_on_bytes_counts_worlds(monkeypatch, kind):
    """Worlds that grow count as well, whether marshalled or copied."""
    monkeypatch.setattr(module, "MOST_BYTES", 1 << 20)

    @tb.tool(schema=["x"], inject="world")
    def one(world, x=None):
        world.state["log"].append("entry" * 1000)

    state = {"log": []} if kind == "marshalled" else {"log": [], "kind": range(2)}
    calls = Calls(lambda: tb.World(state=state))

    def grow():
        world = calls.start
        for _ in range(500):
            world = calls.effect(one, {}, world).world

    with pytest.raises(CannotCompile, match="more than 1 MB"):
        grow()


def test_numpy_loaded_by_a_tool_is_no_draw(monkeypatch):
    """Random numbers that were only loaded since have not been drawn from."""
    import sys

    monkeypatch.delitem(sys.modules, "numpy.random", raising=False)
    before = module.randomness()
    monkeypatch.undo()
    assert not module.moved(before)
