"""Operators of class contract, where their examples leave something to say."""

import pytest

from toolbench.errors import CannotApply
from toolbench.mutation.contract import DROP_GUARD, FILL_MISSING
from toolbench.mutation.operator import DoesNotFit, Site
from toolbench.tools import tool


@tool(schema=["name", "size", "colour"])
def order(name=None, size=None, colour="red"):
    """Guards of several kinds."""
    if name is None or (size is not None and size < 0) or not colour:
        return {"error": "cannot be ordered"}
    if size is None:
        raise ValueError("no size")
    elif size > 10:
        return {"error": "too big"}
    if colour == "pink":
        return {"ordered": False}
    return {"ordered": name, "size": size}


def without_guard(field, **arguments):
    return DROP_GUARD.apply(Site(order), {"field": field}).call(arguments)


def test_each_missing_field_has_its_stand_in():
    """A stand-in takes the place of a field that is missing or None, never of one that is there, not even 0."""
    damaged = FILL_MISSING.apply(Site(order), {"values": {"name": "box", "size": 3}})
    assert damaged.call({}).value == {"ordered": "box", "size": 3}
    assert damaged.call({"name": None, "size": 0}).value == {"ordered": "box", "size": 0}
    assert damaged.call({"name": "bag", "size": 1}).value == {"ordered": "bag", "size": 1}


def test_a_stand_in_for_a_field_that_is_not_declared():
    """A stand-in is for a declared field; another one is refused with the nearest names."""
    with pytest.raises(DoesNotFit) as refused:
        FILL_MISSING.apply(Site(order), {"values": {"sice": 3}})
    assert str(refused.value) == "unknown field of order 'sice': did you mean size? Known: name, size, colour"


def test_a_nested_stand_in_is_its_own_at_each_call():
    """What a tool does to a stand-in does not reach the next call."""

    @tool(schema=["items"])
    def add(items=None):
        if items is None:
            return {"error": "no items"}
        items.append(1)
        return {"items": items}

    damaged = FILL_MISSING.apply(Site(add), {"values": {"items": []}})
    assert [damaged.call({}).value, damaged.call({}).value] == [{"items": [1]}, {"items": [1]}]


def test_one_operand_goes_and_the_others_stay():
    """Of a guard on several fields only the field's own test goes."""
    assert without_guard("name", size=1).value == {"ordered": None, "size": 1}
    assert without_guard("name", name="a", size=-1).value == {"error": "cannot be ordered"}
    assert without_guard("colour", name="a", size=1, colour="").value == {"ordered": "a", "size": 1}
    assert without_guard("colour", size=1, colour="").value == {"error": "cannot be ordered"}


def test_every_guard_of_a_field_goes():
    """All guards of the field go, those of an `elif` and those that raise too; what is no guard stays."""
    assert without_guard("size", name="a", size=-1).value == {"ordered": "a", "size": -1}
    assert without_guard("size", name="a").value == {"ordered": "a", "size": None}
    assert without_guard("size", name="a", size=11).value == {"ordered": "a", "size": 11}
    assert without_guard("colour", name="a", size=1, colour="pink").value == {"ordered": False}


def test_a_field_without_a_guard():
    """A field that no `if` refuses has no guard to drop; a branch that answers is none."""

    @tool(schema=["x"])
    def mild(x=None):
        if x is None:
            return {"y": 0}
        return {"y": x}

    with pytest.raises(CannotApply) as refused:
        DROP_GUARD.apply(Site(mild), {"field": "x"})
    assert str(refused.value) == "mild has no guard of its own on x: an `if` that returns or raises an error"


def test_a_guard_of_a_field_that_is_not_declared():
    """Only a declared field has a guard that can be named."""
    with pytest.raises(DoesNotFit) as refused:
        DROP_GUARD.apply(Site(order), {"field": "nam"})
    assert str(refused.value) == "unknown field of order 'nam': did you mean name? Known: name, size, colour"


def test_a_guard_over_several_lines():
    """A test that spans lines goes as a whole."""

    @tool(schema=["a", "b"])
    def both(a=None, b=None):
        if (
            a is None or b is None  # a comment inside
        ):
            return {"error": "missing"}
        return {"a": a, "b": b}

    assert DROP_GUARD.apply(Site(both), {"field": "b"}).call({"a": 1}).value == {"a": 1, "b": None}
    assert DROP_GUARD.apply(Site(both), {"field": "b"}).call({"b": 1}).value == {"error": "missing"}


def test_a_guard_that_names_its_value():
    """A test that gives a name its value still does so when the guard is gone."""

    @tool(schema=["x"])
    def doubled(x=None):
        if (n := x) is None:
            return {"error": "no x"}
        return {"n": n}

    damaged = DROP_GUARD.apply(Site(doubled), {"field": "x"})
    assert doubled.call({}).value == {"error": "no x"}
    assert damaged.call({}).value == {"n": None}
    assert damaged.call({"x": 2}).value == {"n": 2}
