"""A server's directory: its states named by their content, put back file by file, and compared.

A file that was not touched since it was last looked at (same inode, size and times) is not read again, and one that
is as it was is not written again: a state is looked up in about a millisecond, and a server that lives on keeps what
it has open.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

FOLDER, FILE, LINK, OTHER = "folder", "file", "link", "other"
OWNER = stat.S_IRWXU

Sight = tuple[int, int, int, int, int]  # mode, inode, size, times of change of content and of anything
Manifest = dict[str, "Entry"]


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands at a path: a folder, a file, a link, or something else, which is never made.

    content: a file's digest, where a link leads.
    """

    kind: str
    mode: int
    content: str = ""
    time: int = 0


@dataclass(frozen=True)
class State:
    """What a directory was at a time. token: its name; fingerprint: the same where only times, or what is ignored,
    differ."""

    token: str
    fingerprint: str
    manifest: Manifest


@dataclass
class States:
    """The states that were taken, by name, and the contents of their files, each kept once, in a folder."""

    kept: Path
    ignore: Sequence[str] = ()
    known: dict[str, State] = field(default_factory=dict)

    def take(self, place: Place) -> State:
        """What a place is now."""
        manifest = place.look(self.kept)
        if place.state is None or place.state.manifest is not manifest:
            lines = sorted((name, *_told(entry)) for name, entry in manifest.items() if not self.ignored(name))
            token = _digest(repr(sorted((name, *_told(e), e.time) for name, e in manifest.items())))
            place.state = State(token, _digest(repr(lines)), manifest)
            self.known.setdefault(token, place.state)
        return place.state

    def differing(self, one: Manifest, other: Manifest) -> list[str]:
        """The paths at which two states differ, but for times; those that are ignored last."""
        names = [name for name in sorted({*one, *other}) if _seen(one.get(name)) != _seen(other.get(name))]
        return sorted(names, key=self.ignored)

    def ignored(self, name: str) -> bool:
        return any(fnmatch(name, pattern) or name.startswith(f"{pattern.rstrip('/')}/") for pattern in self.ignore)


class Place:
    """A directory in which a server works. state: the last that was taken of it."""

    def __init__(self, path: Path):
        self.path = path
        self.state: State | None = None
        self._sights: dict[str, Sight] = {}
        self._manifest: Manifest = {}

    def look(self, kept: Path) -> Manifest:
        """What is there, the very same as before where nothing was touched; new contents are copied into `kept`."""
        sights = dict(_walk(os.fspath(self.path), ""))
        if sights != self._sights:
            before, known, manifest = self._sights, self._manifest, {}
            for name, sight in sights.items():
                same = name in known and before.get(name) == sight
                entry = known[name] if same else self._entry(name, sight, kept)
                if entry is not None:
                    manifest[name] = entry
            self._sights, self._manifest = sights, manifest
        return self._manifest

    def _entry(self, name: str, sight: Sight, kept: Path) -> Entry | None:
        full, mode = self.path / name, stat.S_IMODE(sight[0])
        try:
            if stat.S_ISLNK(sight[0]):
                return Entry(LINK, 0, os.readlink(full))
            if stat.S_ISDIR(sight[0]):
                return Entry(FOLDER, mode)
            if not stat.S_ISREG(sight[0]):
                return Entry(OTHER, mode)
            content = full.read_bytes()
        except FileNotFoundError:  # it went away meanwhile
            return None
        digest = hashlib.sha256(content).hexdigest()
        if not (kept / digest).exists():
            (kept / digest).write_bytes(content)
        return Entry(FILE, mode, digest, sight[3])

    def put(self, manifest: Manifest, kept: Path) -> None:
        """Make the directory what a manifest says."""
        now = self.look(kept)
        if now == manifest:
            return
        for name in sorted(set(now) - set(manifest), reverse=True):  # what is inside before what it is in
            self._remove(name, now[name])
        for name, entry in sorted(manifest.items()):
            was = now.get(name)
            if was == entry:
                continue
            if was is not None and was.kind != entry.kind:
                self._remove(name, was)
                was = None
            self._make(name, entry, was, kept)
        for name, entry in manifest.items():
            if entry.kind == FOLDER and stat.S_IMODE((self.path / name).stat().st_mode) != entry.mode:
                (self.path / name).chmod(entry.mode)
        self.look(kept)

    def _remove(self, name: str, entry: Entry) -> None:
        full = self.path / name
        with contextlib.suppress(FileNotFoundError):
            if not os.access(full.parent, os.W_OK):
                full.parent.chmod(OWNER)
            if entry.kind == FOLDER:
                full.chmod(OWNER)
                shutil.rmtree(full)
            else:
                full.unlink()

    def _make(self, name: str, entry: Entry, was: Entry | None, kept: Path) -> None:
        full = self.path / name
        if entry.kind == LINK:
            full.unlink(missing_ok=True)
            full.symlink_to(entry.content)
        elif entry.kind == FOLDER:
            full.mkdir(exist_ok=True)
            full.chmod(entry.mode | OWNER)  # what is inside comes after it; its own mode last
        elif entry.kind == FILE:
            if was is not None and full.lstat().st_nlink > 1:  # another name of the same file is another file here
                full.unlink()
                was = None
            if was is None or was.content != entry.content:
                content = (kept / entry.content).read_bytes()
                try:
                    full.write_bytes(content)  # in place: whoever has it open sees what is there now
                except PermissionError:
                    full.unlink(missing_ok=True)
                    full.write_bytes(content)
            full.chmod(entry.mode)
            os.utime(full, ns=(entry.time, entry.time))


def _walk(folder: str, inside: str) -> Iterator[tuple[str, Sight]]:
    """Everything in a directory, by its path in it; links are not followed, and a folder stands before its content.

    A folder's own times and size say nothing that its content does not.
    """
    try:
        entries = sorted(os.scandir(f"{folder}/{inside}"), key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError):
        return
    for entry in entries:
        try:
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            continue
        name = f"{inside}{entry.name}"
        if stat.S_ISDIR(status.st_mode):
            yield name, (status.st_mode, status.st_ino, 0, 0, 0)
            yield from _walk(folder, f"{name}/")
        else:
            yield name, (status.st_mode, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _told(entry: Entry) -> tuple[Any, ...]:
    return entry.kind, entry.mode, entry.content


def _seen(entry: Entry | None) -> tuple[Any, ...]:
    return () if entry is None else _told(entry)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:16]
