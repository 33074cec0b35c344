"""Failures that are told as answers: which texts are, and which only speak of errors."""

import pytest

import toolbench as tb
from tests.checking.made_up import checked_here

SCHEMA = {"type": "object", "properties": {"x": {"type": "integer", "enum": [1, 2]}}, "required": ["x"]}


def codes(text):
    def answers(x):
        return text if x == 1 else {"x": x}

    checked = checked_here(tb.Scenario(name="t", tools=[tb.Tool(tb.Definition("t", SCHEMA, "Does."), answers)]))
    return {finding.code for finding in checked.findings if finding.counts}


@pytest.mark.parametrize(
    "text",
    [
        "Error: division by zero",
        "Error opening file: [Errno 2] No such file",
        "Failed to read: 'NoneType' object is not subscriptable",
        {"result": "Exception: list index out of range"},
    ],
)
def test_an_exception_that_is_told_is_a_finding(text):
    """As an answer, or as a field of one."""
    assert codes(text) == {"error-as-text"}


@pytest.mark.parametrize(
    "text",
    ["2 errors were found: none of them is grave", "Errors in Translation is a book", "done", {"error_rate": 3}, ""],
)
def test_an_answer_that_speaks_of_errors_is_none(text):
    """It is what was asked for."""
    assert codes(text) == set()


def test_a_rate_of_errors_is_no_failure():
    """It begins with the word, and has a colon behind it."""
    assert codes("Error rate of line 3: 2 %") == set()
