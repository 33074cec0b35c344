"""Importing a user's file: by its path, beside its siblings, uncached; errors are told by its own line."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import linecache
import os
import sys
import traceback
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from toolbench.errors import ScenarioError, ToolbenchError, ToolRefused

PACKAGE = Path(__file__).parent
INSTALLED = {"site-packages", "dist-packages"}


class _Uncached(SourceFileLoader):
    """Compiles the file as it stands: a cached bytecode of the same second and size may be another text."""

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code


def import_file(path: Path) -> ModuleType:
    """The module of a file, imported as a package so that `from . import` finds its siblings.

    ScenarioError, or ToolRefused, says what went wrong, with the user's own line.
    """
    folder = path.parent
    name = f"toolbench_{path.stem}_{hashlib.sha256(os.fsencode(folder)).hexdigest()[:8]}"
    loader = _Uncached(name, str(path))
    spec = spec_from_file_location(name, path, loader=loader, submodule_search_locations=[str(folder)])
    assert spec is not None
    module = module_from_spec(spec)
    with _importing(name, folder), _told(folder, path):
        sys.modules[name] = module
        loader.exec_module(module)
    return module


def import_named(name: str) -> ModuleType:
    """A module by its name, found from the current directory on; errors as those of `import_file`."""
    here = os.getcwd()
    sys.path.insert(0, here)
    try:
        with _told(Path(here), Path(*name.split("."))):
            return importlib.import_module(name)
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(here)


@contextlib.contextmanager
def _told(folder: Path, path: Path) -> Iterator[None]:
    """Make errors of what happens inside into errors that tell the user's own line; what it prints goes to stderr."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except KeyboardInterrupt:
        raise
    except ToolRefused as problem:
        raise problem.at(_user_line(problem, folder, path)) from None
    except ToolbenchError as problem:
        raise ScenarioError(f"{_user_line(problem, folder, path)}: {problem}") from None
    except BaseException as problem:  # sys.exit() in a scenario too
        raise ScenarioError(f"{path} cannot be imported\n{_user_traceback(problem, folder)}") from None


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


def _user_line(problem: BaseException, folder: Path, path: Path) -> str:
    frames = [f for f in traceback.extract_tb(problem.__traceback__) if Path(f.filename).is_relative_to(folder)]
    return f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else str(path)


def _is_machinery(filename: str) -> bool:
    """Whether a line of a traceback is the library's, the import system's or a generated `__init__`'s."""
    return filename.startswith(("<frozen ", "<string>")) or Path(filename).is_relative_to(PACKAGE)


def _user_traceback(problem: BaseException, folder: Path) -> str:
    """The part of a traceback that is the user's own: from the first line in the folder on."""
    frames = [f for f in traceback.extract_tb(problem.__traceback__) if not _is_machinery(f.filename)]
    first = next((i for i, frame in enumerate(frames) if Path(frame.filename).is_relative_to(folder)), len(frames))
    lines = traceback.format_list(frames[first:]) + traceback.format_exception_only(type(problem), problem)
    return "".join(lines).rstrip()
