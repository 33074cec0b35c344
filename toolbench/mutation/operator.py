"""Operator: a way to damage a tool, with its class and its own before/after examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from toolbench.errors import unknown
from toolbench.schema import Schema
from toolbench.tools import Tool

VALUE, CONTRACT, DEFINITION = "value", "contract", "definition"
CLASSES = (VALUE, CONTRACT, DEFINITION)
TOTAL = "total"


class DoesNotFit(Exception):
    """An operator's arguments that do not fit its tool: a field that is not declared, a name that is unknown."""


@dataclass
class Landing:
    """Whether a defect that works on calls found what it changes.

    An operator that changes an output field can only tell at the call whether the field is there. A defect
    that never found its field, in calls that were answered, has not been measured.
    """

    hits: int = 0
    missed: str = ""

    def add(self, hits: int, missed: str) -> None:
        """What was seen of it elsewhere."""
        self.hits += hits
        self.missed = self.missed or missed

    def reason(self) -> str | None:
        return self.missed if self.missed and not self.hits else None


@dataclass(frozen=True)
class Site:
    """Where an operator works: the tool, the functions that a catalogue may name, and the landing to report to."""

    tool: Tool
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    landing: Landing = field(default_factory=Landing)


@dataclass(frozen=True)
class Example:
    """A before/after pair that proves an operator: one test runs them all.

    tool: the tool before. arguments: the operator's. call: the arguments of a direct call whose outcome
    changes from `before` to `after`; for a definition operator, `before` and `after` are schemas.
    """

    tool: Tool
    arguments: Mapping[str, Any]
    before: Any
    after: Any
    call: Mapping[str, Any] | None = None
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Operator:
    """A way to damage a tool.

    name: its code name. classes: the defect classes that it can give, the usual one first. fault: the
    real-world fault that it stands for, in a sentence. arguments: JSON Schema of what it is given. apply: a
    pure function of the site and the arguments that gives the damaged tool; it raises DoesNotFit or
    CannotApply. describe: the change in a line, where it is around the function and not in its text.
    """

    name: str
    classes: tuple[str, ...]
    fault: str
    arguments: Schema
    apply: Callable[[Site, Mapping[str, Any]], Tool]
    examples: tuple[Example, ...]
    describe: Callable[[Mapping[str, Any]], str] | None = None


TEXT: Schema = {"type": "string", "minLength": 1}


def takes(**properties: Schema) -> Schema:
    """The JSON Schema of an operator's arguments: these, all of them, and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def declared(site: Site, name: str) -> str:
    """`name`, if the tool declares a field of that name; DoesNotFit otherwise."""
    fields: Iterable[str] = site.tool.definition.fields
    if name not in fields:
        raise DoesNotFit(unknown(f"field of {site.tool.name}", name, fields))
    return name
