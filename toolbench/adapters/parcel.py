"""Folders as bytes that another machine can unpack: a scenario's, and the library's own."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from toolbench.errors import ScenarioError, ToolbenchError, UsageError
from toolbench.folder import folder_digest
from toolbench.importing import PACKAGE
from toolbench.mutation.engine import Tables

MOST = 64 << 20
FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the oldest that a zip file can say: a parcel depends on contents alone
LEFT_OUT = {"__pycache__", "node_modules"}


def pack(folder: Path, to: str) -> bytes:
    """A zip file of a folder under the name `to`: all its files but hidden ones and environments.

    Raises UsageError where they come to more than 64 MiB, ScenarioError for a file that cannot be read.
    """
    content, size = io.BytesIO(), 0
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as parcel:
        for path in _files(folder):
            size += path.stat().st_size
            if size > MOST:
                raise UsageError(
                    f"{folder}: more than {MOST >> 20} MiB, which is too much to send to every worker; "
                    "keep large data outside, at a path that the workers have too"
                )
            name = f"{to}/{path.relative_to(folder).as_posix()}"
            try:
                parcel.writestr(zipfile.ZipInfo(name, FIRST_DAY), path.read_bytes(), zipfile.ZIP_DEFLATED)
            except OSError as problem:
                raise ScenarioError(f"{path}: cannot be read: {problem.strerror}") from None
    return content.getvalue()


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in LEFT_OUT:
            continue
        if path.is_dir() and not path.is_symlink() and not (path / "pyvenv.cfg").exists():
            yield from _files(path)
        elif path.is_file():
            yield path


def addressed(tables: Tables, deadline: float) -> dict[str, Any]:
    """Everything that another machine has to be told and given to measure with these tables, as plain values and bytes.

    Raises UsageError for a scenario that no folder gives: functions are never pickled.
    """
    scenario = tables.scenario
    folder = scenario.folder
    if folder is None or not scenario.as_read:
        raise UsageError(
            f"{scenario.name}: was made or altered in this process, and only a scenario folder can be sent to other "
            "machines; `python -m toolbench init FOLDER` makes one, to put the tools in"
        )
    digest = folder_digest(folder)
    parcels = {"library": pack(PACKAGE, "toolbench"), "scenario": pack(folder, folder.name)}
    if folder_digest(folder) != digest:
        raise ToolbenchError(f"{folder}: changed while it was being packed; run the command again")
    first = {
        "folder": folder.name,
        "digest": digest,
        "digests": scenario.digests(),
        "defects": [asdict(defect) for defect in tables.defects],
        "agent": dict(scenario.altered),
        "deadline": deadline,
    }
    digests = {name: hashlib.sha256(parcel).hexdigest() for name, parcel in parcels.items()}
    return {"first": first, "parcels": parcels, "digests": digests}
