"""Fields that change nothing: when that is a warning, when a note, and when it holds under one choice only."""

import pytest

import toolbench as tb
from toolbench.checking.nodes import Declaration
from toolbench.checking.observed import Behaviour
from toolbench.checking.source import Parameter, Source
from toolbench.checking.tried import WITH, WITHOUT, Probe, Seen, Tried
from toolbench.checking.use import DECISIVE, use
from toolbench.outcome import OK
from toolbench.values import canonical

WHOLE = {"type": "integer"}
CHOICE = {"enum": ["far", "near"]}


def answered(function, arguments, **probe):
    """A probe, and what a function answers to it."""
    value = function(**arguments)
    seen = Seen(OK, canonical(value), len(canonical(value)), canonical(value), "", (), {}, None, "")
    return Tried(Probe("t", arguments, **probe), seen)


def observed(function, bases, changes, source=None, **properties):
    """What calls showed of a function: of its bases, and of changes, each (base, field, value)."""
    chosen = [answered(function, base) for base in bases]
    variations = [
        answered(function, {**bases[base], name: value}, kind=WITH, field=name, base=base)
        for base, name, value in changes
    ]
    declaration = Declaration(tb.Definition("t", {"type": "object", "properties": properties}, "Does."))
    return Behaviour(declaration, source or Source(), chosen, chosen, variations, True)


def said(seen):
    return [(finding.code, finding.severity, finding.pointer) for finding in use(seen)]


def of_x(x=0, y=0):
    return {"x": x}


@pytest.mark.parametrize(("changes", "severity"), [(1, "note"), (DECISIVE - 1, "note"), (DECISIVE, "warning")])
def test_many_changes_in_vain_are_decisive(changes, severity):
    """Fewer are worth a look only; the number of calls and the smallest of them are named."""
    vain = [(0, "y", number) for number in range(10, 10 + changes)]
    seen = observed(of_x, [{"x": 1, "y": 1}], [(0, "x", 2), *vain], x=WHOLE, y=WHOLE)
    (finding,) = use(seen)
    assert (finding.code, finding.severity, finding.pointer) == ("unused-field", severity, "/properties/y")
    assert (
        finding.seen
        == f'y was changed in {changes} calls, and nothing else changed: the smallest is answered with {{"x":1}}'
    )
    assert finding.input == {"x": 1, "y": 10}


def test_nothing_is_decisive_where_no_other_field_matters_either():
    """The field had no chance: the call may have failed to reach anything."""
    vain = [(0, name, number) for name in "xy" for number in range(10, 10 + DECISIVE)]
    seen = observed(lambda x, y: {}, [{"x": 1, "y": 1}], vain, x=WHOLE, y=WHOLE)
    assert said(seen) == [("unused-field", "note", "/properties/x"), ("unused-field", "note", "/properties/y")]


def test_a_field_alone_needs_no_other_that_matters():
    """There is none to wait for."""
    seen = observed(lambda x: {}, [{"x": 1}], [(0, "x", number) for number in range(10, 10 + DECISIVE)], x=WHOLE)
    assert said(seen) == [("unused-field", "warning", "/properties/x")]


def test_a_field_that_was_not_changed_is_not_judged():
    """Nor is one that changed something."""
    assert said(observed(of_x, [{"x": 1, "y": 1}], [], x=WHOLE, y=WHOLE)) == []
    assert said(observed(of_x, [{"x": 1, "y": 1}], [(0, "x", 2)], x=WHOLE, y=WHOLE)) == []


def test_what_the_source_ignores_is_told_elsewhere():
    """It was read off already."""
    parameters = {"x": Parameter("x", True), "y": Parameter("y", False, 0)}
    source = Source(parameters, readable=True, read=frozenset("xy"), reached=frozenset("x"))
    changes = [(0, "x", 2), (0, "y", 2)]
    assert said(observed(of_x, [{"x": 1, "y": 1}], changes, source, x=WHOLE, y=WHOLE)) == []
    assert said(observed(of_x, [{"x": 1, "y": 1}], changes, x=WHOLE, y=WHOLE)) == [
        ("unused-field", "note", "/properties/y")
    ]


def test_leaving_out_what_the_function_needs_says_nothing_of_use():
    """Such a call fails for another reason."""
    declaration = Declaration(tb.Definition("t", {"type": "object", "properties": {"x": WHOLE}}, "Does."))
    base, left_out = answered(of_x, {"x": 0}), answered(of_x, {}, kind=WITHOUT, field="x", base=0)
    for needed, findings in ((True, []), (False, [("unused-field", "note", "/properties/x")])):
        source = Source({"x": Parameter("x", needed)})
        assert said(Behaviour(declaration, source, [base], [base], [left_out], True)) == findings


def of_choice(way="far", y=0, z=0):
    return {"way": way, "y": y if way == "far" else 0, "z": z}


TWICE = [(base, "y", value) for base in (0, 1) for value in (2, 3)]
UNDER_NEAR = ("unused-in-member", "warning", "/properties/y")


@pytest.mark.parametrize(
    ("bases", "changes", "findings"),
    [
        ([{"way": "far", "y": 1}, {"way": "near", "y": 1}], TWICE, [UNDER_NEAR]),
        ([{"way": "far", "y": 1}, {"way": "near", "y": 1}], [(0, "y", 2), (1, "y", 2)], []),
        ([{"way": "far", "y": 1}, {"way": "near", "y": 1}], [(0, "y", 2), (0, "y", 3), (1, "y", 4), (1, "y", 5)], []),
        ([{"way": "far", "y": 1}, {"way": "near", "y": 1, "z": 1}], TWICE, []),
        ([{"way": "far", "y": 1}, {"way": "near", "y": 5}], TWICE, []),
        ([{"way": "far", "y": 1}, {"y": 1}], TWICE, []),
        ([{"way": "far", "y": 1}, {"way": "near", "y": 1}], [(0, "y", 2), (0, "y", 3)], []),
    ],
)
def test_a_field_is_unused_under_a_choice_where_the_same_change_of_the_same_base_matters_under_another(
    bases, changes, findings
):
    """One value alone, other values, another base, or a base without the choice say nothing."""
    assert said(observed(of_choice, bases, changes, way=CHOICE, y=WHOLE, z=WHOLE)) == findings


def test_the_two_choices_are_named():
    """With the smallest call that was in vain."""
    bases = [{"way": "far", "y": 1}, {"way": "near", "y": 1}]
    changes = [(0, "y", 2), (1, "y", 2), (0, "y", 30), (1, "y", 30)]
    (finding,) = use(observed(of_choice, bases, changes, way=CHOICE, y=WHOLE))
    assert finding.seen == 'y changes nothing where way is "near", and does where it is "far"'
    assert finding.input == {"way": "near", "y": 2}


@pytest.mark.parametrize("description", ["Only for FAR ways.", "Not read when near."])
def test_a_description_that_names_a_choice_has_said_so(description):
    """In letters of any size."""
    bases = [{"way": "far", "y": 1}, {"way": "near", "y": 1}]
    y = {**WHOLE, "description": description}
    assert said(observed(of_choice, bases, TWICE, way=CHOICE, y=y)) == []


def test_one_choice_is_none():
    """There is no other under which the field could matter."""
    bases = [{"way": "far", "y": 1}, {"way": "near", "y": 1}]
    assert said(observed(of_choice, bases, TWICE, way={"enum": ["near"]}, y=WHOLE)) == []


@pytest.mark.parametrize(("far", "near", "findings"), [(1, 0, []), (0, 1, [UNDER_NEAR]), (1, 1, [UNDER_NEAR])])
def test_that_a_field_matters_behind_more_calls_says_nothing_of_fewer(far, near, findings):
    """There may have been nothing yet that it could act on."""
    before = (("opens", {}),)
    chosen = [
        answered(of_choice, {"way": "far", "y": 1}, before=before * far),
        answered(of_choice, {"way": "near", "y": 1}, before=before * near),
    ]
    changed = [
        answered(of_choice, {**one.probe.arguments, "y": y}, kind=WITH, field="y", base=number, before=one.probe.before)
        for number, one in enumerate(chosen)
        for y in (2, 3)
    ]
    schema = {"type": "object", "properties": {"way": CHOICE, "y": WHOLE}}
    seen = Behaviour(Declaration(tb.Definition("t", schema, "Does.")), Source(), chosen, chosen, changed, True)
    assert said(seen) == findings
    assert all(("(after opens {})" in finding.seen) == bool(near) for finding in use(seen))


@pytest.mark.parametrize(
    ("way", "y"), [({"type": "boolean"}, WHOLE), (CHOICE, {"enum": [1, 2, 3]}), (CHOICE, {"type": "boolean"})]
)
def test_a_flag_is_no_choice_of_ways_and_a_choice_beside_another_says_little(way, y):
    """That one of their combinations makes no difference is common."""
    first, second = (True, False) if "type" in way else ("far", "near")

    def under_the_first(way, y):
        return {"way": way, "y": y if way == first else 0}

    bases = [{"way": first, "y": 1}, {"way": second, "y": 1}]
    assert said(observed(under_the_first, bases, TWICE, way=way, y=y)) == []


def test_a_source_that_reads_a_field_makes_its_finding_a_note():
    """Somewhere it matters, and no probe came there."""
    vain = [(0, "y", number) for number in range(10, 10 + DECISIVE)]
    parameters = {"x": Parameter("x", True), "y": Parameter("y", False, 0)}
    source = Source(parameters, readable=True, read=frozenset("xy"), reached=frozenset("xy"))
    seen = observed(of_x, [{"x": 1, "y": 1}], [(0, "x", 2), *vain], source, x=WHOLE, y=WHOLE)
    assert said(seen) == [("unused-field", "note", "/properties/y")]
