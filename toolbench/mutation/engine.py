"""The tables that a run observes: the defect-free one, one with each defect, one with a stub of each tool."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from toolbench.mutation.defect import NONE, Defect, Planted, plant
from toolbench.mutation.operator import Landing
from toolbench.scenario import Scenario
from toolbench.table import ToolTable
from toolbench.tools import Tool

STUB = "stub "


@dataclass(frozen=True)
class Tables:
    """Every table of a run by its name: `none`, a defect's id, or `stub TOOL`; copies are made when asked for.

    Both sides of a process boundary make the same tables from the same scenario and defects, so that a name
    is all that has to cross it.
    """

    scenario: Scenario
    defects: tuple[Defect, ...] = ()
    planted: dict[str, Planted] = field(default_factory=dict, init=False)

    @cached_property
    def original(self) -> str:
        """The fingerprint of the defect-free table before anything ran."""
        return self.scenario.table.fingerprint()

    def changed_by(self, name: str) -> str:
        """The run of a table, in words, if the original table is no longer what it was before; else nothing."""
        if self.scenario.table.fingerprint() == self.original:
            return ""
        return "a run of the defect-free table" if name == NONE else f"a run with {name}"

    def plant(self, name: str) -> Planted:
        """The planted defect of this id; CatalogueError when it does not fit the scenario."""
        if name not in self.planted:
            defect = next(defect for defect in self.defects if defect.id == name)
            self.planted[name] = plant(defect, self.scenario.table, self.scenario.functions)
        return self.planted[name]

    def table(self, name: str) -> tuple[ToolTable, Landing]:
        """The table of this name, and the landing that its defect reports to (new for each call)."""
        if name == NONE:
            return self.scenario.table, Landing()
        if name.startswith(STUB):
            tool = self.scenario.table[name.removeprefix(STUB)]
            return self.scenario.table.replace(stub(tool)), Landing()
        planted = self.plant(name)
        assert planted.table is not None  # a defect that could not be applied has nothing to observe
        planted.landing.hits, planted.landing.missed = 0, ""
        return planted.table, planted.landing


def stub(tool: Tool) -> Tool:
    """The tool with a function that does nothing and answers with nothing."""

    def nothing(*_: Any, **__: Any) -> dict[str, Any]:
        return {}

    return replace(tool, function=nothing)
