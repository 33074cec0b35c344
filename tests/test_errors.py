"""The library's exceptions, and "did you mean"."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbench as tb
from toolbench import errors
from toolbench.errors import ToolbenchError, unknown

KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]


def test_every_mistake_of_a_user_is_one_kind_of_error():
    """All errors that a user can put right are ToolbenchErrors; the one that a tool raises is not."""
    assert [kind.__name__ for kind in KINDS if not issubclass(kind, ToolbenchError)] == ["ToolError"]
    assert len(KINDS) == 10
    assert all(kind.__doc__ for kind in KINDS)
    assert tb.ToolError is errors.ToolError


@pytest.mark.parametrize(
    ("name", "known", "text"),
    [
        ("lop", ["tool", "loop"], "unknown layer 'lop': did you mean loop? Known: tool, loop"),
        ("toop", ["tool", "loop"], "unknown layer 'toop': did you mean tool or loop? Known: tool, loop"),
        ("xyz", ["tool", "loop"], "unknown layer 'xyz'. Known: tool, loop"),
        ("x", [], "unknown layer 'x'. Known: none"),
        (5, ["tool"], "unknown layer 5. Known: tool"),
        ("tool", ["loop", "loop"], "unknown layer 'tool': did you mean loop? Known: loop"),
        ("\x1b[31m", ["tool"], r"unknown layer '\x1b[31m'. Known: tool"),
    ],
)
def test_an_unknown_name_gets_the_nearest_known_ones(name, known, text):
    """The message offers near names first, then lists the known ones as they stand, each once."""
    assert unknown("layer", name, known) == text


@given(st.lists(st.text("abc", min_size=1, max_size=3), max_size=20), st.text("abc", max_size=3))
def test_the_names_keep_their_order(known, name):
    """The known names are those given, each once, in the order in which they were given."""
    assert unknown("tool", name, known).split("Known: ")[1] == (", ".join(dict.fromkeys(known)) or "none")


def test_many_names_are_counted():
    """Of more than twenty known names the first twenty are listed, and the others counted."""
    text = unknown("case", "zz", [f"c{number:02}" for number in range(25)])
    assert text.endswith("c18, c19 and 5 more")
