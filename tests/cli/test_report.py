"""`python -m toolbench report`."""

import contextlib
import json
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from toolbench.cli.main import main


def test_the_report_is_printed(capsys):
    """Without arguments: metering, two seeds, text."""
    assert main(["report"]) == 0
    out = capsys.readouterr().out
    seeds = "2 seeds (20260218:20260220), rule band, engine lanes"
    assert out.splitlines()[0] == f"metering: 11 defects, layers tool, definition and loop, {seeds}"
    assert "total       7/11  0.6364  7/11  0.6364  4/11  0.3636  11/11  1.0000" in out
    assert "definition  0/4  0.0000   4/4  1.0000   2/4  0.5000   4/4  1.0000" in out
    assert out.endswith("Every defect that was measured is caught by some layer.\n")
    assert main(["report", "--layers", "tool,loop"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0] == f"metering: 11 defects, layers tool and loop, {seeds}"
    assert "total       7/11  0.6364  4/11  0.3636  9/11  0.8182" in out
    assert out.endswith("No layer sees D9 D11: blind spots of these tests.\n")


def test_options_choose_defects_seeds_and_format(tmp_path, capsys):
    """The issue's own example: fifty seeds, two defects, JSON into a file."""
    out = tmp_path / "report.json"
    options = ["--seeds", "20260218:20260268", "--defects", "D8,D9", "--format", "json", "--out", str(out)]
    assert main(["report", "metering", *options]) == 0
    document = json.loads(out.read_text())
    assert document["seeds"] == {"text": "20260218:20260268", "count": 50}
    assert [defect["id"] for defect in document["defects"]] == ["D8", "D9"]
    assert len([row for row in document["success"] if row["table"] == "D9"]) == 50
    others = "D1, D2, D3, D4, D5, D6, D7, D10, D11"
    assert {"what": "defects", "count": 9, "reason": f"not asked for: {others}"} in document["left_out"]
    assert capsys.readouterr().out == ""


def test_json_goes_to_standard_output_and_nothing_else_does(scenario_that_prints, capfd):
    """What a scenario or a tool prints never mixes with the report."""
    assert main(["report", str(scenario_that_prints), "--format", "json"]) == 0
    assert json.loads(capfd.readouterr().out)["suite"]["cases"] == 1


def test_layers_can_be_chosen(capsys):
    """One layer alone has its column and says what was left out."""
    assert main(["report", "--layers", "tool"]) == 0
    out = capsys.readouterr().out
    assert "class       tool\n" in out
    assert "layers  2         not asked for: definition, loop" in out
    assert "The tool layer does not see D8 D9 D10 D11: blind spots of these tests." in out


def test_the_definition_layer_alone(capsys):
    """It needs neither suite nor seeds, and says which defects it does not see."""
    assert main(["report", "--layers", "definition"]) == 0
    out = capsys.readouterr().out
    assert "The definition layer does not see D1 D2 D3 D4: blind spots of these tests." in out
    assert "definition  check  0 findings from warning up  -" in out


def test_csv_fills_a_folder(tmp_path):
    """One file per table, in a folder that is made; files of others in it are left alone."""
    out = tmp_path / "deep" / "tables"
    out.mkdir(parents=True)
    (out / "mine.txt").write_text("mine")
    assert main(["report", "--format", "csv", "--out", str(out), "--defects", "D8"]) == 0
    assert {path.name for path in out.iterdir()} >= {"catch_rates.csv", "verdicts.csv", "findings.csv", "mine.txt"}
    assert "D8,undeclared-parameter,warning,tariff,/properties/type," in (out / "findings.csv").read_text()
    assert [path.name for path in out.iterdir() if path.name.startswith(".")] == []


def test_another_catalogue_can_be_named(tmp_path, capsys):
    """A catalogue file is found by path, whatever its name."""
    catalogue = tmp_path / "mine.toml"
    catalogue.write_text(
        '[[defect]]\nid = "X"\ntool = "tariff"\noperator = "drop_field"\narguments = { field = "m3" }\n'
    )
    assert main(["report", "--catalogue", str(catalogue), "--layers", "tool"]) == 0
    assert "metering: 1 defect, layers tool" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("thresholds", "code", "said"),
    [
        (["0.8"], 0, ""),
        (["7/11"], 0, ""),
        (["1"], 0, ""),
        (["definition:definition=1", "definition:contract=1"], 0, ""),
        (["definition:value=0.1"], 1, "0/4 = 0.0000 of value defects are caught by the definition layer, below 0.1"),
        (["definition:0.64"], 1, "7/11 = 0.6364 of all defects are caught by the definition layer, below 0.64"),
        (["tool:value=1", "loop:definition=0.5"], 0, ""),
        (["tool:definition=0.1"], 1, "0/4 = 0.0000 of definition defects are caught by the tool layer, below 0.1"),
        (["tool:0.6364"], 1, "7/11 = 0.6364 of all defects are caught by the tool layer, below 0.6364"),
        (["0.1", "contract=1", "loop:0.9"], 1, "below 0.9"),
    ],
)
def test_a_threshold_decides_the_exit_code(thresholds, code, said, capsys):
    """The report is printed all the same; what falls short is said on standard error."""
    options = [option for threshold in thresholds for option in ("--fail-under", threshold)]
    assert main(["report", *options]) == code
    captured = capsys.readouterr()
    assert captured.out.startswith("metering: 11 defects")
    assert said in captured.err
    assert bool(captured.err) == bool(code)


@pytest.mark.parametrize(
    ("thresholds", "code", "said"),
    [
        (["0.8"], 0, ""),
        (["0.82"], 1, "9/11 = 0.8182 of all defects are caught by any layer, below 0.82"),
        (["definition=0.6"], 1, "2/4 = 0.5000 of definition defects are caught by any layer, below 0.6"),
    ],
)
def test_a_threshold_without_the_definition_layer(thresholds, code, said, capsys):
    """Any layer is any of those that were asked for."""
    options = [option for threshold in thresholds for option in ("--fail-under", threshold)]
    assert main(["report", "--layers", "tool,loop", *options]) == code
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "layer"),
    [
        (["--seeds", "5,", "--fail-under", "loop:0.0"], "loop"),
        (["--layers", "tool", "--fail-under", "loop:0"], "loop"),
        (["--layers", "tool", "--fail-under", "definition:definition=0"], "definition"),
    ],
)
def test_a_share_that_is_not_measured_reaches_no_threshold(options, layer, capsys):
    """`n/a` is not even 0."""
    assert main(["report", *options]) == 1
    assert f"caught by the {layer} layer is n/a (0 were measured)" in capsys.readouterr().err


def test_a_suite_that_fails_without_any_defect_is_exit_code_3(folder_with, capsys):
    """No rate is printed; the failing case is named."""
    folder = folder_with(cases='[[case]]\nid = "wrong"\ntool = "double"\narguments = { x = 1 }\noutput = { y = 3 }\n')
    assert main(["report", str(folder)]) == 3
    captured = capsys.readouterr()
    assert "fails 1 of its own 1 case" in captured.err
    assert "wrong: expected y 3, got 2" in captured.err
    assert captured.out == ""


def test_an_agent_that_raises_is_exit_code_2(write_scenario, capsys):
    """Without any defect no episode may crash; task, seed and reason are told, and nothing is printed."""
    more = """
        class Lost:
            def begin(self, task, definitions, draw):
                raise LookupError("where am I")

            def settings(self):
                return {}

        agent = Lost()
    """
    assert main(["report", str(write_scenario(more=more)), "--seeds", "5,6"]) == 2
    captured = capsys.readouterr()
    assert captured.err == (
        "toolbench: own: without any defect, 2 episodes did not come to an end; the first is task t1 at seed 5: "
        "crash: the agent raised LookupError: where am I\n"
    )
    assert captured.out == ""


def test_an_existing_file_is_replaced_whole_and_keeps_its_mode(tmp_path):
    """The report takes the place of the old file in one step."""
    out = tmp_path / "report.txt"
    out.write_text("old")
    out.chmod(0o640)
    assert main(["report", "--defects", "D8", "--out", str(out)]) == 0
    assert out.read_text().startswith("metering: 1 defect")
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [out]


def test_a_link_stays_a_link(tmp_path):
    """The file behind it is replaced."""
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    link.symlink_to(real)
    assert main(["report", "--defects", "D8", "--out", str(link)]) == 0
    assert link.is_symlink()
    assert real.read_text().startswith("metering")


def test_a_device_is_simply_written_to(capfd):
    """/dev/stdout is a place like any other."""
    assert main(["report", "--defects", "D8", "--out", "/dev/stdout"]) == 0
    assert capfd.readouterr().out.startswith("metering: 1 defect")


@pytest.mark.parametrize(
    ("place", "form", "said"),
    [
        ("nowhere/report.txt", "text", "is no folder"),
        ("a_file/report.txt", "text", "is no folder"),
        (".", "text", "is a folder; --out names a file"),
        ("a_file", "csv", "is not a folder; csv is one file per table"),
        ("/dev/full", "json", "cannot be written: No space left on device"),
    ],
)
def test_a_place_that_cannot_be_written_is_said(place, form, said, tmp_path, capsys, monkeypatch):
    """Nothing half-written is left."""
    monkeypatch.chdir(tmp_path)
    Path("a_file").write_text("mine")
    assert main(["report", "--defects", "D8", "--format", form, "--out", place]) == 2
    assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["a_file"]
    assert Path("a_file").read_text() == "mine"


def test_self_critique_and_approval_are_options(tmp_path):
    """The agent's extra settings change its cost and nothing else."""
    out = tmp_path / "report.json"
    options = ["--layers", "loop", "--defects", "D8", "--format", "json", "--out", str(out)]
    assert main(["report", *options, "--self-critique", "--approval"]) == 0
    none = [row for row in json.loads(out.read_text())["success"] if row["table"] == "none"]
    assert [(row["tokens"], row["approvals"], row["failing"]) for row in none] == [
        (12298, 7, ["G23"]),
        (12274, 9, ["G15"]),
    ]


def test_a_rule_that_is_not_there(capsys):
    """What is unknown is refused with the nearest name, before anything runs."""
    assert main(["report", "--rule", "pared"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "toolbench: unknown rule 'pared': did you mean paired? Known: band, paired, exact\n"


def test_each_seed_is_an_option(tmp_path):
    """Beyond a thousand seeds there is a row per table; with --per-seed one per seed, as up to there."""
    out = tmp_path / "report.json"
    options = ["report", "--layers", "loop", "--defects", "D8", "--format", "json", "--out", str(out), "--seeds"]
    rows = {}
    for more in (["1001"], ["1001", "--per-seed"]):
        assert main([*options, *more]) == 0
        rows[len(more)] = json.loads(out.read_text())["success"]
    assert [row["seed"] for row in rows[1]] == [None, None]
    assert len(rows[2]) == 2002
    assert sum(row["succeeded"] for row in rows[2][:1001]) == rows[1][0]["succeeded"]


def test_ctrl_c_in_the_middle_leaves_a_report(tmp_path, capsys, monkeypatch):
    """The report of the seeds that were done is written whole, and the exit code is 130, whatever the threshold."""

    @contextlib.contextmanager
    def pressed():
        def heard(done, every):
            raise KeyboardInterrupt

        yield heard

    monkeypatch.setattr("toolbench.cli.options.progress", pressed)
    monkeypatch.setattr("toolbench.playing.WALKED", 5)
    out = tmp_path / "report.json"
    options = ["--engine", "walk", "--seeds", "40", "--defects", "D8", "--format", "json", "--out", str(out)]
    assert main(["report", *options, "--fail-under", "1"]) == 130
    assert capsys.readouterr().err == "toolbench: interrupted after 5 seeds; the report is of these\n"
    document = json.loads(out.read_text())
    assert document["seeds"] == {"text": "20260218:20260223", "count": 5}
    assert {"what": "seeds", "count": 35, "reason": "interrupted after 5 seeds"} in document["left_out"]
    assert len(document["success"]) == 10


@pytest.mark.slow
def test_a_real_ctrl_c(write_scenario, tmp_path, all_gone):
    """A program that is interrupted in the middle of its seeds prints what it has, exits with 130, leaves nothing."""
    calls = tmp_path / "calls"
    more = f"""
        import os

        @tool(schema=["length"])
        def double(length=None):
            with open({str(calls)!r}, "a") as file:
                file.write(f"{{os.getpid()}}\\n")
            return {{"doubled": 2 * length}}

        tools = [double]
    """
    defects = '[[defect]]\nid = "X"\ntool = "double"\noperator = "drop_field"\narguments = {field = "length"}\n'
    folder = write_scenario(files={"defects.toml": defects}, more=more)
    command = [sys.executable, "-m", "toolbench", "report", str(folder), "--seeds", "200000", "--engine", "walk"]
    program = subprocess.Popen(
        [*command, "--layers", "loop", "--jobs", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not calls.exists() or calls.read_text().count("\n") < 6000:  # more than two chunks of two tables need
        assert program.poll() is None, program.stderr.read()
        time.sleep(0.02)
    program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=60)
    assert program.returncode == 130
    assert re.fullmatch(r"toolbench: interrupted after [0-9,]+ seeds; the report is of these\n", err)
    assert out.startswith("own: 1 defect, layers loop, ")
    assert re.search(r"^seeds +[0-9]+ +interrupted after ", out, re.MULTILINE)
    assert all_gone({int(line) for line in calls.read_text().split()})


@pytest.fixture
def folder_with(tmp_path):
    """A scenario of one tool, `double`, with the cases given."""

    def made(cases, more=""):
        (tmp_path / "scenario.py").write_text(
            "from toolbench import tool\n"
            "@tool(schema=['x'])\n"
            "def double(x):\n"
            "    print('noise of the tool')\n"
            "    return {'y': 2 * x}\n"
            "tools = [double]\n" + more
        )
        (tmp_path / "cases.toml").write_text(cases)
        return tmp_path

    return made


@pytest.fixture
def scenario_that_prints(folder_with):
    return folder_with(
        '[[case]]\nid = "right"\ntool = "double"\narguments = { x = 1 }\noutput = { y = 2 }\n', "print('noise')\n"
    )
