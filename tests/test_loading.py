"""Loading a scenario and its catalogue, whatever the user's code does meanwhile."""

import os
import time

import pytest

import toolbench as tb
from toolbench.cli.main import main
from toolbench.errors import CatalogueError, ScenarioError, SchemaError

DEFECT = """
    [[defect]]
    id = "X1"
    tool = "double"
    operator = "replace_constant"
    arguments = { old = 2, new = 3 }
"""


def refused(folder, **options):
    with pytest.raises(tb.ToolbenchError) as caught:
        tb.load_scenario(folder, **options)
    assert isinstance(caught.value, ScenarioError | SchemaError)
    return str(caught.value)


def gone(pid):
    """Whether a process is no longer there; one that was ended may take a moment to be taken away."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        with open(f"/proc/{pid}/stat") as status:
            if status.read().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        time.sleep(0.02)
    return False


# --- scenarios --------------------------------------------------------------------------------------------------


def test_a_scenario_is_loaded_by_name_and_by_path(scenario):
    """A scenario loaded by its path is the same as before, with its name, tools, cases and tasks."""
    again = tb.load_scenario(scenario.folder / "scenario.py")
    assert (again.name, list(again.table), again.base_seed) == (scenario.name, list(scenario.table), scenario.base_seed)
    assert again.cases == scenario.cases
    assert again.tasks == scenario.tasks


def test_a_scenario_that_is_not_there():
    """A name that is no scenario gets the nearest one."""
    assert refused("meterng").startswith("unknown scenario 'meterng': did you mean metering?")


def test_an_import_that_fails(write_scenario):
    """The user's own line is shown, and no frame of the library, though another process found it."""
    folder = write_scenario(more="print(undefined_name)\n")
    text = refused(folder)
    assert text.startswith(f"{folder / 'scenario.py'} cannot be imported\n")
    assert "    print(undefined_name)" in text
    assert text.endswith("NameError: name 'undefined_name' is not defined")
    assert "toolbench/" not in text.replace(str(folder), "")


@pytest.mark.slow
def test_an_import_that_hangs(write_scenario, tmp_path):
    """An import that waits for ever is ended after the deadline, with everything that it had started."""
    more = f"""
        import os, pathlib, subprocess, time
        other = subprocess.Popen(["sleep", "600"])
        pathlib.Path({str(tmp_path / "pids")!r}).write_text(f"{{os.getpid()}} {{other.pid}}")
        while True:
            time.sleep(60)
    """
    folder = write_scenario(more=more)
    assert refused(folder, deadline=4.0) == (
        f"{folder}: loading took longer than 4 s; does it, or what it imports, wait for something?"
    )
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert [gone(pid) for pid in pids] == [True, True]
    assert os.getpid() not in pids


def test_an_import_that_loops_in_c(write_scenario):
    """An import that never gives other threads a turn is ended all the same."""
    folder = write_scenario(more="sum(range(10**15))\n")
    assert "loading took longer than 1 s" in refused(folder, deadline=1.0)


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ("import os; os._exit(0)", "{folder}: loading ended the process: its process exited with code 0"),
        ("import os; os._exit(7)", "{folder}: loading ended the process: its process exited with code 7"),
        (
            "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
            "{folder}: loading ended the process: its process was ended by SIGKILL",
        ),
    ],
)
def test_an_import_that_ends_its_process(write_scenario, more, reason):
    """An import that leaves Python at once is an error that says how it left; this process goes on."""
    folder = write_scenario(more=more)
    assert refused(folder) == reason.format(folder=folder)


def test_an_import_that_exits(write_scenario):
    """sys.exit() in an import, with success as its code, is no success."""
    folder = write_scenario(more="import sys\nsys.exit(0)\n")
    assert refused(folder).endswith("    sys.exit(0)\nSystemExit: 0")


def test_an_import_that_prints(write_scenario, capfd):
    """What an import prints does not reach standard output, and does not disturb the other process."""
    folder = write_scenario(more="import sys\nprint('hello')\nsys.stdout.write('{}\\n')\nsys.stdout.flush()\n")
    assert list(tb.load_scenario(folder).table) == ["double"]
    assert capfd.readouterr().out == ""


def test_an_import_that_reads_standard_input(write_scenario):
    """An import that asks for input gets none, and the error shows where it asked."""
    text = refused(write_scenario(more="input('name? ')\n"), deadline=15.0)
    assert "    input('name? ')" in text
    assert text.splitlines()[-1].startswith("EOFError")


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ('{"type": "objekt"}', 'tool double: not valid JSON Schema at type: "objekt"'),
        (
            '{"properties": {"length": {"type": "nubmer"}}}',
            "tool double: not valid JSON Schema at properties/length/type",
        ),
        ('{"type": "string"}', 'tool double: the schema\'s type is "string"; a tool takes an object of fields'),
        ("5", "tool double: a schema is a JSON Schema object or a list of field names, not 5"),
        ('["a", "a"]', "tool double: the list of fields ['a', 'a'] names a field twice"),
    ],
)
def test_a_schema_that_is_not_valid(write_scenario, schema, message):
    """A schema that is not valid JSON Schema is found when the scenario is loaded, with tool and place."""
    folder = write_scenario()
    path = folder / "scenario.py"
    path.write_text(path.read_text().replace('["length"]', schema))
    assert message in refused(folder)


@pytest.mark.parametrize(
    ("files", "more", "message"),
    [
        ({}, "tools = [double, double]\n", "two tools are named 'double'"),
        ({}, "tasks = tasks * 2\n", "two tasks have the id 't1'"),
        ({"cases.toml": "[[case]]\nid = 'c'\ntool = 'triple'\noutput = 1\n"}, "", "case c: unknown tool 'triple'"),
        ({"cases.toml": "[[case]\n"}, "", "cases.toml: is not TOML"),
        ({}, "tasks = [Task(id='t', sequence=['triple'])]\n", "task t: sequence: unknown tool 'triple'"),
    ],
)
def test_parts_that_do_not_fit(write_scenario, files, more, message):
    """What does not fit in a folder is said once, with the folder's path."""
    text = refused(write_scenario(files, more))
    assert message in text
    assert text.startswith(str(write_scenario(files, more)))
    assert "\n" not in text


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("def world():\n    return {}\n", "world() gave a dict without snapshot, restore, fingerprint; return a World"),
        ("def world():\n    raise RuntimeError('no world today')\n", "RuntimeError: no world today"),
        ("def world(size):\n    return World()\n", "TypeError: world() missing 1 required positional argument: 'size'"),
    ],
)
def test_a_world_that_is_none(write_scenario, more, message):
    """A world() that gives no World, or fails, makes a scenario that cannot be measured, and says why."""
    with pytest.raises(ScenarioError) as caught:
        tb.measure(write_scenario(more=more))
    assert message in str(caught.value)


@pytest.mark.slow
def test_a_scenario_of_escapes(write_scenario, capsys):
    """Whatever a terminal might obey, in names, texts and errors, is shown as an escape by the command line."""
    escape = "\\x1b[31m\\x07"
    more = f"""
        raise ValueError("{escape} red" + chr(27))
    """
    for folder in (
        write_scenario(more=more),
        write_scenario(more=f'tasks = [Task(id="{escape}", sequence=["x"])]\n'),
        write_scenario({"cases.toml": '[[case]]\nid = "\\u001b[31m"\ntool = "none"\noutput = 1\n'}),
        write_scenario({"cases.toml": '[[case]]\nid = "\\u001b[31m"\ntool = "double"\noutput = "\\u001b[31m"\n'}),
    ):
        assert main(["report", str(folder)]) in (2, 3)
        captured = capsys.readouterr()
        assert all(line.isprintable() for line in (captured.out + captured.err).split("\n"))
        assert "x1b[31m" in captured.err or "u001b[31m" in captured.err


# --- catalogues --------------------------------------------------------------------------------------------------


def test_the_catalogue_beside_a_scenario(write_scenario):
    """A folder's defects.toml is its catalogue; without one there are no defects; any other file can be named."""
    scenario = tb.load_scenario(write_scenario({"other.toml": DEFECT.replace("X1", "Y1")}))
    assert tb.load_defects(scenario) == ()
    (scenario.folder / "defects.toml").write_text(DEFECT)
    assert [defect.id for defect in tb.load_defects(scenario)] == ["X1"]
    assert [defect.id for defect in tb.load_defects(scenario, scenario.folder / "other.toml")] == ["Y1"]


def test_the_catalogue_of_a_built_in_scenario():
    """Metering has its eleven defects, in the order of the file."""
    defects = tb.load_defects(tb.load_scenario("metering"))
    assert [defect.id for defect in defects] == [f"D{number}" for number in range(1, 12)]


def test_a_scenario_without_a_folder_has_no_catalogue(lending):
    """A scenario made in Python has no defects of its own, and can be given a file."""
    made = tb.Scenario(name="made", tools=lending.table, functions=lending.functions)
    assert tb.load_defects(made) == ()
    assert len(tb.load_defects(made, lending.folder / "defects.toml")) == 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "no such catalogue file"),
        (DEFECT.replace("double", "duble"), "defect X1: tool: unknown tool 'duble': did you mean double?"),
        (DEFECT + DEFECT, "two defects have the id 'X1'; an id is unique"),
        (
            DEFECT.replace("replace_constant", "drop_field").replace("{ old = 2, new = 3 }", '{ field = "width" }'),
            "unknown field of double 'width'. Known: length",
        ),
        ("defect = 5", "5 is not of type array"),
        ("[[defect]", "is not TOML"),
    ],
    ids=["none", "tool", "twice", "field", "array", "toml"],
)
def test_a_catalogue_that_cannot_be_used(write_scenario, text, message):
    """A catalogue that is not there, is malformed or does not fit is refused with its path."""
    scenario = tb.load_scenario(write_scenario())
    path = scenario.folder / "some.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(CatalogueError) as caught:
        tb.load_defects(scenario, path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


def test_defects_can_be_loaded_by_the_scenarios_name():
    """What loads a scenario loads its defects, too."""
    assert [defect.id for defect in tb.load_defects("metering")] == [f"D{number}" for number in range(1, 12)]


@pytest.mark.parametrize("nonsense", [5, None, ["metering"]])
def test_what_is_no_scenario_is_said_to_be_none(nonsense):
    """A number or a list is no name and no path."""
    with pytest.raises(ScenarioError, match="is no scenario"):
        tb.load_scenario(nonsense)
