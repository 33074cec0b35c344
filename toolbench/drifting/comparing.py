"""Drift: the tools of an MCP server as they were kept, against the tools that it gives today.

A definition is the contract of an API that agents use. What a tool takes may admit more and never less; what it
answers may be less and never more. See `toolbench.drifting.reasons` for every kind of change inside a schema.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Any

from toolbench.counting import counted
from toolbench.drifting.change import (
    ABSENT,
    BREAKING,
    COMPATIBLE,
    DEGRADING,
    LEVELS,
    RANK,
    Change,
    alike,
    shown,
    turned,
    worst,
)
from toolbench.drifting.hints import hint_changes
from toolbench.drifting.reasons import INPUT, OUTPUT
from toolbench.drifting.schemas import Found, schema_changes
from toolbench.drifting.wording import says
from toolbench.pointers import pointer_to

__all__ = ["BREAKING", "COMPATIBLE", "DEGRADING", "LEVELS", "Change", "drift", "worst"]

COMPARED = ("name", "description", "title", "inputSchema", "outputSchema", "annotations")
FOR_HOSTS = ("_meta", "icons", "title")  # shown to people or to hosts, and to no agent
NEAR, MOST_NAMES = 0.6, 200  # of new names, that many are tried
UNSEEN = "an agent is shown the same; only what people or hosts see differs"
LESS_KNOWN = "an agent has less to tell when to use the tool, and picks the wrong one more often"
REWORDED = "calls are the same, though an agent may choose otherwise: read what it is told now"
TWICE = "which of the tools of one name a call reaches is anybody's guess"


def drift(kept: Sequence[Any], live: Sequence[Any]) -> tuple[Change, ...]:
    """The changes from tools as they were kept to tools as they are given today, in the order of the kept ones.

    kept, live: raw MCP definitions (`name`, `inputSchema`, ...), in any state: what is malformed is compared as a
    whole. New tools come last. Of a tool, the worst changes come first. Spelling is no change: the order of keys, a
    `$ref` or what it leads to, a list of types or an `anyOf` of them, a default of the annotations said or unsaid.

    >>> old = [{"name": "find", "inputSchema": {"properties": {"limit": {"type": "integer", "maximum": 100}}}}]
    >>> new = [{"name": "find", "inputSchema": {"properties": {"limit": {"type": "integer", "maximum": 50}}}}]
    >>> for change in drift(old, new):
    ...     print(change.level, change.tool, change.pointer, change.what)
    breaking find /inputSchema/properties/limit/maximum was at most 100, is at most 50
    """
    before, after = _by_name(kept), _by_name(live)
    new = {name: tools for name, tools in after.items() if name not in before}
    changes: list[Change] = []
    for name, tools in before.items():
        found = _gone(name, tools[0], new) if name not in after else _of_one_name(tools, after[name])
        changes += _in_order(name, found)
    for name, tools in new.items():
        changes += _in_order(name, _of_new(tools))
    return tuple(changes)


def _by_name(tools: Any) -> dict[str, list[Any]]:
    """All definitions of each name; one that has no name gets its place for one."""
    named: dict[str, list[Any]] = {}
    for place, tool in enumerate(tools if isinstance(tools, list | tuple) else ()):
        name = tool.get("name") if isinstance(tool, dict) else None
        named.setdefault(name if isinstance(name, str) else f"#{place + 1}", []).append(tool)
    return named


def _in_order(tool: str, found: Iterator[Found]) -> list[Change]:
    once = sorted(set(found), key=lambda change: (RANK[change.level], change.pointer, change.what, change.why))
    return [Change(change.level, tool, change.pointer, change.what, change.why) for change in once]


def _gone(name: str, tool: Any, new: Mapping[str, list[Any]]) -> Iterator[Found]:
    few = list(islice(new, MOST_NAMES))
    near = get_close_matches(name, few, n=1, cutoff=NEAR)
    same = [other for other in few if _takes_the_same(tool, new[other][0])]
    renamed = next((other for other in near if other in same), None) or next(iter(same + near), None)
    like = "takes the same" if renamed in same else "has a name near to it"
    hint = f"; {shown(renamed)} is new and {like}: it may have been renamed" if renamed is not None else ""
    yield Found(BREAKING, "", f"the tool is gone{hint}", "every call of it fails, and so does each task that needs it")


def _takes_the_same(kept: Any, live: Any) -> bool:
    """Whether two tools have one schema, and one that says enough to be told by."""
    schemas = [tool.get("inputSchema") if isinstance(tool, dict) else None for tool in (kept, live)]
    return isinstance(schemas[0], dict) and bool(schemas[0].get("properties")) and alike(*schemas)


def _of_new(tools: list[Any]) -> Iterator[Found]:
    yield Found(COMPATIBLE, "", "the tool is new", "calls of the other tools are as right as before")
    if len(tools) > 1:
        yield Found(BREAKING, "", f"{counted(len(tools), 'tool')} of this name are new", TWICE)


def _of_one_name(kept: list[Any], live: list[Any]) -> Iterator[Found]:
    """The changes of the first; of further ones of the same name, only that they are not what they were."""
    if not alike(kept[1:], live[1:]):
        told = f"was given {counted(len(kept), 'time')}, is given {counted(len(live), 'time')}"
        what = told if len(kept) != len(live) else f"{told}, and another than the first changed"
        yield Found(BREAKING, "", what, TWICE)
    old, new = kept[0], live[0]
    if not (isinstance(old, dict) and isinstance(new, dict)):
        if not alike(old, new):
            yield Found(BREAKING, "", turned(old, new), "what stands here is no definition, so nobody can call it")
        return
    for key, way in (("inputSchema", INPUT), ("outputSchema", OUTPUT)):
        yield from _schemas(key, way, *(_present(tool, key) for tool in (old, new)))
    yield from _texts(old, new)
    yield from hint_changes(old.get("annotations", ABSENT), new.get("annotations", ABSENT))
    for key in sorted({key for key in {**old, **new} if isinstance(key, str) and key not in COMPARED}):
        before, after = old.get(key, ABSENT), new.get(key, ABSENT)
        if not alike(before, after):
            level = COMPATIBLE if key in FOR_HOSTS else DEGRADING
            why = UNSEEN if key in FOR_HOSTS else "another key changed, and what follows from it cannot be told"
            yield Found(level, pointer_to(key), turned(before, after), why)


def _present(tool: Mapping[str, Any], key: str) -> Any:
    """The value of a key; null is none."""
    return ABSENT if tool.get(key) is None else tool[key]


def _schemas(key: str, way: str, kept: Any, live: Any) -> Iterator[Found]:
    at = pointer_to(key)
    if way == OUTPUT and kept is ABSENT and live is not ABSENT:
        yield Found(COMPATIBLE, at, "answers are declared now", "readers know more of what they get, and miss nothing")
    elif way == OUTPUT and kept is not ABSENT and live is ABSENT:
        why = "whoever reads the structured answer cannot count on any of its fields"
        yield Found(BREAKING, at, "answers were declared and no longer are", why)
    else:
        yield from schema_changes(kept, live, at, way)


def _texts(kept: Mapping[str, Any], live: Mapping[str, Any]) -> Iterator[Found]:
    """Description and title; what says nothing is as good as missing."""
    for key in ("description", "title"):
        before, after = kept.get(key, ABSENT), live.get(key, ABSENT)
        if alike(before, after) or not (says(before) or says(after)):
            continue
        if key == "title":
            level, why = COMPATIBLE, UNSEEN
        else:
            level, why = (COMPATIBLE, REWORDED) if says(after) else (DEGRADING, LESS_KNOWN)
        yield Found(level, pointer_to(key), turned(before, after), why)
