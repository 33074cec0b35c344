"""Probes: which bases are varied, what is changed of them and how often, and what is called before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbench as tb
from toolbench.checking.nodes import Declaration
from toolbench.checking.probes import (
    LEAST_VALUES,
    MOST_BASES,
    MOST_BEFORE,
    MOST_FIELDS,
    MOST_SEQUENCES,
    MOST_VARIED,
    chosen_bases,
    differing,
    sequences,
    variations,
)
from toolbench.checking.source import Source
from toolbench.checking.tried import OUTSIDE, TESTED, WITH, WITHOUT, WRONG, Probe, Seen, Tried
from toolbench.outcome import ERROR, OK

WHOLE, TEXT = {"type": "integer"}, {"type": "string"}


def declared(required=(), /, **properties):
    schema = {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
    return Declaration(tb.Definition("t", schema, "Does."))


def tried(arguments, kind=OK, *, size=2, fields=None, marks=None, tool="t", before=()):
    seen = Seen(kind, "{}", size, "{}", "", (), fields or {}, marks, "")
    return Tried(Probe(tool, arguments, before=before), seen)


def arguments_of(chosen):
    return [one.probe.arguments for one in chosen]


# What was seen.


def test_what_was_seen_comes_from_a_row():
    """A call had an effect where the world before differs from the world after, and only where both are known."""
    row = {"kind": "ok", "answer": "a", "size": 1, "shown": "1", "why": "", "types": [], "fields": {}, "fault": ""}
    for marks, effect in ((None, False), (["a", "a"], False), (["a", "b"], True)):
        seen = Seen.of({**row, "marks": marks})
        assert (seen.ok, seen.effect, seen.marks) == (True, effect, marks and tuple(marks))


def test_an_observer_tells_answers_and_the_world_behind_them_apart():
    """The world before is none of what a call did, nor is how its answer is shown."""
    one = Seen("ok", "a", 1, "1", "", (), {}, ("x", "y"), "")
    assert one.key == Seen("ok", "a", 9, "one", "", (), {"n": 1}, ("w", "y"), "").key
    assert one.key != Seen("ok", "a", 1, "1", "", (), {}, ("x", "z"), "").key
    assert one.key != Seen("ok", "b", 1, "1", "", (), {}, ("x", "y"), "").key


def test_a_probe_is_handed_on_in_plain_values():
    """What is called before comes first."""
    probe = Probe("t", {"x": 1}, before=(("opens", {"n": 2}),))
    assert probe.unit(True) == {"calls": [["opens", {"n": 2}], ["t", {"x": 1}]], "apart": True, "stirred": False}
    assert probe.unit(False, stirred=True)["stirred"] is True


# Bases.


@pytest.mark.parametrize(
    ("one", "other", "differs"),
    [
        ({"a": 1, "b": 1}, {"a": 2, "b": 1}, False),
        ({"b": 1}, {"a": 2, "b": 1}, False),
        ({"a": 1, "b": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1}, {"a": 2, "b": 1}, True),
        ({"a": 1, "b": 1}, {"a": 1.0, "b": 1}, None),
        ({"a": 1}, {"a": True}, False),
    ],
)
def test_argument_sets_differ_outside_of_a_field_in_it_or_not_at_all(one, other, differs):
    """Values are compared as JSON's are."""
    assert differing(one, other, "a") is differs


def test_bases_of_each_choice_are_alike_but_for_the_choice():
    """Though smaller ones were answered too."""
    declaration = declared(way={"enum": ["far", "near"]}, n=WHOLE)
    answered = [{"way": "near"}, {"way": "far", "n": 7}, {"way": "near", "n": 7}]
    chosen = arguments_of(chosen_bases(declaration, [tried(one) for one in answered]))
    assert chosen[:2] == [{"way": "far", "n": 7}, {"way": "near", "n": 7}]


def test_a_choice_that_no_like_base_has_takes_the_smallest():
    """What cannot be compared is tried all the same."""
    declaration = declared(way={"enum": ["far", "near", "off"]}, n=WHOLE)
    answered = [{"way": "far", "n": 1}, {"way": "near", "n": 1}, {"way": "off", "n": 1234}, {"way": "off", "n": 56}]
    chosen = arguments_of(chosen_bases(declaration, [tried(one) for one in answered]))
    assert {"way": "off", "n": 56} in chosen and {"way": "off", "n": 1234} not in chosen


def test_the_fullest_and_the_one_with_most_to_see_are_bases_too():
    """After the smallest; each once."""
    declaration = declared(a=WHOLE, b=WHOLE)
    every = [tried({"a": 1}), tried({"a": 1, "b": 1}), tried({"a": 22}, size=90), tried({"b": 333})]
    assert arguments_of(chosen_bases(declaration, every)) == [{"a": 1}, {"a": 1, "b": 1}, {"a": 22}]


def test_what_was_not_answered_is_no_base():
    """Nor is there one where nothing was."""
    declaration = declared(a=WHOLE)
    assert arguments_of(chosen_bases(declaration, [tried({"a": 1}, ERROR), tried({"a": 22})])) == [{"a": 22}]
    assert chosen_bases(declaration, [tried({"a": 1}, ERROR)]) == []


def test_new_bases_are_chosen_like_those_that_are_known():
    """So that what differs is of the choice, and can be compared."""
    declaration = declared(way={"enum": ["far", "near"]}, n=WHOLE)
    known, new = [tried({"way": "far", "n": 12})], [tried({"way": "near", "n": 1}), tried({"way": "near", "n": 12})]
    assert arguments_of(chosen_bases(declaration, new, known))[0] == {"way": "near", "n": 12}
    assert arguments_of(chosen_bases(declaration, new))[0] == {"way": "near", "n": 1}


@given(st.lists(st.fixed_dictionaries({}, optional={"a": st.sampled_from("abcdefghij"), "b": st.integers(0, 3)})))
def test_bases_are_few_different_and_answered(given_sets):
    """Whatever was answered."""
    declaration = declared(a={"enum": list("abcdefghij")}, b=WHOLE)
    every = [tried(one, ERROR if one.get("b") == 3 else OK) for one in given_sets]
    chosen = chosen_bases(declaration, every)
    assert len(chosen) <= MOST_BASES and bool(chosen) == any(one.seen.ok for one in every)
    assert all(one.seen.ok and one in every for one in chosen)
    assert len({str(sorted(one.items())) for one in arguments_of(chosen)}) == len(chosen)


# Variations.


def varied(declaration, bases, values=None, source=None):
    return variations(declaration, source or Source(), values or {}, [tried(one) for one in bases])


def test_a_change_is_of_one_field():
    """Left out, with another value, or with one that is not admitted; everything else stays."""
    declaration = declared(["a"], a=WHOLE, way={"type": "string", "enum": ["far", "near"]})
    probes = varied(declaration, [{"a": 3, "way": "far"}], {"a": [3, 8]})
    assert all(differing(probe.arguments, {"a": 3, "way": "far"}, probe.field) is False for probe in probes)
    kinds = {(probe.kind, probe.field) for probe in probes}
    assert kinds == {(kind, name) for kind in (WITHOUT, WITH, WRONG) for name in ("a", "way")} | {(OUTSIDE, "way")}
    assert [probe.arguments for probe in probes if (probe.kind, probe.field) == (WITH, "way")] == [
        {"a": 3, "way": "near"}
    ]
    assert {"a": 8, "way": "far"} in [probe.arguments for probe in probes]


def test_what_the_declaration_does_not_admit_is_tried_of_the_first_base_only():
    """But for the types that the source tests for."""
    declaration = declared(a=WHOLE)
    probes = varied(declaration, [{"a": 3}, {"a": 50}], source=Source(tests=(("a", "string"), ("a", "integer"))))
    assert {probe.kind for probe in probes if probe.base == 0} == {WITHOUT, WITH, TESTED, WRONG}
    assert {probe.kind for probe in probes if probe.base == 1} == {WITHOUT, WITH, TESTED}
    assert [p.arguments["a"] for p in probes if p.kind == TESTED and p.base == 1] == ["50", "a"]


def test_texts_of_the_source_stand_in_for_a_type_that_it_tests_for():
    """A few of them."""
    source = Source(tests=(("a", "string"),), literals=(1, "red", "blue", "pink", "grey"))
    probes = varied(declared(a=WHOLE), [{"a": 3}], source=source)
    assert [probe.arguments["a"] for probe in probes if probe.kind == TESTED] == ["3", "a", "red", "blue"]


def test_every_choice_is_tried_of_the_first_base():
    """However many there are."""
    choices = [f"way {number}" for number in range(20)]
    declaration = declared(way={"enum": choices}, **{f"f{number}": WHOLE for number in range(30)})
    probes = varied(declaration, [{"way": "way 0"}, {"way": "way 1"}])
    tries = [[p.arguments["way"] for p in probes if (p.kind, p.field, p.base) == (WITH, "way", n)] for n in (0, 1)]
    assert tries == [choices[1:], [choices[0], *choices[2 : LEAST_VALUES + 1]]]


@pytest.mark.parametrize(("count", "bases"), [(1, 6), (20, 3), (40, 1), (MOST_VARIED, 1)])
def test_with_many_fields_few_bases_are_varied(count, bases):
    """One at least; and of a base not more than some fields."""
    declaration = declared(**{f"f{number}": WHOLE for number in range(count)})
    values = {f"f{number}": list(range(50)) for number in range(count)}
    probes = varied(declaration, [{"f0": number} for number in range(100, 106)], values)
    assert {probe.base for probe in probes} == set(range(bases))
    assert len({probe.field for probe in probes}) == min(count, MOST_FIELDS)
    admitted = [probe for probe in probes if probe.kind == WITH]
    assert len(admitted) <= max(MOST_VARIED, LEAST_VALUES * MOST_FIELDS)


def test_without_a_base_or_a_field_nothing_is_varied():
    """There is nothing to change."""
    assert varied(declared(a=WHOLE), []) == [] and varied(declared(), [{}]) == []


def test_a_variation_is_called_behind_what_its_base_was():
    """And names its base by its place."""
    base = tried({"a": 3}, before=(("opens", {}),))
    probes = variations(declared(a=WHOLE), Source(), {}, [tried({"a": 1}), base])
    assert {probe.base for probe in probes} == {0, 1}
    assert all(probe.before == ((("opens", {}),) if probe.base else ()) for probe in probes)


# Sequences.


def test_a_call_that_was_not_answered_takes_the_values_of_the_one_before():
    """Of what that was given, and else of what it gave; and is tried as it was, too."""
    declaration = declared(id=TEXT, n=WHOLE)
    opener = tried({"n": 5}, tool="opens", fields={"id": "k1", "n": 9}, marks=("a", "b"))
    probes = sequences(declaration, [tried({"id": "?", "n": 1}, ERROR)], [opener])
    assert [probe.arguments for probe in probes] == [{"id": "k1", "n": 5}, {"id": "?", "n": 1}]
    assert all(probe.before == (("opens", {"n": 5}),) for probe in probes)


def test_a_choice_is_not_taken_from_another_call():
    """Nor a value that the declaration refuses."""
    opener = tried({}, tool="opens", fields={"way": "near", "n": "five"})
    waiting = [tried({"way": "far", "n": 1}, ERROR)]
    probes = sequences(declared(way={"enum": ["far", "near"]}, n=WHOLE), waiting, [opener])
    assert [probe.arguments for probe in probes] == [{"way": "far", "n": 1}]


def test_what_was_answered_needs_nothing_before():
    """Nor is anything made where nothing could come before."""
    opener = tried({}, tool="opens")
    assert sequences(declared(n=WHOLE), [tried({"n": 1})], [opener]) == []
    assert sequences(declared(n=WHOLE), [tried({"n": 1}, ERROR)], []) == []


def test_the_calls_that_have_most_in_common_come_first():
    """And no more than a few of them; what opened them comes before."""
    openers = [tried({"n": number}, tool="opens") for number in range(8)]
    openers.append(tried({"n": 99}, tool="opens", before=(("starts", {}),)))
    probes = sequences(declared(n=WHOLE), [tried({"n": 99}, ERROR)], openers)
    assert probes[0].before == (("starts", {}), ("opens", {"n": 99}))
    assert len({str(probe.before) for probe in probes}) == MOST_BEFORE


def test_sequences_come_to_an_end():
    """However much was not answered."""
    waiting = [tried({"n": number}, ERROR) for number in range(100, 140)]
    openers = [tried({"n": number}, tool="opens") for number in range(8)]
    probes = sequences(declared(n=WHOLE), waiting, openers)
    assert len(probes) == MOST_SEQUENCES
    assert len({str(probe) for probe in probes}) == MOST_SEQUENCES
