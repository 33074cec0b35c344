"""The function against the declaration: what it takes and is not shown, what is shown and it cannot take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolbench.checking.finding import ERROR, NOTE, Finding, found
from toolbench.checking.nodes import Declaration, at_field
from toolbench.checking.source import MISSING, Source
from toolbench.values import NotPlain, equal, plain, show


def signature(declaration: Declaration, source: Source) -> Iterator[Finding]:
    """Where the function's signature, and the keys that it reads, say otherwise than the schema."""
    name = declaration.definition.name
    for parameter in source.parameters.values():
        declared = parameter.name in declaration.fields
        if parameter.by_position_only:
            seen = f"{parameter.name} can be given by position only"
            yield found("positional-only", name, at_field(parameter.name), seen)
        elif not declared and not parameter.hinted and parameter.name not in declaration.elsewhere:
            severity = ERROR if parameter.needed else None if _is_json(parameter.default) else NOTE
            what = "and no call succeeds without it" if parameter.needed else _otherwise(parameter.default)
            seen = f"the function takes {parameter.name}, which is not declared ({what})"
            yield found("undeclared-parameter", name, at_field(parameter.name), seen, severity=severity)
        elif declared and parameter.needed and declaration.optional(parameter.name):
            seen = f"{parameter.name} may be left out, and the function has no default for it"
            yield found("optional-but-needed", name, at_field(parameter.name), seen)
        elif declared:
            yield from _default(declaration, parameter.name, parameter.default)
    for field in declaration.fields:
        if field not in source.parameters:
            yield from _stranger(declaration, field, source)
        elif source.ignores(field):
            what = "does nothing with it" if field in source.read else "never reads it"
            yield found("ignored-field", name, at_field(field), f"the function takes {field} and {what}")


def _stranger(declaration: Declaration, field: str, source: Source) -> Iterator[Finding]:
    """A declared field that is no parameter of the function."""
    name = declaration.definition.name
    known = [one for one in source.parameters if one not in declaration.fields]
    hint = f"; not declared is {' '.join(known[:5])}" if known else ""
    if not source.takes_any:
        yield found("unknown-field", name, at_field(field), f"the function has no parameter {show(field, 60)}{hint}")
    elif source.readable:
        seen = f"the function takes {show(field, 60)} among its other arguments and never reads it{hint}"
        yield found("ignored-field", name, at_field(field), seen)


def _default(declaration: Declaration, field: str, own: Any) -> Iterator[Finding]:
    """What may be left out, and what an agent is told that it will be then."""
    name, schema = declaration.definition.name, declaration.field(field)
    if own is MISSING:
        return
    if not declaration.optional(field) and not declaration.definition.strict:
        seen = f"{field} is required, and the function supplies {_shown(own)} itself"
        yield found("required-but-supplied", name, at_field(field), seen, severity=NOTE)
    if "default" in schema and own is not None:
        try:
            differs = not equal(plain(own), plain(schema["default"]))
        except NotPlain:
            return
        if differs:
            seen = f"the declared default is {show(schema['default'], 60)}, the function's {_shown(own)}"
            yield found("default-differs", name, f"{at_field(field)}/default", seen)


def _is_json(value: Any) -> bool:
    """Whether an agent could have sent this default; a function or a connection is there for the caller of the tool."""
    try:
        plain(None if value is MISSING else value)
    except Exception:  # a value of any kind, whose methods are the user's own
        return False
    return True


def _otherwise(default: Any) -> str:
    return "which may be left out" if default is MISSING else f"by default {_shown(default)}"


def _shown(value: Any) -> str:
    try:
        return show(plain(value), 60)
    except Exception:  # a default of any kind, whose methods are the user's own
        return f"a {type(value).__name__}"
