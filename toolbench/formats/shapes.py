"""One definition in any provider's shape, as a Definition: OpenAI, Anthropic, MCP, JSON Schema, typed by a language."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from toolbench.definition import Definition
from toolbench.formats.document import Fault, Loss, kind_of, listed
from toolbench.formats.entries import SCHEMA_KEYS, TOOL_TYPES, Entry, is_schema
from toolbench.formats.type_names import is_typed, translate
from toolbench.pointers import pointer_to
from toolbench.values import NotPlain, plain, show

FORMAT_OF = {"parameters": "openai", "inputSchema": "mcp", "input_schema": "anthropic"}
DRAFT = "https://json-schema.org/draft/2020-12/schema"  # what a Definition's schema is of, unless it says otherwise
NO_FIELDS = {"type": "object", "properties": {}}
OUTPUTS = ("outputSchema", "output_schema", "response")
HINTS = {"destructiveHint": "destructive", "idempotentHint": "idempotent", "openWorldHint": "open_world"}


@dataclass
class Reading:
    """What reading one entry has come to so far; `used` are the keys of it that were understood."""

    entry: Entry
    tool: str
    used: set[str] = field(default_factory=set)
    losses: list[Loss] = field(default_factory=list)

    def lose(self, what: str, *tokens: str | int) -> None:
        self.losses.append(Loss(self.tool, self.entry.pointer + pointer_to(*tokens), what))

    def fault(self, what: str, *tokens: str | int) -> Fault:
        return Fault(self.tool, self.entry.pointer + pointer_to(*tokens), what)

    def take(self, key: str, kind: type, right: str, otherwise: Any) -> Any:
        """What stands under a key, if it is of a type; null and nothing are `otherwise`, anything else is a loss."""
        self.used.add(key)
        held = self.entry.value.get(key)
        if isinstance(held, kind):
            return held
        if held is not None:
            self.lose(f"is {kind_of(held)} and is not kept; {right} is right", key)
        return otherwise


def read_entry(entry: Entry, document: str) -> tuple[Definition | Fault, str, list[Loss]]:
    """The definition of an entry or why it can't be read, the format it is in, and what was not kept of it.

    >>> ping = {"name": "ping", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
    >>> definition, form, losses = read_entry(Entry(ping, "/tools/0", place=1), "tools.json")
    >>> definition.name, definition.side_effect, form, losses
    ('ping', False, 'mcp', [])
    """
    if entry.wrong:
        return Fault(_place(entry, document), entry.pointer, entry.wrong), "", []
    reading = Reading(entry, _called(entry, document))
    for around in entry.beside:
        what = f"beside the definition{'' if around.one else 's'} stands what is not kept: {listed(around.keys)}"
        reading.losses.append(Loss(reading.tool if around.one else document, around.pointer, what))
    read, form = _read_schema(reading) if is_schema(entry.value) else _read_definition(reading)
    return read, form, reading.losses


def _read_definition(reading: Reading) -> tuple[Definition | Fault, str]:
    value = reading.entry.value
    key = next((key for key in SCHEMA_KEYS if key in value), "")
    openai = reading.entry.openai or value.get("type") == "function"
    form = FORMAT_OF.get(key, "openai" if openai else "")
    name = value.get("name")
    if name is None:
        name = reading.entry.key
    if not isinstance(name, str):
        return reading.fault(f"is {kind_of(name)}; a tool's name is a text", "name"), form
    if not name:
        what = "is empty; a tool's name is a text" if "name" in value else 'has no name; "name": a text is right'
        return reading.fault(what, *(["name"] if value.get("name") == "" else [])), form
    schema = value.get(key)
    if schema is None and form == "openai":
        schema = NO_FIELDS
    if not isinstance(schema, dict):
        return _no_schema(reading, key, schema), form
    schema, fault = _checked(reading, schema, key)
    if fault:
        return fault, form
    typed = is_typed(schema)
    if typed:
        schema, lost = translate(schema, name, reading.entry.pointer + pointer_to(key))
        reading.losses += lost
    reading.used |= {"name", key}
    if reading.entry.key not in ("", name):
        reading.lose(f"the key {show(reading.entry.key, 60)} is not kept beside the name")
    if value.get("type") in TOOL_TYPES:
        reading.used.add("type")
    described = _described(reading, typed)
    return Definition(name, schema, **described), "python-types" if typed else form


def _no_schema(reading: Reading, key: str, schema: Any) -> Fault:
    if key and schema is not None:
        return reading.fault(f"is {kind_of(schema)}; a JSON Schema of the arguments, an object, is right", key)
    right = '"inputSchema": {"type": "object"} (MCP), "input_schema" (Anthropic) or "parameters" (OpenAI) is right'
    return reading.fault(f"has no schema of its arguments; {right}")


def _checked(reading: Reading, schema: dict[str, Any], *tokens: str) -> tuple[dict[str, Any], Fault | None]:
    """A copy of a schema, or the fault that no Definition can be made of it."""
    try:
        own: dict[str, Any] = plain(schema)
    except NotPlain as problem:
        return {}, reading.fault(f"is no schema that can be read: {problem}", *tokens)
    properties = own.get("properties", {})
    if not isinstance(properties, dict):
        what = f"is {kind_of(properties)}; an object from field names to schemas is right"
        return {}, reading.fault(what, *tokens, "properties")
    return own, None


def _described(reading: Reading, typed: bool) -> dict[str, Any]:
    """All of a definition but its name and schema."""
    found: dict[str, Any] = {
        "description": reading.take("description", str, "a text", ""),
        "title": reading.take("title", str, "a text", ""),
        "strict": reading.take("strict", bool, "true or false", False),
        "output_schema": _output_schema(reading, typed),
        "examples": _examples(reading),
    }
    annotations = reading.take("annotations", dict, "an object", {})
    for key, held in annotations.items():
        if key == "title" and isinstance(held, str) and held:
            if found["title"] not in ("", held):
                reading.lose(f"is not kept beside the title {show(found['title'], 60)}", "annotations", key)
            found["title"] = found["title"] or held
        elif key == "readOnlyHint" and isinstance(held, bool):
            found["side_effect"] = not held
        elif key in HINTS and isinstance(held, bool):
            found[HINTS[key]] = held
        elif held is not None:
            known = f"is {kind_of(held)} and is" if key in HINTS or key == "readOnlyHint" else "is"
            reading.lose(f"{known} not kept", "annotations", key)
    for key in reading.entry.value:
        if key not in reading.used:
            reading.lose("is not kept", key)
    return found


def _output_schema(reading: Reading, typed: bool) -> dict[str, Any] | None:
    key = next((key for key in OUTPUTS if reading.entry.value.get(key) is not None), OUTPUTS[0])
    given = reading.take(key, dict, "a JSON Schema of the answer, an object,", None)
    if given is None:
        return None
    schema, fault = _checked(reading, given, key)
    if fault:
        reading.losses.append(Loss(fault.tool, fault.pointer, f"is not kept: {fault.what}"))
        return None
    if typed or is_typed(schema):
        schema, lost = translate(schema, reading.tool, reading.entry.pointer + pointer_to(key))
        reading.losses += lost
    return schema


def _examples(reading: Reading) -> list[dict[str, Any]]:
    examples = []
    for place, given in enumerate(reading.take("input_examples", list, "a list of arguments", [])):
        try:
            if not isinstance(given, dict):
                raise NotPlain(f"it is {kind_of(given)}; an object of arguments is right")
            examples.append(plain(given))
        except NotPlain as problem:
            reading.lose(f"is not kept: {problem}", "input_examples", place)
    return examples


def _read_schema(reading: Reading) -> tuple[Definition | Fault, str]:
    """A plain JSON Schema: its title is the tool's name and its description the tool's, and so leave the schema."""
    schema, fault = _checked(reading, reading.entry.value)
    if fault:
        return fault, "json-schema"
    name = reading.tool
    if schema.get("title") == name:
        del schema["title"]
    elif schema.get("name") == name:
        del schema["name"]
    elif reading.entry.place and not reading.entry.key:
        reading.lose(f"has no title that could be its name, and is called {show(name, 60)}")
    description = schema.pop("description") if isinstance(schema.get("description"), str) else ""
    if schema.get("$schema") == DRAFT:
        del schema["$schema"]
    typed = is_typed(schema)
    if typed:
        schema, lost = translate(schema, name, reading.entry.pointer)
        reading.losses += lost
    return Definition(name, schema, description), "python-types" if typed else "json-schema"


def _called(entry: Entry, document: str) -> str:
    """The name of an entry's tool; where it has none, the nearest thing to one."""
    if is_schema(entry.value):
        title = entry.value.get("title")
        for said in (title, entry.value.get("name")):  # the second is no keyword of JSON Schema, and clear all the same
            if isinstance(said, str) and said:
                return said
        if entry.key:
            return entry.key
        stem = PurePath(document).name.split(".")[0] or "schema"
        return f"{stem}_{entry.place}" if entry.place else stem
    name = entry.value.get("name")
    return name if isinstance(name, str) and name else _place(entry, document)


def _place(entry: Entry, document: str) -> str:
    return entry.key or (f"definition {entry.place}" if entry.place else document)
