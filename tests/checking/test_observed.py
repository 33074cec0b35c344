"""What was tried of a tool, as its judges read it."""

import pytest

import toolbench as tb
from toolbench.checking.nodes import Declaration
from toolbench.checking.observed import Behaviour, behind, how, smallest
from toolbench.checking.source import Parameter, Source
from toolbench.checking.tried import BASE, OUTSIDE, WITH, WITHOUT, WRONG, Probe, Seen, Tried
from toolbench.outcome import CRASH, DIED, ERROR, OK, SKIPPED, TIMEOUT

WHOLE = {"type": "integer"}


def tried(arguments, outcome=OK, answer="{}", **probe):
    return Tried(Probe("t", arguments, **probe), Seen(outcome, answer, 2, answer, "no", (), {}, None, ""))


def observed(bases, variations, source=None):
    schema = {"type": "object", "properties": {"x": WHOLE, "y": WHOLE}, "required": ["x"]}
    return Behaviour(
        Declaration(tb.Definition("t", schema, "Does.")), source or Source(), bases, bases, variations, True
    )


def test_calls_are_admitted_where_the_declaration_says_so():
    """Bases, other values, and without what may be left out; what was skipped was no call."""
    base, skipped = tried({"x": 1}), tried({"x": 2}, SKIPPED)
    other = tried({"x": 3}, kind=WITH, field="x", base=0)
    without = [tried({}, kind=WITHOUT, field=name, base=0) for name in "xy"]
    not_admitted = [tried({"x": "a"}, kind=kind, field="x", base=0) for kind in (WRONG, OUTSIDE)]
    seen = observed([base, skipped], [other, *without, *not_admitted, tried({"x": 4}, SKIPPED, kind=WITH, field="x")])
    assert seen.admitted == [base, other, without[1]]
    assert seen.of(WRONG, OUTSIDE) == not_admitted and seen.of(BASE) == []
    assert seen.tool == "t"


def test_a_change_is_compared_with_its_own_base():
    """By all that an observer can tell; only admitted changes of this field are."""
    bases = [tried({"x": 1}, answer="1"), tried({"x": 2}, answer="2")]
    same = tried({"x": 1, "y": 1}, answer="1", kind=WITH, field="y", base=0)
    differs = tried({"x": 2, "y": 1}, answer="1", kind=WITH, field="y", base=1)
    failed = tried({"x": 2, "y": 2}, ERROR, answer="2", kind=WITH, field="y", base=1)
    others = [
        tried({"x": 5}, kind=WITH, field="x", base=0),
        tried({"x": 1, "y": "a"}, kind=WRONG, field="y", base=0),
        tried({"x": 1, "y": 7}, kind=WITH, field="y", base=-1),
        tried({"x": 1, "y": 8}, SKIPPED, kind=WITH, field="y", base=0),
    ]
    compared = observed(bases, [same, differs, failed, *others]).compared("y")
    assert compared == [(bases[0], same, False), (bases[1], differs, True), (bases[1], failed, True)]


@pytest.mark.parametrize(("needed", "count"), [(True, 0), (False, 1)])
def test_a_call_without_what_the_function_needs_is_not_compared(needed, count):
    """It fails for another reason."""
    without = tried({}, ERROR, kind=WITHOUT, field="x", base=0)
    seen = observed([tried({"x": 1})], [without], Source({"x": Parameter("x", needed)}))
    assert len(seen.compared("x")) == count


def test_the_smallest_call_has_the_fewest_calls_before_it():
    """Then the shortest arguments, then the first in order; of none there is none."""
    behind_one = tried({}, before=(("opens", {}),))
    assert smallest([behind_one, tried({"x": 10}), tried({"x": 2}), tried({"x": 1})]) == tried({"x": 1})
    assert smallest([behind_one]) == behind_one and smallest([]) is None


def test_what_was_called_before_is_told_in_words():
    """In the order of the calls; nothing where there was none."""
    assert behind(tried({})) == ""
    calls = (("opens", {"n": 1}), ("fills", {}))
    assert behind(tried({}, before=calls)) == ' (after opens {"n": 1}, fills {})'


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (OK, 'is answered with {"x":1}'),
        (ERROR, 'gives the error "no"'),
        (CRASH, 'gives the crash "no"'),
        (TIMEOUT, 'does not come back: "no"'),
        (DIED, 'ends its process: "no"'),
    ],
)
def test_how_a_call_ended_is_told_in_words(outcome, words):
    """With the answer, or what was said instead."""
    assert how(tried({}, outcome, '{"x":1}').seen) == words
