"""The rounds of probes: what is planned of what was seen before, and what a damaged tool is probed with."""

import pytest

import toolbench as tb
from toolbench.checking.sampling import Known
from toolbench.checking.tried import AGAIN, BESIDE, WITH, Seen
from toolbench.outcome import ERROR, OK, SKIPPED
from toolbench.probing.rounds import MOST_BESIDE, MOST_CONFIRMED, first_round, repeat, vary
from toolbench.probing.subject import subject_of
from toolbench.values import canonical

WHOLE, TEXT = {"type": "integer"}, {"type": "string"}


class Made:
    """Makes probes by calling the tool's function with the calls made before; keeps what it was asked for."""

    def __init__(self, skipped=(), moods=None):
        self.skipped, self.moods, self.rounds = set(skipped), moods or {}, []

    def of(self, *rounds):
        self.rounds += [[probe for _, probe in one] for one in rounds]
        return [[self._one(subject, probe, number) for subject, probe in one] for number, one in enumerate(rounds)]

    def _one(self, subject, probe, number):
        if subject.table in self.skipped:
            return Seen(SKIPPED, "", 0, "", "", (), {}, None, "")
        outcome = subject.tool.call(probe.arguments, [name for name, _ in probe.before])
        mood = self.moods.get(subject.tool.name, lambda *_: "")(number, subject.apart)
        answer = canonical([outcome.value, mood])
        fields = outcome.value if outcome.kind == OK else {}
        return Seen(outcome.kind, answer, len(answer), answer, outcome.message, outcome.types, fields, None, "")


def subject(function, table="none", /, required=(), name=None, **properties):
    said = {key: properties.pop(key) for key in ("side_effect", "idempotent") if key in properties}
    schema = {"type": "object", "properties": properties, "required": list(required)}
    definition = tb.Definition(name or function.__name__, schema, "Does.", **said)
    own = tb.Tool(definition, function, inject="before" if "before" in function.__code__.co_varnames else None)
    made = subject_of(tb.Scenario(name="s", tools=[own]), table, own, probe_all=True)
    made.take(None, Known())
    return made


def doubles(n=0):
    return {"n": 2 * n}


# The first round.


def test_bases_are_made_twice_and_the_second_time_backwards():
    """What was answered the first time is kept."""
    one, made = subject(doubles, n=WHOLE), Made()
    first_round([one], Known(), made)
    forwards, backwards = made.rounds[:2]
    assert backwards == forwards[::-1] and len(forwards) > 1
    assert [base.probe for base in one.bases] == forwards and one.probed and not one.apart


def test_a_tool_that_differs_the_second_time_is_made_apart():
    """One that differs in processes of its own too does not repeat itself; the others are left as they are."""
    moods = {"keeps": lambda number, apart: "" if apart else number, "moody": lambda number, apart: number}
    keeps, moody, calm = (subject(doubles, name=name, n=WHOLE) for name in ("keeps", "moody", "calm"))
    first_round([keeps, moody, calm], Known(), Made(moods=moods))
    assert [one.apart for one in (keeps, moody, calm)] == [True, True, False]
    assert [one.probed for one in (keeps, moody, calm)] == [True, False, True]
    assert moody.reason == "it does not repeat itself: equal calls gave different answers"


def test_a_spared_tool_is_made_once_and_apart_where_the_clean_one_is():
    """Its function is the same."""
    moods = {"keeps": lambda number, apart: "" if apart else number}
    clean, spared = (subject(doubles, table, name="keeps", n=WHOLE) for table in ("none", "damaged"))
    spared.spared, made = True, Made(moods=moods)
    first_round([clean, spared], Known(), made)
    assert clean.apart and spared.apart and spared.probed
    assert [len(one) for one in made.rounds[:2]] == [len(clean.bases) + len(spared.bases), len(clean.bases)]


def test_a_tool_of_which_nothing_was_made_is_not_probed():
    """What was skipped is no call."""
    one = subject(doubles, n=WHOLE)
    first_round([one], Known(), Made(skipped={"none"}))
    assert one.bases == [] and one.reason == "no call could be made that its declaration admits"


# The rounds after it.


def probed(*subjects, **said):
    made = Made(**said)
    first_round(subjects, Known(), made)
    vary(subjects, made)
    return made


def test_what_is_said_to_be_idempotent_is_called_again():
    """Behind itself; nothing else is."""
    one, other = subject(doubles, idempotent=True, n=WHOLE), subject(doubles, n=WHOLE)
    probed(one)
    probed(other)
    again = [tried.probe for tried in one.variations if tried.probe.kind == AGAIN]
    assert [probe.base for probe in again] == list(range(len(again))) and again
    assert all(probe.before == ((probe.tool, probe.arguments),) for probe in again)
    assert not any(tried.probe.kind == AGAIN for tried in other.variations)


def opens(n=0):
    return {"n": n}


def reads(before, n=0):
    if "opens" not in before:
        raise tb.ToolError("nothing is open")
    return {"n": n}


@pytest.mark.parametrize("side_effect", [True, False])
def test_what_needs_another_call_is_tried_behind_it(side_effect):
    """Behind one that may have left something, and then it is varied there."""
    opener, reader = subject(opens, side_effect=side_effect, n=WHOLE), subject(reads, n=WHOLE)
    probed(opener, reader)
    answered = [base for base in reader.bases if base.seen.ok]
    assert bool(answered) == side_effect and bool(reader.chosen) == side_effect
    for tried in [*answered, *reader.chosen]:
        assert tried.probe.before[0][0] == "opens"
    varied = [tried for tried in reader.variations if tried.probe.base >= 0]
    assert bool(varied) == side_effect
    assert all(tried.probe.before == reader.chosen[tried.probe.base].probe.before for tried in varied)


def refuses(n=0):
    raise tb.ToolError("no")


def test_a_tool_that_answers_nothing_is_varied_without_a_base():
    """There is nothing to compare with."""
    one = subject(refuses, n=WHOLE)
    probed(one)
    assert one.chosen == [] and one.variations
    assert {tried.probe.base for tried in one.variations} == {-1}
    assert {tried.seen.kind for tried in one.variations} == {ERROR}


def counts(text="", capitals=False):
    return {"n": sum(letter.isupper() or not capitals for letter in text)}


def unused(a=0, b=0):
    return {"a": a + 0 * b}


def test_a_field_without_a_difference_is_changed_again_beside_other_values():
    """In pairs that differ in it alone; each pair's first is a base from then on."""
    one = subject(unused, a=WHOLE, b=WHOLE)
    probed(one)
    beside = [tried for tried in one.variations if tried.probe.kind == BESIDE]
    assert 0 < len(beside) <= MOST_CONFIRMED <= 5 * MOST_BESIDE
    assert {tried.probe.field for tried in beside} == {"b"}
    for tried in beside:
        place = one.chosen.index(tried)
        (pair,) = [other for other in one.variations if other.probe.kind == WITH and other.probe.base == place]
        assert {**pair.probe.arguments, "b": 0} == {**tried.probe.arguments, "b": 0} and pair.probe != tried.probe
        assert tried.seen.key == pair.seen.key


def test_a_field_that_matters_beside_certain_values_only_is_found_to_matter():
    """Whether capitals count, only where there are some."""
    one = subject(counts, text=TEXT, capitals={"type": "boolean"})
    probed(one)
    assert any(differs for _, _, differs in one.seen().compared("capitals"))


# A tool that is declared as the clean one.


def halves(n=0):
    return {"n": n / 2}


def test_a_tool_that_is_declared_alike_gets_the_probes_of_the_clean_one():
    """Base for base, change for change; what was varied is its own answer at the same place."""
    model, damaged = subject(doubles, idempotent=True, n=WHOLE), subject(halves, "damaged", name="doubles", n=WHOLE)
    made = probed(model)
    damaged.model = model
    repeat([damaged], made)
    for mine, theirs in ((damaged.bases, model.bases), (damaged.variations, model.variations)):
        assert [one.probe for one in mine] == [one.probe for one in theirs]
    assert [one.probe for one in damaged.chosen] == [one.probe for one in model.chosen]
    every = [*damaged.bases, *damaged.variations]
    assert damaged.chosen and all(any(one is other for other in every) for one in damaged.chosen)
    at = next(number for number, one in enumerate(model.bases) if one.probe.arguments.get("n") == 2)
    assert (model.bases[at].seen.fields, damaged.bases[at].seen.fields) == ({"n": 4}, {"n": 1.0})


def test_several_damaged_tools_have_answers_of_their_own():
    """Though they have one model."""
    model = subject(doubles, n=WHOLE)
    made = probed(model)
    some = [subject(function, table, name="doubles", n=WHOLE) for table, function in (("x", halves), ("y", refuses))]
    for one in some:
        one.model = model
    repeat(some, made)
    assert [len(one.bases) for one in some] == [len(model.bases)] * 2
    assert {tried.seen.kind for tried in some[0].bases} == {OK} and {t.seen.kind for t in some[1].bases} == {ERROR}


def test_what_is_said_of_the_clean_tool_holds_for_the_damaged_one():
    """Why it is not probed, what is left out, and whether it needs processes of its own."""
    model, damaged = subject(doubles, n=WHOLE), subject(halves, "damaged", name="doubles", n=WHOLE)
    made = probed(model)
    model.reason, model.partly, model.apart, damaged.model = "it is moody", ["some fields"], True, model
    asked = len(made.rounds)
    repeat([damaged], made)
    assert (damaged.reason, damaged.partly, damaged.apart) == ("it is moody", ["some fields"], True)
    assert damaged.bases == damaged.variations == damaged.chosen == [] and made.rounds[asked:] == [[]]
