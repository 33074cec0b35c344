"""`init`: a small working scenario of the user's own."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from toolbench.cli import exit_codes
from toolbench.cli.output import print_text
from toolbench.errors import UsageError

HELP = "make a small working scenario of your own: tools, cases, tasks, defects"
TEMPLATE = Path(__file__).parent.parent / "template"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", help="the folder to make; it must not exist, or be empty")


def run(options: argparse.Namespace) -> int:
    """Copy the template into a new folder, whole or not at all."""
    folder = Path(options.folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder}: is there already, and nothing is overwritten; name a new folder")
    try:
        _copy(folder)
    except OSError as problem:
        raise UsageError(f"{folder}: cannot be made: {problem.strerror}") from None
    from toolbench.folder import built_in

    shown = f"./{folder}" if str(folder) in built_in() else str(folder)
    print_text(
        f"Made {folder} with scenario.py, cases.toml, defects.toml and README.md.\n"
        f"See what its tests notice: python -m toolbench report {shlex.quote(shown)}\n"
    )
    return exit_codes.AS_ASKED


def _copy(folder: Path) -> None:
    import shutil
    import tempfile

    folder.absolute().parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.absolute().parent, prefix=".init.") as beside:
        made = Path(beside) / "made"
        shutil.copytree(TEMPLATE, made, ignore=shutil.ignore_patterns("__pycache__"))
        if folder.exists():
            folder.rmdir()
        made.rename(folder)
