"""A tool of a table on its way through the rounds of probes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolbench.checking.nodes import Declaration
from toolbench.checking.observed import Behaviour
from toolbench.checking.probes import MOST_FIELDS, Tried
from toolbench.checking.sampling import Arguments, Known, candidates, members
from toolbench.checking.source import Source, source_of
from toolbench.scenario import Scenario
from toolbench.tools import Tool


@dataclass
class Subject:
    """A tool of a table on its way through the rounds."""

    table: str
    tool: Tool
    declaration: Declaration
    source: Source
    reason: str
    partly: list[str] = field(default_factory=list)
    values: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    drawn: Sequence[Arguments] = ()
    bases: list[Tried] = field(default_factory=list)
    chosen: list[Tried] = field(default_factory=list)
    variations: list[Tried] = field(default_factory=list)
    apart: bool = False
    model: Subject | None = None
    spared: bool = False

    def like(self, other: Subject) -> bool:
        """Whether another tool is declared alike, so that the same probes are worth making of this one."""
        return other.tool.definition.text() == self.tool.definition.text()

    def take(self, row: Mapping[str, Any] | None, known: Known) -> None:
        """What was drawn for its schema, and with it the values to try."""
        if row is not None:
            self.drawn = [value for value in row["values"] if isinstance(value, dict)]
            self.partly += [f"values of {place or '/'} are not drawn by {word}" for place, word in row["not_drawn"]]
            self.partly += [f"no value is drawn: {row['why']}"] if row["why"] else []
        if (more := len(self.declaration.fields) - MOST_FIELDS) > 0:
            self.partly.append(f"{more} of its {len(self.declaration.fields)} fields are not varied")
        self.values = {
            name: candidates(self.declaration, self.source, known, self.drawn, name) for name in self.declaration.fields
        }

    def offered(self, name: str) -> list[Any]:
        """The values that are worth trying of a field: all of its choices, where it has some."""
        return members(self.declaration, name) or list(self.values.get(name, ()))

    def seen(self, *, restorable: bool = False) -> Behaviour:
        """What was tried so far, as the judges read it."""
        return Behaviour(self.declaration, self.source, self.bases, self.chosen, self.variations, restorable)

    @property
    def probed(self) -> bool:
        return not self.reason


def subject_of(scenario: Scenario, table: str, tool: Tool, *, probe_all: bool) -> Subject:
    declaration = Declaration(tool.definition)
    reason = ""
    if not (tool.definition.side_effect is False or scenario.restorable or probe_all):
        reason = "may have effects"
    elif declaration.validators.at() is None:
        reason = f"its schema cannot be used: {declaration.validators.problem}"
    return Subject(table, tool, declaration, source_of(tool), reason)
