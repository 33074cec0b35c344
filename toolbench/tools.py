"""Tool and @tool: functions with their declared schemas, and the two ways to call them.

*Direct*: the function with the arguments given (`Tool.call`), as a test would. *By definition*: only the
declared fields that a state holds (`Definition.arguments_from`), as an agent would. The first never looks
at the declaration; that is why direct calls are blind to definition defects.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, overload

from toolbench.code_text import code_text
from toolbench.coroutines import finished
from toolbench.definition import Definition
from toolbench.errors import ScenarioError, ToolError
from toolbench.outcome import CRASH, ERROR, OK, Outcome, raised, returned
from toolbench.schema import read_schema
from toolbench.values import SCALARS, plain

Errors = tuple[type[BaseException], ...]
Caller = Callable[[Mapping[str, Any], Any], Outcome]
Given = Mapping[str, Any] | Sequence[str]
DECLARED_ERRORS: Errors = (ToolError, ValueError)


@dataclass(frozen=True)
class Tool:
    """A function and its definition.

    inject: the name of the parameter through which the function gets the world; it is never declared.
    errors: the exception types by which the function reports an error; any other exception is a crash.
    source: the function's text where it differs from its file (a planted defect); None reads the file.

    >>> half = Tool(Definition("half", ["x"]), lambda x: {"y": x / 2})
    >>> half.call({"x": 8}).value, half.call({"x": "8"}).kind
    ({'y': 4.0}, 'crash')
    """

    definition: Definition
    function: Callable[..., Any]
    inject: str | None = None
    errors: Errors = DECLARED_ERRORS
    source: str | None = None
    caller: Caller = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ScenarioError(f"tool {self.name}: {self.function!r} cannot be called; a tool is a function")
        if self.inject is not None and self.inject in self.definition.fields:
            raise ScenarioError(
                f"tool {self.name}: {self.inject!r} is both injected and declared; an injected parameter is never shown"
            )
        if self.inject is not None and not accepts(self.function, self.inject):
            raise ScenarioError(f"tool {self.name}: its function has no parameter {self.inject!r} for the world")
        if not isinstance(self.errors, tuple) or not all(_is_exception(kind) for kind in self.errors):
            raise ScenarioError(f"tool {self.name}: errors is a tuple of exception types, not {self.errors!r}")
        object.__setattr__(self, "caller", _caller(self.function, self.inject, self.errors))

    @property
    def name(self) -> str:
        return self.definition.name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the bare function, as if it had not been made a tool."""
        return self.function(*args, **kwargs)

    def call(self, arguments: Mapping[str, Any], world: Any = None) -> Outcome:
        """Call the function directly with these arguments and say what it did.

        The function gets its own copy of nested arguments, so it cannot change the caller's. A coroutine is
        run to its end. Nothing that the function raises passes through, except an interruption by the user.
        """
        return self.caller(arguments, world)

    def text(self) -> str:
        """The tool's behaviour and declaration as text: equal texts, equal tools."""
        kinds = [kind.__qualname__ for kind in self.errors]
        return f"{self.definition.text()} {code_text(self.function)} {self.inject} {kinds}"


def _caller(function: Callable[..., Any], inject: str | None, errors: Errors) -> Caller:
    """`Tool.call`, with what does not change from call to call bound once: loops make millions of calls."""

    first = inject is not None and _is_first(function, inject)

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
        except errors as problem:
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


def _is_first(function: Callable[..., Any], inject: str) -> bool:
    """Whether the world can be passed by position, which is twice as fast as by name.

    A function around another one (a decorator's, a planted defect's) passes on what it gets by position.
    """
    inner = inspect.unwrap(function)
    if not (isinstance(function, FunctionType) and isinstance(inner, FunctionType)):
        return False
    code, passes_on = inner.__code__, function is inner or function.__code__.co_flags & inspect.CO_VARARGS
    return bool(passes_on and code.co_argcount and code.co_varnames[0] == inject)


def accepts(function: Callable[..., Any], name: str) -> bool:
    """Whether a function has a parameter of this name, or takes any; one without a signature may."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return True
    return name in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def _is_exception(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseException)


@overload
def tool(
    function: Callable[..., Any],
    /,
    *,
    schema: Given,
    name: str | None = None,
    description: str | None = None,
    side_effect: bool | None = None,
    inject: str | None = None,
    errors: Errors = DECLARED_ERRORS,
) -> Tool: ...
@overload
def tool(
    function: None = None,
    /,
    *,
    schema: Given,
    name: str | None = None,
    description: str | None = None,
    side_effect: bool | None = None,
    inject: str | None = None,
    errors: Errors = DECLARED_ERRORS,
) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(
    function: Callable[..., Any] | None = None,
    /,
    *,
    schema: Given | None = None,
    name: str | None = None,
    description: str | None = None,
    side_effect: bool | None = None,
    inject: str | None = None,
    errors: Errors = DECLARED_ERRORS,
) -> Any:
    """Make a tool of a function: `@tool(schema=...)` above it, or `tool(function, schema=...)`.

    schema: JSON Schema, or a list of field names. name and description: by default the function's name and
    the first paragraph of its docstring. The rest as in `Tool`.

    >>> @tool(schema={"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]})
    ... def double(x):
    ...     "Twice a number."
    ...     return {"y": 2 * x}
    >>> double.definition.description, double.call({"x": 4}).value
    ('Twice a number.', {'y': 8})
    """
    if schema is None:
        label = getattr(function, "__name__", "a tool")
        raise ScenarioError(
            f"{label}: @tool needs a schema; write @tool(schema={{...}}) or @tool(schema=['field', ...])"
        )

    def made(function: Callable[..., Any]) -> Tool:
        said = inspect.getdoc(function) or ""
        first = " ".join(said.split("\n\n")[0].split())
        definition = Definition(
            name=getattr(function, "__name__", "") if name is None else name,
            schema=read_schema(schema, f"tool {name or getattr(function, '__name__', '')}"),
            description=first if description is None else description,
            side_effect=side_effect,
        )
        return Tool(definition, function, inject=inject, errors=errors)

    return made if function is None else made(function)
