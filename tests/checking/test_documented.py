"""What descriptions tell of values."""

import pytest

from toolbench.checking.documented import examples_of, form_of
from toolbench.checking.nodes import Declaration
from toolbench.definition import Definition


def declared(told, kind="string", tool=""):
    schema = {"type": "object", "properties": {"x": {"type": kind, "description": told}, "other": {}}}
    return Declaration(Definition("t", schema, tool))


@pytest.mark.parametrize(
    ("told", "kind", "values"),
    [
        ("A zone (e.g., 'Asia/Tokyo', \"Etc/UTC\").", "string", ["Asia/Tokyo", "Etc/UTC"]),
        ("Such as 2024-01-15.", "string", ["2024-01-15"]),
        ("How many, for example 12", "integer", [12]),
        ("Not 'this' one; see the field 'other'.", "string", []),
        ("It's the user's own.", "string", []),
    ],
)
def test_examples_of_a_field(told, kind, values):
    """What is quoted, and what stands behind "e.g."; not what is warned of, nor names of fields."""
    assert examples_of(declared(told, kind), "x") == values


def test_examples_in_the_description_of_the_tool():
    """In a line of the field's own, as docstrings have it."""
    assert examples_of(declared("", tool="Looks.\n\nArgs:\n    x: a colour, e.g. 'green'\n"), "x") == ["green"]


@pytest.mark.parametrize(
    ("told", "noun"),
    [("The start date", "date"), ("IANA timezone name", "time zone"), ("24-hour time (HH:MM)", "time of day"),
     ("An e-mail address", "email address"), ("Any words", None)],
)  # fmt: skip
def test_the_form_of_a_field(told, noun):
    """By its description."""
    form = form_of(declared(told), "x")
    assert (None if form is None else form.noun) == noun
