"""What is read of a docstring: the tool's description and its parameters', whatever the style and its small faults."""

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.docstrings import read_docstring

GOOGLE = """Send parcels.

    They go by ship,
    slowly.

    Args:
        to (str, optional): Where to: a town
            or a port.
        count: How many.

    Returns:
        dict: A number. count: not this one.

    Raises:
        ValueError: If to is unknown.

    Note: never twice.
    """
NUMPY = """Send parcels.

    They go by ship,
    slowly.

    Parameters
    ----------
    to : str, optional
        Where to: a town
        or a port.
    count : int
        How many.

    Returns
    -------
    dict
        A number.

    Raises
    ------
    ValueError
        If to is unknown.
    """
REST = """Send parcels.

    They go by ship,
    slowly.

    :param str | None to: Where to: a town
        or a port.
    :type to: str
    :param count: How many.
    :returns: A number.
    :raises ValueError: If to is unknown.
    """
READ = {"to": "Where to: a town or a port.", "count": "How many."}


def said(text, names=("to", "count"), **more):
    return read_docstring(inspect.cleandoc(text), names, **more)


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, REST, REST.replace("    :", "    @")],
                         ids=["google", "numpy", "rest", "epydoc"])  # fmt: skip
def test_the_four_styles_say_the_same(text):
    """Descriptions over several lines are one line; types, returns and errors are left out."""
    read = said(text)
    assert read.parameters == READ
    assert read.description.removesuffix("\n\nNote: never twice.") == "Send parcels.\n\nThey go by ship,\nslowly."
    assert (read.unread, read.strangers) == ((), ())


def test_prose_after_the_sections_is_kept():
    """What stands below the sections is prose of the tool all the same."""
    assert said(GOOGLE).description.endswith("\n\nNote: never twice.")


@pytest.mark.parametrize("heading", ["Args", "Arguments", "Parameters", "Params", "Keyword Args", "Other Parameters"])
@pytest.mark.parametrize("blank", ["", "\n", "\n\n"], ids=["directly", "one blank line", "two"])
@pytest.mark.parametrize("before", ["", "Send.\n", "Send.\n\n"], ids=["first line", "no blank line", "blank line"])
@pytest.mark.parametrize("indent", ["", "  ", "    ", "\t"], ids=["flat", "two", "four", "tab"])
def test_a_section_is_found_however_it_is_set(heading, blank, before, indent):
    """No blank line, tab or missing indentation loses a description."""
    entries = f"{indent}to: Where to.\n\n{indent}count (int): How many.\n"
    text = f"{before}{heading}:\n{blank}{entries}\nReturns:\n    Nothing.\n"
    read = said(text)
    assert read.parameters == {"to": "Where to.", "count": "How many."}
    assert read.description == before.strip()
    assert read.unread == ()


@pytest.mark.parametrize("rule", ["----------", "---", "=========="])
@pytest.mark.parametrize("blank", ["", "\n"], ids=["directly", "one blank line"])
def test_a_ruled_section_is_found_however_it_is_set(rule, blank):
    """The rule may be of another length, and a blank line may follow it."""
    read = said(f"Parameters\n{rule}\n{blank}to, count : int\n    Both.\n\nNotes\n-----\nSlow.")
    assert read.parameters == {"to": "Both.", "count": "Both."}
    assert read.description == "Notes ----- Slow."


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("Args:\n    to: One\n    two.\n    count: Three.", {"to": "One two.", "count": "Three."}),
        ("Args:\n    - to: One.\n    * `count` (dict[str, int]): Two.", {"to": "One.", "count": "Two."}),
        ("Args:\n    to - One.\n    count: Two.", {"to": "One.", "count": "Two."}),
        ("Args:\n    to (tuple(int)): One (see: two).", {"to": "One (see: two)."}),
        ("Args:\n    to:\n        One.\n\n        Two.", {"to": "One. Two."}),
        ("Args:\n    to: One.\nKeyword Args:\n    count: Two.", {"to": "One.", "count": "Two."}),
        (":param to:\n    One.\n\n    Two.\n\nAfter.", {"to": "One. Two."}),
        (":param Literal['a:b'] to: One: two.", {"to": "One: two."}),
        ("@param to: One\ntwo.\n@param count: Three.", {"to": "One two.", "count": "Three."}),
        ("Args:\n    *to: One.\n    **count: Two.", {"to": "One.", "count": "Two."}),
    ],
)
def test_small_faults_of_layout(text, parameters):
    """Bullets, dashes, continuation lines without indentation, colons and stars are read as they were meant."""
    assert said(text).parameters == parameters


@pytest.mark.parametrize("text", ["", "Send parcels.", "Send: parcels."])
def test_no_parameters(text):
    """A docstring without sections is all description."""
    assert said(text) == said(text, names=())
    assert said(text).description == text


@pytest.mark.parametrize(
    "text",
    [
        "Send.\n\nto: Where to.",
        "Send.\n\n    to (str): Where to.",
        ":param to:",
        "Args:\n    to:",
    ],
)
def test_what_is_mentioned_and_not_read_is_named(text):
    """A parameter that the docstring plainly mentions is never lost without a word."""
    assert said(text).unread == ("to",)


def test_what_is_no_parameter_is_named():
    """A description of something that the function does not take is named, unless it is taken and not declared."""
    text = "Args:\n    to: A.\n    colour: B.\n    **more: C.\n    depot: D."
    assert said(text, undeclared=["more", "depot"]).strangers == ("colour",)
    assert said(text, undeclared=["more", "depot"]).parameters == {"to": "A."}


WORDS = st.text("abc xyz.:()-,", min_size=1, max_size=30).map(str.strip).filter(lambda text: text[:1].isalpha())


@given(st.dictionaries(st.sampled_from(["to", "count", "args", "returns", "ñandú"]), WORDS))
def test_what_is_written_is_read(descriptions):
    """Whatever a description says, it is read, and stays out of the tool's own."""
    text = "Send.\n\nArgs:\n" + "".join(f"    {name}: {words}\n" for name, words in descriptions.items())
    read = said(text, names=list(descriptions))
    assert read.parameters == {name: " ".join(words.split()) for name, words in descriptions.items()}
    assert (read.description, read.unread, read.strangers) == ("Send.", (), ())


@given(st.text("ab:\n -=@*`()\tArgsParmetunc", max_size=200))
def test_no_text_breaks_the_reading(text):
    """Any text gives a description and parameters, never an exception."""
    read = said(text, names=["a", "b"])
    assert set(read.parameters) <= {"a", "b"}
