"""From JSON values to what an annotation asks for: what has to be made, how it is read, and what is said of misfits."""

import collections
import dataclasses
import datetime
import enum
import typing
from collections import abc
from typing import Annotated, Any, Literal, NotRequired, Required, TypedDict

import annotated_types
import pydantic
import pytest

import toolbench as tb
from toolbench.converting import Misfit, converter, is_made, readable


class Size(enum.Enum):
    SMALL = "small"
    ONE = 1


@dataclasses.dataclass
class Place:
    x: int


class Plain(TypedDict):
    a: int
    b: NotRequired[list[str]]


class Dated(TypedDict):
    at: datetime.date


class Tree(TypedDict):
    name: str
    branches: "list[Tree]"


class Lost(TypedDict):
    x: "Nowhere"  # noqa: F821


Count = typing.NewType("Count", int)
Day = typing.NewType("Day", datetime.date)
Bound, Some = typing.TypeVar("Bound", bound=datetime.date), typing.TypeVar("Some", int, Size)


@pytest.mark.parametrize(
    "annotation",
    [
        typing.List[int],  # noqa: UP006
        Any, object, None, str, int | None, list, dict, list[int], list[dict[str, Any]],
        abc.Sequence[int], abc.Iterable[str], abc.Mapping[str, int], dict[Literal["a", "b"], int],
        dict[Annotated[str, "key"], int], Literal["a", 1, None], Annotated[int, annotated_types.Ge(1)], Plain, Tree,
        list[Tree] | None,
        Required[int], Count, list[Count], abc.Sequence, abc.Mapping,
    ],
)  # fmt: skip
def test_what_json_has_is_passed_as_it_comes(annotation):
    """Lists, mappings with texts as keys, scalars, and what is made of these alone."""
    assert not is_made(annotation)


@pytest.mark.parametrize(
    "annotation",
    [
        Size, Place, datetime.date, bytes, complex, tuple, set[int], tuple[int, ...], frozenset[str],
        collections.deque[int], collections.OrderedDict[str, int], dict[int, str], dict[Literal["a", 1], int],
        dict[str, Size], list[Size], Size | None, Literal["a", Size.SMALL], Dated, list[Dated], NotRequired[Size], Day,
        Bound, Some, Lost, Annotated[str, pydantic.AfterValidator(str.upper)], Annotated[Size, "note"],
    ],
)  # fmt: skip
def test_what_json_has_not_is_made(annotation):
    """However deep it is; where it cannot be told, too."""
    assert is_made(annotation)


@pytest.mark.parametrize(
    ("annotation", "given", "made"),
    [
        (Literal["a", Size.SMALL], "small", Size.SMALL),
        (Literal["small", Size.SMALL], "a", None),
        (Literal[Size.ONE], 1, Size.ONE),
        (Literal[Size.ONE], True, None),
        (Literal[Size.ONE], "1", None),
        (list[Literal[Size.ONE]], [1, 1], [Size.ONE, Size.ONE]),
        (dict[str, Literal[Size.ONE]], {"a": 1}, {"a": Size.ONE}),
        (tuple[Literal[Size.ONE], ...], [1], (Size.ONE,)),
        (Literal[Size.ONE] | None, None, None),
        (typing.Optional[Literal[Size.ONE]], 1, Size.ONE),  # noqa: UP045
        (Annotated[Literal[Size.ONE], "note"], 1, Size.ONE),
        (abc.Sequence[Literal[Size.ONE]], [1], [Size.ONE]),
    ],
)
def test_a_member_in_a_literal_is_found_by_its_value(annotation, given, made):
    """Wherever the literal stands; true is not 1."""
    convert = converter({"x": readable(annotation)}, {})
    if made is None and given is not None:
        with pytest.raises(Misfit, match="field 'x': "):
            convert({"x": given})
    else:
        assert convert({"x": given}) == {"x": made}


@pytest.mark.parametrize(
    "annotation", [int, list[int], int | None, Place, dict[str, list[Size]], Literal["a"], tuple[()]]
)
def test_what_pydantic_reads_anyway_stays_what_it_is(annotation):
    """The very same annotation."""
    assert readable(annotation) is annotation


@pytest.mark.parametrize(("fields", "given"), [(Dated, {"at": "2020-01-02"}), (list[Dated], [{"at": "2020-01-02"}])])
def test_a_typed_dict_is_read(fields, given):
    """Whichever Python made it."""
    made = converter({"x": readable(fields)}, {})({"x": given})["x"]
    assert made in ({"at": datetime.date(2020, 1, 2)}, [{"at": datetime.date(2020, 1, 2)}])


def test_a_typed_dict_keeps_what_is_required():
    """And its name, for whoever is told of it."""
    convert = converter({"x": readable(Plain)}, {})
    assert readable(Plain).__name__ == "Plain"
    assert convert({"x": {"a": 1}}) == {"x": {"a": 1}}
    with pytest.raises(Misfit, match="a: Field required"):
        convert({"x": {"b": []}})


def test_without_anything_to_make_there_is_no_converter():
    """So that tools of plain values pay nothing."""
    assert converter({}, {}) is None


def test_only_what_is_given_is_made_and_only_what_is_not_is_filled():
    """What no annotation asks for passes; the caller's own arguments stay as they are."""
    convert = converter({"day": datetime.date}, {"items": list, "day": lambda: "never"})
    given = {"day": "2020-01-02", "other": {"a": 1}}
    assert convert(given) == {"day": datetime.date(2020, 1, 2), "other": {"a": 1}, "items": []}
    assert given == {"day": "2020-01-02", "other": {"a": 1}}
    assert convert({}) == {"day": "never", "items": []}
    assert convert({})["items"] is not convert({})["items"]


@pytest.mark.parametrize(
    ("annotation", "given", "message"),
    [
        (Place, {"x": "1"}, """field 'x': {"x": "1"} does not fit: x: Input should be a valid integer"""),
        (tuple[int, int], [1], "field 'x': [1] does not fit: 1: Field required"),
        (list[Place], [{"x": 1}, {}], """field 'x': [{"x": 1}, {}] does not fit: 1.x: Field required"""),
    ],
)
def test_a_misfit_says_where_and_why(annotation, given, message):
    """The field, what was given, and the place within it."""
    with pytest.raises(Misfit) as problem:
        converter({"x": annotation}, {})({"x": given})
    assert str(problem.value) == message


def test_of_many_misfits_some_are_told():
    """Enough to see what is wrong."""
    with pytest.raises(Misfit) as problem:
        converter({"x": set[int]}, {})({"x": ["a"] * 50})
    assert str(problem.value).count("Input should be") <= 5


def test_whatever_making_raises_is_a_misfit():
    """The class that is made may raise anything."""

    def never(value):
        raise RuntimeError("it is full")

    with pytest.raises(Misfit, match="does not fit: RuntimeError: it is full"):
        converter({"x": Annotated[int, pydantic.AfterValidator(never)]}, {})({"x": 1})


class Way(enum.Enum):
    THERE = "there"


@pytest.mark.parametrize(
    "annotation",
    [typing.NewType("Named", Literal[Way.THERE]), typing.TypeVar("Bound", bound=Literal[Way.THERE])],
    ids=["a new type", "a bound variable"],
)
def test_a_member_behind_another_name_is_found_by_its_value(annotation):
    """What the schema promises, the call keeps."""

    def go(way):
        return way.name

    go.__annotations__["way"] = annotation
    assert tb.tool(go).call({"way": "there"}).value == "THERE"
