"""JSON values: which Python values they are, when two are equal, and how they are shown.

Everything that passes between an agent, a tool and an expectation is a JSON value. A tool may return
tuples, enum members, dataclasses or numpy numbers; `plain` makes JSON values of them, as a host would.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import math
from collections.abc import Iterator, Mapping
from json import dumps  # by name: a tool may patch the module
from typing import Any

SCALARS = frozenset({str, int, float, bool, type(None)})
DEEPEST = 200


class NotPlain(TypeError):
    """A value that no JSON text could carry."""


def plain(value: Any) -> Any:
    """A copy of `value` made of dicts, lists, texts, numbers, booleans and None only.

    Raises NotPlain for a value that refers to itself, is nested deeper than 200 levels, or is
    of a type that has no JSON form.

    >>> plain({"pair": (1, 2)})
    {'pair': [1, 2]}
    """
    return _plain(value, [])


def _plain(value: Any, above: list[int]) -> Any:
    if type(value) in SCALARS:
        return value
    if isinstance(value, enum.Enum):
        return _plain(value.value, above)
    for base in (str, bool, int, float):
        if isinstance(value, base):
            return base(value)
    if id(value) in above:
        raise NotPlain("it refers to itself")
    if len(above) >= DEEPEST:
        raise NotPlain(f"it is nested deeper than {DEEPEST} levels")
    above.append(id(value))
    try:
        return _container(value, above)
    finally:
        above.pop()


def _container(value: Any, above: list[int]) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        fields = {}
        for key, field in value.items():
            if not isinstance(key, str):
                raise NotPlain(f"a key of it is a {type(key).__name__}, not a text")
            fields[str.__str__(key)] = _plain(field, above)  # str() of an enum member is its name
        return fields
    if isinstance(value, list | tuple):
        if SCALARS.issuperset(map(type, value)):
            return list(value)
        return [_plain(item, above) for item in value]
    for method in ("model_dump", "tolist"):  # pydantic models; numpy numbers and arrays
        convert = getattr(value, method, None)
        if callable(convert) and not isinstance(value, type):
            return _plain(convert(), above)
    raise NotPlain(f"a {type(value).__name__} has no JSON form")


def equal(left: Any, right: Any) -> bool:
    """Whether two plain values are the same JSON value: 1 is 1.0, and true is not 1.

    >>> equal(1, 1.0), equal(True, 1), equal({"a": [1]}, {"a": [1]})
    (True, False, True)
    """
    if type(left) is type(right) and type(left) in (str, int):
        return bool(left == right)
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, float) and isinstance(right, float) and math.isnan(left):
        return math.isnan(right)
    return bool(left == right)


def canonical(value: Any) -> str:
    """One text per plain value, whatever the order of its keys."""
    try:
        return dumps(value, sort_keys=True, separators=(",", ":"))
    except ValueError:  # a whole number of so many digits that Python does not print it
        return dumps(_in_hexadecimal(value), sort_keys=True, separators=(",", ":"))


def _in_hexadecimal(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _in_hexadecimal(field) for key, field in value.items()}
    if isinstance(value, list):
        return [_in_hexadecimal(item) for item in value]
    return {"integer": hex(value)} if type(value) is int else value


def digest(value: Any) -> str:
    """16 hexadecimal digits of the SHA-256 of a plain value's canonical text."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()[:16]


def show(value: Any, limit: int = 160) -> str:
    """A plain value as one line of JSON, cut after `limit` characters; work is bounded by the cut.

    >>> show({"m3": 50}), show("x" * 500, limit=6)
    ('{"m3": 50}', '"xxxxx…')
    """
    text = ""
    for piece in _pieces(value, limit):
        text += piece
        if len(text) > limit:
            break
    text = harmless(text)
    return text if len(text) <= limit else text[:limit] + "…"


def _pieces(value: Any, limit: int) -> Iterator[str]:
    if isinstance(value, dict):
        yield "{"
        for i, (key, field) in enumerate(value.items()):
            yield (", " if i else "") + dumps(key[: limit + 1], ensure_ascii=False) + ": "
            yield from _pieces(field, limit)
        yield "}"
    elif isinstance(value, list):
        yield "["
        for i, item in enumerate(value):
            if i:
                yield ", "
            yield from _pieces(item, limit)
        yield "]"
    elif isinstance(value, str):
        yield dumps(value[: limit + 1], ensure_ascii=False)
    elif isinstance(value, int) and value.bit_length() > 4000:  # Python refuses to print such numbers
        yield f"an integer of {value.bit_length()} bits"
    else:
        yield dumps(value)


def harmless(text: str) -> str:
    """`text` on one line, with everything a terminal might obey written as an escape.

    >>> harmless("red" + chr(27) + "[31m")
    'red\\\\x1b[31m'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def show_message(message: str) -> str:
    """A validator's message, on one line and short enough for it."""
    text = harmless(message)
    return text if len(text) <= 200 else text[:200] + "…"
