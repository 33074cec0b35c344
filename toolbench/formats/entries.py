"""Where in a document the definitions stand: alone, in lists, by name, or wrapped beside other data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from toolbench.formats.document import kind_of, listed
from toolbench.formats.type_names import is_type_name
from toolbench.pointers import pointer_to

SCHEMA_KEYS = ("parameters", "inputSchema", "input_schema")
LISTS = ("tools", "functions", "function_declarations", "functionDeclarations")
FUNCTIONS = ("function", "functions", "function_declarations", "functionDeclarations")
WRAPPERS = ("definition", "function", "tool")
TOOL_TYPES = ("function", "custom")
SAY_SCHEMA = ("$schema", "$ref", "anyOf", "oneOf", "allOf")
DEEPEST = 8  # wrappers and lists in one another; a document that goes deeper holds something else


@dataclass(frozen=True)
class Beside:
    """Other data that an object holds beside one definition, or beside a list of them: where, under which keys."""

    pointer: str
    keys: tuple[str, ...]
    one: bool


@dataclass(frozen=True)
class Entry:
    """One definition as it stands in a document.

    value: what stands there. pointer: where. key: the key that it stands under, where keys are names. place: its
    number among the entries of a list, from 1, or 0 where it stands alone. openai: whether it stands where OpenAI's
    functions do (Gemini's, too), which may lack a schema. beside: what stood around it and was not read; data around
    several are told with the first. wrong: why this can't be a definition.
    """

    value: Any
    pointer: str
    key: str = ""
    place: int = 0
    openai: bool = False
    beside: tuple[Beside, ...] = ()
    wrong: str = ""


def entries(value: Any) -> Iterator[Entry]:
    """The places of a document where a definition stands or should stand, in its order.

    >>> [(e.pointer, e.openai) for e in entries({"tools": [{"type": "function", "function": {"name": "ping"}}]})]
    [('/tools/0/function', True)]
    >>> [(e.pointer, e.key) for e in entries({"ping": {"type": "object"}})]
    [('/ping', 'ping')]
    """
    return _inside(Entry(value, ""), 0)


def is_definition(value: Any) -> bool:
    """Whether an object is a definition or a JSON Schema, rather than something around one."""
    if not isinstance(value, dict):
        return False
    return any(key in value for key in SCHEMA_KEYS) or is_schema(value) or _is_named(value)


def is_schema(value: dict[str, Any]) -> bool:
    """Whether an object has keywords that make it a JSON Schema, and none that make it a provider's definition.

    >>> is_schema({"type": "object"}), is_schema({"type": "function", "name": "ping"}), is_schema({"type": {}})
    (True, False, False)
    """
    if any(key in value for key in SCHEMA_KEYS):
        return False
    kind = value.get("type")
    if isinstance(kind, list) or (isinstance(kind, str) and is_type_name(kind)):
        return True
    said = isinstance(value.get("properties"), dict) and not isinstance(kind, dict) and kind not in TOOL_TYPES
    return said or any(isinstance(value.get(key), str | list) for key in SAY_SCHEMA)


def _is_named(value: dict[str, Any]) -> bool:
    return isinstance(value.get("name"), str) or value.get("type") in TOOL_TYPES


def _inside(entry: Entry, depth: int) -> Iterator[Entry]:
    value = entry.value
    if depth > DEEPEST:
        yield replace(entry, wrong="lies too deep in lists and wrappers; a list of definitions is right")
    elif isinstance(value, list):
        for place, item in enumerate(value):
            at = entry.pointer + pointer_to(place)
            around = entry.beside if place == 0 else ()
            inner = replace(entry, value=item, pointer=at, key="", place=place + 1, beside=around)
            yield from _inside(inner, depth + 1)
    elif not isinstance(value, dict):
        yield replace(entry, wrong=f"is {kind_of(value)}, not a definition; an object with name and schema is right")
    elif steps := _steps(value):
        beside = entry.beside + _beside(entry, steps)
        for key in steps:
            at = entry.pointer + pointer_to(key)
            inner = replace(entry, value=value[key], pointer=at, openai=key in FUNCTIONS, beside=beside)
            yield from _inside(inner, depth + 1)
            beside = ()  # told once
    elif is_definition(value):
        yield entry
    elif any(map(_holds, value.values())):
        yield from _by_name(entry, depth)
    else:
        yield replace(entry, wrong=_neither(value))


def _by_name(entry: Entry, depth: int) -> Iterator[Entry]:
    """Entries under keys that are names; a text or a number among them is no definition, but other data."""
    data = tuple(str(key) for key, held in entry.value.items() if isinstance(held, str | int | float))
    beside = entry.beside + ((Beside(entry.pointer, data, one=False),) if data else ())
    for key, held in entry.value.items():
        if not isinstance(held, str | int | float):
            at = entry.pointer + pointer_to(key)
            inner = Entry(held, at, key=str(key), openai=entry.openai, beside=beside)
            yield from _inside(inner, depth + 1)
            beside = ()


def _steps(value: Any) -> tuple[str, ...]:
    """The keys of an object under which definitions stand; none where it is a definition, or maps names to some."""
    if not isinstance(value, dict) or any(key in value for key in SCHEMA_KEYS):
        return ()
    lists = tuple(key for key in LISTS if _is_list(value.get(key)))
    if lists:
        return lists
    if isinstance(value.get("result"), dict) and _is_list(value["result"].get("tools")):
        return ("result",)
    if _maps_names(value) or (isinstance(value.get("properties"), dict) and is_schema(value)):
        return ()
    return next(((key,) for key in WRAPPERS if isinstance(value.get(key), dict | list)), ())


def _is_list(value: Any) -> bool:
    return isinstance(value, list) or (isinstance(value, dict) and not is_definition(value))


def _maps_names(value: dict[str, Any]) -> bool:
    """Whether keys are names of tools, though one reads like a wrapper: all hold schemas, or several definitions."""
    held = list(value.values())
    if not all(map(is_definition, held)):
        return False
    schemas = sum(map(is_schema, held))
    return schemas == len(held) or (schemas == 0 and len(held) > 1)


def _holds(value: Any) -> bool:
    if isinstance(value, list):
        return any(is_definition(item) or _steps(item) for item in value)
    return is_definition(value) or bool(_steps(value))


def _beside(entry: Entry, steps: tuple[str, ...]) -> tuple[Beside, ...]:
    if steps == ("result",):  # beside it stands what every answer of a server has
        return ()
    tool_type = "type" if entry.value.get("type") in ("function", "custom") else None
    keys = tuple(str(key) for key in entry.value if key not in steps and key != tool_type)
    one = steps[0] in WRAPPERS and not isinstance(entry.value[steps[0]], list)
    return (Beside(entry.pointer, keys, one),) if keys else ()


def _neither(value: dict[str, Any]) -> str:
    has = f"has the keys {listed(list(map(str, value))[:8])}" if value else "is empty"
    return f"{has}, so it is neither a definition nor a JSON Schema; name and parameters are right"
