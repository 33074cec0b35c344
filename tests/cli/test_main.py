"""The parser, messages and exit codes."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from toolbench.cli.main import main

ROOT = Path(__file__).parents[2]
TOOLBENCH = [sys.executable, "-m", "toolbench"]


def test_no_command_prints_the_help_with_the_exit_codes(capsys):
    """Someone who types the bare command sees what there is."""
    assert main([]) == 0
    out = capsys.readouterr().out
    assert "report" in out
    assert "130  interrupted" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["reprot"], "unknown command 'reprot': did you mean report?"),
        (["report", "meterin"], "unknown scenario 'meterin': did you mean metering?"),
        (["report", "--defects", "D12"], "unknown defect 'D12': did you mean D2 or D1 or D11?"),
        (["report", "--layers", "lop"], "unknown layer 'lop': did you mean loop? Known: tool, definition, loop"),
        (["report", "--format", "jason"], "unknown format 'jason': did you mean json?"),
        (["report", "--seeds", "9:3"], "seeds 9:3: the range is reversed"),
        (["report", "--seeds", "3:3"], "seeds 3:3: the range is empty"),
        (["report", "--seeds", "0"], "seeds 0: at least one seed is needed"),
        (["report", "--seeds", "1,1"], "seeds: 1 stands twice"),
        (["report", "--seeds", "4294967296,"], "seed 4294967296: a seed is a whole number from 0 to 4294967295"),
        (["report", "--seeds", "-1"], "seeds '-1': give N"),
        (["report", "--seeds", "many"], "seeds 'many': give N"),
        (["report", "--deadline", "0"], "--deadline 0: it is a finite number above 0"),
        (["report", "--jobs", "two"], "--jobs two: it is a whole number above 0"),
        (["report", "--fail-under", "1.5"], "--fail-under 1.5: give [LAYER:][CLASS=]SHARE"),
        (["report", "--fail-under", "lop:0.5"], "unknown layer 'lop': did you mean loop?"),
        (["report", "--fail-under", "valve=0.5"], "unknown class 'valve': did you mean value?"),
        (["report", "--catalogue", "nowhere.toml"], "nowhere.toml: no such catalogue file"),
        (["report", "--defects", "D1,,D2"], "--defects 'D1,,D2': names with commas between them"),
        (["show", "D88"], "unknown defect 'D88': did you mean D8?"),
        (["show", "metering", "D8", "D9"], "show metering D8 D9: give [SCENARIO] ID"),
        (["list", "meterin"], "unknown scenario 'meterin': did you mean metering?"),
    ],
)
def test_a_mistake_is_answered_with_what_would_be_right(arguments, said, capsys):
    """The message stands on standard error, with exit code 2, and nothing on standard output."""
    try:
        code = main(arguments)
    except SystemExit as left:  # argparse's own way out
        code = left.code
    captured = capsys.readouterr()
    assert code == 2
    assert said in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""


def test_a_message_never_carries_a_terminal_command(capsys):
    """What a user typed, or a file held, is shown harmlessly."""
    assert main(["report", "\x1b[31mred"]) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_a_closed_pipe_is_no_error():
    """`| head` ends the report quietly, also one that is too long for the pipe to hold."""
    command = f"{sys.executable} -m toolbench report --seeds 20 --format json | head -c 10"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, '{\n "format', "")


def test_a_report_that_is_too_long_for_a_pipe(tmp_path):
    """The report of the test above would not fit into a pipe whose reader has gone."""
    out = tmp_path / "report.json"
    assert main(["report", "--seeds", "20", "--format", "json", "--out", str(out)]) == 0
    assert out.stat().st_size > 2**16


@pytest.mark.parametrize("command", ["report --defects D8", "list", "show D8"])
def test_a_standard_output_that_is_closed(command):
    """Where there is no standard output the command says so in one sentence."""
    run = f"{sys.executable} -m toolbench {command} >&-"
    done = subprocess.run(["bash", "-c", run], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == "toolbench: standard output is closed; give --out FILE, or leave it open\n"


def test_a_full_device_is_said(tmp_path):
    """A report that cannot be printed is an error with a reason, not a traceback."""
    with open("/dev/full", "w") as full:
        done = subprocess.run([*TOOLBENCH, "list"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "toolbench: standard output cannot be written: No space left on device\n"


def test_ctrl_c_ends_everything(endless_scenario, all_gone):
    """An interrupted run says so, exits with 130, and leaves no worker behind."""
    command = [*TOOLBENCH, "report", str(endless_scenario), "--deadline", "60"]
    running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    marker = endless_scenario / "running"
    while not marker.exists():
        assert running.poll() is None, running.stderr.read()
        time.sleep(0.01)
    worker = int(marker.read_text())
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert (running.returncode, out, err) == (130, "", "toolbench: interrupted\n")
    assert all_gone([worker])


@pytest.fixture
def endless_scenario(tmp_path):
    """A scenario whose only case never ends; it writes its process id when it begins."""
    (tmp_path / "scenario.py").write_text(
        "import os, time\n"
        "from pathlib import Path\n"
        "from toolbench import tool\n"
        "@tool(schema=[])\n"
        "def wait():\n"
        "    beside = Path(__file__).with_name('starting')\n"
        "    beside.write_text(str(os.getpid()))\n"
        "    beside.rename(beside.with_name('running'))\n"
        "    while True:\n"
        "        time.sleep(1)\n"
        "tools = [wait]\n"
    )
    (tmp_path / "cases.toml").write_text('[[case]]\nid = "a"\ntool = "wait"\noutput = { done = true }\n')
    return tmp_path
