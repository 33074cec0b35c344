"""How a tool is called, with what does not change from call to call bound once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from toolbench.converting import Convert, Misfit
from toolbench.coroutines import finished
from toolbench.outcome import CRASH, ERROR, OK, Ended, Outcome, raised, returned
from toolbench.signatures import takes_first
from toolbench.values import SCALARS, plain

Errors = tuple[type[BaseException], ...]
Caller = Callable[[Mapping[str, Any], Any], Outcome]


def caller_of(function: Callable[..., Any], inject: str | None, errors: Errors, convert: Convert | None) -> Caller:
    """What `Tool.call` does: says what a call with these arguments and this world came to."""
    first = inject is not None and takes_first(function, inject)
    called = function if convert is None else _converting(function, convert)
    return _bound(called, inject, first, errors)


def _bound(function: Callable[..., Any], inject: str | None, first: bool, errors: Errors) -> Caller:
    """A call as fast as it can be made, since loops make millions of them."""
    reported: Errors = (Misfit, *errors)

    def call(arguments: Mapping[str, Any], world: Any) -> Outcome:
        try:
            for argument in arguments.values():
                if type(argument) not in SCALARS:
                    arguments = plain(dict(arguments))
                    break
            if inject is None:
                value = function(**arguments)
            elif first:
                value = function(world, **arguments)
            else:
                value = function(**{**arguments, inject: world})
            if type(value) is not dict and inspect.isawaitable(value):
                value = finished(value)
        except reported as problem:
            return raised(problem, ERROR)
        except KeyboardInterrupt:
            raise
        except BaseException as problem:  # SystemExit too: a tool that tries to leave has crashed
            return raised(problem, CRASH)
        if type(value) is dict and "error" not in value:
            for key, field in value.items():
                if type(field) not in SCALARS or type(key) is not str:
                    break
            else:  # what nearly every tool answers with: a flat mapping, whose copy is plain as it is
                return Outcome(OK, value.copy())
        return returned(value)

    return call


def caller_elsewhere(function: Callable[..., Any], inject: str | None, errors: Errors) -> Caller:
    """The same for a function that passes the call on to another program: it may say that the call did not come back,
    and reports errors by raising them alone, so that an answer may have a field `error`."""

    def call(arguments: Mapping[str, Any], world: Any) -> Outcome:
        given = plain(dict(arguments))
        try:
            value = function(**(given if inject is None else {**given, inject: world}))
            if inspect.isawaitable(value):
                value = finished(value)
        except Ended as ended:
            return Outcome(ended.kind, None, ended.reason)
        except errors as problem:
            return raised(problem, ERROR)
        except KeyboardInterrupt:
            raise
        except BaseException as problem:
            return raised(problem, CRASH)
        outcome = returned(value)
        return Outcome(OK, outcome.value) if outcome.kind == ERROR else outcome

    return call


def _converting(function: Callable[..., Any], convert: Convert) -> Callable[..., Any]:
    """The function behind its conversion, so that tools which need none pay nothing; never kept as the tool's own."""

    def converted(*world: Any, **arguments: Any) -> Any:
        return function(*world, **convert(arguments))

    return converted
