"""Type names of programming languages in schemas, translated to JSON Schema's.

Benchmarks of function calling write `dict`, `float` or `HashMap` where JSON Schema says `object` or `number`, and
Gemini writes `OBJECT`. The root tells: a tool takes an object, so a root of type `dict` says that the whole schema
is written so. Where the root says `object`, a `float` inside is a mistake, and is left for a check to find.
"""

from __future__ import annotations

import re
from typing import Any

from toolbench.formats.document import Loss
from toolbench.formats.subschemas import changed_inside
from toolbench.pointers import pointer_to

ANY = "any"
BY_TYPE = {
    "string": "str String STRING Str char Char Character char[] CharSequence bytes",
    "integer": "int Int Integer INTEGER long Long short Short byte Byte BigInteger BigInt Bigint bigint",
    "number": "float Float double Double Number NUMBER BigDecimal Decimal decimal complex",
    "boolean": "bool Bool Boolean BOOLEAN",
    "array": "list List tuple Tuple set Set frozenset Array ARRAY ArrayList LinkedList Vector Queue Deque Stack"
    " HashSet TreeSet LinkedHashSet Collection Iterable Sequence",
    "object": "dict Dict dictionary HashMap Map LinkedHashMap TreeMap Hashtable Mapping OBJECT",
    "null": "None NoneType NULL void",
    ANY: "any Any Object TYPE_UNSPECIFIED",
}
TYPE_NAMES = {name: json for json, names in BY_TYPE.items() for name in names.split()}
JSON_NAMES = frozenset(BY_TYPE) - {ANY}

LOST = {
    "that it is one character": "char Char Character",
    "that it is bytes": "bytes",
    "how many bits it has": "long Long short Short byte Byte",
    "that it is a complex number": "complex",
    "that its length is fixed": "tuple Tuple",
    "that no item comes twice": "set Set frozenset HashSet TreeSet LinkedHashSet",
}
LOST_OF = {name: what for what, names in LOST.items() for name in names.split()}
OF_PARTS = re.compile(r"(?P<whole>\w+)\s*[<\[](?P<part>.+)[>\]]")  # List<String>, dict[str, int]


def is_typed(schema: Any) -> bool:
    """Whether the root of a schema has a type name that means an object in a programming language.

    >>> is_typed({"type": "dict"}), is_typed({"type": "OBJECT"}), is_typed({"type": "object"}), is_typed({})
    (True, True, False, False)
    """
    name = schema.get("type") if isinstance(schema, dict) else None
    return isinstance(name, str) and (name == "Object" or _translated(name) == "object") and name not in JSON_NAMES


def is_type_name(name: str) -> bool:
    """Whether a text is a type name: JSON Schema's, or one that is translated.

    >>> is_type_name("integer"), is_type_name("List<String>"), is_type_name("web_search")
    (True, True, False)
    """
    return name in JSON_NAMES or _translated(name) != name


def translate(schema: dict[str, Any], tool: str, pointer: str = "") -> tuple[dict[str, Any], list[Loss]]:
    """A copy of a schema with all type names in JSON Schema's words, and what they said that JSON Schema's don't.

    Names that are unknown stay. A second translation changes nothing more.

    >>> schema = {"type": "dict", "properties": {"at": {"type": "tuple", "items": {"type": "float"}}}}
    >>> translated, (loss,) = translate(schema, "look_up")
    >>> translated
    {'type': 'object', 'properties': {'at': {'type': 'array', 'items': {'type': 'number'}}}}
    >>> print(loss)
    look_up /properties/at/type: tuple became array, which does not say that its length is fixed
    """
    losses: list[Loss] = []
    root = {**schema, "type": "object"} if schema.get("type") == "Object" else schema  # inside, it is any value

    def change(inner: Any, at: str) -> Any:
        if not isinstance(inner, dict):
            return inner
        named = _with_type(inner, lambda what: losses.append(Loss(tool, at + pointer_to("type"), what)))
        return changed_inside(named, at, change)

    return change(root, pointer), losses


def _with_type(schema: dict[str, Any], lose: Any) -> dict[str, Any]:
    given = schema.get("type")
    if isinstance(given, list):
        names = [_named(name, schema, lose) if isinstance(name, str) else name for name in given]
        if ANY in names:  # the others say nothing beside it
            return {key: held for key, held in schema.items() if key != "type"}
        once = [name for place, name in enumerate(names) if name not in names[:place]]
        return {**schema, "type": once if names != given else given}
    if not isinstance(given, str):
        return schema
    name = _named(given, schema, lose)
    if name == ANY:
        return {key: held for key, held in schema.items() if key != "type"}
    typed = {**schema, "type": name}
    if given.endswith("[]") and name == "array" and "items" not in schema:
        typed["items"] = {"type": given[:-2]}  # translated in its turn
    return typed


def _named(given: str, schema: dict[str, Any], lose: Any) -> str:
    name = _translated(given)
    if name == ANY and isinstance(schema.get("properties"), dict):
        return "object"
    parts = OF_PARTS.fullmatch(given)
    if name == ANY:
        lose(f"{given} became no type: JSON Schema has no name for any value")
    elif given in LOST_OF:
        lose(f"{given} became {name}, which does not say {LOST_OF[given]}")
    elif parts and name != given:
        lose(f"{given} became {name}, which does not say that it is of {parts['part']}")
    elif given.endswith("[]") and name == "array" and isinstance(schema["type"], list):
        lose(f"{given} became {name}, which does not say that it is of {given[:-2]}")
    return name


def _translated(given: str) -> str:
    if given in TYPE_NAMES:
        return TYPE_NAMES[given]
    if given.endswith("[]") and len(given) > 2:
        return "array"
    parts = OF_PARTS.fullmatch(given)
    return TYPE_NAMES.get(parts["whole"], given) if parts else given
