"""Read definitions, whatever shape they are in, from a JSON value."""

from __future__ import annotations

from typing import Any

from toolbench.definition import Definition
from toolbench.errors import UsageError
from toolbench.formats.document import Document, Fault, Loss, kind_of
from toolbench.formats.entries import entries
from toolbench.formats.shapes import read_entry
from toolbench.values import harmless

RIGHT = (
    "a definition, a list of definitions, "
    '{"tools": [...]} or an object from names to schemas is right (OpenAI, Anthropic, MCP or JSON Schema)'
)


def read_document(value: Any, name: str) -> Document:
    """The definitions of a JSON value: one, a list, `{"tools": [...]}`, by name, or wrapped beside other data.

    name: what the document is called in messages (its path); a JSON Schema without a title, alone in its document,
    is named by it. Whatever is wrong with one definition is a Fault, and the others are read. Raises UsageError where
    nothing in the value could be a definition.

    >>> ping = {"type": "function", "function": {"name": "ping", "strict": True}}
    >>> document = read_document([ping, {"name": "look_up"}], "tools.json")
    >>> document.format, [(d.name, d.schema, d.strict) for d in document.definitions]
    ('openai', [('ping', {'type': 'object', 'properties': {}}, True)])
    >>> [(fault.tool, fault.pointer) for fault in document.faults]
    [('look_up', '/1')]
    """
    found = list(entries(value))
    if not isinstance(value, list | dict) or all(entry.wrong for entry in found):
        raise UsageError(harmless(f"{name}: {_instead(value, len(found))}; {RIGHT}"))
    definitions: list[Definition] = []
    faults: list[Fault] = []
    losses: list[Loss] = []
    formats: dict[str, None] = {}
    for entry in found:
        read, form, lost = read_entry(entry, name)
        if form:
            formats[form] = None
        if isinstance(read, Fault):
            faults.append(read)
        else:
            definitions.append(read)
        losses += lost
    form = next(iter(formats)) if len(formats) == 1 else "mixed"
    return Document(tuple(definitions), form, tuple(faults), tuple(losses))


def _instead(value: Any, found: int) -> str:
    """What a document is that holds no definitions."""
    if not isinstance(value, list | dict):
        return f"is {kind_of(value)}, and holds no definitions"
    if not found:
        return "holds no definitions"
    if isinstance(value, list):
        kinds = list(dict.fromkeys(map(kind_of, value)))
        return f"is a list that holds {' and '.join(kinds[:3])}, none of them a definition"
    keys = ", ".join(map(str, list(value)[:8])) or "none"
    return f"is an object with the keys {keys}, and holds no definitions"
