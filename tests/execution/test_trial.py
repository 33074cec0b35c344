"""Trying to load a scenario folder in a process of its own."""

import json
import sys

import pytest

import toolbench as tb
from toolbench.errors import CatalogueError, ScenarioError, ToolRefused
from toolbench.execution.trial import failure, too_slow, try_importing, try_loading
from toolbench.execution.worker import failed

FINE = "from toolbench import tool\n@tool(schema=[])\ndef f():\n    return {'ok': True}\ntools = [f]\n"


def folder_with(tmp_path, text):
    (tmp_path / "scenario.py").write_text(text)
    return str(tmp_path)


def test_a_folder_that_loads_is_passed_in_silence(tmp_path):
    """Nothing is raised, and nothing of the folder is imported here."""
    assert try_loading(folder_with(tmp_path, FINE)) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import os\nos._exit(0)\n", "loading ended the process: its process exited with code 0"),
        ("import os\nos.kill(os.getpid(), 9)\n", "loading ended the process: its process was ended by SIGKILL"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
        ("tools = 5\n", "tools is 5; it is a list"),
        ("1 / 0\n", "line 1"),
    ],
)
def test_what_went_wrong_is_said(tmp_path, text, said):
    """An import that exits, kills its process, raises or defines nonsense is an error of the scenario."""
    with pytest.raises(ScenarioError) as refused:
        try_loading(folder_with(tmp_path, text))
    assert said in str(refused.value)


def test_an_import_that_takes_too_long_is_ended(tmp_path):
    """The deadline stands in the message, with a hint at what may be waiting."""
    folder = folder_with(tmp_path, "import time\ntime.sleep(1000)\n")
    with pytest.raises(ScenarioError) as refused:
        try_loading(folder, 1.0)
    assert str(refused.value) == too_slow(folder, 1.0)
    assert "took longer than 1 s" in str(refused.value)


def tools_with(tmp_path, text):
    (tmp_path / "tools.py").write_text(text)
    return str(tmp_path / "tools.py")


def test_a_module_that_imports_is_passed_in_silence(tmp_path):
    """Nothing is raised, and what the module does at import is not done here."""
    marked = tools_with(tmp_path, f"{FINE}import sys\nsys.toolbench_was_here = True\n")
    assert try_importing(marked) is None
    assert not hasattr(sys, "toolbench_was_here")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import os\nos._exit(0)\n", "loading ended the process: its process exited with code 0"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
        ("x = 5\n", "has no tools in it"),
        ("1 / 0\n", "line 1"),
        ("import os\nos.close(1)\nos.closerange(3, 100)\nimport time\ntime.sleep(1000)\n", "loading "),
    ],
)
def test_what_went_wrong_with_a_module_is_said(tmp_path, text, said):
    """An import that exits, kills its process, raises, or closes the channel is an error that names the module."""
    path = tools_with(tmp_path, text)
    with pytest.raises(ScenarioError) as refused:
        try_importing(path, 5.0)
    assert str(refused.value).startswith(path)
    assert said in str(refused.value)


def test_a_module_that_takes_too_long_is_ended(tmp_path):
    """The deadline stands in the message."""
    path = tools_with(tmp_path, "import time\ntime.sleep(1000)\n")
    with pytest.raises(ScenarioError) as refused:
        try_importing(path, 1.0)
    assert str(refused.value) == too_slow(path, 1.0)


def test_a_refused_tool_crosses_the_process(tmp_path):
    """It is raised here as it was there, part by part, and with the user's line."""
    path = tools_with(tmp_path, "from toolbench import tool\n@tool\ndef f(x, /):\n    return x\n")
    with pytest.raises(ToolRefused) as refused:
        try_importing(path)
    assert (refused.value.tool, bool(refused.value.cure)) == ("f", True)
    assert refused.value.place == f"{path}, line 2"
    problem = ToolRefused("f", "code", "what", "cure", "/properties/x")
    back = failure(json.loads(json.dumps(failed(problem))))
    assert (type(back), vars(back)) == (ToolRefused, vars(problem))


def test_a_failure_comes_back_as_its_own_kind():
    """An error that a worker reports by name is raised as that error; a name of none is one of the scenario."""
    assert type(failure({"failed": "x", "kind": "CatalogueError"})) is CatalogueError
    assert type(failure({"failed": "x"})) is ScenarioError
    assert isinstance(failure({"failed": "x"}), tb.ToolbenchError)
