"""A worker process, seen from the parent: start it, send it lines, read its lines, end it.

A child is the leader of a session of its own, so ending it ends whatever it started, and a Ctrl-C at the
terminal reaches the parent alone. Messages are JSON, one a line. A thread reads them into the queue that the
parent gave, as many as are there at a time, with their child; None stands for the end of the child. (What comes
from no child is the parent's own.)
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from json import dumps, loads  # by name: a tool may patch the module
from typing import Any, BinaryIO

Events = queue.Queue["tuple[Child | None, Any]"]
CHUNK = 1 << 16
BOOT = (
    "import json, os, sys; source = os.fdopen(os.dup(0), 'rb'); sys.path[:] = json.loads(source.readline());"
    " from toolbench.execution.worker import serve; serve(source, os.fdopen(os.dup(1), 'wb'))"
)
GRACE = 1.0


class Child:
    """One worker process. `events` receives (child, messages) as they come, and (child, None) at its end."""

    def __init__(
        self, pid: int, to: BinaryIO, source: BinaryIO, reap: Callable[[float | None], int | None], events: Events
    ):
        self.pid, self._to, self._from, self._reap, self._events = pid, to, source, reap, events
        self._broken = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def send(self, message: Any) -> None:
        """Send one message; a child that is gone is noticed by its reader, not here."""
        with contextlib.suppress(OSError, ValueError):
            self._to.write(dumps(message).encode() + b"\n")
            self._to.flush()

    def _read(self) -> None:
        """Pass on all the messages that are there at a time; waking the parent for each costs more than reading it."""
        begun, believed = b"", True
        while believed and (chunk := os.read(self._from.fileno(), CHUNK)):
            *lines, begun = (begun + chunk).split(b"\n")
            messages = []
            for line in lines:
                message = _message(line)
                if message is None:  # something wrote into the channel; what follows cannot be trusted
                    believed = False
                    break
                messages.append(message)
            if messages:
                self._events.put((self, messages))
        self._events.put((self, None))

    def leave(self) -> None:
        """Ask the child to end by itself, so that its own clean-up runs; end it if it does not."""
        with contextlib.suppress(OSError):
            self._to.close()
        self._reap(GRACE)
        self.kill()

    def kill(self, patience: float = 0) -> str:
        """End the child and everything in its session; how it ended by itself, in words, if it did.

        patience: seconds that a child which seems to be gone has to be so, before it is ended from outside.
        """
        status = self._reap(0 if self._broken else patience)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        if status is None:
            os.kill(self.pid, signal.SIGKILL)  # a forked child may not lead its session yet
            self._reap(None)
        self._reader.join(GRACE)
        with contextlib.suppress(OSError, ValueError):
            self._to.close()
        if not self._reader.is_alive():  # else something that left the session keeps the channel open, and its end
            self._from.close()
        return "" if status is None or self._broken else ending(status)


def _message(line: bytes) -> dict[str, Any] | None:
    try:
        message = loads(line)
    except ValueError:
        return None
    return message if isinstance(message, dict) else None


def ending(status: int) -> str:
    """How a process ended, from its return code (negative for a signal).

    >>> ending(0), ending(-9)
    ('its process exited with code 0', 'its process was ended by SIGKILL')
    """
    if status >= 0:
        return f"its process exited with code {status}"
    try:
        return f"its process was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"its process was ended by signal {-status}"


def start_fresh(events: Events) -> Child:
    """A child in a new interpreter with this one's import path; sets have one order in all of them."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", BOOT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONHASHSEED": "0"},
        start_new_session=True,
    )

    def reap(seconds: float | None) -> int | None:
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    assert process.stdin is not None
    assert process.stdout is not None
    child = Child(process.pid, process.stdin, process.stdout, reap, events)  # type: ignore[arg-type]
    child.send(sys.path)
    return child
