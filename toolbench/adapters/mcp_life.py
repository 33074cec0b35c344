"""One life of a server: started, spoken to, ended; a call that does not come back ends it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolbench.adapters.mcp_stdio import Process
from toolbench.outcome import DIED, TIMEOUT
from toolbench.servers.settings import DIRECTORY, ServerSettings

if TYPE_CHECKING:
    from toolbench.adapters.mcp import Session


MOST = 16 << 20  # bytes of an answer


class NotStarted(Exception):
    """A server that cannot be used, with the reason."""


class Life:
    """One life of a server. directory: the path of what it works on, if there is one."""

    def __init__(self, settings: ServerSettings, directory: str, told: Callable[[str, int], None]):
        self._settings, self._directory, self._told = settings, directory, told
        self._process: Process | None = None
        self._session: Session | None = None
        self._over = asyncio.Event()
        self._lived: asyncio.Task[None] | None = None
        self.alive = False

    @property
    def ended(self) -> bool:
        """Whether its process is gone, though nobody has told yet."""
        return self._process is not None and self._process.ended

    async def start(self) -> None:
        """Start it and agree on the protocol; NotStarted says what went wrong."""
        try:
            if self._settings.command:
                environment = {name: self._in(text) for name, text in environment_of(self._settings).items()}
                command = [self._in(part) for part in self._settings.command]
                self._process = await Process.start(command, environment, self._in(self._settings.cwd), self._told)
        except OSError as problem:
            raise NotStarted(f"cannot be started: {problem}") from None
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lived = asyncio.create_task(self._live(ready))
        seconds = self._settings.start
        try:
            await asyncio.wait_for(asyncio.shield(ready), seconds)
        except TimeoutError:
            await self.end()
            raise NotStarted(f"did not answer the handshake within {seconds:g} s{self._last_words()}") from None
        except NotStarted:
            await self.end()
            raise
        self.alive = True

    async def _live(self, ready: asyncio.Future[None]) -> None:
        """Hold the session open until it is over; what goes wrong before it is ready is told there."""
        try:
            from toolbench.adapters import mcp  # while the server itself is starting: both take a second or two

            if self._process is not None:
                connected = mcp.over_stdio(self._process)
            else:
                named = {key: self._settings.with_names(text) for key, text in self._settings.headers.items()}
                connected = mcp.over_http(self._settings.url, named)
            async with connected as self._session:
                ready.set_result(None)
                await self._over.wait()
        except BaseException as problem:
            if not ready.done():
                ready.set_exception(NotStarted(await self._why(problem)))
            elif isinstance(problem, asyncio.CancelledError):
                raise
        finally:
            self.alive = False

    async def _why(self, problem: BaseException) -> str:
        """Why a session could not be had, in words."""
        while isinstance(problem, BaseExceptionGroup):
            problem = problem.exceptions[0]
        if isinstance(problem, ImportError):
            return (
                f"cannot be spoken to, since the package mcp cannot be used: {problem}; version 2.3 or later is needed"
            )
        if self._process is not None and (self._process.ended or "Connection closed" in str(problem)):
            return f"ended before it had answered the handshake: {await self._process.how_it_ended()}"
        said = str(problem) or type(problem).__name__
        if "protocol version" in said.lower():
            return f"speaks no version of the protocol that is known here: {said}"
        if self._process is None:
            return f"cannot be reached: {type(problem).__name__}: {said}"
        return f"the handshake failed: {type(problem).__name__}: {said}{self._last_words()}"

    def _last_words(self) -> str:
        return "" if self._process is None else self._process.last_words()

    async def call(self, tool: str, arguments: Mapping[str, Any], deadline: float) -> dict[str, Any]:
        """{result}, {refused}, or {ended: kind and reason} of one call."""
        from toolbench.adapters.mcp import Gone, Refused

        assert self._session is not None
        if self._process is not None:
            self._process.longest = 0
        try:
            async with asyncio.timeout(deadline):
                result = await self._session.call(tool, arguments)
            if self._process is not None and (size := self._process.longest) > MOST:
                return {"too_long": f"the answer has {size >> 20} MB; more than {MOST >> 20} MB are not looked at"}
            return {"result": result}
        except TimeoutError:
            self.alive = False  # what hangs in one call may hang in the next
            if self._process is not None:
                await self._process.end(at_once=True)
            return {"ended": [TIMEOUT, f"no answer within {deadline:g} s{self._last_words()}"]}
        except Refused as refused:
            return {"refused": f"{refused.message} (protocol error {refused.code})"}
        except Gone:
            self.alive = False
            how = "the connection ended" if self._process is None else await self._process.how_it_ended()
            return {"ended": [DIED, how]}

    async def listing(self) -> dict[str, Any]:
        """What the server offers; NotStarted when it cannot be listed."""
        from toolbench.adapters.mcp import Gone, Refused, Unusable

        assert self._session is not None
        try:
            async with asyncio.timeout(self._settings.start):
                tools = await self._session.tools()
        except TimeoutError:
            self.alive = False
            raise NotStarted(f"did not list its tools within {self._settings.start:g} s{self._last_words()}") from None
        except Refused as refused:
            raise NotStarted(f"refuses to list its tools: {refused.message} (protocol error {refused.code})") from None
        except Unusable as problem:
            raise NotStarted(str(problem)) from None
        except Gone:
            self.alive = False
            how = "the connection ended" if self._process is None else await self._process.how_it_ended()
            raise NotStarted(f"ended while it listed its tools: {how}") from None
        server, protocol = self._session.about()
        noise = (0, "") if self._process is None else self._process.noise
        return {"tools": tools, "server": server, "protocol": protocol, "noise": noise}

    async def end(self) -> None:
        """End it: the session, then the process and all that it started."""
        self.alive = False
        self._over.set()
        if self._process is not None:
            await self._process.end(at_once=False)
        if self._lived is not None:
            with contextlib.suppress(asyncio.TimeoutError, asyncio.CancelledError, Exception):
                await asyncio.wait_for(self._lived, 2.0)

    def _in(self, text: str) -> str:
        return text.replace(DIRECTORY, self._directory) if self._directory else text


def environment_of(settings: ServerSettings) -> dict[str, str]:
    """A server's environment; programs are looked for beside this Python too, where its packages put them."""
    environment = settings.environment()
    beside = str(Path(sys.executable).parent)
    return {**environment, "PATH": os.pathsep.join([environment["PATH"], beside])}
