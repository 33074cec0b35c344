"""Hangs, exits and crashes of tools: each gets its verdict, and everything else goes on."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError
from pathlib import Path
from textwrap import dedent

import pytest

import toolbench as tb
from toolbench.errors import ScenarioError, TableChanged
from toolbench.execution.pieces import PIECE
from toolbench.execution.pool import Pool
from toolbench.execution.trial import try_loading
from toolbench.execution.work import Work, observed
from toolbench.mutation.defect import NONE
from toolbench.mutation.engine import Tables

TOOLS = '''
    """Tools that do what no tool should."""

    import asyncio
    import os
    import re
    import signal
    import sys
    import threading
    import time
    from pathlib import Path

    from toolbench import tool

    HERE = Path(__file__).parent


    def started():
        """Leave a note of the process that runs this."""
        (HERE / f"pid {os.getpid()}").touch()


    @tool(schema=[])
    def fine():
        started()
        return {"ok": True}

    @tool(schema=[])
    def slow():
        time.sleep(0.3)
        return {"ok": True}

    @tool(schema=[])
    def hang():
        started()
        while True:
            pass

    @tool(schema=[])
    def hang_in_c():
        started()
        return {"ok": re.match(r"(a+)+$", "a" * 50 + "b") is None}

    @tool(schema=[])
    async def hang_async():
        await asyncio.sleep(1000)

    @tool(schema=[])
    def freeze():
        os.kill(os.getpid(), signal.SIGSTOP)

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
    async def interrupt_async():
        raise KeyboardInterrupt

    @tool(schema=[])
    def system_exit():
        sys.exit(3)

    @tool(schema=[])
    async def system_exit_async():
        sys.exit(3)

    @tool(schema=[])
    def fork_and_return():
        return {"ok": os.fork() != 0}

    @tool(schema=[])
    def fork_and_stay():
        if os.fork() == 0:
            started()
            time.sleep(1000)
        return {"ok": True}

    @tool(schema=[])
    def print_much():
        print("x" * 100_000)
        print('{"row": {"case": "fine", "passed": false}}', flush=True)
        sys.__stdout__.write("y")
        os.write(1, b'{"end": true}\\n')
        os.write(2, b"z")
        return {"ok": True}

    @tool(schema=[])
    def read_input():
        return {"ok": sys.stdin.read() == "" and os.read(0, 10) == b""}

    @tool(schema=[])
    def close_everything():
        os.closerange(0, 1000)
        return {"ok": True}

    @tool(schema=[])
    def write_everywhere():
        for descriptor in range(3, 100):
            try:
                os.write(descriptor, b"5\\n")
            except OSError:
                pass
        return {"ok": True}

    @tool(schema=[])
    def leave_a_thread():
        threading.Timer(0.1, os._exit, [7]).start()
        return {"ok": True}

    @tool(schema=[])
    def leave_a_task():
        threading.Thread(target=time.sleep, args=[1000]).start()
        return {"ok": True}

    tools = [value for value in list(vars().values()) if type(value).__name__ == "Tool"]
'''
EXPECTED = {
    "hang": ("timeout", "no answer within 1 s"),
    "hang_in_c": ("timeout", "no answer within 1 s"),
    "hang_async": ("timeout", "no answer within 1 s"),
    "freeze": ("timeout", "no answer within 1 s"),
    "leave": ("died", "its process exited with code 0"),
    "kill_itself": ("died", "its process was ended by SIGKILL"),
    "interrupt": ("crash", "KeyboardInterrupt"),
    "interrupt_async": ("crash", "KeyboardInterrupt"),
    "system_exit": ("crash", "crash: SystemExit: 3"),
    "system_exit_async": ("crash", "crash: SystemExit: 3"),
    "fork_and_return": ("ok", ""),
    "fork_and_stay": ("ok", ""),
    "print_much": ("ok", ""),
    "read_input": ("ok", ""),
    "close_everything": ("died", "its process exited with code"),
    "leave_a_thread": ("ok", ""),
    "leave_a_task": ("ok", ""),
}


def written(folder, text=TOOLS, cases=()):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scenario.py").write_text(dedent(text))
    (folder / "cases.toml").write_text(
        "\n".join(f'[[case]]\nid = "{case}"\ntool = "{tool}"\noutput = {{ ok = true }}' for case, tool in cases)
    )
    return folder


def suite(tools):
    """Each tool's case, and one that is fine after it; a slow one where a thread was left."""
    after = {"leave_a_thread": "slow"}
    return [case for tool in tools for case in ((tool, tool), (f"after {tool}", after.get(tool, "fine")))]


def in_memory(scenario):
    """The same scenario as a notebook would make it: no file to load it from."""
    return dataclasses.replace(scenario, folder=None)


def rows(scenario, deadline=1.0, jobs=1):
    with Pool(Tables(scenario), deadline=deadline, jobs=jobs) as pool:
        [seen] = observed(pool, [Work(NONE, "tool", [case.id for case in scenario.cases])])
    return seen.rows


def noted(folder):
    return {int(path.name.split()[1]) for path in folder.glob("pid *")}


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "jobs"), [("folder", 3), ("in memory", 1), ("in memory", 3)])
def test_every_misbehaving_tool_gets_its_verdict(tmp_path, all_gone, kind, jobs):
    """Each misbehaving tool gets its row with the reason, all others theirs, in order, and nothing is left running."""
    scenario = tb.load_scenario(written(tmp_path / "bad", cases=suite(EXPECTED)))
    seen = rows(scenario if kind == "folder" else in_memory(scenario), jobs=jobs)
    assert [row["case"] for row in seen] == [case.id for case in scenario.cases]
    for row in seen:
        outcome, why = EXPECTED.get(row["case"], ("ok", ""))
        assert (row["kind"], row["passed"]) == (outcome, outcome == "ok"), row
        assert row["why"].startswith(why) and (why or not row["why"]), row
    assert len(noted(tmp_path / "bad")) > 5
    assert all_gone(noted(tmp_path / "bad"))


@pytest.mark.slow
def test_a_tool_that_writes_into_every_channel(tmp_path):
    """Nothing that a process says is believed once a tool wrote into its channel; the others are not disturbed."""
    cases = [("a", "fine"), ("b", "write_everywhere"), ("c", "fine")]
    seen = rows(tb.load_scenario(written(tmp_path / "bad", cases=cases)))
    assert [(row["kind"], row["why"]) for row in seen] == [
        ("ok", ""),
        ("died", "its channel to this process was closed or written into"),
        ("ok", ""),
    ]


def test_workers_are_the_leaders_of_sessions_of_their_own(tmp_path):
    """No worker is in this process's group, so Ctrl-C at the terminal reaches this process alone."""
    text = """
        import os
        from pathlib import Path
        from toolbench import tool

        @tool(schema=[])
        def group():
            (Path(__file__).parent / f"pid {os.getpid()}").touch()
            return {"ok": os.getpgrp() == os.getsid(0)}

        tools = [group]
    """
    scenario = tb.load_scenario(written(tmp_path / "s", text, [("c", "group")]))
    assert [row["passed"] for row in rows(scenario) + rows(in_memory(scenario))] == [True, True]
    assert os.getpid() not in noted(tmp_path / "s")


def test_every_unit_may_die(tmp_path):
    """When every case ends its process, every case gets its row."""
    cases = [(f"c{number}", "leave") for number in range(6)]
    seen = rows(in_memory(tb.load_scenario(written(tmp_path / "bad", cases=cases))), jobs=2)
    assert [(row["case"], row["kind"]) for row in seen] == [(case, "died") for case, _ in cases]


def test_rows_come_in_order_from_many_pieces(tmp_path):
    """More units than one piece holds come back in the order of the suite, whatever worker ran them."""
    cases = [(f"c{number}", "fine") for number in range(3 * PIECE + 5)]
    scenario = tb.load_scenario(written(tmp_path / "many", cases=cases))
    assert [row["case"] for row in rows(scenario, jobs=1)] == [case for case, _ in cases]
    assert rows(scenario, jobs=1) == rows(scenario, jobs=3)


def test_several_works_and_a_pool_used_twice(tmp_path):
    """Each work gets its own observation, and a pool can be asked again."""
    scenario = tb.load_scenario(written(tmp_path / "bad", cases=[("a", "fine"), ("b", "leave")]))
    with Pool(Tables(scenario), deadline=5, jobs=2) as pool:
        first = observed(
            pool, [Work(NONE, "tool", ["a", "b"]), Work(NONE, "tool", []), Work("stub fine", "tool", ["a"])]
        )
        second = observed(pool, [Work(NONE, "tool", ["b", "a"])])
    assert [[row["kind"] for row in seen.rows] for seen in first] == [["ok", "died"], [], ["ok"]]
    assert [row["passed"] for row in first[2].rows] == [False]
    assert [row["kind"] for row in second[0].rows] == ["died", "ok"]


def test_work_that_has_not_begun_can_be_cancelled(tmp_path):
    """A future whose units wait behind others is cancelled and costs nothing; one that runs is not."""
    scenario = tb.load_scenario(written(tmp_path / "bad", cases=[("a", "slow"), ("b", "hang")]))
    with Pool(Tables(scenario), deadline=20, jobs=1) as pool:
        running, waiting, last = (pool.submit(Work(NONE, "tool", [case])) for case in "aba")
        assert waiting.cancel()
        assert [row["passed"] for future in (running, last) for row in future.result().rows] == [True, True]
        assert not running.cancel()


def test_a_pool_that_was_shut_down(tmp_path, all_gone):
    """It finishes what it has, also when nobody waits for it, takes nothing more, and leaves nothing running."""
    folder = written(tmp_path / "bad", cases=[("a", "fine")])
    pool = Pool(Tables(tb.load_scenario(folder)), jobs=1)
    future = pool.submit(Work(NONE, "tool", ["a"]))
    pool.shutdown(wait=False)
    assert [row["passed"] for row in future.result().rows] == [True]
    with pytest.raises(RuntimeError, match="takes no more work"):
        pool.submit(Work(NONE, "tool", ["a"]))
    pool.shutdown()
    assert all_gone(noted(folder))


@pytest.mark.parametrize("kind", ["folder", "in memory"])
def test_a_pool_that_is_ended_at_once(tmp_path, all_gone, kind):
    """What runs is ended, what waits is not begun; whoever waits for either is told so."""
    folder = written(tmp_path / "bad", cases=[("a", "hang"), ("b", "fine")])
    scenario = tb.load_scenario(folder)
    pool = Pool(Tables(scenario if kind == "folder" else in_memory(scenario)), deadline=1000, jobs=1)
    futures = [pool.submit(Work(NONE, "tool", [case])) for case in "ab"]
    while not noted(folder):
        time.sleep(0.02)
    pool.shutdown(cancel_futures=True)
    assert [isinstance(future.exception(timeout=0), CancelledError) for future in futures] == [True, True]
    assert len(noted(folder)) == 1
    assert all_gone(noted(folder))


def test_what_landed_before_a_death_counts(tmp_path):
    """A defect that found its field before the process died, and not afterwards, did take effect."""
    text = """
        import os
        from toolbench import tool

        @tool(schema=["what"])
        def odd(what):
            if what == "die":
                os._exit(1)
            return {"ok": True, "other": 1} if what == "full" else {"ok": True}

        tools = [odd]
    """
    scenario = tb.load_scenario(written(tmp_path / "odd", text))
    cases = [
        tb.Case(id=what, tool="odd", arguments={"what": what}, output={"ok": True}) for what in ("full", "die", "bare")
    ]
    defect = tb.Defect(id="D", tool="odd", operator="copy_field", arguments={"source": "other", "target": "ok"})
    tables = Tables(dataclasses.replace(scenario, cases=cases), (defect,))
    with Pool(tables, deadline=5, jobs=1) as pool:
        [seen] = observed(pool, [Work("D", "tool", ["full", "die", "bare"])])
    assert [row["kind"] for row in seen.rows] == ["ok", "died", "ok"]
    assert (seen.hits, seen.missed) == (1, "unknown output field of odd 'other'. Known: ok")


@pytest.mark.parametrize(
    "change",
    [
        "spoil.function.__code__ = (lambda: {'ok': True, 'more': 1}).__code__",
        "other.function.__defaults__ = (2,)",
        "object.__setattr__(other.definition, 'description', 'something else')",
    ],
)
def test_a_tool_that_changes_the_table_is_an_error(tmp_path, change):
    """A tool that alters its own or another tool's code, defaults or declaration stops the run with its name."""
    text = f"""
        from toolbench import tool

        @tool(schema=["x"])
        def other(x=1):
            return {{"ok": True}}

        @tool(schema=[])
        def spoil():
            {change}
            return {{"ok": True}}

        tools = [spoil, other]
    """
    scenario = tb.load_scenario(written(tmp_path / "spoilt", text, [("c", "spoil")]))
    for made in (scenario, in_memory(scenario)):
        before = made.table.fingerprint()
        with pytest.raises(TableChanged) as refused:
            tb.measure(made, seeds=1, defects=[])
        assert "spoilt: a run of the defect-free table changed the original table" in str(refused.value)
        assert made.table.fingerprint() == before


def test_a_failure_outside_the_tools_is_an_error_of_the_scenario(tmp_path):
    """A world that cannot be made is told as what it is, not as a verdict on a tool."""
    text = """
        from toolbench import tool

        def world():
            raise RuntimeError("no world today")

        @tool(schema=[])
        def fine():
            return {"ok": True}

        tools = [fine]
    """
    folder = written(tmp_path / "worldless", text, [("c", "fine")])
    with pytest.raises(ScenarioError) as refused:
        tb.load_scenario(folder)
    assert "RuntimeError: no world today" in str(refused.value)


def test_a_scenario_that_changes_on_disk_is_refused(tmp_path):
    """A folder that changed after the pool was made is not measured half old, half new."""
    folder = written(tmp_path / "bad", cases=[("c", "fine")])
    pool = Pool(Tables(tb.load_scenario(folder)), deadline=1)
    (folder / "scenario.py").write_text(dedent(TOOLS) + "\nlater = 1\n")
    with pytest.raises(tb.ToolbenchError) as refused, pool:
        observed(pool, [Work(NONE, "tool", ["c"])])
    assert str(refused.value) == f"{folder}: changed while it was being measured; run the command again"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "while True: pass",
            "loading took longer than 0.5 s; does it, or what it imports, wait for something?",
        ),
        ("import os; os._exit(4)", "loading ended the process: its process exited with code 4"),
        ("import os; os.abort()", "loading ended the process: its process was ended by SIGABRT"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("tols = []", "defines no `tools`; give tools = [first_tool, second_tool]"),
    ],
)
def test_loading_is_tried_in_a_process_of_its_own(tmp_path, text, message):
    """A scenario whose import hangs, exits, crashes or fails is an error here, not the end of this process."""
    folder = written(tmp_path / "s", text)
    with pytest.raises(ScenarioError) as refused:
        try_loading(str(folder), 0.5 if "while" in text else 20)
    assert message in str(refused.value)


DRIVER = """
import dataclasses, sys
import toolbench as tb
from toolbench.execution.pool import Pool
from toolbench.execution.work import Work, observed
from toolbench.mutation.engine import Tables

scenario = tb.load_scenario(sys.argv[1])
if sys.argv[2] == "in memory":
    scenario = dataclasses.replace(scenario, folder=None)
with Pool(Tables(scenario), deadline=1000, jobs=2) as pool:
    observed(pool, [Work("none", "tool", [case.id]) for case in scenario.cases])
"""


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["hang", "hang_in_c"])
@pytest.mark.parametrize("kind", ["folder", "in memory"])
def test_no_worker_survives_its_parent(tmp_path, all_gone, kind, tool):
    """When the parent is killed, its workers end too, also in the middle of a call that never returns."""
    folder = written(tmp_path / "bad", cases=[("a", tool), ("b", tool)])
    environment = {**os.environ, "PYTHONPATH": str(Path(tb.__file__).parent.parent)}
    driver = subprocess.Popen([sys.executable, "-c", DRIVER, str(folder), kind], env=environment)
    try:
        until = time.monotonic() + 20
        while len(noted(folder)) < 2 and time.monotonic() < until:
            time.sleep(0.02)
        assert len(noted(folder)) == 2
    finally:
        driver.send_signal(signal.SIGKILL)
        driver.wait()
    assert all_gone(noted(folder))


def test_an_interruption_ends_everything(tmp_path, all_gone):
    """Ctrl-C in the parent ends its workers at once, in the middle of a call."""
    folder = written(tmp_path / "bad", cases=[("a", "hang")])
    environment = {**os.environ, "PYTHONPATH": str(Path(tb.__file__).parent.parent)}
    driver = subprocess.Popen([sys.executable, "-c", DRIVER, str(folder), "folder"], env=environment,
                              stderr=subprocess.PIPE, start_new_session=True)  # fmt: skip
    until = time.monotonic() + 20
    while not noted(folder) and time.monotonic() < until:
        time.sleep(0.02)
    driver.send_signal(signal.SIGINT)
    _, said = driver.communicate(timeout=20)
    assert said.decode().strip().endswith("Interrupted: 0 of 1 finished")
    assert noted(folder)
    assert all_gone(noted(folder))


LONG = """
import json, sys
import toolbench as tb
from toolbench.execution.pool import Pool
from toolbench.execution.work import Work, observed
from toolbench.mutation.engine import Tables

scenario = tb.load_scenario(sys.argv[1])
with Pool(Tables(scenario), deadline=1, jobs=2) as pool:
    print("begun", flush=True)
    seen = observed(pool, [Work("none", "tool", [case.id]) for case in scenario.cases])
print(json.dumps([row for one in seen for row in one.rows]))
"""


@pytest.mark.slow
def test_a_process_that_was_stopped_takes_nothing_for_a_hang(tmp_path):
    """When this process is stopped for longer than the deadline, no unit is blamed, and the rows are the same."""
    folder = written(tmp_path / "slow", cases=[(f"c{number}", "slow") for number in range(24)])
    environment = {**os.environ, "PYTHONPATH": str(Path(tb.__file__).parent.parent)}
    command = [sys.executable, "-c", LONG, str(folder)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as driver:
        assert driver.stdout.readline() == "begun\n"
        try:
            for _ in range(2):
                time.sleep(1)
                assert driver.poll() is None
                driver.send_signal(signal.SIGSTOP)
                time.sleep(2.5)
                driver.send_signal(signal.SIGCONT)
        finally:
            driver.send_signal(signal.SIGCONT)
        seen = json.loads(driver.stdout.readline())
    assert driver.returncode == 0
    assert seen == [{"case": f"c{number}", "passed": True, "kind": "ok", "why": ""} for number in range(24)]
