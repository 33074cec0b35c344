"""Faults, losses and documents: what they say."""

import pytest

from toolbench.formats.document import Document, Fault, Loss, kind_of, listed, said


def test_a_fault_and_a_loss_are_one_line_each():
    """Tool, place, what; without a place, tool and what."""
    assert str(Fault("ping", "/0/name", "is null")) == "ping /0/name: is null"
    assert str(Loss("ping", "", "is not kept")) == said("ping", "", "is not kept") == "ping: is not kept"


def test_a_document_without_faults_says_so():
    """Faults and losses are empty unless given."""
    assert (Document((), "mcp").faults, Document((), "mcp").losses) == ((), ())


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "null"),
        (True, "true"),
        (1, "a number"),
        ("", "a text"),
        ({}, "an object"),
        ((), "a list"),
        (b"", "a bytes"),
    ],
)
def test_every_json_value_has_a_word(value, kind):
    """What is no JSON value at all is called by its Python type."""
    assert kind_of(value) == kind


def test_names_are_listed_with_commas():
    """In their order."""
    assert listed(["b", "a"]) == "b, a"
