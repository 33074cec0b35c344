"""Importing a user's file: siblings, traces, and the user's own line."""

import sys
from pathlib import Path

import pytest

from toolbench.errors import ScenarioError, ToolRefused
from toolbench.importing import import_file


def written(tmp_path, **texts):
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path / "mine.py"


def refused(path, kind=ScenarioError):
    with pytest.raises(kind) as problem:
        import_file(path)
    assert type(problem.value) is kind
    return str(problem.value)


def test_a_file_is_a_module(tmp_path):
    """Its names are there, under a name of its own that says where it lies."""
    path = written(tmp_path, mine="x = 5\nhere = __file__\n")
    module = import_file(path)
    assert (module.x, module.here) == (5, str(path))
    assert sys.modules[module.__name__] is module
    assert module.__name__.startswith("toolbench_mine_")


def test_an_edit_is_seen_at_once(tmp_path):
    """The file as it stands counts, also when it changed within the second and kept its size."""
    path = written(tmp_path, mine="x = 5\n")
    assert import_file(path).x == 5
    written(tmp_path, mine="x = 7\n")
    assert import_file(path).x == 7


@pytest.mark.parametrize("text", ["from . import beside", "import beside", "from beside import x as _\nimport beside"])
def test_what_lies_beside_is_found_and_forgotten(tmp_path, text):
    """Modules beside it are those of its own folder, and are known to nobody afterwards."""
    path = written(tmp_path, mine=f"{text}\nx = beside.x\n", beside="x = 3\n")
    before, places = set(sys.modules), list(sys.path)
    assert import_file(path).x == 3
    assert "beside" not in sys.modules
    assert {name for name in set(sys.modules) - before if not name.startswith("toolbench_mine_")} == set()
    assert sys.path == places


def test_two_folders_with_files_of_the_same_name(tmp_path):
    """Each finds its own neighbour."""
    for number in (1, 2):
        (tmp_path / str(number)).mkdir()
        written(tmp_path / str(number), mine="import beside\nx = beside.x\n", beside=f"x = {number}\n")
    assert [import_file(tmp_path / str(number) / "mine.py").x for number in (1, 2, 1)] == [1, 2, 1]


def test_no_bytecode_is_left(tmp_path):
    """Nothing is written beside the user's files."""
    import_file(written(tmp_path, mine="import beside\n", beside=""))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["beside.py", "mine.py"]


def test_the_users_own_line_is_shown(tmp_path):
    """The traceback begins in the user's folder and ends with the error; no line of the library is in it."""
    path = written(tmp_path, mine="import beside\n", beside="\n\n1 / 0\n")
    text = refused(path)
    assert text.splitlines()[0] == f"{path} cannot be imported"
    assert f'File "{path}", line 1' in text
    assert f'File "{tmp_path / "beside.py"}", line 3' in text
    assert text.endswith("ZeroDivisionError: division by zero")
    assert str(Path("toolbench") / "importing.py") not in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def (:\n", "SyntaxError: invalid syntax"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
        ("import sys\nsys.exit()\n", "SystemExit"),
        ("import nowhere_at_all\n", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("raise BaseException('no')\n", "BaseException: no"),
        ("def f():\n    f()\nf()\n", "RecursionError: maximum recursion depth exceeded"),
        ("x = '\\0'\n\0", "null bytes"),
    ],
)
def test_whatever_goes_wrong_is_an_error_of_the_file(tmp_path, text, said):
    """An import that exits, cannot be read or raises is told with its file, and leaves no trace."""
    path = written(tmp_path, mine=text)
    places, wrote = list(sys.path), sys.dont_write_bytecode
    told = refused(path)
    assert told.startswith(f"{path} cannot be imported\n")
    assert said in told
    assert (sys.path, sys.dont_write_bytecode) == (places, wrote)


def test_a_file_that_is_not_there(tmp_path):
    """The missing file is named."""
    text = refused(tmp_path / "mine.py")
    assert "mine.py cannot be imported" in text
    assert "No such file or directory" in text


def test_a_mistake_that_the_library_finds_is_told_with_its_line(tmp_path):
    """An error of the library's says what is wrong; the line says where."""
    path = written(tmp_path, mine="import toolbench as tb\n\ntb.Scenario(name='x', tools=[5])\n")
    assert refused(path).startswith(f"{path}, line 3: ")


def test_a_tool_that_is_refused_stays_so(tmp_path):
    """Tool, code and cure are kept for programs; the line is in what is said."""
    path = written(tmp_path, mine="import toolbench as tb\n\n@tb.tool\ndef f(x, /):\n    return x\n")
    with pytest.raises(ToolRefused) as problem:
        import_file(path)
    assert problem.value.tool == "f"
    assert str(problem.value).startswith(f"{path}, line 3: tool f: ")


def test_ctrl_c_is_nobodys_mistake(tmp_path):
    """A KeyboardInterrupt goes through as it is."""
    with pytest.raises(KeyboardInterrupt):
        import_file(written(tmp_path, mine="raise KeyboardInterrupt\n"))


def test_what_is_printed_goes_to_standard_error(tmp_path, capsys):
    """Standard output is the report's."""
    import_file(written(tmp_path, mine="print('noise')\n"))
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "noise\n")
