"""Machines: what is built, what tables share, and how far it goes."""

from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings

import toolbench as tb
from tests.generated import MOST_NODES, scenarios
from tests.small import AGENT, build, facts, table_of, tasks_of, two
from toolbench.agent.building import Builder
from toolbench.agent.lanes import lanes
from toolbench.agent.replay import replay
from toolbench.agent.side_by_side import side_by_side
from toolbench.errors import CannotCompile

# --- what is built ------------------------------------------------------------------------------------------------


def test_a_machine_node_by_node():
    """Two tools, one of which needs what the other gives: nodes, transitions, answers and errors as by hand."""

    def one(x=None, **_):
        return {"x": 7}

    def need(x=None, **_):
        return {"error": "no x"} if x is None else {"y": x}

    table = table_of(one, need)
    agent = tb.SeededAgent(budget=2, first=0.5, results={"need": "y"})
    [machine] = build(table, [tb.Task(id="T", sequence=("one", "need"), answer=7)], agent)
    assert machine.facts() == {
        "task": "T",
        "trace_id": tb.trace_id("T"),
        "actions": ("one", "need"),
        "tools": 2,
        "asks": (False, False),
        "way": (0, 1),
        "positions": (0, 1, 2),
        "next": ((1, 0), (1, 2), (0, 0)),
        "failed": ((False, True), (False, False), (False, False)),
        "answer": (0, 0, 1),
        "answers": (None, 7),
        "right": (False, True),
        "ends": (),
    }


def test_what_no_call_reads_makes_no_state():
    """A tool that gives a new field at each call, which nobody reads, leads back to the same node."""

    def one(x=None, **_):
        return {"x": 1, "note": [x, x]}

    [machine] = build(table_of(one), [tb.Task(id="T", sequence=("one",), start={"x": 1, "unread": "u"})])
    assert len(machine) == 2


def test_a_tool_that_the_table_lacks():
    """A tool of the right sequence that is gone is an action of its own, always an error, never taken by chance."""

    def one(x=None, **_):
        return {"x": 1}

    whole = table_of(one, two)
    [machine] = Builder(whole, AGENT, tb.World).build(whole.without("two"), tasks_of("one", "two", number=1))
    assert (machine.actions, machine.tools, machine.way) == (("one", "two"), 1, (0, 1))
    after = machine.next[0][0]
    assert (machine.next[after][1], machine.failed[after][1]) == (after, True)


def test_a_world_with_an_order_of_its_own():
    """Worlds that hold the same in another order are two worlds, since a tool can tell them apart."""

    def put_x(world, **_):
        world.state["kept"]["x"] = 1
        return {}

    def put_y(world, **_):
        world.state["kept"]["y"] = 1
        return {}

    def last(world, **_):
        return {"last": [*world.state["kept"]][-1]} if world.state["kept"] else {"error": "nothing is kept"}

    table = table_of(put_x, put_y, last, inject="world", fields=())
    agent = tb.SeededAgent(budget=3, first=0, results={"last": "last"})
    task = tb.Task(id="T", sequence=("last",), answer="x")
    [machine] = build(table, [task], agent, lambda: tb.World(state={"kept": {}}))
    seeds = range(2000)
    found = lanes(machine, agent, seeds)
    walked = [tb.walk(table, task, agent, seed, tb.World(state={"kept": {}})).answer for seed in seeds]
    assert found.answers() == walked
    assert {"x", "y"} <= set(walked)


def test_what_a_tool_leaves_in_the_world_beside_its_state():
    """An attribute that a tool gives the world is part of the world, as for the walk."""

    def one(world, **_):
        world.calls = getattr(world, "calls", 0) + 1
        return {"x": world.calls}

    table = table_of(one, inject="world")
    agent = tb.SeededAgent(budget=4, first=1, stop=0, results={"one": "x"})
    task = tb.Task(id="T", sequence=("one",), answer=4)
    [machine] = build(table, [task], agent)
    assert replay(machine, agent, 5).episode == tb.walk(table, task, agent, 5, tb.World())
    assert replay(machine, agent, 5).episode.answer == 4


def test_a_world_of_another_kind():
    """A world that is no World, and whose copies are no bytes, serves as well."""

    class Counter(SimpleNamespace):
        def snapshot(self):
            return (self.number,)

        def restore(self, snapshot):
            [self.number] = snapshot

        def fingerprint(self):
            return str(self.number)

    def one(world, **_):
        world.number += 1
        return {"x": world.number}

    table = table_of(one, inject="world")
    agent = tb.SeededAgent(budget=3, first=1, results={"one": "x"})
    [machine] = build(table, [tb.Task(id="T", sequence=("one",) * 3, answer=3)], agent, lambda: Counter(number=0))
    assert machine.answers == (None, 1, 2, 3)


def test_answers_that_python_takes_for_equal_are_kept_apart():
    """Machines that differ in 1 and true alone are two machines, and the agent's answers other wrong ones."""

    def one(x=None, **_):
        return {"x": 1}

    def true(x=None, **_):
        return {"x": True}

    table = table_of(one)
    builder, tasks = Builder(table, AGENT, tb.World), tasks_of("one", answer="neither", number=1)
    first = builder.build(table, tasks)
    second = builder.build(tb.ToolTable([tb.tool(true, schema=["x"], name="one")]), tasks)
    assert [machine.answers[-1] for machine in (*first, *second)] == [1, True]
    assert second[0].answers[-1] is True
    [compared] = side_by_side(first, second, AGENT)
    assert compared.invisible
    assert compared.other_answers == 1


def test_an_answer_that_is_no_number():
    """An answer that is not a number is the same answer each time, though Python says that it is not."""

    def one(x=None, **_):
        return {"x": float("nan")}

    [machine] = build(table_of(one), tasks_of("one", answer=float("nan"), number=1))
    assert machine.right == (False, True)


# --- what is shared -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much])
@given(scenarios(most_tools=4, damaged=2))
def test_one_builder_for_all_tables_builds_what_a_builder_each_builds(made):
    """What tables share changes nothing: neither from table to table, nor in another order."""
    made = made.at_most(6)
    tables = (made.table, *made.damaged, made.table)

    def builder():
        return Builder(made.table, made.agent, made.world, most_nodes=MOST_NODES)

    def outcome(builder, table):
        try:
            return facts(builder.build(table, made.tasks))
        except CannotCompile as problem:
            return str(problem)

    alone = [outcome(builder(), table) for table in tables]
    one, backwards = builder(), builder()
    assert [outcome(one, table) for table in tables] == alone
    assert [outcome(backwards, table) for table in reversed(tables)] == alone[::-1]


def test_the_same_machine_comes_back_as_the_same_object():
    """A defect that changes nothing gives the machines of the defect-free table themselves."""
    table, tasks = table_of(two), tasks_of("two")
    builder = Builder(table, AGENT, tb.World)
    assert [a is b for a, b in zip(builder.build(table, tasks), builder.build(table_of(two), tasks), strict=True)] == [
        True,
        True,
    ]


def test_one_bad_table_does_not_spoil_the_others():
    """A table with a tool that is not repeatable is refused each time; tables without it are not."""
    calls = []

    def one(x=None, **_):
        calls.append(x)
        return {"x": len(calls)}

    good, bad = table_of(two), tb.ToolTable([tb.tool(one, schema=["x"], name="two")])
    builder, tasks = Builder(good, AGENT, tb.World), tasks_of("two")
    for _ in range(2):
        with pytest.raises(CannotCompile, match=r'^two is not repeatable: called twice with \{"x": 1\}'):
            builder.build(bad, tasks)
    assert facts(builder.build(good, tasks)) == facts(build(good, tasks))


def test_a_task_of_the_same_name_with_another_way():
    """Tasks that share a name and differ in their way share no steps."""
    table, builder = table_of(two), Builder(table_of(two), AGENT, tb.World)
    short, long = tasks_of("two", number=1), tasks_of("two", "two", number=1)
    builder.build(table, short)
    assert facts(builder.build(table, long)) == facts(build(table, long))


# --- limits -------------------------------------------------------------------------------------------------------


def growing(x=None, **_):
    return {"x": [x, x] if isinstance(x, list) else [0]}


def test_the_limit_on_states():
    """A tool that gives something new at each call reaches too many states; the task is named."""
    agent = tb.SeededAgent(budget=12, first=0.5, results={"growing": "x"})
    with pytest.raises(CannotCompile) as refused:
        build(table_of(growing, two), tasks_of("growing", "two"), agent, most_nodes=20)
    assert str(refused.value) == "more than 20 states can be reached, the last in task T0"


def test_a_wide_table_stops_at_the_limit():
    """However many tools there are, no more states than a table's worth are made beyond the limit."""
    made = []

    def widening(number):
        def one(x=None, **_):
            made.append(x)
            return {"x": [number, x]}

        return tb.tool(one, schema=["x"], name=f"one{number}")

    agent = tb.SeededAgent(budget=6, first=0)
    with pytest.raises(CannotCompile, match="more than 100 states"):
        build(tb.ToolTable(map(widening, range(40))), tasks_of("one1"), agent, most_nodes=100)
    assert len(made) <= 140 + 40


def test_the_limit_on_all_tasks_together():
    """The limit holds for the tasks of a table together; a second table has its own."""
    table, tasks = table_of(two), tasks_of("two", number=3)
    nodes = [len(machine) for machine in build(table, tasks)]
    builder = Builder(table, AGENT, tb.World, most_nodes=sum(nodes))
    assert list(map(len, builder.build(table, tasks))) == nodes
    assert list(map(len, builder.build(table_of(two), tasks))) == nodes
    with pytest.raises(CannotCompile, match="the last in task T2"):
        build(table, tasks, most_nodes=sum(nodes) - 1)


def test_a_large_budget_ends_when_nothing_new_comes():
    """A budget of 4096 costs nothing where few states can be reached."""
    agent = tb.SeededAgent(budget=4096, first=0.5, stop=0.01, results={"two": "x"})
    [machine] = build(table_of(two), tasks_of("two", number=1), agent)
    assert len(machine) == 2
    assert replay(machine, agent, 3).episode == tb.walk(table_of(two), tasks_of("two")[0], agent, 3)


# --- how many generated scenarios compile --------------------------------------------------------------------------


@pytest.mark.slow
def test_nearly_all_generated_scenarios_compile():
    """At least 95 of 100 generated scenarios make machines; those that do not reach too many states."""
    reasons = []

    @settings(derandomize=True, max_examples=300, database=None, suppress_health_check=list(HealthCheck))
    @given(scenarios())
    def compiled(made):
        try:
            build(made.table, made.tasks, made.agent, made.world, most_nodes=MOST_NODES)
        except CannotCompile as problem:
            reasons.append(str(problem))
        else:
            reasons.append("")

    compiled()
    refused = [reason for reason in reasons if reason]
    assert len(reasons) >= 300
    assert len(refused) <= 0.05 * len(reasons)
    assert [reason for reason in refused if "states can be reached" not in reason] == []
