"""The loop layer: episodes of an agent."""

import toolbench as tb
from toolbench.layers.loop import LoopLayer
from toolbench.seeds import read_seeds


@tb.tool(schema=["x"], inject="world", side_effect=True)
def add(world, x=None):
    """Adds to the sum that the world holds."""
    if x is None:
        return {"error": "nothing to add"}
    world.state["sum"] += x
    return {"sum": world.state["sum"]}


SCENARIO = tb.Scenario(
    name="adding",
    tools=[add],
    world=lambda: tb.World(state={"sum": 0}),
    tasks=[
        tb.Task(id="once", start={"x": 2}, answer=2, sequence=["add"]),
        tb.Task(id="twice", start={"x": 2}, answer=4, sequence=["add", "add"]),
        tb.Task(id="never right", start={}, answer=1, sequence=["add"]),
    ],
    agent=tb.SeededAgent(
        budget=3, first=1, results={"add": "sum"}, approval=True, tokens=tb.Tokens(step=10, history=1, call=5)
    ),
)
LAYER = LoopLayer()


def test_a_row_for_each_episode():
    """Each episode says whether it succeeded, with which answer, and what it cost."""
    rows = list(LAYER.observe(SCENARIO, SCENARIO.table, [("once", 7), ("twice", 7), ("never right", 7)]))
    assert rows == [
        {"task": "once", "seed": 7, "succeeded": True, "answer": "2", "steps": 2, "calls": 1, "tokens": 26,
         "errors": 0, "approvals": 1, "done": True, "kind": "ok", "why": ""},
        {"task": "twice", "seed": 7, "succeeded": True, "answer": "4", "steps": 3, "calls": 2, "tokens": 43,
         "errors": 0, "approvals": 2, "done": True, "kind": "ok", "why": ""},
        {"task": "never right", "seed": 7, "succeeded": False, "answer": "null", "steps": 3, "calls": 3, "tokens": 48,
         "errors": 3, "approvals": 3, "done": False, "kind": "ok", "why": ""},
    ]  # fmt: skip


def test_the_units_are_tasks_by_seeds():
    """All tasks of the first seed come first, then those of the next."""
    names = ["once", "twice", "never right"]
    assert LAYER.units(SCENARIO, read_seeds("4,2", 0)) == [(name, seed) for seed in (4, 2) for name in names]


def test_what_it_lacks():
    """A scenario without tasks has nothing to play, and says so."""
    assert LAYER.lack(tb.Scenario(name="empty", tools=[add])) == "the scenario has no task"
    assert LAYER.lack(SCENARIO) is None


def test_the_row_of_an_episode_that_was_ended():
    """An episode that hung or died has failed, cost nothing that is known, and says why."""
    assert LAYER.ended(("once", 7), "died", "its process exited with code 0") == {
        "task": "once", "seed": 7, "succeeded": False, "answer": "null", "steps": 0, "calls": 0, "tokens": 0,
        "errors": 0, "approvals": 0, "done": False, "kind": "died", "why": "died: its process exited with code 0",
    }  # fmt: skip


def test_a_long_answer_is_cut():
    """An answer is shown on one line, cut where it grows long."""

    @tb.tool(schema=[])
    def much():
        return {"text": "x" * 10_000 + "\n"}

    scenario = tb.Scenario(
        name="much",
        tools=[much],
        tasks=[tb.Task(id="t", answer="y", sequence=["much"])],
        agent=tb.SeededAgent(budget=2, first=1, results={"much": "text"}),
    )
    [row] = LAYER.observe(scenario, scenario.table, [("t", 1)])
    assert len(row["answer"]) < 200
    assert row["answer"].endswith("…")
