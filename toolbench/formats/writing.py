"""Write definitions in a provider's shape, and say what it can't carry."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from toolbench.definition import Definition
from toolbench.errors import UsageError, unknown
from toolbench.formats.document import Converted, Loss
from toolbench.formats.shapes import DRAFT, HINTS
from toolbench.formats.strict import strict_schema
from toolbench.pointers import pointer_to

PROVIDER_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")  # what OpenAI and Anthropic take as a tool's name

Written = tuple[dict[str, Any], list[Loss]]


def convert(definitions: Iterable[Definition], to: str) -> Converted:
    """Definitions as a document of another format, and each thing that the format does not carry.

    to: openai and openai-strict (chat completions' tools), anthropic, mcp (an answer to tools/list), json-schema (a
    list of schemas, titled by the tools' names). Names that the provider refuses are kept and listed. The same
    definitions give the same document. Raises UsageError for an unknown format.

    >>> ping = Definition("ping", {"type": "object"}, "Answers.", side_effect=False)
    >>> convert([ping], "mcp").document
    {'tools': [{'name': 'ping', 'description': 'Answers.', 'inputSchema': {'type': 'object'}, \
'annotations': {'readOnlyHint': True}}]}
    >>> print(*convert([ping], "anthropic").losses)
    ping /side_effect: is not kept; anthropic has no place for it
    """
    if to not in TARGETS:
        raise UsageError(unknown("format", to, TARGETS))
    given = list(definitions) if isinstance(definitions, Iterable) else [definitions]
    if strangers := [one for one in given if not isinstance(one, Definition)]:
        raise UsageError(f"convert: {strangers[0]!r} is no Definition; load_definitions reads a file of them")
    written = [TARGETS[to](definition) for definition in given]
    tools = [tool for tool, _ in written]
    losses = tuple(loss for _, lost in written for loss in lost)
    return Converted({"tools": tools} if to == "mcp" else tools, losses)


def _openai(definition: Definition) -> Written:
    said = {**_said(definition), "parameters": definition.schema}
    if definition.strict:
        said["strict"] = True
    return {"type": "function", "function": said}, [
        *_refused_name(definition, "OpenAI"),
        *_not_carried(definition, "openai", "title", "output_schema", "examples", *HINTED),
    ]


def _openai_strict(definition: Definition) -> Written:
    schema, losses = strict_schema(definition.schema, definition.name, pointer_to("schema"))
    return {"type": "function", "function": {**_said(definition), "parameters": schema, "strict": True}}, [
        *_refused_name(definition, "OpenAI"),
        *_not_carried(definition, "openai", "title", "output_schema", "examples", *HINTED),
        *losses,
    ]


def _anthropic(definition: Definition) -> Written:
    tool = {**_said(definition), "input_schema": definition.schema}
    if definition.strict:
        tool["strict"] = True
    if definition.examples:
        tool["input_examples"] = [dict(example) for example in definition.examples]
    return tool, [
        *_refused_name(definition, "Anthropic"),
        *_not_carried(definition, "anthropic", "title", "output_schema", *HINTED),
    ]


def _mcp(definition: Definition) -> Written:
    tool: dict[str, Any] = {"name": definition.name}
    if definition.title:
        tool["title"] = definition.title
    tool.update(_said(definition))
    tool["inputSchema"] = definition.schema
    if definition.output_schema is not None:
        tool["outputSchema"] = definition.output_schema
    hints = {} if definition.side_effect is None else {"readOnlyHint": not definition.side_effect}
    for hint, name in HINTS.items():
        if getattr(definition, name) is not None:
            hints[hint] = getattr(definition, name)
    if hints:
        tool["annotations"] = hints
    return tool, _not_carried(definition, "mcp", "strict", "examples")


def _json_schema(definition: Definition) -> Written:
    given = definition.schema
    own = {key: held for key, held in given.items() if key not in ("$schema", "title", "description")}
    schema = {"$schema": given.get("$schema", DRAFT), "title": definition.name}
    losses = _not_carried(definition, "json-schema", "title", "output_schema", "strict", "examples", *HINTED)
    if "title" in given:
        losses.append(_replaced(definition, "title", "name"))
    if definition.description:
        schema["description"] = definition.description
        if "description" in given:
            losses.append(_replaced(definition, "description", "description"))
    elif "description" in given:
        schema["description"] = given["description"]
        what = "is the schema's, and reads as the tool's in a JSON Schema that stands alone"
        losses.append(Loss(definition.name, "/schema/description", what))
    return {**schema, **own}, losses


def _replaced(definition: Definition, keyword: str, by: str) -> Loss:
    what = f"is not kept; the tool's {by} stands in its place"
    return Loss(definition.name, pointer_to("schema", keyword), what)


HINTED = ("side_effect", *HINTS.values())
TARGETS: dict[str, Callable[[Definition], Written]] = {
    "openai": _openai,
    "openai-strict": _openai_strict,
    "anthropic": _anthropic,
    "mcp": _mcp,
    "json-schema": _json_schema,
}


def _said(definition: Definition) -> dict[str, Any]:
    said: dict[str, Any] = {"name": definition.name}
    if definition.description:
        said["description"] = definition.description
    return said


def _not_carried(definition: Definition, to: str, *names: str) -> list[Loss]:
    """The parts of a definition that say something and have no place in a format."""
    unsaid = dict.fromkeys(HINTED) | {"title": "", "output_schema": None, "strict": False, "examples": ()}
    return [
        Loss(definition.name, pointer_to(name), f"is not kept; {to} has no place for it")
        for name in names
        if getattr(definition, name) != unsaid[name]
    ]


def _refused_name(definition: Definition, provider: str) -> list[Loss]:
    if PROVIDER_NAME.fullmatch(definition.name):
        return []
    what = f"is kept, and {provider} refuses it: a name has 1 to 64 letters of a-z and A-Z, digits, _ and -"
    return [Loss(definition.name, "/name", what)]
