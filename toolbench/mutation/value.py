"""Operators of class value: the answer is wrong."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from toolbench.errors import CannotApply, unknown
from toolbench.function_source import Edit, source_text
from toolbench.mutation.operator import CLASSES, TEXT, VALUE, DoesNotFit, Example, Operator, Site, takes
from toolbench.mutation.source import read_source, with_edits
from toolbench.mutation.wrap import on_the_way_out
from toolbench.tools import Tool, accepts, tool
from toolbench.values import plain, show


def _copy_field(site: Site, arguments: Mapping[str, Any]) -> Tool:
    source, target = arguments["source"], arguments["target"]
    if source == target:
        raise DoesNotFit(f"source and target are both {source!r}, so nothing would change")

    def change(given: Any) -> Any:
        try:
            value = plain(given)
        except Exception:  # no answer for any agent; the call itself will say so
            return given
        if not isinstance(value, dict):
            site.landing.missed = f"the output of {site.tool.name} is {show(value, 40)}, which has no fields"
            return given
        if "error" in value and not site.tool.elsewhere:
            return given
        for name in (source, target):
            if name not in value:
                site.landing.missed = unknown(f"output field of {site.tool.name}", name, value)
                return given
        site.landing.hits += 1
        return {**value, target: value[source]}

    return on_the_way_out(site, change)


def _replace_constant(site: Site, arguments: Mapping[str, Any]) -> Tool:
    old, new = arguments["old"], arguments["new"]
    if type(old) is type(new) and old == new:
        raise DoesNotFit(f"old and new are both {old!r}, so nothing would change")
    source = read_source(site.tool)
    found = [node for node in source.nodes() if isinstance(node, ast.expr) and _is_constant(node, old)]
    inside = {id(part) for node in found for part in ast.walk(node) if part is not node}  # the 0.0 of -0.0
    edits = [Edit(node, _spelled(new)) for node in found if id(node) not in inside]
    if not edits:
        where = f"the body of {site.tool.name} (defaults and f-strings are not searched)"
        raise CannotApply(f"the constant {old!r} does not occur in {where}")
    return with_edits(site.tool, source, edits)


def _is_constant(node: ast.expr, value: Any) -> bool:
    """Whether an expression is this constant; a number below 0 is a minus sign and a number."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(value, int | float):
        return not isinstance(value, bool) and _is_constant(node.operand, -value)
    return isinstance(node, ast.Constant) and type(node.value) is type(value) and bool(node.value == value)


def _spelled(value: Any) -> str:
    """A constant as source text that can stand anywhere in an expression."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"float({str(value)!r})"
    return f"({value!r})" if isinstance(value, int | float) and value < 0 else repr(value)


def _other_function(site: Site, arguments: Mapping[str, Any]) -> Tool:
    name = arguments["function"]
    if name not in site.functions:
        raise DoesNotFit(unknown("function", name, site.functions))
    function = site.functions[name]
    injected = site.tool.inject
    if injected is not None and not accepts(function, injected):
        raise DoesNotFit(f"the function {name} has no parameter {injected!r}, which {site.tool.name} is given")
    return replace(site.tool, function=function, source=source_text(function))


@tool(schema=["shelf"])
def _stock(shelf: str = "A") -> dict[str, Any]:
    return {"shelf": shelf, "wanted": 5, "there": 3}


@tool(schema=["miles"])
def _kilometres(miles: float) -> dict[str, Any]:
    return {"miles": miles, "kilometres": miles * 1.609}


@tool(schema=["grams"])
def _postage(grams: int) -> dict[str, Any]:
    return {"cents": 85 if grams <= 20 else 160}


def _flat_postage(grams: int) -> dict[str, Any]:
    return {"cents": 85}


SCALAR = {"type": ["number", "string", "boolean", "null"]}

COPY_FIELD = Operator(
    name="copy_field",
    classes=(VALUE,),
    fault="A field shows another field's value, as after a slip in a mapping or a stale cache.",
    arguments=takes(source=TEXT, target=TEXT),
    apply=_copy_field,
    describe=lambda a: f"on the way out: {a['target']} takes the value of {a['source']}",
    examples=(
        Example(
            _stock, {"source": "wanted", "target": "there"}, call={"shelf": "B"},
            before={"shelf": "B", "wanted": 5, "there": 3}, after={"shelf": "B", "wanted": 5, "there": 5},
        ),
        Example(
            _kilometres, {"source": "miles", "target": "kilometres"}, call={"miles": 2},
            before={"miles": 2, "kilometres": 3.218}, after={"miles": 2, "kilometres": 2},
        ),
    ),
)  # fmt: skip

REPLACE_CONSTANT = Operator(
    name="replace_constant",
    classes=(VALUE,),
    fault="A number or text in the code is the wrong one: a limit, a factor, a price.",
    arguments=takes(old=SCALAR, new=SCALAR),
    apply=_replace_constant,
    examples=(
        Example(
            _postage, {"old": 160, "new": 100}, call={"grams": 21}, before={"cents": 160}, after={"cents": 100},
        ),
        Example(
            _kilometres, {"old": 1.609, "new": 1.852}, call={"miles": 1},
            before={"miles": 1, "kilometres": 1.609}, after={"miles": 1, "kilometres": 1.852},
        ),
    ),
)  # fmt: skip

FUNCTION = Operator(
    name="function",
    classes=CLASSES[:2],
    fault="The function does something else: any fault that no operator describes, written out.",
    arguments=takes(function=TEXT),
    apply=_other_function,
    examples=(
        Example(
            _postage, {"function": "flat"}, call={"grams": 500}, before={"cents": 160}, after={"cents": 85},
            functions={"flat": _flat_postage},
        ),
        Example(
            _kilometres, {"function": "nautical"}, call={"miles": 1},
            before={"miles": 1, "kilometres": 1.609}, after={"kilometres": 1.852},
            functions={"nautical": lambda miles: {"kilometres": miles * 1.852}},
        ),
    ),
)  # fmt: skip

OPERATORS = (COPY_FIELD, REPLACE_CONSTANT, FUNCTION)
