"""A copy of this process that workers are made from."""

import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from toolbench.execution.mould import Mould

ROOT = Path(__file__).parents[2]
PARENT = """
import json, os, queue, time
from toolbench.execution.mould import Mould

def say(source, to):
    to.write(json.dumps({"pids": [os.getppid(), os.getpid()]}).encode() + b"\\n")
    to.flush()
    source.read()

mould = Mould(say)
events = queue.Queue()
child = mould.start(events)
print(*events.get()[1][0]["pids"], flush=True)
time.sleep(60)
"""


def echo(source, to):
    """A worker that answers each message with the same."""
    for line in source:
        to.write(line)
        to.flush()


@pytest.fixture
def events():
    return queue.Queue()


@pytest.fixture
def mould():
    made = Mould(echo)
    yield made
    made.close()


def test_workers_are_copies_of_this_process_as_it_was(events):
    """What this process holds when the mould is made, every worker has; what it does later, none."""
    held = ["before"]
    mould = Mould(lambda source, to: to.write(f'{{"held": {len(held)}}}\n'.encode()))
    held.append("later")
    for _ in range(2):
        child = mould.start(events)
        assert events.get(timeout=20) == (child, [{"held": 1}])
        assert events.get(timeout=20) == (child, None)
        child.kill(patience=20)
    mould.close()


def test_workers_run_in_the_thread_that_made_the_mould(events):
    """A connection that may be used in its own thread alone can be used in a worker, whoever asks for the worker."""
    here = threading.get_ident()
    mould = Mould(lambda source, to: to.write(f'{{"same": {int(threading.get_ident() == here)}}}\n'.encode()))
    children = []
    asking = threading.Thread(target=lambda: children.append(mould.start(events)))
    asking.start()
    asking.join()
    assert events.get(timeout=20) == (children[0], [{"same": 1}])
    children[0].kill(patience=20)
    mould.close()


def test_a_worker_lets_go_of_the_others(events, mould):
    """A worker does not hold the way to another open: that one still hears when its parent leaves it."""
    first, second = mould.start(events), mould.start(events)
    first._to.close()
    assert events.get(timeout=20) == (first, None)
    second.send({"still": "there"})
    assert events.get(timeout=20) == (second, [{"still": "there"}])
    first.kill()
    second.kill()


def test_how_a_worker_ended_is_known(events):
    """A worker that ended by itself is told by its own end; one that had to be ended is told by nothing."""
    mould = Mould(lambda source, to: os.kill(os.getpid(), signal.SIGTERM))
    gone = mould.start(events)
    assert events.get(timeout=20) == (gone, None)
    assert gone.kill(patience=20) == "its process was ended by SIGTERM"
    mould.close()


def test_ending_a_worker_at_once(events, mould):
    """A worker that has not yet come to its first line can be ended."""
    for _ in range(20):
        child = mould.start(events)
        assert child.kill() == ""
        with pytest.raises(ProcessLookupError):
            os.kill(child.pid, 0)


def test_nothing_survives_its_parent(all_gone):
    """When the parent is killed, the mould and its workers end."""
    parent = subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    with parent:
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    assert len(pids) == 2
    assert all_gone(pids)
