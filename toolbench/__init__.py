"""toolbench: if a tool of your agent broke, which of your tests would notice?

Names are loaded when they are first used, so that `python -m toolbench --help` answers at once.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolbench.agent.draws import draws as draws
    from toolbench.agent.draws import pick as pick
    from toolbench.agent.draws import trace_id as trace_id
    from toolbench.agent.exact import exact as exact
    from toolbench.agent.lanes import lanes as lanes
    from toolbench.agent.machine import Machine as Machine
    from toolbench.agent.protocol import Agent as Agent
    from toolbench.agent.protocol import Call as Call
    from toolbench.agent.protocol import Stop as Stop
    from toolbench.agent.runs import fails_more_than as fails_more_than
    from toolbench.agent.seeded import SeededAgent as SeededAgent
    from toolbench.agent.seeded import Tokens as Tokens
    from toolbench.agent.side_by_side import side_by_side as side_by_side
    from toolbench.agent.walk import Episode as Episode
    from toolbench.agent.walk import walk as walk
    from toolbench.cases import Case as Case
    from toolbench.checking.finding import Finding as Finding
    from toolbench.checks import Check as Check
    from toolbench.checks import check as check
    from toolbench.definition import Definition as Definition
    from toolbench.drifting.comparing import drift as drift
    from toolbench.errors import ToolbenchError as ToolbenchError
    from toolbench.errors import ToolbenchWarning as ToolbenchWarning
    from toolbench.errors import ToolError as ToolError
    from toolbench.errors import ToolRefused as ToolRefused
    from toolbench.formats.files import load_definitions as load_definitions
    from toolbench.formats.writing import convert as convert
    from toolbench.loading import load_defects as load_defects
    from toolbench.loading import load_scenario as load_scenario
    from toolbench.measurement import Measurement as Measurement
    from toolbench.measuring import measure as measure
    from toolbench.mutation.defect import Defect as Defect
    from toolbench.outcome import Outcome as Outcome
    from toolbench.scenario import Scenario as Scenario
    from toolbench.scenario import Task as Task
    from toolbench.servers.server import mcp_server as mcp_server
    from toolbench.table import ToolTable as ToolTable
    from toolbench.tools import Tool as Tool
    from toolbench.tools import tool as tool
    from toolbench.verdict import Verdict as Verdict
    from toolbench.world import World as World

_HOMES = {
    "Agent": "toolbench.agent.protocol",
    "Call": "toolbench.agent.protocol",
    "Case": "toolbench.cases",
    "Check": "toolbench.checks",
    "Defect": "toolbench.mutation.defect",
    "Definition": "toolbench.definition",
    "Episode": "toolbench.agent.walk",
    "Finding": "toolbench.checking.finding",
    "Machine": "toolbench.agent.machine",
    "Measurement": "toolbench.measurement",
    "Outcome": "toolbench.outcome",
    "Scenario": "toolbench.scenario",
    "SeededAgent": "toolbench.agent.seeded",
    "Stop": "toolbench.agent.protocol",
    "Task": "toolbench.scenario",
    "Tokens": "toolbench.agent.seeded",
    "Tool": "toolbench.tools",
    "ToolError": "toolbench.errors",
    "ToolRefused": "toolbench.errors",
    "ToolTable": "toolbench.table",
    "ToolbenchError": "toolbench.errors",
    "ToolbenchWarning": "toolbench.errors",
    "Verdict": "toolbench.verdict",
    "World": "toolbench.world",
    "check": "toolbench.checks",
    "convert": "toolbench.formats.writing",
    "draws": "toolbench.agent.draws",
    "drift": "toolbench.drifting.comparing",
    "exact": "toolbench.agent.exact",
    "fails_more_than": "toolbench.agent.runs",
    "lanes": "toolbench.agent.lanes",
    "load_defects": "toolbench.loading",
    "load_definitions": "toolbench.formats.files",
    "load_scenario": "toolbench.loading",
    "mcp_server": "toolbench.servers.server",
    "measure": "toolbench.measuring",
    "pick": "toolbench.agent.draws",
    "side_by_side": "toolbench.agent.side_by_side",
    "tool": "toolbench.tools",
    "trace_id": "toolbench.agent.draws",
    "walk": "toolbench.agent.walk",
}
_NUMERIC = {"exact", "lanes", "side_by_side"}  # these load numpy, so `from toolbench import *` leaves them alone
__all__ = [name for name in _HOMES if name not in _NUMERIC]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'toolbench' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    return [*globals(), *_HOMES]
