"""Whether a parameter's value can reach anything that a function does."""

import ast
from textwrap import dedent

import pytest

from toolbench.checking.influence import influential


def reached(body, parameters="x, y"):
    """The parameters of a function with this body that have an influence."""
    text = f"def f({parameters}):\n" + "\n".join(f"    {line}" for line in dedent(body).strip().split("\n"))
    return set(parameters.split(", ")) & influential(ast.parse(text).body[0])


@pytest.mark.parametrize(
    "body",
    [
        "return x",
        "y = y or 10\nreturn x",
        "n = int(y)\nreturn x",
        "if y:\n    return x\nreturn x",
        "if y:\n    return x\nelse:\n    return x",
        "if y:\n    pass\nreturn x",
        "if y is None:\n    y = 5\nreturn x",
        "a, b = y, 1\nreturn x",
        "y += 1\nreturn x",
        "left = [y]\nright = left\nreturn x",
        "'''y'''\nreturn x",
    ],
)
def test_a_value_that_goes_nowhere_has_none(body):
    """Into variables that nobody reads, or between branches that are the same."""
    assert reached(body) == {"x"}


@pytest.mark.parametrize(
    "body",
    [
        "return x, y",
        "n = y\nm = n\nreturn x + m",
        "if y:\n    return x\nreturn -x",
        "if y:\n    raise ValueError\nreturn x",
        "print(y)\nreturn x",
        "seen = y.lower()\nreturn x",
        "x[y] = 1\nreturn x",
        "x.name = y\nreturn x",
        "for one in y:\n    x.append(one)\nreturn x",
        "while y:\n    x += 1\n    y -= 1\nreturn x",
        "with y:\n    return x",
        "try:\n    return x[y]\nexcept KeyError:\n    return None",
        "def inner():\n    return y\nreturn inner, x",
        "return [one for one in x if one > y]",
        "return x if y else None",
        "assert y\nreturn x",
        "match y:\n    case 1:\n        return x\n    case _:\n        return 0",
        "z = (n := y)\nreturn x",
        "yield y\nyield x",
        "if x:\n    if y:\n        return 1\nreturn 2",
        "del x[y]",
    ],
)
def test_whatever_may_come_of_a_value_is_an_influence(body):
    """On the safe side: a call that is handed the value may do something with it."""
    assert reached(body) == {"x", "y"}
