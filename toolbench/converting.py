"""From JSON values to what a parameter's annotation asks for: an enum's member, a dataclass, a date, a tuple.

What is a plain JSON value already stays exactly what was given, unchecked. All other values are read by pydantic, in
its strict JSON mode: "5" is no integer.
"""

from __future__ import annotations

import sys
import types
import typing
from collections import abc
from collections.abc import Callable, Mapping
from enum import Enum
from json import dumps
from typing import Annotated, Any, Literal, Required, TypeVar, Union

from toolbench.outcome import described
from toolbench.values import plain, show, show_message

Convert = Callable[[Mapping[str, Any]], dict[str, Any]]
AS_THEY_COME = (Any, object, None, type(None), str, int, float, bool, list, dict, typing.List, typing.Dict)  # noqa: UP006
LISTS = (list, abc.Sequence, abc.MutableSequence, abc.Collection, abc.Iterable)
MAPPINGS = (dict, abc.Mapping, abc.MutableMapping)
WRAPPERS = (Required, typing.NotRequired)


class Misfit(Exception):
    """An argument that its parameter's annotation does not admit; the text names the field."""


def converter(annotations: Mapping[str, Any], fills: Mapping[str, Callable[[], Any]]) -> Convert | None:
    """A function from arguments as JSON values to arguments as a function wants them; None if there is nothing to do.

    annotations: those of the parameters whose values are made. fills: what stands in for an argument not given.
    """
    from pydantic import TypeAdapter

    if not annotations and not fills:
        return None
    adapters: dict[str, TypeAdapter[Any]] = {name: TypeAdapter(kind) for name, kind in annotations.items()}

    def convert(arguments: Mapping[str, Any]) -> dict[str, Any]:
        made = dict(arguments)
        for name, adapter in adapters.items():
            if name in made:
                try:
                    made[name] = adapter.validate_json(dumps(made[name]), strict=True)
                except Exception as problem:  # the class that is made may raise anything
                    raise Misfit(f"field {name!r}: {show(made[name])} does not fit: {_reasons(problem)}") from None
        for name, fill in fills.items():
            if name not in made:
                made[name] = fill()
        return made

    return convert


def _reasons(problem: Exception) -> str:
    from pydantic import ValidationError

    if not isinstance(problem, ValidationError):
        return show_message(described(problem))
    reasons = []
    for error in problem.errors(include_url=False, include_context=False, include_input=False)[:5]:
        place = ".".join(map(str, error["loc"]))
        reasons.append(f"{place}: {error['msg']}" if place else error["msg"])
    return show_message("; ".join(reasons))


def is_made(annotation: Any, above: tuple[Any, ...] = ()) -> bool:
    """Whether values of this annotation have to be made of JSON values; above: the types whose inside this is.

    >>> is_made(dict[str, list[int | None]]), is_made(list[tuple[int, int]])
    (False, True)
    """
    if any(annotation is kind for kind in (*AS_THEY_COME, *above)):
        return False
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    above = (*above, annotation)
    if origin is Annotated:
        own = any(hasattr(extra, "__get_pydantic_core_schema__") for extra in annotation.__metadata__)
        return own or is_made(inner[0], above)  # a validator is there to be run
    if origin is Literal:
        return any(isinstance(choice, Enum) for choice in inner)
    if typing.is_typeddict(annotation):
        return _holds_made(annotation, above)
    if isinstance(annotation, typing.NewType):
        return is_made(annotation.__supertype__, above)
    if isinstance(annotation, TypeVar):
        return is_made(annotation.__bound__, above) or any(is_made(kind, above) for kind in annotation.__constraints__)
    if hasattr(annotation, "__value__"):  # `type Name = ...`
        return is_made(annotation.__value__, above)
    if origin in MAPPINGS:
        return not _is_text(inner[0]) or is_made(inner[1], above)
    if origin in (*LISTS, *WRAPPERS, Union, types.UnionType):
        return any(is_made(kind, above) for kind in inner)
    return all(annotation is not kind for kind in (*LISTS, *MAPPINGS))


def _is_text(key: Any) -> bool:
    """Whether a mapping's keys are the texts that JSON has."""
    if typing.get_origin(key) is Annotated:
        return _is_text(typing.get_args(key)[0])
    texts = typing.get_origin(key) is Literal and all(type(choice) is str for choice in typing.get_args(key))
    return key in (str, Any) or texts


def _holds_made(fields: Any, above: tuple[Any, ...]) -> bool:
    try:
        hints = typing.get_type_hints(fields, include_extras=True)
    except Exception:  # pydantic knows other ways to find names
        return True
    return any(is_made(kind, above) for kind in hints.values())


def readable(annotation: Any, above: tuple[Any, ...] = ()) -> Any:
    """The annotation in a form that pydantic reads: nothing of its meaning changes.

    Before Python 3.12 pydantic reads no `typing.TypedDict`, and it finds no enum member in a Literal by its JSON value.
    above: the TypedDicts whose inside this is; one that contains itself stays what it is.
    """
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if typing.is_typeddict(annotation) and type(annotation).__module__ == "typing" and sys.version_info < (3, 12):
        return annotation if annotation in above else _twin(annotation, above)
    if isinstance(annotation, typing.NewType):
        return readable(annotation.__supertype__, above)
    if isinstance(annotation, TypeVar) and annotation.__bound__ is not None:
        return readable(annotation.__bound__, above)
    if origin is Literal:
        return _by_value(annotation, inner) if any(isinstance(choice, Enum) for choice in inner) else annotation
    if origin is Annotated:
        return Annotated[(readable(inner[0], above), *annotation.__metadata__)]
    changed = tuple(readable(part, above) for part in inner)
    if all(new is old for new, old in zip(changed, inner, strict=True)):
        return annotation
    if origin in (Union, types.UnionType):
        return Union[changed]  # noqa: UP007
    if origin in WRAPPERS:
        return origin[changed[0]]
    return annotation.copy_with(changed) if hasattr(annotation, "copy_with") else annotation.__origin__[changed]


def _by_value(annotation: Any, choices: tuple[Any, ...]) -> Any:
    from pydantic import BeforeValidator

    members = [choice for choice in choices if isinstance(choice, Enum)]

    def found(value: Any) -> Any:
        for member in members:
            if type(plain(member)) is type(value) and plain(member) == value:
                return member
        return value

    return Annotated[annotation, BeforeValidator(found)]


def _twin(fields: Any, above: tuple[Any, ...]) -> Any:
    """The same TypedDict, made by typing_extensions."""
    import typing_extensions

    try:
        hints = typing.get_type_hints(fields, include_extras=True)
    except NameError:  # pydantic says what is missing
        return fields
    marked = {}
    for name, hint in hints.items():
        if typing.get_origin(hint) not in WRAPPERS:
            hint = Required[hint] if name in fields.__required_keys__ else typing.NotRequired[hint]
        marked[name] = readable(hint, (*above, fields))
    twin = typing_extensions.TypedDict(fields.__name__, marked)  # type: ignore[misc]
    twin.__doc__, twin.__module__ = fields.__doc__, fields.__module__
    return twin
