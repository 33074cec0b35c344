"""The tool layer: direct calls of the functions. It never looks at a declaration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolbench.counting import counted
from toolbench.layers.layer import Row
from toolbench.scenario import Scenario
from toolbench.seeds import Seeds
from toolbench.table import ToolTable
from toolbench.values import harmless


class ToolLayer:
    """Runs the suite: a unit is a case's id; a row is {case, passed, kind, why}."""

    name = "tool"

    def units(self, scenario: Scenario, seeds: Seeds) -> Sequence[str]:
        return [case.id for case in scenario.suite]

    def observe(self, scenario: Scenario, table: ToolTable, units: Sequence[str]) -> Iterator[Row]:
        cases = {case.id: case for case in scenario.cases}
        fresh = scenario.fresh_world
        for unit in units:
            case = cases[unit]
            outcome = table.call(case.tool, case.arguments, fresh())
            fault = case.fault(outcome)
            yield {"case": unit, "passed": fault is None, "kind": outcome.kind, "why": fault or ""}

    def ended(self, unit: str, kind: str, reason: str) -> Row:
        return {"case": unit, "passed": False, "kind": kind, "why": harmless(reason)}

    def lack(self, scenario: Scenario) -> str | None:
        if scenario.suite:
            return None
        waiting = len(scenario.cases)
        return f"none of the {counted(waiting, 'case')} is confirmed" if waiting else "the suite has no case"
