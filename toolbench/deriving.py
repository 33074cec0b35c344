"""A tool's declaration made of its function: the schema of its annotations, the words of its docstring."""

from __future__ import annotations

import inspect
import json
import typing
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from toolbench.converting import Convert, converter, is_made, readable
from toolbench.docstrings import read_docstring
from toolbench.errors import ScenarioError, ToolbenchWarning, ToolRefused
from toolbench.pointers import pointer_to
from toolbench.schema import Schema
from toolbench.signatures import Parameter, docstring_of, read_signature, written
from toolbench.validation import Validators
from toolbench.values import plain

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

UNRESOLVED = ("class-not-fully-defined", "undefined-annotation")


@dataclass(frozen=True)
class Derived:
    """What a function says of itself; convert: makes what its annotations ask for of JSON values, None if nothing."""

    schema: Schema
    description: str
    convert: Convert | None


def derive(function: Callable[..., Any], tool: str, inject: str | None = None) -> Derived:
    """The declaration of a function; ToolRefused, with the cure, where it cannot be made.

    A parameter with a default is not required; the default is shown where it is a JSON value that the field admits.

    >>> def ship(to: str, parcels: int = 1, express: bool | None = None):
    ...     "Send parcels."
    >>> derive(ship, "ship").schema["properties"]["parcels"], derive(ship, "ship").schema["required"]
    ({'type': 'integer', 'default': 1}, ['to'])
    """
    if not callable(function):
        raise ScenarioError(f"tool {tool}: {function!r} cannot be called; a tool is a function")
    signature = read_signature(function, tool, inject)
    _refuse_field_defaults(signature.parameters, tool)
    said = read_docstring(docstring_of(function), [p.name for p in signature.parameters], signature.undeclared)
    properties, definitions = _shown(signature.parameters, tool)
    required, fills = [], {}
    for p in signature.parameters:
        shown, field = properties[p.name], _field_with_default(p.annotation)
        shown.pop("default", None)  # pydantic's own, of what the function never sees
        if p.name in said.parameters:
            shown.setdefault("description", said.parameters[p.name])
        if p.default is not p.empty:
            shown.update(_default(p.default, shown, definitions))
        elif field is not None:
            shown.update(_default(field.default, shown, definitions))
            fills[p.name] = _filling(field)
        else:
            required.append(p.name)
    schema: Schema = {"type": "object", "properties": properties, "required": required}
    if not signature.takes_any:
        schema["additionalProperties"] = False
    if definitions:
        schema["$defs"] = definitions
    unread = [name for name in said.unread if "description" not in properties[name]]
    _tell(function, tool, unread, () if signature.takes_any else said.strangers)
    made = {p.name: readable(p.annotation) for p in signature.parameters if is_made(p.annotation)}
    return Derived(schema, said.description, converter(made, fills))


def _shown(parameters: Sequence[Parameter], tool: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The schemas of parameters by name, and the definitions that they refer to."""
    try:
        schema = _schema_of(parameters)
    except Exception:
        for p in parameters:
            try:
                _schema_of([p])
            except Exception as problem:
                raise _refused(problem, p, tool) from None
        raise
    definitions = schema.get("$defs", {})
    for name, definition in definitions.items():
        if definition.get("title") == name:
            definition.pop("title")
    return schema.get("properties", {}), definitions


def _schema_of(parameters: Sequence[Parameter]) -> Schema:
    from pydantic import Field, create_model
    from pydantic.errors import PydanticInvalidForJsonSchema
    from pydantic.json_schema import GenerateJsonSchema

    class Bare(GenerateJsonSchema):
        """Without the titles that pydantic makes of names; a choice that no JSON can carry is not left out silently."""

        def field_title_should_be_set(self, schema: Any) -> bool:
            return False

        def emit_warning(self, kind: str, detail: str) -> None:
            if kind == "skipped-choice":
                raise PydanticInvalidForJsonSchema(detail)

    fields: dict[str, Any] = {}
    for i, p in enumerate(parameters):  # neutral names: a model's own, such as copy or json, are no fields of it
        named = Field(alias=p.name, validation_alias=p.name, serialization_alias=p.name)
        fields[f"field_{i}"] = (readable(p.annotation), named)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pydantic's, of a model that nobody sees
        schema: Schema = create_model("_", **fields).model_json_schema(schema_generator=Bare)
    return schema


def _refused(problem: Exception, p: Parameter, tool: str) -> ToolRefused:
    from pydantic import PydanticUserError

    said = str(problem).split("\n", 1)[0]
    undefined = isinstance(problem, PydanticUserError) and problem.code in UNRESOLVED
    pointer = pointer_to("properties", p.name)
    if undefined or isinstance(problem, NameError):
        return ToolRefused(
            tool,
            "unresolved-annotation",
            f"the annotation of {p.name!r} uses a name that cannot be resolved ({said})",
            "import the name at module level, not only under TYPE_CHECKING, or give schema=",
            pointer,
        )
    shown = p.annotation if isinstance(p.annotation, str) else inspect.formatannotation(p.annotation)
    return ToolRefused(
        tool,
        "no-schema",
        f"no schema can be made of the annotation of {p.name!r}, {shown} ({said})",
        "annotate it with what JSON can carry, let the tool inject it, or give schema=",
        pointer,
    )


def _refuse_field_defaults(parameters: Sequence[Parameter], tool: str) -> None:
    from pydantic.fields import FieldInfo

    for p in parameters:
        if isinstance(p.default, FieldInfo):
            kind = "..." if p.annotation is Any else inspect.formatannotation(p.annotation)
            default = "" if p.default.is_required() else f" = {p.default.default!r}"
            raise ToolRefused(
                tool,
                "field-default",
                f"the default of {p.name!r} is a Field, which a function would get in the place of a value",
                f"write {p.name}: Annotated[{kind}, Field(...)]{default}",
                pointer_to("properties", p.name),
            )


def _field_with_default(annotation: Any) -> FieldInfo | None:
    """The Field in an Annotated that has a default or makes one."""
    from pydantic.fields import FieldInfo

    said = annotation.__metadata__ if typing.get_origin(annotation) is Annotated else ()
    fields = [extra for extra in said if isinstance(extra, FieldInfo) and not extra.is_required()]
    return fields[-1] if fields else None


def _filling(field: FieldInfo) -> Callable[[], Any]:
    """What makes the value of an argument that is not given: the function itself has no default for it."""
    return lambda: field.get_default(call_default_factory=True)


def _default(value: Any, schema: Schema, definitions: Mapping[str, Any]) -> Schema:
    """The default as the schema shows it: nothing, unless it is a JSON value that the field admits."""
    try:
        value = plain(value)
        json.dumps(value, allow_nan=False)
    except Exception:  # a default may be anything
        return {}
    whole = {**schema, "$defs": definitions} if definitions else schema
    return {"default": value} if Validators(whole).admits(value) else {}


def _tell(function: Callable[..., Any], tool: str, unread: Sequence[str], strangers: Sequence[str]) -> None:
    """Warn of what a docstring says in vain, at the place of the function."""
    told = [
        f"the docstring mentions {name!r}, and no description of it could be read; write it under Args:"
        for name in unread
    ] + [f"the docstring describes {name!r}, which is no parameter of the function" for name in strangers]
    home = written(function)
    for text in told:
        if home is None:
            warnings.warn(f"tool {tool}: {text}", ToolbenchWarning, stacklevel=4)
        else:
            code = home.__code__
            warnings.warn_explicit(
                f"tool {tool}: {text}", ToolbenchWarning, code.co_filename, code.co_firstlineno, home.__module__
            )
