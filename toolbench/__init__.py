"""toolbench: if a tool of your agent broke, which of your tests would notice?"""

from toolbench.agent.draws import draws, pick, trace_id
from toolbench.agent.protocol import Agent, Call, Stop
from toolbench.agent.seeded import SeededAgent, Tokens
from toolbench.agent.walk import Episode, walk
from toolbench.cases import Case
from toolbench.errors import ToolbenchError, ToolError
from toolbench.loading import load_defects, load_scenario
from toolbench.measurement import Measurement, Verdict
from toolbench.measuring import measure
from toolbench.mutation.defect import Defect
from toolbench.outcome import Outcome
from toolbench.scenario import Scenario, Task
from toolbench.tools import Definition, Tool, ToolTable, tool
from toolbench.world import World

__all__ = [
    "Agent",
    "Call",
    "Case",
    "Defect",
    "Definition",
    "Episode",
    "Measurement",
    "Outcome",
    "Scenario",
    "SeededAgent",
    "Stop",
    "Task",
    "Tokens",
    "Tool",
    "ToolError",
    "ToolTable",
    "ToolbenchError",
    "Verdict",
    "World",
    "draws",
    "load_defects",
    "load_scenario",
    "measure",
    "pick",
    "tool",
    "trace_id",
    "walk",
]
