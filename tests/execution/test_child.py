"""A worker process, seen from its parent."""

import os
import queue
import subprocess
import sys
import time

import pytest

from toolbench.execution.child import Child, ending, start_fresh


@pytest.fixture
def events():
    return queue.Queue()


ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"


def started(program, events):
    """A child that runs this program."""
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )

    def reap(seconds):
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    return Child(process.pid, process.stdin, process.stdout, reap, events)


def heard(events):
    """The next message; None for the end of the child."""
    messages = events.get(timeout=20)[1]
    if messages is None:
        return None
    (message,) = messages
    return message


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0, "its process exited with code 0"),
        (3, "its process exited with code 3"),
        (-9, "its process was ended by SIGKILL"),
        (-11, "its process was ended by SIGSEGV"),
        (-250, "its process was ended by signal 250"),
    ],
)
def test_how_a_process_ended(status, words):
    """A return code is put into words; a signal goes by its name where it has one."""
    assert ending(status) == words


def test_messages_go_there_and_back(events):
    """Messages are plain values, one a line, each told with its child."""
    child = started(ECHO, events)
    for message in ({"a": 1}, {"text": "größer\n🎈"}, {"list": [None, 1.5, True]}):
        child.send(message)
        assert events.get(timeout=20) == (child, [message])
    child.leave()
    assert heard(events) is None


def test_a_child_that_is_told_to_leave_cleans_up(events, tmp_path):
    """A child that is asked to leave ends by itself, so that its own clean-up runs."""
    program = f"import atexit, sys; atexit.register(open, {str(tmp_path / 'clean')!r}, 'w'); sys.stdin.read()"
    child = started(program, events)
    child.leave()
    assert (tmp_path / "clean").exists()
    assert heard(events) is None


def test_a_child_that_does_not_leave_is_ended(events):
    """A child that does not end when it is asked to is ended from outside."""
    child = started("import time\nwhile True: time.sleep(1)", events)
    child.leave()
    with pytest.raises(ProcessLookupError):
        os.kill(child.pid, 0)


def test_what_a_child_started_ends_with_it(events):
    """Ending a child ends what it has started, too."""
    child = started(
        "import os, json, time\n"
        "if os.fork() == 0:\n    print(json.dumps({'pid': os.getpid()}), flush=True)\n"
        "time.sleep(1000)",
        events,
    )
    pid = heard(events)["pid"]
    assert child.kill() == ""
    for _ in range(500):
        try:
            os.kill(pid, 0)
            with open(f"/proc/{pid}/stat") as status:
                if status.read().rpartition(")")[2].split()[0] == "Z":
                    break
        except (ProcessLookupError, FileNotFoundError):
            break
        time.sleep(0.02)
    else:
        pytest.fail("still running")


def test_killing_says_how_a_child_had_ended_by_itself(events):
    """A child that was gone before is told by its own end; one that had to be ended is told by nothing."""
    gone = started("raise SystemExit(5)", events)
    assert heard(events) is None
    assert gone.kill(patience=20) == "its process exited with code 5"

    ended_itself = started("import os; os.kill(os.getpid(), 15)", events)
    assert heard(events) is None
    assert ended_itself.kill(patience=20) == "its process was ended by SIGTERM"

    alive = started(ECHO, events)
    assert alive.kill() == ""


@pytest.mark.parametrize("said", ["no message", "5", '{"half": '])
def test_a_channel_that_was_written_into(events, said):
    """What is no message ends the conversation: nothing after it is believed."""
    child = started(f"import time; print({said!r} + chr(10) + '{{}}', flush=True); time.sleep(1000)", events)
    assert heard(events) is None
    assert child.kill(patience=0.1) == ""
    assert events.empty()


def test_sending_to_a_child_that_is_gone(events):
    """Sending to a child that is gone is no error; its reader tells of its end."""
    child = started("raise SystemExit(0)", events)
    assert heard(events) is None
    for _ in range(3):
        child.send({"much": "x" * 100_000})
    child.kill()
    child.send({"more": 1})
    child.kill()


def test_a_fresh_child_knows_where_this_one_imports_from(events, monkeypatch, tmp_path):
    """What this process can import, a new interpreter can, too."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a_module_of_mine.py").write_text("base_seed = 7\n")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "scenario.py").write_text(
        "from a_module_of_mine import base_seed\nfrom toolbench import tool\ntools = [tool(schema=[])(print)]\n"
    )
    monkeypatch.syspath_prepend(tmp_path / "elsewhere")
    child = start_fresh(events)
    child.send({"folder": str(tmp_path / "own"), "digest": None, "defects": [], "agent": {}})
    assert heard(events)["ready"] is True
    child.leave()


def test_a_fresh_child_does_not_import_from_the_working_directory(events, monkeypatch, tmp_path):
    """A file in the working directory that is named like a module of Python's own is not taken for it."""
    (tmp_path / "json.py").write_text("raise RuntimeError('not me')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place not in ("", ".")])
    child = start_fresh(events)
    child.send({"folder": "/nowhere", "digest": None, "defects": [], "agent": {}})
    assert "failed" in heard(events)
    child.leave()
