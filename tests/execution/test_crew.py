"""The workers of a pool: kinds of work, patience, and what fails for whom."""

import dataclasses
import os
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


# --- enough ---------------------------------------------------------------------------------------------------


def hostile():
    """A scenario of a tool that works, one that hangs and one that ends its process."""

    @tb.tool(schema=[])
    def fine():
        return {"ok": True}

    @tb.tool(schema=[])
    def hang():
        while True:
            pass

    @tb.tool(schema=[])
    def leave():
        os._exit(3)

    cases = [tb.Case(id=name, tool=name, output={"ok": True}) for name in ("fine", "hang", "leave")]
    return tb.Scenario(name="hostile", tools=[fine, hang, leave], cases=cases)


def probes(names, enough=None, layer="definition", deadline=20.0):
    """What comes of calls of these tools, made one after the other: kind and reason of each."""
    units = [{"calls": [[name, {}]], "apart": False} for name in names] if layer == "definition" else names
    with Pool(Tables(hostile()), deadline=deadline, jobs=1) as pool:
        [seen] = observed(pool, [Work("none", layer, units, whole=True, enough=enough)])
    return [(row["kind"], row["why"]) for row in seen.rows]


DIED, SKIPPED = ("died", "its process exited with code 3"), ("skipped", "not tried, since 2 did not come back")


def test_units_behind_enough_that_died_are_skipped():
    """When so many of a work have ended their process, those that are left have a row and are not tried."""
    seen = probes(["leave", "fine", "leave", "fine", "leave"], enough=2)
    assert seen == [DIED, ("ok", ""), DIED, SKIPPED, SKIPPED]


def test_without_enough_every_unit_is_tried():
    """What is not bounded is tried to its end, and what is bounded higher than it comes to as well."""
    for enough in (None, 3):
        assert probes(["leave", "fine", "leave", "fine"], enough=enough) == [DIED, ("ok", ""), DIED, ("ok", "")]


def test_the_last_unit_that_ends_leaves_nothing_to_skip():
    """As many rows come back as units were given, whichever is the last that died."""
    assert probes(["fine", "leave"], enough=1) == [("ok", ""), DIED]
    assert probes(["leave"], enough=1) == [DIED]


def test_enough_is_counted_for_each_work_alone():
    """A work whose tool ended often enough costs the others nothing."""
    unit, gone = ({"calls": [[name, {}]], "apart": False} for name in ("fine", "leave"))
    works = [Work("none", "definition", [gone, unit, unit], whole=True, enough=1) for _ in range(2)]
    with Pool(Tables(hostile()), deadline=20.0, jobs=2) as pool:
        spoilt, other, fine = observed(pool, [*works, Work("none", "definition", [unit] * 3, whole=True, enough=1)])
    assert [row["kind"] for row in spoilt.rows] == [row["kind"] for row in other.rows] == ["died", "skipped", "skipped"]
    assert [row["kind"] for row in fine.rows] == ["ok"] * 3


@pytest.mark.slow
def test_units_behind_enough_that_hung_are_skipped():
    """Two calls are waited for, the third and what is behind it are not."""
    begun = time.monotonic()
    seen = probes(["hang", "fine", "hang", "hang", "fine", *["hang"] * 60], enough=2, deadline=1.0)
    late = ("timeout", "no answer within 1 s")
    assert seen == [late, ("ok", ""), late, *[SKIPPED] * 62]
    assert time.monotonic() - begun < 40


def test_a_skipped_case_did_not_pass():
    """In the words of the tool layer a unit that was skipped is a case that fails with this reason."""
    seen = probes(["leave", "fine"], enough=1, layer="tool")
    assert seen == [DIED, ("skipped", "not tried, since 1 did not come back")]


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
