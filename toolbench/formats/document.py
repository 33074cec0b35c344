"""What reading and converting definitions come to: the definitions, what could not be read, what was not kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from toolbench.definition import Definition


@dataclass(frozen=True)
class Fault:
    """Why one definition of a document can't be read.

    tool: its name, or where it has none, its key or place. pointer: JSON Pointer (RFC 6901) from the document's root.
    what: what is wrong and what would be right.

    >>> print(Fault("look_up", "/0/parameters", "is a list; a JSON Schema of the arguments is right"))
    look_up /0/parameters: is a list; a JSON Schema of the arguments is right
    """

    tool: str
    pointer: str
    what: str

    def __str__(self) -> str:
        return said(self.tool, self.pointer, self.what)


@dataclass(frozen=True)
class Loss:
    """Something that reading or converting a definition could not keep, or keeps in another form.

    pointer: JSON Pointer (RFC 6901). Of a loss in reading, from the document's root; of a loss in converting, from
    the `Definition`: `/schema/properties/a` or `/output_schema`.

    >>> print(Loss("look_up", "/title", "openai has no title"))
    look_up /title: openai has no title
    """

    tool: str
    pointer: str
    what: str

    def __str__(self) -> str:
        return said(self.tool, self.pointer, self.what)


@dataclass(frozen=True)
class Document:
    """The definitions of a document in its order, names that stand twice included.

    format: openai, anthropic, mcp, json-schema, python-types, or mixed. faults: definitions that can't be read, and
    so are not among `definitions`. losses: what reading could not keep of the others.
    """

    definitions: tuple[Definition, ...]
    format: str
    faults: tuple[Fault, ...] = ()
    losses: tuple[Loss, ...] = ()


@dataclass(frozen=True)
class Converted:
    """A document in another format, as a JSON value, and what it does not carry."""

    document: Any
    losses: tuple[Loss, ...] = ()


def said(tool: str, pointer: str, what: str) -> str:
    """A fault or loss as one line: of which tool, where, what.

    >>> said("look_up", "", "holds no schema")
    'look_up: holds no schema'
    """
    return f"{tool} {pointer}: {what}" if pointer else f"{tool}: {what}"


def kind_of(value: Any) -> str:
    """What a JSON value is, in JSON's words.

    >>> kind_of([1]), kind_of(None), kind_of(0.5)
    ('a list', 'null', 'a number')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    for types, name in ((str, "a text"), ((int, float), "a number"), (dict, "an object")):
        if isinstance(value, types):
            return name
    return "a list" if isinstance(value, list | tuple) else f"a {type(value).__name__}"


def listed(names: Sequence[str]) -> str:
    """Names in one line, as a message says them.

    >>> listed(["id", "why"])
    'id, why'
    """
    return ", ".join(names)
