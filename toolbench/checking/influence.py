"""Whether a parameter's value can reach anything that a function does: read off its syntax tree, and on the safe side.

A parameter has no influence when its value goes into variables that nobody reads, or decides between branches that
are the same. What is handed to a call that may do something counts as an influence.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from toolbench.function_source import Function

PURE = frozenset("int float str bool len list tuple dict set frozenset min max abs round sorted isinstance sum".split())
ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def influential(tree: Function) -> frozenset[str]:
    """The names whose values can reach an answer, an effect or a decision."""
    reached: set[str] = set()
    flows: list[tuple[set[str], set[str]]] = []
    _block(tree.body, reached, flows)
    growing = True
    while growing:
        growing = False
        for targets, sources in flows:
            if targets & reached and not sources <= reached:
                reached |= sources
                growing = True
    return frozenset(reached)


def _block(statements: list[ast.stmt], reached: set[str], flows: list[tuple[set[str], set[str]]]) -> None:
    for place, statement in enumerate(statements):
        _statement(statement, statements[place + 1 :], reached, flows)


def _statement(
    statement: ast.stmt, rest: list[ast.stmt], reached: set[str], flows: list[tuple[set[str], set[str]]]
) -> None:
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        value = statement.value
        sources = set() if value is None else _names(value)
        reached |= set() if value is None else _handed_on(value)
        for target in targets:
            if isinstance(target, ast.Name):
                flows.append(({target.id}, sources))
            elif isinstance(target, ast.Tuple | ast.List) and all(isinstance(one, ast.Name) for one in target.elts):
                flows.append(({one.id for one in target.elts if isinstance(one, ast.Name)}, sources))
            else:  # a field or an element: somebody may look at it
                reached |= sources | _names(target)
    elif isinstance(statement, ast.If):
        other = statement.orelse or (rest if _always_ends(statement.body) else [])
        assigned = _assigned([*statement.body, *statement.orelse])
        reached |= _handed_on(statement.test)
        if assigned is not None:  # it decides what variables hold, and nothing else
            flows.append((assigned, _names(statement.test)))
        elif _spelt(statement.body) != _spelt(other):
            reached |= _names(statement.test)
        _block(statement.body, reached, flows)
        _block(statement.orelse, reached, flows)
    elif isinstance(statement, ast.Expr):
        reached |= _handed_on(statement.value)
    elif isinstance(statement, ast.Pass):
        return
    else:  # a loop, a return, a try: all that stands in it counts, but for the blocks that are gone through
        blocks = [getattr(statement, name, None) for name in ("body", "orelse", "finalbody")]
        inside = [block for block in blocks if isinstance(block, list) and not isinstance(statement, NESTED)]
        reached |= _names(statement, without={id(one) for block in inside for one in block})
        for block in inside:
            _block(block, reached, flows)


def _names(tree: ast.AST, without: Iterable[int] = ()) -> set[str]:
    """The names that are read in a tree, some of its parts left out."""
    skipped = set(without)
    waiting, found = [tree], set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        waiting += [child for child in ast.iter_child_nodes(node) if id(child) not in skipped]
    return found


def _handed_on(tree: ast.AST) -> set[str]:
    """The names that are read in calls that may do something, in what waits or yields, and in functions made here."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in PURE)
        ) or isinstance(node, ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr | ast.Lambda):
            found |= _names(node)
    return found


def _assigned(statements: list[ast.stmt]) -> set[str] | None:
    """The variables that statements give values to; None where they do anything else."""
    found: set[str] = set()
    for statement in statements:
        if isinstance(statement, ast.Assign) and all(isinstance(one, ast.Name) for one in statement.targets):
            found |= {one.id for one in statement.targets if isinstance(one, ast.Name)}
        elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            found.add(statement.target.id)
        elif not isinstance(statement, ast.Pass):
            return None
    return found


def _always_ends(statements: list[ast.stmt]) -> bool:
    return bool(statements) and isinstance(statements[-1], ENDS)


def _spelt(statements: list[ast.stmt]) -> list[str]:
    """Statements as text, as far as they do anything and are reached."""
    return list(_said(statements))


def _said(statements: list[ast.stmt]) -> Iterator[str]:
    for statement in statements:
        if isinstance(statement, ast.Pass) or (
            isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        ):
            continue
        yield ast.dump(statement)
        if isinstance(statement, ENDS):
            return
