"""Nothing that a tool leaves behind in its process reaches another table."""

import dataclasses
import itertools
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import toolbench as tb
from toolbench.report.json import json_document

ROOT = Path(__file__).parents[1]

LEAVING = """
    import functools
    import json
    import os
    import random
    import re
    import threading
    import time

    from toolbench import SeededAgent, Task, tool

    RATE = 2
    START, DUMPS = os.getcwd(), json.dumps
    random.seed(8)
    SEEDED = random.getstate()
    random.seed(7)

    @tool(schema=[])
    def leave():
        return {"left": 0}

    def global_of_the_module():
        global RATE
        RATE = 3
        return {"left": 0}

    def environment():
        os.environ["TOOLBENCH_RATE"] = "3"
        return {"left": 0}

    def directory():
        os.chdir("/")
        return {"left": 0}

    def random_numbers():
        random.seed(8)
        return {"left": 0}

    def patched_module():
        json.dumps = functools.partial(DUMPS, default=str)
        return {"left": 0}

    def hanging_thread():
        threading.Timer(0.05, re.match, [r"(a+)+$", "a" * 50 + "b"]).start()
        return {"left": 0}

    def for_ever():
        while True:
            pass

    def spoilt():
        found = {
            "module": RATE != 2,
            "environment": "TOOLBENCH_RATE" in os.environ,
            "directory": os.getcwd() != START,
            "random": random.getstate() == SEEDED,
            "patch": json.dumps is not DUMPS,
        }
        return [name for name, is_so in found.items() if is_so]

    @tool(schema=[])
    def look():
        return {"spoilt": spoilt()}

    def look_again():
        found = spoilt()
        return {"spoilt": found}

    @tool(schema=[])
    def wait():
        time.sleep(0.15)
        return {"ok": True}

    tools = [leave, look, wait]
    tasks = [Task(id="t", answer=[], sequence=["leave", "look"])]
    agent = SeededAgent(budget=3, first=1, results={"look": "spoilt"})
"""
LEAVING_CASES = """
    [[case]]
    id = "leave"
    tool = "leave"
    output = { left = 0 }

    [[case]]
    id = "look"
    tool = "look"
    output = { spoilt = [] }
"""
WAITING_CASES = f"""{LEAVING_CASES}
    [[case]]
    id = "wait"
    tool = "wait"
    output = {{ ok = true }}
"""


def instead(tool, function):
    return tb.Defect(id=function, tool=tool, operator="function", arguments={"function": function})


LEFT = [
    instead("leave", name)
    for name in ("global_of_the_module", "environment", "directory", "random_numbers", "patched_module")
]
LOOK = instead("look", "look_again")


def verdicts(measured):
    """All of them but by pairs, whose correction depends on how many defects there are."""
    return {(v.defect, v.rule): (v.verdict, v.reason, json.dumps(v.evidence)) for v in measured.verdicts
            if v.rule != "paired"}  # fmt: skip


@pytest.fixture(params=["folder", "in memory"])
def leaving(request, write_scenario):
    """A scenario by path, whose workers are fresh interpreters, and as a notebook has it: forked ones."""
    scenario = tb.load_scenario(write_scenario({"scenario.py": LEAVING, "cases.toml": LEAVING_CASES}))
    return scenario if request.param == "folder" else dataclasses.replace(scenario, folder=None)


@pytest.mark.slow
def test_what_one_defect_leaves_behind_does_not_reach_another(leaving):
    """Globals, environment, directory, random numbers and patches: a defect's verdicts are those that it has alone."""
    alone = verdicts(tb.measure(leaving, seeds=2, defects=[LOOK], jobs=1))
    assert [said[0] for said in alone.values()] == ["missed", "missed", "missed", "missed"]
    forward = verdicts(tb.measure(leaving, seeds=2, defects=[*LEFT, LOOK], jobs=1))
    assert {key: said for key, said in forward.items() if key[0] == LOOK.id} == alone
    left = {(rule, said[0]) for (id, rule), said in forward.items() if id != LOOK.id}
    assert left >= {("any failure", "caught"), ("band", "caught")}
    assert ("any failure", "missed") not in left and ("band", "missed") not in left
    assert verdicts(tb.measure(leaving, seeds=2, defects=[LOOK, *LEFT[::-1]], jobs=1)) == forward
    for chosen in (LEFT[:1], [LEFT[3], LEFT[0]]):
        some = verdicts(tb.measure(leaving, seeds=2, defects=chosen, jobs=1))
        assert some == {key: said for key, said in forward.items() if key in some}


@pytest.mark.slow
def test_a_thread_that_one_defect_leaves_behind_stops_no_other(write_scenario):
    """A timer whose regular expression never ends is the hang of the defect that started it, and of nothing else."""
    scenario = tb.load_scenario(write_scenario({"scenario.py": LEAVING, "cases.toml": WAITING_CASES}))
    thread = instead("leave", "hanging_thread")
    for defects in itertools.permutations([thread, LOOK]):
        measured = tb.measure(scenario, seeds=2, defects=defects, deadline=0.4, jobs=1)
        assert [row["kind"] for row in measured.suites[thread.id]] == ["ok", "ok", "timeout"]
        hung = [table for table, seen in measured.suites.items() if any(row["kind"] == "timeout" for row in seen)]
        assert hung == [thread.id]
        assert not any(tally.costs["timeouts"] for tally in measured.loop.all.tallies.values())
        assert measured.explain(LOOK.id, "tool").verdict == "missed"
        assert measured.explain(LOOK.id, "loop").verdict == "missed"


def test_a_hang_in_the_loop_is_named_wherever_it_counts(write_scenario):
    """Verdict, evidence, success, cost and the JSON report say that episodes hung, which, and after how long."""
    folder = write_scenario({"scenario.py": LEAVING, "cases.toml": LEAVING_CASES})
    measured = tb.measure(folder, seeds="3:5", defects=[instead("leave", "for_ever")], deadline=0.3)
    said = measured.explain("for_ever", "loop")
    assert said.verdict == "caught"
    assert said.reason.endswith(
        "; 2 episodes did not come to an end, the first t at 3: timeout: no answer within 0.3 s"
    )
    assert said.evidence["ended"] == [
        {"task": "t", "seed": seed, "kind": "timeout", "why": "timeout: no answer within 0.3 s"} for seed in (3, 4)
    ]
    ended = [(row["table"], row["timeouts"], row["died"]) for row in measured.success_rows()]
    assert ended == [("none", 0, 0)] * 2 + [("for_ever", 1, 0)] * 2
    assert [(row["layer"], row["timeouts"], row["died"]) for row in measured.cost_rows()] == [
        ("tool", 1, 0),
        ("definition", 0, 0),
        ("loop", 2, 0),
    ]
    assert measured.checks["for_ever"].not_probed[0].reason == "may have effects"
    document = json_document(measured)
    assert [row["timeouts"] for row in document["success"]] == [0, 0, 1, 1]
    assert [row["timeouts"] for row in document["cost"]] == [1, 0, 2]
    [row] = [row for row in document["verdicts"] if row["rule"] == "band"]
    assert row["evidence"]["ended"] == said.evidence["ended"]


SETS = """
    from toolbench import SeededAgent, Task, tool

    NAMES = {"ash", "beech", "cedar", "elm", "fir", "hazel", "larch", "oak"}

    @tool(schema=[], side_effect=True)
    def first():
        return {"name": next(iter(NAMES))}

    tools = [first]
    tasks = [Task(id=name, answer=name, sequence=["first"]) for name in sorted(NAMES)]
    agent = SeededAgent(budget=2, first=1, results={"first": "name"})
"""


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--self-critique", "--approval"]], ids=["as it is", "with settings"])
def test_sets_have_one_order_in_every_run(write_scenario, options):
    """A tool that depends on the order of a set answers the same in two runs, also with the agent's extra settings."""
    folder = write_scenario({"scenario.py": SETS, "cases.toml": ""})
    said = []
    for hashing in ("1", "2"):
        command = [sys.executable, "-m", "toolbench", "report", str(folder), "--format", "json", *options]
        done = subprocess.run(command, cwd=ROOT, env={"PYTHONHASHSEED": hashing}, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        said.append(done.stdout)
    assert [row["succeeded"] for row in json.loads(said[0])["success"]] == [1, 1]
    assert said[0] == said[1]


DAEMON = """
    import os
    import time
    from pathlib import Path

    from toolbench import tool

    @tool(schema=[])
    def start():
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                beside = Path(__file__).with_name(f"pid {os.getpid()}")
                beside.touch()
                time.sleep(60)
            os._exit(0)
        os.wait()
        while not list(Path(__file__).parent.glob("pid *")):
            time.sleep(0.01)
        return {"ok": True}

    tools = [start]
"""


@pytest.mark.slow
def test_a_tool_that_starts_a_daemon_does_not_hold_up_the_report(write_scenario, is_running):
    """The report is there while what left the worker's session still runs."""
    case = '[[case]]\nid = "c"\ntool = "start"\noutput = { ok = true }\n'
    folder = write_scenario({"scenario.py": DAEMON, "cases.toml": case})
    command = [sys.executable, "-m", "toolbench", "report", str(folder)]
    pids = []
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=50)
        pids = [int(path.name.split()[1]) for path in folder.glob("pid *")]
        assert (done.returncode, done.stderr) == (0, "")
        assert pids
        assert all(map(is_running, pids))
    finally:
        for pid in pids:
            if is_running(pid):
                os.kill(pid, signal.SIGKILL)


def test_a_worker_that_cannot_be_copied_is_not_used_again_once_it_is_damaged(tmp_path):
    """In a scenario with threads of its own, a defect that breaks the worker costs its own verdict all the same."""
    (tmp_path / "scenario.py").write_text(
        "import hashlib, threading, time\n"
        "from toolbench import tool\n"
        "threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()\n"
        "@tool(schema=['x'])\n"
        "def same(x):\n    return {'y': x}\n"
        "def breaking(x):\n    hashlib.sha256 = None\n    return {'y': x}\n"
        "def alike(x):\n    y = x\n    return {'y': y}\n"
        "tools = [same]\n"
    )
    (tmp_path / "cases.toml").write_text(
        '[[case]]\nid = "c"\ntool = "same"\narguments = { x = 1 }\noutput = { y = 1 }\n'
    )
    defects = [
        tb.Defect(id=name, tool="same", operator="function", arguments={"function": name})
        for name in ("breaking", "alike")
    ]
    m = tb.measure(tmp_path, defects=defects, layers="tool", jobs=1)
    assert m.explain("alike", "tool").verdict == "missed"
