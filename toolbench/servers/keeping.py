"""The process that keeps a server, seen from the one that needs it: started, and ended with all that it began."""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from typing import Any

from toolbench.errors import ScenarioError
from toolbench.servers.settings import ServerSettings

MODULE = "toolbench.adapters.mcp_keeper"
BOOT = "import json, sys; sys.path[:] = json.loads(sys.stdin.buffer.readline()); from {module} import main; main()"
BEGIN = 30.0
GRACE = 10.0  # a server has a while to end by itself
INSTALL = "pip install 'toolbench-defects[mcp]'"


class Keeper:
    """A process that keeps the lives of one server; `address` is where it is spoken to.

    It ends when it is told to and when this process is gone. What it said of the servers' processes is remembered
    here, so that they are ended also when it could not do so itself.
    """

    def __init__(self, settings: ServerSettings):
        if importlib.util.find_spec("mcp") is None:
            raise ScenarioError(f"a server is spoken to through the package mcp, which is not installed: {INSTALL}")
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", BOOT.format(module=MODULE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a Ctrl-C at the terminal is for the process that keeps order
        )
        self._groups: set[int] = set()
        self._base = ""
        self._ready = threading.Event()
        self.address = ""
        self._reader = threading.Thread(target=self._read, name="toolbench keeper", daemon=True)
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            for line in (sys.path, settings.facts()):
                self._process.stdin.write(json.dumps(line, default=list).encode() + b"\n")
            self._process.stdin.flush()
        self._reader.start()
        atexit.register(self.close)
        if not self._ready.wait(BEGIN) or not self.address:
            self.close()
            raise ScenarioError("the process that keeps the server did not start")

    def close(self) -> None:
        """End the servers, and the process; nothing of them is left."""
        atexit.unregister(self.close)
        process = self._process
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._reader.join(GRACE)
        for group in self._groups:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
        self._groups.clear()
        if self._base:
            shutil.rmtree(self._base, ignore_errors=True)

    def _read(self) -> None:
        """What the keeper says of itself, line by line: where it is, and which processes it has."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with contextlib.suppress(ValueError):
                self._hear(json.loads(line))
        self._process.stdout.close()
        self._ready.set()

    def _hear(self, said: dict[str, Any]) -> None:
        if "address" in said:
            self.address, self._base = said["address"], said["base"]
            self._ready.set()
        elif "started" in said:
            self._groups.add(said["started"])
        elif "ended" in said:
            self._groups.discard(said["ended"])
