"""Task and Scenario: tools, world, suite, tasks and agent settings that belong together."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolbench.agent.draws import SEEDS, trace_id
from toolbench.agent.protocol import Agent
from toolbench.agent.seeded import SeededAgent
from toolbench.cases import Case, check_ids
from toolbench.errors import ScenarioError, unknown
from toolbench.outcome import described
from toolbench.table import ToolTable
from toolbench.tools import Tool
from toolbench.values import SCALARS, NotPlain, digest, plain
from toolbench.world import World

if TYPE_CHECKING:
    from toolbench.servers.server import Server

WORLD_METHODS = ("snapshot", "restore", "fingerprint")
AGENT_METHODS = ("begin", "settings")
DEADLINE = 2.0


@dataclass(frozen=True, kw_only=True)
class Task:
    """One job for an agent.

    start: what the agent holds at first, by field name. request: the job in words. answer: the right
    answer, a JSON value. sequence: the right way, as tool names. trace_id: what sets the draws of this task's
    episodes apart from those of other tasks at the same seed.

    >>> Task(id="twice", request="twice 4", start={"x": 4}, answer=8, sequence=["double"]).sequence
    ('double',)
    """

    id: str
    request: str = ""
    start: Mapping[str, Any] = field(default_factory=dict)
    answer: Any = None
    sequence: Sequence[str] = ()
    trace_id: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not self.id:
            raise ScenarioError(f"a task's id is a text that is not empty, not {self.id!r}")
        try:
            object.__setattr__(self, "start", plain(dict(self.start)))
            object.__setattr__(self, "answer", plain(self.answer))
        except (NotPlain, TypeError, ValueError) as problem:
            raise ScenarioError(f"task {self.id}: start and answer are JSON values: {problem}") from None
        if isinstance(self.sequence, str):
            raise ScenarioError(f"task {self.id}: sequence is the text {self.sequence!r}; it is a list of tool names")
        object.__setattr__(self, "sequence", tuple(self.sequence))
        if not all(isinstance(name, str) for name in self.sequence):
            raise ScenarioError(f"task {self.id}: sequence is {list(self.sequence)!r}; it is a list of tool names")
        if not isinstance(self.request, str):
            raise ScenarioError(f"task {self.id}: request is {self.request!r}; it is a text")
        object.__setattr__(self, "trace_id", trace_id(self.id))

    def facts(self) -> list[Any]:
        """What the task is made of, as plain values."""
        return [self.id, self.request, self.start, self.answer, list(self.sequence)]


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """Tools and everything that is needed to measure tests of them.

    tools: a ToolTable, or tools in order. cases: the suite. tasks and agent: the loop. world: makes a fresh
    world each time it is called. base_seed: where `seeds=N` begins. functions: what a catalogue may name.
    deadline: seconds that one case or one episode may take. server: what the tools are on, where they are a server's;
    the world is then the server's, and the deadline one of each call. folder: where it was loaded from, if it was.
    as_read: it is what its folder gives, but for the agent's settings in `altered`; a copy with anything else
    replaced is not.
    """

    name: str
    tools: ToolTable | Iterable[Tool]
    cases: Sequence[Case] = ()
    tasks: Sequence[Task] = ()
    agent: Agent | None = None
    world: Callable[[], Any] = World
    base_seed: int = 0
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    deadline: float = DEADLINE
    server: Server | None = None
    folder: Path | None = None
    as_read: bool = field(default=False, init=False, compare=False, repr=False)
    altered: Mapping[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        table = self.tools if isinstance(self.tools, ToolTable) else ToolTable(self.tools)
        object.__setattr__(self, "tools", table)
        object.__setattr__(self, "cases", tuple(self.cases))
        object.__setattr__(self, "tasks", tuple(self.tasks))
        _check_parts(self)

    @cached_property
    def fresh_world(self) -> Callable[[], Any]:
        """A function that gives a world in its first state each time it is called; see `worlds`."""
        return worlds(self) if self.server is None else self.server.worlds()

    @cached_property
    def restorable(self) -> bool:
        """Whether the scenario has a world of its own whose state can be compared and put back."""
        if self.server is not None:
            return self.server.restorable
        if self.world is World:
            return False
        world = _made_world(self)
        try:
            start, mark = world.snapshot(), world.fingerprint()
            world.restore(start)
            return bool(world.fingerprint() == mark)
        except Exception:  # whatever a state that cannot be copied raises: a lock, a connection, a generator
            return False

    @property
    def suite(self) -> tuple[Case, ...]:
        """The cases that somebody has confirmed: what the tool layer runs."""
        return tuple(case for case in self.cases if case.confirmed)

    @property
    def table(self) -> ToolTable:
        """The defect-free table."""
        assert isinstance(self.tools, ToolTable)
        return self.tools

    def with_agent(self, **settings: Any) -> Scenario:
        """The same scenario with some settings of its seeded agent changed."""
        if not isinstance(self.agent, SeededAgent):
            raise ScenarioError(f"{self.name}: only a seeded agent has the settings {', '.join(settings)}")
        try:
            other = replace(self, agent=replace(self.agent, **settings))
        except TypeError as problem:
            raise ScenarioError(f"{self.name}: the seeded agent's settings: {problem}") from None
        plain_settings = all(type(value) in SCALARS for value in settings.values())
        object.__setattr__(other, "as_read", self.as_read and plain_settings)
        object.__setattr__(other, "altered", {**self.altered, **settings} if other.as_read else {})
        return other

    def machines(self, *tables: ToolTable) -> list[Any]:
        """The machines of the defect-free table, one per task; or of other tables, a list for each of them.

        Tools are called in this process, with no deadline. Raises CannotCompile, which says why there are none.
        """
        from toolbench.agent.building import Builder, without_collection

        with without_collection():
            builder = Builder(self.table, self.agent, self.fresh_world)
            every = [builder.build(table, self.tasks) for table in (tables or (self.table,))]
        return every if tables else every[0]

    def digests(self) -> dict[str, str]:
        """What was measured: 16 hexadecimal digits each for table, suite and agent (with its tasks)."""
        suite = [[c.id, c.tool, c.arguments, None if c.output is ... else [c.output], c.error, c.error_type]
                 for c in self.suite]  # fmt: skip
        agent = None if self.agent is None else plain(dict(self.agent.settings()))
        return {
            "table": self.table.fingerprint(),
            "suite": digest(suite),
            "agent": digest([agent, self.base_seed, [task.facts() for task in self.tasks]]),
        }


def _check_parts(scenario: Scenario) -> None:
    """ScenarioError where the parts do not fit each other."""
    where, table = scenario.name, scenario.table
    if not len(table):
        raise ScenarioError(f"{where}: has no tools")
    for what, kind in (("cases", Case), ("tasks", Task)):
        for item in getattr(scenario, what):
            if not isinstance(item, kind):
                raise ScenarioError(f"{where}: {what} has {item!r} in it; give {kind.__name__}(...)")
    check_ids("case", (case.id for case in scenario.cases), where)
    check_ids("task", (task.id for task in scenario.tasks), where)
    for case in scenario.cases:
        if case.tool not in table:
            raise ScenarioError(f"{where}: case {case.id}: {unknown('tool', case.tool, table)}")
        injected = table[case.tool].inject
        if injected in case.arguments:
            raise ScenarioError(f"{where}: case {case.id}: {injected!r} is injected by the library; leave it out")
    for task in scenario.tasks:
        for name in task.sequence:
            if name not in table:
                raise ScenarioError(f"{where}: task {task.id}: sequence: {unknown('tool', name, table)}")
    _check_agent(scenario)
    _check_settings(scenario)


def _check_agent(scenario: Scenario) -> None:
    where, agent = scenario.name, scenario.agent
    if agent is None:
        if scenario.tasks:
            raise ScenarioError(f"{where}: has tasks and no agent; give agent = SeededAgent(...)")
        return
    if isinstance(agent, type) or not all(callable(getattr(agent, name, None)) for name in AGENT_METHODS):
        raise ScenarioError(f"{where}: agent is {agent!r}, which has no begin() and settings(); give SeededAgent(...)")
    if isinstance(agent, SeededAgent):
        for key, names in (("results", agent.results), ("copies", agent.copies)):
            for name in names:
                if name not in scenario.table:
                    raise ScenarioError(f"{where}: agent.{key}: {unknown('tool', name, scenario.table)}")


def _check_settings(scenario: Scenario) -> None:
    where, seed = scenario.name, scenario.base_seed
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < SEEDS:
        raise ScenarioError(f"{where}: base_seed is {seed!r}; it is a whole number from 0 to {SEEDS - 1}")
    if not isinstance(scenario.deadline, int | float) or not 0 < scenario.deadline < float("inf"):
        raise ScenarioError(f"{where}: deadline is {scenario.deadline!r}; it is a number of seconds above 0")
    if not callable(scenario.world):
        raise ScenarioError(f"{where}: world is {scenario.world!r}; it is a function that makes a fresh World")


def _made_world(scenario: Scenario) -> Any:
    """A world made anew; ScenarioError when that fails, or what the scenario makes is no world."""
    try:
        world = scenario.world()
    except Exception as problem:
        last = traceback.extract_tb(problem.__traceback__)[-1]
        where = f"{last.filename}, line {last.lineno}"
        raise ScenarioError(f"{scenario.name}: world() raised {described(problem)} ({where})") from None
    missing = [name for name in WORLD_METHODS if not callable(getattr(world, name, None))]
    if missing:
        raise ScenarioError(
            f"{scenario.name}: world() gave a {type(world).__name__} without {', '.join(missing)}; return a World"
        )
    return world


def worlds(scenario: Scenario) -> Callable[[], Any]:
    """A function that gives a world in its first state each time it is called.

    One world is made and put back each time; a world that cannot be copied or compared is made anew instead.
    ScenarioError when `restore` does not bring the first state back.
    """
    world = _made_world(scenario)
    another = _made_world(scenario)
    if another is world:
        raise ScenarioError(f"{scenario.name}: world() gives one and the same object twice; it makes a fresh World")
    try:
        start, first, second = world.snapshot(), world.fingerprint(), another.fingerprint()
    except Exception:  # whatever a state that cannot be copied raises: a lock, a connection, a generator
        return lambda: _made_world(scenario)
    if first != second:
        raise ScenarioError(f"{scenario.name}: world() gives another state each time; draw from a fixed seed")
    world.restore(start)
    if world.fingerprint() != first:
        raise ScenarioError(f"{scenario.name}: world.restore() does not bring back what world.snapshot() took")

    def restored() -> Any:
        world.restore(start)
        return world

    return restored
