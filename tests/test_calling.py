"""How a tool's function is called: where the world goes, what a call came to, and what is bound once."""

import functools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.calling import caller_of
from toolbench.converting import Misfit, converter
from toolbench.outcome import Outcome

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()


def world_first(world, x=0):
    return {"world": world, "x": x}


def world_last(x=0, *, world):
    return {"world": world, "x": x}


def any_names(**given):
    return given


def passes_on(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return {**function(*args, **kwargs), "by position": len(args)}

    return wrapper


def call(function, arguments, world=None, *, inject=None, errors=(), convert=None):
    return caller_of(function, inject, errors, convert)(arguments, world)


@pytest.mark.parametrize("function", [world_first, world_last, any_names, functools.partial(world_first)])
def test_the_world_comes_wherever_its_parameter_stands(function):
    """An argument of its name does not take its place."""
    assert call(function, {"x": 1}, "w", inject="world") == Outcome("ok", {"world": "w", "x": 1})


def test_an_argument_cannot_stand_in_for_the_world():
    """By name it is overwritten; by position it is one too many."""
    assert call(world_last, {"world": "mine"}, "w", inject="world").value == {"world": "w", "x": 0}
    assert call(world_first, {"world": "mine"}, "w", inject="world").kind == "crash"


@pytest.mark.parametrize("convert", [None, converter({"x": tuple[int, int]}, {})])
def test_a_wrapper_gets_the_world_as_what_it_wraps_does(convert):
    """By position, also behind a conversion."""
    outcome = call(passes_on(world_first), {"x": [1, 2]}, "w", inject="world", convert=convert)
    assert outcome.value == {"world": "w", "x": [1, 2], "by position": 1}


def test_without_an_injected_parameter_the_world_stays_outside():
    """Whatever it is."""
    assert call(any_names, {"x": 1}, "w").value == {"x": 1}


@given(st.dictionaries(st.text(), SCALARS))
def test_a_flat_answer_comes_back_as_it_is(value):
    """As a copy; with a key `error` it is a reported error."""
    outcome = call(lambda: value, {})
    assert outcome.value == value and outcome.value is not value
    assert outcome.kind == ("error" if "error" in value else "ok")


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        ({"a": (1, 2)}, Outcome("ok", {"a": [1, 2]})),
        ({"error": "no", "code": 4}, Outcome("error", {"error": "no", "code": 4}, "no")),
        ({"error": None}, Outcome("error", {"error": None}, "None")),
        ([{"error": "no"}], Outcome("ok", [{"error": "no"}])),
        (None, Outcome("ok", None)),
        ("error", Outcome("ok", "error")),
    ],
)
def test_an_answer_is_a_plain_value(value, outcome):
    """An error is one at the top only."""
    assert call(lambda: value, {}) == outcome


def test_an_answer_without_a_json_form_is_a_crash():
    """No agent could be given it."""
    outcome = call(lambda: {"a": {1}}, {})
    assert (outcome.kind, outcome.message) == (
        "crash",
        "returned what no agent could be given: a set has no JSON form",
    )


def test_nested_arguments_are_copies_and_flat_ones_are_passed_on():
    """A function may change what it gets."""
    given_ones = {"n": 1, "items": [1, {"a": 2}]}

    def changes(n, items):
        items[1]["a"] = 3
        items.append(n)
        return {"items": items}

    assert call(changes, given_ones).value == {"items": [1, {"a": 3}, 1]}
    assert given_ones == {"n": 1, "items": [1, {"a": 2}]}


class Refused(Exception):
    pass


def raises(problem):
    def function():
        raise problem

    return function


@pytest.mark.parametrize(
    ("problem", "errors", "kind", "message"),
    [
        (Refused("no"), (Refused,), "error", "no"),
        (Refused("no"), (), "crash", "Refused: no"),
        (Misfit("field 'x'"), (), "error", "field 'x'"),
        (SystemExit(3), (Refused,), "crash", "SystemExit: 3"),
        (GeneratorExit(), (), "crash", "GeneratorExit"),
        (SystemExit("bye"), (SystemExit,), "error", "bye"),
    ],
)
def test_what_is_raised_is_an_error_where_it_is_declared(problem, errors, kind, message):
    """A misfit always is; all else is a crash."""
    outcome = call(raises(problem), {}, errors=errors)
    assert (outcome.kind, outcome.message, outcome.value) == (kind, message, None)
    assert outcome.types[0] == type(problem).__name__


def test_an_interruption_is_nobodys_outcome():
    """It ends the run."""
    with pytest.raises(KeyboardInterrupt):
        call(raises(KeyboardInterrupt()), {})


def test_what_is_awaitable_is_run_to_its_end():
    """What it raises then is treated alike."""

    async def answers(x):
        return {"x": x}

    async def refuses(x):
        raise Refused("later")

    assert call(answers, {"x": 1}) == Outcome("ok", {"x": 1})
    assert call(refuses, {"x": 1}, errors=(Refused,)).message == "later"


def test_a_call_that_does_not_fit_does_not_reach_the_function():
    """It is reported, and the function was not called."""
    calls = []

    def notes(x):
        calls.append(x)

    convert = converter({"x": tuple[int, int]}, {})
    assert call(notes, {"x": 5}, convert=convert).kind == "error" and calls == []
    assert call(notes, {"x": [5, 6]}, convert=convert).kind == "ok" and calls == [(5, 6)]
