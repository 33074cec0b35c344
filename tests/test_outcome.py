"""What one call did: ok, a reported error, or a crash."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbench as tb
from toolbench.errors import ToolError
from toolbench.outcome import CRASH, ERROR, OK, Outcome, described, raised, returned


class Silent(Exception):
    """Its text cannot be read."""

    def __str__(self):
        raise RuntimeError("no text")


class Hostile(dict):
    """A mapping that raises while it is read."""

    def items(self):
        raise RuntimeError("do not look")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": 1}, {"a": 1}),
        ({}, {}),
        ({"a": (1, {"b": None})}, {"a": [1, {"b": None}]}),
        (50, 50),
        (None, None),
        ([1, (2,)], [1, [2]]),
        ("error", "error"),
        ({"Error": "no key of that name"}, {"Error": "no key of that name"}),
        ({"a": {"error": "deeper inside"}}, {"a": {"error": "deeper inside"}}),
        ({"n": numpy.int64(3)}, {"n": 3}),
    ],
    ids=repr,
)
def test_what_is_returned_is_the_value(value, expected):
    """Any value that has a JSON form is ok, whatever its shape."""
    assert returned(value) == Outcome(OK, expected)


@given(
    st.dictionaries(
        st.text(max_size=3), st.none() | st.integers() | st.text(max_size=3) | st.lists(st.integers(), max_size=2)
    )
)
def test_the_value_is_a_copy(value):
    """An outcome keeps its value when the tool changes what it returned."""
    value.pop("error", None)
    outcome, kept = returned(value), dict(value)
    value["later"] = 1
    for field in value.values():
        if isinstance(field, list):
            field.append(1)
    assert list(outcome.value) == list(kept)
    assert "later" not in outcome.value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"error": "no such copy", "code": 404}, "no such copy"),
        ({"error": ""}, ""),
        ({"error": {"code": 5}}, "{'code': 5}"),
        ({"error": 10**5000}, "its text cannot be read"),
    ],
    ids=["text", "empty", "mapping", "huge"],
)
def test_a_mapping_with_an_error_is_a_reported_error(value, message):
    """The key error makes a reported error, whose message is its text, and which keeps what was returned."""
    assert returned(value) == Outcome(ERROR, value, message)


def test_a_returned_value_that_no_agent_could_be_given_is_a_crash():
    """A set, a value inside itself, one nested without end, and one that raises when read are crashes."""
    inside = {}
    inside["me"] = inside
    deep = []
    for _ in range(500):
        deep = [deep]
    messages = [returned(value) for value in ({"a": {1}}, inside, deep, Hostile(a=1), {1: 2}, object())]
    assert [(outcome.kind, outcome.value, outcome.types) for outcome in messages] == [(CRASH, None, ())] * 6
    assert [outcome.message for outcome in messages] == [
        "returned what no agent could be given: a set has no JSON form",
        "returned what no agent could be given: it refers to itself",
        "returned what no agent could be given: it is nested deeper than 200 levels",
        "returned what cannot be read: RuntimeError: do not look",
        "returned what no agent could be given: a key of it is a int, not a text",
        "returned what no agent could be given: a object has no JSON form",
    ]


def test_what_is_raised_keeps_its_types():
    """An exception's outcome has its message and the names of its classes, the nearest first."""

    class Refused(ToolError):
        pass

    assert raised(Refused("not today"), ERROR) == Outcome(
        ERROR, None, "not today", ("Refused", "ToolError", "Exception", "BaseException")
    )
    assert raised(KeyError("x"), CRASH) == Outcome(
        CRASH, None, "KeyError: 'x'", ("KeyError", "LookupError", "Exception", "BaseException")
    )


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (ValueError("bad"), "ValueError: bad"),
        (ValueError(), "ValueError"),
        (SystemExit(3), "SystemExit: 3"),
        (Silent(), "Silent: its text cannot be read"),
    ],
    ids=repr,
)
def test_an_exception_in_words(problem, text):
    """An exception is described by type and text, and one whose text raises does no harm."""
    assert described(problem) == text


def test_the_fields_of_an_outcome():
    """An agent gets the fields of a mapping, and any other value as the field value."""
    assert Outcome(OK, {"a": 1}).fields == {"a": 1}
    assert Outcome(OK, [1]).fields == {"value": [1]}
    assert Outcome(OK).fields == {"value": None}


def test_odd_outputs_in_a_measurement(write_scenario):
    """A tool that answers with a bare number, something huge, itself, or a set gets its verdict; the others go on."""
    functions = """
        def bare(length=None):
            return 2 * length

        def huge(length=None):
            return {"doubled": [0] * 200_000, "n": 10**5000}

        def itself(length=None):
            answer = {"doubled": 2 * length}
            answer["me"] = answer
            return answer

        def unordered(length=None):
            return {2 * length}

        def error_of_errors(length=None):
            return {"error": 10**5000}
    """
    names = ["bare", "huge", "itself", "unordered", "error_of_errors"]
    entries = [
        f'[[defect]]\nid = "{name}"\ntool = "double"\noperator = "function"\narguments = {{ function = "{name}" }}\n'
        for name in names
    ]
    measured = tb.measure(write_scenario({"defects.toml": "".join(entries)}, functions))
    assert {v.defect: v.reason.split(": ", 2)[2] for v in measured.verdicts if v.layer == "tool"} == {
        "bare": "expected the fields doubled, got 6",
        "huge": f"expected doubled 6, got [{'0, ' * 53}…",
        "itself": "crash: returned what no agent could be given: it refers to itself",
        "unordered": "crash: returned what no agent could be given: a set has no JSON form",
        "error_of_errors": 'expected {"doubled": 6}, got the error "its text cannot be read"',
    }
    assert [v.verdict for v in measured.verdicts if v.rule == "band"] == ["caught"] * 5
