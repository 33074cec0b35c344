"""A tool table of a server's definitions: each tool's function passes the call on to the server."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from toolbench.definition import Definition
from toolbench.table import ToolTable
from toolbench.tools import Tool

WORLD = "world"


def live_table(definitions: Iterable[Definition]) -> ToolTable:
    """The table of these definitions; ToolRefused when two have one name."""
    return ToolTable(_tool(definition) for definition in definitions)


def _tool(definition: Definition) -> Tool:
    inject = WORLD
    while inject in definition.fields:
        inject += "_"
    return Tool(definition, _passed_on(definition.name, inject), inject=inject, elsewhere=True)


def _passed_on(name: str, inject: str) -> Callable[..., Any]:
    def passed_on(*first: Any, **arguments: Any) -> Any:
        world = first[0] if first else arguments.pop(inject)
        return world.call(name, arguments)

    return passed_on
