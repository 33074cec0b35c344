"""`convert`: tool definitions from one provider's format to another's, with what the other can't carry."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from toolbench.cli import exit_codes
from toolbench.cli.output import check_writable, print_text, write_text
from toolbench.errors import UsageError, unknown

HELP = "convert tool definitions between OpenAI, Anthropic, MCP and JSON Schema"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", help="tool definitions, in any of these formats or in a benchmark's: JSON or JSON Lines"
    )
    parser.add_argument(
        "--to", required=True, metavar="FORMAT", help="openai, openai-strict, anthropic, mcp or json-schema"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write there instead of to standard output")


def run(options: argparse.Namespace) -> int:
    """Convert a file of definitions; nothing is written where one of them can't be read."""
    from toolbench.formats.files import load_definitions
    from toolbench.formats.writing import TARGETS, convert

    if options.to not in TARGETS:
        raise UsageError(unknown("format", options.to, TARGETS))
    if options.out is not None:
        check_writable(options.out, folder=False)
    read = load_definitions(options.file)
    if read.faults:
        _tell(read.faults)
        number, all_ = len(read.faults), len(read.faults) + len(read.definitions)
        raise UsageError(f"{options.file}: {number} of {all_} definitions can't be read, so nothing is converted")
    converted = convert(read.definitions, options.to)
    if options.out is None:
        print_text(json_text(converted.document, beyond_ascii=_prints_all()))
    else:
        write_text(options.out, json_text(converted.document))
    _tell([*read.losses, *converted.losses])
    return exit_codes.AS_ASKED


def json_text(document: Any, *, beyond_ascii: bool = True) -> str:
    """A JSON value as a text for people, in which everything that a terminal might obey is a JSON escape.

    >>> json_text(["größer", chr(27)])
    '[\\n "größer",\\n "\\\\u001b"\\n]\\n'
    """
    import json

    text = json.dumps(document, indent=1, ensure_ascii=not beyond_ascii)
    if text.replace("\n", "").isprintable():
        return text + "\n"
    return "".join(c if c == "\n" or c.isprintable() else json.dumps(c)[1:-1] for c in text) + "\n"


def _prints_all() -> bool:
    """Whether standard output takes every character, so that none is replaced by what is no JSON."""
    return (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"


def _tell(found: Iterable[object]) -> None:
    """Faults or losses on standard error, one a line."""
    from toolbench.values import harmless

    if sys.stderr is not None:  # it may have been closed
        sys.stderr.writelines(f"toolbench: {harmless(str(one))}\n" for one in found)
