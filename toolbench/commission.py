"""Machines, commissioned from an executor: they are built in processes of their own while other work goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from toolbench.agent.machine import WALK, check_agent
from toolbench.errors import CannotCompile
from toolbench.execution.work import Executor, Observation, Work
from toolbench.mutation.defect import NONE
from toolbench.scenario import Scenario

if TYPE_CHECKING:
    from concurrent.futures import Future

TOGETHER = 16  # tables whose machines are built by one process, which shares what they have in common


def build(
    scenario: Scenario, tables: Sequence[str], executor: Executor, *, engine: str, deadline: float
) -> Iterator[Future[Observation]]:
    """Have the machines of these tables built, with a deadline for each call; nothing where there can be none.

    Each work builds the defect-free machines anew and shares them among its tables. They come one at a time, so that
    other work can be submitted in between.
    """
    if why_none(scenario, engine):
        return iter(())
    others = [name for name in tables if name != NONE]
    size = max(1, min(TOGETHER, -(-len(others) // executor.width)))
    groups = [[NONE, *others[begin : begin + size]] for begin in range(0, len(others) or 1, size)]
    works = [Work(NONE, "machines", group, whole=True, given=deadline, patient=True) for group in groups]
    return map(executor.submit, works)


def why_none(scenario: Scenario, engine: str) -> str:
    """Why no table of a scenario can have machines; empty if some may."""
    if engine == WALK:
        return "the engine walk was asked for"
    try:
        check_agent(scenario.agent)
    except CannotCompile as problem:
        return str(problem)
    return ""
