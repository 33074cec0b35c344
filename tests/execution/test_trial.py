"""Trying to load a scenario folder in a process of its own."""

import pytest

import toolbench as tb
from toolbench.errors import CatalogueError, ScenarioError
from toolbench.execution.trial import failure, too_slow, try_loading

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


def test_a_failure_comes_back_as_its_own_kind():
    """An error that a worker reports by name is raised as that error; a name of none is one of the scenario."""
    assert type(failure({"failed": "x", "kind": "CatalogueError"})) is CatalogueError
    assert type(failure({"failed": "x"})) is ScenarioError
    assert isinstance(failure({"failed": "x"}), tb.ToolbenchError)
