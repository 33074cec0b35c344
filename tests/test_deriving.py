"""A tool's declaration made of its function: annotations, defaults, docstring; what is refused, with the cure."""

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import functools
import pathlib
import pickle
import sys
import typing
import uuid
from typing import Annotated, Any, Literal, NotRequired, TypedDict, Unpack

import jsonschema
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

import toolbench as tb
from toolbench.deriving import derive
from toolbench.errors import ToolbenchWarning, ToolRefused

if typing.TYPE_CHECKING:
    from elsewhere import Missing


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


@dataclasses.dataclass
class Place:
    x: int
    y: float = 0.0
    title: str = ""
    notes: list[str] = dataclasses.field(default_factory=list)
    since: datetime.date = datetime.date(2020, 1, 1)


class Wish(TypedDict):
    what: str
    size: NotRequired[str]


class Chain(TypedDict):
    after: "Chain | None"


class Dated(TypedDict, total=False):
    at: datetime.datetime


class Tree(pydantic.BaseModel):
    place: Place | None = None
    branches: list["Tree"] = []


def schema_of(annotation, *default):
    def f(x): ...

    f.__annotations__ = {"x": annotation}
    f.__defaults__ = default or None
    return derive(f, "f").schema


def field_of(annotation, *default):
    return schema_of(annotation, *default)["properties"]["x"]


# --- the schema -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("annotation", "field"),
    [
        (str, {"type": "string"}),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (Any, {}),
        (list[str], {"type": "array", "items": {"type": "string"}}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal["a", Size.LARGE], {"type": "string", "enum": ["a", "large"]}),
        (datetime.datetime, {"type": "string", "format": "date-time"}),
        (set[int], {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
        (Annotated[int, Field(description="Many.", ge=1)], {"type": "integer", "minimum": 1, "description": "Many."}),
        (Annotated[str, Field(alias="y", pattern="^a")], {"type": "string", "pattern": "^a"}),
        (Annotated[str, Field(min_length=2)], {"type": "string", "minLength": 2}),
        (Annotated[int, Field(title="Count")], {"type": "integer", "title": "Count"}),
        (Size, {"$ref": "#/$defs/Size"}),
        (Wish, {"$ref": "#/$defs/Wish"}),
    ],
)  # fmt: skip
def test_the_schema_of_an_annotation(annotation, field):
    """A field's schema is that of its annotation, without titles that nobody wrote."""
    assert field_of(annotation) == field
    assert schema_of(annotation)["required"] == ["x"]


def test_the_whole_schema():
    """An object with its fields in the order of the signature, those without default required, and no others."""

    def send(to: str, size: Size, title, count: int = 1, *, express: bool = False):
        pass

    assert derive(send, "send").schema == {
        "type": "object",
        "properties": {
            "to": {"type": "string"},
            "size": {"$ref": "#/$defs/Size"},
            "title": {},
            "count": {"type": "integer", "default": 1},
            "express": {"type": "boolean", "default": False},
        },
        "required": ["to", "size", "title"],
        "additionalProperties": False,
        "$defs": {"Size": {"type": "string", "enum": ["small", "large"]}},
    }
    assert list(derive(send, "send").schema["properties"]) == ["to", "size", "title", "count", "express"]
    assert derive(lambda: 0, "f").schema == {
        "type": "object", "properties": {}, "required": [], "additionalProperties": False
    }  # fmt: skip


def test_nested_types_stand_in_definitions():
    """Every reference leads to a definition of the same schema, also of a type that contains itself."""
    definitions = schema_of(list[Tree] | None)["$defs"]
    assert set(definitions) == {"Tree", "Place"}
    assert definitions["Place"]["required"] == ["x"]
    assert definitions["Place"]["properties"]["title"] == {"type": "string", "default": ""}
    assert definitions["Tree"]["properties"]["branches"]["items"] == {"$ref": "#/$defs/Tree"}


def test_other_fields():
    """`**options` admits fields of any name; with an unpacked TypedDict, the fields are those."""

    def any_other(x: int, **options): ...

    def just_these(x: int, **options: Unpack[Wish]): ...

    assert "additionalProperties" not in derive(any_other, "f").schema
    schema = derive(just_these, "f").schema
    assert schema["properties"] == {"x": {"type": "integer"}, "what": {"type": "string"}, "size": {"type": "string"}}
    assert (schema["required"], schema["additionalProperties"]) == (["x", "what"], False)


@pytest.mark.parametrize(
    ("annotation", "default", "shown"),
    [
        (int, 1, {"default": 1}),
        (int, True, {}),
        (int, "1", {}),
        (int, None, {}),
        (int | None, None, {"default": None}),
        (Any, None, {"default": None}),
        (Annotated[int, Field(ge=1)], 0, {}),
        (Annotated[int, Field(default=5)], 1, {"default": 1}),
        (float, float("nan"), {}),
        (datetime.datetime, datetime.datetime(2020, 1, 1), {}),
        (Any, object(), {}),
        (list[int], [1], {"default": [1]}),
        (tuple[int, int], (1, 2), {"default": [1, 2]}),
        (Size, Size.SMALL, {"default": "small"}),
    ],
)
def test_a_default_makes_a_field_optional(annotation, default, shown):
    """It is shown where it is a JSON value that the field admits; a null that the field does not admit is none."""
    schema = schema_of(annotation, default)
    assert schema["required"] == []
    assert {key: value for key, value in schema["properties"]["x"].items() if key == "default"} == shown


def test_a_default_in_a_field_is_filled_in():
    """A default that stands only in the annotation is given to the function, which has none of its own."""

    @tb.tool
    def f(x: Annotated[int, Field(default=5)], y: Annotated[list, Field(default_factory=list)], z: int = 0):
        y.append(x)
        return [x, y, z]

    assert f.definition.schema["required"] == []
    assert f.definition.schema["properties"]["x"] == {"type": "integer", "default": 5}
    assert "default" not in f.definition.schema["properties"]["y"]
    assert f.call({}).value == f.call({}).value == [5, [5], 0]
    assert f.call({"x": 1}).value == [1, [1], 0]


NAMES = "name config self schema model_config json copy validate model_dump model_fields _private class_ ñandú title"


def test_any_name_will_do():
    """No name of a parameter clashes with a name of the machinery."""
    names = NAMES.split()
    function = eval(f"lambda {', '.join(names)}: [{', '.join(names)}]")
    made = tb.tool(function, name="f")
    assert made.definition.schema["properties"] == {name: {} for name in names}
    assert made.call({name: name for name in names}).value == names


# --- which function ---------------------------------------------------------------------------------------------------


class Shop:
    def sell(self, what: str, count: int = 1):
        """Sell."""
        return [what, count]

    def __call__(self, what: str, count: int = 1):
        """Call."""
        return [what, count]


def sell(shop, what: str, count: int = 1):
    """Sell."""
    return [what, count]


def noisy(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


async def waiting(what: str, count: int = 1):
    """Wait."""
    return [what, count]


@pytest.mark.parametrize(
    ("function", "description"),
    [
        (Shop().sell, "Sell."),
        (Shop(), "Call."),
        (functools.partial(sell, "shop"), "Sell."),
        (noisy(functools.partial(sell, "shop")), "Sell."),
        (noisy(Shop().sell), "Sell."),
        (functools.lru_cache(Shop().sell), "Sell."),
        (waiting, "Wait."),
        (noisy(waiting), "Wait."),
    ],
    ids=["method", "object", "partial", "wrapped partial", "wrapped method", "cached", "async", "wrapped async"],
)
def test_any_callable_with_a_signature(function, description):
    """Methods, objects, partials, coroutines and decorated functions are read as what they stand for."""
    made = tb.Tool.from_function(function, name="f")
    assert made.definition.schema["properties"] == {
        "what": {"type": "string"},
        "count": {"type": "integer", "default": 1},
    }
    assert made.definition.description in (description, functools.partial.__doc__ and description)
    assert made.call({"what": "tea"}).value == ["tea", 1]


def test_names_of_the_scope_where_a_function_stands():
    """An annotation in text may name what is local to where the tool is made, and what its own closure holds."""

    class Local(enum.Enum):
        ONE = 1

    @tb.tool
    def f(x: "Local", y: "list[Local] | None" = None):
        return x.name

    assert f.call({"x": 1}).value == "ONE"


def test_annotations_that_nobody_needs_may_be_missing():
    """What the function returns and what it is injected need not resolve."""

    def f(depot: "Missing", x: int) -> "Missing": ...

    assert derive(f, "f", inject="depot").schema["required"] == ["x"]


def test_what_a_partial_has_bound_is_not_shown():
    """A token that a partial holds stands in no declaration, neither as a field nor as a default."""

    def send(text: str, token: str = ""):
        return [text, token]

    made = tb.tool(functools.partial(send, token="secret"))
    assert made.definition.fields == ("text",) and "secret" not in made.definition.text()
    assert made.call({"text": "hello"}).value == ["hello", "secret"]


# --- what is refused --------------------------------------------------------------------------------------------------


class Arbitrary:
    pass


@pytest.mark.parametrize(
    ("function", "code", "message"),
    [
        (lambda x, /: 0, "positional-only", "its parameter 'x' is positional-only"),
        (lambda *args, **kwargs: 0, "bare-wrapper", r"takes \(\*args, \*\*kwargs\).*functools.wraps"),
        (lambda **fields: 0, "bare-wrapper", r"takes \*\*fields and does not say what it wraps"),
        (lambda x, *more: 0, "variadic", r"it takes \*more"),
        (lambda x=Field(5): 0, "field-default", r"write x: Annotated\[..., Field\(...\)\] = 5"),
        (dict, "no-signature", "give schema="),
    ],
)
def test_what_no_schema_can_be_made_of(function, code, message):
    """The error names the tool, the reason and the cure."""
    with pytest.raises(ToolRefused, match=message) as caught:
        derive(function, "f")
    assert (caught.value.tool, caught.value.code) == ("f", code)
    assert str(caught.value).startswith("tool f: ") and str(caught.value).endswith(caught.value.cure)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(
    ("annotation", "code"),
    [
        ("Missing", "unresolved-annotation"),
        ("list[Missing]", "unresolved-annotation"),
        ("not a type", "unresolved-annotation"),
        ("datetime.nothing", "unresolved-annotation"),
        (Arbitrary, "no-schema"),
        pytest.param(
            Chain,
            "no-schema",
            marks=pytest.mark.skipif(sys.version_info >= (3, 12), reason="pydantic reads it from 3.12"),
        ),
        (list[Arbitrary | int], "no-schema"),
        (collections.abc.Callable[[int], int], "no-schema"),
        (collections.abc.Callable[[int], int] | None, "no-schema"),
        (5, "no-schema"),
    ],
)
def test_an_annotation_that_no_schema_can_be_made_of(annotation, code):
    """The error names the parameter, what its annotation is, and the cure."""

    def f(good: Size, x, other: int = 1): ...

    f.__annotations__["x"] = annotation
    with pytest.raises(ToolRefused, match=r"'x'.*schema=") as caught:
        derive(f, "f")
    assert (caught.value.code, caught.value.pointer) == (code, "/properties/x")


def test_what_is_refused_can_be_given_a_schema():
    """The cure works: with a schema of its own, such a function is a tool."""
    assert tb.tool(lambda *args, **kwargs: kwargs, schema=["x"], name="f").call({"x": 1}).value == {"x": 1}


# --- the docstring ----------------------------------------------------------------------------------------------------


def test_descriptions_come_from_the_docstring():
    """A description in the annotation wins over the docstring's."""

    def f(depot, x: int, y: Annotated[int, Field(description="Mine.")] = 0, **more):
        """Do it.

        Args:
            depot: The depot.
            x: The x.
            y: The y.
            **more: Others.

        Returns:
            Nothing.
        """

    derived = derive(f, "f", inject="depot")
    assert {name: field["description"] for name, field in derived.schema["properties"].items()} == {
        "x": "The x.", "y": "Mine."
    }  # fmt: skip
    assert derived.description == "Do it."


def test_what_is_said_in_vain_is_warned_of():
    """A parameter that is mentioned without a readable description, and one that is none, are told at the function."""

    def f(x, y: Annotated[int, Field(description="Mine.")] = 0):
        """Do it.

        x: the x
        y: the y

        Args:
            z: the z
        """

    with pytest.warns(ToolbenchWarning) as caught:
        derive(f, "f")
    texts = [str(warning.message) for warning in caught]
    assert len(texts) == 2
    assert texts[0].startswith("tool f: the docstring mentions 'x'")
    assert texts[1] == "tool f: the docstring describes 'z', which is no parameter of the function"
    assert {warning.filename for warning in caught} == {__file__}


# --- the call ---------------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@tb.tool
def plain_types(
    a: str = "",
    b: str | int = "",
    c: Any = None,
    d=None,
    e: list[int] | None = None,
    f: Wish | None = None,
    g: float = 0,
):
    return [a, b, c, d, e, f, g]


@given(st.sampled_from(["00123", "1e3", "null", "[1]", "true", "NaN"]) | st.text())
def test_a_text_stays_a_text(text):
    """A text that looks like a number or JSON arrives as it is."""
    assert plain_types.convert is None
    assert plain_types.call(dict.fromkeys("abcd", text)).value[:4] == [text] * 4


@given(JSON)
def test_plain_types_are_passed_as_given(value):
    """A tool of plain JSON types gets exactly what was given, whether it fits or not."""
    assert plain_types.call(dict.fromkeys("abcdefg", value)).value == [value] * 7


@pytest.mark.parametrize(
    ("annotation", "value", "made"),
    [
        (Size, "small", Size.SMALL),
        (Size | None, None, None),
        (list[Size], ["small"], [Size.SMALL]),
        (str | int | Size, "00123", "00123"),
        (Literal["a", Size.LARGE], "large", Size.LARGE),
        (Literal["a", Size.LARGE], "a", "a"),
        (Place, {"x": 1}, Place(1)),
        (dict[str, Place], {"a": {"x": 1}}, {"a": Place(1)}),
        (Tree, {"branches": [{"place": {"x": 1}}]}, Tree(branches=[Tree(place=Place(1))])),
        (tuple[int, str], [1, "a"], (1, "a")),
        (set[int], [1, 1], {1}),
        (dict[int, str], {"5": "a"}, {5: "a"}),
        (Dated, {"at": "2020-01-01T00:00:00"}, {"at": datetime.datetime(2020, 1, 1)}),
        (list[Dated] | None, [{"at": "2020-01-01T00:00:00"}], [{"at": datetime.datetime(2020, 1, 1)}]),
        (uuid.UUID, "12345678123456781234567812345678", uuid.UUID("12345678123456781234567812345678")),
        (decimal.Decimal, "1.50", decimal.Decimal("1.50")),
        (pathlib.Path, "a/b", pathlib.Path("a/b")),
        (Annotated[str, pydantic.AfterValidator(str.upper)], "a", "A"),
        (collections.abc.Sequence[int], [1], [1]),
        (typing.NewType("Count", int), "5", "5"),
    ],
)
def test_what_an_annotation_asks_for_is_made(annotation, value, made):
    """The function gets an enum's member, a dataclass, a date where its annotation says so."""
    got = []

    def f(x):
        got.append(x)

    f.__annotations__["x"] = annotation
    assert tb.tool(f).call({"x": value}).kind == "ok"
    assert got == [made] and type(got[0]) is type(made)


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (Size, "tiny"), (Place, {"x": "1"}), (Place, 5), (Tree, {"branches": 1}), (tuple[int, str], [1]),
        (datetime.datetime, 5), (set[int], ["1"]), (Place, "\ud800"), (uuid.UUID, "x"), (Size | int, "5"),
        (Annotated[str, pydantic.AfterValidator(lambda text: {}[text])], "a"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_an_error_and_no_crash(annotation, value):
    """Whatever was sent, the error is reported and names the field; the function is not called."""

    def f(x):
        raise AssertionError

    f.__annotations__["x"] = annotation
    outcome = tb.tool(f, errors=()).call({"x": value})
    assert outcome.kind == "error"
    assert outcome.message.startswith("field 'x': ")


@given(
    st.builds(Place, st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(), st.lists(st.text()))
)
def test_a_dataclass_comes_back_from_its_json(place):
    """A dataclass as JSON is admitted by its schema, and the function gets an equal one."""
    value = dataclasses.asdict(place) | {"since": "2020-01-01"}

    def f(place: Place):
        return place == expected

    expected = place
    jsonschema.validate({"place": value}, derive(f, "f").schema)
    assert tb.tool(f).call({"place": value}).value is True


TYPES = st.recursive(
    st.sampled_from([str, int, float, bool, None, Any, Size, Place, Wish, Tree, datetime.date, Literal["a", 1]]),
    lambda inner: st.one_of(
        inner.map(lambda kind: list[kind]),
        inner.map(lambda kind: dict[str, kind]),
        inner.map(lambda kind: tuple[kind, ...]),
        inner.map(lambda kind: typing.Optional[kind]),  # noqa: UP045
        st.tuples(inner, inner).map(lambda kinds: typing.Union[kinds]),  # noqa: UP007
    ),
    max_leaves=4,
)


@given(st.lists(st.tuples(TYPES, st.none() | st.just(()) | st.tuples(JSON)), min_size=1, max_size=3))
def test_a_derived_schema_is_valid_and_closed(parameters):
    """It is valid JSON Schema, resolves its references, requires what has no default, shows admitted defaults."""
    named = {f"p{i}": parameter for i, parameter in enumerate(parameters)}
    function = eval(
        f"lambda *, {', '.join(name + ('=0' if default else '') for name, (_, default) in named.items())}: 0"
    )
    function.__annotations__ = {name: kind for name, (kind, _) in named.items()}
    function.__kwdefaults__ = {name: default[0] for name, (_, default) in named.items() if default}
    schema = derive(function, "f").schema
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["required"] == [name for name, (_, default) in named.items() if not default]
    shown = {name: field["default"] for name, field in schema["properties"].items() if "default" in field}
    jsonschema.Draft202012Validator({**schema, "required": []}).validate(shown)
