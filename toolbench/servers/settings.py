"""How a server is reached and how long it lives: the content of `server.toml`, read and checked."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolbench.errors import ScenarioError, UsageError, unknown
from toolbench.toml_values import read_toml
from toolbench.values import show

SERVER = "server.toml"
RUN, CASE = "run", "case"
LIVES = (RUN, CASE)
DIRECTORY, VARYING = "{directory}", "{varying}"
SOME = 2  # files of a directory that stand for all
START = 30.0
DEADLINE = 10.0
KEYS = ("command", "url", "headers", "cwd", "env", "pass", "fresh", "start", "deadline", "varying", "directory")
OF_DIRECTORY = ("copy", "make", "ignore")
PATHS = re.compile(r"path|repo|dir|folder|root|workspace|file|database|(?:^|_)db$", re.IGNORECASE)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, kw_only=True)
class Directory:
    """A directory that a server works on, made anew for each of its lives.

    copy: what it is a copy of. make: or a command that fills it, run once, in it. ignore: patterns of paths, relative
    to it, that are put back and yet count for nothing when two states are compared.
    """

    copy: str = ""
    make: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """How a server is reached and how long it lives.

    command: the program and its arguments, for one that is spoken to over stdin and stdout; or url: the address of one
    over streamable HTTP, with headers. cwd: where the program runs. env: its environment, beside PATH; passed: names
    of variables that it gets from the user's own. fresh: `run`, one life for all calls, or `case`, one for each case,
    probe and episode. directory: what it works on. start: seconds in which it must have answered for the first time.
    deadline: seconds for a call. varying: names of fields of answers that differ from call to call (the time, an id),
    in whose place one value of their type is seen. `{directory}` stands for the directory's path, in arguments and
    answers as well.
    """

    command: tuple[str, ...] = ()
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    cwd: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    passed: tuple[str, ...] = ()
    fresh: str = RUN
    directory: Directory | None = None
    start: float = START
    deadline: float = DEADLINE
    varying: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if bool(self.command) == bool(self.url):
            raise ScenarioError("a server has a command or a url, one of them")
        if self.url and not self.url.startswith(("http://", "https://")):
            raise ScenarioError(f"url is {self.url!r}; it begins with http:// or https://")
        if self.url and (self.directory or self.fresh == CASE):
            raise ScenarioError("a server behind a url is not started here: it has no directory, and fresh is 'run'")
        if self.fresh not in LIVES:
            raise ScenarioError(unknown("fresh", self.fresh, LIVES))
        if self.directory is not None and bool(self.directory.copy) == bool(self.directory.make):
            raise ScenarioError("directory has copy (what it is a copy of) or make (what fills it), one of them")
        for key in ("start", "deadline"):
            seconds = getattr(self, key)
            if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 < seconds < float("inf"):
                raise ScenarioError(f"{key} is {seconds!r}; it is a number of seconds above 0")
        for name in (*self.passed, *self.env):
            if not NAME.fullmatch(name):
                raise ScenarioError(f"{name!r} is no name of an environment variable")

    @property
    def shown(self) -> str:
        """The server in a few words."""
        return self.url or shlex.join(self.command)

    def environment(self) -> dict[str, str]:
        """What the program gets: PATH, what is named in passed, and env; ScenarioError for a name that is not set."""
        if missing := [name for name in self.passed if name not in os.environ]:
            raise ScenarioError(f"the environment has no {', '.join(missing)}, which the server is to be given")
        return {"PATH": os.environ.get("PATH", os.defpath), **{n: os.environ[n] for n in self.passed}, **self.env}

    def with_names(self, text: str) -> str:
        """A text in which {NAME} stands for a variable that is passed."""
        for name in self.passed:
            text = text.replace(f"{{{name}}}", os.environ.get(name, ""))
        return text

    def paths(self, field: str) -> list[str]:
        """The paths that a field of this name may mean, as far as the settings tell."""
        if self.url or not PATHS.search(field):
            return []
        if self.directory is not None:
            inside = sorted(Path(self.directory.copy).iterdir()) if self.directory.copy else []
            files = [path.name for path in inside if path.is_file() and not path.name.startswith(".")]
            return [DIRECTORY, *(f"{DIRECTORY}/{name}" for name in files[:SOME]), *files[:SOME]]
        given = [os.path.join(self.cwd, part) for part in self.command[1:] if not part.startswith("-")]
        return [*dict.fromkeys(path for path in given if os.path.exists(path)), self.cwd]

    def facts(self) -> dict[str, Any]:
        """As plain values, of which `from_facts` makes the settings again."""
        own = dict(vars(self))
        return {**own, "directory": None if self.directory is None else vars(self.directory)}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> ServerSettings:
        given = dict(facts)
        if given["directory"] is not None:
            inner = given["directory"]
            given["directory"] = Directory(copy=inner["copy"], make=tuple(inner["make"]), ignore=tuple(inner["ignore"]))
        return cls(**{**given, "command": tuple(given["command"]), "passed": tuple(given["passed"]), "varying": ()})


def server_of(text: str, **more: Any) -> ServerSettings:
    """The settings of a server that is given on a command line: its address, or the command that starts it."""
    if text.startswith(("http://", "https://")):
        return ServerSettings(url=text, **more)
    try:
        command = tuple(shlex.split(text))
    except ValueError as problem:
        raise UsageError(f"--mcp {text!r}: cannot be read as a command: {problem}") from None
    if not command:
        raise UsageError("--mcp: give the command that starts the server, or its url")
    return ServerSettings(command=command, **more)


def read_server(path: Path) -> ServerSettings:
    """The settings in a `server.toml`; ScenarioError names file, key and value. Paths are relative to its folder."""
    content = read_toml(path, ScenarioError)
    for key in content:
        if key not in KEYS:
            raise ScenarioError(f"{path}: {unknown('key', key, KEYS)}")
    folder = path.parent
    try:
        given: dict[str, Any] = {key: content[key] for key in ("fresh", "start", "deadline") if key in content}
        given["cwd"] = str(folder / _text(content, "cwd", "."))
        given["url"] = _text(content, "url", "")
        given["command"] = _texts(content, "command")
        given["passed"], given["varying"] = _texts(content, "pass"), _texts(content, "varying")
        for key in ("env", "headers"):
            given[key] = _mapping(content, key)
        if "directory" in content:
            given["directory"] = _directory(content["directory"], folder)
        return ServerSettings(**given)
    except ScenarioError as problem:
        raise ScenarioError(f"{path}: {problem}") from None


def _directory(value: Any, folder: Path) -> Directory:
    if not isinstance(value, dict):
        raise ScenarioError(f"directory is {show(value)}; it is a table with copy or make")
    for key in value:
        if key not in OF_DIRECTORY:
            raise ScenarioError(f"directory: {unknown('key', key, OF_DIRECTORY)}")
    copy = _text(value, "copy", "")
    if copy and not (folder / copy).is_dir():
        raise ScenarioError(f"directory.copy is {show(copy)}; there is no such directory in {folder}")
    return Directory(
        copy=str(folder / copy) if copy else "", make=_texts(value, "make"), ignore=_texts(value, "ignore")
    )


def _text(content: Mapping[str, Any], key: str, default: str) -> str:
    value = content.get(key, default)
    if not isinstance(value, str):
        raise ScenarioError(f"{key} is {show(value)}; it is a text")
    return value


def _texts(content: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = content.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) and "\0" not in one for one in value):
        raise ScenarioError(f"{key} is {show(value)}; it is a list of texts")
    return tuple(value)


def _mapping(content: Mapping[str, Any], key: str) -> dict[str, str]:
    value = content.get(key, {})
    if not isinstance(value, dict) or not all(isinstance(one, str) and "\0" not in one for one in value.values()):
        raise ScenarioError(f"{key} is {show(value)}; it maps names to texts")
    return value
