"""Whole measurements on a cluster give the bytes that they give on one machine."""

import pytest

import toolbench as tb
from tests.cluster import ROOT, Cluster, until
from toolbench import playing
from toolbench.adapters import dask_client
from toolbench.errors import UsageError
from toolbench.report.json import json_report

pytestmark = pytest.mark.slow
LENDING = ROOT / "tests" / "scenarios" / "lending"


@pytest.fixture
def cluster(tmp_path):
    """A scheduler with two workers."""
    made = Cluster(tmp_path)
    try:
        made.worker()
        made.worker()
        client = dask_client.connected(made.address)
        client.wait_for_workers(2, timeout=30)
        client.close()
        yield made
    finally:
        made.end()


@pytest.fixture
def small(monkeypatch):
    """Chunks so small that even a few seeds are many of them, all handed to the executor."""
    monkeypatch.setattr(playing, "INLINE", 0)
    monkeypatch.setattr(playing, "CHUNK", 100)


@pytest.mark.parametrize("engine", ["auto", "walk"])
def test_a_report_from_a_cluster(cluster, small, engine):
    """Machines, lanes, walked episodes and suites: the document is the same to the last byte."""
    settings = {"seeds": 1200, "engine": engine} if engine == "auto" else {"seeds": 3, "engine": engine}
    for scenario in ("metering", LENDING):
        there = tb.measure(scenario, executor="dask", scheduler=cluster.address, **settings)
        assert json_report(there) == json_report(tb.measure(scenario, jobs=1, **settings))


def test_a_worker_that_is_killed_changes_no_byte(cluster, small):
    """One of two workers dies while chunks are run; a third takes its place, and the document is the same."""
    doomed = cluster.processes[1]
    seen = []

    def heard(done, every):
        seen.append((done, every))
        if len(seen) == 2:
            doomed.kill()
            doomed.wait()
            cluster.worker()

    settings = {"seeds": 3000, "layers": ["loop"], "defects": ["D5", "D9"]}
    there = tb.measure("metering", executor="dask", scheduler=cluster.address, heard=heard, **settings)
    assert until(lambda: doomed.poll() is not None)
    assert (len(seen), seen[-1]) == (30, (3000, 3000))
    assert json_report(there) == json_report(tb.measure("metering", jobs=1, **settings))


def test_jobs_are_not_a_clusters():
    """How much a cluster does at a time is its own affair: to give `jobs` is a mistake, and said to be one."""
    with pytest.raises(UsageError, match="jobs 3: the executor dask does as many as its workers have threads"):
        tb.measure("metering", executor="dask", scheduler="tcp://127.0.0.1:1", jobs=3)
