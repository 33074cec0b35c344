"""ToolTable: an ordered, immutable set of tools by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from toolbench.calling import Caller
from toolbench.definition import Definitions
from toolbench.errors import ScenarioError, ToolRefused, unknown
from toolbench.outcome import ERROR, NO_SUCH_TOOL, Outcome
from toolbench.refusal import refusal
from toolbench.schema import check_schema
from toolbench.tools import Tool
from toolbench.values import digest


class ToolTable(Mapping[str, Tool]):
    """An ordered, immutable set of tools by name; `replace` and `without` give new tables.

    >>> from toolbench import ToolTable, tool
    >>> @tool(schema=["x"])
    ... def double(x):
    ...     return {"y": 2 * x}
    >>> ToolTable([double]).call("double", {"x": 4}).value
    {'y': 8}
    >>> ToolTable([double]).call("treble", {}).message
    'no such tool'
    """

    def __init__(self, tools: Iterable[Tool]):
        table: dict[str, Tool] = {}
        for item in tools:
            if not isinstance(item, Tool):
                raise ScenarioError(f"{item!r} is not a Tool; put @tool(schema=...) above the function")
            if item.name in table:
                cure = "a tool's name is unique in its table"
                raise ToolRefused(item.name, "duplicate-name", f"two tools are named {item.name!r}", cure, "/name")
            table[item.name] = item
        self._tools = table
        self.callers: Mapping[str, Caller] = {name: item.caller for name, item in table.items()}
        self.definitions = Definitions(item.definition for item in table.values())

    def __getitem__(self, name: str) -> Tool:
        try:
            return self._tools[name]
        except KeyError:
            raise KeyError(unknown("tool", name, self._tools)) from None

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def __repr__(self) -> str:
        return f"ToolTable({', '.join(self._tools)})"

    def replace(self, item: Tool) -> ToolTable:
        """The same table with `item` in the place of the tool of its name."""
        if item.name not in self._tools:
            raise ScenarioError(unknown("tool", item.name, self._tools))
        return ToolTable({**self._tools, item.name: item}.values())

    def without(self, name: str) -> ToolTable:
        """The same table less one tool."""
        return ToolTable(item for item in self._tools.values() if item.name != name)

    def call(self, name: str, arguments: Mapping[str, Any], world: Any = None) -> Outcome:
        """Call a tool by name; a tool that is not there is a reported error, as an agent's host would say."""
        caller = self.callers.get(name)
        return NO_SUCH_TOOL if caller is None else caller(arguments, world)

    def dispatch(self, name: str, arguments: Mapping[str, Any], world: Any = None) -> Outcome:
        """Call a tool as an agent's host does: what does not fit the declaration is a reported error, and no call.

        The error names the unknown fields, the missing ones and the values that break the schema, all at once.

        >>> from toolbench import ToolTable, tool
        >>> @tool
        ... def note(content: str):
        ...     return {"kept": content}
        >>> ToolTable([note]).dispatch("note", {"text": "tea"}).message
        "unknown field 'text': did you mean 'content'? missing field 'content'"
        """
        item = self._tools.get(name)
        if item is None:
            return NO_SUCH_TOOL
        refused = refusal(item.definition, arguments)
        return item.caller(arguments, world) if refused is None else Outcome(ERROR, None, refused)

    def check(self) -> None:
        """SchemaError unless every schema is valid JSON Schema."""
        for item in self._tools.values():
            check_schema(item.definition.schema, f"tool {item.name}")

    def fingerprint(self) -> str:
        """16 hexadecimal digits: the same for tables of equal tools in equal order."""
        return digest([item.text() for item in self._tools.values()])
