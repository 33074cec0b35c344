"""A scenario folder: found, imported, and forgotten again."""

import inspect
import os
import sys
import types

import pytest

from toolbench.errors import ScenarioError
from toolbench.folder import built_in, catalogue_path, find_folder, folder_digest, read_folder, shipped

SIBLING = """
    from toolbench import tool
    from {sibling} import FACTOR

    @tool(schema=["length"])
    def stretch(length=0):
        return {{"stretched": FACTOR * length}}

    tools = [stretch]
"""


def stretched(folder):
    return read_folder(folder).table.call("stretch", {"length": 10}).value["stretched"]


# --- finding ----------------------------------------------------------------------------------------------------


def test_a_built_in_scenario_is_found_by_name():
    """A name finds a folder that ships with the library, and its catalogue lies beside the others."""
    assert built_in() == ("clock", "metering", "repository")
    folder = find_folder("metering")
    assert folder == shipped("scenarios") / "metering"
    assert catalogue_path(folder) == shipped("defects") / "metering.toml"
    assert catalogue_path(folder).is_file()


def test_a_folder_is_found_by_path(write_scenario, monkeypatch):
    """A path finds a folder, absolute or relative, and so does the path of its scenario.py."""
    folder = write_scenario()
    monkeypatch.chdir(folder.parent)
    for reference in (folder, str(folder), "own", "./own/", "own/scenario.py"):
        assert find_folder(reference) == folder.resolve()
    assert catalogue_path(folder) == folder / "defects.toml"


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        (
            "meterin",
            "unknown scenario 'meterin': did you mean metering? Known: clock, metering, repository, or the path",
        ),
        ("no/such/folder", "unknown scenario 'no/such/folder'. Known: clock, metering, repository"),
        ("x" * 5000, "unknown scenario 'xxx"),
        ("nul\0", r"unknown scenario 'nul\x00'"),
        ("\x1b[31m", r"unknown scenario '\x1b[31m'"),
    ],
    ids=["near", "far", "long", "nul", "escape"],
)
def test_what_is_not_there(reference, message):
    """A name that is no scenario gets the nearest ones, and the hint that a path would do."""
    with pytest.raises(ScenarioError) as caught:
        find_folder(reference)
    assert str(caught.value).startswith(message)


def test_a_folder_without_a_scenario(tmp_path):
    """A folder without scenario.py, or with a folder of that name, is refused with the way to make one."""
    for _ in range(2):
        with pytest.raises(ScenarioError) as caught:
            find_folder(tmp_path)
        assert str(caught.value) == (
            f"{tmp_path}: has no scenario.py and no server.toml; "
            "`python -m toolbench init FOLDER` makes a working scenario"
        )
        (tmp_path / "scenario.py").mkdir(exist_ok=True)


# --- the digest -------------------------------------------------------------------------------------------------


def test_the_digest_of_a_folder(write_scenario):
    """Names and contents of Python and TOML files count, at any depth; the place and other files do not."""
    folder, copy = write_scenario({"deep/part.py": "x = 1\n"}), write_scenario({"deep/part.py": "x = 1\n"}, name="copy")
    digest = folder_digest(folder)
    assert digest == folder_digest(copy)
    (copy / "notes.txt").write_text("no part of it")
    assert folder_digest(copy) == digest
    (copy / "deep" / "part.py").write_text("x = 2\n")
    changed = folder_digest(copy)
    (copy / "deep" / "part.py").write_text("x = 1\n")
    (copy / "deep" / "part.py").rename(copy / "part.py")
    assert len({digest, changed, folder_digest(copy)}) == 3


@pytest.mark.parametrize(
    "place", [".venv/lib/more.py", ".hidden.py", "__pycache__/more.py", "env/lib/more.py", "deep/env/more.toml"]
)
def test_the_digest_leaves_out_what_is_no_part_of_the_scenario(write_scenario, place):
    """Hidden files and folders, caches and environments, which may hold thousands of files, do not count."""
    plain, folder = write_scenario(), write_scenario({place: "x = 1\n"}, name="other")
    for environment in (folder / "env", folder / "deep" / "env"):
        if environment.is_dir():
            (environment / "pyvenv.cfg").write_text("home = /usr\n")
    assert folder_digest(folder) == folder_digest(plain)


def test_a_folder_named_like_an_environment_is_part_of_the_scenario(write_scenario):
    """What makes an environment is its pyvenv.cfg, not its name."""
    assert folder_digest(write_scenario()) != folder_digest(write_scenario({"env/more.py": "x = 1\n"}, name="other"))


# --- reading ----------------------------------------------------------------------------------------------------


def test_a_folder_is_a_scenario(write_scenario):
    """Tools, tasks, agent, world, seed, deadline and cases are read; functions are there by name."""
    more = """
        base_seed = 9
        deadline = 3.5

        def world():
            return World(state={"n": 1})

        def halve(length=None):
            return {"doubled": length / 2}
    """
    folder = write_scenario(more=more)
    scenario = read_folder(folder)
    assert (scenario.name, scenario.base_seed, scenario.deadline, scenario.folder) == ("own", 9, 3.5, folder)
    assert [case.id for case in scenario.cases] == ["twice three"]
    assert [task.id for task in scenario.tasks] == ["t1"]
    assert scenario.world().state == {"n": 1}
    assert scenario.functions["halve"](length=4) == {"doubled": 2}
    assert scenario.functions["double"](length=4) == {"doubled": 8}
    assert {"World", "Task", "tools"}.isdisjoint(scenario.functions)


def test_the_least_folder(write_scenario):
    """A scenario.py with tools and nothing else is a scenario; tools may be a mapping."""
    source = """
        from toolbench import tool
        tools = {"any name": tool(schema=[], name="t")(lambda: 1)}
    """
    folder = write_scenario({"scenario.py": source, "cases.toml": ""})
    scenario = read_folder(folder)
    assert (list(scenario.table), scenario.cases, scenario.tasks, scenario.agent) == (["t"], (), (), None)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("del tools", "defines no `tools`; give tools = [first_tool, second_tool]"),
        ("tools = 5", "tools is 5; it is a list"),
        ("tools = [print]", "<built-in function print> is not a Tool; put @tool(schema=...) above the function"),
        ("tools = [double, double]", "tool double: two tools are named 'double'; a tool's name is unique in its table"),
        ("tools = []", "own: has no tools"),
        ("tasks = 5", "tasks is 5; it is a list"),
        ("tasks = [{'id': 't'}]", "own: tasks has {'id': 't'} in it; give Task(...)"),
        ("tasks = tasks * 2", "own: two tasks have the id 't1'; an id is unique"),
        (
            "tasks = [Task(id='t', sequence=['duoble'])]",
            "own: task t: sequence: unknown tool 'duoble': did you mean double?",
        ),
        ("agent = None", "own: has tasks and no agent; give agent = SeededAgent(...)"),
        ("agent = SeededAgent", "own: agent is <class"),
        ("base_seed = 2**32", "own: base_seed is 4294967296; it is a whole number from 0 to 4294967295"),
        ("world = World()", "own: world is <toolbench.world.World"),
        ("deadline = 'soon'", "own: deadline is 'soon'; it is a number of seconds above 0"),
    ],
)
def test_parts_that_do_not_fit(write_scenario, more, message):
    """What is wrong with the parts of a scenario is said with the path of its scenario.py."""
    folder = write_scenario(more=more)
    with pytest.raises(ScenarioError) as caught:
        read_folder(folder)
    assert str(caught.value).startswith(f"{folder / 'scenario.py'}: {message}")


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (
            "id = 'c'\ntool = 'dubble'\noutput = 1",
            "own: case c: unknown tool 'dubble': did you mean double? Known: double",
        ),
        (
            "id = 'c'\ntool = 'double'\noutput = 1\n[[case]]\nid = 'c'\ntool = 'double'\nerror = true",
            "own: two cases have the id 'c'; an id is unique",
        ),
        ("id = 'c'\ntool = 'double'", "cases.toml: case c: give what to expect"),
    ],
)
def test_cases_that_do_not_fit(write_scenario, case, message):
    """A case for a tool that is not there, an id that stands twice, and a case without expectation are refused."""
    folder = write_scenario({"cases.toml": "[[case]]\n" + case})
    with pytest.raises(ScenarioError) as caught:
        read_folder(folder)
    assert message in str(caught.value)
    assert str(folder) in str(caught.value)


# --- an import that fails -----------------------------------------------------------------------------------------


def failure(folder):
    with pytest.raises(ScenarioError) as caught:
        read_folder(folder)
    return str(caught.value)


def test_the_users_own_line_is_shown(write_scenario):
    """Where the user's code raises, the message has the user's lines and none of the library's."""
    folder = write_scenario(
        {"part.py": "def broken(n):\n    return 1 / n\n"}, more="from part import broken\nbroken(0)\n"
    )
    text = failure(folder)
    number = len((folder / "scenario.py").read_text().splitlines())
    assert text.split("\n") == [
        f"{folder / 'scenario.py'} cannot be imported",
        f'  File "{folder / "scenario.py"}", line {number}, in <module>',
        "    broken(0)",
        f'  File "{folder / "part.py"}", line 2, in broken',
        "    return 1 / n",
        *([text.split("\n")[5]] if "~" in text else []),
        "ZeroDivisionError: division by zero",
    ]


@pytest.mark.parametrize(
    ("more", "line", "error"),
    [
        (
            "from no_such_module import x",
            "from no_such_module import x",
            "ModuleNotFoundError: No module named 'no_such_module'",
        ),
        ("import broken_part", "    return )", "SyntaxError: unmatched ')'"),
        ("agent = SeededAgent(first=1)", "agent = SeededAgent(first=1)", "TypeError: "),
        (
            "task = Task(id='t', sequence=5)",
            "task = Task(id='t', sequence=5)",
            "TypeError: 'int' object is not iterable",
        ),
        ("import sys; sys.exit(0)", "import sys; sys.exit(0)", "SystemExit: 0"),
        ("raise BaseException('all')", "raise BaseException('all')", "BaseException: all"),
        ("raise ValueError('\\x1b[31mred')", "raise ValueError('", "ValueError: "),
    ],
)
def test_no_line_of_the_library_is_shown(write_scenario, more, line, error):
    """Whatever fails in an import, the message shows the user's line and the error, and no frame of the library."""
    folder = write_scenario({"broken_part.py": "def f():\n    return )\n"}, more=more)
    text = failure(folder)
    assert text.startswith(f"{folder / 'scenario.py'} cannot be imported\n")
    assert line in text
    assert error in text
    assert str(shipped("agent")) not in text
    assert "importlib" not in text
    assert "<string>" not in text


def test_a_scenario_that_is_no_python(write_scenario):
    """A syntax error, a null byte and a wrong encoding are shown with the file."""
    for source in (b"tools = [\n", b"x = '\0'\n", b"x = '\xe9'\n"):
        text = failure(write_scenario({"scenario.py": source}))
        assert "cannot be imported" in text
        assert text.splitlines()[-1].startswith(("SyntaxError: ", "ValueError: "))


def test_a_part_that_is_refused_names_the_users_line(write_scenario):
    """What the library refuses while scenario.py is read is said with the user's line, and without a traceback."""
    folder = write_scenario(more="wrong = Task(id='')\n")
    number = len((folder / "scenario.py").read_text().splitlines())
    assert (
        failure(folder) == f"{folder / 'scenario.py'}, line {number}: a task's id is a text that is not empty, not ''"
    )


def test_a_failed_import_leaves_nothing_behind(write_scenario):
    """After a failed import the same folder, put right, can be read."""
    folder = write_scenario(more="raise ValueError\n")
    path, modules = list(sys.path), set(sys.modules)
    failure(folder)
    assert sys.path == path
    assert {name for name in set(sys.modules) - modules if not name.startswith("toolbench_scenario_")} == set()
    write_scenario()
    assert list(read_folder(folder).table) == ["double"]


# --- modules beside scenario.py -----------------------------------------------------------------------------------


@pytest.mark.parametrize("sibling", ["factors", ".factors", ".parts.factors", "parts.factors"])
def test_modules_beside_the_scenario(write_scenario, sibling):
    """A scenario imports modules that lie beside it, by their names and with `from .`, also from folders."""
    folder = write_scenario(
        {
            "scenario.py": SIBLING.format(sibling=sibling),
            "cases.toml": "",
            "factors.py": "FACTOR = 3\n",
            "parts/factors.py": "from .more import FACTOR\n",
            "parts/__init__.py": "",
            "parts/more.py": "FACTOR = 3\n",
        }
    )
    assert stretched(folder) == 30


@pytest.mark.parametrize("sibling", ["factors", ".factors", "parts.factors", "bare.factors"])
def test_two_folders_with_like_named_modules(write_scenario, sibling):
    """Modules of one name beside two scenarios do not mix, whichever is read first, and how often."""
    folders = [
        write_scenario(
            {
                "scenario.py": SIBLING.format(sibling=sibling),
                "cases.toml": "",
                "factors.py": f"FACTOR = {factor}\n",
                "parts/__init__.py": "",
                "parts/factors.py": f"FACTOR = {factor}\n",
                "bare/factors.py": f"FACTOR = {factor}\n",
            },
            name=f"own{factor}",
        )
        for factor in (2, 3)
    ]
    assert [stretched(folder) for folder in (*folders, *reversed(folders))] == [20, 30, 30, 20]
    assert {"factors", "parts", "parts.factors", "bare"}.isdisjoint(sys.modules)


def test_a_module_that_is_loaded_already_is_not_meant(write_scenario, monkeypatch):
    """A notebook's own module of the same name is neither used by the scenario nor lost."""
    loaded = types.ModuleType("factors")
    loaded.__file__, loaded.FACTOR = "/elsewhere/factors.py", 9
    monkeypatch.setitem(sys.modules, "factors", loaded)
    folder = write_scenario(
        {"scenario.py": SIBLING.format(sibling="factors"), "cases.toml": "", "factors.py": "FACTOR = 3\n"}
    )
    assert stretched(folder) == 30
    assert sys.modules["factors"] is loaded


def test_a_module_beside_that_is_named_like_a_standard_one(write_scenario):
    """A file named like a loaded module of the standard library does not take its place."""
    import json

    folder = write_scenario(
        {"json.py": "raise ValueError('not this one')\n"}, more="import json\nassert json.loads('1') == 1"
    )
    read_folder(folder)
    assert sys.modules["json"] is json


@pytest.mark.parametrize("name", ["scenario.py", "factors.py"])
def test_an_edit_within_the_same_second_is_seen(write_scenario, name):
    """A file of the same size and time as before is read afresh, and so is the source of its functions."""
    files = {"scenario.py": SIBLING.format(sibling="factors"), "cases.toml": "", "factors.py": "FACTOR = 3\n"}
    files["scenario.py"] = files["scenario.py"].replace("FACTOR * length", "FACTOR * length + 1")
    folder = write_scenario(files)
    for path in folder.iterdir():
        os.utime(path, (1_700_000_000, 1_700_000_000))
    first = read_folder(folder)
    assert first.table.call("stretch", {"length": 10}).value == {"stretched": 31}
    inspect.getsource(first.table["stretch"].function)
    old, new = {"scenario.py": ("+ 1", "+ 5"), "factors.py": ("= 3", "= 7")}[name]
    (folder / name).write_text((folder / name).read_text().replace(old, new))
    os.utime(folder / name, (1_700_000_000, 1_700_000_000))
    second = read_folder(folder)
    assert second.table.call("stretch", {"length": 10}).value == {"stretched": 35 if name == "scenario.py" else 71}
    if name == "scenario.py":
        assert "+ 5" in inspect.getsource(second.table["stretch"].function)


def test_reading_leaves_no_trace(write_scenario):
    """Reading a folder writes no file into it and leaves the import path and the modules as they were."""
    folder = write_scenario({"factors.py": "FACTOR = 3\n"}, more="import factors\n")
    files, path, wrote = sorted(folder.rglob("*")), list(sys.path), sys.dont_write_bytecode
    read_folder(folder)
    assert sorted(folder.rglob("*")) == files
    assert (sys.path, sys.dont_write_bytecode) == (path, wrote)
    assert "factors" not in sys.modules


def test_a_scenario_that_changes_the_import_path(write_scenario):
    """A scenario that takes its own folder from the import path, or adds others, is read all the same."""
    folder = write_scenario(more="import sys\nsys.path.pop(0)\n")
    before = list(sys.path)
    assert list(read_folder(folder).table) == ["double"]
    assert sys.path == before


def test_what_is_printed_at_import_does_not_reach_standard_output(write_scenario, capsys):
    """Output of a command is not mixed with what a scenario prints while it is read: that goes to standard error."""
    read_folder(
        write_scenario({"factors.py": "print('from a part')\n"}, more="import factors\nprint('from the scenario')\n")
    )
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "from a part\nfrom the scenario\n"
