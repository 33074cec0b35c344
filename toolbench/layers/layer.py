"""What a layer is, and which there are.

A layer turns a table and a scenario into an observation: one row for each *unit* (a case, an episode). It
knows nothing of defects, and nothing of other layers. Units and rows are plain values, so that they can
pass between processes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from toolbench.scenario import Scenario
from toolbench.seeds import Seeds
from toolbench.table import ToolTable

Unit = Any
Row = dict[str, Any]


class Layer(Protocol):
    """A way to observe a table.

    units: what there is to run. observe: runs units over a table and yields one row each, in order; every
    unit starts in a fresh or restored world. ended: the row of a unit that was ended from outside (kind is
    `timeout` or `died`). lack: why there is nothing to run, None if there is something.
    """

    name: str

    def units(self, scenario: Scenario, seeds: Seeds) -> Sequence[Unit]: ...

    def observe(self, scenario: Scenario, table: ToolTable, units: Sequence[Unit]) -> Iterator[Row]: ...

    def ended(self, unit: Unit, kind: str, reason: str) -> Row: ...

    def lack(self, scenario: Scenario) -> str | None: ...
