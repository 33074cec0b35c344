"""What a run does not measure beyond verdicts, how much of it, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolbench.errors import ScenarioError
from toolbench.layers.all import LAYERS
from toolbench.mutation.defect import NONE, Defect
from toolbench.probing.checked import Checked
from toolbench.scenario import Scenario
from toolbench.seeds import Seeds
from toolbench.servers.snapshot import definitions_of
from toolbench.verdict import INTERRUPTED, LeftOut


def not_probed(checks: Mapping[str, Checked]) -> list[LeftOut]:
    """The tools of the defect-free table that were read only, or not probed wholly."""
    by_reason: dict[str, list[str]] = {}
    for left in checks[NONE].not_probed if NONE in checks else ():
        by_reason.setdefault(left.reason, []).append(left.tool)
    return [LeftOut("probes", len(tools), f"{', '.join(tools)}: {reason}") for reason, tools in by_reason.items()]


def not_asked_for(
    known: Sequence[Defect], chosen: Sequence[Defect], names: Sequence[str], seeds: Seeds, finished: Seeds
) -> list[LeftOut]:
    left = []
    if len(chosen) < len(known):
        names_left = ", ".join(defect.id for defect in known if defect not in chosen)
        left.append(LeftOut("defects", len(known) - len(chosen), f"not asked for: {names_left}"))
    if missing := [name for name in LAYERS if name not in names]:
        left.append(LeftOut("layers", len(missing), f"not asked for: {', '.join(missing)}"))
    if len(finished) < len(seeds):
        left.append(LeftOut(INTERRUPTED, len(seeds) - len(finished), f"interrupted after {len(finished):,} seeds"))
    return left


def unconfirmed(scenario: Scenario) -> list[LeftOut]:
    waiting = [case.id for case in scenario.cases if not case.confirmed]
    return [LeftOut("cases", len(waiting), f"to be confirmed by hand: {', '.join(waiting)}")] if waiting else []


def stale(scenario: Scenario) -> list[LeftOut]:
    """The tools that a server declares otherwise than the scenario has it; ScenarioError when it has none of them."""
    if scenario.server is None:
        return []
    with scenario.server.running():
        listing = scenario.server.listing()
    live = {one.name: one for one in definitions_of(listing, listing.called)[0]}
    if not set(live) & set(scenario.table):
        known = ", ".join(list(live)[:10]) or "none"
        raise ScenarioError(
            f"{scenario.name}: its definitions are of another server: {listing.called} has none of its tools; it has "
            f"{known}. `init --mcp` makes a scenario of it, `drift` shows the difference"
        )
    kept = scenario.table.definitions
    other = [name for name in kept if name not in live or live[name].text() != kept[name].text()]
    other += [name for name in live if name not in kept]
    reason = f"the server declares them otherwise today, see `drift`: {', '.join(other)}"
    return [LeftOut("definitions", len(other), reason)] if other else []
