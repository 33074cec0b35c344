"""One piece of work in a copy of this process: whatever it leaves behind ends with the copy."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from json import dumps, loads  # by name: a tool may patch the module
from typing import NoReturn

from toolbench.execution.child import CHUNK
from toolbench.execution.forking import end_with_parent, fork, is_single
from toolbench.layers.layer import Row
from toolbench.outcome import described

RAISED = "raised"
STIRRED = 977


def apart(made: Callable[[], Row], *, stirred: bool = False) -> Row:
    """The row that a function makes in a copy of this process; here, where a copy would not be whole.

    stirred: random numbers are others there than in a copy that is not, so that a tool that draws them is found out.

    When the copy ends without a row, this process ends in the same way: whoever waits for the row then knows how.
    """
    if not is_single(own_threads=1):
        return made()
    reads, writes = os.pipe()
    pid = fork()
    if pid == 0:
        try:
            os.close(reads)
            end_with_parent()
            try:
                if stirred:
                    _stir()
                line = dumps(made()).encode()
            except BaseException as problem:  # sys.exit() too
                line = dumps({RAISED: described(problem)}).encode()
            while line:
                line = line[os.write(writes, line) :]
        finally:
            os._exit(0)
    os.close(writes)
    text = b""
    while chunk := os.read(reads, CHUNK):
        text += chunk
    os.close(reads)
    _, status = os.waitpid(pid, 0)
    if not text:
        _end_alike(os.waitstatus_to_exitcode(status))
    row: Row = loads(text)
    if RAISED in row:
        raise RuntimeError(row[RAISED])
    return row


def _stir() -> None:
    """Begin the random numbers of all generators that are loaded anew, from a seed that nobody else takes."""
    for name in ("random", "numpy.random"):
        if (module := sys.modules.get(name)) is not None:
            module.seed(STIRRED)


def _end_alike(code: int) -> NoReturn:
    """End this process as another one ended."""
    if code < 0:
        signal.signal(-code, signal.SIG_DFL) if -code not in (signal.SIGKILL, signal.SIGSTOP) else None
        os.kill(os.getpid(), -code)
    os._exit(code)
