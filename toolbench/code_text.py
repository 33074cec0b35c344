"""A function's behaviour as text: equal texts, equal code. What *equivalent* and *unchanged* rest on."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType
from typing import Any

from toolbench.values import SCALARS


def code_text(function: Callable[..., Any]) -> str:
    """The bytecode, constants, names, defaults and captured values of a function, without its line numbers.

    Mutable defaults and captured containers are named by type alone: a memo that fills up is no change of
    the function. Of a callable object the class is known, its plain attributes and what else is captured.
    """
    return _text(function, [])


def _text(function: Callable[..., Any], above: list[int]) -> str:
    """`code_text` of a function that others capture; one that captures itself ends where it comes round."""
    if isinstance(function, functools.partial):
        keywords = _constant(tuple(sorted(function.keywords.items())))
        return f"partial({_text(function.func, above)}, {_constant(function.args)}, {keywords})"
    if isinstance(function, MethodType):
        return f"method({_text(function.__func__, above)}, {_object(function.__self__)})"
    if id(function) in above:
        return f"itself, {len(above) - above.index(id(function))} up"
    if isinstance(function, BuiltinFunctionType | type):
        return f"{function.__module__}.{function.__qualname__}"
    if not isinstance(function, FunctionType):
        return f"{_text(type(function).__call__, [*above, id(function)])} {_object(function)}"
    captured = [_captured(cell, [*above, id(function)]) for cell in function.__closure__ or ()]
    defaults = _constant(function.__defaults__), _constant(tuple(sorted((function.__kwdefaults__ or {}).items())))
    return f"{_code(function.__code__)} {defaults} {captured}"


def _object(value: Any) -> str:
    """An object by its class and its plain attributes; one that has others is known by its identity."""
    attributes = getattr(value, "__dict__", None)
    if attributes is None or not all(type(field) in SCALARS for field in attributes.values()):
        return f"{type(value).__qualname__} {id(value)}"
    return f"{type(value).__qualname__} {sorted(attributes.items())}"


def _code(code: CodeType) -> str:
    constants = [_constant(constant) for constant in code.co_consts]
    flags = code.co_flags & ~inspect.CO_NESTED  # where a function stands is no behaviour
    signature = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, flags
    names = f"{code.co_names} {code.co_varnames} {code.co_freevars}"
    return f"{code.co_code.hex()} {code.co_exceptiontable.hex()} {constants} {names} {signature}"


def _constant(value: Any) -> str:
    if type(value) in SCALARS or isinstance(value, complex | bytes):
        return repr(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(_constant, value))})"
    if isinstance(value, frozenset):
        return f"frozenset({sorted(map(_constant, value))})"
    if isinstance(value, CodeType):
        return _code(value)
    return type(value).__qualname__


def _captured(cell: Any, above: list[int]) -> str:
    try:
        value = cell.cell_contents
    except ValueError:  # a cell that is not filled yet
        return "empty"
    return _text(value, above) if callable(value) and not isinstance(value, type) else _constant(value)
