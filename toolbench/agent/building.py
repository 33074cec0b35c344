"""Building machines: from each state, every call that an episode could make there.

Tools that answer the same call differently, or have a memory or a generator of their own, are found out by a second
round of calls in reverse order, and by a few episodes that are really walked.
"""

from __future__ import annotations

import gc
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from toolbench.agent.calls import DRAWS, NOTHING, NOWHERE, Calls, End, State, moved, randomness
from toolbench.agent.machine import Machine, check_agent, taken
from toolbench.agent.replay import replay
from toolbench.agent.seeded import RESULT
from toolbench.agent.walk import Episode, walk
from toolbench.errors import CannotCompile
from toolbench.outcome import Ended
from toolbench.values import canonical, equal

if TYPE_CHECKING:
    from toolbench.scenario import Task
    from toolbench.table import ToolTable
    from toolbench.tools import Tool

MOST_NODES = 50_000
REHEARSED = (1, 2)  # seeds; the second with the first table only

Step = tuple[int, bool, End | None]  # where a call leads, whether it was an error, how it ended the episode
Move = tuple[int, int, bool, End | None]  # the same, with state and world in place of the node


@dataclass
class _Nodes:
    """The nodes of one task, whatever the table: (state, position, world), each a number. And what is known of tools
    by their id() and name: what a call does to a state and world, whatever the position, and to a node."""

    numbers: dict[tuple[int, int, int], int] = field(default_factory=dict)
    parts: list[tuple[int, int, int]] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    moves: dict[tuple[int, str], dict[tuple[int, int], Move]] = field(default_factory=dict)
    steps: dict[tuple[int, str], dict[int, Step]] = field(default_factory=dict)
    first: tuple[Machine, list[int], list[Tool | None]] | None = None  # of the first table: its nodes, its tools
    _states: dict[frozenset[tuple[str, int]], int] = field(default_factory=dict)

    def state(self, held: State) -> int:
        number = self._states.setdefault(frozenset(held.items()), len(self.states))
        if number == len(self.states):
            self.states.append(held)
        return number

    def node(self, state: int, position: int, world: int) -> int:
        parts = state, position, world
        number = self.numbers.setdefault(parts, len(self.parts))
        if number == len(self.parts):
            self.parts.append(parts)
        return number


class Builder:
    """Builds the machines of tables that share tools, tasks and an agent.

    base: the defect-free table. fresh: a function that gives a fresh or restored world. most_nodes: over all tasks of
    a table. about_to_call, ends: see `toolbench.agent.calls.Calls`.
    """

    def __init__(
        self,
        base: ToolTable,
        agent: object,
        fresh: Callable[[], Any],
        *,
        most_nodes: int = MOST_NODES,
        about_to_call: Callable[[int], None] | None = None,
        ends: Mapping[int, End] | None = None,
    ):
        self._base, self._agent, self._most_nodes = base, check_agent(agent), most_nodes
        self._tools: list[Tool] = [*base.values()]  # kept, so that no other gets the same id()
        self._nodes: dict[tuple[str, Sequence[str], frozenset[str]], _Nodes] = {}
        self._machines: dict[str, list[Machine]] = {}
        self.calls = Calls(fresh, about_to_call, ends)

    def build_with(self, ends: Mapping[int, End], table: ToolTable, tasks: Sequence[Task]) -> list[Machine]:
        """`build`, with calls whose end is known."""
        self.calls.ends = ends
        return self.build(table, tasks)

    def build(self, table: ToolTable, tasks: Sequence[Task]) -> list[Machine]:
        """The machines of a table, one per task; CannotCompile says why there are none.

        A machine that was made before, of another table, comes back as the same object.
        """
        if not len(table):
            raise CannotCompile("the table has no tools")
        with without_collection():
            before = randomness()
            live, left = self._live(table), self._most_nodes
            machines = []
            for task in tasks:
                machine = self._machine(table, task, live, left)
                left -= len(machine)
                machines.append(self._shared(machine))
            self.calls.check(table.values())
            for task, machine in zip(tasks, machines, strict=True):
                self._rehearse(table, task, machine)
            if moved(before):
                raise CannotCompile(f"a tool {DRAWS}")
            return machines

    def _live(self, table: ToolTable) -> frozenset[str]:
        """The fields that some call or the answer may still read: states that differ in others are one state.

        A field that is copied over before each call that reads it is not. What the defect-free table reads counts
        too, so that the states of other tables are the same ones.
        """
        read = {RESULT}
        for tool in (*self._base.values(), *table.values()):
            read.update(set(tool.definition.fields) - set(self._agent.copies.get(tool.name, ())))
        for copies in self._agent.copies.values():
            read.update(copies.values())
        return frozenset(read)

    def _machine(self, table: ToolTable, task: Task, live: frozenset[str], most_nodes: int) -> Machine:
        """Breadth first from the start state, as deep as the budget."""
        nodes = self._nodes.setdefault((task.id, task.sequence, live), _Nodes())
        names = [*table.definitions.names, *dict.fromkeys(name for name in task.sequence if name not in table)]
        tools = [table.get(name) for name in names]
        self._tools += [tool for tool in tools if tool is not None]
        blank = Machine(
            task=task.id,
            trace_id=task.trace_id,
            actions=tuple(names),
            tools=len(table),
            asks=tuple(bool(tool is not None and tool.definition.side_effect) for tool in tools),
            way=tuple(map(names.index, task.sequence)),
        )
        wanted = taken(self._agent, blank)
        known = [nodes.steps.setdefault((id(tool), name), {}) for tool, name in zip(tools, names, strict=True)]
        if nodes.first is not None and self._is_like(nodes, blank, tools, wanted, task, live):
            return nodes.first[0]
        start = {name: self.calls.number_of(value) for name, value in task.start.items()}
        held = nodes.state({name: start[name] for name in start if name in live})
        order = [nodes.node(held, 0, self.calls.start)]
        local = {order[0]: 0}
        following: list[tuple[int, ...]] = []
        failed: list[tuple[bool, ...]] = []
        ends: dict[End, int] = {}
        for _ in range(self._agent.budget):
            layer = order[len(following) :]
            for node in layer:
                leads, fails = [0] * len(names), [False] * len(names)
                for number in wanted[nodes.parts[node][1]]:
                    step = known[number].get(node)
                    if step is None:
                        step = known[number][node] = self._step(nodes, node, tools[number], names[number], task, live)
                    to, fails[number], end = step
                    if end is not None:
                        leads[number] = -1 - ends.setdefault(end, len(ends))
                        continue
                    found = local.get(to)
                    if found is None:
                        found = local[to] = len(order)
                        order.append(to)
                    leads[number] = found
                following.append(tuple(leads))
                failed.append(tuple(fails))
                if len(order) > most_nodes:
                    what = f"more than {self._most_nodes:,} states can be reached"
                    raise CannotCompile(f"{what}, the last in task {task.id}")
        at_last = len(order) - len(following)  # reached with the budget's last step, so nothing follows
        answers: dict[int, int] = {}
        ending = [nodes.states[nodes.parts[node][0]].get(RESULT, NOTHING) for node in order]
        answer = tuple([answers.setdefault(number, len(answers)) for number in ending])
        values = tuple([self.calls.values[number] for number in answers])
        machine = replace(
            blank,
            positions=tuple([nodes.parts[node][1] for node in order]),
            next=(*following, *((0,) * len(names),) * at_last),
            failed=(*failed, *((False,) * len(names),) * at_last),
            answer=answer,
            answers=values,
            right=tuple([equal(value, task.answer) for value in values]),
            ends=tuple(ends),
        )
        if nodes.first is None:
            nodes.first = machine, order[: len(following)], tools
        return machine

    def _is_like(
        self,
        nodes: _Nodes,
        blank: Machine,
        tools: Sequence[Tool | None],
        wanted: Sequence[tuple[int, ...]],
        task: Task,
        live: frozenset[str],
    ) -> bool:
        """Whether every call that could be made with the first table does the same with these tools."""
        assert nodes.first is not None
        machine, order, before = nodes.first
        if (blank.actions, blank.tools, blank.asks) != (machine.actions, machine.tools, machine.asks):
            return False
        others = [number for number, tool in enumerate(tools) if tool is not before[number]]
        for node in order:
            for number in others:
                if number in wanted[nodes.parts[node][1]]:
                    name = blank.actions[number]
                    was = nodes.steps[id(before[number]), name][node]
                    steps = nodes.steps[id(tools[number]), name]
                    if node not in steps:
                        steps[node] = self._step(nodes, node, tools[number], name, task, live)
                    if steps[node] != was:
                        return False
        return True

    def _step(self, nodes: _Nodes, node: int, tool: Tool | None, name: str, task: Task, live: frozenset[str]) -> Step:
        """What the walk does at a step: the agent's copies, the call, and what becomes of its outcome."""
        state, position, world = nodes.parts[node]
        moves = nodes.moves.setdefault((id(tool), name), {})
        where = world if tool is not None and tool.inject is not None else NOWHERE
        move = moves.get((state, where))
        if move is None:
            move = moves[state, where] = self._move(nodes, state, where, tool, name, live)
        to, after, failed, end = move
        if end is not None:
            return 0, True, end
        if not failed and position < len(task.sequence) and name == task.sequence[position]:
            position += 1
        return nodes.node(to, position, world if after == NOWHERE else after), failed, None

    def _move(self, nodes: _Nodes, number: int, world: int, tool: Tool | None, name: str, live: frozenset[str]) -> Move:
        held = nodes.states[number]
        if name in self._agent.copies:
            copied = dict(held)
            for target, origin in self._agent.copies[name].items():
                copied[target] = copied.get(origin, NOTHING)
            held = copied
            number = nodes.state({name: copied[name] for name in copied if name in live})
        if tool is None:
            return number, NOWHERE, True, None
        effect = self.calls.effect(tool, held, world)
        if effect.failed or effect.end is not None:
            return number, effect.world, True, effect.end
        state = {**nodes.states[number], **{name: value for name, value in effect.fields.items() if name in live}}
        if name in self._agent.results:
            state[RESULT] = effect.fields.get(self._agent.results[name], NOTHING)
        return nodes.state(state), effect.world, False, None

    def _shared(self, machine: Machine) -> Machine:
        known = self._machines.setdefault(machine.task, [])
        for other in known:
            if other == machine and all(map(operator.is_, other.answers, machine.answers)):  # 1 == True
                return other
        known.append(machine)
        return machine

    def _rehearse(self, table: ToolTable, task: Task, machine: Machine) -> None:
        """Walk a few episodes for real: CannotCompile where the machine foresees another."""
        for seed in REHEARSED if table is self._base else REHEARSED[:1]:
            foreseen = replay(machine, self._agent, seed)
            if foreseen.end is not None:
                continue
            where = f"task {task.id} at seed {seed}"
            end = self.calls.announce()
            if end is not None:
                raise CannotCompile(f"{where} did not come to its end: {end[1]}")
            try:
                episode = walk(table, task, self._agent, seed, self.calls.fresh_world())
            except Ended as ended:
                raise CannotCompile(f"{where} did not come to its end: {ended.reason}") from None
            except KeyboardInterrupt:  # raised by a tool that did not do so when it was called by itself
                raise CannotCompile(f"{where} did not come to its end: KeyboardInterrupt") from None
            finally:
                self.calls.over()
            if _told(episode) != _told(foreseen.episode):
                raise CannotCompile(f"{where} went another way than its calls one by one")


def _told(episode: Episode) -> tuple[Any, ...]:
    """What an episode comes to; its answer as text, in which 1 is not true and not-a-number is itself."""
    end = episode.end
    return canonical(end.answer), end.done, end.tokens, end.approvals, episode.succeeded, episode.trace


@contextmanager
def without_collection() -> Iterator[None]:
    """No search for garbage: there is none, and it would go through all that was made again and again."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
