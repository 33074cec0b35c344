"""A probe, what was seen of it, and the two together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolbench.checking.sampling import Arguments
from toolbench.outcome import NOT_BACK, OK, TOO_LONG
from toolbench.values import canonical

BASE, WITHOUT, WITH, BESIDE, NONSENSE = "base", "without", "with", "beside", "nonsense"
TESTED, OUTSIDE, WRONG, AGAIN = "tested", "outside", "wrong", "again"
Step = tuple[str, Arguments]


@dataclass(frozen=True)
class Probe:
    """One call that is tried.

    before: calls that are made first, in the same world. kind: what is changed of the base: nothing, a field left out,
    a field with another value that is admitted, of a type that the source tests for, outside of its enum, of a wrong
    type; another field beside it; or the call is made twice. base: the place of the base among those that were varied.
    """

    tool: str
    arguments: Arguments
    kind: str = BASE
    field: str = ""
    base: int = -1
    before: tuple[Step, ...] = ()

    def unit(self, apart: bool, stirred: bool = False) -> dict[str, Any]:
        """The probe as the layer gets it; apart: in a process of its own; stirred: where other random numbers come."""
        calls = [*map(list, self.before), [self.tool, self.arguments]]
        return {"calls": calls, "apart": apart, "stirred": stirred}

    @property
    def size(self) -> tuple[int, int, str]:
        """How much it takes to show something: calls before it, and the length of its arguments as text."""
        text = canonical(self.arguments)
        return len(self.before), len(text), text


@dataclass(frozen=True)
class Seen:
    """What a probe came to.

    answer: what identifies the outcome; size: of the answer as text. fields: the answer's fields, where they are small.
    marks: the world before the call and after it, None where it cannot be compared. fault: why the answer breaks the
    declared output. harvest: small values in the answer, by name.
    changed: some of what the call changed, where the world can say it.
    """

    kind: str
    answer: str
    size: int
    shown: str
    message: str
    types: tuple[str, ...]
    fields: Mapping[str, Any]
    marks: tuple[str, str] | None
    fault: str
    harvest: Sequence[tuple[str, Any]] = ()
    changed: Sequence[str] = ()

    @property
    def ok(self) -> bool:
        return self.kind == OK

    @property
    def effect(self) -> bool:
        """Whether the call changed the world."""
        return self.marks is not None and self.marks[0] != self.marks[1]

    @property
    def useless(self) -> bool:
        """Whether the call did not come back, or with far too much; there is no point in many of them."""
        return self.kind in NOT_BACK or TOO_LONG in self.types

    @property
    def idle(self) -> bool:
        """Whether the call is known to have changed nothing at all, not even what is ignored."""
        return self.marks is not None and not self.effect and not self.changed

    @property
    def key(self) -> tuple[Any, ...]:
        """Everything that an observer can tell of it."""
        return self.kind, self.answer, self.message, self.types, self.marks and self.marks[1]

    @staticmethod
    def of(row: Mapping[str, Any]) -> Seen:
        marks = row["marks"]
        return Seen(
            row["kind"],
            row["answer"],
            row["size"],
            row["shown"],
            row["why"],
            tuple(row["types"]),
            row["fields"],
            None if marks is None else (marks[0], marks[1]),
            row["fault"],
            [(name, value) for name, value in row.get("harvest", ())],
            row.get("changed", ()),
        )


@dataclass(frozen=True)
class Tried:
    """A probe and what was seen of it."""

    probe: Probe
    seen: Seen
