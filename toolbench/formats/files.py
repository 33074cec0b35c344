"""Read definitions from a file: JSON, or one JSON value a line."""

from __future__ import annotations

import json
import math
from collections import Counter
from os import PathLike
from pathlib import Path
from typing import Any

from toolbench.errors import UsageError
from toolbench.formats.document import Document, Loss
from toolbench.formats.reading import read_document
from toolbench.values import harmless, show

BY_LINE = (".jsonl", ".ndjson")


def load_definitions(path: str | PathLike[str]) -> Document:
    """The definitions in a file: JSON in any shape that `read_document` reads, or one such value a line.

    A file is read by lines where its name ends in .jsonl or .ndjson, and where it holds several values all the same.
    A key that stands twice in one object is a loss: JSON keeps the last. Raises UsageError for a file that is not
    there, is not UTF-8, is not JSON (with line and column), or holds something else.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "ping.schema.json")
    ...     _ = file.write_text('{"type": "object", "properties": {}}')
    ...     load_definitions(file).definitions[0].name
    'ping'
    """
    place = Path(path)
    shown = harmless(str(place))
    text = _text(place, shown)
    if not text.strip():
        raise UsageError(f"{shown}: is empty; a JSON document with tool definitions is right")
    twice: dict[str, None] = {}
    value = _by_line(text, shown, twice) if place.suffix.lower() in BY_LINE else _json_value(text, shown, twice)
    document = read_document(value, str(place))
    what = "stands twice in one object; only the last is kept"
    repeated = tuple(Loss(place.name, "", f"the key {show(key, 60)} {what}") for key in twice)
    return Document(document.definitions, document.format, document.faults, repeated + document.losses)


def _text(place: Path, shown: str) -> str:
    try:
        content = place.read_bytes()
    except FileNotFoundError:
        raise UsageError(f"{shown}: there is no such file; name a file with tool definitions") from None
    except IsADirectoryError:
        raise UsageError(f"{shown}: is a folder; name a file with tool definitions") from None
    except (OSError, ValueError) as problem:
        raise UsageError(f"{shown}: cannot be read: {getattr(problem, 'strerror', None) or problem}") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise UsageError(f"{shown}, line {line}: is not UTF-8; save the file as UTF-8") from None


def _json_value(text: str, shown: str, twice: dict[str, None]) -> Any:
    try:
        return _loads(text, shown, 1, twice)
    except json.JSONDecodeError as problem:
        if problem.msg == "Extra data":  # perhaps one value a line, under a name that does not say so
            try:
                json.loads(text.strip().partition("\n")[0])
            except ValueError:
                pass
            else:
                return _by_line(text, shown, twice)
        raise _not_json(problem, shown, 1) from None


def _by_line(text: str, shown: str, twice: dict[str, None]) -> list[Any]:
    values = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            values.append(_loads(line, shown, number, twice))
        except json.JSONDecodeError as problem:
            raise _not_json(problem, shown, number) from None
    return values


def _loads(text: str, shown: str, line: int, twice: dict[str, None]) -> Any:
    """A JSON value; `twice` gets the keys that stand more than once in an object of it."""

    def unlike_json(name: str) -> Any:
        raise UsageError(f"{shown}: holds {name}, which JSON does not have; null or a text is right")

    def number(digits: str) -> float:
        if math.isinf(float(digits)):
            raise UsageError(f"{shown}: holds the number {digits[:40]}, which is too large to be kept")
        return float(digits)

    def own(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        kept = dict(pairs)
        if len(kept) < len(pairs):
            times = Counter(key for key, _ in pairs)
            twice.update(dict.fromkeys(key for key in kept if times[key] > 1))
        return kept

    try:
        return json.loads(text, parse_constant=unlike_json, parse_float=number, object_pairs_hook=own)
    except RecursionError:
        raise UsageError(f"{shown}: is nested too deep to be read; tool definitions are a few levels deep") from None
    except json.JSONDecodeError:
        raise
    except ValueError:  # the one other that json raises: a number of more digits than Python reads
        raise UsageError(f"{shown}: holds a number of too many digits to be read") from None


def _not_json(problem: json.JSONDecodeError, shown: str, line: int) -> UsageError:
    at = f"line {line + problem.lineno - 1}, column {problem.colno}"
    return UsageError(f"{shown}, {at}: is not JSON: {problem.msg}")
