"""One piece of work in a copy of this process."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import toolbench as tb
from toolbench.execution import apart as module
from toolbench.execution.apart import apart
from toolbench.execution.pool import Pool
from toolbench.execution.work import Work, observed
from toolbench.mutation.engine import Tables

ROOT = Path(module.__file__).parents[2]


def alone(text):
    """What a program prints that has no thread but its own, as JSON."""
    begin = f"import json, os, sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom toolbench.execution.apart import apart\n"
    command = [sys.executable, "-c", begin + textwrap.dedent(text)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout)


def test_a_row_comes_back_and_what_was_left_behind_does_not():
    """The function runs in another process, and globals, environment and directory are what they were."""
    said = alone("""
        seen = []

        def made():
            seen.append(1)
            os.environ["LEFT"] = "behind"
            os.chdir("/")
            return {"pid": os.getpid(), "seen": len(seen)}

        here = os.getcwd()
        rows = [apart(made) for _ in range(3)]
        print(json.dumps([[row["seen"] for row in rows], len({row["pid"] for row in rows} | {os.getpid()}),
                          seen, os.environ.get("LEFT"), os.getcwd() == here]))
    """)
    assert said == [[1, 1, 1], 4, [], None, True]


def test_a_long_row_comes_back_whole():
    """A row of a million characters, and one with every kind of text, are what was made."""
    said = alone("""
        rows = [{"text": "x" * 1_000_000}, {"text": "\\ud800 ä \\n 日本", "number": 10**400, "none": None}]
        print(json.dumps([apart(lambda row=row: row) == row for row in rows]))
    """)
    assert said == [True, True]


@pytest.mark.parametrize(("end", "code"), [("os._exit(5)", 5), ("os.kill(os.getpid(), 9)", -9)])
def test_a_copy_that_ends_without_a_row(end, code):
    """This process ends as the copy did, so that whoever waits for the row learns how."""
    with pytest.raises(subprocess.CalledProcessError) as ended:
        alone(f"""
            def made():
                {end}

            print("begun", flush=True)
            apart(made)
            print("not reached")
        """)
    assert (ended.value.returncode, ended.value.output) == (code, "begun\n")


@pytest.mark.parametrize(
    ("end", "what"), [("1 / 0", "ZeroDivisionError: division by zero"), ("sys.exit(7)", "SystemExit: 7")]
)
def test_what_is_raised_in_a_copy_is_raised_here(end, what):
    """The error names what was raised; this process goes on, and the next copy is made."""
    said = alone(f"""
        def made():
            {end}

        try:
            apart(made)
        except RuntimeError as problem:
            print(json.dumps([str(problem), apart(lambda: {{"next": 1}})]))
    """)
    assert said == [what, {"next": 1}]


def test_no_copy_where_it_would_not_be_whole(monkeypatch):
    """Where threads run, the row is made in this process."""
    monkeypatch.setattr(module, "is_single", lambda own_threads: False)
    assert apart(lambda: {"pid": os.getpid()}) == {"pid": os.getpid()}


# --- as workers do it -----------------------------------------------------------------------------------------

SEEN = []


@tb.tool(schema=["x"])
def count(x=None):
    """Remembers each call."""
    SEEN.append(x)
    return {"n": len(SEEN)}


@tb.tool(schema=[])
def leave():
    """Ends its process."""
    os._exit(5)


@pytest.fixture(scope="module")
def probed():
    """A function that gives the rows of calls in one process; those that are `apart` in one of their own each."""
    with Pool(Tables(tb.Scenario(name="memory", tools=[count, leave])), deadline=20, jobs=1) as pool:

        def rows(*calls):
            units = [{"calls": [[name, {}]], "apart": alone} for name, alone in calls]
            [seen] = observed(pool, [Work("none", "definition", units, whole=True)])
            rows.whys = [row["why"] for row in seen.rows]
            return [(row["kind"], row["fields"].get("n")) for row in seen.rows]

        yield rows


def test_what_a_tool_remembers_reaches_the_next_probe_unless_it_is_apart(probed):
    """In one process calls are counted on; apart, each call is the first behind what was there before."""
    assert probed(*[("count", False)] * 3) == [("ok", 1), ("ok", 2), ("ok", 3)]
    assert probed(*[("count", True)] * 3) == [("ok", 1)] * 3
    mixed = [("count", False), ("count", True), ("count", False), ("count", True)]
    assert probed(*mixed) == [("ok", 1), ("ok", 2), ("ok", 2), ("ok", 3)]


def test_a_tool_that_ends_its_own_copy(probed):
    """The probe died, and those before and behind it have their rows."""
    assert probed(("count", True), ("leave", True), ("count", True)) == [("ok", 1), ("died", None), ("ok", 1)]
    assert probed.whys[1] == "its process exited with code 5"
