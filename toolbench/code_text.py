"""A function's behaviour as text: equal texts, equal code. What *equivalent* and *unchanged* rest on."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import CodeType, FunctionType, MethodType
from typing import Any

from toolbench.values import SCALARS


def code_text(function: Callable[..., Any]) -> str:
    """The bytecode, constants, names, defaults and captured values of a function, without its line numbers.

    Mutable defaults and captured containers are named by type alone: a memo that fills up is no change of
    the function. A callable that is no Python function is known by its identity.
    """
    if isinstance(function, functools.partial):
        return f"partial({code_text(function.func)}, {_constant(function.args)}, {sorted(function.keywords)})"
    if isinstance(function, MethodType):
        return f"method({code_text(function.__func__)}, {id(function.__self__)})"
    if not isinstance(function, FunctionType):
        return f"{type(function).__qualname__} {id(function)}"
    captured = [_captured(cell) for cell in function.__closure__ or ()]
    defaults = _constant(function.__defaults__), _constant(tuple(sorted((function.__kwdefaults__ or {}).items())))
    return f"{_code(function.__code__)} {defaults} {captured}"


def _code(code: CodeType) -> str:
    constants = [_constant(constant) for constant in code.co_consts]
    signature = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    return f"{code.co_code.hex()} {constants} {code.co_names} {code.co_varnames} {code.co_freevars} {signature}"


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


def _captured(cell: Any) -> str:
    try:
        value = cell.cell_contents
    except ValueError:  # a cell that is not filled yet
        return "empty"
    return code_text(value) if callable(value) and not isinstance(value, type) else _constant(value)
