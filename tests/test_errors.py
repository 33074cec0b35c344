"""The library's exceptions, and "did you mean"."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbench as tb
from toolbench import errors
from toolbench.errors import ToolbenchError, unknown

KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]


def test_every_mistake_of_a_user_is_one_kind_of_error():
    """All errors that a user can put right are ToolbenchErrors; a warning, and what a tool raises, are not."""
    others = [kind.__name__ for kind in KINDS if not issubclass(kind, ToolbenchError)]
    assert others == ["ToolbenchWarning", "ToolError"]
    assert issubclass(errors.ToolbenchWarning, UserWarning)
    assert len(KINDS) == 12
    assert all(kind.__doc__ for kind in KINDS)
    assert tb.ToolError is errors.ToolError


def test_a_tool_that_is_refused():
    """It says tool, reason and cure, is an error of the scenario, and is whole after a trip to another process."""
    problem = errors.ToolRefused("pack", "positional-only", "its x is positional-only", "take the / out", "/x")
    assert isinstance(problem, errors.ScenarioError)
    assert str(problem) == "tool pack: its x is positional-only; take the / out"
    placed = problem.at("tools.py, line 3")
    assert str(placed) == "tools.py, line 3: tool pack: its x is positional-only; take the / out"
    assert (placed.tool, placed.code, placed.cure, placed.pointer) == (
        "pack",
        "positional-only",
        "take the / out",
        "/x",
    )
    copy = pickle.loads(pickle.dumps(placed))
    assert (type(copy), vars(copy), copy.args) == (errors.ToolRefused, vars(placed), placed.args)


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
