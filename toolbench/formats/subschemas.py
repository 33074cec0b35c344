"""The schemas inside a schema: which keywords hold them, and a copy in which each is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from toolbench.pointers import pointer_to
from toolbench.schema import HOLD_A_LIST, HOLD_BY_NAME, HOLD_ONE

Change = Callable[[Any, str], Any]


def changed_inside(schema: dict[str, Any], pointer: str, change: Change) -> dict[str, Any]:
    """A copy of a schema, one level deep, with `change(inner, pointer of inner)` in place of each schema inside.

    What no keyword holds as a schema (enum, default, examples) is left as it is, whatever it looks like; so is what
    stands where a schema should and is none.

    >>> schema = {"properties": {"a": {"type": "float"}}, "default": {"type": "float"}}
    >>> changed_inside(schema, "", lambda inner, pointer: pointer)
    {'properties': {'a': '/properties/a'}, 'default': {'type': 'float'}}
    """
    changed: dict[str, Any] = {}
    for key, held in schema.items():
        at = pointer + pointer_to(key)
        if key in HOLD_BY_NAME and isinstance(held, dict):
            changed[key] = {
                name: change(inner, at + pointer_to(name)) if _is_schema(inner) else inner
                for name, inner in held.items()
            }
        elif (key in HOLD_A_LIST or key == "items") and isinstance(held, list):
            changed[key] = [
                change(inner, at + pointer_to(place)) if _is_schema(inner) else inner
                for place, inner in enumerate(held)
            ]
        elif key in HOLD_ONE and _is_schema(held):
            changed[key] = change(held, at)
        else:
            changed[key] = held
    return changed


def subschemas(schema: dict[str, Any], pointer: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """A schema and all schemas inside it that are objects, each behind its pointer.

    >>> [pointer for pointer, _ in subschemas({"items": {"anyOf": [{"type": "null"}, True]}})]
    ['', '/items', '/items/anyOf/0']
    """
    yield pointer, schema
    inside: list[tuple[str, dict[str, Any]]] = []

    def note(inner: Any, at: str) -> Any:
        if isinstance(inner, dict):
            inside.append((at, inner))
        return inner

    changed_inside(schema, pointer, note)
    for at, inner in inside:
        yield from subschemas(inner, at)


def _is_schema(value: Any) -> bool:
    return isinstance(value, dict | bool)
