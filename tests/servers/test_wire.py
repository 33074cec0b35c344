"""Messages between a process and a keeper."""

import os
import socket
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.errors import ScenarioError
from toolbench.servers.wire import HEAD, Link, framed


@pytest.fixture
def listening(tmp_path):
    """A function that has a socket answer each message with what a function makes of its bytes."""
    address = str(tmp_path / "socket")
    server = socket.socket(socket.AF_UNIX)
    server.bind(address)
    server.listen()
    links = []

    def serve(answer):
        def talk(way):
            with way:
                while head := way.recv(HEAD.size):
                    (length,) = HEAD.unpack(head)
                    said = answer(way.recv(length, socket.MSG_WAITALL))
                    if said is None:
                        break
                    way.sendall(said)

        def run():
            while True:
                try:
                    way, _ = server.accept()
                except OSError:
                    return
                threading.Thread(target=talk, args=[way], daemon=True).start()

        threading.Thread(target=run, daemon=True).start()
        links.append(Link(address))
        return links[-1]

    yield serve
    for link in links:
        link.close()
    server.shutdown(socket.SHUT_RDWR)
    server.close()


def test_a_message_is_answered(listening):
    """As often as one asks; a refusal is an error."""
    link = listening(lambda text: HEAD.pack(len(text)) + text)
    assert link.ask({"a": [1, "x" * 100_000]}, 5) == {"a": [1, "x" * 100_000]}
    with pytest.raises(ScenarioError, match="nothing there"):
        link.ask({"failed": "nothing there"}, 5)


def test_nobody_answers(listening):
    """In time, or at all; then the next question is asked anew."""
    answers = iter([None, framed({"late": 1})])
    link = listening(lambda text: next(answers))
    with pytest.raises(ConnectionError, match="gone"):
        link.ask({}, 5)
    assert link.ask({}, 5) == {"late": 1}
    with pytest.raises(FileNotFoundError):
        Link("/nowhere/at/all").ask({}, 1)


def test_a_copy_of_the_process_has_a_way_of_its_own(listening):
    """What one of them asks is not answered to the other."""
    link = listening(lambda text: HEAD.pack(len(text)) + text)
    link.ask({"who": "parent"}, 5)
    reads, writes = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(writes, b"same" if link.ask({"who": "child"}, 5) == {"who": "child"} else b"other")
        os._exit(0)
    os.waitpid(pid, 0)
    os.close(writes)
    with os.fdopen(reads, "rb") as told:
        assert told.read() == b"same"
    assert link.ask({"who": "parent"}, 5) == {"who": "parent"}


@given(st.dictionaries(st.text(), st.integers()))
def test_a_frame_says_how_long_it_is(message):
    """The length of what follows, in bytes."""
    assert HEAD.unpack(framed(message)[: HEAD.size]) == (len(framed(message)) - HEAD.size,)
