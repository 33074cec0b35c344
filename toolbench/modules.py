"""The tools of a Python file or module that is no scenario: `my_tools.py:table`, `package.module`."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from toolbench.errors import ScenarioError, unknown
from toolbench.formats.document import Document
from toolbench.formats.reading import read_document
from toolbench.importing import import_file, import_named
from toolbench.scenario import DEADLINE, Scenario
from toolbench.table import ToolTable
from toolbench.tools import Tool, tool
from toolbench.world import World

NAMES = ("table", "tools", "TABLE", "TOOLS")


def split_reference(reference: str) -> tuple[str, str]:
    """A file or module, and the name in it; nothing where none is given.

    >>> split_reference("my_tools.py:table"), split_reference("my_package.tools")
    (('my_tools.py', 'table'), ('my_package.tools', ''))
    """
    place, colon, name = reference.rpartition(":")
    return (place, name) if colon and (not name or name.isidentifier()) else (reference, "")


def is_module(reference: str) -> bool:
    """Whether a reference names a Python file, or a module that can be found; nothing of the user's is run for it."""
    place, _ = split_reference(reference)
    if place.endswith(".py"):
        return os.path.isfile(place)
    path: Sequence[str] | None = [os.getcwd(), *sys.path]
    importlib.invalidate_caches()
    for number, part in enumerate(parts := place.split("."), 1):
        if not part.isidentifier() or path is None:
            return False
        spec = PathFinder.find_spec(".".join(parts[:number]), path)
        if spec is None:
            return False
        path = spec.submodule_search_locations
    return True


def read_module(reference: str) -> Scenario | Document:
    """The tools of a module as a scenario without suite and tasks; its `world`, if it has one, is the scenario's.

    A module may hold definitions without functions, too, as a provider is given them: a list of mappings.
    Raises ScenarioError, or ToolRefused, when it cannot be imported or has no tools.
    """
    place, name = split_reference(reference)
    module = _module(reference)
    found = _named(module, name, reference) if name else _first(module, reference)
    if isinstance(found, Scenario):
        return found
    if isinstance(found, list | tuple) and found and all(isinstance(item, Mapping) for item in found):
        return read_document(list(found), reference)
    return Scenario(
        name=Path(place).stem if place.endswith(".py") else place,
        tools=tools_of(found, reference),
        world=getattr(module, "world", World),
        deadline=getattr(module, "deadline", DEADLINE),
    )


def read_functions(reference: str) -> dict[str, Callable[..., Any]]:
    """The functions of a module by name, or of the list that is named in it; no schema is made of them."""
    _, name = split_reference(reference)
    module = _module(reference)
    found = _named(module, name, reference) if name else list(vars(module).values())
    given = list(found.values()) if isinstance(found, Mapping) else found if isinstance(found, Iterable) else [found]
    own = [item for item in given if not isinstance(item, FunctionType) or name or item.__module__ == module.__name__]
    every = [item for item in own if isinstance(item, Tool | FunctionType) or (name and callable(item))]
    return {item.name if isinstance(item, Tool) else item.__name__: _bare(item) for item in every}


def _bare(item: Any) -> Callable[..., Any]:
    function: Callable[..., Any] = item.function if isinstance(item, Tool) else item
    return function


def _module(reference: str) -> ModuleType:
    place, _ = split_reference(reference)
    if not is_module(reference):
        raise ScenarioError(f"{place}: no such {'file' if place.endswith('.py') else 'module'}")
    return import_file(Path(place).resolve()) if place.endswith(".py") else import_named(place)


def tools_of(value: Any, where: str) -> ToolTable:
    """A table of what is given: a table, a tool, a function, or several of these; functions derive their schemas."""
    if isinstance(value, ToolTable):
        return value
    if isinstance(value, Tool | FunctionType):
        value = [value]
    if isinstance(value, Mapping):
        value = value.values()
    if not isinstance(value, Iterable) or isinstance(value, str):
        raise ScenarioError(f"{where}: {_shown(value)} is no table; give a ToolTable, or a list of tools or functions")
    tools = []
    for item in value:
        if not isinstance(item, Tool) and not callable(item):
            raise ScenarioError(f"{where}: {_shown(item)} is no tool; give tools, or functions with their hints")
        tools.append(item if isinstance(item, Tool) else tool(item))
    if not tools:
        raise ScenarioError(f"{where}: has no tools in it")
    return ToolTable(tools)


def _named(module: ModuleType, name: str, reference: str) -> Any:
    if not hasattr(module, name):
        raise ScenarioError(f"{reference}: {unknown('name', name, [n for n in vars(module) if not n.startswith('_')])}")
    return getattr(module, name)


def _first(module: ModuleType, reference: str) -> Any:
    """What a module most likely means: its table, or the tools in it in the order of their definition."""
    for name in NAMES:
        if hasattr(module, name):
            return getattr(module, name)
    found = [value for value in vars(module).values() if isinstance(value, Tool)]
    if found:
        return list({id(item): item for item in found}.values())
    raise ScenarioError(
        f"{reference}: has no tools in it; put @tool above its functions, or name a list of tools or functions, "
        f"as in {reference}:tools"
    )


def _shown(value: Any) -> str:
    return f"an object of type {type(value).__name__}"
