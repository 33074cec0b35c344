"""A tool of a table on its way through the rounds of probes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolbench.checking.documented import form_of
from toolbench.checking.harvest import Pair, offered
from toolbench.checking.nodes import Declaration, at_field
from toolbench.checking.observed import Behaviour
from toolbench.checking.probes import MOST_FIELDS
from toolbench.checking.sampling import Arguments, Known, assembled, candidates, distinct, members
from toolbench.checking.source import Source, source_of
from toolbench.checking.tried import Tried
from toolbench.scenario import Scenario
from toolbench.servers.settings import CASE, RUN
from toolbench.tools import Tool
from toolbench.values import canonical

MOST_FED = 24
CALLS = {RUN: 1000, CASE: 200}  # of all a server's tools together; each may cost a start of it
LEAST_CALLS, MOST_CALLS = 24, 120  # of one of them


@dataclass
class Subject:
    """A tool of a table on its way through the rounds.

    most: about how many calls of it may be made; None for as many as are worth it.
    """

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
    most: int | None = None

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

    def share(self, part: int, least: int) -> int | None:
        """A part of the calls that may be made, and no fewer than so many."""
        return None if self.most is None else max(least, self.most // part)

    def offered(self, name: str) -> list[Any]:
        """The values that are worth trying of a field: all of its choices, where it has some."""
        return members(self.declaration, name) or list(self.values.get(name, ()))

    def fed(self, taken: Mapping[str, Any], pairs: Sequence[Pair], known: Known) -> list[Arguments]:
        """Argument sets of what was harvested, and of what fields of the same name took elsewhere."""
        given = {name: self._taking(name, pairs) for name in self.declaration.fields if name not in taken}
        settled = {name: [taken[name]] for name in self.declaration.fields if name in taken}
        self.values = {
            name: distinct([*settled.get(name, ()), *given.get(name, ()), *own]) for name, own in self.values.items()
        }
        more = assembled(self.declaration, self.values, known, ())
        least = {name: self.values[name][0] for name in self.declaration.required if self.values.get(name)}
        single = [{**least, name: value} for name, own in given.items() for value in own]
        tried = {canonical(one.probe.arguments) for one in self.bases}
        every = distinct([*single, *more])
        new = [one for one in every if canonical(one) not in tried and self.declaration.admits(one)]
        return new[: self.share(6, 6) or MOST_FED]

    def _taking(self, name: str, pairs: Sequence[Pair]) -> list[Any]:
        """What was harvested that a field admits; a choice takes nothing but its members, a form what has it."""
        if members(self.declaration, name) or form_of(self.declaration, name) is not None:
            return []
        admits = self.declaration.validators.admits
        found = offered(name, pairs)
        lists = [[value] for value in found] if "items" in self.declaration.field(name) else []
        return [value for value in [*lists, *found] if admits(value, at_field(name)) is not False]

    def seen(self, *, restorable: bool = False) -> Behaviour:
        """What was tried so far, as the judges read it."""
        return Behaviour(self.declaration, self.source, self.bases, self.chosen, self.variations, restorable)

    @property
    def probed(self) -> bool:
        return not self.reason


def subject_of(scenario: Scenario, table: str, tool: Tool, *, probe_all: bool) -> Subject:
    """A tool of a table, and whether it may be called. The tools of a server share the calls that are made of it."""
    declaration = Declaration(tool.definition)
    reason = ""
    if not (tool.definition.side_effect is False or scenario.restorable or probe_all):
        reason = "may have effects"
    elif declaration.validators.at() is None:
        reason = f"its schema cannot be used: {declaration.validators.problem}"
    most = None
    if scenario.server is not None:
        calls = CALLS[scenario.server.settings.fresh]
        most = max(LEAST_CALLS, min(MOST_CALLS, calls // len(scenario.table)))
    return Subject(table, tool, declaration, source_of(tool), reason, most=most)
