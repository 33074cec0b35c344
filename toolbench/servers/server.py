"""A server and its world: calls go to the process that keeps it, from whichever process they are made in."""

from __future__ import annotations

import contextlib
import os
import shlex
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from toolbench.definition import Definition
from toolbench.errors import ScenarioError, ToolError, ToolRefused
from toolbench.outcome import DIED, Ended
from toolbench.scenario import Scenario
from toolbench.servers.answers import ProtocolError, TooLong, masked, value_of
from toolbench.servers.keeping import GRACE, Keeper
from toolbench.servers.settings import CASE, DEADLINE, RUN, Directory, ServerSettings, server_of
from toolbench.servers.settings import START as STARTING
from toolbench.servers.snapshot import Listing, definitions_of
from toolbench.servers.table import live_table
from toolbench.servers.wire import Link
from toolbench.table import ToolTable

START = ""  # the state in which a world begins
PAGES = 180.0  # seconds for a list of many pages, or a directory that takes long to be made


def mcp_server(
    server: str | Sequence[str],
    *,
    cwd: str | Path = ".",
    env: Mapping[str, str] | None = None,
    passed: Sequence[str] = (),
    directory: str | Path | None = None,
    ignore: Sequence[str] = (),
    fresh: str = RUN,
    start: float = STARTING,
    deadline: float = DEADLINE,
) -> Server:
    """An MCP server, for `check` and as the tools of a scenario: its command or its url; it starts when it is needed.

    cwd: where it runs. env: variables that it gets beside PATH; passed: names of your own that are handed on.
    directory: what it works on, of which it gets a copy, `{directory}` in its command; ignore: patterns of files in it
    that count for nothing. fresh: `run`, one life for all calls, or `case`. start, deadline: seconds until it answers
    for the first time, and for a call. ScenarioError or UsageError where this cannot be.

    >>> mcp_server("mcp-server-time").settings.command
    ('mcp-server-time',)
    """
    if directory is None and ignore:
        raise ScenarioError("ignore is of a directory, and there is none")
    copy = None if directory is None else Directory(copy=os.path.abspath(directory), ignore=tuple(ignore))
    if copy is not None and not os.path.isdir(copy.copy):
        raise ScenarioError(f"directory {directory}: there is no such folder")
    settings = server_of(
        server if isinstance(server, str) else shlex.join(server),
        cwd=os.path.abspath(cwd),
        env=dict(env or {}),
        passed=tuple(passed),
        directory=copy,
        fresh=fresh,
        start=start,
        deadline=deadline,
    )
    return Server(settings)


class Server:
    """A server that tools are on: found through the keeper that this process has, or was told of.

    folder: where its scenario is, if it is in one.
    """

    def __init__(self, settings: ServerSettings, folder: Path | None = None):
        self.settings, self.folder = settings, folder
        self.deadline = settings.deadline
        self._keeper: Keeper | None = None
        self._link: Link | None = None
        self._users = 0
        self._lock = threading.Lock()
        self._with_output: set[str] = set()

    @property
    def restorable(self) -> bool:
        """Whether what the server works on can be compared and put back."""
        return self.settings.directory is not None

    @property
    def overlooks(self) -> bool:
        """Whether some of what the server works on is left out when states are compared."""
        return self.settings.directory is not None and bool(self.settings.directory.ignore)

    @property
    def slack(self) -> float:
        """Seconds that may pass beside a call's own, since a server is started or put back."""
        return self.settings.start + GRACE

    @contextlib.contextmanager
    def running(self) -> Iterator[str]:
        """Have a keeper, this process's own, until the last who asked for it is done; gives its address."""
        with self._lock:
            self._users += 1
        try:
            yield self._own_keeper().address
        finally:
            with self._lock:
                self._users -= 1
                keeper, link = self._taken() if self._users == 0 else (None, None)
            _end(keeper, link)

    def join(self, address: str, deadline: float) -> None:
        """Speak to a keeper that another process has."""
        self._link, self.deadline = Link(address), deadline

    def close(self) -> None:
        """End the keeper that this process has, if it has one."""
        with self._lock:
            keeper, link = self._taken()
        _end(keeper, link)

    def _taken(self) -> tuple[Keeper | None, Link | None]:
        """What is to be ended; whoever comes next has a new one."""
        keeper, link = self._keeper, self._link
        self._keeper = self._link = None
        return keeper, link

    def table(self, listing: Listing, place: str) -> ToolTable:
        """The tools of a listing, their functions passing calls on; ToolRefused for one that is no tool."""
        definitions, faults = definitions_of(listing, place)
        if faults:
            cure = "`check --mcp` tells more of it"
            raise ToolRefused(faults[0].tool, "unreadable", faults[0].what, cure, faults[0].pointer)
        return self._live(definitions)

    def _live(self, definitions: Iterable[Definition]) -> ToolTable:
        table = live_table(definitions)
        self._with_output = {name for name, one in table.definitions.items() if one.output_schema is not None}
        return table

    def scenario(self, listing: Listing | None = None, **parts: Any) -> Scenario:
        """A scenario of the tools that the server lists (or has listed), each name once.

        parts: what else belongs to it, as in `Scenario`: cases, tasks, agent.
        """
        listed = self.listing() if listing is None else listing
        definitions, _ = definitions_of(listed, listed.called)
        unique = {one.name: one for one in reversed(definitions)}
        table = self._live(unique[name] for name in dict.fromkeys(one.name for one in definitions))
        return Scenario(**{"name": listed.called, "deadline": self.deadline, **parts, "tools": table, "server": self})

    def listing(self) -> Listing:
        """What the server says now that it offers; ScenarioError when it cannot be reached, or lists without end."""
        try:
            said = self.ask({"op": "list"}, self.slack + PAGES)
        except OSError as problem:
            raise ScenarioError(f"the process that keeps the server does not answer: {problem}") from None
        return Listing(said["tools"], said["server"], said["protocol"], (said["noise"][0], said["noise"][1]))

    def call(self, tool: str, arguments: Mapping[str, Any], state: str | None = None) -> Any:
        """What a call gives, in the world as it is, or put back to `state` before.

        ToolError when the tool reports an error; Ended when the call does not come back; TooLong for an answer that no
        agent could be given.
        """
        message = {"op": "call", "tool": tool, "arguments": dict(arguments), "deadline": self.deadline}
        if state is not None:
            message["restore"] = state
        try:
            said = self.ask(message, self.deadline + 2 * self.slack)
        except OSError as problem:
            raise Ended(DIED, f"the process that keeps the server does not answer: {problem}") from None
        if "ended" in said:
            raise Ended(*said["ended"])
        if "too_long" in said:
            raise TooLong(said["too_long"])
        if "refused" in said:
            raise ProtocolError(said["refused"])
        value = value_of(said["result"], declares_output=tool in self._with_output)
        return masked(value, self.settings.varying) if self.settings.varying else value

    def ask(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        link = self._link
        if link is None:
            link = self._link = Link(self._own_keeper().address)
        return link.ask(message, seconds)

    def worlds(self) -> Callable[[], LiveWorld]:
        """A function that gives the server's world in its first state each time it is called."""
        world = LiveWorld(self)

        def restored() -> LiveWorld:
            world.restore(START)
            return world

        return restored

    def _own_keeper(self) -> Keeper:
        with self._lock:
            if self._keeper is None:
                self._keeper = Keeper(self.settings)
            return self._keeper


def _end(keeper: Keeper | None, link: Link | None) -> None:
    if link is not None:
        link.close()
    if keeper is not None:
        keeper.close()


class LiveWorld:
    """The server, and the directory that it works on, as the world of tools.

    A state is put back with the next call that needs it: what calls nothing starts nothing.
    """

    def __init__(self, server: Server):
        self._server = server
        self._renewed = server.restorable or server.settings.fresh == CASE
        self._waiting: str | None = None
        self._state: dict[str, Any] | None = None

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """What a call of a tool gives; see `Server.call`."""
        self._state = None
        try:
            value = self._server.call(tool, arguments, self._waiting)
        except (ToolError, TooLong):
            self._waiting = None
            raise
        except Ended:
            raise  # a state that was to be put back is put back with the next call, whether or not it was before
        self._waiting = None
        return value

    def snapshot(self) -> str:
        """A name of the state of the server's directory, which `restore` puts back any number of times."""
        return str(self._known()["token"]) if self._server.restorable else START

    def restore(self, snapshot: str) -> None:
        if self._renewed:
            self._waiting, self._state = snapshot, None

    def fingerprint(self) -> str:
        """A text that is the same for equal contents of the directory; empty where there is none."""
        return str(self._known()["fingerprint"]) if self._server.restorable else ""

    def changes(self) -> list[str]:
        """A few of the paths at which the directory differs from what it was when it was last looked at or put back."""
        return list(self._known()["changed"]) if self._server.restorable else []

    def _known(self) -> dict[str, Any]:
        if self._state is None:
            message: dict[str, Any] = {"op": "state"}
            if self._waiting is not None:
                message["restore"] = self._waiting
            try:
                self._state = self._server.ask(message, self._server.slack)
            except OSError as problem:
                raise ScenarioError(f"the process that keeps the server does not answer: {problem}") from None
            self._waiting = None
        return self._state
