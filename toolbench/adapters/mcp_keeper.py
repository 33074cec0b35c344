"""The process that keeps a server: its lives, its directory, and a socket on which it is asked for calls.

It is started with a clean slate, so that the SDK, its event loop and whatever a server writes stay out of the
processes in which tables are measured. It ends when its stdin does, with all that it began.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from json import dumps, loads
from pathlib import Path
from typing import Any

from toolbench.adapters.mcp_life import Life, NotStarted, environment_of
from toolbench.servers.directory import Place, State, States
from toolbench.servers.settings import CASE, DIRECTORY, ServerSettings
from toolbench.servers.wire import HEAD, framed
from toolbench.values import harmless

SOME = 5  # paths of a change that are told
MADE = 120.0  # seconds for the command that makes a directory


def main() -> None:
    """Keep the server that the second line of stdin tells of, until stdin ends."""
    settings = ServerSettings.from_facts(loads(sys.stdin.buffer.readline()))
    base = Path(tempfile.mkdtemp(prefix="toolbench-"))
    try:
        asyncio.run(_keep(settings, base))
    finally:
        shutil.rmtree(base, ignore_errors=True)


def _tell(what: str, value: Any, **more: Any) -> None:
    with contextlib.suppress(OSError):
        sys.stdout.write(dumps({what: value, **more}) + "\n")
        sys.stdout.flush()


async def _keep(settings: ServerSettings, base: Path) -> None:
    keeper = _Keeper(settings, base)
    address = str(base / "socket")
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(sys.stdin.fileno(), lambda: ended.set() if not os.read(sys.stdin.fileno(), 4096) else None)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    server = await asyncio.start_unix_server(keeper.serve, address)
    _tell("address", address, base=str(base))
    await ended.wait()
    server.close()
    await keeper.end()


class _Keeper:
    """The lives of one server, and the states of its directory."""

    def __init__(self, settings: ServerSettings, base: Path):
        self._settings, self._base = settings, base
        self._states: States | None = None
        self._first = ""
        self._shared = _Client(self, "live")
        self._clients: set[_Client] = set()
        self._count = 0
        self._making = asyncio.Lock()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one process, message by message, until it is gone."""
        own = self._settings.fresh == CASE
        self._count += own
        client = _Client(self, f"live-{self._count}") if own else self._shared
        self._clients.add(client)
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                while True:
                    (length,) = HEAD.unpack(await reader.readexactly(HEAD.size))
                    message = loads(await reader.readexactly(length))
                    writer.write(framed(await client.answer(message)))
                    await writer.drain()
        finally:
            writer.close()
            if own:
                self._clients.discard(client)
                await client.end()
                await asyncio.to_thread(shutil.rmtree, client.path, ignore_errors=True)

    async def end(self) -> None:
        await asyncio.gather(*(client.end() for client in {*self._clients, self._shared}))

    @property
    def settings(self) -> ServerSettings:
        return self._settings

    def path(self, name: str) -> Path:
        return self._base / name

    async def states(self) -> States:
        """The states of the directory; the first is made when it is first asked for."""
        async with self._making:
            if self._states is None:
                kept = self._base / "kept"
                kept.mkdir(exist_ok=True)
                assert self._settings.directory is not None
                states = States(kept, self._settings.directory.ignore)
                self._first = states.take(Place(await self._made())).token
                self._states = states
        return self._states

    async def _made(self) -> Path:
        """The directory as it is to be at first."""
        given = self._settings.directory
        assert given is not None
        made = self._base / "first"
        if given.copy:
            await asyncio.to_thread(shutil.copytree, given.copy, made, symlinks=True)
            return made
        made.mkdir()
        command = [part.replace(DIRECTORY, str(made)) for part in given.make]
        try:
            done = await asyncio.to_thread(
                subprocess.run,
                [shutil.which(command[0], path=environment_of(self._settings)["PATH"]) or command[0], *command[1:]],
                cwd=self._settings.cwd,
                env={**environment_of(self._settings), "DIRECTORY": str(made)},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=MADE,
            )
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise NotStarted(f"directory.make cannot be run: {problem}") from None
        if done.returncode:
            said = harmless((done.stderr or done.stdout).decode(errors="replace").strip()[-1000:])
            raise NotStarted(f"directory.make exited with code {done.returncode}: {said}")
        return made

    def state(self, states: States, token: str) -> State:
        return states.known[token or self._first]


class _Client:
    """One life after the other, and the directory that it works on: of one process, or shared by all."""

    def __init__(self, keeper: _Keeper, name: str):
        self._keeper, self._name = keeper, name
        self._life: Life | None = None
        self._place: Place | None = None
        self._before: State | None = None
        self._turn = asyncio.Lock()

    async def answer(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """What comes of a message; {failed} says why nothing does."""
        async with self._turn:
            try:
                if message.get("restore") is not None:
                    await self._restore(message["restore"])
                if message["op"] == "call":
                    return await self._call(message)
                if message["op"] == "state":
                    states = await self._keeper.states()
                    place = await self._there()
                    before = self._before
                    state = self._before = states.take(place)
                    changed = [] if before is None else states.differing(before.manifest, state.manifest)
                    return {"token": state.token, "fingerprint": state.fingerprint, "changed": changed[:SOME]}
                return await (await self._living()).listing()
            except NotStarted as problem:
                return {"failed": f"{self._keeper.settings.shown}: {problem}"}
            except Exception as problem:
                return {"failed": f"{self._keeper.settings.shown}: {type(problem).__name__}: {problem}"}

    async def end(self) -> None:
        life, self._life = self._life, None
        if life is not None:
            await life.end()

    async def _call(self, message: Mapping[str, Any]) -> dict[str, Any]:
        first = self._life is None
        try:
            life = await self._living()
        except NotStarted as problem:
            if first:
                raise
            return {"ended": ["died", f"the server does not start again: {problem}"]}
        arguments = self._mapped(message["arguments"], DIRECTORY, self._path)
        answer = await life.call(message["tool"], arguments, message["deadline"])
        return dict(self._mapped(answer, self._path, DIRECTORY))

    @property
    def path(self) -> Path:
        return self._keeper.path(self._name)

    @property
    def _path(self) -> str:
        return "" if self._keeper.settings.directory is None else str(self._keeper.path(self._name))

    def _mapped(self, value: Any, old: str, new: str) -> Any:
        """A value with one text in the place of another, in all its texts; nothing where there is no directory."""
        if not self._path:
            return value
        if isinstance(value, str):
            return value.replace(old, new)
        if isinstance(value, list):
            return [self._mapped(one, old, new) for one in value]
        if isinstance(value, dict):
            return {self._mapped(key, old, new): self._mapped(one, old, new) for key, one in value.items()}
        return value

    async def _there(self) -> Place:
        """The directory, made when it is first needed."""
        if self._place is None:
            states = await self._keeper.states()
            path = self._keeper.path(self._name)
            path.mkdir()
            self._place = Place(path)
            self._place.put(self._keeper.state(states, "").manifest, states.kept)
        return self._place

    async def _restore(self, token: str) -> None:
        if self._keeper.settings.fresh == CASE:
            await self.end()
        if self._keeper.settings.directory is not None:
            states = await self._keeper.states()
            self._before = self._keeper.state(states, token)
            (await self._there()).put(self._before.manifest, states.kept)

    async def _living(self) -> Life:
        if self._life is None or not self._life.alive or self._life.ended:
            if self._life is not None:
                await self._life.end()
            if self._keeper.settings.directory is not None:
                await self._there()
            life = Life(self._keeper.settings, self._path, _tell)
            self._life = life
            await life.start()
        return self._life
