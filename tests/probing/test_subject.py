"""A tool on its way through the rounds: whether it is probed, with which values, and what is left out."""

import pytest

import toolbench as tb
from toolbench.checking.probes import MOST_FIELDS
from toolbench.checking.sampling import Known
from toolbench.probing.subject import subject_of

WHOLE = {"type": "integer"}


def does(**given):
    return given


def tool(schema=None, **said):
    return tb.Tool(tb.Definition("t", schema or {"type": "object", "properties": {"n": WHOLE}}, "Does.", **said), does)


def subject(schema=None, *, probe_all=True, world=tb.World, **said):
    own = tool(schema, **said)
    return subject_of(tb.Scenario(name="s", tools=[own], world=world), "none", own, probe_all=probe_all)


@pytest.mark.parametrize(
    ("side_effect", "probe_all", "world", "probed"),
    [
        (False, False, tb.World, True),
        (None, False, tb.World, False),
        (True, False, tb.World, False),
        (True, True, tb.World, True),
        (True, False, lambda: tb.World(state={"n": 1}), True),
    ],
)
def test_a_tool_is_probed_where_its_effects_can_be_borne(side_effect, probe_all, world, probed):
    """It says it has none, all are to be, or the world can be put back."""
    made = subject(probe_all=probe_all, world=world, side_effect=side_effect)
    assert made.probed == probed and made.reason == ("" if probed else "may have effects")


def test_a_schema_that_cannot_be_used_is_the_reason():
    """With what is wrong with it."""
    made = subject({"type": "object", "properties": {"n": {"type": "text"}}})
    assert not made.probed
    assert made.reason.startswith("its schema cannot be used: ") and "text" in made.reason


def test_tools_are_alike_where_they_are_declared_alike():
    """Whatever their functions are."""
    assert subject().like(subject()) and not subject().like(subject(side_effect=True))
    assert not subject().like(subject({"type": "object", "properties": {"n": {"type": "number"}}}))


def test_what_was_drawn_is_tried():
    """After what is known; what is no object is none of a tool's arguments."""
    made = subject()
    known = Known(values={"n": [77]})
    made.take({"values": [{"n": 41}, 3, None, {"n": 42}], "not_drawn": [], "why": ""}, known)
    assert made.drawn == [{"n": 41}, {"n": 42}] and made.partly == []
    assert made.values["n"][:5] == [77, 1, 0, 41, 42]
    assert made.offered("n") == made.values["n"] and made.offered("other") == []


def test_of_a_choice_all_members_are_offered():
    """Though other values were known."""
    made = subject({"type": "object", "properties": {"way": {"enum": ["far", "near", None]}}})
    made.take(None, Known())
    assert made.offered("way") == ["far", "near"]


def test_what_is_left_out_is_said():
    """Keywords that nothing is drawn by, why nothing is drawn, and fields beyond what is varied."""
    fields = {f"f{number}": WHOLE for number in range(MOST_FIELDS + 2)}
    made = subject({"type": "object", "properties": fields})
    made.take({"values": [], "not_drawn": [["", "not"], ["/properties/f1", "contains"]], "why": "it is empty"}, Known())
    assert made.partly == [
        "values of / are not drawn by not",
        "values of /properties/f1 are not drawn by contains",
        "no value is drawn: it is empty",
        f"2 of its {MOST_FIELDS + 2} fields are not varied",
    ]


def test_subjects_share_nothing():
    """Each has lists of its own, and is seen with what is in them."""
    one, other = subject(), subject()
    one.partly.append("x")
    assert other.partly == [] and other.bases == []
    seen = one.seen(restorable=True)
    assert (seen.bases, seen.chosen, seen.variations, seen.restorable) == (one.bases, one.chosen, one.variations, True)
    assert not one.seen().restorable
