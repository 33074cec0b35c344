"""`drift`: a server's definitions today against those that were kept of it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from toolbench.cli import exit_codes
from toolbench.cli.output import check_writable, print_text, write_text
from toolbench.errors import ScenarioError, UsageError, unknown

HELP = "compare what a server declares today with the definitions that a scenario keeps of it"
FORMATS = ("text", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", help="a scenario whose tools are a server's: its folder")
    parser.add_argument("--format", default="text", metavar="FORMAT", help=f"{', '.join(FORMATS)}; default text")
    parser.add_argument("--out", metavar="FILE", help="write to this file, whole or not at all")
    parser.add_argument("--accept", action="store_true", help="then keep what the server declares today")


def run(options: argparse.Namespace) -> int:
    """Compare, write what changed, and say by the exit code whether it is more than compatible."""
    from toolbench.drifting.comparing import COMPATIBLE, drift, worst
    from toolbench.folder import find_folder
    from toolbench.report.drift import json_of, text_of
    from toolbench.servers.server import Server
    from toolbench.servers.settings import SERVER, read_server
    from toolbench.servers.snapshot import SNAPSHOT, check_kept, read_snapshot

    if options.format not in FORMATS:
        raise UsageError(unknown("format", options.format, FORMATS))
    out = None if options.out is None else Path(options.out)
    if out is not None:
        check_writable(out, folder=False)
    folder = find_folder(options.scenario)
    if out is not None and out.resolve() == (folder / SNAPSHOT).resolve():
        raise UsageError(f"--out {out}: holds the definitions that are kept; --accept replaces them")
    if not (folder / SERVER).is_file():
        raise ScenarioError(f"{folder}: has no {SERVER}; only a server's definitions can drift from those kept")
    kept = read_snapshot(folder / SNAPSHOT)
    server = Server(read_server(folder / SERVER), folder)
    with server.running():
        live = server.listing()
    changes = drift(kept.tools, live.tools)
    another = f", which calls itself {live.called} today" if kept.called != live.called else ""
    if options.format == "text":
        colour = out is None and sys.stdout is not None and sys.stdout.isatty()
        text = text_of(changes, name=f"{kept.called}{another}", kept_from=f"{folder.name}/{SNAPSHOT}", colour=colour)
    else:
        text = json_of(changes, name=live.called, kept_from=f"{folder.name}/{SNAPSHOT}")
    if out is None:
        print_text(text)
    else:
        write_text(out, text)
    if options.accept:
        check_kept(live, folder.name)
        write_text(folder / SNAPSHOT, live.text())
    return exit_codes.AS_ASKED if worst(changes) in (None, COMPATIBLE) else exit_codes.FALLS_SHORT
