"""A real cluster: a scheduler and workers in processes of their own that know neither the checkout nor the folder."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from pathlib import Path
from textwrap import dedent

import pytest

import toolbench as tb
from tests.cluster import ROOT, Cluster, until
from toolbench.adapters import dask, dask_client
from toolbench.adapters.dask import DaskExecutor
from toolbench.errors import TableChanged, ToolbenchError, UsageError
from toolbench.execution.pool import Pool
from toolbench.execution.work import Work, observed
from toolbench.layers.all import LAYERS
from toolbench.mutation.engine import STUB, Tables
from toolbench.seeds import read_seeds

pytestmark = pytest.mark.slow

HOSTILE = """
    import os, re, signal, time
    from pathlib import Path
    import toolbench
    from toolbench import tool

    NOTES = Path({notes!r})

    def note():
        (NOTES / f"pid {{os.getpid()}}").touch()

    @tool(schema=[])
    def fine():
        note()
        return {{"ok": True}}

    @tool(schema=[])
    def slow():
        note()
        time.sleep(0.1)
        return {{"ok": True}}

    @tool(schema=[])
    def hang():
        note()
        while True:
            pass

    @tool(schema=[])
    def hang_in_c():
        return {{"ok": re.match(r"(a+)+$", "a" * 50 + "b") is None}}

    @tool(schema=[])
    def leave():
        os._exit(0)

    @tool(schema=[])
    def kill_itself():
        os.kill(os.getpid(), signal.SIGKILL)

    @tool(schema=[])
    def interrupt():
        raise KeyboardInterrupt

    @tool(schema=[])
    def print_much():
        os.write(1, b'{{"rows": []}}\\n')
        return {{"ok": True}}

    @tool(schema=[])
    def place():
        places = Path(toolbench.__file__), Path(__file__)
        return {{"ok": all(place.parents[2].name.startswith("toolbench-") for place in places)}}

    @tool(schema=[])
    def spoil():
        fine.function.__defaults__ = (2,)
        return {{"ok": True}}

    tools = [value for value in list(vars().values()) if type(value).__name__ == "Tool"]
"""
BAD = ["hang", "leave", "kill_itself", "interrupt", "print_much", "hang_in_c"]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A scheduler with two workers."""
    made = Cluster(tmp_path_factory.mktemp("elsewhere"))
    try:
        made.worker()
        made.worker()
        yield made
    finally:
        made.end()


@pytest.fixture
def own(tmp_path):
    """A scheduler without workers, for one test alone."""
    folder = tmp_path / "own"
    folder.mkdir()
    made = Cluster(folder)
    yield made
    made.end()


@pytest.fixture
def notes(tmp_path):
    """Where the tools of the hostile scenario say which processes they run in."""
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


@pytest.fixture
def hostile(tmp_path, notes):
    """A function that makes a scenario of hostile tools; each case calls the tool that it is named after."""

    def make(tools):
        folder = tmp_path / "user" / "hostile"
        folder.mkdir(parents=True)
        (folder / "scenario.py").write_text(dedent(HOSTILE.format(notes=str(notes))))
        (folder / "cases.toml").write_text(
            "".join(
                f'[[case]]\nid = "{number} {tool}"\ntool = "{tool}"\noutput = {{ ok = true }}\n'
                for number, tool in enumerate(tools)
            )
        )
        return tb.load_scenario(folder)

    return make


def noted(folder):
    return {int(path.name.split()[1]) for path in folder.glob("pid *")}


def suite(scenario):
    return [case.id for case in scenario.cases]


def everything(scenario, defects, seeds):
    """The works of a whole measurement."""
    chosen = read_seeds(seeds, scenario.base_seed)
    tables = Tables(scenario, defects)
    names = ["none", *(d.id for d in defects if tables.plant(d.id).table), *(STUB + tool for tool in scenario.table)]
    return tables, [
        Work(name, layer, list(LAYERS[layer].units(scenario, chosen)), whole=name == "none" and layer == "tool")
        for name in names
        for layer in LAYERS
    ]


def test_the_cluster_sees_nothing_of_the_checkout(cluster):
    """What the tests below rest on: the library cannot be imported in a worker."""
    client = dask_client.connected(cluster.address)
    try:
        client.wait_for_workers(2, timeout=20)
        code = "(__import__('importlib.util').util.find_spec('toolbench'), __import__('os').getcwd())"
        assert set(client.run(eval, code).values()) == {(None, str(cluster.folder))}
    finally:
        client.close()


def test_the_same_rows_as_on_one_machine(cluster, scenario):
    """All tables by all layers: a cluster sees what a pool sees, and what it sees is the same bytes."""
    tables, works = everything(scenario, tb.load_defects(scenario)[::3], 8)
    with Pool(tables) as pool:
        here = observed(pool, works)
    heard = []
    with DaskExecutor(tables, scheduler=cluster.address) as executor:
        there = observed(executor, works, lambda *counts: heard.append(counts))
    assert json.dumps([vars(seen) for seen in there]) == json.dumps([vars(seen) for seen in here])
    assert heard[-1] == (sum(len(work.units) for work in works),) * 2


def test_what_was_sent_is_what_runs(cluster, hostile, tmp_path):
    """Library and scenario are those that were sent: the folder may be gone, whatever is installed there."""
    scenario = hostile(["place"])
    with DaskExecutor(Tables(scenario), scheduler=cluster.address) as executor:
        (tmp_path / "user").rename(tmp_path / "moved")
        [seen] = observed(executor, [Work("none", "tool", suite(scenario))])
    assert seen.rows == [{"case": "0 place", "passed": True, "kind": "ok", "why": ""}]


def test_hostile_tools_get_the_same_rows(cluster, hostile, notes, all_gone):
    """A hang, an exit and a crash are what they are on one machine, and nothing is left running."""
    scenario = hostile([*BAD, "fine"])
    works = [Work("none", "tool", suite(scenario))]
    with Pool(Tables(scenario), deadline=1.0) as pool:
        here = observed(pool, works)
    with DaskExecutor(Tables(scenario), scheduler=cluster.address, deadline=1.0) as executor:
        there = observed(executor, works)
    assert there == here
    assert [row["kind"] for row in there[0].rows] == ["timeout", "died", "died", "crash", "ok", "timeout", "ok"]
    assert all_gone(noted(notes))


def test_a_worker_that_is_killed_is_no_verdict(cluster, hostile, notes, all_gone):
    """One of the workers is killed in the middle of a piece: the rows are the same, and its processes are gone."""
    scenario = hostile(["slow"] * 40)
    works = [Work("none", "tool", suite(scenario)[start : start + 5]) for start in range(0, 40, 5)]
    with Pool(Tables(scenario), deadline=20, jobs=2) as pool:
        here = observed(pool, works)
    doomed = cluster.worker()
    client = dask_client.connected(cluster.address)
    client.wait_for_workers(3, timeout=30)
    client.close()
    with DaskExecutor(Tables(scenario), scheduler=cluster.address, deadline=20) as executor:
        futures = [executor.submit(work) for work in works]
        assert until(lambda: descendants(doomed.pid) & noted(notes))
        below = descendants(doomed.pid)
        doomed.kill()
        doomed.wait()
        there = [future.result() for future in futures]
    assert there == here
    assert len(below) > 2
    assert all_gone(below | noted(notes))


def children_of(pid):
    try:
        return {int(child) for task in Path(f"/proc/{pid}/task").iterdir()
                for child in (task / "children").read_text().split()}  # fmt: skip
    except OSError:
        return set()


def descendants(pid):
    found = set()
    for child in children_of(pid):
        found |= {child} | descendants(child)
    return found


def test_an_error_comes_back_as_it_was(cluster, hostile):
    """A tool that changes the table, and a case that nobody knows, fail their own work as on one machine."""
    scenario = hostile(["spoil", "fine"])
    ids = suite(scenario)
    with DaskExecutor(Tables(scenario), scheduler=cluster.address, deadline=5) as executor:
        spoilt, unmade, fine = (
            executor.submit(work)
            for work in (
                Work("none", "tool", ids[:1]),
                Work("stub nothing", "tool", ids),
                Work("none", "tool", ids[1:]),
            )
        )
        with pytest.raises(TableChanged, match="hostile: a run of the defect-free table changed the original table"):
            spoilt.result()
        with pytest.raises(ToolbenchError, match="nothing"):
            unmade.result()
        assert [row["passed"] for row in fine.result().rows] == [True]


def test_the_end_at_once(cluster, hostile, notes, all_gone):
    """Ctrl-C: what runs in the cluster is ended, and whoever waits is told."""
    scenario = hostile(["hang", "fine"])
    executor = DaskExecutor(Tables(scenario), scheduler=cluster.address, deadline=1000)
    futures = []

    def interrupted():
        with executor:
            futures.extend(executor.submit(Work("none", "tool", [case])) for case in suite(scenario)[:1] * 9)
            assert until(lambda: noted(notes))
            assert futures[-1].cancel()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert all(future.cancelled() or isinstance(future.exception(0), CancelledError) for future in futures)
    assert all_gone(noted(notes))
    with pytest.raises(RuntimeError, match="takes no more work"):
        executor.submit(Work("none", "tool", []))


DRIVER = """
import sys
import toolbench as tb
from toolbench.adapters.dask import DaskExecutor
from toolbench.execution.work import Work, observed
from toolbench.mutation.engine import Tables

scenario = tb.load_scenario(sys.argv[1])
with DaskExecutor(Tables(scenario), scheduler=sys.argv[2], deadline=1000) as executor:
    observed(executor, [Work("none", "tool", [case.id]) for case in scenario.cases])
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_nothing_survives_the_client(cluster, hostile, notes, all_gone, number):
    """When the client is killed or interrupted, what it had running in the cluster ends, and it says little."""
    scenario = hostile(["hang", "hang"])
    command = [sys.executable, "-c", DRIVER, str(scenario.folder), cluster.address]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    driver = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    with driver:
        assert until(lambda: noted(notes))
        driver.send_signal(number)
        _, said = driver.communicate(timeout=20)
    if number == signal.SIGINT:
        assert said.strip().splitlines()[-1].endswith("Interrupted: 0 of 2 finished")
    assert "distributed" not in said
    assert all_gone(noted(notes), seconds=15)


def test_a_cluster_without_workers(own, hostile, monkeypatch):
    """Nobody waits for ever: where none joined, and where all are gone, everything fails with what to do."""
    monkeypatch.setattr(dask, "ALONE", 1.5)
    monkeypatch.setattr(dask_client, "JOIN", 1.0)
    scenario = hostile(["hang"])
    work = Work("none", "tool", suite(scenario))
    with pytest.raises(UsageError) as refused, DaskExecutor(Tables(scenario), scheduler=own.address):
        pass
    assert f"no worker joined it within 1 s; start one with `dask worker {own.address}`" in str(refused.value)
    monkeypatch.setattr(dask_client, "JOIN", 30.0)
    worker = own.worker()
    with DaskExecutor(Tables(scenario), scheduler=own.address, deadline=1000) as executor:
        future = executor.submit(work)
        worker.kill()
        with pytest.raises(ToolbenchError, match=r"no worker for 1\.5 s, or is gone itself; start workers with"):
            future.result(timeout=20)
        with pytest.raises(ToolbenchError, match="no worker"):
            executor.submit(work).result(timeout=5)


def test_a_scheduler_that_dies(own, hostile, capfd):
    """The connection that is lost is what everything fails with; leaving is quick and quiet."""
    own.worker()
    scenario = hostile(["hang"])
    with DaskExecutor(Tables(scenario), scheduler=own.address, deadline=1000) as executor:
        future = executor.submit(Work("none", "tool", suite(scenario)))
        own.scheduler.kill()
        with pytest.raises(ToolbenchError, match="the connection to the scheduler was lost"):
            future.result(timeout=20)
        began = time.monotonic()
    assert time.monotonic() - began < 15
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("silent", [False, True], ids=["nobody", "something that says nothing"])
def test_nobody_answers(lending, silent, capfd):
    """An address at which no scheduler answers is an error within seconds, and Dask says nothing beside it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        if not silent:
            server.close()
        began = time.monotonic()
        with pytest.raises(UsageError) as refused, DaskExecutor(Tables(lending), scheduler=address):
            pass
        assert time.monotonic() - began < 9
    assert str(refused.value).startswith(f"scheduler {address}: no Dask scheduler answered within 5 s")
    assert capfd.readouterr() == ("", "")
    assert not [thread for thread in threading.enumerate() if thread.name == "toolbench dask"]
