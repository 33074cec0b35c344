"""Tool and @tool: functions with their declared schemas, and the two ways to call them.

*Direct*: the function with the arguments given (`Tool.call`), as a test would. *By definition*: only the
declared fields that a state holds (`Definition.arguments_from`), as an agent would. The first never looks
at the declaration; that is why direct calls are blind to definition defects.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict, Unpack, overload

from toolbench.calling import Caller, Errors, caller_elsewhere, caller_of
from toolbench.code_text import code_text
from toolbench.converting import Convert
from toolbench.definition import Definition
from toolbench.deriving import derive
from toolbench.errors import ScenarioError, ToolError
from toolbench.outcome import Outcome
from toolbench.schema import read_schema
from toolbench.signatures import docstring_of, name_of, refuse_positional_only

Given = Mapping[str, Any] | Sequence[str]
DECLARED_ERRORS: Errors = (ToolError, ValueError)


@dataclass(frozen=True)
class Tool:
    """A function and its definition.

    inject: the name of the parameter through which the function gets the world; it is never declared.
    errors: the exception types by which the function reports an error; any other exception is a crash.
    source: the function's text where it differs from its file (a planted defect); None reads the file.
    convert: makes what the function's annotations ask for of the arguments' JSON values; None passes them as given.
    elsewhere: the function passes calls on to another program, so that its own text says nothing of the tool.

    >>> half = Tool(Definition("half", ["x"]), lambda x: {"y": x / 2})
    >>> half.call({"x": 8}).value, half.call({"x": "8"}).kind
    ({'y': 4.0}, 'crash')
    """

    definition: Definition
    function: Callable[..., Any]
    inject: str | None = None
    errors: Errors = DECLARED_ERRORS
    source: str | None = None
    convert: Convert | None = field(default=None, compare=False, repr=False)
    elsewhere: bool = False
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
        if self.elsewhere:
            caller = caller_elsewhere(self.function, self.inject, self.errors)
        else:
            caller = caller_of(self.function, self.inject, self.errors, self.convert)
        object.__setattr__(self, "caller", caller)

    @classmethod
    def from_function(
        cls,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        description: str | None = None,
        inject: str | None = None,
        errors: Errors = DECLARED_ERRORS,
        side_effect: bool | None = None,
        destructive: bool | None = None,
        idempotent: bool | None = None,
        open_world: bool | None = None,
        output_schema: Mapping[str, Any] | None = None,
        strict: bool = False,
        examples: Sequence[Mapping[str, Any]] = (),
        title: str = "",
    ) -> Tool:
        """A tool of a function, its schema made of the function's annotations, defaults and docstring.

        name and description: by default the function's name and the prose of its docstring. inject and errors: as
        in `Tool`; the rest as in `Definition`. ToolRefused, with the cure, where no schema can be made.

        >>> def ship(to: str, parcels: int = 1):
        ...     "Send parcels."
        >>> Tool.from_function(ship).definition.schema["required"]
        ['to']
        """
        return tool(
            function,
            name=name,
            description=description,
            inject=inject,
            errors=errors,
            side_effect=side_effect,
            destructive=destructive,
            idempotent=idempotent,
            open_world=open_world,
            output_schema=output_schema,
            strict=strict,
            examples=examples,
            title=title,
        )

    @property
    def name(self) -> str:
        return self.definition.name

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
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


def accepts(function: Callable[..., Any], name: str) -> bool:
    """Whether a function has a parameter of this name, or takes any; one without a signature may."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return True
    return name in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def _is_exception(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseException)


class Said(TypedDict, total=False):
    """What may be said of a tool beside its function; the words are those of `Definition` and `Tool`."""

    name: str | None
    description: str | None
    inject: str | None
    errors: Errors
    side_effect: bool | None
    destructive: bool | None
    idempotent: bool | None
    open_world: bool | None
    output_schema: Mapping[str, Any] | None
    strict: bool
    examples: Sequence[Mapping[str, Any]]
    title: str


@overload
def tool(function: Callable[..., Any], /, *, schema: Given | None = None, **said: Unpack[Said]) -> Tool: ...
@overload
def tool(
    function: None = None, /, *, schema: Given | None = None, **said: Unpack[Said]
) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(function: Callable[..., Any] | None = None, /, *, schema: Given | None = None, **said: Unpack[Said]) -> Any:
    """Make a tool of a function: `@tool` above it, `@tool(inject=...)`, or `tool(function, ...)`.

    schema: JSON Schema, or a list of field names; without it, the schema is made of the function's annotations and
    docstring. said: as in `Tool.from_function`. The description is by default the docstring's first paragraph where
    a schema is given, else all of its prose.

    >>> @tool
    ... def double(x: float):
    ...     "Twice a number."
    ...     return {"y": 2 * x}
    >>> double.definition.schema["properties"], double.call({"x": 4}).value
    ({'x': {'type': 'number'}}, {'y': 8})
    >>> tool(lambda x: {"y": x / 2}, schema=["x"], name="half").call({"x": 4}).value
    {'y': 2.0}
    """

    def made(function: Callable[..., Any]) -> Tool:
        return _made(function, schema, **said)

    return made if function is None else made(function)


def _made(
    function: Callable[..., Any],
    schema: Given | None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    inject: str | None = None,
    errors: Errors = DECLARED_ERRORS,
    **shown: Any,
) -> Tool:
    called = name_of(function) if name is None else name
    convert = None
    if schema is None:
        derived = derive(function, called, inject)
        declared, said, convert = derived.schema, derived.description, derived.convert
    else:
        declared = read_schema(schema, f"tool {called}")
        said = " ".join(docstring_of(function).split("\n\n")[0].split())
    definition = Definition(called, declared, said if description is None else description, **shown)
    made = Tool(definition, function, inject=inject, errors=errors, convert=convert)
    refuse_positional_only(function, called, inject)
    return made
