"""What an answer of a server is to an agent."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.errors import ToolError
from toolbench.servers.answers import ProtocolError, masked, value_of


def text(said):
    return {"type": "text", "text": said}


@pytest.mark.parametrize(
    ("result", "value"),
    [
        ({"content": [text("words")]}, {"text": "words"}),
        ({"content": [text("one"), text("two")]}, {"text": "one\ntwo"}),
        ({"content": [text('{"a": 1}')]}, {"a": 1}),
        ({"content": [text("[1, 2]")]}, {"text": "[1, 2]"}),
        ({"content": [text("{broken")]}, {"text": "{broken"}),
        ({"content": [text('{"a": 1}')], "structuredContent": {"a": 1}}, {"a": 1}),
        ({"content": [text("one")], "structuredContent": {"a": 1}}, {"a": 1, "text": "one"}),
        ({"content": [text('{"a": 2}')], "structuredContent": {"a": 1}}, {"a": 1, "text": '{"a": 2}'}),
        ({"content": [text("x")], "structuredContent": {"text": "y"}}, {"text": "y"}),
        ({"content": [text("x")], "structuredContent": {"result": "x"}}, {"result": "x"}),
        ({"content": [text("1")], "structuredContent": [1]}, {"result": [1], "text": "1"}),
        ({"content": []}, {}),
        ({"content": [{"type": "image", "data": "AA=="}]}, {"content": [{"type": "image", "data": "AA=="}]}),
        ({"content": [text('{"error": "none there"}')]}, {"error": "none there"}),
    ],
)
def test_the_fields_of_an_answer(result, value):
    """The structured content; else the JSON object that the text is; and what else is said."""
    assert value_of(result) == value


def test_structured_content_that_is_declared_and_missing():
    """The answer is its bare text, which breaks the declared output."""
    assert value_of({"content": [text('{"a": 1}')]}, declares_output=True) == '{"a": 1}'


def test_errors():
    """What the tool reports, with its text; and what is no result at all."""
    with pytest.raises(ToolError, match=r"^no such thing$"):
        value_of({"content": [text("no such thing")], "isError": True})
    with pytest.raises(ToolError, match="no reason is given"):
        value_of({"content": [], "isError": True})
    with pytest.raises(ProtocolError, match="input_required"):
        value_of({"resultType": "input_required"})


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES, st.sets(st.text(max_size=3), max_size=3))
def test_masking_keeps_the_shape(value, names):
    """The types of all values stay; what is not named stays as it is; masking twice is masking once."""

    def shape(one):
        if isinstance(one, dict):
            return {key: shape(inner) for key, inner in one.items()}
        return [shape(inner) for inner in one] if isinstance(one, list) else type(one)

    hidden = masked(value, names)
    assert shape(hidden) == shape(value) and masked(hidden, names) == hidden
    assert masked(value, ()) == value


def test_a_field_that_varies_is_the_same_each_time():
    """With all that is in it."""
    one, other = ({"at": {"day": day, "ok": True}, "n": 1} for day in ("Monday", "Tuesday"))
    assert masked(one, ["at"]) == masked(other, ["at"]) == {"at": {"day": "{varying}", "ok": False}, "n": 1}


@given(st.dictionaries(st.text(min_size=1), st.integers(), min_size=1))
def test_an_object_comes_back_as_it_was(fields):
    """Told as text, as structured content, or both."""
    said = [text(json.dumps(fields))]
    assert value_of({"content": said}) == value_of({"content": said, "structuredContent": fields}) == fields
