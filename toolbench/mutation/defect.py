"""Defect: one planted change, and what becomes of it when it is planted in a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from toolbench.code_text import alike
from toolbench.errors import CannotApply, CatalogueError, unknown
from toolbench.mutation.operator import CLASSES, DoesNotFit, Landing, Site
from toolbench.mutation.operators import OPERATORS
from toolbench.table import ToolTable
from toolbench.tools import Tool
from toolbench.values import NotPlain, plain

NONE = "none"
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]*")


@dataclass(frozen=True, kw_only=True)
class Defect:
    """One planted change: an operator, its target and its arguments.

    id: the code in the catalogue: letters, digits and `_ . : -`. tool: the target. operator: its code name.
    arguments: what the operator is given. class_: value, contract or definition; by default the operator's.
    description: for the reader.

    >>> Defect(id="D8", tool="look_up", operator="drop_field", arguments={"field": "query"}).class_
    'definition'
    """

    id: str
    tool: str
    operator: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    class_: str = ""
    description: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not ID.fullmatch(self.id):
            raise CatalogueError(f"defect {self.id!r}: id: it is made of letters, digits and _ . : - only")
        if self.id == NONE:
            raise CatalogueError(f"defect {self.id}: id: this is the name of the defect-free table; choose another")
        if self.operator not in OPERATORS:
            raise CatalogueError(f"defect {self.id}: {unknown('operator', self.operator, OPERATORS)}")
        classes = OPERATORS[self.operator].classes
        try:
            object.__setattr__(self, "arguments", plain(dict(self.arguments)))
        except (NotPlain, TypeError, ValueError) as problem:
            raise CatalogueError(f"defect {self.id}: arguments: they are JSON values by name: {problem}") from None
        object.__setattr__(self, "class_", self.class_ or classes[0])
        if self.class_ not in CLASSES:
            raise CatalogueError(f"defect {self.id}: {unknown('class', self.class_, CLASSES)}")
        if self.class_ not in classes:
            gives = f"{self.operator} gives a {' or '.join(classes)} defect"
            raise CatalogueError(f"defect {self.id}: {gives}, not one of class {self.class_}")


@dataclass(frozen=True)
class Planted:
    """A defect in a copy of a table.

    table: the copy, None when it could not be applied, for `reason`. equivalent: it changes nothing (same
    code, same declaration). landing: filled while the table is used; see `Landing`.
    """

    defect: Defect
    table: ToolTable | None
    reason: str = ""
    equivalent: bool = False
    landing: Landing = field(default_factory=Landing)

    @property
    def damaged(self) -> Tool | None:
        """The tool with the defect in it."""
        return None if self.table is None else self.table[self.defect.tool]


def plant(defect: Defect, table: ToolTable, functions: Mapping[str, Callable[..., Any]]) -> Planted:
    """Plant a defect in a copy of a table; the table itself does not change.

    CatalogueError when the defect names what is not there; a defect that finds nothing to change comes back
    without a table and with the reason.
    """
    if defect.tool not in table:
        raise CatalogueError(f"defect {defect.id}: tool: {unknown('tool', defect.tool, table)}")
    tool, landing = table[defect.tool], Landing()
    try:
        damaged = OPERATORS[defect.operator].apply(Site(tool, functions, landing), defect.arguments)
    except DoesNotFit as problem:
        raise CatalogueError(f"defect {defect.id}: arguments: {problem}") from None
    except CannotApply as problem:
        return Planted(defect, None, str(problem))
    return Planted(defect, table.replace(damaged), equivalent=_alike(damaged, tool), landing=landing)


def _alike(damaged: Tool, tool: Tool) -> bool:
    """Whether two tools are the same, in their declarations and in their code."""
    return damaged.text() == tool.text() and alike(damaged.function, tool.function)
