"""The definition layer: probes, and what a row says of them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbench as tb
from toolbench.layers.definition import DefinitionLayer, row_of
from toolbench.outcome import Outcome
from toolbench.seeds import read_seeds

LAYER = DefinitionLayer()


@tb.tool(schema=["x"], inject="world", side_effect=True)
def keep(world, x=None):
    """Keeps what it is given, refuses nothing, and crashes on 13."""
    if x is None:
        raise ValueError("nothing to \x1b keep")
    world.state["kept"].append(x)
    return {"kept": len(world.state["kept"]), "ratio": 1 / (13 - x)}


@tb.tool(schema=[], output_schema={"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
def promise():
    """Declares a number and answers with a text."""
    return {"n": "three"}


SCENARIO = tb.Scenario(
    name="keeping",
    tools=[keep, promise],
    world=lambda: tb.World(state={"kept": []}),
    cases=[tb.Case(id="c", tool="keep", arguments={"x": 1}, output={"kept": 1})],
)


def observe(*probes, scenario=SCENARIO):
    units = [{"calls": [list(call) for call in calls], "apart": False} for calls in probes]
    return list(LAYER.observe(scenario, scenario.table, units))


def test_the_calls_of_the_suite_are_its_units(scenario):
    """What is known beforehand are the cases; what else is tried depends on what calls come to. Nothing is lacking."""
    units = LAYER.units(scenario, read_seeds(2, 0))
    assert [unit["calls"] for unit in units] == [[[case.tool, dict(case.arguments)]] for case in scenario.cases]
    assert json.loads(json.dumps(units)) == units
    assert LAYER.lack(scenario) is None
    assert LAYER.lack(tb.Scenario(name="bare", tools=[promise])) is None


def test_each_probe_has_a_fresh_world():
    """Nothing that a probe does is there for the next."""
    rows = observe(*[[("keep", {"x": 1})]] * 3)
    assert [row["fields"]["kept"] for row in rows] == [1, 1, 1]
    assert rows[0] == rows[1] == rows[2]


def test_the_last_call_is_looked_at():
    """Calls before it are made in the same world, and are not what the row tells of."""
    [row] = observe([("keep", {"x": 1}), ("keep", {}), ("nowhere", {}), ("keep", {"x": 2})])
    assert (row["kind"], row["fields"]["kept"]) == ("ok", 2)


@pytest.mark.parametrize(
    ("arguments", "kind", "why"),
    [
        ({"x": 1}, "ok", ""),
        ({}, "error", "nothing to \\x1b keep"),
        ({"x": 13}, "crash", "ZeroDivisionError: division by zero"),
        ({"x": []}, "crash", "TypeError: unsupported operand type(s) for -: 'int' and 'list'"),
    ],
)
def test_what_a_call_came_to(arguments, kind, why):
    """Kind and reason are those of the outcome, harmless to show."""
    [row] = observe([("keep", arguments)])
    assert (row["kind"], row["why"]) == (kind, why)


def test_a_tool_that_is_not_there():
    """It is the reported error of every table."""
    [row] = observe([("nowhere", {})])
    assert (row["kind"], row["why"]) == ("error", "no such tool")


def test_marks_tell_whether_the_world_changed():
    """They are the world's before and after the last call; alike where nothing changed."""
    added, refused, behind = observe([("keep", {"x": 1})], [("keep", {})], [("keep", {"x": 1}), ("promise", {})])
    assert added["marks"][0] != added["marks"][1]
    assert refused["marks"][0] == refused["marks"][1] == added["marks"][0]
    assert behind["marks"][0] == behind["marks"][1] == added["marks"][1]


def test_an_answer_that_breaks_the_declared_output():
    """It is told why; a tool that declares none breaks nothing."""
    promised, kept = observe([("promise", {})], [("keep", {"x": 1})])
    assert promised["fault"] == 'n: "three" is not of type "integer"'
    assert kept["fault"] == ""


@pytest.mark.parametrize(("value", "fits"), [(3, True), ({"result": 3}, True), ("3", False), ({"result": "3"}, False)])
def test_an_output_that_a_server_would_wrap(value, fits):
    """Servers put what is no object under `result`; an answer fits as it is or wrapped so."""
    schema = {"type": "object", "properties": {"result": {"type": "integer"}}, "required": ["result"]}
    plain = tb.Tool(tb.Definition("plain", [], output_schema=schema), lambda: value)
    [row] = observe([("plain", {})], scenario=tb.Scenario(name="s", tools=[plain]))
    assert (row["fault"] == "") is fits


def test_the_row_of_a_probe_that_was_ended():
    """It has every key of another row, the kind of its end, and the reason."""
    [row] = observe([("keep", {"x": 1})])
    ended = LAYER.ended({"calls": [["keep", {}]], "apart": False}, "died", "its process exited\x07")
    assert set(ended) == set(row)
    assert (ended["kind"], ended["why"], ended["marks"], ended["fields"]) == (
        "died",
        r"its process exited\x07",
        None,
        {},
    )


# --- rows -----------------------------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


@given(VALUES)
def test_a_row_is_plain_values_and_short(value):
    """Whatever a tool answers, its row can be sent, and shows no more than a line."""
    row = row_of(Outcome("ok", value))
    assert json.loads(json.dumps(row)) == row
    assert all(len(str(inner)) < 120 for inner in row["fields"].values())
    assert row["shown"].isprintable()


@given(VALUES, VALUES)
def test_equal_answers_are_told_by_their_digest(one, other):
    """Two answers have the same digest exactly when their JSON is the same."""
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (row_of(Outcome("ok", one))["answer"] == row_of(Outcome("ok", other))["answer"]) is same


def test_an_answer_of_so_many_digits_that_python_does_not_print_it():
    """It has a digest and is shown in short; another one has another digest."""
    rows = [row_of(Outcome("ok", {"n": 10**5000 + more})) for more in (0, 1, 0)]
    assert rows[0]["answer"] == rows[2]["answer"] != rows[1]["answer"]
    assert len(rows[0]["shown"]) < 200
