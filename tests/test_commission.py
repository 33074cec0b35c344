"""Machines that are built beside other work."""

from concurrent.futures import Future

import pytest

import toolbench as tb
from toolbench import commission
from toolbench.commission import build, why_none

LITTLE = tb.SeededAgent(budget=2, first=0.5)


class Recorder:
    """An executor that notes what it is asked for."""

    def __init__(self, width):
        self.width, self.works = width, []

    def submit(self, work):
        self.works.append(work)
        return Future()


class Own:
    """An agent of the user's own."""

    def begin(self, task, definitions, draw):
        return lambda outcome: tb.Stop(None)

    def settings(self):
        return {}


def scenario(agent=LITTLE):
    one = tb.tool(lambda x=None: {"x": x}, schema=["x"], name="one")
    return tb.Scenario(name="s", tools=[one], tasks=[tb.Task(id="t", sequence=["one"])], agent=agent)


@pytest.mark.parametrize(("width", "sizes"), [(1, [11]), (2, [6, 5]), (3, [4, 4, 3]), (11, [1] * 11), (100, [1] * 11)])
def test_tables_are_shared_out(width, sizes):
    """Every work builds the defect-free machines and some tables', in their order, as many as there are hands."""
    executor = Recorder(width)
    names = [f"D{number}" for number in range(1, 12)]
    assert len(list(build(scenario(), ["none", *names], executor, engine="auto", deadline=0.5))) == len(sizes)
    assert [len(work.units) - 1 for work in executor.works] == sizes
    assert {work.units[0] for work in executor.works} == {"none"}
    assert [name for work in executor.works for name in work.units[1:]] == names
    assert {(work.layer, work.whole, work.given, work.patient) for work in executor.works} == {
        ("machines", True, 0.5, True)
    }


def test_no_process_has_too_many(monkeypatch):
    """Where tables are many, they come in portions."""
    monkeypatch.setattr(commission, "TOGETHER", 4)
    executor = Recorder(1)
    list(build(scenario(), ["none", *map(str, range(10))], executor, engine="auto", deadline=1))
    assert [len(work.units) - 1 for work in executor.works] == [4, 4, 2]


def test_they_come_one_at_a_time():
    """Nothing is submitted before it is asked for, so that other work can come in between."""
    executor = Recorder(2)
    coming = build(scenario(), ["none", "a", "b"], executor, engine="auto", deadline=1)
    assert executor.works == []
    next(coming)
    assert len(executor.works) == 1


def test_the_defect_free_table_alone():
    """Without a defect there is still one work."""
    executor = Recorder(2)
    list(build(scenario(), ["none"], executor, engine="auto", deadline=1))
    assert [work.units for work in executor.works] == [["none"]]


@pytest.mark.parametrize(
    ("agent", "engine", "why"),
    [
        (LITTLE, "walk", "the engine walk was asked for"),
        (Own(), "auto", "the agent is a Own; only a SeededAgent's episodes follow from its draws"),
        (LITTLE, "auto", ""),
    ],
)
def test_where_there_can_be_none(agent, engine, why):
    """The walk, if asked for, and an agent of the user's own need no machines: nothing is submitted."""
    executor = Recorder(1)
    assert why_none(scenario(agent), engine) == why
    assert bool(list(build(scenario(agent), ["none"], executor, engine=engine, deadline=1))) == (not why)
