"""What a signature says of parameters: of wrappers, partials, methods, and names that stand around a function."""

import functools
import typing
from typing import Annotated, NotRequired, Required, TypedDict

import pytest

import toolbench as tb
from toolbench.signatures import (
    OMITTED,
    docstring_of,
    name_of,
    read_signature,
    refuse_positional_only,
    takes_first,
    written,
)


def plain(world, x: int, y: "str" = "a"):
    """Does."""
    return {"x": x, "y": y, "world": world}


def around(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


def by_name(function):
    @functools.wraps(function)
    def wrapper(**kwargs):
        return function(**kwargs)

    return wrapper


class Caller:
    """A class."""

    def __call__(self, world, x: int):
        """Calls."""
        return {"x": x, "world": world}

    def method(self, world, x: int):
        """Does as a method."""
        return {"x": x, "world": world}


def fields(function, inject=None):
    signature = read_signature(function, "t", inject)
    return {p.name: p.annotation for p in signature.parameters}, signature.undeclared, signature.takes_any


def test_the_world_is_no_field():
    """Annotations are resolved, those written as text too; a parameter without one may be anything."""
    assert fields(plain, "world") == ({"x": int, "y": str}, ("world",), False)
    assert fields(plain) == ({"world": typing.Any, "x": int, "y": str}, (), False)


@pytest.mark.parametrize(
    ("function", "declared", "undeclared"),
    [
        (around(plain), {"x": int, "y": str}, ("world",)),
        (functools.partial(plain, y="b"), {"x": int}, ("world", "y")),
        (functools.partial(around(plain), y="b"), {"x": int}, ("world", "y")),
        (Caller(), {"x": int}, ("world",)),
        (Caller().method, {"x": int}, ("world",)),
    ],
)
def test_the_function_that_somebody_wrote_is_read(function, declared, undeclared):
    """Within a decorator, a partial, an object; what a partial has bound is not declared."""
    assert fields(function, "world") == (declared, undeclared, False)


class Options(TypedDict, total=False):
    a: Required[int]
    b: "str"
    c: Annotated[float, "seconds"]


class Whole(TypedDict):
    a: int
    b: NotRequired[str]


def with_options(x: int, **options: typing.Unpack[Options]):
    return {"x": x, **options}


def with_whole(**options: typing.Unpack[Whole]):
    return options


def with_any(x: int, **more: int):
    return {"x": x, **more}


def test_the_fields_of_unpacked_options_are_parameters():
    """Those that are not required may be left out; nothing is said of what holds then."""
    signature = read_signature(with_options, "t", None)
    assert [(p.name, p.annotation, p.default is OMITTED) for p in signature.parameters[1:]] == [
        ("a", int, False),
        ("b", str, True),
        ("c", Annotated[float, "seconds"], True),
    ]
    assert (signature.undeclared, signature.takes_any) == (("options",), False)
    whole = read_signature(with_whole, "t", None)
    assert [(p.name, p.default is OMITTED) for p in whole.parameters] == [("a", False), ("b", True)]


def test_other_keywords_are_of_any_name():
    """Beside those that are named."""
    assert fields(with_any) == ({"x": int}, ("more",), True)


def test_names_of_the_scope_around_are_found():
    """Those that a function has captured, and those of the scope that makes it."""

    class Local:
        pass

    def captures(x: "Local"):
        return {"x": isinstance(x, Local)}

    def mentions(x: "Local"):
        return {"x": x}

    assert fields(captures)[0] == fields(mentions)[0] == {"x": Local}


def positional(x, /, y):
    return {"x": x, "y": y}


def world_first(world, /, x: int):
    return {"world": world, "x": x}


def unresolved(x: "Nowhere"):  # noqa: F821
    return {"x": x}


@pytest.mark.parametrize(
    ("function", "code", "pointer"),
    [
        (positional, "positional-only", "/properties/x"),
        (unresolved, "unresolved-annotation", "/properties/x"),
        (lambda *x: {}, "variadic", ""),
        (lambda **x: {}, "bare-wrapper", ""),
        (lambda *args, **kwargs: {}, "bare-wrapper", ""),
        (type, "no-signature", ""),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(function, code, pointer):
    """And with a code that tells which."""
    with pytest.raises(tb.ToolRefused) as refused:
        read_signature(function, "t", None)
    assert (refused.value.code, refused.value.pointer) == (code, pointer)


def test_the_world_may_be_positional_only_where_it_comes_first():
    """It is passed so."""
    refuse_positional_only(world_first, "t", "world")
    assert fields(world_first, "world") == ({"x": int}, ("world",), False)
    with pytest.raises(tb.ToolRefused, match="'world' is positional-only"):
        refuse_positional_only(world_first, "t", None)


@pytest.mark.parametrize(
    ("function", "first"),
    [
        (plain, True),
        (around(plain), True),
        (by_name(plain), False),
        (with_any, False),
        (lambda x, world: {}, False),
        (lambda *, world: {}, False),
        (functools.partial(plain), False),
        (Caller(), False),
        (Caller().method, False),
    ],
)
def test_the_world_is_passed_by_position_where_that_is_safe(function, first):
    """To a function whose first parameter it is, also through a wrapper that passes positions on."""
    assert takes_first(function, "world") is first


@pytest.mark.parametrize(
    ("function", "name", "docstring", "code"),
    [
        (plain, "plain", "Does.", plain),
        (around(plain), "plain", "Does.", plain),
        (functools.partial(functools.partial(plain, y="b"), x=1), "plain", "Does.", plain),
        (Caller(), "Caller", "Calls.", Caller.__call__),
        (Caller().method, "method", "Does as a method.", Caller.method),
        (functools.partial(Caller()), "Caller", "Calls.", Caller.__call__),
        (5, "", None, None),
        (len, "len", len.__doc__, None),
    ],
)
def test_name_text_and_docstring_are_those_of_what_was_written(function, name, docstring, code):
    """However it is wrapped; what nobody wrote in Python has none."""
    assert name_of(function) == name and written(function) is code
    assert docstring is None or docstring_of(function) == docstring
