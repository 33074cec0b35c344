"""The loop layer: a seeded agent works on the tasks. It sees declarations, and right or wrong answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolbench.agent.walk import walk
from toolbench.layers.layer import Row
from toolbench.outcome import CRASH, OK, Ended, described
from toolbench.scenario import Scenario
from toolbench.seeds import Seeds
from toolbench.table import ToolTable
from toolbench.values import harmless, plain, show

Unit = tuple[str, int]


class LoopLayer:
    """Plays episodes: a unit is (task id, seed).

    A row is {task, seed, succeeded, answer, steps, calls, tokens, errors, approvals, done, kind, why}; kind is
    `ok`, or `crash` (of the agent), `timeout`, `died` for an episode that did not come to its end, and why says so.
    """

    name = "loop"

    def units(self, scenario: Scenario, seeds: Seeds) -> Sequence[Unit]:
        return [(task.id, seed) for seed in seeds.values for task in scenario.tasks]

    def observe(self, scenario: Scenario, table: ToolTable, units: Sequence[Unit]) -> Iterator[Row]:
        tasks = {task.id: task for task in scenario.tasks}
        fresh, agent = scenario.fresh_world, scenario.agent
        assert agent is not None  # a scenario with tasks has one
        for task, seed in units:
            try:
                episode = walk(table, tasks[task], agent, seed, fresh())
                answer = show(plain(episode.answer))
            except Ended as ended:
                yield self.ended((task, seed), ended.kind, ended.reason)
                continue
            except Exception as problem:  # an agent of the user's own; tools never raise through a call
                yield self.ended((task, seed), CRASH, f"the agent raised {described(problem)}")
                continue
            yield {
                "task": task,
                "seed": seed,
                "succeeded": episode.succeeded,
                "answer": answer,
                "steps": episode.steps,
                "calls": len(episode.trace),
                "tokens": episode.tokens,
                "errors": episode.errors,
                "approvals": episode.approvals,
                "done": episode.done,
                "kind": OK,
                "why": "",
            }

    def ended(self, unit: Unit, kind: str, reason: str) -> Row:
        row: Row = dict.fromkeys(("steps", "calls", "tokens", "errors", "approvals"), 0)
        return {"task": unit[0], "seed": unit[1], "succeeded": False, "answer": "null", **row,
                "done": False, "kind": kind, "why": harmless(f"{kind}: {reason}")}  # fmt: skip

    def lack(self, scenario: Scenario) -> str | None:
        return None if scenario.tasks else "the scenario has no task"
