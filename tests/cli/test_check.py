"""`python -m toolbench check`."""

import argparse
import json

import pytest

from toolbench.cli import check
from toolbench.errors import ToolbenchError, UsageError

WRONG = {"name": "pack", "inputSchema": {"type": "object", "properties": {"boxes": {"type": "array"}}}}
NOTED = {"name": "pack", "inputSchema": {"type": "object", "properties": {}}}
CLEAN = {**NOTED, "description": "Packs boxes."}
SEVERE = {"name": "pack", "description": "x", "inputSchema": {"type": "object", "required": ["y"], "properties": {}}}

MODULE = '''
from toolbench import Definition, Tool, tool

@tool
def pack(boxes: int, tape: bool = False):
    """Packs boxes.

    Args:
        boxes: how many
        tape: whether with tape
    """
    print("a tool that talks")
    return {"packed": boxes * 2 if tape else boxes}

table = [pack]
'''


@pytest.fixture
def file(tmp_path):
    """A function that writes tools to a file."""

    def written(*tools, name="tools.json"):
        path = tmp_path / name
        path.write_text(json.dumps({"tools": list(tools)}))
        return path

    return written


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "my_tools.py"
    path.write_text(MODULE)
    return path


def run(*given):
    parser = argparse.ArgumentParser()
    check.add_arguments(parser)
    return check.run(parser.parse_args(list(map(str, given))))


@pytest.mark.parametrize(
    ("tool", "fail_on", "code"),
    [
        (CLEAN, None, 0),
        (NOTED, None, 0),
        (WRONG, None, 1),
        (SEVERE, None, 1),
        (NOTED, "note", 1),
        (CLEAN, "note", 0),
        (WRONG, "error", 0),
        (SEVERE, "error", 1),
        (SEVERE, "never", 0),
    ],
)
def test_the_exit_code_says_whether_there_is_what_counts(file, tool, fail_on, code, capsys):
    """From warning up, unless another severity is given."""
    options = [] if fail_on is None else ["--fail-on", fail_on]
    assert run(file(tool), *options) == code
    assert capsys.readouterr().out.startswith(str(file(tool)))


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--format", "xml"], "unknown format 'xml'"),
        (["--format", "jsn"], "did you mean json"),
        (["--fail-on", "warnings"], "did you mean warning"),
        (["--jobs", "0"], "--jobs"),
        (["--jobs", "two"], "--jobs"),
        (["--deadline", "-1"], "--deadline"),
        (["--off", "no_such.toml"], "no_such.toml: no such file"),
        (["--functions", "no_such_module"], "no_such_module"),
        (["--out", "no/such/folder/file"], "no/such/folder"),
    ],
)
def test_what_cannot_be_used_is_a_mistake_of_use(file, options, problem):
    """Exit code 2, with what would be right."""
    with pytest.raises(ToolbenchError, match=problem):
        run(file(CLEAN), *options)


def test_text_tells_notes_when_asked(file, capsys):
    """Else it tells how many there are."""
    run(file(WRONG))
    brief = capsys.readouterr().out
    assert "items-missing at /properties/boxes" in brief
    assert "no-description" not in brief and "1 note not shown: --notes shows them" in brief
    run(file(WRONG), "--notes")
    full = capsys.readouterr().out
    assert "no-description at /description" in full and "not shown" not in full


def test_json_is_for_programs(file, capsys):
    """Findings with all that is told of them, what was not probed."""
    assert run(file(WRONG), "--format", "json") == 1
    document = json.loads(capsys.readouterr().out)
    finding = document["findings"][0]
    assert list(finding) == ["code", "severity", "tool", "pointer", "seen", "input", "why", "cure"]
    assert [finding[key] for key in ("code", "severity", "tool", "pointer", "input")] == [
        "items-missing",
        "warning",
        "pack",
        "/properties/boxes",
        None,
    ]
    assert document["not_probed"] == [{"tool": "pack", "reason": "no function"}]


def test_sarif_is_for_programs_too(file, capsys):
    """With the file that was checked."""
    path = file(WRONG)
    assert run(path, "--format", "sarif") == 1
    log = json.loads(capsys.readouterr().out)
    [result, _] = log["runs"][0]["results"]
    assert (log["version"], result["ruleId"], result["level"]) == ("2.1.0", "items-missing", "warning")
    [place] = result["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == path.as_posix()


@pytest.mark.parametrize("kind", ["text", "json", "sarif"])
def test_a_file_is_written_whole_and_nothing_is_printed(file, tmp_path, kind, capsys):
    """The same as would be printed."""
    run(file(WRONG), "--format", kind)
    printed = capsys.readouterr().out
    out = tmp_path / "out"
    assert run(file(WRONG), "--format", kind, "--out", out) == 1
    assert capsys.readouterr() == ("", "")
    assert out.read_text(encoding="utf-8") == printed


def test_a_file_is_left_as_it_was_where_nothing_can_be_checked(file, tmp_path):
    """Whole or not at all, and nothing beside it."""
    out, bad = tmp_path / "out", tmp_path / "bad.json"
    out.write_text("before")
    bad.write_text("{")
    with pytest.raises(UsageError):
        run(bad, "--out", out)
    assert out.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.json", "out"]


OFF = '[[off]]\ntool = "pack"\ncode = "items-missing"\nreason = "the shop knows"\n'


def test_a_finding_is_switched_off_with_a_reason(file, tmp_path, capsys):
    """In a file that is named, or in the one that lies beside; the reason is told."""
    off = tmp_path / "elsewhere.toml"
    off.write_text(OFF)
    assert run(file(WRONG), "--off", off) == 0
    assert "switched off: pack items-missing /properties/boxes (the shop knows)" in capsys.readouterr().out
    off.rename(tmp_path / "check.toml")
    assert run(file(WRONG)) == 0
    assert run(file(CLEAN)) == 0
    assert "switches off nothing: pack items-missing (the shop knows)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[[off]]\ntool = "pack"\ncode = "item-missing"\nreason = "x"', "did you mean items-missing"),
        ('[[off]]\ntool = "pack"\ncode = "items-missing"', "off number 1: reason is"),
        ('[[off]]\ntool = "pack"\ncode = "items-missing"\nreason = " "', "off number 1: reason is"),
        ('[[off]]\ncode = "items-missing"\nreason = "x"', "off number 1: tool is"),
        ('[[off]]\ntool = "pack"\ncode = "items-missing"\nreason = "x"\nwhy = 1', "unknown key 'why'"),
        ('[[of]]\ntool = "pack"', "did you mean off"),
        ("off = 5", "each switch is an \\[\\[off\\]\\] table"),
        ("off = [", "elsewhere.toml"),
    ],
)
def test_a_switch_that_cannot_be_read_is_a_mistake_of_use(file, tmp_path, text, problem):
    """With the file, the entry, the key and what would be right."""
    off = tmp_path / "elsewhere.toml"
    off.write_text(text)
    with pytest.raises(UsageError, match=problem):
        run(file(WRONG), "--off", off)


@pytest.mark.slow
def test_functions_are_read_from_a_module(file, module, capsys):
    """Then definitions are checked against them; a name that has none is a mistake of use."""
    assert run(file(CLEAN), "--functions", module) == 1
    assert "undeclared-parameter at /properties/boxes" in capsys.readouterr().out
    with pytest.raises(UsageError, match="there is none for crate; there are pack"):
        run(file({**CLEAN, "name": "crate"}), "--functions", module)


@pytest.mark.slow
def test_the_tools_of_a_module_are_checked(module, capsys):
    """What its tools print is in the way of nobody; they are called only when asked for."""
    assert run(f"{module}:table", "--format", "json") == 0
    read = json.loads(capsys.readouterr().out)
    assert read["not_probed"] == [{"tool": "pack", "reason": "may have effects"}] and read["probes"] == 0
    assert run(module, "--probe-all", "--format", "json", "--deadline", "5", "--jobs", "1") == 0
    probed = json.loads(capsys.readouterr().out)
    assert probed["not_probed"] == [] and probed["probes"] > 0


@pytest.mark.slow
def test_a_scenario_is_checked(capsys):
    """Its defect-free table gives nothing that counts."""
    assert run("metering") == 0
    assert capsys.readouterr().out.startswith("metering: ")


def test_a_terminal_gets_colours(file, capsys, monkeypatch):
    """A pipe and a file do not."""
    run(file(WRONG))
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    run(file(WRONG))
    assert "\x1b[33mwarning\x1b[0m" in capsys.readouterr().out
