"""What a function's signature says of its parameters: their names, resolved annotations and defaults.

What no agent could call by name, or nobody could describe, is refused here, with the cure.
"""

from __future__ import annotations

import functools
import inspect
import sys
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FrameType, FunctionType, MethodType
from typing import Any

from toolbench.errors import ToolRefused

Parameter = inspect.Parameter
OMITTED = object()  # the default of a field that may be left out, though nobody says what holds then


@dataclass(frozen=True)
class Signature:
    """The parameters that an agent fills in, with resolved annotations; undeclared: names besides that may be used.

    takes_any: whether the function takes fields of any name.
    """

    parameters: tuple[Parameter, ...]
    undeclared: tuple[str, ...] = ()
    takes_any: bool = False


def read_signature(function: Callable[..., Any], tool: str, inject: str | None) -> Signature:
    """The signature of a function that is to be a tool; ToolRefused where no schema could be made of it."""
    refuse_positional_only(function, tool, inject)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        raise ToolRefused(tool, "no-signature", "its function has no signature to read", "give schema=") from None
    scope = _Scope(function)
    named = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and p.name != inject]
    rest = next((p for p in parameters if p.kind is p.VAR_KEYWORD), None)
    if rest is not None and not named and not list(_unpacked(rest, scope)):
        several = any(p.kind is p.VAR_POSITIONAL for p in parameters)
        raise ToolRefused(
            tool,
            "bare-wrapper",
            f"its function takes {'(*args, **kwargs)' if several else f'**{rest.name}'} and does not say what it wraps",
            "put functools.wraps on a wrapper, name the parameters, or give schema=",
        )
    for p in parameters:
        if p.kind is p.VAR_POSITIONAL:
            raise ToolRefused(
                tool, "variadic", f"it takes *{p.name}, which no field can fill", "take a list, or give schema="
            )
    bound = function.keywords if isinstance(function, functools.partial) else {}
    asked: list[Parameter] = []
    takes_any, undeclared = False, [*([] if inject is None else [inject]), *bound]
    for p in parameters:
        if p.name == inject or p.name in bound:  # what a partial has bound is nobody else's business
            continue
        if p.kind is p.VAR_KEYWORD:
            unpacked = list(_unpacked(p, scope))
            asked, takes_any = asked + unpacked, not unpacked
            undeclared.append(p.name)
        else:
            asked.append(p.replace(annotation=scope.resolved(p, tool)))
    return Signature(tuple(asked), tuple(undeclared), takes_any)


def refuse_positional_only(function: Callable[..., Any], tool: str, inject: str | None) -> None:
    """ToolRefused for a positional-only parameter: arguments are passed by name, the world at times by position."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return
    for p in parameters:
        if p.kind is p.POSITIONAL_ONLY and not (p.name == inject and takes_first(function, inject)):
            raise ToolRefused(
                tool,
                "positional-only",
                f"its parameter {p.name!r} is positional-only, and a tool's arguments are passed by name",
                "take the / out of the signature, or wrap the function",
                f"/properties/{p.name}",
            )


def takes_first(function: Callable[..., Any], inject: str) -> bool:
    """Whether the world can be passed by position, which is twice as fast as by name.

    A function around another one (a decorator's, a planted defect's) passes on what it gets by position.
    """
    inner = inspect.unwrap(function)
    if not (isinstance(function, FunctionType) and isinstance(inner, FunctionType)):
        return False
    code, passes_on = inner.__code__, function is inner or function.__code__.co_flags & inspect.CO_VARARGS
    return bool(passes_on and code.co_argcount and code.co_varnames[0] == inject)


def name_of(function: object) -> str:
    """The name by which a tool of this function goes; of a callable object, its class's."""
    if isinstance(function, functools.partial):
        return name_of(function.func)
    own = getattr(function, "__name__", None)
    return own if isinstance(own, str) else type(function).__name__ if callable(function) else ""


def docstring_of(function: object) -> str:
    """The docstring that tells of calling this: a function's own, a callable object's `__call__` or class."""
    if isinstance(function, functools.partial):
        return docstring_of(function.func)
    if not inspect.isroutine(function) and not isinstance(function, type) and callable(function):
        own = None if hasattr(function, "__wrapped__") else inspect.getdoc(type(function).__call__)
        return own or inspect.getdoc(function) or ""
    said = inspect.getdoc(function) or ""
    return said if said != inspect.getdoc(functools.partial) else inspect.getdoc(written(function)) or ""


def written(function: object) -> FunctionType | None:
    """The function as somebody wrote it, inside partials, methods, decorators and callable objects."""
    while not isinstance(function, FunctionType) or hasattr(function, "__wrapped__"):
        if isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, MethodType):
            function = function.__func__
        elif hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        elif isinstance(function, type):
            function = function.__init__  # type: ignore[misc]  # looked at, never called
            return function if isinstance(function, FunctionType) else None
        else:
            function = type(function).__call__ if callable(function) else None
            if not isinstance(function, FunctionType):
                return None
    return function


class _Scope:
    """The names that annotations of a function may use."""

    def __init__(self, function: Callable[..., Any]):
        home = written(function)
        self._globals = {} if home is None else home.__globals__
        self._locals: dict[str, Any] = {} if home is None else _standing_around(home)

    def resolved(self, p: Parameter, tool: str) -> Any:
        try:
            return self.evaluated(p)
        except Exception as problem:  # a text may hold anything
            raise ToolRefused(
                tool,
                "unresolved-annotation",
                f"the annotation of {p.name!r} cannot be resolved ({type(problem).__name__}: {problem})",
                "import the name at module level, not only under TYPE_CHECKING, or give schema=",
                f"/properties/{p.name}",
            ) from None

    def evaluated(self, p: Parameter) -> Any:
        if p.annotation is p.empty:
            return Any

        def holder() -> None: ...

        holder.__annotations__ = {p.name: p.annotation}
        return typing.get_type_hints(holder, self._globals, self._locals, include_extras=True)[p.name]


def _standing_around(home: FunctionType) -> dict[str, Any]:
    """The local names that a function's annotations see: of the scopes that make it just now, and what it captured."""
    names: dict[str, Any] = {}
    for frame in reversed(list(_makers(home.__code__, sys._getframe(1)))):
        names.update(frame.f_locals)
    for name, cell in zip(home.__code__.co_freevars, home.__closure__ or (), strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # not filled yet
            continue
    names.update({parameter.__name__: parameter for parameter in getattr(home, "__type_params__", ())})
    return names


def _makers(code: CodeType, frame: FrameType | None) -> Iterator[FrameType]:
    """The running scopes in whose text a function stands, the nearest first."""
    while frame is not None:
        if any(constant is code for constant in frame.f_code.co_consts):
            yield frame
            code = frame.f_code
        frame = frame.f_back


def _unpacked(p: Parameter, scope: _Scope) -> Iterator[Parameter]:
    """The fields of `**options: Unpack[Fields]` as parameters of their own."""
    try:
        hint = scope.evaluated(p)
        if typing.get_origin(hint) is not typing.Unpack:
            return
        fields: Any = typing.get_args(hint)[0]
        hints = typing.get_type_hints(fields, include_extras=True)
    except Exception:  # nothing is lost: the function takes fields of any name
        return
    for name, hint in hints.items():
        needed = name in fields.__required_keys__ and typing.get_origin(hint) is not typing.NotRequired
        inner = typing.get_args(hint)[0] if typing.get_origin(hint) in (typing.Required, typing.NotRequired) else hint
        yield Parameter(name, p.KEYWORD_ONLY, default=p.empty if needed else OMITTED, annotation=inner)
