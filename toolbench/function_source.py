"""A function's source: its text as it stands in its file, its syntax tree, and edits of it."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Function = ast.FunctionDef | ast.AsyncFunctionDef


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
    source = function_source(function)
    return None if source is None else textwrap.dedent(source.text)


def function_source(function: Callable[..., Any]) -> Source | None:
    """The source of a function; None if there is none."""
    try:
        text = inspect.getsource(function)
        tree = syntax_tree(text)
        if tree is None:
            return None
        text = "".join(text.splitlines(keepends=True)[tree.lineno - 1 :])  # without the decorators
        tree = syntax_tree(text)
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    # inside a decorator's call stands another function than the one that the lines begin with
    return Source(text, tree) if tree is not None and tree.name == function.__code__.co_name else None


def syntax_tree(text: str) -> Function | None:
    """The syntax tree of a function's text, indented or not: taking the indentation away would change its texts."""
    if not text[:1].isspace():
        tree = ast.parse(text).body[0]
    else:
        block = ast.parse(f"if True:\n{text}").body[0]
        assert isinstance(block, ast.If)
        tree = ast.increment_lineno(block.body[0], -1)
    return tree if isinstance(tree, Function) else None


def lambda_tree(function: Any) -> Function | None:
    """A lambda as the function that it is, where the lines that it stands in have one with these parameters only."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    names = list(inspect.signature(function).parameters)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda) and _parameters(node.args) == names]
    if len(found) != 1:
        return None
    made = ast.parse("def made(): return None").body[0]
    assert isinstance(made, ast.FunctionDef)
    made.args, made.body = found[0].args, [ast.Return(found[0].body)]
    return made


def _parameters(arguments: ast.arguments) -> list[str]:
    """The names of parameters, in the order of a signature."""
    rest, more = ([one.arg] if one else [] for one in (arguments.vararg, arguments.kwarg))
    named = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
    return [*named, *rest, *(one.arg for one in arguments.kwonlyargs), *more]
