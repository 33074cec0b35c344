"""A scenario folder on disk: finding it, importing its `scenario.py`, its digest.

Reading a folder runs the user's code in this process. `toolbench.loading` first tries it in another one.
"""

from __future__ import annotations

import contextlib
import hashlib
import linecache
import os
import sys
import traceback
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from toolbench.cases import read_cases
from toolbench.errors import ScenarioError, ToolbenchError, unknown
from toolbench.scenario import DEADLINE, Scenario
from toolbench.tools import Tool
from toolbench.world import World

SCENARIO, CASES, CATALOGUE = "scenario.py", "cases.toml", "defects.toml"
DIGESTED = (".py", ".toml")  # data files may be what the tools write
PACKAGE = Path(__file__).parent
INSTALLED = {"site-packages", "dist-packages"}


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
    module = _imported(folder)
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
    except ScenarioError as problem:
        raise ScenarioError(f"{folder / SCENARIO}: {problem}") from None
    object.__setattr__(scenario, "as_read", True)
    return scenario


def _listed(value: Any, name: str) -> tuple[Any, ...]:
    try:
        return tuple(value.values()) if hasattr(value, "values") else tuple(value)
    except TypeError:
        raise ScenarioError(f"{name} is {value!r}; it is a list") from None


class _Uncached(SourceFileLoader):
    """Compiles the file as it stands: a cached bytecode of the same second and size may be another text."""

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code


def _imported(folder: Path) -> ModuleType:
    """The module of a folder's `scenario.py`, imported as a package so that `from . import` finds its siblings."""
    path = folder / SCENARIO
    name = f"toolbench_scenario_{hashlib.sha256(os.fsencode(folder)).hexdigest()[:8]}"
    loader = _Uncached(name, str(path))
    spec = spec_from_file_location(name, path, loader=loader, submodule_search_locations=[str(folder)])
    assert spec is not None
    module = module_from_spec(spec)
    with _importing(name, folder), contextlib.redirect_stdout(sys.stderr):
        sys.modules[name] = module
        try:
            loader.exec_module(module)
        except KeyboardInterrupt:
            raise
        except ToolbenchError as problem:
            raise ScenarioError(f"{_user_line(problem, folder)}{problem}") from None
        except BaseException as problem:  # sys.exit() in a scenario too
            raise ScenarioError(f"{path} cannot be imported\n{_user_traceback(problem, folder)}") from None
    return module


@contextlib.contextmanager
def _importing(name: str, folder: Path) -> Iterator[None]:
    """Let a scenario import modules that lie beside it, and forget them afterwards: another folder has others."""
    wrote, path = sys.dont_write_bytecode, str(folder)
    for known in [known for known in sys.modules if known == name or known.startswith(f"{name}.")]:
        del sys.modules[known]
    others = {known: sys.modules.pop(known) for known in _names_beside(folder) & set(sys.modules)}
    before = set(sys.modules)
    for read in [read for read in list(linecache.cache) if Path(read).is_relative_to(folder)]:
        linecache.cache.pop(read, None)  # a file of the same second and size may be another text
    sys.path_importer_cache.pop(path, None)
    sys.dont_write_bytecode = True
    sys.path.insert(0, path)
    try:
        yield
    finally:
        sys.dont_write_bytecode = wrote
        with contextlib.suppress(ValueError):  # the scenario may have taken it away itself
            sys.path.remove(path)
        for known in set(sys.modules) - before:
            if _lies_in(folder, sys.modules[known]) and known != name and not known.startswith(f"{name}."):
                del sys.modules[known]
        sys.modules.update(others)


def _names_beside(folder: Path) -> set[str]:
    """Loaded modules whose names stand in this folder too: those of another folder, which are not meant."""
    beside = {path.stem if path.suffix == ".py" else path.name for path in folder.iterdir()}
    loaded = {known for known in sys.modules if known.split(".")[0] in beside - {"__main__", *sys.stdlib_module_names}}
    return {known for known in loaded if _is_local(sys.modules[known])}


def _is_local(module: Any) -> bool:
    """Whether a module is someone's own file, and not a part of the installation or of this library."""
    place = _place(module)
    return place is not None and not place.is_relative_to(PACKAGE)


def _lies_in(folder: Path, module: Any) -> bool:
    place = _place(module)
    return place is not None and place.is_relative_to(folder)


def _place(module: Any) -> Path | None:
    """The file of a module, or the folder of a package without one; None if it was installed or has neither."""
    place = getattr(module, "__file__", None) or next(iter(getattr(module, "__path__", ())), None)
    return None if place is None or INSTALLED & set(Path(place).parts) else Path(place)


def _user_line(problem: BaseException, folder: Path) -> str:
    frames = [f for f in traceback.extract_tb(problem.__traceback__) if Path(f.filename).is_relative_to(folder)]
    return f"{frames[-1].filename}, line {frames[-1].lineno}: " if frames else f"{folder / SCENARIO}: "


def _is_machinery(filename: str) -> bool:
    """Whether a line of a traceback is the library's, the import system's or a generated `__init__`'s."""
    return filename.startswith(("<frozen ", "<string>")) or Path(filename).is_relative_to(PACKAGE)


def _user_traceback(problem: BaseException, folder: Path) -> str:
    """The part of a traceback that is the user's own: from the first line in the folder on."""
    frames = [f for f in traceback.extract_tb(problem.__traceback__) if not _is_machinery(f.filename)]
    first = next((i for i, frame in enumerate(frames) if Path(frame.filename).is_relative_to(folder)), len(frames))
    lines = traceback.format_list(frames[first:]) + traceback.format_exception_only(type(problem), problem)
    return "".join(lines).rstrip()
