"""Operators of class value, where their examples leave something to say."""

from dataclasses import dataclass

import pytest

from toolbench.errors import CannotApply
from toolbench.mutation.operator import DoesNotFit, Landing, Site
from toolbench.mutation.value import COPY_FIELD, FUNCTION, REPLACE_CONSTANT
from toolbench.tools import tool


@dataclass
class Reading:
    old: int
    new: int


@tool(schema=["kind"])
def read(kind="mapping"):
    """Answers in another form each time."""
    return {
        "mapping": {"old": 1, "new": [2]},
        "dataclass": Reading(1, 2),
        "error": {"error": "no", "old": 1, "new": 2},
        "partial": {"new": 2},
        "number": 5,
        "list": [{"old": 1, "new": 2}],
        "unreadable": {"old": 1, "new": {3}},
    }[kind]


def copied(kind, landing=None):
    site = Site(read, landing=landing or Landing())
    return COPY_FIELD.apply(site, {"source": "old", "target": "new"}).call({"kind": kind})


@pytest.mark.parametrize("kind", ["mapping", "dataclass"])
def test_a_field_takes_the_value_of_another(kind):
    """The target field takes the source's value, in whatever form the tool gives its fields."""
    landing = Landing()
    assert copied(kind, landing).value == {"old": 1, "new": 1}
    assert (landing.hits, landing.missed) == (1, "")


@pytest.mark.parametrize("kind", ["error", "unreadable"])
def test_an_answer_without_a_value_is_left_alone(kind):
    """A reported error and what no agent could be given pass unchanged and say nothing about the defect."""
    landing = Landing()
    assert copied(kind, landing) == read.call({"kind": kind})
    assert (landing.hits, landing.missed) == (0, "")


@pytest.mark.parametrize(
    ("kind", "missed"),
    [
        ("partial", "unknown output field of read 'old'. Known: new"),
        ("number", "the output of read is 5, which has no fields"),
        ("list", 'the output of read is [{"old": 1, "new": 2}], which has no fields'),
    ],
)
def test_a_field_that_is_not_in_the_answer_is_noted(kind, missed):
    """An answer without the field passes unchanged, and the landing knows why nothing was changed."""
    landing = Landing()
    assert copied(kind, landing) == read.call({"kind": kind})
    assert (landing.hits, landing.missed) == (0, missed)


def test_the_tools_own_answer_is_not_touched():
    """The defect changes a copy: an answer that the tool keeps for itself stays right."""
    kept = {"old": 1, "new": 2}

    @tool(schema=[])
    def cached():
        return kept

    assert COPY_FIELD.apply(Site(cached), {"source": "old", "target": "new"}).call({}).value == {"old": 1, "new": 1}
    assert kept == {"old": 1, "new": 2}


def test_nothing_to_change():
    """A field copied into itself and a constant replaced by itself are refused: nothing would change."""
    with pytest.raises(DoesNotFit) as refused:
        COPY_FIELD.apply(Site(read), {"source": "old", "target": "old"})
    assert str(refused.value) == "source and target are both 'old', so nothing would change"
    with pytest.raises(DoesNotFit) as refused:
        REPLACE_CONSTANT.apply(Site(read), {"old": 5, "new": 5})
    assert str(refused.value) == "old and new are both 5, so nothing would change"


def test_a_constant_of_another_type_may_replace_one():
    """1 by true is a change; every occurrence is replaced."""
    damaged = REPLACE_CONSTANT.apply(Site(read), {"old": 1, "new": True})
    assert damaged.call({"kind": "mapping"}).value == {"old": True, "new": [2]}
    assert damaged.call({"kind": "list"}).value == [{"old": True, "new": 2}]


def test_a_constant_that_is_not_there():
    """A constant that does not occur cannot be replaced, and the reason names it."""
    with pytest.raises(CannotApply) as refused:
        REPLACE_CONSTANT.apply(Site(read), {"old": 99, "new": 1})
    where = "the body of read (defaults and f-strings are not searched)"
    assert str(refused.value) == f"the constant 99 does not occur in {where}"


def test_another_function():
    """The tool gets the function of that name and keeps its declaration; its own source is shown."""

    def sum_up(kind="mapping"):
        return {"sum": 3}

    damaged = FUNCTION.apply(Site(read, {"sum_up": sum_up}), {"function": "sum_up"})
    assert damaged.call({}).value == {"sum": 3}
    assert damaged.definition is read.definition
    assert damaged.source == 'def sum_up(kind="mapping"):\n    return {"sum": 3}\n'


def test_a_function_that_is_unknown():
    """A function that the scenario does not have is refused with the nearest names."""
    with pytest.raises(DoesNotFit) as refused:
        FUNCTION.apply(Site(read, {"sum_up": len, "other": len}), {"function": "sumup"})
    assert str(refused.value) == "unknown function 'sumup': did you mean sum_up? Known: sum_up, other"


def test_a_function_that_cannot_be_given_the_world():
    """A function in the place of a tool that is given the world must take it."""

    @tool(schema=["x"], inject="world")
    def worldly(world, x):
        return {"x": x}

    functions = {"blind": lambda x: {"x": x}, "open": lambda x, **others: {"x": len(others)}}
    with pytest.raises(DoesNotFit) as refused:
        FUNCTION.apply(Site(worldly, functions), {"function": "blind"})
    assert str(refused.value) == "the function blind has no parameter 'world', which worldly is given"
    assert FUNCTION.apply(Site(worldly, functions), {"function": "open"}).call({"x": 1}).value == {"x": 1}


def test_a_function_that_cannot_be_inspected():
    """A function whose parameters Python cannot name is taken as it is."""

    @tool(schema=["x"], inject="world")
    def worldly(world, x):
        return {"x": x}

    damaged = FUNCTION.apply(Site(worldly, {"dict": dict}), {"function": "dict"})
    assert damaged.call({"x": 1}, 7).value == {"world": 7, "x": 1}
