"""A server over stdin and stdout: listed, called, and what becomes of it when it misbehaves."""

import os
import signal
import socket
import subprocess
import sys
import time

import pytest

import toolbench as tb
from tests.conftest import running
from tests.servers.starting import MODERN, faulty
from toolbench.errors import ScenarioError, ToolError
from toolbench.outcome import Ended
from toolbench.servers.answers import ProtocolError, TooLong

ECHO = ("echo", {"text": "tea"})


@pytest.fixture(scope="module")
def well():
    """A well-behaved server, with the arguments that only show something."""
    server = faulty("--progress", "--garbage", "--environment", "--pages", 2)
    with server.running():
        yield server


def started(file):
    return [int(line) for line in file.read_text().split()]


def gone(pid):
    """Whether a process is gone within a moment."""
    for _ in range(100):
        if not running(pid):
            return True
        time.sleep(0.05)
    return False


def test_the_list_is_whole(well):
    """Page by page; definitions as they came; lines that are no messages are counted."""
    listing = well.listing()
    assert [tool["name"] for tool in listing.tools] == ["echo", "add", "note", "count", "fail", "environment"]
    assert (listing.called, listing.protocol) == ("faulty", "2025-06-18")
    assert listing.noise[0] >= 1 and listing.noise[1] == "Welcome to the faulty server!"


def test_calls_are_answered(well):
    """Progress and log messages are no results; structured content, text and errors are what they are."""
    assert well.call(*ECHO) == {"text": "tea"}
    assert well.call("add", {"a": 1, "b": 2.5}) == {"sum": 3.5}
    with pytest.raises(ToolError, match=r"^because$"):
        well.call("fail", {"why": "because"})
    with pytest.raises(ProtocolError, match=r"Unknown tool: nothing \(protocol error -32602\)"):
        well.call("nothing", {})


def test_nothing_of_the_environment_leaks(well):
    """PATH alone; the directory is the one that was given."""
    seen = well.call("environment", {})
    assert set(seen["names"]) - {"LC_CTYPE"} == {"PATH"} and seen["cwd"] == os.getcwd()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--die-at-start"], "code 7; its stderr ends: no database to be found"),
        (["--repeat-cursor"], 'its list of tools has no end: the cursor "0" came again on page 2'),
        (["--protocol", "2031-01-01"], "speaks no version of the protocol that is known here"),
        (["--silent"], "did not answer the handshake within 1 s"),
        (["--ask"], "1 line of its stdout told no message, the first 'Password:'"),
    ],
    ids=["dies", "cursor", "newer", "silent", "asks"],
)
@pytest.mark.slow
def test_a_server_that_cannot_be_used(arguments, message):
    """Is told, with what it said of itself."""
    seconds = 1 if arguments[0] in ("--silent", "--ask") else 20
    server = faulty(*arguments, start=seconds)
    with pytest.raises(ScenarioError) as caught, server.running():
        server.listing()
    assert message in str(caught.value)


def test_a_command_that_is_not_there():
    """Is named; so is a place that is none."""
    for given, message in ((tb.mcp_server("no-such-program-at-all"), "there is no program 'no-such-program-at-all'"),):
        with pytest.raises(ScenarioError, match=message), given.running():
            given.listing()


@pytest.mark.slow
@pytest.mark.parametrize("how", ["--hang", "--deaf", "--die"])
def test_a_call_that_does_not_come_back(how, tmp_path):
    """Is ended at the deadline, or told with the server's last words; the next call meets a new server, and nothing
    of the old one is left."""
    starts = tmp_path / "starts"
    server = faulty(how, "echo", "--starts", starts, "--stay", "--child", deadline=0.5)
    with server.running():
        server.listing()
        with pytest.raises(Ended) as caught:
            server.call(*ECHO)
        told = "the last words of the server" if how == "--die" else "no answer within 0.5 s"
        assert told in caught.value.reason and caught.value.kind == ("died" if how == "--die" else "timeout")
        assert server.call("add", {"a": 1, "b": 1}) == {"sum": 2}
        first, second = started(starts)[:2], started(starts)[2:]
        assert len(second) == 2 and all(map(gone, first))
    assert all(map(gone, second))


@pytest.mark.slow
def test_an_answer_of_fifty_megabytes():
    """Is not looked at, and the server goes on."""
    server = faulty("--huge", "echo")
    with server.running():
        with pytest.raises(TooLong, match="the answer has 47 MB"):
            server.call(*ECHO)
        assert server.call("add", {"a": 1, "b": 1}) == {"sum": 2}


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_when_the_process_is_ended(end, tmp_path):
    """Whoever needed the server, and however it went."""
    starts = tmp_path / "starts"
    code = (
        "import sys, time; from tests.servers.starting import faulty\n"
        f"server = faulty('--starts', {str(starts)!r}, '--stay', '--child')\n"
        "with server.running():\n    server.listing(); print('ready', flush=True); time.sleep(100)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(end)
    process.communicate(timeout=30)
    assert all(map(gone, started(starts)))


@pytest.mark.slow
def test_nothing_is_left_when_the_keeper_is_ended(tmp_path):
    """The server ends with it, and whoever asked is told."""
    starts = tmp_path / "starts"
    server = faulty("--starts", starts, "--stay", "--child")
    with server.running():
        server.listing()
        os.kill(server._keeper._process.pid, signal.SIGKILL)
        with pytest.raises(Ended, match="the process that keeps the server does not answer"):
            server.call(*ECHO)
    assert all(map(gone, started(starts)))


@pytest.mark.slow
def test_a_directory_is_put_back(tmp_path):
    """File by file under a server that lives on; its path is told as {directory}. With fresh='case', the server is
    another one as well."""
    folder, starts = tmp_path / "data", tmp_path / "starts"
    folder.mkdir()
    (folder / "notes.txt").write_text("tea\n")
    for fresh, number in (("run", 1), ("case", 3)):
        starts.unlink(missing_ok=True)
        server = faulty("--directory", "{directory}", "--starts", starts, directory=folder, fresh=fresh)
        with server.running():
            restored = server.worlds()
            world = restored()
            first = world.fingerprint()
            assert world.call("note", {"text": "milk"}) == {"text": "2 lines"}
            assert world.fingerprint() != first and world.changes() == ["notes.txt"]
            middle = world.snapshot()
            world = restored()
            assert world.call("count", {}) == {"text": "1 lines in {directory}/notes.txt"}
            assert world.fingerprint() == first
            world.restore(middle)
            assert world.call("count", {}) == {"text": "2 lines in {directory}/notes.txt"}
        assert len(started(starts)) == number
    assert (folder / "notes.txt").read_text() == "tea\n"


@pytest.mark.slow
def test_a_server_over_http():
    """By its address; one that nobody answers is told."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen([*MODERN, "--http", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        server = tb.mcp_server(f"http://127.0.0.1:{port}/mcp", start=20)
        with server.running():
            for _ in range(100):
                try:
                    listing = server.listing()
                    break
                except ScenarioError:
                    time.sleep(0.2)
            assert [tool["name"] for tool in listing.tools] == ["double", "greet", "crash"]
            assert server.call("double", {"number": 4}) == {"doubled": 8}
    finally:
        process.kill()
        process.wait()
    server = tb.mcp_server("http://127.0.0.1:9/mcp")
    with pytest.raises(ScenarioError, match="cannot be reached"), server.running():
        server.listing()
