"""Damage in the source: edits of a function's own text, compiled in memory, its file untouched."""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from toolbench.errors import CannotApply
from toolbench.tools import Tool

Function = ast.FunctionDef | ast.AsyncFunctionDef
LAZY_ANNOTATIONS = 0x1000000  # __future__.annotations.compiler_flag


@dataclass(frozen=True)
class Edit:
    """One replacement in a function's text: the node that goes, and the text in its place."""

    node: ast.expr
    text: str


@dataclass(frozen=True)
class Source:
    """A function's text as it stands in its file, from its `def` on, and that text's syntax tree."""

    text: str
    tree: Function

    def nodes(self) -> Iterator[ast.AST]:
        """The nodes of the body in the order of the text, without the inside of f-strings (not placed exactly)."""
        found = [node for statement in self.tree.body for node in ast.walk(statement)]
        inside = {id(part) for node in found if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
        found = [node for node in found if id(node) not in inside]
        return iter(sorted(found, key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))))

    def edited(self, edits: list[Edit]) -> str:
        """The text with the edits made; they must not overlap."""
        lines = [line.encode() for line in self.text.splitlines(keepends=True)]  # ast counts in bytes
        for edit in sorted(edits, key=lambda e: (e.node.lineno, e.node.col_offset), reverse=True):
            first, last = edit.node.lineno - 1, (edit.node.end_lineno or 0) - 1
            head, tail = lines[first][: edit.node.col_offset], lines[last][edit.node.end_col_offset :]
            lines[first : last + 1] = [head + edit.text.encode() + tail]
        return b"".join(lines).decode()


def source_text(function: Callable[..., Any]) -> str | None:
    """The text of a function, from its `def` on, as it would stand in a module; None if there is none."""
    source = _source(function)
    return None if source is None else textwrap.dedent(source.text)


def _source(function: Callable[..., Any]) -> Source | None:
    try:
        text = inspect.getsource(function)
        tree = _tree(text)
        if tree is None:
            return None
        text = "".join(text.splitlines(keepends=True)[tree.lineno - 1 :])  # without the decorators
        tree = _tree(text)
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    return None if tree is None else Source(text, tree)


def _tree(text: str) -> Function | None:
    """The syntax tree of a function's text, indented or not: taking the indentation away would change its texts."""
    if not text[:1].isspace():
        tree = ast.parse(text).body[0]
    else:
        block = ast.parse(f"if True:\n{text}").body[0]
        assert isinstance(block, ast.If)
        tree = ast.increment_lineno(block.body[0], -1)
    return tree if isinstance(tree, Function) else None


def read_source(tool: Tool) -> Source:
    """The source of a tool's function; CannotApply says why there is none."""
    function = tool.function
    if not isinstance(function, types.FunctionType):
        raise CannotApply(f"{tool.name} is a {type(function).__name__}, not a Python function with a source")
    source = _source(inspect.unwrap(function))
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
    definition = _tree(text)
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
