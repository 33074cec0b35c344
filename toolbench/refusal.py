"""What an agent's host says of arguments that do not fit a tool's declaration, before the tool is called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from toolbench.definition import Definition
from toolbench.errors import SchemaError
from toolbench.validation import Validators
from toolbench.values import NotPlain, harmless, plain, show, show_message

FIELD_PROBLEMS = ("required", "additionalProperties", "unevaluatedProperties")
LONGEST = 200


def refusal(definition: Definition, arguments: Mapping[str, Any]) -> str | None:
    """Why these arguments do not fit the declaration, all of it in a line; None if they do.

    It names the fields that are unknown, with the nearest that was meant, those that are missing, and the values that
    break the schema, with what would be right. A field that is not declared is unknown where the schema forbids others
    (`additionalProperties` or `unevaluatedProperties` false), and also where a required one is missing: then it is
    most likely the wrong name for that one. SchemaError if the declaration itself is not valid.

    >>> note = Definition("note", {"properties": {"content": {"type": "string"}}, "required": ["content"]})
    >>> refusal(note, {"text": "tea"})
    "unknown field 'text': did you mean 'content'? missing field 'content'"
    >>> refusal(note, {"content": 5})
    'field \\'content\\': 5 is not of type "string"'
    """
    if not isinstance(arguments, Mapping):
        return f"arguments are an object of fields, not {harmless(repr(arguments)[:80])}"
    if definition.validators.problem:
        raise SchemaError(f"tool {definition.name}: not valid JSON Schema: {definition.validators.problem}")
    try:
        given = plain(dict(arguments))
        problems = list(_problems(definition.validators, given))
    except (NotPlain, ValueError) as problem:  # a ValueError: half a character, which no JSON text holds
        return f"the arguments are no JSON: {show_message(str(problem))}"
    missing = [name for name in definition.schema.get("required", ()) if name not in given]
    unknown = [name for problem in problems if _is_of_fields(problem) for name in _unexpected(problem)]
    if missing and not unknown:
        unknown = [name for name in given if name not in definition.fields]
    said = [_stranger(name, given, definition.fields, missing, len(unknown) == 1) for name in unknown]
    said += [f"missing field {name!r}" for name in missing]
    said += [_broken(problem) for problem in problems if not _is_of_fields(problem)]
    if not said:
        return None
    text = said[0]
    for more in said[1:]:
        text += f"{' ' if text.endswith('?') else '; '}{more}"
    return text


def _problems(validators: Validators, given: Mapping[str, Any]) -> Iterator[Any]:
    validator = validators.at()
    if validator is not None and not validator.is_valid(given):
        yield from validator.iter_errors(given)


def _is_of_fields(problem: Any) -> bool:
    """Whether a problem is one of unknown or missing fields of the call itself, which are told in other words."""
    return not problem.instance_path and problem.kind.name in FIELD_PROBLEMS


def _unexpected(problem: Any) -> Sequence[str]:
    return getattr(problem.kind, "unexpected", ())


def _stranger(name: str, given: Mapping[str, Any], declared: Sequence[str], missing: Sequence[str], alone: bool) -> str:
    """An unknown field, with the declared one that was meant: the nearest, one that is missing or not given first.

    alone: whether it is the only unknown field, so that it must be the name for the only missing one.
    """
    free = [field for field in declared if field not in given]
    for names in (missing, free, declared):
        near = get_close_matches(name, names, n=1, cutoff=0.5)
        if near:
            return f"unknown field {name!r}: did you mean {near[0]!r}?"
    if alone and len(missing) == 1:
        return f"unknown field {name!r}: did you mean {missing[0]!r}?"
    return f"unknown field {name!r} (known: {', '.join(map(repr, declared[:20])) or 'none'})"


def _broken(problem: Any) -> str:
    """A value that breaks the schema, with what would be right."""
    path, inner = ".".join(map(str, problem.instance_path)), getattr(problem.kind, "context", None)
    said = problem.message
    if inner:  # one list of problems for each choice that there was
        said = ", and ".join(dict.fromkeys(choice[0].message for choice in inner if choice))
    if len(said) > LONGEST:  # a long value would leave no room for what is right
        right = getattr(problem.kind, "value", None) if not inner else None
        wanted = f": {show(right, 80)}" if type(right) in (str, int, float, list) else ""
        said = f"{show(problem.instance, 80)} breaks {problem.kind.name}{wanted}"
    return f"field {path!r}: {show_message(said)}" if path else show_message(said)
