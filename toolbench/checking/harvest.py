"""Values that answers give and other calls may take: what one tool lists, another one looks up."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from json import loads
from typing import Any

from toolbench.values import SCALARS, canonical

MOST_PAIRS = 60
MOST_TEXT = 20_000
MOST_VALUE = 120
MOST_OFFERED = 12
WORD = re.compile(r"""['"`]([^'"`\n]{1,60})['"`]|\b([0-9a-f]{7,40})\b|^[-* ]*([\w./:@#-]{1,60})$""", re.MULTILINE)
LAST = re.compile(r"[A-Z]?[a-z0-9]+$")

Pair = tuple[str, Any]


def harvested(value: Any) -> list[Pair]:
    """(name, value) of the small values in an answer, those in JSON that is told as text too; words have no name."""
    found: dict[str, Pair] = {}
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting and len(found) < MOST_PAIRS:
        name, inner = waiting.pop(0)
        if isinstance(inner, dict):
            waiting += [(str(key), one) for key, one in inner.items()]
        elif isinstance(inner, list):
            waiting += [(name, one) for one in inner[:MOST_PAIRS]]
        elif isinstance(inner, str) and (read := _structured(inner)) is not None:
            waiting.append((name, read))
        elif isinstance(inner, str) and ("\n" in inner or len(inner) > MOST_VALUE or name in ("", "text", "result")):
            for word in _words(inner):
                found.setdefault(canonical(["", word]), ("", word))
        elif type(inner) in SCALARS and inner is not None and not isinstance(inner, bool):
            found.setdefault(canonical([name, inner]), (name, inner))
    return list(found.values())[:MOST_PAIRS]


def _structured(text: str) -> Any:
    """The object or list that a text is, in JSON or in Python's way; None for any other text."""
    if text[:20].lstrip()[:1] not in ("{", "[") or len(text) > MOST_TEXT:
        return None
    for read in (loads, ast.literal_eval):
        try:
            value = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return value if isinstance(value, dict | list) else None
    return None


def _words(text: str) -> Iterator[str]:
    for found in WORD.finditer(text[:MOST_TEXT]):
        yield next(group for group in found.groups() if group is not None)


def in_turns(lists: Iterable[Sequence[Pair]]) -> list[Pair]:
    """The pairs of several tools, one of each in turn, so that none crowds out the others."""
    rows = zip_longest(*lists)
    return [pair for row in rows for pair in row if pair is not None]


def offered(name: str, pairs: Iterable[Pair]) -> list[Any]:
    """The harvested values that a field of this name may take: those of its own name, of a related one, then words."""
    ranked: list[tuple[int, Any]] = []
    for key, value in pairs:
        rank = _related(name.casefold(), key.casefold()) if key else 2
        if rank is not None:
            ranked.append((rank, value))
    first: dict[str, Any] = {}
    for _, value in sorted(ranked, key=lambda pair: pair[0]):
        first.setdefault(canonical(value), value)
    return list(first.values())[:MOST_OFFERED]


def _related(name: str, key: str) -> int | None:
    """0 for one name, 1 where one is the end of the other; None for names that have nothing to do with each other."""
    if name == key or name in (key + "s", key + "es") or key == name + "s":
        return 0
    mine, its = LAST.search(name), LAST.search(key)
    if mine is not None and its is not None and mine.group() in (its.group(), its.group() + "s"):
        return 1
    return 1 if name.endswith(key) or key.endswith(name) else None
