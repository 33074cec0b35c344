"""Checking tables: which tools are called, and what comes of those that hang, die, or keep a memory of their own."""

from __future__ import annotations

import os
import random
import threading
import time
import uuid
from pathlib import Path

import pytest

import toolbench as tb
from tests.checking.made_up import Here, checked_here
from toolbench.checks import check
from toolbench.mutation.defect import NONE
from toolbench.probing.checked import NotProbed
from toolbench.probing.tables import Checking

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


def fields(required=(), /, **properties):
    return {"type": "object", "properties": properties, "required": list(required)}


def declared(function, schema=None, **said):
    schema = fields(["x"], x=WHOLE) if schema is None else schema
    inject = "world" if "world" in function.__code__.co_varnames else None
    said = {"name": function.__name__, "description": "Does what it does.", **said}
    return tb.Tool(tb.Definition(schema=schema, **said), function, inject=inject)


def told(checked, tool=None):
    """What counts of a tool's findings, or of all: {code: finding}."""
    return {f.code: f for f in checked.findings if f.counts and tool in (None, f.tool)}


def reasons(checked, tool=None):
    return [left.reason for left in checked.not_probed if tool in (None, left.tool)]


# Which tools are called.


def leaves_a_mark(x, path):
    Path(path).touch()
    return {"x": x}


@pytest.mark.parametrize(
    ("side_effect", "probe_all", "called"),
    [(None, False, False), (True, False, False), (False, False, True), (None, True, True), (True, True, True)],
)
def test_a_tool_that_may_have_effects_is_not_called(tmp_path, side_effect, probe_all, called):
    """Unless it is said to be read-only, or all are to be called; its mark on the disk tells."""
    mark = tmp_path / "mark"
    schema = fields(["x", "path"], x=WHOLE, path={"const": str(mark)})
    checked = check([declared(leaves_a_mark, schema, side_effect=side_effect)], probe_all=probe_all)
    assert mark.exists() == called
    assert (checked.probes > 0) == called
    assert ("may have effects" in reasons(checked)) == (not called)


def test_what_is_not_called_is_read(tmp_path):
    """What its signature and schema say is told all the same."""
    mark = tmp_path / "mark"
    schema = fields(["x"], x={"type": "array"}, path={"type": "string", "default": str(mark)})
    checked = check([declared(leaves_a_mark, schema)])
    assert set(told(checked)) == {"items-missing", "optional-but-needed"}
    assert not mark.exists()


def test_in_a_world_that_can_be_put_back_all_are_called(tmp_path):
    """With effects or without; a world that cannot be copied is none of those."""
    mark = tmp_path / "mark"
    schema = fields(["x", "path"], x=WHOLE, path={"const": str(mark)})
    tool = declared(leaves_a_mark, schema, side_effect=True)
    lost = tb.Scenario(name="lost", tools=[tool], world=lambda: tb.World(state={"lock": threading.Lock()}))
    assert reasons(check(lost)) == ["may have effects"]
    assert not mark.exists()
    kept = tb.Scenario(name="kept", tools=[tool], world=lambda: tb.World(state={}))
    assert reasons(check(kept)) == []
    assert mark.exists()


# Tools that do harm, or do not repeat themselves.


def hangs(x):
    if x > 1:
        time.sleep(60)
    return {"x": x}


def kills(x):
    if x < 0:
        os._exit(3)
    return {"x": x}


def leaves(x):
    raise SystemExit(x)


COUNT = [0]


def counts(x, y=0):
    """Keeps a number in its module, so that equal calls differ."""
    COUNT[0] += 1
    return {"n": COUNT[0], "x": x, "y": y}


def unlike(x):
    return {"id": uuid.uuid4().hex, "x": x}


def well(x):
    return {"x": x + 1}


@pytest.fixture(scope="module")
def harmful():
    tools = [declared(function) for function in (hangs, kills, leaves, unlike, well)]
    tools.append(declared(counts, fields(["x"], x=WHOLE, y=WHOLE)))
    return check(tools, probe_all=True, deadline=0.5)


@pytest.mark.slow
@pytest.mark.parametrize(("tool", "end"), [("hangs", "does not come back"), ("kills", "ends its process")])
def test_a_tool_that_does_not_come_back_is_a_finding(harmful, tool, end):
    """With a call that shows it; the check goes on."""
    finding = told(harmful, tool)["valid-call-crashes"]
    assert end in finding.seen
    assert finding.input["x"] > 1 if tool == "hangs" else finding.input["x"] < 0


@pytest.mark.slow
def test_a_tool_that_ends_its_process_crashes(harmful):
    """An exit by an exception is a crash as any other; where every call ends so, it counts."""
    assert "each call that the declaration admits" in told(harmful, "leaves")["valid-call-crashes"].seen


@pytest.mark.slow
def test_a_tool_that_does_not_repeat_itself_is_not_probed(harmful):
    """Nothing that differs between its calls says anything of its fields."""
    assert reasons(harmful, "unlike") == ["it does not repeat itself: equal calls gave different answers"]
    assert told(harmful, "unlike") == {}


@pytest.mark.slow
def test_a_tool_that_keeps_a_memory_is_called_in_processes_of_its_own(harmful):
    """Then it repeats itself, and both of its fields are seen to matter."""
    assert reasons(harmful, "counts") == []
    assert told(harmful, "counts") == {}


@pytest.mark.slow
def test_the_others_do_not_suffer(harmful):
    """A tool beside them is probed as if it were alone."""
    assert reasons(harmful, "well") == []
    alone = check([declared(well)], probe_all=True)
    assert [f for f in harmful.findings if f.tool == "well"] == list(alone.findings)


def draws(x):
    return {"n": random.random(), "x": x}


def test_a_tool_that_draws_lots_is_not_probed():
    """It does not repeat itself, however it draws them."""
    assert reasons(check([declared(draws)], probe_all=True)) != []


# What is seen of a world.


def shelves(world, x=0):
    world.state["shelf"].append(x)
    return {"x": x}


def sets(world, x=0):
    world.state["last"] = x
    return {"x": x}


def looks(world, x=0):
    return {"x": x, "last": world.state["last"]}


def in_world(*tools):
    return tb.Scenario(name="shelf", tools=tools, world=lambda: tb.World(state={"shelf": [], "last": 0}))


ONE = {"type": "object", "properties": {"x": WHOLE}}


@pytest.mark.parametrize(
    ("function", "said", "expected"),
    [
        (shelves, {"side_effect": False}, {"not-read-only"}),
        (looks, {"side_effect": False}, set()),
        (shelves, {"side_effect": True, "idempotent": True}, {"not-idempotent"}),
        (sets, {"side_effect": True, "idempotent": True}, set()),
        (shelves, {"side_effect": True, "idempotent": False}, set()),
        (shelves, {}, set()),
        (looks, {"side_effect": True}, {"effect-not-seen"}),
        (sets, {"side_effect": True}, set()),
    ],
)
def test_annotations_are_held_against_the_world(function, said, expected):
    """What is said to be read-only changes nothing, what is said to be idempotent nothing more the second time."""
    about = {"not-read-only", "not-idempotent", "effect-not-seen"}
    checked = checked_here(in_world(declared(function, ONE, **said)), probe_all=False)
    assert {f.code for f in checked.findings} & about == expected


@pytest.mark.parametrize(
    ("schema", "broken"),
    [
        ({"type": "object", "properties": {"x": TEXT}}, True),
        ({"type": "object", "required": ["y"]}, True),
        ({"type": "object", "properties": {"x": WHOLE}, "required": ["x"]}, False),
        ({"type": "array"}, True),
    ],
)
def test_answers_are_held_against_the_declared_output(schema, broken):
    """With the smallest call whose answer breaks it."""
    checked = checked_here(in_world(declared(sets, fields(["x"], x=WHOLE), output_schema=schema)))
    finding = told(checked).get("output-invalid")
    assert (finding is not None) == broken
    assert not broken or (finding.pointer, finding.input) == ("/outputSchema", {"x": 0})


def test_an_answer_that_is_no_object_may_be_declared_as_its_result():
    """As servers wrap it that can answer with objects only."""
    output = {"type": "object", "properties": {"result": WHOLE}, "required": ["result"]}

    def plain_number(x):
        return x

    assert told(checked_here(in_world(declared(plain_number, output_schema=output)))) == {}
    assert set(told(checked_here(in_world(declared(well, output_schema=output))))) == {"output-invalid"}


def opens(world, name, limit):
    world.state["shelf"].append([name, limit])
    return {"opened": name}


def raises_limit(world, name, limit):
    for entry in world.state["shelf"]:
        if entry[0] == name:
            return {"name": name, "limit": entry[1]}
    raise tb.ToolError("no such account")


def tells(world, name):
    for entry in world.state["shelf"]:
        if entry[0] == name:
            return {"limit": entry[1]}
    raise tb.ToolError("no such account")


def test_what_needs_something_to_be_there_is_called_behind_what_makes_it():
    """First an account is opened, then its limit is raised (which it is not), then it is read."""
    both = fields(["name", "limit"], name=TEXT, limit={**WHOLE, "enum": [1, 2, 3]})
    scenario = in_world(
        declared(opens, both, side_effect=True),
        declared(raises_limit, both, side_effect=True),
        declared(tells, fields(["name"], name=TEXT), side_effect=False),
    )
    checked = checked_here(scenario, probe_all=False)
    assert set(told(checked, "opens")) == set()
    assert set(told(checked, "raises_limit")) == {"ignored-field"}
    assert "effect-not-seen" in {f.code for f in checked.findings if f.tool == "raises_limit"}
    assert set(told(checked, "tells")) == set()
    assert reasons(checked) == []


def test_a_schema_that_cannot_be_used_is_not_probed():
    """The finding is there, and the reason."""
    checked = checked_here(in_world(declared(well, fields(["x"], x={"$ref": "#/$defs/none"}))))
    assert set(told(checked)) == {"dangling-ref"}
    assert [reason.split(":")[0] for reason in reasons(checked)] == ["its schema cannot be used"]


def test_a_tool_of_which_no_call_can_be_made_is_not_probed():
    """Nothing satisfies what its declaration asks for."""
    schema = fields(["x"], x={"allOf": [TEXT, WHOLE]})
    checked = checked_here(in_world(declared(well, schema)))
    assert "no call could be made that its declaration admits" in reasons(checked)


@pytest.mark.parametrize(
    ("field", "keyword"),
    [
        ({**WHOLE, "not": {"const": 3}}, "not"),
        ({"type": "array", "items": WHOLE, "contains": {"const": 1}}, "contains"),
        ({"type": "object", "patternProperties": {"^a": WHOLE}}, "patternProperties"),
        ({**TEXT, "format": "colour"}, "format colour"),
    ],
)
def test_keywords_that_nothing_is_drawn_by_are_named(field, keyword):
    """With their place; the tool is probed with what else is known."""
    checked = checked_here(in_world(declared(takes, fields(["x"], x=field))))
    assert reasons(checked)[0] == f"values of /properties/x are not drawn by {keyword}"
    assert checked.probes > 0


def takes(x):
    return {"x": x}


# Several tables.


def test_the_tables_are_checked_in_one_go():
    """Each has its own result; a tool that is declared alike gets the probes of the clean one."""
    scenario = in_world(declared(well, side_effect=False))
    clean = scenario.table["well"]
    here = Here(
        scenario, [tb.Defect(id="D1", operator="replace_constant", tool="well", arguments={"old": 1, "new": 2})]
    )
    planted = here.tables.plant("D1")
    results = Checking(scenario, {NONE: [clean], "D1": [planted.table["well"]]}, here).results()
    assert list(results) == [NONE, "D1"]
    assert told(results[NONE]) == {}
    assert results["D1"].probes == results[NONE].probes
    work = [work.table for work in here.works if work.layer == "definition"]
    assert set(work) == {NONE, "D1"}


@pytest.mark.slow
def test_results_count_what_did_not_come_back(harmful):
    """The check keeps how many probes it made, and why tools were not probed."""
    assert harmful.probes > 50
    assert all(isinstance(left, NotProbed) for left in harmful.not_probed)


def refuses(x):
    raise ValueError("closed today")


def test_a_tool_that_answers_no_call_says_nothing_of_its_fields():
    """What was not seen to work at all is told as not probed, and none of its fields as unused."""
    said = check([declared(refuses, fields(["x"], x=WHOLE))], probe_all=True)
    assert reasons(said, "refuses") == [
        "no call that its declaration admits was answered, so nothing is said of unused fields"
    ]
    assert "unused-field" not in {finding.code for finding in said.findings}


@pytest.mark.slow
def test_what_is_not_made_of_a_tool_that_does_not_come_back_is_counted(harmful):
    """The number of calls that were left out stands beside the reason; of the tools beside it, nothing was left out."""
    (reason,) = [reason for reason in reasons(harmful, "hangs") if "not made" in reason]
    number, rest = reason.split(" ", 1)
    assert int(number) > 0 and rest == "calls not made, since 3 did not come back"
    assert not any("not made" in reason for reason in reasons(harmful, "well"))
