"""Copies of this process: made quietly, and ended with their parent."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings

CAN_FORK = hasattr(os, "fork")
ENDING_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def fork() -> int:
    """`os.fork`, without the warning that a process with threads gets, and with the same random numbers to come.

    The copies that the library makes use none of those threads: they run tools and write to a pipe. Python seeds
    `random` anew in a copy; a tool that draws from it would answer differently at every run.
    """
    random = sys.modules.get("random")
    state = None if random is None else random.getstate()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        for number in ENDING_SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        if random is not None:
            random.setstate(state)
    return pid


def is_single(own_threads: int) -> bool:
    """Whether a copy of this process would be whole: it has no threads but `own_threads` of the library's own."""
    return CAN_FORK and threading.active_count() <= 1 + own_threads


def end_with_parent() -> None:
    """Ask the system to end this process with its parent: a hang in C code would never hear of it otherwise."""
    if sys.platform == "linux":
        import ctypes

        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
