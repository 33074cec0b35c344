"""Definitions as they were kept."""

import json

import pytest

from toolbench.errors import ScenarioError
from toolbench.servers.snapshot import Listing, definitions_of, read_snapshot

TOOL = {"name": "look", "inputSchema": {"type": "object", "properties": {}}}


def test_what_is_kept_is_read_again(tmp_path):
    """The same definitions, whatever the order of their keys, are the same bytes."""
    one = Listing([TOOL], {"name": "s", "version": "1"}, "2025-06-18")
    other = Listing([dict(reversed(TOOL.items()))], {"version": "1", "name": "s"}, "2025-06-18")
    assert one.text() == other.text()
    (tmp_path / "definitions.json").write_text(one.text())
    again = read_snapshot(tmp_path / "definitions.json")
    assert (again.tools, again.called, again.protocol) == ([TOOL], "s", "2025-06-18")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "has no list of tools"),
        ('{"tools": []}', "has no list of tools"),
        ('{"tools": [1]}', "has no list of tools"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_file_that_holds_none(tmp_path, text, message):
    """Is named, with what is wrong."""
    (tmp_path / "definitions.json").write_text(text)
    with pytest.raises(ScenarioError, match=message):
        read_snapshot(tmp_path / "definitions.json")
    with pytest.raises(ScenarioError, match="cannot be read"):
        read_snapshot(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("annotations", "said"),
    [
        (None, (True, True, False, True)),
        ({"readOnlyHint": True}, (False, None, None, True)),
        ({"readOnlyHint": False, "destructiveHint": False}, (True, False, False, True)),
        ({"idempotentHint": True, "openWorldHint": False}, (True, True, True, False)),
    ],
)
def test_what_annotations_leave_out(annotations, said):
    """Is what the protocol has it mean: not read-only, destructive, not idempotent, open."""
    tool = TOOL if annotations is None else {**TOOL, "annotations": annotations}
    ((one,), faults) = definitions_of(Listing([tool]), "here")
    assert (one.side_effect, one.destructive, one.idempotent, one.open_world) == said and not faults


def test_a_definition_that_cannot_be_read():
    """Is told, and the others are read."""
    definitions, faults = definitions_of(Listing([{"name": "bad", "inputSchema": 7}, TOOL]), "here")
    assert [one.name for one in definitions] == ["look"] and [one.tool for one in faults] == ["bad"]
    assert json.loads(Listing([TOOL]).text())["tools"] == [TOOL]
