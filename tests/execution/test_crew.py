"""The workers of a pool: kinds of work, patience, and what fails for whom."""

import dataclasses
import threading
import time
from concurrent.futures import wait

import pytest

import toolbench as tb
from toolbench.errors import ScenarioError, TableChanged, ToolbenchError
from toolbench.execution import crew, worker
from toolbench.execution.kinds import KINDS, Kind
from toolbench.execution.pool import Pool
from toolbench.execution.work import Work, observed
from toolbench.mutation.engine import Tables


def compute(tables, table, units, given):
    """A kind of work that is no layer: it uses what is given, takes its time, and may end its process."""
    for unit in units:
        if unit < 0:
            worker.os._exit(3)
        time.sleep(given.get("seconds", 0))
        yield {"unit": unit, "times": unit * given["factor"]}


def refused(unit, kind, reason):
    raise ScenarioError(f"{unit}: {kind}: {reason}")


@pytest.fixture
def kinds(monkeypatch):
    """One more kind of work, here and in the workers of scenarios that no folder gives."""
    for module in (crew, worker):
        monkeypatch.setattr(module, "KINDS", {**KINDS, "compute": Kind(compute, refused)})


@pytest.fixture
def in_memory(lending):
    return dataclasses.replace(lending, folder=None)


def test_what_is_given_reaches_every_piece(kinds, in_memory):
    """A kind of work that is no layer gets what all its units need, in each of its pieces."""
    with Pool(Tables(in_memory), jobs=2) as pool:
        [seen] = observed(pool, [Work("none", "compute", range(150), given={"factor": 3})])
    assert seen.rows == [{"unit": unit, "times": 3 * unit} for unit in range(150)]


def test_patient_work_has_no_deadline(kinds, in_memory):
    """Arithmetic may take longer than a tool; without patience it is held to be one."""
    slow = {"factor": 2, "seconds": 0.8}
    with Pool(Tables(in_memory), deadline=0.3, jobs=1) as pool:
        patient, other = (
            pool.submit(Work("none", "compute", [1], given=slow, patient=patient)) for patient in (True, False)
        )
        assert patient.result().rows == [{"unit": 1, "times": 2}]
        with pytest.raises(ScenarioError, match=r"^1: timeout: no answer within 0\.3 s$"):
            other.result()


def test_an_error_concerns_its_own_work(kinds, in_memory):
    """Work that cannot be done fails with its error, and what was asked for beside it is done."""
    with Pool(Tables(in_memory), jobs=1) as pool:
        given = {"factor": 1}
        fine, gone, unmade, after = (
            pool.submit(work)
            for work in (
                Work("none", "compute", [1], given=given),
                Work("none", "compute", [2, -1, 3] * 100, given=given),
                Work("stub nothing", "compute", [1], given=given),
                Work("none", "compute", [4], given=given),
            )
        )
        assert [future.result().rows[0]["unit"] for future in (fine, after)] == [1, 4]
        with pytest.raises(ScenarioError, match="died: its process exited with code 3"):
            gone.result()
        with pytest.raises(ToolbenchError, match="nothing"):
            unmade.result()


def test_a_pool_that_is_of_no_use_fails_all_that_is_asked(write_scenario):
    """When the scenario cannot be loaded, what was asked for and what is asked for later fail alike."""
    folder = write_scenario()
    scenario = tb.load_scenario(folder)
    (folder / "scenario.py").write_text("raise SystemExit('not today')\n")
    with Pool(Tables(scenario)) as pool:
        work = Work("none", "tool", ["twice three"])
        futures = [pool.submit(work) for _ in range(3)]
        assert {str(future.exception()).splitlines()[-1] for future in futures} == {"SystemExit: not today"}
        assert str(pool.submit(work).exception()) == str(futures[0].exception())


def test_digests_that_never_agree_are_an_error():
    """A scenario that is another each time it is looked at is refused, not tried for ever."""
    numbers = iter(range(1000))

    class Moody(tb.SeededAgent):
        def settings(self):
            return {**super().settings(), "mood": next(numbers)}

    @tb.tool(schema=[])
    def fine():
        return {"ok": True}

    task = tb.Task(id="t", answer=True, sequence=["fine"])
    agent = Moody(budget=1, first=1, results={"fine": "ok"})
    scenario = tb.Scenario(name="moody", tools=[fine], tasks=[task], agent=agent)
    with Pool(Tables(scenario), jobs=1) as pool, pytest.raises(ScenarioError, match="others each time"):
        pool.submit(Work("none", "loop", [["t", 1]])).result()


def test_a_table_that_was_changed_costs_its_own_work(write_scenario):
    """One defect's tool that alters the table fails its own work; the next work runs in a table that is whole."""
    more = """
        def altering(length=None):
            double.function.__defaults__ = (3,)
            return {"doubled": 6}
    """
    scenario = tb.load_scenario(write_scenario(more=more))
    defect = tb.Defect(id="D", tool="double", operator="function", arguments={"function": "altering"})
    with Pool(Tables(scenario, (defect,)), jobs=1) as pool:
        spoilt, fine = (pool.submit(Work(table, "tool", ["twice three"])) for table in ("D", "none"))
        with pytest.raises(TableChanged, match="a run with D changed the original table"):
            spoilt.result()
        assert [row["passed"] for row in fine.result().rows] == [True]


def test_workers_that_are_asked_for_in_another_thread(in_memory):
    """A pool can be given work by several threads at once; each gets what it asked for."""
    ids = [case.id for case in in_memory.cases]
    with Pool(Tables(in_memory), jobs=2) as pool:
        futures = []
        threads = [
            threading.Thread(target=lambda: futures.append(pool.submit(Work("none", "tool", ids)))) for _ in range(5)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wait(futures).not_done
        assert {tuple(row["case"] for row in future.result().rows) for future in futures} == {tuple(ids)}
