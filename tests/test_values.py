"""JSON values: made plain, compared, spelled in one way, shown."""

import dataclasses
import enum
import json
import math
from types import MappingProxyType

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.values import DEEPEST, NotPlain, canonical, digest, equal, harmless, plain, show

TEXTS = st.text(st.characters(), max_size=20)
SCALARS = st.none() | st.booleans() | st.integers() | TEXTS
EXACT = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4))
VALUES = st.recursive(
    SCALARS | st.floats(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
)
FEW = st.sampled_from(
    [True, False, None, 0, 1, 1.0, -0.0, 0.0, math.nan, math.inf, "", "1", [], {}, [1], [True], {"a": 1}]
)
ALIKE = FEW | st.lists(FEW, max_size=2) | st.dictionaries(st.sampled_from("ab"), FEW, max_size=2)


class Shade(enum.Enum):
    DARK = "dark"


class Key(str, enum.Enum):
    LONG = "long"


class Count(int):
    pass


@dataclasses.dataclass
class Point:
    x: int
    marks: tuple[str, ...]


class Model:
    """Has the one method by which pydantic models are known."""

    def model_dump(self):
        return {"inner": (1, 2)}


# --- plain ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ((1, (2,)), [1, [2]]),
        (Shade.DARK, "dark"),
        ({Key.LONG: Key.LONG}, {"long": "long"}),
        (Count(3), 3),
        (Point(1, ("a", "b")), {"x": 1, "marks": ["a", "b"]}),
        (Model(), {"inner": [1, 2]}),
        (MappingProxyType({"a": MappingProxyType({})}), {"a": {}}),
        (numpy.float64(0.5), 0.5),
        (numpy.int32(7), 7),
        (numpy.bool_(True), True),
        (numpy.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_has_a_json_form_is_given_it(value, expected):
    """Tuples, enum members, dataclasses, models and numpy's numbers become what a host would send of them."""
    made = plain(value)
    assert made == expected
    assert type(made) is type(expected)
    assert json.loads(json.dumps(made)) == expected


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({1, 2}, "a set has no JSON form"),
        (b"bytes", "a bytes has no JSON form"),
        ({1: "a"}, "a key of it is a int, not a text"),
        (Point, "a type has no JSON form"),
        (lambda: 1, "a function has no JSON form"),
        (iter([1]), "a list_iterator has no JSON form"),
    ],
    ids=lambda value: str(value).partition(" at 0x")[0],  # an address is another in each process
)
def test_what_has_no_json_form_is_refused(value, why):
    """A value that no JSON text could carry is refused, also deep inside another, and the reason names its type."""
    with pytest.raises(NotPlain, match=why):
        plain({"list": [value]})


def test_a_value_that_refers_to_itself_is_refused():
    """A list inside itself, and a mapping inside itself by way of a dataclass, are refused and not followed."""
    inside = [1]
    inside.append({"again": inside})
    point = Point(1, ())
    point.marks = ({"again": point},)
    for value in (inside, point):
        with pytest.raises(NotPlain, match="it refers to itself"):
            plain(value)


def test_one_value_in_two_places_is_not_inside_itself():
    """The same list standing twice beside itself is an ordinary value."""
    twice = [1]
    assert plain({"a": twice, "b": [twice, twice]}) == {"a": [1], "b": [[1], [1]]}


def test_the_deepest_value():
    """200 levels are plain, one more is refused."""
    deepest = []
    for _ in range(DEEPEST - 1):
        deepest = [deepest]
    assert plain(deepest) == deepest
    with pytest.raises(NotPlain, match="deeper than 200 levels"):
        plain([deepest])


def test_the_copy_shares_nothing():
    """Changing the copy does not change the original."""
    original = {"list": [1, {"a": 2}]}
    copy = plain(original)
    copy["list"][1]["a"] = 3
    copy["list"].append(4)
    assert original == {"list": [1, {"a": 2}]}


@given(VALUES)
def test_plain_values_stay_as_they_are(value):
    """What is plain already comes back equal and of the same types, and json can write it."""
    once = plain(value)
    assert equal(once, value)
    assert repr(plain(once)) == repr(once) == repr(value)
    assert json.dumps(once)


# --- equal ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1.0, True),
        (True, 1, False),
        (False, 0.0, False),
        ([True], [1], False),
        ({"a": {"b": 0}}, {"a": {"b": False}}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": None}, {}, False),
        ([1, 2], [2, 1], False),
        ("1", 1, False),
        (None, False, False),
        (None, 0, False),
        ([], {}, False),
        ("é", "e\u0301", False),
        (math.nan, math.nan, True),
        (2**53 + 1, float(2**53), False),
        (10**400, math.inf, False),
    ],
)
def test_equality_is_jsons(left, right, same):
    """1 is 1.0, true is not 1, the order of keys does not count and the order of items does."""
    assert equal(left, right) is same
    assert equal(right, left) is same


@given(ALIKE, ALIKE, ALIKE)
def test_equality_is_an_equivalence(a, b, c):
    """Every value equals itself, equality has no direction, and goes on from one to the next."""
    assert equal(a, a)
    assert equal(a, b) is equal(b, a)
    if equal(a, b) and equal(b, c):
        assert equal(a, c)


@given(EXACT, EXACT)
def test_equal_values_have_one_canonical_text(left, right):
    """Without fractions, values are equal exactly when their canonical texts are, and so are their digests."""
    assert equal(left, right) is (canonical(left) == canonical(right))
    assert equal(left, right) is (digest(left) == digest(right))
    assert equal(json.loads(canonical(left)), left)


@given(st.sampled_from([[True, 1], [1, "1"], [None, False], [[], {}], [0, False]]), st.booleans())
def test_canonical_texts_tell_like_values_apart(pair, inside):
    """Values that Python confuses have texts of their own, at the top and inside."""
    left, right = ([{"a": value}] if inside else value for value in pair)
    assert canonical(left) != canonical(right)


def test_the_order_of_keys_is_no_part_of_a_digest():
    """Two mappings that differ in order alone have the same digest of 16 hexadecimal digits."""
    assert digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1}) == "0855bfc20eb6cfaa"


# --- show ----------------------------------------------------------------------------------------------------


@given(VALUES, st.integers(1, 200))
def test_what_is_shown_is_short_and_printable(value, limit):
    """A shown value is one line of printable characters, no longer than the limit and the sign of the cut."""
    text = show(value, limit)
    assert len(text) <= limit + 1
    assert text.isprintable()
    assert (len(text) == limit + 1) is text.endswith("…") or len(text) <= limit


@given(st.text("\x1b\u0080\u202e\U000e0001\ud800", min_size=50))
def test_escapes_count_as_what_they_take(text):
    """Characters that are written as escapes do not make the text longer than its limit."""
    assert len(show(text, 60)) == 61


@given(EXACT.filter(lambda value: len(json.dumps(value)) < 100))
def test_a_short_value_is_shown_whole(value):
    """A value that fits is shown as its JSON text."""
    assert show(value, 1000) == harmless(json.dumps(value, ensure_ascii=False))


def test_huge_and_deep_values_are_cut():
    """A list, a text, a key and a number of millions, and a hundred thousand levels are shown in a few characters."""
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert show([0] * 3_000_000, limit=7) == "[0, 0, …"
    assert show("x" * 3_000_000, limit=4) == '"xxx…'
    assert show({"k" * 3_000_000: 1}, limit=4) == '{"kk…'
    assert show(deep, limit=5) == "[[[[[…"
    assert show(1 << 3_000_000) == "an integer of 3000001 bits"
    while deep:  # taken apart from outside: Python would take it apart by recursion
        deep = deep.pop()


# --- harmless ------------------------------------------------------------------------------------------------


@given(st.text(st.characters()))
def test_harmless_text_is_printable_and_stays_so(text):
    """Whatever a terminal might obey becomes an escape; what is harmless is left alone."""
    once = harmless(text)
    assert once.isprintable()
    assert harmless(once) == once
    assert once == text or not text.isprintable()


def test_escapes_are_written_out():
    """A colour, a bell, a new line and a change of direction are seen, not obeyed."""
    assert harmless("\x1b[31mred\x07\n\u202e") == r"\x1b[31mred\x07\n\u202e"
