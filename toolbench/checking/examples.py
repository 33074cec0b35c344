"""The values that a declaration names: defaults, enum members and examples, held against the schema beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolbench.checking.finding import Finding, found
from toolbench.checking.nodes import Declaration, Node
from toolbench.validation import Validators
from toolbench.values import show, show_message

NO_VALUE = ("None", "null", "NULL", "Null")
BEGINNINGS = frozenset("a an the whether if name names path number list optional id which".split())
SENTENCE = 4  # words
LISTED = 20


def examples(declaration: Declaration) -> Iterator[Finding]:
    """Values that the schema beside them refuses, and defaults that are none."""
    name = declaration.definition.name
    for node in declaration.nodes:
        yield from _default(declaration, node, name)
        yield from _members(node, name)
        given = node.schema.get("examples")
        every = list(given) if isinstance(given, list) else []
        every += [node.schema["example"]] if "example" in node.schema else []
        for value in every[:LISTED]:
            if fault := _fault(declaration, node, value):
                keyword = "examples" if isinstance(given, list) else "example"
                yield found("example-invalid", name, f"{node.pointer}/{keyword}", fault)
    for number, example in enumerate(declaration.definition.examples):
        if fault := declaration.validators.fault(dict(example)):
            yield found("example-invalid", name, f"/examples/{number}", fault, input=example)


def _default(declaration: Declaration, node: Node, name: str) -> Iterator[Finding]:
    if "default" not in node.schema:
        return
    default, pointer = node.schema["default"], f"{node.pointer}/default"
    if fault := _fault(declaration, node, default):
        yield found("default-invalid", name, pointer, f"the default: {fault}")
    if not isinstance(default, str) or default in _members_of(node):
        return
    if default in NO_VALUE:
        yield found("default-none-text", name, pointer, f"the default is the text {show(default)}")
    elif _repeats(default, node.schema.get("description")):
        yield found(
            "default-is-description", name, pointer, f"the default repeats the description: {show(default, 80)}"
        )
    elif not node.schema.get("description") and _is_sentence(default):
        seen = f"there is no description, and the default is a sentence: {show(default, 80)}"
        yield found("default-is-description", name, pointer, seen)


def _members_of(node: Node) -> Sequence[Any]:
    enum = node.schema.get("enum")
    return enum if isinstance(enum, list) else ()


def _repeats(default: str, description: Any) -> bool:
    if not isinstance(description, str):
        return False
    said, told = (re.sub(r"\W+", " ", text).casefold().split() for text in (default, description))
    return len(said) > 1 and said == told


def _is_sentence(text: str) -> bool:
    """Whether a text reads like a description: words, mostly in small letters, begun as descriptions are."""
    words = text.rstrip(".!").split()
    plain_words = [word for word in words if re.fullmatch(r"[A-Za-z'(),/-]+", word)]
    if len(words) < SENTENCE - 1 or len(plain_words) < 0.8 * len(words):
        return False
    if sum(word.islower() for word in plain_words) < 0.6 * len(words):
        return False
    return words[0].lower() in BEGINNINGS or (len(words) >= SENTENCE and words[0][:1].isupper())


def _members(node: Node, name: str) -> Iterator[Finding]:
    """Enum members, and a constant, of another type than the one declared beside them."""
    if not node.types:
        return
    wrong = [value for value in _members_of(node) if not is_of(value, node.types)]
    if wrong:
        shown = ", ".join(show(value, 40) for value in wrong[:3]) + (f" and {len(wrong) - 3} more" if wrong[3:] else "")
        seen = f"the type is {' or '.join(node.types)}, and the enum has {shown}"
        yield found("enum-type", name, f"{node.pointer}/enum", seen)
    if "const" in node.schema and not is_of(node.schema["const"], node.types):
        seen = f"the type is {' or '.join(node.types)}, and the constant is {show(node.schema['const'], 40)}"
        yield found("enum-type", name, f"{node.pointer}/const", seen)


def is_of(value: Any, types: Sequence[str]) -> bool:
    """Whether a plain value is of one of JSON Schema's types; a name that is none of them admits nothing.

    >>> is_of(2.0, ["integer"]), is_of(True, ["integer"]), is_of(None, ["string", "null"])
    (True, False, True)
    """
    return any(name in types for name in types_of(value))


def types_of(value: Any) -> tuple[str, ...]:
    """The names that JSON Schema has for a plain value's type."""
    if value is None:
        return ("null",)
    if isinstance(value, bool):
        return ("boolean",)
    if isinstance(value, int | float):
        return ("integer", "number") if isinstance(value, int) or value.is_integer() else ("number",)
    if isinstance(value, str):
        return ("string",)
    return ("array",) if isinstance(value, list) else ("object",) if isinstance(value, Mapping) else ()


def _fault(declaration: Declaration, node: Node, value: Any) -> str | None:
    """Why the schema refuses a value; of a schema that is not sound, by what can be said of this part of it alone."""
    if declaration.validators.at(node.pointer) is not None:
        return declaration.validators.fault(value, node.pointer)
    alone = Validators({key: given for key, given in node.schema.items() if "$ref" not in key})
    if not alone.problem:
        return alone.fault(value)
    if node.types and not is_of(value, node.types):
        return show_message(f"{show(value, 60)} is not of type {' or '.join(map(str, node.types))}")
    return None
