"""Any object that begins an episode and names moves is an agent."""

import toolbench as tb


@tb.tool(schema=["x"])
def double(x):
    """Twice a number."""
    return {"y": 2 * x}


class Careful:
    """An agent of another kind: it asks once, then answers with what it was told."""

    def begin(self, task, definitions, draw):
        seen = []

        def move(outcome):
            seen.append(outcome)
            if outcome is None:
                first = next(iter(definitions.values()))
                return tb.Call(first.name, first.arguments_from(task.start))
            return tb.Stop(outcome.fields.get("y"), tokens=len(seen))

        return move

    def settings(self):
        return {"kind": "careful"}


TASK = tb.Task(id="T1", start={"x": 4, "unused": 1}, answer=8)


def test_an_agent_of_ones_own_plays_an_episode():
    """An agent that is no seeded one gets definitions and outcomes, and its moves make the episode."""
    episode = tb.walk(tb.ToolTable([double]), TASK, Careful(), 1)
    assert episode == tb.Episode("T1", 1, True, tb.Stop(8, tokens=2), [("double", False)])
    assert (episode.steps, episode.errors) == (2, 0)


def test_an_agent_of_ones_own_is_measured():
    """A scenario with an agent of one's own is measured like any other, and its settings make its digest."""
    scenario = tb.Scenario(name="careful", tools=[double], tasks=[TASK], agent=Careful())
    measured = tb.measure(scenario, seeds=2)
    assert [row["succeeded"] for row in measured.success_rows()] == [1, 1]

    other = tb.Scenario(name="careful", tools=[double], tasks=[TASK], agent=Bold())
    assert scenario.digests()["agent"] != other.digests()["agent"]


class Bold(Careful):
    def settings(self):
        return {"kind": "bold"}


def test_what_a_stop_says_by_default():
    """A stop is done, and costs nothing, unless it says otherwise."""
    assert tb.Stop("x") == tb.Stop("x", True, 0, 0)


def test_a_call_holds_tool_and_arguments():
    """A call names a tool and carries its arguments."""
    call = tb.Call("double", {"x": 1})
    assert (call.tool, call.arguments) == ("double", {"x": 1})
