"""Writing what was asked for: whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path

from toolbench.errors import UsageError


def print_text(text: str) -> None:
    """Write to standard output; a reader that has had enough (`| head`) is no error."""
    if sys.stdout is None:
        raise UsageError("standard output is closed; give --out FILE, or leave it open")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Nothing more can be written; without this, the interpreter would complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise UsageError(f"standard output cannot be written: {problem.strerror}") from None


def check_writable(out: Path, *, folder: bool) -> None:
    """UsageError now rather than after a long run, where a result could not be written there."""
    if folder:
        if out.exists() and not out.is_dir():
            raise UsageError(f"{out}: is not a folder; csv is one file per table, so --out names a folder")
    elif out.is_dir():
        raise UsageError(f"{out}: is a folder; --out names a file")
    if _is_device(out):
        return
    nearest = out if folder and out.exists() else out.absolute().parent
    while folder and not nearest.exists():
        nearest = nearest.parent
    if not nearest.is_dir():
        raise UsageError(f"{out}: cannot be written: {nearest} is no folder")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise UsageError(f"{out}: cannot be written: no permission to write in {nearest}")


def write_text(out: Path, text: str) -> None:
    """Replace a file by `text` in one step; a device or pipe is simply written to."""
    try:
        if _is_device(out):
            with (
                open(out, "a", encoding="utf-8", errors="backslashreplace") as device,
                contextlib.suppress(BrokenPipeError),
            ):
                device.write(text)
            return
        _replace({Path(os.path.realpath(out)): text})
    except OSError as problem:
        raise UsageError(f"{out}: cannot be written: {problem.strerror}") from None


def write_folder(out: Path, files: Mapping[str, str]) -> None:
    """Write files into a folder, which is made if need be; all are complete before the first is replaced."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        _replace({out / name: text for name, text in files.items()})
    except OSError as problem:
        raise UsageError(f"{out}: cannot be written: {problem.strerror}") from None


def _is_device(out: Path) -> bool:
    """Whether a place is written to rather than replaced; /dev/stdout is, also where it leads to a file."""
    if out.absolute().is_relative_to("/dev"):
        return True
    try:
        mode = out.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _replace(files: Mapping[Path, str]) -> None:
    import tempfile

    written: list[tuple[str, Path]] = []
    try:
        for path, text in files.items():
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
            written.append((temporary, path))
            with open(handle, "w", encoding="utf-8", errors="backslashreplace", newline="") as file:
                file.write(text)
            os.chmod(temporary, _mode(path))
        for temporary, path in written:
            os.replace(temporary, path)
    finally:
        for temporary, _ in written:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)


def _mode(path: Path) -> int:
    """The permissions of the file that is replaced, or those that a new file would get."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
