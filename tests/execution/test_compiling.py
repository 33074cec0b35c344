"""Machines built where tools can do no harm: hangs, exits, memories, randomness; and nothing left running."""

import os
import random
import signal
import sys
import threading
import time

import pytest

import toolbench as tb
from toolbench.agent.machine import Machine
from toolbench.errors import TableChanged
from toolbench.execution import compiling
from toolbench.execution.pool import Pool
from toolbench.execution.work import Work, observed
from toolbench.mutation.engine import Tables


def half(x=None):
    return {"x": (x or 0) // 2}


def scenario(budget=5, world=tb.World, tools=None, **functions):
    """A scenario of one tool, `half`, whose functions may stand in for it."""
    return tb.Scenario(
        name="halves",
        tools=tools or [tb.tool(half, schema=["x"])],
        tasks=[tb.Task(id=f"from {x}", start={"x": x}, answer=1, sequence=["half"] * 3) for x in (8, 12)],
        agent=tb.SeededAgent(budget=budget, first=0.8, stop=0.7, results={"half": "x"}),
        world=world,
        functions=functions,
    )


def compiled(made, *names, deadline=0.4, jobs=1):
    """The rows of the tables of a scenario, by name, the defect-free one first."""
    defects = tuple(
        tb.Defect(id=name, tool="half", operator="function", arguments={"function": name}) for name in made.functions
    )
    wanted = ["none", *(names or made.functions)]
    with Pool(Tables(made, defects), jobs=jobs) as pool:
        [seen] = observed(pool, [Work("none", "machines", wanted, whole=True, given=deadline, patient=True)])
    assert [row["table"] for row in seen.rows] == wanted
    return {row["table"]: row for row in seen.rows}


def machines(rows, name):
    """The machines of a table, in place of a None the defect-free one."""
    facts = zip(rows[name]["machines"], rows["none"]["machines"], strict=True)
    return [Machine.from_facts(clean if own is None else own) for own, clean in facts]


def ends(rows, name):
    return [machine.ends for machine in machines(rows, name)]


def test_a_tool_that_hangs_at_one_argument():
    """A call that gives no answer ends its episodes by timeout; all other calls are as they are."""

    def hangs(x=None):
        while x == 4:
            time.sleep(0.01)
        return half(x)

    rows = compiled(scenario(hangs=hangs))
    assert ends(rows, "hangs") == [(("timeout", "no answer within 0.4 s"),), ()]
    first, second = machines(rows, "hangs")
    assert first.next[0] == (1,)  # 8 to 4 comes back
    assert first.next[1] == (-1,)
    assert second == scenario().machines()[1]


@pytest.mark.parametrize(
    ("how", "why"),
    [
        (lambda: os._exit(3), "its process exited with code 3"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "its process was ended by SIGKILL"),
    ],
)
def test_a_tool_that_ends_its_process_at_one_argument(how, why):
    """An exit or a kill ends its episodes, and says how; another table's machines are not touched by it."""

    def ends_it(x=None):
        return how() if x == 2 else half(x)

    rows = compiled(scenario(ends_it=ends_it, minus=lambda x=None: {"x": -1}))
    assert ends(rows, "ends_it") == [(("died", why),), ()]
    assert [machine.answers[-1] for machine in machines(rows, "minus")] == [-1, -1]
    assert rows["none"]["why"] == rows["ends_it"]["why"] == ""


def test_sys_exit_is_what_the_tool_did():
    """A tool that raises SystemExit crashes as it does in the walk, with or without a machine."""

    def leaves(x=None):
        sys.exit(1)

    made = scenario(leaves=leaves)
    lanes, walk = (
        tb.measure(made, 5, defects=own("leaves"), layers="loop", engine=engine) for engine in ("auto", "walk")
    )
    assert lanes.success_rows() == walk.success_rows()


def own(*names):
    return [tb.Defect(id=name, tool="half", operator="function", arguments={"function": name}) for name in names]


STATE = {"calls": 0}


def counting(x=None):
    STATE["calls"] += 1
    return {"x": STATE["calls"]}


def drawing(x=None):
    return {"x": random.random()}


def wavering(x=None):
    return {"x": time.perf_counter_ns()}


@pytest.mark.parametrize("function", [counting, drawing, wavering])
def test_a_tool_that_is_not_repeatable(function):
    """A tool that counts, draws or looks at the clock has no machine, and the reason is told; others have theirs."""
    rows = compiled(scenario(odd=function, minus=lambda x=None: {"x": -1}))
    assert (rows["odd"]["machines"], rows["odd"]["changed"]) == (None, "")
    assert rows["odd"]["why"]
    assert rows["none"]["machines"] and rows["minus"]["machines"]


def test_a_defect_free_table_without_machines():
    """Where the defect-free table has no machine no other has one, for the same reason."""
    rows = compiled(scenario(tools=[tb.tool(counting, schema=["x"], name="half")], minus=lambda x=None: {"x": -1}))
    assert rows["none"]["machines"] is rows["minus"]["machines"] is None
    assert rows["none"]["why"] == rows["minus"]["why"] != ""


def test_a_world_that_cannot_be_copied():
    """A world with a lock in it cannot be put back: no machine, and a reason."""
    made = scenario(world=lambda: tb.World(state={"lock": threading.Lock()}))
    row = compiled(made)["none"]
    assert (row["machines"], "world" in row["why"]) == (None, True)


def test_a_scenario_that_starts_threads():
    """With threads of its own a copy of the process would not be whole: nothing is built, and the reason is told."""
    stop = threading.Event()

    def world():  # made in each worker, before anything is built
        if threading.active_count() < 4:
            threading.Thread(target=stop.wait, daemon=True).start()
        return tb.World()

    try:
        row = compiled(scenario(world=world, minus=lambda x=None: {"x": -1}))
    finally:
        stop.set()
    why = "the scenario starts threads, so that no copy of its process would be whole"
    assert {(one["why"], one["machines"]) for one in row.values()} == {(why, None)}


def test_a_tool_that_changes_the_original_table():
    """A tool that alters its own schema is told of in its row, and ends the measurement."""
    original = tb.tool(half, schema=["x"])

    def alters(x=None):
        half.__defaults__ = (5,)
        return {"x": x}

    made = scenario(tools=[original], alters=alters)
    assert compiled(made)["alters"]["changed"] == "a run with alters"
    with pytest.raises(TableChanged, match="halves: a run with alters changed the original table"):
        tb.measure(made, 2, defects=own("alters"), layers="loop")


@pytest.mark.slow
def test_the_deadline_is_one_of_each_call():
    """Slow calls that are many take longer together than one may take alone, and still make machines."""

    def slow(x=None):
        time.sleep(0.1)
        return half(x)

    began = time.monotonic()
    rows = compiled(scenario(slow=slow), deadline=0.5)
    assert time.monotonic() - began > 0.5
    assert ends(rows, "slow") == [(), ()]


def test_more_ends_than_are_put_up_with(monkeypatch):
    """A tool that ends its process at very many calls has no machine: each would cost a process."""
    monkeypatch.setattr(compiling, "MOST_ENDS", 3)

    def exits(x=None):
        return half(x) if x in (8, 12) else os._exit(x or 0)

    assert ends(compiled(scenario(exits=exits)), "exits")[0] == (("died", "its process exited with code 4"),)
    tasks = [tb.Task(id=f"from {x}", start={"x": x}, answer=1, sequence=["half"]) for x in range(20, 26)]
    many = tb.Scenario(
        name="many",
        tools=[tb.tool(half, schema=["x"])],
        tasks=tasks,
        agent=scenario().agent,
        functions={"exits": exits},
    )
    rows = compiled(many)
    assert rows["exits"]["machines"] is None
    assert rows["exits"]["why"] == "more than 3 different calls hang or end their process"
    assert rows["none"]["machines"]


def test_machines_that_are_the_defect_free_ones_are_not_sent_again():
    """A table whose machine of a task is the defect-free one says so by None; others are there with their facts."""

    def same_at_twelve(x=None):
        return half(x) if x in (12, 6, 3, 1, 0, None) else {"x": -1}

    row = compiled(scenario(same_at_twelve=same_at_twelve))["same_at_twelve"]
    assert [facts is None for facts in row["machines"]] == [False, True]


def test_nothing_is_left_running(tmp_path, all_gone):
    """Copies that hung, died, or were still at work are gone with the pool."""
    noted = tmp_path / "pids"

    def notes(x=None):
        with open(noted, "a") as file:
            file.write(f"{os.getpid()}\n")
        if x == 4:
            time.sleep(60)
        return os._exit(1) if x == 6 else half(x)

    made = scenario(notes=notes)
    assert [len(found) for found in ends(compiled(made), "notes")] == [1, 1]
    pids = {int(line) for line in noted.read_text().split()}
    assert len(pids) > 1
    assert all_gone(pids)


def test_what_a_tool_started_does_not_hold_things_up(tmp_path, all_gone):
    """A process that a tool leaves behind, with all of its channels open, is not waited for."""
    noted = tmp_path / "pid"

    def starts(x=None):
        if not noted.exists():
            pid = os.fork()
            if pid == 0:
                time.sleep(60)
                os._exit(0)
            noted.write_text(str(pid))
        return half(x)

    began = time.monotonic()
    rows = compiled(scenario(starts=starts))
    assert time.monotonic() - began < 30
    assert ends(rows, "starts") == [(), ()]
    assert all_gone([int(noted.read_text())])
