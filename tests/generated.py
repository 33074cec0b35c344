"""Scenarios made up by Hypothesis, for laws that hold for every scenario; and seeds whose draws are wanted ones.

A tool's behaviour is a small table: what it reads (arguments as they came, parts of the world) picks one of its
outcomes. Values and world states are few, so that the states that an episode can reach stay few.
"""

import zlib
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

import toolbench as tb
from toolbench.agent.building import Builder
from toolbench.agent.draws import FACTOR, MIX, SEEDS, STEP
from toolbench.agent.machine import below, chances
from toolbench.errors import CannotCompile

LAST = SEEDS - 1
NAMES = ("ask", "book", "count", "drop", "enter", "find")
FIELDS = ("a", "b", "c", "result", "value")
PARTS = ("number", "kept", "log")
MOST_NODES = 3000
VALUES = (0, 1, True, False, 1.0, -0.0, 0.0, float("nan"), "a", "", None, 2**40, [], [1, [True]], [float("nan")],
          {"k": -0.0}, {"k": {"l": None}, "j": 1}, {"j": 1, "k": {"l": None}})  # fmt: skip
PROBABILITIES = (0.5, 0.8, 0.34, 0, 1, 0.0, 1.0, 2**-32, 1 - 2**-32, 1 - 2**-33, 1e-12, 1 - 1e-12, 5e-324)


@dataclass(frozen=True)
class Behaviour:
    """What a tool does: the parts of arguments and world that it reads pick an outcome.

    outcomes: (what it does to the world, how it ends, with what).
    """

    reads: tuple[str, ...]
    outcomes: tuple[tuple[str, str, Any], ...]

    def __call__(self, arguments, world):
        seen = [arguments.get(name, "absent") for name in self.reads if name in FIELDS]
        if world is not None:
            seen += [world.state[part] for part in self.reads if part in PARTS]
        change, how, what = self.outcomes[zlib.crc32(repr(seen).encode()) % len(self.outcomes)]
        if world is not None:
            changed(world.state, change, arguments)
        if how == "error":
            return {"error": what}
        if how == "raise":
            raise tb.ToolError(str(what))
        if how == "crash":
            raise RuntimeError(str(what))
        if how == "echo":
            return {what[1]: arguments.get(what[0]), "n": world and world.state["number"]}
        return what


def changed(state, change, arguments):
    """Change a world's state; it stays one of a few."""
    if change == "bump":
        state["number"] = (state["number"] + 1) % 3
    elif change == "keep":
        state["kept"].update({name: arguments[name] for name in ("a", "c", "value") if name in arguments})
    elif change == "take" and state["kept"]:
        state["number"] = 0
        state["kept"].popitem()  # the name that was kept last: worlds have an order, too
    elif change == "log":
        state["log"] = [*state["log"], sorted(arguments)][-1:]


@dataclass(frozen=True)
class Generated:
    """A scenario's parts: its table, damaged copies of it, tasks and agent."""

    table: tb.ToolTable
    damaged: tuple[tb.ToolTable, ...]
    tasks: tuple[tb.Task, ...]
    agent: tb.SeededAgent

    def world(self):
        return tb.World(state={"number": 0, "kept": {}, "log": []}, given={"facts": [1]})

    def at_most(self, budget):
        """The same with no larger budget than this."""
        return replace(self, agent=replace(self.agent, budget=min(budget, self.agent.budget)))

    def machines(self):
        """The machines of all tables, the defect-free one first; an example with too many states does not count."""
        builder = Builder(self.table, self.agent, self.world, most_nodes=MOST_NODES)
        try:
            return [builder.build(table, self.tasks) for table in (self.table, *self.damaged)]
        except CannotCompile as problem:
            if "states can be reached" in str(problem):
                reject()
            raise


def made(name, fields, behaviour, *, inject, side_effect=False):
    """A tool of a behaviour, with or without the world."""

    def alone(**arguments):
        return behaviour(arguments, None)

    def there(world, **arguments):
        return behaviour(arguments, world)

    definition = tb.Definition(name, fields, side_effect=side_effect)
    return tb.Tool(definition, there if inject else alone, inject="world" if inject else None)


values = st.sampled_from(VALUES)
outputs = st.one_of(st.dictionaries(st.sampled_from((*FIELDS, "x")), values, max_size=3), values)
endings = st.one_of(
    st.tuples(st.just("return"), outputs),
    st.tuples(st.just("return"), st.dictionaries(st.sampled_from(FIELDS), values, min_size=1, max_size=2)),
    st.tuples(st.just("echo"), st.tuples(st.sampled_from(FIELDS), st.sampled_from(FIELDS))),
    st.tuples(st.sampled_from(("error", "raise", "crash")), st.sampled_from(("no", ""))),
)
outcomes = st.builds(
    lambda change, ending: (change, *ending), st.sampled_from(("", "", "bump", "keep", "take", "log")), endings
)
behaviours = st.builds(
    Behaviour,
    st.lists(st.sampled_from((*FIELDS, *PARTS)), min_size=2, max_size=5, unique=True).map(tuple),
    st.lists(outcomes, min_size=3, max_size=6).map(tuple),
)
fields = st.one_of(
    st.lists(st.sampled_from(FIELDS), max_size=1), st.lists(st.sampled_from(FIELDS), min_size=2, unique=True)
)


def tools(name):
    return st.builds(made, st.just(name), fields, behaviours, inject=st.booleans(), side_effect=st.booleans())


@st.composite
def damages(draw, table):
    """A copy of a table: a tool that behaves or is declared otherwise, is gone, or stands elsewhere."""
    name = draw(st.sampled_from(list(table)))
    kind = draw(st.sampled_from(("tool", "tool", "declared", "gone", "order")))
    if kind == "order":
        return tb.ToolTable([*table.values()][::-1])
    if kind == "gone" and len(table) > 1:
        return table.without(name)
    if kind == "declared":
        old = table[name]
        definition = tb.Definition(name, draw(fields), side_effect=old.definition.side_effect)
        return table.replace(replace(old, definition=definition))
    return table.replace(draw(tools(name)))


@st.composite
def agents(draw, names):
    probabilities = st.one_of(st.sampled_from(PROBABILITIES[:3]), st.sampled_from(PROBABILITIES), st.floats(0, 1))
    field = st.sampled_from(FIELDS)
    copies = st.dictionaries(field, field, min_size=1, max_size=3)  # {"a": "result", "b": "a"} is a chain
    tool = st.sampled_from((*names, "gone"))
    return tb.SeededAgent(
        budget=draw(st.sampled_from((4, 5, 6, 1, 2, 3, 7, 8, 12))),
        first=draw(probabilities),
        fall=draw(st.sampled_from((0, 0.09, 0.3, -0.25, -5))),
        least=draw(probabilities),
        stop=draw(probabilities),
        results=draw(st.dictionaries(tool, st.sampled_from((*FIELDS, "x")), max_size=4)),
        copies=draw(st.dictionaries(tool, copies, max_size=2)),
        tokens=draw(st.builds(tb.Tokens, **dict.fromkeys(("step", "history", "call", "critique"), st.integers(0, 90)))),
        self_critique=draw(st.booleans()),
        approval=draw(st.booleans()),
    )


@st.composite
def scenarios(draw, most_tools=6, damaged=0):
    """A table of one tool or more, as many damaged copies as wanted, one to three tasks, and an agent."""
    names = NAMES[: draw(st.sampled_from(range(most_tools, 0, -1)))]
    table = tb.ToolTable([draw(tools(name)) for name in names])
    sequences = st.lists(st.sampled_from(names), max_size=4)
    if draw(st.integers(0, 5)) == 0:
        sequences = st.lists(st.sampled_from((*names, "gone")), max_size=4)
    tasks = tuple(
        tb.Task(
            id=f"task {number}",
            start=draw(st.dictionaries(st.sampled_from(FIELDS), values, max_size=3)),
            answer=draw(values),
            sequence=draw(sequences),
        )
        for number in range(draw(st.integers(1, 3)))
    )
    copies = tuple(draw(damages(table)) for _ in range(damaged))
    return Generated(table, copies, tasks, draw(agents(names)))


# --- seeds whose draws are wanted ones ----------------------------------------------------------------------------


def seed_of(draw, trace_id, number=0):
    """The seed at which the draw of this number (the first is 0) of a task is `draw` / 2^32."""
    x = draw
    for _ in range(number + 1):
        x = (x - STEP) * pow(FACTOR, -1, SEEDS) % SEEDS
    for shift, factor in reversed(MIX):
        x = x * pow(factor, -1, SEEDS) % SEEDS
        unshifted = x
        while (rest := unshifted ^ (unshifted >> shift) ^ x) != 0:
            unshifted ^= rest
        x = unshifted
    return x ^ trace_id


def boundaries(machine, agent):
    """Draws at which the agent's choice changes, and the draws just before."""
    limits = [0, SEEDS, *map(below, chances(agent, machine))]
    limits += [-(-SEEDS * number // machine.tools) for number in range(1, machine.tools)]
    return sorted({draw for limit in limits for draw in (limit - 1, limit) if 0 <= draw <= LAST})


def boundary_seeds(machine, agent):
    """Seeds at which one of the first draws of a task lies at a boundary, and the least and the largest seed."""
    numbers = range(min(2 * agent.budget, 4))
    wanted = boundaries(machine, agent)
    return [0, LAST, *(seed_of(draw, machine.trace_id, number) for number in numbers for draw in wanted)]


# --- counts -------------------------------------------------------------------------------------------------------


def near(count, probability, number):
    """Whether a count of many lies within five sigma, and a few more where hardly any are expected."""
    return abs(count - number * probability) <= 5 * sqrt(number * probability * (1 - probability)) + 12
