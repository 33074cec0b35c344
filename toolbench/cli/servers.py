"""Options that say which server is meant, and how it is started."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from toolbench.cli.options import number
from toolbench.errors import UsageError

if TYPE_CHECKING:
    from toolbench.servers.server import Server

STARTED = ("env", "cwd", "directory", "ignore", "fresh", "start")


def add_server(parser: argparse.ArgumentParser) -> None:
    """`--mcp`, and how the server is started."""
    parser.add_argument("--mcp", metavar="SERVER", help="an MCP server: the command that starts it, or its url")
    parser.add_argument(
        "--env",
        action="append",
        metavar="NAME[=VALUE]",
        help="give the server a variable of your environment, or one of this value; it gets PATH and no other",
    )
    parser.add_argument("--cwd", metavar="FOLDER", help="where the server runs; default here")
    parser.add_argument(
        "--directory",
        metavar="FOLDER",
        help="what the server works on; it gets a copy, {directory} in its command, and all its tools may be called",
    )
    parser.add_argument(
        "--ignore",
        action="append",
        metavar="PATTERN",
        help="files of the directory that count for nothing when it is seen what a call changed",
    )
    parser.add_argument("--fresh", metavar="LIFE", help="run (one server for all calls; the default), or case")
    parser.add_argument("--start", metavar="SECONDS", help="how long the server may take to start; default 30")


def chosen_target(options: argparse.Namespace) -> str | Server:
    """What is to be checked: the target that is named, or the server; UsageError unless it is one of them."""
    if (options.target is None) == (options.mcp is None):
        raise UsageError("give a target, or --mcp with a server: one of them")
    if options.mcp is None:
        refuse_without_server(options)
        return str(options.target)
    return chosen_server(options)


def refuse_without_server(options: argparse.Namespace) -> None:
    """UsageError for what says how a server is started, where there is none."""
    if given := [name for name in STARTED if getattr(options, name) is not None]:
        raise UsageError(f"--{given[0]}: is for --mcp; a scenario says it in its server.toml")


def chosen_server(options: argparse.Namespace) -> Server:
    """The server that the options name."""
    from toolbench.servers.server import mcp_server

    more: dict[str, Any] = {key: getattr(options, key) for key in ("directory", "fresh") if getattr(options, key)}
    for key in ("start", "deadline"):
        if (seconds := number(getattr(options, key, None), f"--{key}")) is not None:
            more[key] = seconds
    if options.cwd is not None and not os.path.isdir(options.cwd):
        raise UsageError(f"--cwd {options.cwd}: there is no such folder")
    pairs = [text.partition("=") for text in options.env or ()]
    env = {name: value for name, sign, value in pairs if sign}
    passed = [name for name, sign, _ in pairs if not sign]
    return mcp_server(options.mcp, cwd=options.cwd or ".", env=env, passed=passed, ignore=options.ignore or (), **more)
