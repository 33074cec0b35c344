"""Operators of class definition, where their examples leave something to say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.definition import Definition
from toolbench.mutation.definition import ADD_FIELD, DROP_FIELD, RENAME_FIELD
from toolbench.mutation.operator import DoesNotFit, Site
from toolbench.schema import check_schema
from toolbench.tools import Tool, tool

FIELDS = st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=5, unique=True)


def take(**fields):
    return fields


@tool(schema=["path", "mode"], inject="world")
def listing(world, path=".", mode=""):
    return {"path": path}


def message(operator, **arguments):
    with pytest.raises(DoesNotFit) as refused:
        operator.apply(Site(listing), arguments)
    return str(refused.value)


def test_a_dropped_field_cannot_be_sent():
    """A call by definition no longer carries the dropped field; a direct call still may."""
    damaged = DROP_FIELD.apply(Site(listing), {"field": "path"})
    assert damaged.definition.arguments_from({"path": "/", "mode": "r"}) == {"mode": "r"}
    assert damaged.call({"path": "/"}).value == {"path": "/"}


def test_a_renamed_field_keeps_its_place():
    """The new name stands where the old one stood."""
    assert RENAME_FIELD.apply(Site(listing), {"field": "path", "to": "x"}).definition.fields == ("x", "mode")


def test_a_tool_without_properties_can_get_a_field():
    """A declaration without any field can get its first one."""

    @tool(schema={"type": "object"})
    def ping():
        return {}

    assert ADD_FIELD.apply(Site(ping), {"field": "x", "schema": {}}).definition.fields == ("x",)


def test_fields_that_are_not_declared():
    """Only a declared field can be dropped or renamed; the nearest names are offered."""
    known = "unknown field of listing 'pat': did you mean path? Known: path, mode"
    assert message(DROP_FIELD, field="pat") == known
    assert message(RENAME_FIELD, field="pat", to="x") == known


def test_fields_that_are_declared_already():
    """No field can be declared twice, and the injected parameter never."""
    twice = "listing declares the field 'mode' already"
    never = "'world' is injected into listing; it can never be declared"
    assert message(RENAME_FIELD, field="path", to="mode") == twice
    assert message(ADD_FIELD, field="mode", schema={}) == twice
    assert message(RENAME_FIELD, field="path", to="world") == never
    assert message(ADD_FIELD, field="world", schema={}) == never


def test_the_arguments_are_not_shared():
    """The added field's schema is a copy: changing the catalogue's afterwards changes no tool."""
    schema = {"enum": [1]}
    damaged = ADD_FIELD.apply(Site(listing), {"field": "x", "schema": schema})
    schema["enum"].append(2)
    assert damaged.definition.schema["properties"]["x"] == {"enum": [1]}


@given(FIELDS, st.data())
def test_damaged_declarations_are_declarations(fields, data):
    """Whatever field is dropped, renamed or added, the result is a valid schema with exactly those fields."""
    required = data.draw(st.lists(st.sampled_from(fields), unique=True))
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in fields}, "required": required}
    target, new = Tool(Definition("t", schema), take), "a name of nine or more letters"
    field = data.draw(st.sampled_from(fields))

    dropped = DROP_FIELD.apply(Site(target), {"field": field}).definition
    renamed = RENAME_FIELD.apply(Site(target), {"field": field, "to": new}).definition
    added = ADD_FIELD.apply(Site(target), {"field": new, "schema": {"type": "integer"}}).definition

    others = [name for name in fields if name != field]
    assert sorted(dropped.fields) == sorted(others)
    assert sorted(dropped.schema["required"]) == sorted(name for name in required if name != field)
    assert renamed.fields == tuple(new if name == field else name for name in fields)
    assert renamed.schema["required"] == [new if name == field else name for name in required]
    assert added.fields == (*fields, new)
    for definition in (dropped, renamed, added):
        check_schema(definition.schema, "t")
    assert target.definition.schema == schema
