"""How a keeper is spoken to: JSON values over a socket of this machine, each behind its length."""

from __future__ import annotations

import os
import socket
import struct
from json import dumps, loads  # by name: a tool may patch the module
from typing import Any

from toolbench.errors import ScenarioError

HEAD = struct.Struct(">I")
LONGEST = 1 << 30


def framed(message: Any) -> bytes:
    """A message as it goes over the wire."""
    content = dumps(message).encode()
    return HEAD.pack(len(content)) + content


class Link:
    """This process's own way to a keeper; a copy of the process opens one of its own."""

    def __init__(self, address: str):
        self._address = address
        self._socket: socket.socket | None = None
        self._pid = 0

    def ask(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send a message and wait for its answer; OSError when there is none in time, or nobody to give it."""
        try:
            way = self._way()
            way.settimeout(seconds)
            way.sendall(framed(message))
            (length,) = HEAD.unpack(_exactly(way, HEAD.size))
            answer: dict[str, Any] = loads(_exactly(way, length))
        except BaseException:  # Ctrl-C too
            self.close()  # an answer that comes late is nobody's
            raise
        if "failed" in answer:
            raise ScenarioError(answer["failed"])
        return answer

    def close(self) -> None:
        if self._socket is not None and self._pid == os.getpid():
            self._socket.close()
        self._socket = None

    def _way(self) -> socket.socket:
        if self._socket is None or self._pid != os.getpid():
            self._socket, self._pid = socket.socket(socket.AF_UNIX), os.getpid()
            self._socket.connect(self._address)
        return self._socket


def _exactly(way: socket.socket, length: int) -> bytes:
    parts, left = [], length
    while left:
        part = way.recv(min(left, 1 << 20))
        if not part:
            raise ConnectionError("the process that keeps the server is gone")
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
