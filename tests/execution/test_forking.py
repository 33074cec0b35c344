"""Copies of this process."""

import os
import signal
import subprocess
import sys
import threading
import warnings
from pathlib import Path

from toolbench.execution.forking import fork, is_single

ROOT = Path(__file__).parents[2]
PARENT = """
import os, signal, sys, time
from toolbench.execution.forking import end_with_parent, fork
if (pid := fork()) == 0:
    end_with_parent()
    print(os.getpid(), flush=True)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGINT])
    time.sleep(60)
    os._exit(0)
time.sleep(60)
"""


def ended(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_a_copy_has_what_this_process_has():
    """A copy goes on with the same values, and what it changes is its own."""
    values = [1]
    pid = fork()
    if pid == 0:
        values.append(2)
        os._exit(len(values))
    assert ended(pid) == 2
    assert values == [1]


def test_a_process_with_threads_is_copied_quietly():
    """Newer Pythons warn of a copy of a process with threads; the library's copies use none of them."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            pid = fork()
            if pid == 0:
                os._exit(0)
        assert ended(pid) == 0
    finally:
        done.set()
        thread.join()


def test_whether_a_copy_would_be_whole():
    """A process with more threads than the library's own would lose them in its copy."""
    others = threading.active_count() - 1
    assert is_single(own_threads=others)
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert not is_single(own_threads=others)
        assert is_single(own_threads=others + 1)
    finally:
        done.set()
        thread.join()


def test_a_copy_ends_with_its_parent(all_gone):
    """When its parent is killed, a copy that hears no signal is ended by the system."""
    parent = subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    with parent:
        copy = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    assert all_gone([copy])
