"""A scenario folder on disk: finding it, reading what is in it, its digest.

A folder has a `scenario.py`, or a `server.toml` with the definitions that were kept of the server, or both; cases and
tasks may stand in files of their own.

Reading a folder runs the user's code in this process. `toolbench.loading` first tries it in another one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

from toolbench.cases import read_cases
from toolbench.errors import ScenarioError, ToolRefused, unknown
from toolbench.importing import PACKAGE, import_file
from toolbench.scenario import DEADLINE, Scenario
from toolbench.servers.server import Server
from toolbench.servers.settings import SERVER, read_server
from toolbench.servers.snapshot import SNAPSHOT, read_snapshot
from toolbench.table import ToolTable
from toolbench.tasks import TASKS, read_tasks
from toolbench.tools import Tool
from toolbench.world import World

SCENARIO, CASES, CATALOGUE = "scenario.py", "cases.toml", "defects.toml"
DIGESTED = (".py", ".toml")  # data files may be what the tools write
ENTRIES = (SCENARIO, SERVER)
PARTS = ("tasks", "agent", "base_seed")


def shipped(name: str) -> Path:
    """A folder that ships with the library: beside the package in a checkout, inside it in a wheel."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


def built_in() -> tuple[str, ...]:
    """The names of the built-in scenarios."""
    folder = shipped("scenarios")
    return tuple(sorted({path.parent.name for entry in ENTRIES for path in folder.glob(f"*/{entry}")}))


def find_folder(reference: str | Path) -> Path:
    """A scenario's folder, by the name of a built-in one or by path; ScenarioError offers the nearest names."""
    if not isinstance(reference, str | Path):
        raise ScenarioError(f"{reference!r} is no scenario: give a Scenario, a name or the path of a folder")
    text = str(reference)
    if text in built_in():
        return shipped("scenarios") / text
    path = Path(reference)
    if path.name in ENTRIES and os.path.isfile(path):  # `Path.is_file` raises for a path that is too long
        path = path.parent
    if not os.path.isdir(path):
        near = unknown("scenario", text, built_in())
        raise ScenarioError(f"{near}, or the path of a scenario folder")
    if not any(os.path.isfile(path / entry) for entry in ENTRIES):
        cure = "`python -m toolbench init FOLDER` makes a working scenario"
        raise ScenarioError(f"{path}: has no {SCENARIO} and no {SERVER}; {cure}")
    return path.resolve()


def catalogue_path(folder: Path) -> Path:
    """Where the catalogue of the scenario in this folder is, whether or not it is there."""
    own = folder / CATALOGUE
    if not own.exists() and folder.parent == shipped("scenarios"):
        return shipped("defects") / f"{folder.name}.toml"
    return own


def folder_digest(folder: Path) -> str:
    """16 hexadecimal digits of the names and contents of what makes a scenario: code, TOML, definitions kept."""
    content = hashlib.sha256()
    for path in _files(folder):
        content.update(os.fsencode(path.relative_to(folder).as_posix()) + b"\0")
        try:
            content.update(hashlib.sha256(path.read_bytes()).digest())
        except OSError as problem:
            raise ScenarioError(f"{path}: cannot be read: {problem.strerror}") from None
    return content.hexdigest()[:16]


def _files(folder: Path) -> Iterator[Path]:
    """The files that make a scenario, in order: no hidden ones, no environment, nothing that was installed."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in ("__pycache__", "node_modules"):
            continue
        if path.is_dir() and not path.is_symlink() and not (path / "pyvenv.cfg").exists():
            yield from _files(path)
        elif (path.suffix in DIGESTED or path.name == SNAPSHOT) and path.is_file():
            yield path


def read_folder(folder: Path) -> Scenario:
    """Import a folder's `scenario.py`, read its other files, and make a Scenario of them.

    ScenarioError says what is wrong; where the user's code raised, with the user's own line.
    """
    code, server = folder / SCENARIO, None
    given = vars(import_file(code)) if code.is_file() else {}
    table: Any = given.get("tools")
    if (folder / SERVER).is_file():
        if own := {"tools", "world"} & set(given):
            raise ScenarioError(f"{code}: defines `{min(own)}`, which the server of {SERVER} gives; leave it out")
        server, table = _served(folder)
    elif table is None:
        raise ScenarioError(f"{code}: defines no `tools`; give tools = [first_tool, second_tool]")
    parts = read_tasks(folder / TASKS)
    if twice := [name for name in parts if name in given and (parts[name] or name != "tasks")]:
        raise ScenarioError(f"{folder / TASKS}: gives {twice[0]}, and so does {SCENARIO}; keep one of them")
    parts = {**{name: given[name] for name in PARTS if name in given}, **parts}
    functions = {name: value.function if isinstance(value, Tool) else value
                 for name, value in given.items() if isinstance(value, Tool | FunctionType)}  # fmt: skip
    cases = read_cases(folder / CASES)
    try:
        scenario = Scenario(
            name=folder.name,
            tools=_listed(table, "tools"),
            cases=cases,
            tasks=_listed(parts.get("tasks", ()), "tasks"),
            agent=parts.get("agent"),
            world=given.get("world", World),
            base_seed=parts.get("base_seed", 0),
            functions=functions,
            deadline=given.get("deadline", DEADLINE if server is None else server.deadline),
            server=server,
            folder=folder,
        )
    except ToolRefused as problem:
        raise problem.at(str(code)) from None
    except ScenarioError as problem:
        raise ScenarioError(f"{code if server is None else folder}: {problem}") from None
    object.__setattr__(scenario, "as_read", True)
    return scenario


def _served(folder: Path) -> tuple[Server, ToolTable]:
    """The server of a folder, and the table of the definitions that were kept of it."""
    kept = folder / SNAPSHOT
    server = Server(read_server(folder / SERVER), folder)
    try:
        return server, server.table(read_snapshot(kept), str(kept))
    except ToolRefused as problem:
        raise problem.at(str(kept)) from None


def _listed(value: Any, name: str) -> tuple[Any, ...]:
    try:
        return tuple(value.values()) if hasattr(value, "values") else tuple(value)
    except TypeError:
        raise ScenarioError(f"{name} is {value!r}; it is a list") from None
