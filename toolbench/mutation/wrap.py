"""Damage from outside: a function around a tool's function, plain or async alike."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from toolbench.mutation.operator import Site
from toolbench.tools import Tool

Arguments = dict[str, Any]


def on_the_way_in(site: Site, change: Callable[[Arguments], Arguments]) -> Tool:
    """The tool with its arguments passed through `change` before each call."""
    return replace(site.tool, function=_around(site.tool, change, lambda value: value))


def on_the_way_out(site: Site, change: Callable[[Any], Any]) -> Tool:
    """The tool with what it returns passed through `change` after each call; what it raises is left alone."""
    return replace(site.tool, function=_around(site.tool, lambda arguments: arguments, change))


def _around(tool: Tool, before: Callable[[Arguments], Arguments], after: Callable[[Any], Any]) -> Callable[..., Any]:
    function = tool.function

    async def awaited(value: Awaitable[Any]) -> Any:
        return after(await value)

    @functools.wraps(function)
    def called(*positional: Any, **arguments: Any) -> Any:
        value = function(*positional, **before(arguments))
        return awaited(value) if inspect.isawaitable(value) else after(value)

    return called
