"""What a function says of its parameters, without being called."""

from collections.abc import Mapping, Sequence
from functools import partial, wraps

import pytest

import toolbench as tb
from toolbench.checking.source import MISSING, Source, source_of


def made(function, inject=None):
    return source_of(tb.Tool(tb.Definition("t", {"type": "object"}), function, inject=inject))


def plain_one(a, b=2, *, c, _d=4, world=None):
    return [a, c, world]


def keyed(a, **rest):
    if "e" in rest:
        return rest["b"]
    return [a, rest.get("c"), rest.pop("d"), rest.pop("f", 1)]


def whole(**rest):
    return sorted(rest)


def named(**rest):
    key = "x"
    return rest[key]


def test_parameters_and_what_they_need():
    """The injected one is none of them; a leading underscore says that it is not for an agent."""
    source = made(plain_one, inject="world")
    assert list(source.parameters) == ["a", "b", "c", "_d"]
    assert [one.name for one in source.parameters.values() if one.needed] == ["a", "c"]
    assert source.parameters["b"].default == 2 and source.parameters["a"].default is MISSING
    assert [one.name for one in source.parameters.values() if one.hinted] == ["_d"]
    assert not source.takes_any and source.readable
    assert {"a", "c", "world"} <= source.read and "b" not in source.read


def test_keys_that_are_read_are_parameters():
    """Needed where a call without them fails."""
    source = made(keyed)
    needs = {name: one.needed for name, one in source.parameters.items()}
    assert needs == {"a": True, "b": True, "c": False, "d": True, "e": False, "f": False}
    assert source.takes_any and source.readable


def unseen(**rest):
    return locals()


@pytest.mark.parametrize("function", [whole, named, unseen])
def test_keys_that_are_not_written_out_may_be_any(function):
    """Then the source does not say what is read."""
    assert not made(function).readable


def helper(value, other):
    return value if isinstance(value, list | tuple) else [other]


def of_many_types(a, b, c, d, e, f):
    if isinstance(a, str | bytes) or type(b) is dict:
        return 1
    if c is None or d == None:  # noqa: E711
        return helper(e, other=f)
    match f:
        case int() | None:
            return 2
        case Mapping() | Sequence():
            return 3
    return 4


def test_types_that_a_parameter_is_tested_for():
    """By isinstance, type, None, a pattern; in a helper beside it too."""
    assert set(made(of_many_types).tests) == {
        ("a", "string"),
        ("b", "object"),
        ("c", "null"),
        ("d", "null"),
        ("e", "array"),
        ("f", "integer"),
        ("f", "null"),
        ("f", "object"),
        ("f", "array"),
    }


def with_literals(a="default"):
    """A docstring is none."""
    return {"key": a + "text", "n": 7, "again": "text"}


def test_literals_are_those_of_the_body():
    """Each once; docstrings and defaults are left out."""
    assert sorted(made(with_literals).literals, key=str) == [7, "again", "key", "n", "text"]


@pytest.mark.parametrize("function", [lambda **rest: rest["inner"]])
def test_a_function_within_a_decorator_is_not_the_one_below(function):
    """It reads keys of its own."""
    assert list(made(function).parameters) == ["inner"]


@pytest.mark.parametrize("function", [max, dict.get, print])
def test_a_function_without_a_text_says_little(function):
    """And nothing raises."""
    source = made(function)
    assert not source.readable and source.tests == ()


def wrapper(function):
    @wraps(function)
    def outer(*args, **kwargs):
        return function(*args, **kwargs)

    return outer


class Callable:
    def __call__(self, a, b=1):
        return a if isinstance(b, int) else b


@pytest.mark.parametrize("function", [wrapper(plain_one), partial(plain_one, c=3), Callable().__call__, Callable()])
def test_functions_in_disguise_are_read(function):
    """Decorated, partial, a method, an object that is called."""
    source = made(function)
    assert {"a", "b"} <= set(source.parameters)
    assert source.parameters["a"].needed and not source.parameters["b"].needed


def test_nothing_is_known_of_what_has_no_signature():
    """It may take anything."""
    assert Source() == Source({}, takes_any=True, readable=False)
