"""One episode, walked step by step."""

import pytest

import toolbench as tb


@tb.tool(schema=["name"], inject="world", side_effect=True)
def visit(world, name=""):
    """Note a visitor."""
    if not name:
        return {"error": "who?"}
    world.state["visitors"].append(name)
    return {"visits": len(world.state["visitors"])}


@tb.tool(schema=[])
def explode():
    """Fail in a way that no tool should."""
    raise RuntimeError("boom")


TABLE = tb.ToolTable([visit, explode])


class Script:
    """An agent that makes the moves that it was given and notes the outcomes that it is told."""

    def __init__(self, *moves):
        self.moves, self.told = moves, []

    def begin(self, task, definitions, draw):
        moves = iter(self.moves)

        def move(outcome):
            self.told.append(outcome)
            return next(moves)

        return move

    def settings(self):
        return {}


def world():
    return tb.World(state={"visitors": []})


def test_calls_are_made_and_traced():
    """Each call is carried out on the world; errors and crashes are counted; the stop is a step of its own."""
    agent = Script(
        tb.Call("visit", {"name": "Ann"}), tb.Call("visit", {}), tb.Call("explode", {}), tb.Call("away", {}),
        tb.Stop(1, tokens=9, approvals=2),
    )  # fmt: skip
    here = world()
    episode = tb.walk(TABLE, tb.Task(id="T", answer=1), agent, 3, here)
    assert episode.facts() == {
        "task": "T",
        "seed": 3,
        "succeeded": True,
        "answer": 1,
        "steps": 5,
        "tokens": 9,
        "errors": 3,
        "approvals": 2,
        "done": True,
        "trace": [("visit", False), ("visit", True), ("explode", True), ("away", True)],
    }
    assert [outcome and outcome.kind for outcome in agent.told] == [None, "ok", "error", "crash", "error"]
    assert agent.told[4].message == "no such tool"
    assert here.state == {"visitors": ["Ann"]}


def test_a_budget_that_is_used_up_is_no_step():
    """When the agent did not stop by itself, only the calls are steps."""
    episode = tb.walk(TABLE, tb.Task(id="T", answer=2), Script(tb.Call("explode", {}), tb.Stop(1, done=False)), 3)
    assert (episode.steps, episode.done, episode.succeeded) == (1, False, False)


@pytest.mark.parametrize(
    ("answer", "right", "succeeded"), [(1, 1.0, True), (True, 1, False), (None, None, True), ("1", 1, False)]
)
def test_an_answer_is_right_as_a_json_value(answer, right, succeeded):
    """1 and 1.0 are the same answer; true is not 1."""
    assert tb.walk(TABLE, tb.Task(id="T", answer=right), Script(tb.Stop(answer)), 3).succeeded is succeeded


@pytest.mark.parametrize("seed", [0, 2**32 - 1])
def test_the_draws_come_from_seed_and_task(seed):
    """An episode's draws are those of the seed, set apart by the task's id."""
    drawn = []

    class Drawing(Script):
        def begin(self, task, definitions, draw):
            drawn.append(draw())
            return super().begin(task, definitions, draw)

    tb.walk(TABLE, tb.Task(id="T7"), Drawing(tb.Stop(None)), seed)
    assert drawn == [tb.draws(seed ^ tb.trace_id("T7"))()]


def test_episodes_do_not_depend_on_their_order():
    """Each episode is the same alone, in order and in reverse order."""
    agent = tb.SeededAgent(budget=6, first=0.5, stop=0.5, results={"visit": "visits"})
    tasks = [tb.Task(id=f"T{i}", start={"name": "Ann"}, sequence=("visit", "visit"), answer=2) for i in range(8)]
    forward = [tb.walk(TABLE, task, agent, 5, world()) for task in tasks]
    backward = [tb.walk(TABLE, task, agent, 5, world()) for task in reversed(tasks)]
    assert forward == backward[::-1]
    assert len({tuple(episode.trace) for episode in forward}) > 1
