"""The definitions of a server as they were kept: `definitions.json`, read and written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from toolbench.definition import Definition
from toolbench.errors import ScenarioError
from toolbench.formats.document import Fault
from toolbench.formats.reading import read_document

SNAPSHOT = "definitions.json"
EFFECT = {"side_effect": True, "destructive": True, "idempotent": False, "open_world": True}


@dataclass(frozen=True)
class Listing:
    """What a server says that it offers.

    tools: the definitions as they came, in order. server: its name and version. protocol: the version that was agreed
    on. noise: how many lines came on its standard output that were no messages, and the first of them.
    """

    tools: Sequence[Mapping[str, Any]]
    server: Mapping[str, Any] = field(default_factory=dict)
    protocol: str = ""
    noise: tuple[int, str] = (0, "")

    @property
    def called(self) -> str:
        """The server's own name, or what stands for one."""
        name = self.server.get("name")
        return name if isinstance(name, str) and name else "server"

    def facts(self) -> dict[str, Any]:
        return {"server": dict(self.server), "protocol": self.protocol, "tools": list(self.tools)}

    def text(self) -> str:
        """As it is kept in a file: keys in order, so that the same definitions are the same bytes."""
        return json.dumps(self.facts(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def read_snapshot(path: Path) -> Listing:
    """The definitions that were kept in a file; ScenarioError says what is wrong with it."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise ScenarioError(f"{path}: cannot be read: {problem.strerror}") from None
    except (ValueError, RecursionError) as problem:
        raise ScenarioError(f"{path}: is not JSON: {problem}") from None
    tools = content.get("tools") if isinstance(content, dict) else None
    if not isinstance(tools, list) or not tools or not all(isinstance(tool, dict) for tool in tools):
        raise ScenarioError(f"{path}: has no list of tools; `init --mcp` and `drift --accept` write one")
    server = content.get("server")
    return Listing(tools, server if isinstance(server, dict) else {}, str(content.get("protocol", "")))


def check_kept(listing: Listing, place: str) -> None:
    """ScenarioError unless a scenario could be made of a listing: it has tools, all readable, each of its own name."""
    definitions, faults = definitions_of(listing, place)
    names = [one.name for one in definitions]
    twice = next((name for name in names if names.count(name) > 1), None)
    if not listing.tools or faults or twice is not None:
        what = "no tool is listed" if not listing.tools else f"two tools are named {twice!r}"
        what = f"{faults[0].tool}: {faults[0].what}" if faults else what
        raise ScenarioError(f"{place}: what the server lists cannot be kept: {what}; `check --mcp` tells more of it")


def definitions_of(listing: Listing, place: str) -> tuple[list[Definition], list[Fault]]:
    """The definitions that can be read, and what is wrong with the others.

    What a tool's annotations do not say is what the protocol says in that case: it may have effects, destroy, do
    something else when it is called again, and reach the outside.
    """
    document = read_document({"tools": list(listing.tools)}, place)
    return [_with_defaults(definition) for definition in document.definitions], list(document.faults)


def _with_defaults(definition: Definition) -> Definition:
    if definition.side_effect is False:  # the other hints mean something only where there are effects
        return replace(definition, open_world=True) if definition.open_world is None else definition
    missing: dict[str, Any] = {name: value for name, value in EFFECT.items() if getattr(definition, name) is None}
    return replace(definition, **missing)
