"""Options that several commands share."""

import argparse
import io
import subprocess
import sys

import pytest
from tqdm import tqdm

from toolbench.cli.options import add_measuring, measured, names, number, progress, whole
from toolbench.errors import UsageError


def options(*given):
    parser = argparse.ArgumentParser()
    add_measuring(parser)
    return parser.parse_args(given)


def refusal(read, *given):
    with pytest.raises(UsageError) as refused:
        read(*given)
    return str(refused.value)


def test_what_is_not_given_has_no_value():
    """An option that was not given is None, so that the library's own default counts."""
    assert (number(None, "--deadline"), whole(None, "--jobs"), names(None, "--defects")) == (None, None, None)


@pytest.mark.parametrize(("text", "value"), [("2", 2.0), ("0.5", 0.5), ("1e3", 1000.0)])
def test_a_number(text, value):
    """Seconds are a number above 0, in any form that Python reads."""
    assert number(text, "--deadline") == value


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "1e999", "two", ""])
def test_what_is_no_number(text):
    """What is no number above 0, an endless one included, is refused with its text."""
    assert refusal(number, text, "--deadline") == f"--deadline {text}: it is a finite number above 0"


def test_a_whole_number():
    """A number of workers is written in plain digits."""
    assert (whole("3", "--jobs"), whole("007", "--jobs")) == (3, 7)


@pytest.mark.parametrize("text", ["0", "-1", "1.0", "1_000", "\u0663", "\u00b2", "", " 1"])
def test_what_is_no_whole_number(text):
    """Signs, points, underscores and digits of other scripts are refused."""
    assert refusal(whole, text, "--jobs") == f"--jobs {text}: it is a whole number above 0 and below 10^9"


def test_names():
    """Names stand with commas between them; blanks around them do not count."""
    assert names("D1, D2 ,D3", "--defects") == ["D1", "D2", "D3"]


@pytest.mark.parametrize("text", ["", " ", "D1,", ",D1", "D1,,D2"])
def test_a_name_that_is_empty(text):
    """A comma too many is refused, since it may hide a name that was meant."""
    assert refusal(names, text, "--defects") == f"--defects {text!r}: names with commas between them, such as A,B"


def test_measuring_as_the_options_say():
    """Seeds, layers, defects and the agent's settings reach the measurement."""
    given = options("--seeds", "5,9", "--approval")
    m = measured(given, "metering", layers=["loop"], defects=["D8"])
    assert (m.seeds.values, m.layers, [defect.id for defect in m.defects]) == ([5, 9], ("loop",), ["D8"])
    assert (m.scenario.agent.approval, m.scenario.agent.self_critique) == (True, False)


def test_a_deadline_is_read_before_anything_runs():
    """A number that cannot be one is refused with the name of its option."""
    said = refusal(lambda: measured(options("--deadline", "soon"), "metering", layers=None, defects=["D8"]))
    assert said == "--deadline soon: it is a finite number above 0"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_shown_on_a_terminal(monkeypatch):
    """On a terminal there is a bar of seeds, which is gone at the end."""
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr("tqdm.tqdm", lambda **settings: tqdm(**{**settings, "delay": 0}))
    with progress() as heard:
        heard(500, 2000)
        heard(1500, 2000)
        bar = next(cell.cell_contents for cell in heard.__closure__)
        assert (bar.n, bar.total, bar.leave) == (1500, 2000, False)
        bar.refresh()
        shown = sys.stderr.getvalue()
    assert "75%" in shown and "1.50k/2.00k" in shown and "seeds" in shown
    assert sys.stderr.getvalue().endswith("\r")
    assert sys.stderr.getvalue().split("\r")[-2].isspace()


@pytest.mark.parametrize("stream", [io.StringIO, lambda: None], ids=["pipe", "closed"])
def test_no_progress_elsewhere(stream, monkeypatch):
    """In a pipe, or where there is no standard error, nobody is told anything."""
    monkeypatch.setattr(sys, "stderr", stream())
    with progress() as heard:
        assert heard is None
    assert sys.stderr is None or sys.stderr.getvalue() == ""


def test_a_measurement_tells_its_progress(monkeypatch):
    """On a terminal a measurement moves the bar to its end; what it gives is the same."""
    given = options("--seeds", "3")
    quiet = measured(given, "metering", layers=["loop"], defects=["D8"])
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert str(measured(given, "metering", layers=["loop"], defects=["D8"])) == str(quiet)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--engine", "wlak"], "unknown engine 'wlak': did you mean walk? Known: auto, walk"),
        (["--executor", "dsk"], "unknown executor 'dsk': did you mean dask? Known: processes, dask"),
        (["--executor", "dask"], "executor dask: give the address of its scheduler, such as tcp://10.0.0.1:8786"),
        (["--scheduler", "tcp://a:1"], "scheduler tcp://a:1: only the executor dask has one"),
    ],
)
def test_where_and_how_to_run(given, said):
    """An engine, an executor or a scheduler that cannot be is refused, with what would be right."""
    assert refusal(lambda: measured(options(*given), "metering", layers=None, defects=["D8"])) == said


def test_engine_and_rule_reach_the_measurement():
    """The walk can be asked for, and a rule."""
    m = measured(options("--engine", "walk"), "metering", layers=["loop"], defects=["D8"], rule="paired")
    assert (m.engine, m.rule) == ("walk", "paired")


def test_nothing_on_standard_error_in_a_pipe():
    """Where standard error is no terminal there is no bar, however long it takes."""
    command = [sys.executable, "-m", "toolbench", "report", "--seeds", "3000", "--defects", "D8", "--layers", "loop"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("metering: 1 defect, layers loop, 3,000 seeds")
