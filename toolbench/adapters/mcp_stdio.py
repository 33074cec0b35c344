"""A server's process: started in its own session, its messages carried to and from the SDK, ended with its children.

The SDK's own transport gives no end of stderr, loses what is no message, and needs time in the square of a message's
length; a server is judged by all of these here.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from toolbench.counting import counted
from toolbench.execution.child import ending
from toolbench.execution.forking import end_with_parent
from toolbench.values import harmless

CHUNK = 1 << 18
LAST = 2000  # characters of stderr that are told
LEAVE = 2.0  # seconds in which a server may end by itself when its stdin closes
TICK, GRACE = 0.02, 0.2  # seconds between looks at whether it is gone, and until what it wrote must have come
ASKED = 1.0  # and when it is asked to


class Process:
    """A server's process."""

    def __init__(self, process: asyncio.subprocess.Process, told: Callable[[str, int], None]):
        self._process, self._told = process, told
        self.noise: tuple[int, str] = (0, "")
        self.longest = 0  # bytes of a line; whoever asks begins anew
        self._last = b""
        self._listening = asyncio.create_task(self._listen())
        self._gone = asyncio.Event()
        self._watching = asyncio.create_task(self._watch())
        told("started", process.pid)

    @classmethod
    async def start(
        cls, command: list[str], environment: dict[str, str], cwd: str, told: Callable[[str, int], None]
    ) -> Process:
        """Start a command; OSError when it cannot be."""
        if not os.path.isdir(cwd):
            raise NotADirectoryError(f"there is no directory {cwd} to start it in")
        program = shutil.which(command[0], path=environment["PATH"])
        local = Path(cwd, command[0])
        if program is None and os.sep in command[0] and os.access(local, os.X_OK):
            program = str(local)
        if program is None:
            raise FileNotFoundError(f"there is no program {command[0]!r} in PATH, nor beside the Python that runs this")
        process = await asyncio.create_subprocess_exec(
            program,
            *command[1:],
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment,
            cwd=cwd,
            start_new_session=True,
            preexec_fn=end_with_parent,
        )
        return cls(process, told)

    @property
    def ended(self) -> bool:
        return self._process.returncode is not None

    async def how_it_ended(self) -> str:
        """How it ended, and the end of what it wrote to stderr; it is given a moment to be gone."""
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._gone.wait(), 1.0)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._listening), 0.2)
        status = self._process.returncode
        how = "its output ended, and it runs on" if status is None else ending(status)
        return f"the server is gone: {how}{self.last_words()}"

    def last_words(self) -> str:
        """What it wrote last to stderr, and what it wrote to stdout that was no message."""
        count, first = self.noise
        said = harmless(self._last.decode(errors="replace").strip()[-LAST:])
        lines = f"; {counted(count, 'line')} of its stdout told no message, the first {first!r}" if count else ""
        return f"{lines}; its stderr ends: {said}" if said else lines

    async def lines(self) -> AsyncIterator[bytes]:
        """What it writes to stdout, line by line, however long."""
        assert self._process.stdout is not None
        parts: list[bytes] = []
        while chunk := await self._process.stdout.read(CHUNK):
            *whole, rest = chunk.split(b"\n")
            for line in whole:
                text = b"".join([*parts, line])
                self.longest = max(self.longest, len(text))
                yield text
                parts = []
            parts += [rest] if rest else []

    def no_message(self, line: bytes) -> None:
        """Remember a line that was no message."""
        if line.strip():
            count, first = self.noise
            self.noise = count + 1, first or harmless(line[:200].decode(errors="replace").strip())

    async def write(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line)
        await self._process.stdin.drain()

    async def end(self, *, at_once: bool) -> None:
        """End it and all that it started in its session: its stdin is closed, it is asked, it is ended."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        if not at_once:
            for seconds, number in ((LEAVE, signal.SIGTERM), (ASKED, signal.SIGKILL)):
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._gone.wait(), seconds)
                    break
                self._signal(number)
        self._signal(signal.SIGKILL)
        await self._gone.wait()
        self._told("ended", self._process.pid)
        self._listening.cancel()
        self._watching.cancel()
        transport: Any = getattr(self._process, "_transport", None)
        if transport is not None:  # what left its session may hold its pipes open
            transport.close()

    async def _watch(self) -> None:
        """See when it is gone; its output ends with it, whoever may still hold the other end of the pipe."""
        while self._process.returncode is None:
            await asyncio.sleep(TICK)
        self._gone.set()
        await asyncio.sleep(GRACE)
        assert self._process.stdout is not None
        self._process.stdout.feed_eof()

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    async def _listen(self) -> None:
        assert self._process.stderr is not None
        while chunk := await self._process.stderr.read(CHUNK):
            self._last = (self._last + chunk)[-4 * LAST :]
