"""Scenarios of servers, from `init` to the report; and the two that ship: a clock and a repository."""

import json
import shutil
import subprocess
import sys

import pytest

import toolbench as tb
from tests.servers.starting import FAULTY, faulty
from toolbench.cli.main import main
from toolbench.errors import ScenarioError

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def clock():
    return tb.measure("clock")


@pytest.fixture(scope="module")
def repository():
    return tb.measure("repository")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A scenario that `init --mcp` makes of the faulty server, whose directory can be put back."""
    where = tmp_path_factory.mktemp("init")
    (where / "data").mkdir()
    (where / "data" / "notes.txt").write_text("tea\n")
    command = " ".join([*FAULTY, "--directory", "{directory}", "--remove"])
    code = main(["init", str(where / "made"), "--mcp", command, "--directory", str(where / "data")])
    assert code == 0
    return where / "made"


def caught(measurement, layer):
    return {v.defect for v in measurement.verdicts if v.layer == layer and v.verdict == "caught" and v.rule != "paired"}


def test_the_clock(clock):
    """All layers run over the server of the package registry; the known fault of its description is found."""
    assert len(clock.scenario.suite) >= 8 and len(clock.scenario.tasks) >= 6
    rates = {(row["class"], row["layer"]): (row["k"], row["n"]) for row in clock.catch_rate_rows()}
    assert rates["value", "tool"] == (3, 3) and rates["definition", "tool"] == (0, 4)
    assert rates["contract", "definition"] == (2, 2) and rates["definition", "definition"] == (4, 4)
    assert {"C6", "C9"} <= caught(clock, "loop")
    codes = {(f.code, f.tool, f.pointer) for f in clock.checks["none"].findings if f.counts}
    assert codes == {("example-refused", "convert_time", "/properties/target_timezone")}
    assert clock.blind_spots().empty


def test_the_repository(repository):
    """Every case begins in the repository as it was made; the fault of its dates is found."""
    assert len(repository.scenario.suite) >= 8 and len(repository.scenario.tasks) >= 6
    assert not repository.tasks_of_no_use()
    assert {"R1", "R2", "R4"} <= caught(repository, "tool")
    assert {"R7", "R8"} <= caught(repository, "loop")
    assert {"R5", "R6", "R8", "R9"} <= caught(repository, "definition")
    found = {(f.code, f.pointer) for f in repository.checks["none"].findings if f.counts and f.tool == "git_log"}
    assert found == {
        ("nonsense-accepted", "/properties/start_timestamp"),
        ("nonsense-accepted", "/properties/end_timestamp"),
    }


def test_what_ships_is_what_the_servers_declare(capsys):
    """The definitions that are kept are those of the versions in the lock."""
    for name in ("clock", "repository"):
        assert main(["drift", name]) == 0
    assert capsys.readouterr().out.count("no tool has changed") == 2


def test_a_made_scenario_runs_at_once(made, capsys):
    """Its cases wait to be confirmed: they are in no rate, and the report says how many there are."""
    assert main(["report", str(made), "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["suite"]["cases"] == 0 and document["suite"]["unconfirmed"] >= 8
    (left,) = [row for row in document["left_out"] if row["what"] == "cases"]
    assert left["count"] == document["suite"]["unconfirmed"] and "confirmed by hand" in left["reason"]
    assert {row["verdict"] for row in document["verdicts"] if row["layer"] == "tool"} == {"not measured"}
    assert {row["verdict"] for row in document["verdicts"] if row["layer"] == "definition"} >= {"caught"}


def test_a_confirmed_case_counts(made, tmp_path, capsys):
    """Once the line is taken away; a wrong expectation then fails the clean run."""
    folder = tmp_path / "confirmed"
    shutil.copytree(made, folder)
    (folder / "server.toml").write_text(
        (made / "server.toml").read_text().replace('cwd = "', f'cwd = "{made}/').replace('copy = "', f'copy = "{made}/')
    )
    cases = (folder / "cases.toml").read_text()
    assert cases.count("# confirm by hand") == cases.count("\nconfirmed = false")
    (folder / "cases.toml").write_text(cases.replace("confirmed = false\n", ""))
    assert main(["report", str(folder), "--layers", "tool", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["suite"]["unconfirmed"] == 0 and document["suite"]["cases"] >= 8
    assert {row["verdict"] for row in document["verdicts"]} <= {"caught", "missed"}
    (folder / "cases.toml").write_text(
        '[[case]]\nid = "wrong"\ntool = "count"\noutput = { text = "9 lines in {directory}/notes.txt" }\n'
    )
    assert main(["report", str(folder), "--layers", "tool"]) == 3
    assert 'got "1 lines in {directory}/notes.txt"' in capsys.readouterr().err


def test_a_server_that_dies_costs_its_own_case(tmp_path):
    """The others go on with a new one; the verdict has its last words."""
    server = faulty("--die", "echo")
    cases = [tb.Case(id="echo", tool="echo", arguments={"text": "x"}, error=True),
             tb.Case(id="add", tool="add", arguments={"a": 1, "b": 2}, output={"sum": 3})]  # fmt: skip
    with server.running():
        scenario = server.scenario(cases=cases)
        with pytest.raises(tb.ToolbenchError, match=r"fails 1 of its own 2 cases.*\n.*the last words of the server"):
            tb.measure(scenario, defects=[])


def test_one_start_is_enough(tmp_path):
    """For the suite, twice, stubs, defects, machines, loop and probes: all of it speaks to one life of the server."""
    starts = tmp_path / "starts"
    server = faulty("--starts", starts)
    task = tb.Task(id="sum", start={"a": 1, "b": 2}, answer=3, sequence=["add"])
    with server.running():
        scenario = server.scenario(
            cases=[tb.Case(id="add", tool="add", arguments={"a": 1, "b": 2}, output={"sum": 3})],
            tasks=[task],
            agent=tb.SeededAgent(budget=3, first=0.9, results={"add": "sum"}),
        )
        defect = tb.Defect(id="d", tool="add", operator="drop_field", arguments={"field": "b"})
        measured = tb.measure(scenario, defects=[defect])
    assert len(starts.read_text().split()) == 1
    assert caught(measured, "definition") == caught(measured, "loop") == {"d"} and not caught(measured, "tool")


def test_definitions_of_another_server(made, tmp_path, capsys):
    """Are no ground for a report; a tool that is declared otherwise today is told."""
    folder = tmp_path / "other"
    folder.mkdir()
    shutil.copy(made / "definitions.json", folder)
    (folder / "server.toml").write_text('command = ["mcp-server-time"]\n')
    assert main(["report", str(folder)]) == 2
    assert "its definitions are of another server: mcp-time has none of its tools" in capsys.readouterr().err
    (folder / "server.toml").write_text(f"command = {json.dumps(FAULTY)}\n")
    assert main(["report", str(folder), "--layers", "definition"]) == 0
    assert "the server declares them otherwise today, see `drift`: remove_note" in capsys.readouterr().out


def test_ctrl_c_leaves_nothing(tmp_path):
    """In the middle of a report over a server."""
    from tests.adapters.test_mcp import gone, started

    starts = tmp_path / "starts"
    command = " ".join([*FAULTY, "--slow", "0.3", "--stay", "--starts", str(starts)])
    process = subprocess.Popen(
        [sys.executable, "-m", "toolbench", "check", "--mcp", command], stderr=subprocess.PIPE, text=True
    )
    while not (starts.exists() and starts.read_text()):
        if process.poll() is not None:
            break
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(3)
    process.send_signal(2)
    assert "interrupted" in process.communicate(timeout=30)[1] and process.returncode == 130
    assert all(map(gone, started(starts)))


def test_a_folder_that_says_it_twice(tmp_path):
    """Tools come of the server; tasks of one of the two files."""
    (tmp_path / "server.toml").write_text(f"command = {json.dumps(FAULTY)}\n")
    (tmp_path / "scenario.py").write_text("tools = []\n")
    with pytest.raises(ScenarioError, match="defines `tools`, which the server of"):
        tb.load_scenario(tmp_path)
    (tmp_path / "scenario.py").write_text("base_seed = 3\n")
    (tmp_path / "tasks.toml").write_text("base_seed = 4\n")
    (tmp_path / "definitions.json").write_text('{"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}')
    with pytest.raises(ScenarioError, match=r"gives base_seed, and so does scenario\.py"):
        tb.load_scenario(tmp_path)
