"""What runs inside a Dask worker: it keeps relays, and runs no tool.

This file is sent as text and run where the library is not installed, so it imports nothing of it. A relay is an
interpreter of its own that works with the library and the scenario that were sent along; see `execution.relay`. It
serves one piece at a time, is used again, and ends with the run, with this worker, and when nobody has asked it for
anything for a while: a client that was killed says no goodbye.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from distributed import WorkerPlugin

BOOT = (
    "import json, os, sys; source = os.fdopen(os.dup(0), 'rb'); sys.path[:] = json.loads(source.readline());"
    " from toolbench.execution.relay import serve; serve(source, os.fdopen(os.dup(1), 'wb'))"
)
READY = 60.0
IDLE = 10.0
TICK = 0.25
GRACE = 2.0
CHUNK = 1 << 16


class Gone(Exception):
    """A relay that ended, or is not wanted any more: what it was doing is not known."""


class Relay:
    """One relay, from outside."""

    def __init__(self, home: Path, first: dict[str, Any], wanted: Callable[[], bool]):
        self._said, self._errors = b"", home / f"errors-{time.monotonic_ns()}"
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", BOOT],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, "PYTHONHASHSEED": "0"},
                start_new_session=True,
            )
        self.last = time.monotonic()
        try:
            self._send([str(home / "library"), *(place for place in sys.path if place not in ("", "."))])
            scenario = home / "scenario" / first["folder"]
            self.begun = self.ask({**first, "folder": str(scenario)}, wanted, seconds=READY)
        except BaseException:
            self.end(at_once=True)
            raise

    def ask(self, message: Any, wanted: Callable[[], bool], seconds: float = float("inf")) -> dict[str, Any]:
        """The answer to a message; Gone when the relay ends, takes too long, or the answer is not wanted any more."""
        self._send(message)
        until = time.monotonic() + seconds
        while b"\n" not in self._said:
            if not wanted():
                raise Gone("not wanted any more")
            if time.monotonic() > until:
                raise Gone(f"no answer within {seconds:g} s")
            assert self._process.stdout is not None
            if select.select([self._process.stdout], [], [], TICK)[0]:
                chunk = os.read(self._process.stdout.fileno(), CHUNK)
                if not chunk:
                    raise Gone(self._last_words())
                self._said += chunk
        line, _, self._said = self._said.partition(b"\n")
        self.last = time.monotonic()
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _send(self, message: Any) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # a relay that is gone is noticed where its answer is read
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()

    def _last_words(self) -> str:
        with contextlib.suppress(OSError):
            lines = self._errors.read_text(errors="replace").strip().splitlines()
            if lines:
                return lines[-1]
        return "it ended"

    def end(self, *, at_once: bool) -> None:
        """End it and, with it, its workers; unless at once, it may do so in its own way."""
        assert self._process.stdin is not None and self._process.stdout is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0 if at_once else GRACE)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process.stdout.close()


class Remote(WorkerPlugin):
    """The relays of one run in one Dask worker."""

    def __init__(
        self, python: list[int], first: dict[str, Any], parcels: dict[str, bytes], digests: dict[str, str]
    ) -> None:
        self._python, self._first, self._parcels, self._digests = python, first, parcels, digests
        self._home: Path | None = None
        self._idle: list[Relay] = []
        self._busy = 0
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._closer: threading.Thread | None = None

    def setup(self, worker: Any) -> None:
        self._worker = worker

    async def teardown(self, worker: Any) -> None:
        import asyncio

        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """End every relay; those that are busy are ended by who uses them."""
        self._closed.set()
        self._end_the_idle(0)

    def observe(self, text: str) -> str:
        """What comes of a piece of work: JSON to JSON. Gone is for Dask, which tries it again."""
        here = list(sys.version_info[:2])
        if here != self._python:
            wanted, found = (".".join(map(str, version)) for version in (self._python, here))
            problem = f"the worker at {socket.gethostname()} runs Python {found}; workers need the one here, {wanted}"
            return json.dumps({"failed": problem, "kind": "UsageError"})
        key = self._worker.get_current_task()

        def wanted_still() -> bool:
            task = self._worker.state.tasks.get(key)
            return not self._closed.is_set() and task is not None and task.state not in ("cancelled", "released")

        relay = None
        try:
            relay = self._taken(wanted_still)
            able = "failed" not in relay.begun
            answer = relay.ask(json.loads(text), wanted_still) if able else relay.begun
        except BaseException as problem:
            self._give_back(relay, whole=False)
            if isinstance(problem, Gone):
                raise RuntimeError(f"the relay at {socket.gethostname()}: {problem}") from None
            raise
        self._give_back(relay, whole=able)
        return json.dumps(answer)

    def _taken(self, wanted: Callable[[], bool]) -> Relay:
        with self._lock:
            self._busy += 1
            if self._idle:
                return self._idle.pop()
            home = self._unpacked()
            if self._closer is None:
                self._closer = threading.Thread(target=self._watch, daemon=True)
                self._closer.start()
        return Relay(home, self._first, wanted)

    def _give_back(self, relay: Relay | None, *, whole: bool) -> None:
        with self._lock:
            self._busy -= 1
            if whole and relay is not None and not self._closed.is_set():
                self._idle.append(relay)
                return
        if relay is not None:
            relay.end(at_once=True)
        self._end_the_idle(IDLE)

    def _unpacked(self) -> Path:
        """The folder with what was sent, in this worker's own directory, which Dask removes at the latest."""
        if self._home is None:
            home = Path(tempfile.mkdtemp(prefix="toolbench-", dir=self._worker.local_directory))
            for name, parcel in self._parcels.items():
                if hashlib.sha256(parcel).hexdigest() != self._digests[name]:
                    raise RuntimeError(f"the {name} arrived with other contents than it was sent with")
                with zipfile.ZipFile(io.BytesIO(parcel)) as content:
                    content.extractall(home / name)
            self._home = home  # only now: a half of it is never used
        return self._home

    def _watch(self) -> None:
        while not self._closed.wait(1.0):
            self._end_the_idle(IDLE)

    def _end_the_idle(self, seconds: float) -> None:
        """End relays that nobody asked for so long; with the last of them goes what was unpacked."""
        before = time.monotonic() - seconds
        with self._lock:
            old = [relay for relay in self._idle if relay.last <= before]
            self._idle = [relay for relay in self._idle if relay.last > before]
            home = None
            if not self._busy and not self._idle:
                home, self._home = self._home, None
        for relay in old:
            relay.end(at_once=False)
        if home is not None:
            shutil.rmtree(home, ignore_errors=True)
