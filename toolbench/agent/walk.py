"""The walk: one episode, step by step. The readable reference for every faster engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from toolbench.agent.draws import draws, trace_id
from toolbench.agent.protocol import Agent, Call
from toolbench.outcome import NO_SUCH_TOOL, OK, new
from toolbench.values import equal

if TYPE_CHECKING:
    from toolbench.scenario import Task
    from toolbench.tools import ToolTable


class Episode(NamedTuple):
    """One run of one task by one agent at one seed.

    trace: (tool, whether the call was an error), call by call. steps: calls, and the stopping step where
    the agent stopped by itself (`done`).
    """

    task: str
    seed: int
    succeeded: bool
    answer: Any
    steps: int
    tokens: int
    errors: int
    approvals: int
    done: bool
    trace: tuple[tuple[str, bool], ...]


def walk(table: ToolTable, task: Task, agent: Agent, seed: int, world: Any = None) -> Episode:
    """Play one episode of `task` over `table`; tools read and change `world`, which the caller put in order.

    The episode's draws come from the seed and the task's id alone. It succeeds when the answer equals the
    task's right answer as a JSON value.
    """
    move = agent.begin(task, table.definitions, draws(seed ^ trace_id(task.id)))
    callers = table.callers
    trace: list[tuple[str, bool]] = []
    errors = 0
    asked = move(None)
    while type(asked) is Call:
        name, arguments = asked
        outcome = callers[name](arguments, world) if name in callers else NO_SUCH_TOOL
        failed = outcome[0] != OK
        if failed:
            errors += 1
        trace.append((name, failed))
        asked = move(outcome)
    answer, done, tokens, approvals = asked
    succeeded = equal(answer, task.answer)
    steps = len(trace) + done
    return new(Episode, (task.id, seed, succeeded, answer, steps, tokens, errors, approvals, done, tuple(trace)))
