"""The tools of a Python file or module that is no scenario."""

import sys

import pytest

import toolbench as tb
from toolbench.errors import ScenarioError, ToolbenchError, ToolRefused
from toolbench.execution.trial import too_slow, try_importing
from toolbench.modules import is_module, read_module, split_reference, tools_of

FINE = """
from toolbench import Scenario, ToolTable, World, tool


@tool(schema=["x"])
def first(x=None):
    return {"x": x}


@tool(schema=["x"])
def second(x=None):
    return {"x": x}


again = first
chosen = [second]
number = 5
text = "first"
nothing = []
mixed = [first, 5]
scenario = Scenario(name="whole", tools=[second, first])


def world():
    return World(state={"n": 3})


deadline = 7.0
"""
REFUSED = "from toolbench import tool\n\n\n@tool\ndef f(x, /):\n    return x\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A function that writes a module into a folder that is the working directory, and gives the folder."""
    monkeypatch.chdir(tmp_path)
    known = set(sys.modules)

    def write(name, text):
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return tmp_path

    yield write
    for name in set(sys.modules) - known:
        del sys.modules[name]


# --- references -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "parts"),
    [
        ("my_tools.py:table", ("my_tools.py", "table")),
        ("my_package.tools", ("my_package.tools", "")),
        ("my_package.tools:table", ("my_package.tools", "table")),
        ("my_tools.py:", ("my_tools.py", "")),
        ("a:b/my_tools.py", ("a:b/my_tools.py", "")),
        ("a:b/my_tools.py:table", ("a:b/my_tools.py", "table")),
        ("", ("", "")),
    ],
)
def test_a_reference_has_two_parts(reference, parts):
    """A name stands behind the last colon; a colon in a path is none of that kind."""
    assert split_reference(reference) == parts


def test_what_is_a_module(here):
    """A file that is there, or a module that can be found from the working directory; looking imports nothing."""
    folder = here("fine_one", FINE)
    here("pack/__init__", "")
    here("pack/tools", "1 / 0\n")
    for reference in ("fine_one.py", "fine_one", "fine_one:chosen", "pack.tools", "json", str(folder / "fine_one.py")):
        assert is_module(reference), reference
    for reference in ("nowhere.py", "nowhere", "pack.nowhere", "a b", "", ".", "..", "fine_one/x"):
        assert not is_module(reference), reference
    assert "pack.tools" not in sys.modules
    assert str(folder) not in sys.path


# --- what is found --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["fine_two.py", "fine_two"])
@pytest.mark.parametrize(
    ("name", "tools"),
    [("", ["first", "second"]), (":chosen", ["second"]), (":first", ["first"]), (":scenario", ["second", "first"])],
)
def test_tools_of_a_module(here, place, name, tools):
    """All tools in the order of their definition, each once; or what is named: a tool, a list, a scenario."""
    here("fine_two", FINE)
    scenario = read_module(place + name)
    assert list(scenario.table) == tools
    assert scenario.name == ("whole" if name == ":scenario" else "fine_two")
    assert try_importing(place + name) is None


def test_world_and_deadline_are_the_modules(here):
    """A module's `world` and `deadline` count, as in a scenario."""
    here("fine_three", FINE)
    scenario = read_module("fine_three.py:chosen")
    assert scenario.world().state == {"n": 3}
    assert scenario.deadline == 7.0
    assert (scenario.cases, scenario.tasks) == ((), ())


@pytest.mark.parametrize("name", ["table", "tools", "TABLE", "TOOLS"])
def test_a_table_is_taken_before_single_tools(here, name):
    """What is called a table is what the module means."""
    here("fine_four", FINE + f"\n{name} = ToolTable([second])\n")
    assert list(read_module("fine_four.py").table) == ["second"]


def test_functions_become_tools():
    """A function with its hints needs no decorator; tables, mappings, single tools and lists are all taken."""

    def add(a: int, b: int = 2) -> int:
        """Adds."""
        return a + b

    [made] = tools_of(add, "here").values()
    assert (made.name, sorted(made.definition.fields)) == ("add", ["a", "b"])
    table = tb.ToolTable([made])
    assert tools_of(table, "here") is table
    for value in (made, [made], (made,), {"add": made}, {"any": add}, iter([add])):
        assert list(tools_of(value, "here")) == ["add"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (5, "here: an object of type int is no table; give a ToolTable, or a list of tools or functions"),
        ("add", "here: an object of type str is no table; give a ToolTable, or a list of tools or functions"),
        (None, "here: an object of type NoneType is no table; give a ToolTable, or a list of tools or functions"),
        ([5], "here: an object of type int is no tool; give tools, or functions with their hints"),
        ([], "here: has no tools in it"),
        ({}, "here: has no tools in it"),
    ],
)
def test_what_is_no_table(value, said):
    """What cannot be a table is told with its kind, and with what would be one."""
    with pytest.raises(ScenarioError) as refused:
        tools_of(value, "here")
    assert str(refused.value) == said


# --- bad input, through both doors ----------------------------------------------------------------------------

DOORS = pytest.mark.parametrize("door", [read_module, try_importing], ids=["here", "in a process of its own"])


def told(door, reference, kind=ScenarioError):
    with pytest.raises(ToolbenchError) as refused:
        door(reference)
    assert type(refused.value) is kind
    return str(refused.value)


@DOORS
@pytest.mark.parametrize("place", ["bad_one.py", "bad_one"])
@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        (FINE, ":chosn", "unknown name 'chosn': did you mean chosen? Known: "),
        (FINE, ":number", "an object of type int is no table"),
        (FINE, ":text", "an object of type str is no table"),
        (FINE, ":nothing", "has no tools in it"),
        (FINE, ":mixed", "an object of type int is no tool"),
        ("x = 1\n", "", "has no tools in it; put @tool above its functions, or name a list of tools or functions"),
        ("tools = 5\n", "", "an object of type int is no table"),
        ("x = 1\n1 / 0\n", "", "ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)\n", "", "SystemExit: 3"),
        ("def (:\n", "", "SyntaxError: invalid syntax"),
        ("import nowhere_at_all\n", "", "No module named 'nowhere_at_all'"),
    ],
    ids=lambda value: value[:20],
)
def test_a_module_that_cannot_be_used(here, door, place, text, name, said):
    """What is wrong is told alike here and from a process of its own."""
    here("bad_one", text)
    assert said in told(door, place + name)


@DOORS
def test_the_users_own_line_is_told(here, door):
    """An import that fails names the line of the file at which it did."""
    folder = here("bad_two", "x = 1\n1 / 0\n")
    assert f'File "{folder / "bad_two.py"}", line 2' in told(door, "bad_two.py")


@DOORS
@pytest.mark.parametrize("reference", ["nowhere.py", "nowhere", "nowhere.tools", "a b", "json", "json:nowhere"])
def test_a_module_that_is_not_there(here, door, reference):
    """A missing file, a missing module, and one that has no tools are errors of the library's own kind."""
    here("some", "")
    assert reference.split(":")[0] in told(door, reference)


@DOORS
@pytest.mark.parametrize("reference", ["refused_one.py", "refused_one"])
def test_a_tool_that_is_refused_crosses_the_process(here, door, reference):
    """Tool, code, reason and cure are whole on this side of the boundary."""
    here("refused_one", REFUSED)
    with pytest.raises(ToolRefused) as refused:
        door(reference)
    problem = refused.value
    assert (problem.tool, problem.pointer, bool(problem.code)) == ("f", "/properties/x", True)
    assert problem.what.startswith("its parameter 'x' is positional-only, and a tool's arguments are passed by name")
    assert problem.cure == "take the / out of the signature, or wrap the function"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import os\nos._exit(4)\n", "loading ended the process: its process exited with code 4"),
        ("import os\nos.kill(os.getpid(), 9)\n", "loading ended the process: its process was ended by SIGKILL"),
    ],
)
def test_an_import_that_ends_its_process(here, text, said):
    """It is tried in another process first, so this one goes on."""
    here("bad_three", text)
    assert told(try_importing, "bad_three.py") == f"bad_three.py: {said}"


@pytest.mark.parametrize("text", ["import time\ntime.sleep(1000)\n", "while True:\n    pass\n"])
def test_an_import_that_hangs(here, text):
    """It is ended, and the deadline is told with a hint at what may be waiting."""
    here("bad_four", text)
    with pytest.raises(ScenarioError) as refused:
        try_importing("bad_four", 1.0)
    assert str(refused.value) == too_slow("bad_four", 1.0)


def test_what_is_no_module(tmp_path, monkeypatch):
    """A file of definitions, a module that is not there, and a name in a module without submodules are none."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools.txt").write_text("[]")
    (tmp_path / "plain_module.py").write_text("x = 1")
    assert not any(
        is_module(name) for name in ("tools.txt", "tools.json", "nowhere.tools", "plain_module.x", "a b", "")
    )
    assert is_module("plain_module") and is_module("plain_module:x") and not is_module("nowhere/tools.py")


@pytest.mark.parametrize("text", ["import sys; sys.exit(3)", "import time; time.sleep(60)", "1 / 0"])
def test_looking_for_a_module_runs_nothing(tmp_path, monkeypatch, text):
    """A package whose import exits, hangs or fails is found all the same; only the trial imports it."""
    package = tmp_path / "hostile_package"
    package.mkdir()
    (package / "__init__.py").write_text(text)
    (package / "tools.py").write_text("tools = []")
    monkeypatch.chdir(tmp_path)
    assert is_module("hostile_package.tools")
    with pytest.raises(ScenarioError):
        try_importing("hostile_package.tools", 1.0)


@pytest.mark.parametrize("reference", ["nowhere/tools.py", "no_such_module_here", "no_such.module:tools"])
def test_a_place_without_a_module_says_so(reference):
    """The error names what was looked for."""
    with pytest.raises(ScenarioError, match=r"no such (file|module)"):
        read_module(reference)
