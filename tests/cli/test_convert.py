"""`python -m toolbench convert`."""

import argparse
import io
import json
import sys

import pytest

from toolbench.cli import convert
from toolbench.errors import UsageError
from toolbench.formats.files import load_definitions

PING = {"name": "ping", "description": "größer\x1b[31m", "inputSchema": {"type": "object"}, "title": "Ping"}


@pytest.fixture
def tools(tmp_path):
    """A file with one MCP tool."""
    path = tmp_path / "tools.json"
    path.write_text(json.dumps({"tools": [PING]}))
    return path


def run(*given):
    parser = argparse.ArgumentParser()
    convert.add_arguments(parser)
    return convert.run(parser.parse_args(list(map(str, given))))


def test_what_was_converted_is_printed_and_what_was_lost_is_told(tools, capsys):
    """The document on standard output, a line for each loss on standard error; nothing that a terminal obeys."""
    assert run(tools, "--to", "anthropic") == 0
    printed = capsys.readouterr()
    description = PING["description"]
    assert json.loads(printed.out) == [{"name": "ping", "description": description, "input_schema": {"type": "object"}}]
    assert '"größer\\u001b[31m"' in printed.out
    assert printed.err == "toolbench: ping /title: is not kept; anthropic has no place for it\n"


def test_a_file_is_written_and_can_be_read_again(tools, tmp_path, capsys):
    """Whole, and with nothing printed."""
    out = tmp_path / "out.json"
    assert run(tools, "--to", "mcp", "--out", out) == 0
    assert capsys.readouterr() == ("", "")
    assert load_definitions(out) == load_definitions(tools)
    assert run(out, "--to", "mcp", "--out", out) == 0
    assert load_definitions(out) == load_definitions(tools)


def test_definitions_that_cannot_be_read_stop_everything(tools, tmp_path, capsys):
    """All of them are named, and nothing is written."""
    tools.write_text(json.dumps([PING, {"name": "po\x1bng"}, {"name": 5, "parameters": {}}]))
    out = tmp_path / "out.json"
    with pytest.raises(UsageError) as refused:
        run(tools, "--to", "openai", "--out", out)
    assert str(refused.value) == f"{tools}: 2 of 3 definitions can't be read, so nothing is converted"
    assert not out.exists()
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("toolbench: po\\x1bng /1: has no schema of its arguments; ")
    assert second == "toolbench: definition 3 /2/name: is a number; a tool's name is a text"


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (["--to", "opena"], "unknown format 'opena': did you mean openai or openai-strict? "),
        (["--to", "mcp", "--out", "."], ".: is a folder; --out names a file"),
    ],
)
def test_wrong_options_are_refused_before_anything_is_read(given, what, tmp_path):
    """An unknown format, a place that is no file."""
    with pytest.raises(UsageError) as refused:
        run(tmp_path / "missing.json", *given)
    assert str(refused.value).startswith(what)


def test_an_output_that_takes_only_ascii_still_gets_json(tools, monkeypatch):
    """Every other character is a JSON escape there."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="backslashreplace")
    monkeypatch.setattr(sys, "stdout", out)
    run(tools, "--to", "mcp")
    assert json.loads(out.buffer.getvalue()) == {"tools": [PING]}


def test_a_text_of_any_characters_is_json_again():
    """Line ends, quotes, lone surrogates and characters beyond the first plane included."""
    document = ["\n\r\u2028", '"\\', "\ud800", "\U000e0001", "\u202e", "größe", {"\x7f": 1.5}]
    text = convert.json_text(document)
    assert json.loads(text) == document
    assert text.replace("\n", "").isprintable()


def test_losses_are_not_told_where_standard_error_is_closed(tools, monkeypatch, capsys):
    """The document comes out all the same."""
    monkeypatch.setattr(sys, "stderr", None)
    assert run(tools, "--to", "json-schema") == 0
    assert json.loads(capsys.readouterr().out)[0]["title"] == "ping"
