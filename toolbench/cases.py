"""Case: one direct call with the output expected by hand; reading `cases.toml`; judging an outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolbench.errors import ScenarioError, unknown
from toolbench.outcome import ERROR, OK, Outcome
from toolbench.toml_values import read_toml
from toolbench.values import NotPlain, equal, harmless, plain, show

KEYS = ("id", "tool", "arguments", "output", "error", "error_type", "why", "confirmed")


@dataclass(frozen=True, kw_only=True)
class Case:
    """One direct call and what a person expects of it.

    arguments: passed to the function as they are. Then either `output`, or an error:
    output: a mapping names the fields that must be equal (further returned fields are allowed); any other
    value must equal the whole output. error: True for any reported error, or a text that its message
    contains. error_type: the name of the exception's class or of one of its bases. why: a sentence for the
    reader. confirmed: False for one that was recorded, as long as nobody has looked at it: it is not run.

    >>> Case(id="sum", tool="add", arguments={"a": 1, "b": 2}, output={"sum": 3}).fault(Outcome("ok", {"sum": 4}))
    'expected sum 3, got 4'
    """

    id: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    output: Any = ...
    error: bool | str = False
    error_type: str | None = None
    why: str = ""
    confirmed: bool = True

    def __post_init__(self) -> None:
        where = f"case {self.id}"
        if not isinstance(self.id, str) or not self.id:
            raise ScenarioError(f"a case's id is a text that is not empty, not {self.id!r}")
        try:
            own = plain(dict(self.arguments))
            expected = ... if self.output is ... else plain(self.output)
        except (NotPlain, TypeError, ValueError) as problem:
            raise ScenarioError(f"{where}: arguments and output are JSON values: {problem}") from None
        object.__setattr__(self, "arguments", own)
        object.__setattr__(self, "output", expected)
        if not isinstance(self.error, bool | str):
            raise ScenarioError(f"{where}: error is {self.error!r}; it is true or a text that the error contains")
        for key in ("tool", "error_type"):
            name = getattr(self, key)
            if not (isinstance(name, str) and name) and not (key == "error_type" and name is None):
                raise ScenarioError(f"{where}: {key} is {name!r}; it is a text that is not empty")
        if not isinstance(self.why, str):
            raise ScenarioError(f"{where}: why is {self.why!r}; it is a text")
        if not isinstance(self.confirmed, bool):
            raise ScenarioError(f"{where}: confirmed is {self.confirmed!r}; it is true or false")
        if self.expects_error == (self.output is not ...):
            raise ScenarioError(f"{where}: give what to expect: either output, or error or error_type (not both)")
        if self.output == {}:
            raise ScenarioError(f"{where}: output names no field, so any answer would pass; name at least one")

    @property
    def expects_error(self) -> bool:
        return self.error not in (False, "") or self.error_type is not None

    def expectation(self) -> str:
        """What is expected, in a line."""
        if not self.expects_error:
            return show(self.output)
        parts = ["an error", *([f"of type {self.error_type}"] if self.error_type else [])]
        return " ".join(
            [*parts, *([f"that says {show(self.error)}"] if isinstance(self.error, str) and self.error else [])]
        )

    def fault(self, outcome: Outcome) -> str | None:
        """Why this outcome is not what was expected, in plain words; None when it is.

        A crash, a timeout and a died worker satisfy no expectation, not even that of an error.
        """
        if outcome.kind not in (OK, ERROR):
            return f"{outcome.kind}: {harmless(outcome.message)[:300]}"
        if self.expects_error:
            return self._fault_of_error(outcome)
        if outcome.kind == ERROR:
            return f"expected {show(self.output)}, got the error {show(outcome.message)}"
        if not isinstance(self.output, dict):
            return (
                None
                if equal(self.output, outcome.value)
                else f"expected {show(self.output)}, got {show(outcome.value)}"
            )
        if not isinstance(outcome.value, dict):
            return f"expected the fields {', '.join(self.output)}, got {show(outcome.value)}"
        return self._fault_of_fields(outcome.value)

    def _fault_of_error(self, outcome: Outcome) -> str | None:
        if outcome.kind == OK:
            return f"expected an error, got {show(outcome.value)}"
        if isinstance(self.error, str) and self.error not in outcome.message:
            return f"expected an error that says {show(self.error)}, got {show(outcome.message)}"
        if self.error_type is not None and self.error_type not in outcome.types:
            got = outcome.types[0] if outcome.types else "a returned error"
            return f"expected a {self.error_type}, got {got}"
        return None

    def _fault_of_fields(self, value: dict[str, Any]) -> str | None:
        faults = []
        for name, expected in self.output.items():
            if name not in value:
                faults.append(f"expected {harmless(name)} {show(expected)}, got no such field")
            elif not equal(expected, value[name]):
                faults.append(f"expected {harmless(name)} {show(expected)}, got {show(value[name])}")
        return "; ".join(faults) or None


def read_cases(path: Path) -> tuple[Case, ...]:
    """The cases of a `cases.toml`; ScenarioError names file, case, key and value. No file, no cases."""
    if not path.exists() and not path.is_symlink():
        return ()
    content = read_toml(path, ScenarioError)
    entries = content.pop("case", [])
    if content:
        raise ScenarioError(f"{path}: {unknown('key', next(iter(content)), ['case'])}; each case is a [[case]]")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ScenarioError(f"{path}: case is {show(entries)}; each case is a [[case]] table")
    return tuple(_case(path, number, entry) for number, entry in enumerate(entries, 1))


def _case(path: Path, number: int, entry: dict[str, Any]) -> Case:
    label = f"{path}: case {entry.get('id', f'number {number}')}"
    for key in entry:
        if key not in KEYS:
            raise ScenarioError(f"{label}: {unknown('key', key, KEYS)}")
    for key in ("id", "tool"):
        if not isinstance(entry.get(key), str) or not entry[key]:
            raise ScenarioError(f"{label}: {key} is {show(entry.get(key))}; it is a text that is not empty")
    if not isinstance(entry.get("arguments", {}), dict):
        raise ScenarioError(f"{label}: arguments is {show(entry['arguments'])}; it maps field names to values")
    if "error" in entry and not (entry["error"] is True or (isinstance(entry["error"], str) and entry["error"])):
        raise ScenarioError(f"{label}: error is {show(entry['error'])}; it is true or a text that the error contains")
    try:
        return Case(**entry)
    except ScenarioError as problem:
        raise ScenarioError(f"{path}: {problem}") from None


def check_ids(kind: str, ids: Iterable[str], where: str) -> None:
    """ScenarioError when an id stands twice."""
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise ScenarioError(f"{where}: two {kind}s have the id {name!r}; an id is unique")
        seen.add(name)
