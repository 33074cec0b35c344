"""JSON values in TOML: every one goes there and back."""

import json
import math
import tomllib

import pytest
import tomli_w
from hypothesis import example, given
from hypothesis import strategies as st

from toolbench.errors import CatalogueError, ScenarioError
from toolbench.toml_values import decode, encode, read_toml
from toolbench.values import canonical, equal

WHOLE = st.text(max_size=12) | st.sampled_from(
    ["", "_json", "a", "a_json", "a_json_json", "a.b", "ключ", "a b", '"', "\x00"]
)
ANY = st.text(st.characters(), max_size=12) | st.sampled_from(["a", "a_json", "\ud800", "\udfff_json"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(2**70), 2**70)
    | st.sampled_from([10**400, -(2**63), 2**63])
    | st.floats(allow_nan=False, allow_infinity=False)
    | ANY
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY, inner, max_size=4),
)


@given(st.dictionaries(WHOLE, VALUES, max_size=5))
@example({"": None, "_json": "", "a": None, "a_json": 1, "a_json_json": {"a_json": None, "a": [None]}})
@example({"a": [{"b": None}, {"b_json": "null"}], "b": {"": {"": {}}}, "c": [[], [[None]]]})
@example({"huge": 10**400, "half": "\ud800", "under": {"\udfff": None}})
def test_every_json_object_goes_to_toml_and_back(value):
    """Nulls, numbers of any size, empty keys, keys that end in _json, and half characters all come back equal."""
    text = tomli_w.dumps(encode(value))
    assert text.encode() is not None
    back = decode(tomllib.loads(text))
    assert equal(back, value)
    assert canonical(back) == canonical(value)


@given(st.dictionaries(WHOLE, VALUES, max_size=5))
def test_json_text_stands_where_toml_needs_it(value):
    """An object that TOML can hold is written as it is: a JSON text only stands under a key that ends in _json."""
    for key, field in encode(value).items():
        if key.endswith("_json"):
            assert equal(json.loads(field), value[key.removesuffix("_json")])
        else:
            assert field == value[key] or isinstance(field, dict)


def test_a_plain_object_is_left_alone():
    """Nothing is added to what TOML can say itself."""
    value = {"a": {"b": [1, 2.5, "c", [True]]}, "d": ""}
    assert encode(value) == value


@pytest.mark.parametrize("key", ["\ud800", "a\udfff"])
def test_a_key_that_no_file_can_hold_is_refused(key):
    """A key with half a character in it cannot stand in a file by itself."""
    with pytest.raises(ValueError, match="half a character"):
        encode({key: 1})
    assert decode(encode({"inside": {key: 1}})) == {"inside": {key: 1}}


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_json_has_not_is_not_written(value):
    """A number that is none is refused, since no JSON text has it."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode({"a": [{"b": value}]})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('a_json = "null"', {"a": None}),
        ('a_json = "[1, {\\"b_json\\": null}]"', {"a": [1, {"b_json": None}]}),
        ("a_json_json = '1'", {"a_json": 1}),
        ("[[case]]\nid = 'x'\n[case.output]\nb_json = 'null'", {"case": [{"id": "x", "output": {"b": None}}]}),
        ("a = [{ b_json = 'true' }, { c = 1 }]", {"a": [{"b": True}, {"c": 1}]}),
        ("a_json = '9223372036854775808'", {"a": 2**63}),
        ("_json = '{}'", {"": {}}),
    ],
)
def test_json_texts_are_read_wherever_they_stand(text, expected):
    """A key that ends in _json is read at the top, in a table and in a list of tables, but not inside a JSON text."""
    assert canonical(decode(tomllib.loads(text))) == canonical(expected)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("x = 1\nx_json = '2'", ["x_json: x is given twice, as itself and as x_json; keep one"]),
        ("x_json = '2'\nx = 1", ["x: x is given twice"]),
        ("[a]\nb = [{ x_json = 'nul' }]", ["a.b[0].x_json: 'nul' is not JSON", 'such as "null"']),
        ("x_json = ''", ["x_json: '' is not JSON"]),
        ("x_json = 'NaN'", ["x_json: 'NaN' is not JSON (NaN is not JSON)"]),
        ("x_json = '[1, -Infinity]'", ["-Infinity is not JSON"]),
        ("x_json = 5", ["x_json: 5 is not a text; a key that ends in _json holds JSON text"]),
        ("x_json = { a = 1 }", ["x_json: {'a': 1} is not a text"]),
        (f"x_json = '{'9' * 5000}'", ["x_json: '999", "is not JSON"]),
        (f"x_json = '{'[' * 100_000}'", ["x_json: '[[[", "is not JSON"]),
        ("x = 2024-05-01", ["x: 2024-05-01 is a TOML date or time, which JSON has not; write it as a text"]),
        ("a = [1, { when = 07:32:00 }]", ["a[1].when: 07:32:00 is a TOML date or time"]),
        ("when = 1979-05-27T07:32:00Z", ["when: 1979-05-27 07:32:00+00:00 is a TOML date or time"]),
        ("x = ", ["is not TOML: Invalid value (at end of document)"]),
        ("x = 1\nx = 2", ["is not TOML: Cannot overwrite a value (at"]),
        ("x = 1979-13-27", ["is not TOML"]),
        (f"x = {'9' * 5000}", ["is not TOML"]),
        (f"x = {'[' * 100_000}", ["is nested too deeply"]),
    ],
)
@pytest.mark.parametrize("error", [ScenarioError, CatalogueError])
def test_a_file_that_cannot_be_read_says_where(tmp_path, text, parts, error):
    """The error is of the kind asked for and names the file, the key and the value, and what would be right."""
    path = tmp_path / "file.toml"
    path.write_text(text)
    with pytest.raises(error) as caught:
        read_toml(path, error)
    assert str(caught.value).startswith(f"{path}: ")
    for part in parts:
        assert part in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_a_file_that_is_none(tmp_path):
    """A file that is not there, a folder, and bytes that are no text are errors with the file's path."""
    for name, reason in (("none.toml", "cannot be read: No such file"), ("dir", "cannot be read: Is a directory")):
        (tmp_path / "dir").mkdir(exist_ok=True)
        with pytest.raises(ScenarioError, match=rf"{name}: {reason}"):
            read_toml(tmp_path / name, ScenarioError)
    (tmp_path / "latin.toml").write_bytes(b'a = "\xe9"')
    with pytest.raises(ScenarioError, match=r"latin.toml: is not UTF-8 text"):
        read_toml(tmp_path / "latin.toml", ScenarioError)
