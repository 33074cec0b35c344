"""Operators of class definition: the function is right, the declaration is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from toolbench.mutation.operator import DEFINITION, TEXT, DoesNotFit, Example, Operator, Site, declared, takes
from toolbench.schema import Schema
from toolbench.tools import Tool, tool

SCHEMA: Schema = {"type": "object", "$ref": "https://json-schema.org/draft/2020-12/schema"}


def _redeclared(site: Site, change: Callable[[Schema], None]) -> Tool:
    return replace(site.tool, definition=site.tool.definition.with_schema(change))


def _undeclared(site: Site, name: str) -> str:
    if name in site.tool.definition.fields:
        raise DoesNotFit(f"{site.tool.name} declares the field {name!r} already")
    if name == site.tool.inject:
        raise DoesNotFit(f"{name!r} is injected into {site.tool.name}; it can never be declared")
    return name


def _drop_field(site: Site, arguments: Mapping[str, Any]) -> Tool:
    name = declared(site, arguments["field"])

    def change(schema: Schema) -> None:
        del schema["properties"][name]
        if name in schema.get("required", []):
            schema["required"].remove(name)

    return _redeclared(site, change)


def _rename_field(site: Site, arguments: Mapping[str, Any]) -> Tool:
    name, new = declared(site, arguments["field"]), _undeclared(site, arguments["to"])

    def change(schema: Schema) -> None:
        schema["properties"] = {new if n == name else n: s for n, s in schema["properties"].items()}
        if "required" in schema:
            schema["required"] = [new if n == name else n for n in schema["required"]]

    return _redeclared(site, change)


def _add_field(site: Site, arguments: Mapping[str, Any]) -> Tool:
    name = _undeclared(site, arguments["field"])

    def change(schema: Schema) -> None:
        schema.setdefault("properties", {})[name] = arguments["schema"]

    return _redeclared(site, change)


def _object(*required: str, **properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(required)}


_TEXT = {"type": "string"}


@tool(schema=_object("city", city=_TEXT, unit=_TEXT))
def _weather(city: str, unit: str = "C") -> dict[str, Any]:
    return {"city": city, "unit": unit}


@tool(schema={"type": "object", "properties": {"path": {"type": "string"}}})
def _size(path: str = ".") -> dict[str, Any]:
    return {"path": path}


DROP_FIELD = Operator(
    name="drop_field",
    classes=(DEFINITION,),
    fault="A field that the function takes is not declared, so an agent cannot send it.",
    arguments=takes(field=TEXT),
    apply=_drop_field,
    examples=(
        Example(
            _weather, {"field": "city"},
            before=_object("city", city=_TEXT, unit=_TEXT), after=_object(unit=_TEXT),
        ),
        Example(
            _size, {"field": "path"},
            before={"type": "object", "properties": {"path": _TEXT}}, after={"type": "object", "properties": {}},
        ),
    ),
)  # fmt: skip

RENAME_FIELD = Operator(
    name="rename_field",
    classes=(DEFINITION,),
    fault="A field is declared under a name that the function does not read.",
    arguments=takes(field=TEXT, to=TEXT),
    apply=_rename_field,
    examples=(
        Example(
            _weather, {"field": "city", "to": "place"},
            before=_object("city", city=_TEXT, unit=_TEXT), after=_object("place", place=_TEXT, unit=_TEXT),
        ),
        Example(
            _size, {"field": "path", "to": "file"},
            before={"type": "object", "properties": {"path": _TEXT}},
            after={"type": "object", "properties": {"file": _TEXT}},
        ),
    ),
)  # fmt: skip

ADD_FIELD = Operator(
    name="add_field",
    classes=(DEFINITION,),
    fault="A field is declared that the function does not use.",
    arguments=takes(field=TEXT, schema=SCHEMA),
    apply=_add_field,
    examples=(
        Example(
            _weather, {"field": "day", "schema": {"type": "integer"}},
            before=_object("city", city=_TEXT, unit=_TEXT),
            after=_object("city", city=_TEXT, unit=_TEXT, day={"type": "integer"}),
        ),
        Example(
            _size, {"field": "depth", "schema": {}},
            before={"type": "object", "properties": {"path": _TEXT}},
            after={"type": "object", "properties": {"path": _TEXT, "depth": {}}},
        ),
    ),
)  # fmt: skip

OPERATORS = (DROP_FIELD, RENAME_FIELD, ADD_FIELD)
