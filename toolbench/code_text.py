"""A function's behaviour as text, and whether two functions are alike: what *unchanged* and *equivalent* rest on."""

from __future__ import annotations

import dis
import functools
import inspect
from collections.abc import Callable
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType
from typing import Any

from toolbench.values import SCALARS


def code_text(function: Callable[..., Any]) -> str:
    """The bytecode, constants, names, defaults and captured values of a function, without its line numbers.

    Mutable defaults and captured containers are named by type alone: a memo that fills up is no change of
    the function. Of a callable object the class and its plain attributes count. The docstring does not.
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
    return f"{_code(function.__code__, function.__doc__)} {defaults} {captured}"


def alike(one: Callable[..., Any], other: Callable[..., Any]) -> bool:
    """Whether two functions do the same for all that can be read: code, globals, and what they hold, by content."""
    if one is other:
        return True
    if code_text(one) != code_text(other):
        return False
    if not (isinstance(one, FunctionType) and isinstance(other, FunctionType)):
        return False  # two objects of equal text may still hold different things
    return one.__globals__ is other.__globals__ and all(
        _same(mine, its) for mine, its in zip(_held(one), _held(other), strict=True)
    )


def _held(function: FunctionType) -> list[Any]:
    """What a function holds beyond its code: its defaults, and what it captured."""
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    return defaults + [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]


def _same(mine: Any, its: Any) -> bool:
    if mine is its:
        return True
    if isinstance(mine, FunctionType) and isinstance(its, FunctionType):
        return alike(mine, its)
    try:
        return (
            type(mine) is type(its) and getattr(type(mine), "__eq__", None) is not object.__eq__ and bool(mine == its)
        )
    except Exception:  # a comparison of the user's own
        return False


def _is_filled(cell: Any) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


def _object(value: Any) -> str:
    """An object by its class and its attributes, of which only plain ones count by value."""
    attributes = getattr(value, "__dict__", {})
    return f"{type(value).__qualname__} {sorted((name, _constant(field)) for name, field in attributes.items())}"


def _code(code: CodeType, said: str | None = None) -> str:
    constants = [_constant(constant) for constant in code.co_consts]
    if said is not None and code.co_consts[:1] == (said,) and not _loads_first_constant(code):
        constants[0] = "docstring"
    flags = code.co_flags & ~inspect.CO_NESTED  # where a function stands is no behaviour
    signature = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, flags
    names = f"{code.co_names} {code.co_varnames} {code.co_freevars}"
    return f"{code.co_code.hex()} {code.co_exceptiontable.hex()} {constants} {names} {signature}"


def _loads_first_constant(code: CodeType) -> bool:
    """Whether a docstring, which stands first among the constants, is also a value that the code uses."""
    return any(step.opname == "LOAD_CONST" and step.arg == 0 for step in dis.get_instructions(code))


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
    if not _is_filled(cell):
        return "empty"
    value = cell.cell_contents
    return _text(value, above) if callable(value) and not isinstance(value, type) else _constant(value)
