"""Damage in the source: edits of a function's own text, compiled in memory, its file untouched."""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from dataclasses import replace

from toolbench.errors import CannotApply
from toolbench.function_source import Edit, Function, Source, function_source, syntax_tree
from toolbench.tools import Tool

LAZY_ANNOTATIONS = 0x1000000  # __future__.annotations.compiler_flag


def read_source(tool: Tool) -> Source:
    """The source of a tool's function; CannotApply says why there is none."""
    function = tool.function
    if tool.elsewhere:
        raise CannotApply(f"{tool.name} runs elsewhere; its source is not here")
    if not isinstance(function, types.FunctionType):
        raise CannotApply(f"{tool.name} is a {type(function).__name__}, not a Python function with a source")
    source = function_source(inspect.unwrap(function))
    if source is None:
        raise CannotApply(f"the source of {tool.name} cannot be read")
    if inspect.unwrap(function) is not function:
        raise CannotApply(f"{tool.name} is wrapped by a decorator; its source is not what is called")
    return source


def with_edits(tool: Tool, source: Source, edits: list[Edit]) -> Tool:
    """The tool with its function compiled from the edited text, in the module and closure of the original."""
    text = source.edited(edits)
    function = tool.function
    assert isinstance(function, types.FunctionType)
    definition = syntax_tree(text)
    assert definition is not None
    free = function.__code__.co_freevars
    code = _compiled(definition, free, function.__code__.co_flags & LAZY_ANNOTATIONS)
    closure = tuple(dict(zip(free, function.__closure__ or (), strict=True))[name] for name in code.co_freevars)
    damaged = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    damaged.__kwdefaults__ = function.__kwdefaults__
    damaged.__qualname__, damaged.__module__ = function.__qualname__, function.__module__
    return replace(tool, function=damaged, source=textwrap.dedent(text))


def _compiled(definition: Function, free: tuple[str, ...], flags: int) -> types.CodeType:
    """The code object of one function, with the names in `free` taken from a closure; nothing is executed.

    flags: of the `from __future__` import that the function's own file has; this file's would hold otherwise.
    """
    outer = ast.parse(f"def outer({', '.join(free)}): pass")
    enclosing = outer.body[0]
    assert isinstance(enclosing, ast.FunctionDef)
    # A name that is no captured one is a global, the function's own included: it may call itself.
    own = [] if definition.name in free else [ast.Global(names=[definition.name])]
    enclosing.body = [*own, definition]
    ast.fix_missing_locations(outer)
    compiled = compile(outer, f"<damaged {definition.name}>", "exec", flags=flags, dont_inherit=True)
    return _code_named(_code_named(compiled, "outer"), definition.name)


def _code_named(code: types.CodeType, name: str) -> types.CodeType:
    """The code of a function defined within another, however deep (a generic one stands in a scope of its own)."""
    waiting = [code]
    while waiting:
        inner = [constant for constant in waiting.pop(0).co_consts if isinstance(constant, types.CodeType)]
        for constant in inner:
            if constant.co_name == name:
                return constant
        waiting += inner
    raise CannotApply(f"the code of {name} is not where it was expected")
