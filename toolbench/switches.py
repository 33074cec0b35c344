"""Findings that are switched off, per tool and with a reason, in a file beside what is checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolbench.checking.codes import CODES
from toolbench.checking.finding import Finding
from toolbench.errors import UsageError, unknown
from toolbench.toml_values import read_toml
from toolbench.values import show

FILE = "check.toml"
KEYS = ("tool", "code", "pointer", "reason")


@dataclass(frozen=True)
class Switch:
    """Switches a code off for a tool, everywhere in its schema or at one place."""

    tool: str
    code: str
    reason: str
    pointer: str | None = None

    def covers(self, finding: Finding) -> bool:
        return (finding.tool, finding.code) == (self.tool, self.code) and self.pointer in (None, finding.pointer)


def read_switches(path: Path) -> tuple[Switch, ...]:
    """The switches in a file; UsageError names file, entry, key and value. No file, no switches."""
    if not path.exists() and not path.is_symlink():
        return ()
    content = read_toml(path, UsageError)
    entries = content.pop("off", [])
    if content:
        raise UsageError(f"{path}: {unknown('key', next(iter(content)), ['off'])}; each switch is an [[off]]")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise UsageError(f"{path}: off is {show(entries)}; each switch is an [[off]] table")
    return tuple(_switch(path, number, entry) for number, entry in enumerate(entries, 1))


def _switch(path: Path, number: int, entry: dict[str, Any]) -> Switch:
    where = f"{path}: off number {number}"
    for key in entry:
        if key not in KEYS:
            raise UsageError(f"{where}: {unknown('key', key, KEYS)}")
    for key in ("tool", "code", "reason"):
        if not isinstance(entry.get(key), str) or not entry[key].strip():
            raise UsageError(f"{where}: {key} is {show(entry.get(key))}; it is a text that is not empty")
    if entry["code"] not in CODES:
        raise UsageError(f"{where}: {unknown('code', entry['code'], CODES)}")
    if not isinstance(entry.get("pointer", ""), str):
        raise UsageError(f"{where}: pointer is {show(entry['pointer'])}; it is a text")
    return Switch(entry["tool"], entry["code"], entry["reason"], entry.get("pointer"))


def switched(
    findings: Iterable[Finding], switches: Sequence[Switch]
) -> tuple[tuple[Finding, ...], tuple[tuple[Finding, str], ...], tuple[Switch, ...]]:
    """The findings that are left, those that are switched off with the reason, and the switches that cover none."""
    left, off, used = [], [], set()
    for finding in findings:
        switch = next((one for one in switches if one.covers(finding)), None)
        if switch is None:
            left.append(finding)
        else:
            off.append((finding, switch.reason))
            used.add(switch)
    return tuple(left), tuple(off), tuple(one for one in switches if one not in used)
