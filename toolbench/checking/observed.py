"""What was tried of a tool, as its judges read it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from toolbench.checking.nodes import Declaration
from toolbench.checking.source import Source
from toolbench.checking.tried import WITH, WITHOUT, Seen, Tried
from toolbench.outcome import DIED, ERROR, OK, SKIPPED, TIMEOUT
from toolbench.values import show

SHOWN = 120
Compared = list[tuple[Tried, Tried, bool]]


@dataclass(frozen=True)
class Behaviour:
    """All that was tried of a tool.

    bases: argument sets that the declaration admits. chosen: those that were answered and varied; a variation's probe
    names its base by its place there. restorable: whether the world was compared before and after each call.
    """

    declaration: Declaration
    source: Source
    bases: Sequence[Tried]
    chosen: Sequence[Tried]
    variations: Sequence[Tried]
    restorable: bool

    @property
    def admitted(self) -> list[Tried]:
        """The calls that the declaration admits."""
        left_out = [one for one in self.of(WITHOUT) if self.declaration.optional(one.probe.field)]
        return [one for one in (*self.bases, *self.of(WITH), *left_out) if one.seen.kind != SKIPPED]

    def of(self, *kinds: str) -> list[Tried]:
        return [one for one in self.variations if one.probe.kind in kinds and one.seen.kind != SKIPPED]

    def compared(self, name: str) -> Compared:
        """(base, variation, whether anything differs) for every admitted change of a field of an answered base."""
        parameter = self.source.parameters.get(name)
        needed = parameter is not None and parameter.needed
        compared = []
        for one in self.of(WITH, WITHOUT):
            if one.probe.field == name and one.probe.base >= 0 and not (one.probe.kind == WITHOUT and needed):
                base = self.chosen[one.probe.base]
                compared.append((base, one, base.seen.key != one.seen.key))
        return compared

    @property
    def tool(self) -> str:
        return self.declaration.definition.name


def smallest(tried: Iterable[Tried]) -> Tried | None:
    """The one with the smallest arguments, and the fewest calls before."""
    return min(tried, key=lambda one: one.probe.size, default=None)


def behind(one: Tried) -> str:
    """What was called first, in words."""
    calls = ", ".join(f"{tool} {show(arguments, 80)}" for tool, arguments in one.probe.before)
    return f" (after {calls})" if calls else ""


def how(seen: Seen) -> str:
    """What a call came to, as the end of a sentence that begins with "it"."""
    if seen.kind == OK:
        return f"is answered with {seen.shown}"
    told = seen.message if len(seen.message) <= SHOWN else f"{seen.message[:SHOWN]}…"
    said = f'"{told}"'  # harmless already, as rows are
    return {TIMEOUT: f"does not come back: {said}", DIED: f"ends its process: {said}"}.get(
        seen.kind, f"gives the {'error' if seen.kind == ERROR else seen.kind} {said}"
    )
