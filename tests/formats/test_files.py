"""Definitions from files."""

import json

import pytest

from toolbench.errors import UsageError
from toolbench.formats.files import load_definitions

PING = {"name": "ping", "parameters": {"type": "object"}}
LINE = json.dumps(PING)


@pytest.fixture
def written(tmp_path):
    """A function that writes a file and gives its path."""

    def write(content, name="tools.json"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def refusal(path):
    """The error of a file, without its folder."""
    with pytest.raises(UsageError) as refused:
        load_definitions(path)
    return str(refused.value).replace(f"{path.parent}/", "")


def names(path):
    return [definition.name for definition in load_definitions(path).definitions]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (f"[{LINE}, {LINE}]", "tools.json"),
        (f"{LINE}\n\n{LINE}\n", "tools.jsonl"),
        (f"{LINE}\r\n{LINE}", "tools.ndjson"),
        (f"{LINE}\n{LINE}\n", "tools.json"),
        (f"\ufeff[{LINE}, {LINE}]", "tools.json"),
    ],
)
def test_json_and_json_lines_are_read(written, content, name):
    """By name, and several values under a name that says one; a byte order mark is no trouble."""
    assert names(written(content, name)) == ["ping", "ping"]


def test_a_file_names_a_schema_without_a_title(written):
    """By what stands before the first dot."""
    assert names(written('{"type": "object"}', "ping.schema.json")) == ["ping"]


def test_line_separators_inside_texts_are_no_line_ends(written):
    """JSON lines end at line feeds only."""
    line = json.dumps({**PING, "description": "a\u2028b\u0085"}, ensure_ascii=False)
    assert load_definitions(written(line + "\n" + line, "tools.jsonl")).definitions[1].description == "a\u2028b\u0085"


@pytest.mark.parametrize(
    ("content", "name", "what"),
    [
        ("", "tools.json", "tools.json: is empty; a JSON document with tool definitions is right"),
        (" \n", "tools.jsonl", "tools.jsonl: is empty; a JSON document with tool definitions is right"),
        ('{"a":\n x}', "tools.json", "tools.json, line 2, column 2: is not JSON: Expecting value"),
        (f"{LINE}\nx", "tools.jsonl", "tools.jsonl, line 2, column 1: is not JSON: Expecting value"),
        (f"{LINE} x", "tools.json", f"tools.json, line 1, column {len(LINE) + 2}: is not JSON: Extra data"),
        (f"{LINE}\n{LINE}\nx", "tools.json", "tools.json, line 3, column 1: is not JSON: Expecting value"),
        (b'[\n"\xff"]', "tools.json", "tools.json, line 2: is not UTF-8; save the file as UTF-8"),
        ("[NaN]", "tools.json", "tools.json: holds NaN, which JSON does not have; null or a text is right"),
        ("[-Infinity]", "tools.json", "tools.json: holds -Infinity, which JSON does not have; null or a text is right"),
        ("[1e999]", "tools.json", "tools.json: holds the number 1e999, which is too large to be kept"),
        ("1" * 5000, "tools.json", "tools.json: holds a number of too many digits to be read"),
        ("[" * 200_000, "tools.json",
         "tools.json: is nested too deep to be read; tool definitions are a few levels deep"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_says_where_and_why(written, content, name, what):
    """With line and column where there are some."""
    assert refusal(written(content, name)) == what


@pytest.mark.parametrize(
    ("content", "what"),
    [("5", "is a number"), ('"ping"', "is a text"), ("[1, 2]", "is a list that holds a number"), ("[]", "holds no")],
)
def test_json_of_another_kind_says_what_was_found(written, content, what):
    """And what would be right."""
    assert refusal(written(content)).startswith(f"tools.json: {what}")


def test_places_that_are_no_files_are_refused(tmp_path):
    """A missing file, a folder, a name that no file can have."""
    assert refusal(tmp_path / "tools.json") == "tools.json: there is no such file; name a file with tool definitions"
    (tmp_path / "folder").mkdir()
    assert refusal(tmp_path / "folder") == "folder: is a folder; name a file with tool definitions"
    assert "cannot be read" in refusal(tmp_path / "a\0b")


def test_a_key_that_stands_twice_is_a_loss(written):
    """JSON keeps the last one."""
    document = load_definitions(written('{"name": "ping", "parameters": {"type": "object", "type": "dict"}}'))
    assert [str(loss) for loss in document.losses] == [
        'tools.json: the key "type" stands twice in one object; only the last is kept'
    ]
    assert document.format == "python-types"


def test_a_definition_too_deep_is_a_fault_and_the_others_are_read(written):
    """Whatever the reader of JSON still manages."""
    deep = '{"items":' * 300 + "{}" + "}" * 300
    document = load_definitions(written(f'[{LINE}, {{"name": "deep", "parameters": {deep}}}]'))
    assert [definition.name for definition in document.definitions] == ["ping"]
    (fault,) = document.faults
    assert (fault.tool, fault.pointer) == ("deep", "/1/parameters")
