"""The seeded agent, move by move, with draws that the test chooses."""

import pytest

import toolbench as tb
from toolbench.agent.seeded import LONGEST
from toolbench.definition import Definitions
from toolbench.errors import ScenarioError
from toolbench.outcome import Outcome

LOOK = tb.Definition("look", ["name"])
COUNT = tb.Definition("count", ["size"])
SAVE = tb.Definition("save", ["name", "value"], side_effect=True)
DEFINITIONS = Definitions([LOOK, COUNT, SAVE])
TASK = tb.Task(id="T", start={"name": "a"}, sequence=("look", "count"), answer=3)


def agent(**settings):
    return tb.SeededAgent(**{
        "budget": 5, "first": 0.8, "fall": 0.1, "least": 0.3, "stop": 0.9,
        "results": {"count": "n"}, "copies": {"save": {"value": "result"}},
        "tokens": tb.Tokens(step=100, history=10, call=1, critique=1000), **settings,
    })  # fmt: skip


def moves(player, draws, *outcomes, task=TASK):
    """The moves of an episode in which draws and outcomes are these; every draw must be used."""
    left = list(draws)
    move = player.begin(task, DEFINITIONS, lambda: left.pop(0))
    made = [move(None)]
    made += [move(outcome) for outcome in outcomes]
    assert left == []
    return made


def ok(**fields):
    return Outcome("ok", fields)


ERROR = Outcome("error", {"error": "no"}, "no")
RIGHT = 0.0


def test_the_right_way():
    """With low draws the agent takes the sequence's tools with declared fields only, then stops with the result."""
    made = moves(agent(), [RIGHT, RIGHT, RIGHT], ok(size=2), ok(n=3))
    assert made == [
        tb.Call("look", {"name": "a"}),
        tb.Call("count", {"size": 2}),
        tb.Stop(3, True, (100) + 1 + (100 + 10) + 1 + (100 + 20), 0),
    ]


@pytest.mark.parametrize(
    ("draw", "tool"), [(0.0, "look"), (0.33, "look"), (0.34, "count"), (0.67, "save"), (0.99, "save")]
)
def test_a_wrong_turn_takes_any_tool_in_table_order(draw, tool):
    """A draw at the threshold or above asks for another draw, which falls on each tool alike."""
    assert moves(agent(), [0.8, draw])[0].tool == tool


def test_the_right_tool_grows_less_likely_with_the_position():
    """At position 1 the threshold is 0.8 - 0.1: a draw of 0.75 no longer takes the right tool."""
    assert moves(agent(), [0.79, 0.75, 0.0], ok(size=2))[1].tool == "look"
    assert moves(agent(), [0.79, 0.69], ok(size=2))[1].tool == "count"


def test_the_right_tool_never_grows_less_likely_than_the_least():
    """However far the sequence is, the threshold stays at the least probability."""
    assert agent(fall=0.6).right == (0.8, 0.3, 0.3, 0.3, 0.3)


def test_a_random_choice_of_the_right_tool_counts():
    """The position moves on when the right tool was taken by chance."""
    made = moves(agent(), [0.9, 0.0, RIGHT], ok(size=2))
    assert [call.tool for call in made] == ["look", "count"]


def test_an_error_changes_nothing():
    """After an error the state and the position are as before; without self-critique it costs a call."""
    made = moves(agent(budget=2), [RIGHT, RIGHT], ERROR, ERROR)
    assert made == [
        tb.Call("look", {"name": "a"}),
        tb.Call("look", {"name": "a"}),
        tb.Stop(None, False, 100 + 1 + 110 + 1, 0),
    ]


@pytest.mark.parametrize("kind", ["error", "crash"])
def test_self_critique_costs_tokens_at_each_error(kind):
    """With self-critique an error or a crash costs its tokens on top."""
    made = moves(agent(budget=1, self_critique=True), [RIGHT], Outcome(kind, None, "no"))
    assert made[-1] == tb.Stop(None, False, 100 + 1 + 1000, 0)


def test_the_result_is_copied_before_the_call():
    """Before a tool with copies the named field takes the result, None when there is none yet."""
    save = tb.Task(id="T", start={"name": "a"}, sequence=("save", "count", "save"))
    made = moves(agent(), [RIGHT] * 3, ok(done=True), ok(n=7), task=save)
    assert made[0] == tb.Call("save", {"name": "a", "value": None})
    assert made[2] == tb.Call("save", {"name": "a", "value": 7})


def test_approval_counts_each_choice_of_a_side_effect():
    """With approval each choice of a tool with a side effect counts one, also when the call fails."""
    save = tb.Task(id="T", start={}, sequence=("save",))
    made = moves(agent(budget=3, approval=True), [RIGHT, RIGHT, RIGHT], ERROR, ok(), task=save)
    assert made[-1].approvals == 2
    assert moves(agent(budget=1), [RIGHT], ok(), task=save)[-1].approvals == 0


def test_a_result_field_that_is_not_there():
    """A tool that should give the result and does not leaves None, as a reader of that field would see."""
    one = tb.Task(id="T", start={}, sequence=("count", "count"))
    made = moves(agent(), [RIGHT, RIGHT, RIGHT], ok(n=1), ok(m=2), task=one)
    assert made[-1].answer is None


def test_an_output_that_is_no_mapping_is_the_field_value():
    """An output that is a bare number reaches the agent as the field `value`."""
    one = tb.Task(id="T", start={}, sequence=("count",))
    made = moves(agent(results={"count": "value"}), [RIGHT, RIGHT], Outcome("ok", 5), task=one)
    assert made[-1].answer == 5


def test_after_the_sequence_the_agent_may_go_on():
    """At the end of the sequence a draw at the stop probability or above takes any tool instead."""
    one = tb.Task(id="T", start={}, sequence=("look",))
    made = moves(agent(), [RIGHT, 0.9, 0.99, 0.89], ok(), ok(), task=one)
    assert [type(move) for move in made] == [tb.Call, tb.Call, tb.Stop]
    assert made[1].tool == "save"


def test_a_tool_that_is_gone_is_still_called():
    """A tool of the sequence that is not in the table is called with nothing; its host will say so."""
    assert moves(agent(), [RIGHT], task=tb.Task(id="T", start={"name": 1}, sequence=("gone",))) == [tb.Call("gone", {})]


def test_an_empty_sequence_stops_at_once():
    """A task without a right way is over at the first step."""
    assert moves(agent(), [RIGHT], task=tb.Task(id="T")) == [tb.Stop(None, True, 100, 0)]


def test_the_task_is_left_as_it_was():
    """What an episode learns is its own: the task's start does not change."""
    moves(agent(), [RIGHT, RIGHT], ok(size=2, name="changed"))
    assert TASK.start == {"name": "a"}


def test_settings_are_plain_values():
    """The settings are all that the agent is made of, and no more."""
    assert agent().settings() == {
        "budget": 5, "first": 0.8, "fall": 0.1, "least": 0.3, "stop": 0.9, "results": {"count": "n"},
        "copies": {"save": {"value": "result"}}, "self_critique": False, "approval": False,
        "tokens": {"step": 100, "history": 10, "call": 1, "critique": 1000},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"budget": 0}, f"the agent's budget is 0; it is a number of steps, 1 to {LONGEST}"),
        ({"budget": 2.5}, f"the agent's budget is 2.5; it is a number of steps, 1 to {LONGEST}"),
        ({"budget": LONGEST + 1}, f"the agent's budget is {LONGEST + 1}; it is a number of steps, 1 to {LONGEST}"),
        ({"budget": True}, f"the agent's budget is True; it is a number of steps, 1 to {LONGEST}"),
        ({"first": 1.5}, "the agent's first is 1.5; it is a probability from 0 to 1"),
        ({"least": -0.1}, "the agent's least is -0.1; it is a probability from 0 to 1"),
        ({"stop": "often"}, "the agent's stop is 'often'; it is a probability from 0 to 1"),
        ({"stop": float("nan")}, "the agent's stop is nan; it is a probability from 0 to 1"),
        ({"fall": None}, "the agent's fall is None; it is a number"),
        ({"tokens": {"step": 1}}, "the agent's tokens is {'step': 1}; it is Tokens(step=..., call=...)"),
        ({"results": {1: 2}}, "the agent's results is {1: 2}; it maps tools to output fields"),
        ({"results": ["count"]}, "the agent's results is ['count']; it maps tools to output fields"),
        ({"copies": "x"}, "the agent's copies is 'x'; it maps tools to {field: field to copy}"),
        ({"copies": {"save": "x"}}, "the agent's copies is {'save': 'x'}; it maps tools to {field: field to copy}"),
    ],
)
def test_settings_that_make_no_sense(settings, message):
    """A setting out of its range is refused with its name, its value and what would be right."""
    with pytest.raises(ScenarioError) as refused:
        agent(**settings)
    assert str(refused.value) == message
