"""JSON Schema (draft 2020-12) for tools: read what was given, check it, name its fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolbench.errors import SchemaError
from toolbench.values import NotPlain, plain, show, show_message

Schema = dict[str, Any]

# Keywords that hold schemas, of draft 2020-12 and of earlier ones.
HOLD_BY_NAME = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
HOLD_A_LIST = ("anyOf", "oneOf", "allOf", "prefixItems")
HOLD_ONE = (
    *("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"),
    *("unevaluatedItems", "unevaluatedProperties", "additionalItems", "contentSchema"),
)


def read_schema(given: Mapping[str, Any] | Sequence[str], where: str) -> Schema:
    """A schema of one's own, from JSON Schema or from a plain list of field names.

    A list declares its fields and says nothing else: any type, none required.

    >>> read_schema(["query"], "search_docs")
    {'type': 'object', 'properties': {'query': {}}}
    """
    if isinstance(given, Mapping):
        try:
            schema: Schema = plain(given)
        except NotPlain as problem:
            raise SchemaError(f"{where}: the schema is not JSON: {problem}") from None
        if not isinstance(schema.get("properties", {}), dict):
            raise SchemaError(f"{where}: properties is {show(schema['properties'])}; it maps field names to schemas")
        return schema
    if isinstance(given, Sequence) and not isinstance(given, str) and all(isinstance(f, str) for f in given):
        if len(set(given)) < len(given):
            raise SchemaError(f"{where}: the list of fields {list(given)} names a field twice")
        return {"type": "object", "properties": {field: {} for field in given}}
    raise SchemaError(f"{where}: a schema is a JSON Schema object or a list of field names, not {given!r}")


def declared_fields(schema: Schema) -> tuple[str, ...]:
    """The names of the declared fields, in the order of the declaration."""
    return tuple(schema.get("properties", {}))


def check_schema(schema: Schema, where: str) -> None:
    """SchemaError, with the place in the schema, unless it is valid JSON Schema for an object."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError as Invalid

    try:
        Draft202012Validator.check_schema(schema)
    except Invalid as problem:
        place = "/".join(map(str, problem.absolute_path)) or "the schema itself"
        raise SchemaError(
            f"{where}: not valid JSON Schema at {place}: {show(problem.instance, 80)}: {show_message(problem.message)}"
        ) from None
    if schema.get("type", "object") != "object":
        raise SchemaError(f"{where}: the schema's type is {show(schema['type'])}; a tool takes an object of fields")
