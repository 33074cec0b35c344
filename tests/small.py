"""Tables of a tool or two, written in a line, and their machines."""

import toolbench as tb
from toolbench.agent.building import Builder

AGENT = tb.SeededAgent(budget=5, first=0.6, stop=0.8, results={"one": "x", "two": "x"})


def table_of(*functions, inject=None, fields=("x",)):
    return tb.ToolTable([tb.tool(function, schema=list(fields), inject=inject) for function in functions])


def tasks_of(*sequence, start=None, answer=None, number=2):
    start = {"x": 1} if start is None else start
    return [tb.Task(id=f"T{i}", sequence=sequence, start=start, answer=answer) for i in range(number)]


def build(table, tasks, agent=AGENT, world=tb.World, **settings):
    return Builder(table, agent, world, **settings).build(table, tasks)


def two(x=None, **_):
    return {"x": 2}


def facts(machines):
    return repr([machine.facts() for machine in machines])
