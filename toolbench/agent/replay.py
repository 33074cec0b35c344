"""One episode, read off a machine: the walk without any call. For traces, and to check machines by."""

from __future__ import annotations

from dataclasses import dataclass

from toolbench.agent.draws import draws
from toolbench.agent.machine import Machine, chances
from toolbench.agent.protocol import Stop
from toolbench.agent.seeded import SeededAgent
from toolbench.agent.walk import Episode


@dataclass(frozen=True)
class Replay:
    """An episode, and how it was ended from outside (kind and reason) if it was."""

    episode: Episode
    end: tuple[str, str] | None = None


def replay(machine: Machine, agent: SeededAgent, seed: int) -> Replay:
    """The episode of a seed, as the walk would play it."""
    draw, right = draws(seed ^ machine.trace_id), chances(agent, machine)
    length, costs = len(machine.way), agent.tokens
    node = tokens = approvals = 0
    done, trace = False, []
    for calls in range(agent.budget):
        tokens += costs.step + costs.history * calls
        position = machine.positions[node]
        if draw() < right[position]:
            if position == length:
                done = True
                break
            action = machine.way[position]
        else:
            action = int(draw() * machine.tools)
        failed = machine.failed[node][action]
        approvals += agent.approval and machine.asks[action]
        tokens += costs.call + (costs.critique if failed and agent.self_critique else 0)
        trace.append((machine.actions[action], failed))
        node = machine.next[node][action]
        if node < 0:
            stop = Stop(None, False, tokens, approvals)
            return Replay(Episode(machine.task, seed, False, stop, trace), machine.ends[-1 - node])
    answer = machine.answer[node]
    stop = Stop(machine.answers[answer], done, tokens, approvals)
    return Replay(Episode(machine.task, seed, machine.right[answer], stop, trace))
