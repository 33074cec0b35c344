"""The walk: one episode, step by step. The readable reference for every faster engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolbench.agent.draws import draws
from toolbench.agent.protocol import Agent, Call, Stop
from toolbench.outcome import NO_SUCH_TOOL, NOT_BACK, OK, Ended
from toolbench.values import equal, show

if TYPE_CHECKING:
    from toolbench.scenario import Task
    from toolbench.table import ToolTable


@dataclass(slots=True)  # not frozen, since that triples the time to make one; nothing changes an episode
class Episode:
    """One run of one task by one agent at one seed.

    task, seed: which run. succeeded: the answer equals the right one. end: how the agent stopped. trace: (tool,
    whether the call was an error), call by call.
    """

    task: str
    seed: int
    succeeded: bool
    end: Stop
    trace: list[tuple[str, bool]]

    @property
    def answer(self) -> Any:
        return self.end.answer

    @property
    def done(self) -> bool:
        """Whether the agent stopped by itself, within its budget."""
        return self.end.done

    @property
    def tokens(self) -> int:
        return self.end.tokens

    @property
    def approvals(self) -> int:
        return self.end.approvals

    @property
    def steps(self) -> int:
        """The calls, and the stopping step where the agent stopped by itself."""
        return len(self.trace) + self.end.done

    @property
    def errors(self) -> int:
        return sum(failed for _, failed in self.trace)

    def facts(self) -> dict[str, Any]:
        """All of it by name, for a table or a comparison."""
        names = ("task", "seed", "succeeded", "answer", "steps", "tokens", "errors", "approvals", "done", "trace")
        return {name: getattr(self, name) for name in names}


def walk(table: ToolTable, task: Task, agent: Agent, seed: int, world: Any = None) -> Episode:
    """Play one episode of `task` over `table`; tools read and change `world`, which the caller put in order.

    The episode's draws come from the seed and the task's id alone. It succeeds when the answer equals the
    task's right answer as a JSON value. Raises Ended when a call of a tool that runs elsewhere does not come back.
    """
    move = agent.begin(task, table.definitions, draws(seed ^ task.trace_id))
    callers = table.callers
    trace = []
    asked = move(None)
    while type(asked) is Call:
        name = asked.tool
        outcome = callers[name](asked.arguments, world) if name in callers else NO_SUCH_TOOL
        if outcome.kind in NOT_BACK:
            raise Ended(outcome.kind, outcome.message)
        trace.append((name, outcome.kind != OK))
        asked = move(outcome)
    if type(asked) is not Stop:
        raise TypeError(f"its move is {show(str(asked))}, which is neither a Call nor a Stop")
    return Episode(task.id, seed, equal(asked.answer, task.answer), asked, trace)
