"""A process that passes pieces of work on to a pool of its own."""

import queue
import subprocess
import sys

import pytest

from toolbench.execution.child import BOOT, Child
from toolbench.execution.pool import Pool
from toolbench.execution.work import Work, observed
from toolbench.folder import folder_digest
from toolbench.mutation.engine import Tables


@pytest.fixture
def relay(lending):
    """A relay, and what it has to be told first."""
    events = queue.Queue()
    process = subprocess.Popen([sys.executable, "-P", "-c", BOOT.replace(".worker", ".relay")],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)  # fmt: skip

    def reap(seconds):
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    child = Child(process.pid, process.stdin, process.stdout, reap, events)
    child.send(sys.path)

    def tell(message):
        child.send(message)
        return events.get(timeout=30)[1]

    yield child, tell
    child.leave()


def first(scenario, **other):
    return {
        "folder": str(scenario.folder), "digest": folder_digest(scenario.folder), "digests": scenario.digests(),
        "defects": [], "agent": dict(scenario.altered), "deadline": 5.0, **other,
    }  # fmt: skip


@pytest.mark.slow
def test_a_piece_there_and_its_rows_back(relay, lending):
    """A relay answers a piece with what a pool here would say of it, and goes on after an error."""
    _, tell = relay
    ids = [case.id for case in lending.cases]
    assert tell(first(lending)) == [{"ready": True}]
    [wrong] = tell({"table": "stub nothing", "layer": "tool", "units": ids})
    assert "nothing" in wrong["failed"]
    [answer] = tell({"table": "none", "layer": "tool", "units": ids, "given": None, "patient": True})
    with Pool(Tables(lending), jobs=1) as pool:
        [here] = observed(pool, [Work("none", "tool", ids)])
    assert answer == vars(here)


def test_settings_of_the_agent_are_kept(relay, lending):
    """What was altered here is altered there."""
    _, tell = relay
    assert tell(first(lending.with_agent(budget=3))) == [{"ready": True}]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"digest": "0"}, "arrived with other contents than it was sent with"),
        ({"digests": {"table": "0", "suite": "0"}}, "its table and suite differ on the machine that was to run them"),
    ],
)
def test_something_else_than_was_sent(relay, lending, other, said):
    """Contents or a scenario that differ from what was sent are an error, and the relay ends."""
    child, tell = relay
    [answer] = tell(first(lending, **other))
    assert said in answer["failed"]
    assert child.kill(patience=20) == "its process exited with code 0"


def test_a_relay_ends_with_its_channel(relay, lending, all_gone):
    """A relay that nobody can tell anything any more ends, and its workers with it."""
    child, tell = relay
    assert tell(first(lending)) == [{"ready": True}]
    with open(f"/proc/{child.pid}/task/{child.pid}/children") as children:
        below = {int(pid) for pid in children.read().split()}
    child.leave()
    assert all_gone({child.pid, *below})
