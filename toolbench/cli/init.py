"""`init`: a small working scenario of the user's own."""

from __future__ import annotations

import argparse
import shlex
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from toolbench.cli import exit_codes
from toolbench.cli.output import print_text
from toolbench.cli.servers import add_server, chosen_server, refuse_without_server
from toolbench.errors import UsageError
from toolbench.values import harmless

HELP = "make a scenario of your own: a small working one, or that of an MCP server"
TEMPLATE = Path(__file__).parent.parent / "template"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", help="the folder to make; it must not exist, or be empty")
    add_server(parser)


def run(options: argparse.Namespace) -> int:
    """Make a new folder, whole or not at all: of the template, or of what a server offers."""
    folder = Path(options.folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder}: is there already, and nothing is overwritten; name a new folder")
    if options.mcp is not None:
        return _of_server(folder, options)
    refuse_without_server(options)
    try:
        _made(folder, lambda made: shutil.copytree(TEMPLATE, made, ignore=shutil.ignore_patterns("__pycache__")))
    except OSError as problem:
        raise UsageError(f"{folder}: cannot be made: {problem.strerror}") from None
    print_text(
        f"Made {folder} with scenario.py, cases.toml, defects.toml and README.md.\n"
        f"See what its tests notice: python -m toolbench report {_named(folder)}\n"
    )
    return exit_codes.AS_ASKED


def _named(folder: Path) -> str:
    """A folder as it is given to a command; one that is called like a built-in scenario by its path."""
    from toolbench.folder import built_in

    return shlex.quote(f"./{folder}" if str(folder) in built_in() else str(folder))


def _of_server(folder: Path, options: argparse.Namespace) -> int:
    from toolbench.counting import counted
    from toolbench.recording.calls import record
    from toolbench.recording.files import files
    from toolbench.servers.snapshot import check_kept

    server = chosen_server(options)
    with server.running():
        listing = server.listing()
        check_kept(listing, str(folder))
        scenario = server.scenario(listing)
        recorded = record(scenario)
    texts = files(folder, server.settings, listing, list(scenario.table.definitions.values()), recorded)

    def written(made: Path) -> None:
        made.mkdir()
        for name, text in texts.items():
            (made / name).write_text(text, encoding="utf-8")

    try:
        _made(folder, written)
    except OSError as problem:
        raise UsageError(f"{folder}: cannot be made: {problem.strerror}") from None
    holds = f"{counted(len(scenario.table), 'tool')}, {counted(len(recorded.cases), 'case')} to confirm by hand"
    lines = [f"Made {folder} with {', '.join(texts)}: {holds}."]
    lines += [f"No case of {name}: {why}." for name, why in recorded.without.items()]
    lines += [f"See what its tests notice: python -m toolbench report {_named(folder)}"]
    print_text("".join(f"{harmless(line)}\n" for line in lines))
    return exit_codes.AS_ASKED


def _made(folder: Path, fill: Callable[[Path], object]) -> None:
    """Fill a folder beside the one that is wanted, and put it there when it is whole."""
    folder.absolute().parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.absolute().parent, prefix=".init.") as beside:
        made = Path(beside) / "made"
        fill(made)
        if folder.exists():
            folder.rmdir()
        made.rename(folder)
