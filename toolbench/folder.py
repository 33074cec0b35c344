"""A scenario folder on disk: finding it, importing its `scenario.py`, its digest.

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
from toolbench.tools import Tool
from toolbench.world import World

SCENARIO, CASES, CATALOGUE = "scenario.py", "cases.toml", "defects.toml"
DIGESTED = (".py", ".toml")  # data files may be what the tools write


def shipped(name: str) -> Path:
    """A folder that ships with the library: beside the package in a checkout, inside it in a wheel."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


def built_in() -> tuple[str, ...]:
    """The names of the built-in scenarios."""
    folder = shipped("scenarios")
    return tuple(sorted(path.parent.name for path in folder.glob(f"*/{SCENARIO}")))


def find_folder(reference: str | Path) -> Path:
    """A scenario's folder, by the name of a built-in one or by path; ScenarioError offers the nearest names."""
    if not isinstance(reference, str | Path):
        raise ScenarioError(f"{reference!r} is no scenario: give a Scenario, a name or the path of a folder")
    text = str(reference)
    if text in built_in():
        return shipped("scenarios") / text
    path = Path(reference)
    if path.name == SCENARIO and os.path.isfile(path):  # `Path.is_file` raises for a path that is too long
        path = path.parent
    if not os.path.isdir(path):
        near = unknown("scenario", text, built_in())
        raise ScenarioError(f"{near}, or the path of a scenario folder")
    if not os.path.isfile(path / SCENARIO):
        raise ScenarioError(f"{path}: has no {SCENARIO}; `python -m toolbench init FOLDER` makes a working scenario")
    return path.resolve()


def catalogue_path(folder: Path) -> Path:
    """Where the catalogue of the scenario in this folder is, whether or not it is there."""
    own = folder / CATALOGUE
    if not own.exists() and folder.parent == shipped("scenarios"):
        return shipped("defects") / f"{folder.name}.toml"
    return own


def folder_digest(folder: Path) -> str:
    """16 hexadecimal digits of the names and contents of a folder's Python and TOML files, environments left out."""
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
        elif path.suffix in DIGESTED and path.is_file():
            yield path


def read_folder(folder: Path) -> Scenario:
    """Import a folder's `scenario.py`, read its `cases.toml`, and make a Scenario of them.

    ScenarioError says what is wrong; where the user's code raised, with the user's own line.
    """
    module = import_file(folder / SCENARIO)
    given = vars(module)
    if "tools" not in given:
        raise ScenarioError(f"{folder / SCENARIO}: defines no `tools`; give tools = [first_tool, second_tool]")
    functions = {name: value.function if isinstance(value, Tool) else value
                 for name, value in given.items() if isinstance(value, Tool | FunctionType)}  # fmt: skip
    cases = read_cases(folder / CASES)
    try:
        scenario = Scenario(
            name=folder.name,
            tools=_listed(given["tools"], "tools"),
            cases=cases,
            tasks=_listed(given.get("tasks", ()), "tasks"),
            agent=given.get("agent"),
            world=given.get("world", World),
            base_seed=given.get("base_seed", 0),
            functions=functions,
            deadline=given.get("deadline", DEADLINE),
            folder=folder,
        )
    except ToolRefused as problem:
        raise problem.at(str(folder / SCENARIO)) from None
    except ScenarioError as problem:
        raise ScenarioError(f"{folder / SCENARIO}: {problem}") from None
    object.__setattr__(scenario, "as_read", True)
    return scenario


def _listed(value: Any, name: str) -> tuple[Any, ...]:
    try:
        return tuple(value.values()) if hasattr(value, "values") else tuple(value)
    except TypeError:
        raise ScenarioError(f"{name} is {value!r}; it is a list") from None
