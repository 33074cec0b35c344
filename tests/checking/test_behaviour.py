"""What calls showed, by all of the judges."""

import toolbench as tb
from tests.checking.made_up import checked_here
from toolbench.checking.behaviour import behaviour
from toolbench.checking.nodes import Declaration
from toolbench.checking.observed import Behaviour
from toolbench.checking.source import Source
from toolbench.checking.tried import OUTSIDE, WITH, Probe, Seen, Tried
from toolbench.outcome import CRASH, OK

WAY, WHOLE = {"enum": ["far", "near"]}, {"type": "integer"}


def tried(arguments, outcome=OK, marks=("a", "a"), **probe):
    return Tried(Probe("t", arguments, **probe), Seen(outcome, "{}", 2, "{}", "no", ("KeyError",), {}, marks, ""))


def test_every_judge_is_heard():
    """On what is refused or taken, what changes nothing, and what a call does to the world; each with its input."""
    schema = {"type": "object", "properties": {"way": WAY, "n": WHOLE}, "required": ["way"]}
    declaration = Declaration(tb.Definition("t", schema, "Does.", side_effect=False))
    base = tried({"way": "far", "n": 1}, marks=("a", "b"))
    changes = [
        tried({"way": "far", "n": 2}, kind=WITH, field="n", base=0, marks=("a", "b")),
        tried({"way": "near", "n": 1}, CRASH, kind=WITH, field="way", base=0),
        tried({"way": "none of these", "n": 1}, kind=OUTSIDE, field="way", base=0),
    ]
    told = list(behaviour(Behaviour(declaration, Source(), [base], [base], changes, True)))
    inputs = {finding.code: finding.input for finding in told}
    assert inputs["valid-call-crashes"] == {"way": "near", "n": 1}
    assert inputs["enum-not-enforced"] == {"way": "none of these", "n": 1}
    assert inputs["unused-field"] == {"way": "far", "n": 2}
    assert inputs["not-read-only"] == {"way": "far", "n": 1}
    assert {finding.tool for finding in told} == {"t"}


def test_where_nothing_was_tried_nothing_was_seen():
    """However much the declaration says."""
    schema = {"type": "object", "properties": {"way": WAY}}
    declaration = Declaration(tb.Definition("t", schema, "Does.", side_effect=False, idempotent=True))
    assert list(behaviour(Behaviour(declaration, Source(), [], [], [], True))) == []


def strict(way, n=1):
    if way not in ("far", "near"):
        raise ValueError("way is far or near")
    if isinstance(n, bool) or not isinstance(n, int):
        raise ValueError("n is a whole number")
    return {"way": way, "n": n}


def test_a_tool_that_does_as_it_says_gives_no_finding():
    """Whatever is tried of it."""
    schema = {"type": "object", "properties": {"way": {"type": "string", **WAY}, "n": WHOLE}, "required": ["way"]}
    tool = tb.Tool(tb.Definition("strict", schema, "Does.", side_effect=False), strict)
    checked = checked_here(tb.Scenario(name="s", tools=[tool]))
    assert checked.findings == () and checked.probes > 10
