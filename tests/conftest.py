"""What all tests share: the two scenarios that every law holds for, and folders written for one test.

Hypothesis examples have no time limit, since speed lives in benchmarks/.
"""

import os
import time
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, settings

import toolbench as tb

settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("house"), max_examples=20)  # for `make quick`
settings.load_profile("house")

LENDING = Path(__file__).parent / "scenarios" / "lending"

SCENARIO = """
    from toolbench import SeededAgent, Task, ToolError, World, tool

    @tool(schema=["length"])
    def double(length=None):
        if length is None:
            raise ToolError("no length")
        return {"doubled": 2 * length}

    tools = [double]
    tasks = [Task(id="t1", start={"length": 4}, answer=8, sequence=["double"])]
    agent = SeededAgent(budget=4, first=0.9, results={"double": "doubled"})
"""
CASES = """
    [[case]]
    id = "twice three"
    tool = "double"
    arguments = { length = 3 }
    output = { doubled = 6 }
"""


@pytest.fixture(scope="session", params=["metering", LENDING], ids=["metering", "lending"])
def scenario(request):
    """A scenario that is not to be changed, each of the two in turn."""
    return tb.load_scenario(request.param)


@pytest.fixture(scope="session")
def lending():
    """The second scenario: three tools, one of them async, nested values, loans that stay in the world."""
    return tb.load_scenario(LENDING)


def running(pid):
    """Whether a process is there and no zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.fixture(scope="session")
def is_running():
    """A function that says whether a process is there and no zombie."""
    return running


@pytest.fixture(scope="session")
def all_gone():
    """A function that waits until none of some processes runs any more, and says whether that came about."""

    def wait(pids, seconds=10.0):
        until = time.monotonic() + seconds
        while any(map(running, pids)) and time.monotonic() < until:
            time.sleep(0.02)
        return not any(map(running, pids))

    return wait


@pytest.fixture
def write_scenario(tmp_path):
    """A function that writes a small working scenario, with some of its files in another form; gives its folder.

    files: texts by their paths. more: what is added at the end of scenario.py.
    """

    def write(files=None, more="", name="own"):
        folder = tmp_path / name
        texts = {"scenario.py": dedent(SCENARIO) + dedent(more), "cases.toml": CASES, **(files or {})}
        for place, text in texts.items():
            path = folder / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else dedent(text).encode())
        return folder

    return write
