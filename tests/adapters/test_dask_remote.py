"""What runs inside a Dask worker, seen from a stand-in for one."""

import json
import sys
import time
from types import SimpleNamespace

import pytest

from toolbench.adapters import dask_remote
from toolbench.adapters.dask_remote import Remote
from toolbench.adapters.parcel import addressed
from toolbench.mutation.engine import Tables

HERE = list(sys.version_info[:2])


@pytest.fixture
def worker(tmp_path):
    """As much of a Dask worker as is looked at: the task that runs, and a directory."""
    tasks = {"key": SimpleNamespace(state="executing")}
    return SimpleNamespace(
        state=SimpleNamespace(tasks=tasks), local_directory=str(tmp_path), get_current_task=lambda: "key"
    )


@pytest.fixture
def remote(worker, lending):
    made = Remote(HERE, **addressed(Tables(lending), 5.0))
    made.setup(worker)
    yield made
    made.close()


def piece(lending, units=None):
    ids = [case.id for case in lending.cases]
    return json.dumps({"table": "none", "layer": "tool", "units": units or ids, "given": None, "patient": False})


def test_a_relay_is_used_again(remote, lending, tmp_path):
    """Two pieces one after the other are done by one relay; closing ends it and removes what was unpacked."""
    first, second = (json.loads(remote.observe(piece(lending))) for _ in range(2))
    assert first == second
    assert [row["case"] for row in first["rows"]] == [case.id for case in lending.cases]
    assert len(list(tmp_path.glob("toolbench-*/errors-*"))) == 1
    remote.close()
    assert list(tmp_path.iterdir()) == []


def test_another_python(worker, lending):
    """A worker with another Python says so and does nothing."""
    remote = Remote([2, 7], **addressed(Tables(lending), 5.0))
    remote.setup(worker)
    answer = json.loads(remote.observe(piece(lending)))
    assert answer["kind"] == "UsageError"
    assert answer["failed"].endswith("workers need the one here, 2.7")


def test_work_that_is_not_wanted_any_more(remote, worker, lending, tmp_path):
    """A task that was cancelled meanwhile has no result, and its relay is ended."""
    worker.state.tasks["key"].state = "cancelled"
    with pytest.raises(RuntimeError, match="not wanted any more"):
        remote.observe(piece(lending))
    assert remote._idle == []


@pytest.mark.slow
def test_a_relay_that_nobody_asks_ends(remote, lending, tmp_path, monkeypatch):
    """A client that was killed says no goodbye: after a while without a piece, everything is removed."""
    monkeypatch.setattr(dask_remote, "IDLE", 0.5)
    remote.observe(piece(lending))
    until = time.monotonic() + 20
    while list(tmp_path.iterdir()) and time.monotonic() < until:
        time.sleep(0.05)
    assert list(tmp_path.iterdir()) == []
    assert json.loads(remote.observe(piece(lending)))["rows"]


def test_a_parcel_that_was_damaged(worker, lending):
    """What does not have its digest is not unpacked."""
    settings = addressed(Tables(lending), 5.0)
    settings["parcels"]["library"] += b"x"
    remote = Remote(HERE, **settings)
    remote.setup(worker)
    with pytest.raises(RuntimeError, match="the library arrived with other contents"):
        remote.observe(piece(lending))


def test_a_relay_that_cannot_begin(worker, lending, monkeypatch):
    """A worker that lacks a package says which, so that the reason can be told."""
    remote = Remote(HERE, **addressed(Tables(lending), 5.0))
    remote.setup(worker)
    monkeypatch.setattr(dask_remote, "BOOT", "import no_such_package")
    with pytest.raises(RuntimeError, match="No module named 'no_such_package'"):
        remote.observe(piece(lending))
    remote.close()


def test_a_scenario_that_is_another_there(worker, lending):
    """A scenario whose digests differ on the worker is an error that names what differs."""
    settings = addressed(Tables(lending), 5.0)
    settings["first"]["digests"] = {**settings["first"]["digests"], "suite": "0"}
    remote = Remote(HERE, **settings)
    remote.setup(worker)
    answer = json.loads(remote.observe(piece(lending)))
    remote.close()
    assert answer["kind"] == "ScenarioError"
    assert answer["failed"].startswith("lending: its suite differ on the machine")
