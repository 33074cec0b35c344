"""The files of a scenario that `init --mcp` makes."""

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from toolbench.cases import Case, read_cases
from toolbench.definition import Definition
from toolbench.mutation.catalogue import read_catalogue
from toolbench.recording.calls import Recorded
from toolbench.recording.files import files
from toolbench.servers.settings import Directory, ServerSettings, read_server
from toolbench.servers.snapshot import Listing, read_snapshot
from toolbench.tasks import read_tasks

TEXT = {"type": "string"}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=6,
)


def written(folder, cases, settings=None, names=("look", "write")):
    definitions = [
        Definition(
            name, {"type": "object", "properties": {"path": TEXT, "n": {"type": "integer"}}, "required": ["path"]}
        )
        for name in names
    ]
    listing = Listing([{"name": name, "inputSchema": one.schema} for name, one in zip(names, definitions, strict=True)])
    settings = settings or ServerSettings(command=("serve", "it"), cwd=str(folder))
    recorded = Recorded(tuple(cases), (), {"write": "may have effects"})
    for name, text in files(folder, settings, listing, definitions, recorded).items():
        (folder / name).write_text(text, encoding="utf-8")


@given(
    st.dictionaries(st.text(max_size=5), VALUES, max_size=3), st.dictionaries(st.text(max_size=5), VALUES, min_size=1)
)
def test_cases_come_back(tmp_path_factory, arguments, output):
    """Whatever was sent and answered; none of them is confirmed."""
    folder = tmp_path_factory.mktemp("made")
    cases = [Case(id=f"look {n}", tool="look", arguments=arguments, output=output, confirmed=False) for n in (1, 2)]
    cases.append(Case(id="refused", tool="look", arguments=arguments, error=True, confirmed=False, why="no 'x'"))
    written(folder, cases)
    assert read_cases(folder / "cases.toml") == tuple(cases)


def test_all_files_are_read_again(tmp_path):
    """By what reads those of any scenario; each tool has a case or a stub of one, and defects of its own."""
    (tmp_path / "data").mkdir()
    settings = ServerSettings(
        command=("serve", "{directory}"), cwd=str(tmp_path.parent), passed=("TOKEN",), env={"TZ": "UTC"}, fresh="case",
        start=3, deadline=4, directory=Directory(copy=str(tmp_path / "data"), ignore=("*.log",)),
    )  # fmt: skip
    case = Case(id="look 1", tool="look", arguments={"path": "a"}, output={"x": 1, "y": 2}, confirmed=False)
    written(tmp_path, [case], settings)
    again = read_server(tmp_path / "server.toml")
    assert again.cwd.endswith("..") and again.directory.copy == str(tmp_path / "data")
    assert (again.passed, again.fresh, again.start, again.deadline) == (("TOKEN",), "case", 3, 4)
    assert [tool["name"] for tool in read_snapshot(tmp_path / "definitions.json").tools] == ["look", "write"]
    assert read_tasks(tmp_path / "tasks.toml") == {"tasks": []}
    defects = read_catalogue(tmp_path / "defects.toml")
    assert {(one.tool, one.operator) for one in defects} == {
        (name, operator) for name in ("look", "write") for operator in ("drop_field", "rename_field", "add_field")
    } | {("look", "fill_missing"), ("look", "copy_field")}
    stub = (tmp_path / "cases.toml").read_text().split("# to fill in: write (may have effects)\n")[1]
    filled = tomllib.loads(stub.replace("# ", ""))
    assert filled["case"][0]["arguments"] == {"path": "..."}


def test_hostile_names_stay_in_their_comments(tmp_path):
    """A line end in a tool's name begins no line of its own."""
    written(tmp_path, [], names=("look\n[[case]]\nid = 'x'", "write\x1b[31m"))
    assert read_cases(tmp_path / "cases.toml") == () and read_tasks(tmp_path / "tasks.toml") == {"tasks": []}


def test_names_that_are_no_ids(tmp_path):
    """A tool may be called anything; its defects have ids all the same."""
    written(tmp_path, [], names=("a b/c", "…"))
    assert {one.id for one in read_catalogue(tmp_path / "defects.toml")} >= {"a-b-c:drop_field", "tool:drop_field"}
