"""Definition and Definitions: what an agent is shown, and that nobody can change it."""

import pytest

import toolbench as tb
from toolbench.definition import Definitions
from toolbench.errors import SchemaError

LOOK_UP = tb.Definition("look_up", ["query", "limit"], "Looks something up.")


def test_arguments_by_definition_are_the_declared_fields_that_the_state_holds():
    """A field that is not declared is not sent, a declared one that the state lacks neither; null is held."""
    assert LOOK_UP.arguments_from({"query": None, "mood": "good"}) == {"query": None}


def test_a_changed_schema_is_another_definition():
    """`with_schema` works on a copy and leaves the rest of the definition as it is."""
    shorter = LOOK_UP.with_schema(lambda schema: schema["properties"].pop("limit"))
    assert (shorter.fields, shorter.description) == (("query",), "Looks something up.")
    assert LOOK_UP.fields == ("query", "limit")


def test_definitions_are_read_only():
    """No way of changing a dict changes the definitions of a table."""
    definitions = Definitions([LOOK_UP])
    for change in (
        lambda: definitions.update(other=LOOK_UP),
        lambda: definitions.pop("look_up"),
        lambda: definitions.setdefault("other", LOOK_UP),
        lambda: definitions.__setitem__("look_up", LOOK_UP),
        lambda: definitions.__delitem__("look_up"),
        definitions.clear,
        definitions.popitem,
    ):
        with pytest.raises(TypeError, match="read-only"):
            change()
    assert definitions == {"look_up": LOOK_UP}
    assert definitions.names == ("look_up",)


def test_equal_texts_are_equal_definitions():
    """The order of keys in a schema makes no difference, anything else does."""
    one = tb.Definition("f", {"type": "object", "properties": {"a": {}}})
    same = tb.Definition("f", {"properties": {"a": {}}, "type": "object"})
    assert one.text() == same.text()
    assert one.text() != tb.Definition("f", {"type": "object", "properties": {"b": {}}}).text()
    assert one.text() != tb.Definition("f", one.schema, side_effect=True).text()


def test_a_schema_that_is_neither_json_nor_a_list_is_refused():
    """What was given stands in the message, with the tool's name."""
    with pytest.raises(SchemaError, match=r"tool f: .*not 5"):
        tb.Definition("f", 5)
