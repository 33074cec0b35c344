"""What each layer cost over all tables, as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toolbench.mutation.engine import STUB
from toolbench.outcome import DIED, TIMEOUT
from toolbench.probing.checked import Checked

if TYPE_CHECKING:
    from toolbench.loop import Loop

COSTS = ("runs", "calls", "steps", "tokens", "errors", "approvals", "timeouts", "died")


def cost_rows(
    layers: Sequence[str],
    suites: Mapping[str, Sequence[Mapping[str, Any]]],
    checks: Mapping[str, Checked],
    loop: Loop | None,
) -> list[dict[str, Any]]:
    """A row per layer; what a layer has no notion of is None. Stubs and the second clean suite are left out."""
    rows: list[dict[str, Any]] = []
    nothing: dict[str, Any] = dict.fromkeys(COSTS)
    for layer in layers:
        if layer == "loop":
            costs: dict[str, Any] = dict.fromkeys(COSTS, 0) if loop is None else loop.cost()
        elif layer == "definition":
            made = sum(one.probes for one in checks.values())
            ended = {key: sum(getattr(one, key) for one in checks.values()) for key in ("timeouts", "died")}
            costs = {**nothing, "runs": made, "calls": made, **ended}
        else:
            kinds = [row["kind"] for table, seen in suites.items() if not table.startswith(STUB) for row in seen]
            ended = {"timeouts": kinds.count(TIMEOUT), "died": kinds.count(DIED)}
            costs = {**nothing, "runs": len(kinds), "calls": len(kinds), **ended}
        rows.append({"layer": layer, **costs})
    return rows
