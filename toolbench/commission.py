"""Machines, commissioned from an executor: they are built in processes of their own while other work goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from toolbench.agent.machine import WALK, check_agent
from toolbench.errors import CannotCompile
from toolbench.execution.work import Executor, Observation, Work
from toolbench.mutation.defect import NONE
from toolbench.scenario import Scenario
from toolbench.servers.settings import CASE

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
    given = deadline if scenario.server is None else deadline + scenario.server.slack
    works = [Work(NONE, "machines", group, whole=True, given=given, patient=True) for group in groups]
    return map(executor.submit, works)


def why_none(scenario: Scenario, engine: str) -> str:
    """Why no table of a scenario can have machines; empty if some may."""
    if engine == WALK:
        return "the engine walk was asked for"
    if scenario.server is not None and scenario.server.settings.fresh == CASE:
        return "each life of the server is one episode, so that no call can be made by itself"
    if scenario.server is not None and scenario.server.overlooks:
        return "files of the server's directory are ignored, so that its states cannot be told apart for certain"
    try:
        check_agent(scenario.agent)
    except CannotCompile as problem:
        return str(problem)
    return ""
