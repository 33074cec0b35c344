"""JSON values in TOML: what TOML cannot say stands as JSON text under `<key>_json`.

TOML has no null and no whole number beyond 64 bits. So any value may be given as JSON text under its
key with `_json` behind it: `value_json = "null"`. A field whose own name ends in `_json` is always given
so: `raw_json_json = "1"` is the field `raw_json`.
"""

from __future__ import annotations

import datetime
import json
import math
import tomllib
from pathlib import Path
from typing import Any

from toolbench.errors import ToolbenchError

SUFFIX = "_json"
LARGEST = 2**63 - 1


def read_toml(path: Path, error: type[ToolbenchError]) -> dict[str, Any]:
    """A TOML file's values, with each `<key>_json` read; `error` names file, key and value."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as problem:
        raise error(f"{path}: cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise error(f"{path}: is not UTF-8 text") from None
    try:
        table = tomllib.loads(text)
    except ValueError as problem:  # a number of thousands of digits is no TOMLDecodeError
        raise error(f"{path}: is not TOML: {problem}") from None
    except RecursionError:
        raise error(f"{path}: is nested too deeply") from None
    try:
        decoded: dict[str, Any] = decode(table)
    except ValueError as problem:
        raise error(f"{path}: {problem}") from None
    return decoded


def decode(value: Any, place: str = "") -> Any:
    """The JSON value that a TOML value stands for; ValueError names the place.

    >>> decode({"current": 150, "previous_json": "null"})
    {'current': 150, 'previous': None}
    """
    if isinstance(value, list):
        return [decode(item, f"{place}[{i}]") for i, item in enumerate(value)]
    if isinstance(value, datetime.date | datetime.time | datetime.datetime):
        raise ValueError(f"{place}: {value} is a TOML date or time, which JSON has not; write it as a text")
    if not isinstance(value, dict):
        return value
    fields: dict[str, Any] = {}
    for key, given in value.items():
        here = f"{place}.{key}" if place else key
        if key.endswith(SUFFIX):
            key, content = key.removesuffix(SUFFIX), _from_text(given, here)
        else:
            content = decode(given, here)
        if key in fields:
            raise ValueError(f"{here}: {key} is given twice, as itself and as {key}{SUFFIX}; keep one")
        fields[key] = content
    return fields


def _from_text(given: Any, place: str) -> Any:
    cure = f'a key that ends in {SUFFIX} holds JSON text, such as "null"'
    if not isinstance(given, str):
        raise ValueError(f"{place}: {given!r} is not a text; {cure}")
    try:
        return json.loads(given, parse_constant=_no_constant)
    except (ValueError, RecursionError) as problem:
        raise ValueError(f"{place}: {given[:80]!r} is not JSON ({problem}); {cure}") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def encode(value: dict[str, Any]) -> dict[str, Any]:
    """The TOML form of a JSON object: `decode(encode(v)) == v`, JSON text only where TOML needs it.

    >>> encode({"current": 150, "previous": None})
    {'current': 150, 'previous_json': 'null'}
    """
    table = {}
    for key, field in value.items():
        if not _is_unicode(key):
            raise ValueError(f"{key!r}: it has half a character in it, and can only stand inside a JSON text")
        if _fits(field) and not key.endswith(SUFFIX):
            table[key] = encode(field) if isinstance(field, dict) else field
        else:
            table[key + SUFFIX] = json.dumps(field, allow_nan=False)
    return table


def _fits(value: Any) -> bool:
    """Whether TOML can hold this value itself (for an object: its keys; its fields see to themselves)."""
    if isinstance(value, dict):
        return all(map(_is_unicode, value))
    if isinstance(value, list):
        return all(not isinstance(item, dict) and _fits(item) for item in value)
    if isinstance(value, bool):
        return True
    if isinstance(value, int):
        return -LARGEST - 1 <= value <= LARGEST
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, str) and _is_unicode(value)


def _is_unicode(text: str) -> bool:
    """Whether a file can hold the text: JSON knows halves of surrogate pairs, UTF-8 does not."""
    return not any(0xD800 <= ord(c) <= 0xDFFF for c in text)
