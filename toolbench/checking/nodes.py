"""The schemas that a schema is made of, each with its place; and where references lead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import unquote

from toolbench.definition import Definition
from toolbench.pointers import pointer_to
from toolbench.schema import HOLD_A_LIST, HOLD_BY_NAME, HOLD_ONE
from toolbench.validation import Validators

MOST_STEPS = 50
BESIDE = ("allOf", "anyOf", "oneOf", "if", "then", "else")  # of the same value, not of a part of it


@dataclass(frozen=True)
class Node:
    """A schema within a schema: its place, and the keyword that it stands under (its name, where it has one)."""

    pointer: str
    schema: Mapping[str, Any]
    keyword: str = ""
    name: str = ""

    @property
    def types(self) -> tuple[str, ...]:
        """The types that it names."""
        said = self.schema.get("type")
        return tuple(one for one in (said if isinstance(said, list) else [said]) if isinstance(one, str))


class Declaration:
    """A definition, read: its nodes, its fields, and its validators, each made once."""

    def __init__(self, definition: Definition):
        self.definition = definition
        self.schema = definition.schema
        self.fields: Mapping[str, Any] = self.schema.get("properties", {})
        required = self.schema.get("required", ())
        self.required = tuple(n for n in required if isinstance(n, str)) if isinstance(required, list) else ()

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        return tuple(nodes(self.schema))

    @cached_property
    def elsewhere(self) -> frozenset[str]:
        """The fields that are declared beside the schema's own, in its alternatives."""
        names: set[str] = set()
        for node in self.nodes:
            parts = node.pointer.split("/")[1:]
            if all(part in BESIDE or part.isdecimal() for part in parts):
                own = followed(node.schema, self.schema).get("properties")
                names |= set(own) if isinstance(own, Mapping) else set()
        return frozenset(names) - set(self.fields)

    @property
    def validators(self) -> Validators:
        return self.definition.validators

    def field(self, name: str) -> Mapping[str, Any]:
        """The schema of a field, with what its reference leads to; empty for one that says nothing."""
        given = self.fields.get(name)
        return followed(given, self.schema) if isinstance(given, Mapping) else {}

    def optional(self, name: str) -> bool:
        return name not in self.required

    def admits(self, arguments: Mapping[str, Any]) -> bool | None:
        """Whether the arguments are admitted; None where nobody can say."""
        return self.validators.admits(dict(arguments))


def at_field(name: str) -> str:
    """The place of a declared field."""
    return pointer_to("properties", name)


def nodes(schema: Any) -> Iterator[Node]:
    """Every schema inside a schema, itself first, in the order of the text; what is no schema is passed over."""
    waiting = [("", schema, "", "")]
    while waiting:
        pointer, inner, keyword, name = waiting.pop()
        if not isinstance(inner, Mapping):
            continue
        yield Node(pointer, inner, keyword, name)
        waiting += reversed(list(_below(pointer, inner)))


def _below(pointer: str, schema: Mapping[str, Any]) -> Iterator[tuple[str, Any, str, str]]:
    for keyword, value in schema.items():
        place = pointer + pointer_to(keyword)
        if keyword in HOLD_BY_NAME and isinstance(value, Mapping):
            for name, inner in value.items():
                yield place + pointer_to(name), inner, keyword, name
        elif (keyword in HOLD_A_LIST or keyword == "items") and isinstance(value, list):
            for number, inner in enumerate(value):
                yield f"{place}/{number}", inner, keyword, ""
        elif keyword in HOLD_ONE:
            yield place, value, keyword, ""


def target(reference: str, root: Any) -> Any:
    """What a reference inside the document leads to; None for one that leads nowhere, or out of it."""
    base, _, fragment = unquote(reference).partition("#")
    found = root if not base else next((n.schema for n in nodes(root) if _named(n, base)), None)
    if fragment and not fragment.startswith("/"):
        return next((node.schema for node in nodes(found) if node.schema.get("$anchor") == fragment), None)
    for part in fragment.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, Mapping):
            found = found.get(name)
        elif isinstance(found, list) and name.isdecimal() and int(name) < len(found):
            found = found[int(name)]
        else:
            return None
    return found if isinstance(found, Mapping | bool) else None


def _named(node: Node, base: str) -> bool:
    """Whether a schema inside the document carries this identifier."""
    own = node.schema.get("$id")
    return isinstance(own, str) and own.rstrip("#") == base


def followed(schema: Mapping[str, Any], root: Any) -> Mapping[str, Any]:
    """A schema with what its `$ref` leads to, as far as it leads; what stands beside the reference goes first."""
    for _ in range(MOST_STEPS):
        reference = schema.get("$ref")
        found = target(reference, root) if isinstance(reference, str) else None
        if not isinstance(found, Mapping):
            return schema
        schema = {**found, **{key: value for key, value in schema.items() if key != "$ref"}}
    return {}
