"""A copy of this process that is kept as it was, to make workers from: the only way for tools that no file defines.

A notebook's tools live in the notebook's process, so their workers are copies of it. They are copied from a copy,
which is made once, in the thread that asks for it, while nothing else happens: a process that is copied in the middle
of something else hands on locks that nobody will ever release, and a tool that holds a connection of its thread's
would not be in that thread. The copy runs nothing; it copies itself when it is told to.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time
from collections.abc import Callable
from typing import BinaryIO

from toolbench.errors import ScenarioError
from toolbench.execution.child import Child, Events
from toolbench.execution.forking import fork

Serve = Callable[[BinaryIO, BinaryIO], None]
TICK = 0.005


class Mould:
    """A copy of this process as it is now; ended by `close`, and with this process."""

    def __init__(self, serve: Serve):
        self._way, its = socket.socketpair()
        self._pid = fork()
        if self._pid == 0:
            try:
                os.setsid()
                self._way.close()
                _copy_when_told(its, serve)
            finally:
                os._exit(0)
        its.close()

    def start(self, events: Events) -> Child:
        """One more worker, which runs `serve`."""
        child_reads, parent_writes = os.pipe()
        parent_reads, child_writes = os.pipe()
        try:
            socket.send_fds(self._way, [b"copy"], [child_reads, child_writes])
        finally:
            os.close(child_reads)
            os.close(child_writes)
        answer = self._way.recv(64)
        if not answer:
            raise ScenarioError("the copy of this process that makes workers is gone; run it again")
        pid = int(answer)
        return Child(pid, os.fdopen(parent_writes, "wb"), os.fdopen(parent_reads, "rb"), self._reaper(pid), events)

    def close(self) -> None:
        """End the copy; its workers are ended before, by whoever has them."""
        self._way.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)  # another copy of this process may hold its way open
        os.waitpid(self._pid, 0)

    def _reaper(self, pid: int) -> Callable[[float | None], int | None]:
        """`Popen.wait` for a worker: its return code, or None if it still runs after `seconds`."""
        ended: list[int] = []

        def reap(seconds: float | None) -> int | None:
            until = None if seconds is None else time.monotonic() + seconds
            while not ended:
                self._way.send(str(pid).encode())
                if (code := self._way.recv(64)) != b"runs":
                    ended.append(int(code))
                elif until is not None and time.monotonic() >= until:
                    return None
                else:
                    time.sleep(TICK)
            return ended[0]

        return reap


def _copy_when_told(way: socket.socket, serve: Serve) -> None:
    """Answer `copy`, which comes with the two ends of its pipes, by a process id, and a process id by how it ended."""
    while True:
        asked, pipes, _, _ = socket.recv_fds(way, 64, 2)
        if not asked:
            return
        if pipes:
            pid = fork()
            if pid == 0:
                way.close()
                _serve_apart(pipes[0], pipes[1], serve)
            for end in pipes:
                os.close(end)
            answer = str(pid)
        else:
            found, status = os.waitpid(int(asked), os.WNOHANG)
            answer = str(os.waitstatus_to_exitcode(status)) if found else "runs"
        with contextlib.suppress(OSError):
            way.send(answer.encode())


def _serve_apart(source: int, to: int, serve: Serve) -> None:
    """What a new copy does, and nothing after it."""
    code = 1
    try:
        os.setsid()
        serve(os.fdopen(source, "rb"), os.fdopen(to, "wb"))
        code = 0
    finally:
        os._exit(code)
