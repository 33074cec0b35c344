"""Task and Scenario: parts that fit each other."""

import threading
from dataclasses import replace

import pytest

import toolbench as tb
from toolbench.agent.draws import SEEDS
from toolbench.errors import ScenarioError
from toolbench.scenario import worlds


@tb.tool(schema=["length"])
def double(length=None):
    return {"doubled": 2 * length}


@tb.tool(schema=["length"], inject="shop")
def cut(shop, length=None):
    shop.state["left"] -= length
    return shop.state["left"]


def shop():
    return tb.World(state={"left": 10})


PARTS = {
    "name": "own",
    "tools": [double, cut],
    "cases": [tb.Case(id="c", tool="double", arguments={"length": 1}, output={"doubled": 2})],
    "tasks": [tb.Task(id="t", start={"length": 4}, answer=8, sequence=["double"])],
    "agent": tb.SeededAgent(budget=3, first=0.9, results={"double": "doubled"}),
    "world": shop,
    "base_seed": 5,
}


def scenario_with(**parts):
    return tb.Scenario(**{**PARTS, **parts})


# --- tasks ------------------------------------------------------------------------------------------------------


def test_a_task_has_its_own_values():
    """A task copies its start and its answer; its sequence is a tuple."""
    start, answer = {"a": [1]}, ({"b": None},)
    task = tb.Task(id="t", start=start, answer=answer, sequence=["x", "y"])
    start["a"].append(2)
    assert (task.start, task.answer, task.sequence) == ({"a": [1]}, [{"b": None}], ("x", "y"))
    assert task.facts() == ["t", "", {"a": [1]}, [{"b": None}], ["x", "y"]]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"id": ""}, "a task's id is a text that is not empty, not ''"),
        ({"id": 5}, "a task's id is a text that is not empty, not 5"),
        ({"start": [1]}, "task t: start and answer are JSON values"),
        ({"start": {"a": {1}}}, "task t: start and answer are JSON values: a set has no JSON form"),
        ({"answer": object()}, "task t: start and answer are JSON values: a object has no JSON form"),
        ({"sequence": "double"}, "task t: sequence is the text 'double'; it is a list of tool names"),
        ({"sequence": [double]}, "task t: sequence is "),
        ({"sequence": [["double"]]}, "task t: sequence is [['double']]; it is a list of tool names"),
        ({"request": 5}, "task t: request is 5; it is a text"),
    ],
    ids=lambda value: str(value).partition(" at 0x")[0],  # an address is another in each process
)
def test_what_is_no_task(parts, message):
    """A task with a wrong part is refused where it is made."""
    with pytest.raises(ScenarioError) as caught:
        tb.Task(**{"id": "t", **parts})
    assert str(caught.value).startswith(message)


# --- scenarios --------------------------------------------------------------------------------------------------


def test_a_scenario_of_parts():
    """Tools become a table; cases and tasks tuples; the least scenario has a tool and nothing else."""
    scenario = scenario_with()
    assert list(scenario.table) == ["double", "cut"]
    assert (len(scenario.cases), len(scenario.tasks), scenario.base_seed) == (1, 1, 5)
    least = tb.Scenario(name="least", tools=iter([double]))
    assert (list(least.table), least.cases, least.tasks, least.agent, least.base_seed) == (["double"], (), (), None, 0)
    assert worlds(least)().state == {}


def twice(kind):
    return PARTS[kind] * 2


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"tools": []}, "own: has no tools"),
        ({"tools": [double, double]}, "tool double: two tools are named 'double'"),
        ({"tools": [len]}, "<built-in function len> is not a Tool"),
        ({"cases": twice("cases")}, "own: two cases have the id 'c'; an id is unique"),
        ({"tasks": twice("tasks")}, "own: two tasks have the id 't'; an id is unique"),
        (
            {"cases": [tb.Case(id="c", tool="duble", output=1)]},
            "own: case c: unknown tool 'duble': did you mean double?",
        ),
        (
            {"cases": [tb.Case(id="c", tool="cut", arguments={"shop": 1}, output=1)]},
            "own: case c: 'shop' is injected by the library; leave it out",
        ),
        (
            {"tasks": [tb.Task(id="t", sequence=["double", "cutt"])]},
            "own: task t: sequence: unknown tool 'cutt': did you mean cut? Known: double, cut",
        ),
        ({"cases": [{"id": "c"}]}, "own: cases has {'id': 'c'} in it; give Case(...)"),
        ({"tasks": ["t"]}, "own: tasks has 't' in it; give Task(...)"),
        ({"agent": None}, "own: has tasks and no agent; give agent = SeededAgent(...)"),
        ({"agent": 5}, "own: agent is 5, which has no begin() and settings(); give SeededAgent(...)"),
        (
            {"agent": tb.SeededAgent(budget=1, first=1, results={"dubble": "x"})},
            "own: agent.results: unknown tool 'dubble': did you mean double?",
        ),
        (
            {"agent": tb.SeededAgent(budget=1, first=1, copies={"cat": {}})},
            "own: agent.copies: unknown tool 'cat': did you mean cut?",
        ),
        ({"base_seed": -1}, f"own: base_seed is -1; it is a whole number from 0 to {SEEDS - 1}"),
        ({"base_seed": SEEDS}, f"own: base_seed is {SEEDS}; it is a whole number"),
        ({"base_seed": True}, "own: base_seed is True; it is a whole number"),
        ({"base_seed": "5"}, "own: base_seed is '5'; it is a whole number"),
        ({"deadline": 0}, "own: deadline is 0; it is a number of seconds above 0"),
        ({"deadline": float("inf")}, "own: deadline is inf; it is a number of seconds above 0"),
        ({"deadline": float("nan")}, "own: deadline is nan; it is a number of seconds above 0"),
        ({"deadline": "2"}, "own: deadline is '2'; it is a number of seconds above 0"),
        ({"world": {"left": 10}}, "own: world is {'left': 10}; it is a function that makes a fresh World"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_parts_that_do_not_fit(parts, message):
    """A scenario at odds with itself is refused with the place, the value and what would be right."""
    with pytest.raises(ScenarioError) as caught:
        scenario_with(**parts)
    assert str(caught.value).startswith(message)


def test_some_settings_of_the_agent_changed():
    """A copy of a scenario can have another setting of its agent; the original keeps its own."""
    scenario = scenario_with()
    assert scenario.with_agent(self_critique=True).agent.self_critique is True
    assert scenario.agent.self_critique is False
    with pytest.raises(ScenarioError, match="own: only a seeded agent has the settings budget"):
        scenario_with(agent=None, tasks=()).with_agent(budget=2)


def test_a_scenario_stays_as_read_with_plain_settings(scenario):
    """With plain settings a scenario is still what its folder gives, altered by these; with others it is not."""
    asked = scenario.with_agent(self_critique=True).with_agent(approval=True)
    assert (scenario.as_read, asked.as_read) == (True, True)
    assert asked.altered == {"self_critique": True, "approval": True}
    assert scenario.altered == {}
    other = asked.with_agent(tokens=tb.Tokens(step=1))
    assert (other.as_read, other.altered) == (False, {})
    assert other.agent.self_critique is True
    assert replace(scenario, deadline=1.0).as_read is False


# --- digests ----------------------------------------------------------------------------------------------------


def test_digests_are_the_same_for_the_same_parts(scenario):
    """A scenario loaded again has the same digests of table, suite and agent, and they are three."""
    again = tb.load_scenario(scenario.folder)
    assert again.digests() == scenario.digests()
    assert list(scenario.digests()) == ["table", "suite", "agent"]
    assert len(set(scenario.digests().values())) == 3


@pytest.mark.parametrize(
    ("parts", "changed"),
    [
        ({"tools": [cut, double]}, "table"),
        ({"cases": [replace(PARTS["cases"][0], output={"doubled": 2, "x": None})]}, "suite"),
        ({"cases": [replace(PARTS["cases"][0], arguments={"length": 1.5})]}, "suite"),
        ({"cases": [replace(PARTS["cases"][0], output=..., error=True)]}, "suite"),
        ({"cases": []}, "suite"),
        ({"tasks": [replace(PARTS["tasks"][0], answer=True)]}, "agent"),
        ({"tasks": [replace(PARTS["tasks"][0], request="do it")]}, "agent"),
        ({"agent": replace(PARTS["agent"], first=0.8)}, "agent"),
        ({"agent": replace(PARTS["agent"], tokens=tb.Tokens(step=1))}, "agent"),
        ({"base_seed": 6}, "agent"),
        ({"name": "another"}, None),
        ({"cases": [replace(PARTS["cases"][0], why="because")]}, None),
        ({"deadline": 9}, None),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else str(value),
)
def test_a_digest_says_what_changed(parts, changed):
    """A changed part changes its own digest and no other; names, reasons and deadlines are in none."""
    before, after = scenario_with().digests(), scenario_with(**parts).digests()
    assert [key for key in before if before[key] != after[key]] == ([changed] if changed else [])


# --- worlds -----------------------------------------------------------------------------------------------------


def test_every_world_is_in_its_first_state():
    """However a world is changed, the next one is in the first state again."""
    fresh = worlds(scenario_with())
    for _ in range(3):
        world = fresh()
        assert world.state == {"left": 10}
        assert double.call({"length": 1}, world).kind == "ok"
        assert cut.call({"length": 4}, world).value == 6


def test_a_world_is_made_once_and_put_back():
    """Making a world may be slow; it happens twice for many runs, the second time to see that it is a fresh one."""
    made = []

    def slow():
        made.append(1)
        return shop()

    fresh = worlds(scenario_with(world=slow))
    for _ in range(5):
        cut.call({"length": 1}, fresh())
    assert fresh().state == {"left": 10}
    assert len(made) == 2


def test_a_world_that_is_not_fresh_is_an_error():
    """A world() that hands out one object would let state leak from one run into the next."""
    shared = shop()
    with pytest.raises(ScenarioError, match="one and the same object twice"):
        worlds(scenario_with(world=lambda: shared))


def test_a_world_that_is_random_is_an_error():
    """A world() that gives another state each time would make no two runs alike."""
    states = iter(range(1000))
    with pytest.raises(ScenarioError) as refused:
        worlds(scenario_with(world=lambda: tb.World(state={"left": next(states)})))
    assert str(refused.value) == "own: world() gives another state each time; draw from a fixed seed"


def test_a_world_that_fails_is_said_with_its_line():
    """The user sees where the own code raised."""

    def broken():
        raise KeyError("meters")

    with pytest.raises(ScenarioError, match=r"world\(\) raised KeyError: 'meters' \(.*test_scenario.py, line \d+\)"):
        worlds(scenario_with(world=broken))


@pytest.mark.parametrize("odd", [threading.Lock, lambda: (n for n in ()), object], ids=["lock", "generator", "object"])
def test_a_world_that_cannot_be_copied_is_made_anew(odd):
    """A world that holds a lock, a generator or what cannot be compared is made again for every run."""
    fresh = worlds(scenario_with(world=lambda: tb.World(state={"left": 10, "odd": odd()})))
    first = fresh()
    cut.call({"length": 4}, first)
    assert fresh() is not first
    assert fresh().state["left"] == 10


def test_a_world_of_ones_own_class():
    """Any object with snapshot, restore and fingerprint is a world."""

    class Shelf:
        def __init__(self):
            self.books = ["Emma"]

        def snapshot(self):
            return tuple(self.books)

        def restore(self, snapshot):
            self.books = list(snapshot)

        def fingerprint(self):
            return " ".join(self.books)

    fresh = worlds(scenario_with(world=Shelf))
    fresh().books.append("Villette")
    assert fresh().books == ["Emma"]


def test_a_world_that_does_not_come_back():
    """A world whose restore does not bring the state back is refused, not used."""

    class Forgetful(tb.World):
        def restore(self, snapshot):
            self.state = {}

    with pytest.raises(ScenarioError, match=r"own: world.restore\(\) does not bring back what world.snapshot\(\) took"):
        worlds(scenario_with(world=lambda: Forgetful(state={"left": 10})))


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (None, "own: world() gave a NoneType without snapshot, restore, fingerprint; return a World"),
        ({"left": 10}, "own: world() gave a dict without snapshot, restore, fingerprint; return a World"),
    ],
    ids=str,
)
def test_what_is_no_world(made, message):
    """A world() that returns no World is refused when the first run needs one."""
    with pytest.raises(ScenarioError) as caught:
        worlds(scenario_with(world=lambda: made))
    assert str(caught.value) == message


# --- the two scenarios -------------------------------------------------------------------------------------------


def test_the_right_way_gives_the_right_answer(scenario):
    """An agent that always takes the right tool and stops at the end succeeds in every task of a scenario."""
    perfect = replace(scenario.agent, first=1.0, fall=0.0, stop=1.0)
    for task in scenario.tasks:
        episode = tb.walk(scenario.table, task, perfect, 1, scenario.world())
        assert (episode.succeeded, episode.done, episode.errors) == (True, True, 0), task.id
        assert [name for name, _ in episode.trace] == list(task.sequence)


def test_every_tool_has_cases_and_is_on_the_way_of_a_task(scenario):
    """No tool of a scenario is there for nothing, and each scenario uses a world that changes."""
    assert {name for task in scenario.tasks for name in task.sequence} == set(scenario.table)
    assert any(item.definition.side_effect for item in scenario.table.values())
