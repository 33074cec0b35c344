"""What a function says of its parameters: in its signature, and in its source, which is read and never run."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import FunctionType
from typing import Any

from toolbench.checking.influence import influential
from toolbench.function_source import Function, function_source, lambda_tree, syntax_tree
from toolbench.tools import Tool

Test = tuple[str, str]  # a parameter, and a JSON type (or "null") that the source tests it for
JSON_TYPES: Mapping[str, tuple[str, ...]] = {
    "str": ("string",),
    "int": ("integer",),
    "float": ("number",),
    "bool": ("boolean",),
    "list": ("array",),
    "tuple": ("array",),
    "Sequence": ("array",),
    "dict": ("object",),
    "Mapping": ("object",),
    "MutableMapping": ("object",),
    "NoneType": ("null",),
}
OPAQUE = frozenset({"locals", "vars", "eval", "exec", "globals"})
MOST_LITERALS = 40
CONTAINERS = (dict, list, tuple)
DEEPEST_HELPER = 2
MISSING: Any = inspect.Parameter.empty


@dataclass(frozen=True)
class Parameter:
    """A value that a function takes by name. needed: a call without it fails. default: MISSING where there is none."""

    name: str
    needed: bool
    default: Any = MISSING
    by_position_only: bool = False
    hinted: bool = False  # its name or annotation, or a partial, says that it is not for an agent


@dataclass(frozen=True)
class Source:
    """What a function's signature and source say.

    parameters: what it takes by name, the injected one left out; with **kwargs also the keys that it reads from them.
    takes_any: whether it has **kwargs. readable: whether the source is there and says what is read. read: the
    parameters (and keys) whose value is looked at; reached: those that an answer, an effect or a decision may depend
    on. tests: the types that it tests a parameter for. literals: the values that stand in it; around: those of the
    module's own data that it reads.
    """

    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    takes_any: bool = True
    readable: bool = False
    read: frozenset[str] = frozenset()
    reached: frozenset[str] = frozenset()
    tests: tuple[Test, ...] = ()
    literals: tuple[Any, ...] = ()
    around: tuple[Any, ...] = ()

    def ignores(self, name: str) -> bool:
        """Whether the source says that a field is never looked at, or to no end."""
        return self.readable and (name not in self.reached or name not in self.parameters)


def source_of(tool: Tool) -> Source:
    """What can be known of a tool's function without calling it."""
    function = tool.function
    if tool.elsewhere:  # what is here only passes the call on
        return Source(takes_any=True)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return Source()
    bound = function.keywords if isinstance(function, partial) else {}
    taken = {
        name: Parameter(
            name,
            needed=one.default is MISSING,
            default=one.default,
            by_position_only=one.kind is one.POSITIONAL_ONLY,
            hinted=name.startswith("_") or "Context" in str(one.annotation) or name in bound,
        )
        for name, one in signature.parameters.items()
        if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD) and name != tool.inject
    }
    rest = next((name for name, one in signature.parameters.items() if one.kind is one.VAR_KEYWORD), None)
    inner = inspect.unwrap(function)
    tree = _tree(tool, inner)
    if tree is None:
        code = getattr(inner, "__code__", None)
        literals = tuple(_constants(code)) if code is not None else ()
        return Source(taken, rest is not None, literals=literals)
    keys = _Keys(tree, rest)
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    opaque = bool(OPAQUE & read) or keys.whole
    for name, needed in keys.read.items():
        taken.setdefault(name, Parameter(name, needed))
    return Source(
        taken,
        takes_any=rest is not None,
        readable=not opaque,
        read=frozenset(read) | frozenset(keys.read),
        reached=influential(tree) | frozenset(keys.read),
        tests=tuple(dict.fromkeys(_tests(tree, inner, {name: name for name in taken}, 0))),
        literals=tuple(_literals(tree)),
        around=tuple(_around(read, inner)),
    )


def _tree(tool: Tool, function: Any) -> Function | None:
    if tool.source is not None:
        return syntax_tree(tool.source)
    if not isinstance(function, FunctionType):
        function = getattr(function, "__func__", vars(type(function)).get("__call__"))
    if getattr(function, "__name__", "") == "<lambda>":
        return lambda_tree(function)
    source = function_source(function) if function is not None else None
    return None if source is None else source.tree


class _Keys:
    """The keys that a body reads from its **kwargs, each with whether a call without it fails; or all of them."""

    def __init__(self, tree: Function, rest: str | None):
        self.read: dict[str, bool] = {}
        self.whole = False
        if rest is None:
            return
        for node, above in _with_parents(tree):
            if isinstance(node, ast.Name) and node.id == rest:
                self._use(node, above)

    def _use(self, node: ast.Name, above: list[ast.AST]) -> None:
        parent = above[-1]
        key = _key(parent.slice) if isinstance(parent, ast.Subscript) and parent.value is node else None
        if key is not None:
            self._note(key, needed=isinstance(parent.ctx, ast.Load))  # type: ignore[attr-defined]
        elif isinstance(parent, ast.Attribute) and parent.attr in ("get", "pop", "setdefault"):
            call = above[-2] if len(above) > 1 else None
            key = _key(call.args[0]) if isinstance(call, ast.Call) and call.func is parent and call.args else None
            if key is None:
                self.whole = True
            else:
                assert isinstance(call, ast.Call)
                self._note(key, needed=parent.attr == "pop" and len(call.args) == 1)
        elif isinstance(parent, ast.Compare) and node in parent.comparators and _key(parent.left) is not None:
            self._note(str(_key(parent.left)), needed=False)
        else:
            self.whole = True

    def _note(self, key: str, *, needed: bool) -> None:
        self.read[key] = self.read.get(key, True) and needed


def _key(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _with_parents(tree: ast.AST) -> Iterator[tuple[ast.AST, list[ast.AST]]]:
    waiting: list[tuple[ast.AST, list[ast.AST]]] = [(tree, [])]
    while waiting:
        node, above = waiting.pop()
        yield node, above
        waiting += [(child, [*above, node]) for child in ast.iter_child_nodes(node)]


def _tests(tree: Function, function: Any, names: Mapping[str, str], depth: int) -> Iterator[Test]:
    """The types that a body tests its parameters for; names: its own names for them. Helpers beside it count."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "isinstance" and len(node.args) == 2:
                yield from _of(names, node.args[0], _named_types(node.args[1]))
            elif depth < DEEPEST_HELPER:
                yield from _in_helper(node, node.func.id, function, names, depth)
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = node.left, node.comparators[0]
            if isinstance(right, ast.Constant) and right.value is None:
                yield from _of(names, left, ("null",))
            elif (
                isinstance(left, ast.Call) and isinstance(left.func, ast.Name) and left.func.id == "type" and left.args
            ):
                yield from _of(names, left.args[0], _named_types(right))
        elif isinstance(node, ast.Match):
            yield from _of(names, node.subject, [kind for case in node.cases for kind in _pattern_types(case.pattern)])


def _of(names: Mapping[str, str], node: ast.AST, kinds: Any) -> Iterator[Test]:
    if isinstance(node, ast.Name) and node.id in names:
        yield from ((names[node.id], kind) for kind in kinds)


def _named_types(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return [kind for part in node.elts for kind in _named_types(part)]
    if isinstance(node, ast.BinOp):
        return [*_named_types(node.left), *_named_types(node.right)]
    if isinstance(node, ast.Constant) and node.value is None:
        return ["null"]
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return list(JSON_TYPES.get(name, ()))


def _pattern_types(pattern: ast.AST) -> list[str]:
    if isinstance(pattern, ast.MatchSingleton) and pattern.value is None:
        return ["null"]
    if isinstance(pattern, ast.MatchClass):
        return _named_types(pattern.cls)
    if isinstance(pattern, ast.MatchOr):
        return [kind for one in pattern.patterns for kind in _pattern_types(one)]
    return _pattern_types(pattern.pattern) if isinstance(pattern, ast.MatchAs) and pattern.pattern else []


def _in_helper(call: ast.Call, name: str, function: Any, names: Mapping[str, str], depth: int) -> Iterator[Test]:
    """What a function of the same module tests a parameter for that is handed on to it as it is."""
    helper = getattr(function, "__globals__", {}).get(name)
    if not isinstance(helper, FunctionType) or helper.__module__ != getattr(function, "__module__", None):
        return
    own = list(inspect.signature(helper).parameters)
    handed = {own[i]: names[arg.id] for i, arg in enumerate(call.args[: len(own)])
              if isinstance(arg, ast.Name) and arg.id in names}  # fmt: skip
    handed |= {word.arg: names[word.value.id] for word in call.keywords
               if word.arg and isinstance(word.value, ast.Name) and word.value.id in names}  # fmt: skip
    source = function_source(helper) if handed else None
    if source is not None:
        yield from _tests(source.tree, helper, handed, depth + 1)


def _literals(tree: Function) -> Iterator[Any]:
    """The texts and numbers that stand in a body, each once; docstrings left out."""
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = [
        node.value
        for statement in tree.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Constant) and id(node) not in said
    ]
    yield from _usable(found)


def _around(read: set[str], function: Any) -> list[Any]:
    """The values in the module's dicts, lists and constants that a function reads."""
    module = getattr(function, "__globals__", {})
    found: list[Any] = []
    waiting = [
        module[name] for name in sorted(read & set(module)) if type(module[name]) in (*CONTAINERS, str, int, float)
    ]
    while waiting and len(found) < MOST_LITERALS:
        value = waiting.pop(0)
        if type(value) in CONTAINERS:
            parts = list(value)[:MOST_LITERALS]
            waiting += [*parts, *(value[part] for part in parts)] if type(value) is dict else parts
        else:
            found.append(value)
    return _usable(found)


def _constants(code: Any) -> Iterator[Any]:
    """The same of a function whose text is not there; the first constant may be its docstring."""
    parts = [
        one
        for constant in code.co_consts
        for one in (constant if isinstance(constant, tuple | frozenset) else [constant])
    ]
    yield from _usable(sorted(parts, key=repr))


def _usable(values: list[Any]) -> list[Any]:
    plain = [value for value in values if type(value) in (str, int, float)]
    return list({(type(value), value): value for value in plain}.values())[:MOST_LITERALS]
