"""Operators of class contract: no error where there should be one, or an effect claimed that never happened."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from toolbench.errors import CannotApply
from toolbench.function_source import Edit
from toolbench.mutation.operator import CONTRACT, TEXT, Example, Operator, Site, declared, takes
from toolbench.mutation.source import read_source, with_edits
from toolbench.mutation.wrap import on_the_way_in
from toolbench.tools import Tool, tool


def _fill_missing(site: Site, arguments: Mapping[str, Any]) -> Tool:
    stand_ins = {declared(site, name): value for name, value in arguments["values"].items()}

    def change(given: dict[str, Any]) -> dict[str, Any]:
        missing = {name: deepcopy(value) for name, value in stand_ins.items() if given.get(name) is None}
        return {**given, **missing}

    return on_the_way_in(site, change)


def _drop_guard(site: Site, arguments: Mapping[str, Any]) -> Tool:
    name = declared(site, arguments["field"])
    source = read_source(site.tool)
    edits = []
    for node in source.nodes():
        if isinstance(node, ast.If) and _refuses(node):
            edits += [Edit(test, _never(test)) for test in _operands(node.test) if name in _names(test)]
    if not edits:
        raise CannotApply(
            f"{site.tool.name} has no guard of its own on {name}: an `if` that returns or raises an error"
        )
    return with_edits(site.tool, source, edits)


def _refuses(node: ast.If) -> bool:
    """Whether the body of an `if` reports an error: it raises, or returns a mapping with an `error` key."""
    last = node.body[-1]
    if isinstance(last, ast.Return) and isinstance(last.value, ast.Dict):
        return any(isinstance(key, ast.Constant) and key.value == "error" for key in last.value.keys)
    return isinstance(last, ast.Raise)


def _operands(test: ast.expr) -> list[ast.expr]:
    """The tests that an `or` joins; a test that is no `or` stands alone."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return [operand for joined in test.values for operand in _operands(joined)]
    return [test]


def _never(test: ast.expr) -> str:
    """A test that never holds; one that gives a name its value still does so."""
    assigns = any(isinstance(part, ast.NamedExpr) for part in ast.walk(test))
    return f"(({ast.unparse(test)}) and False)" if assigns else "False"


def _names(test: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}


@tool(schema=["first", "second"])
def _add(first: int | None = None, second: int | None = None) -> dict[str, Any]:
    if first is None or second is None:
        return {"error": "a number is missing"}
    return {"sum": first + second}


@tool(schema=["to", "text"])
def _send(to: str = "", text: str = "") -> dict[str, Any]:
    if not to:
        raise ValueError("nobody to send to")
    return {"sent": True, "to": to}


FILL_MISSING = Operator(
    name="fill_missing",
    classes=(CONTRACT,),
    fault="A default stands in for a field that is missing, where the caller should be told.",
    arguments=takes(values={"type": "object", "minProperties": 1}),
    apply=_fill_missing,
    describe=lambda a: "on the way in: " + ", ".join(f"{n} is {v!r} when missing" for n, v in a["values"].items()),
    examples=(
        Example(
            _add, {"values": {"first": 0}}, call={"second": 4},
            before={"error": "a number is missing"}, after={"sum": 4},
        ),
        Example(
            _send, {"values": {"to": "all"}}, call={"text": "hello"},
            before="ValueError", after={"sent": True, "to": "all"},
        ),
    ),
)  # fmt: skip

DROP_GUARD = Operator(
    name="drop_guard",
    classes=(CONTRACT,),
    fault="The check of a field is gone, so a call that should be refused goes through.",
    arguments=takes(field=TEXT),
    apply=_drop_guard,
    examples=(
        Example(_send, {"field": "to"}, call={"text": "hello"}, before="ValueError", after={"sent": True, "to": ""}),
        Example(
            _add, {"field": "first"}, call={"second": 4}, before={"error": "a number is missing"}, after="TypeError",
        ),
    ),
)  # fmt: skip

OPERATORS = (FILL_MISSING, DROP_GUARD)
