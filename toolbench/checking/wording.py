"""What a declaration says beside its structure: keywords that nobody knows, names, and choices told in prose only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from toolbench.checking.finding import Finding, found
from toolbench.checking.nodes import Declaration, Node
from toolbench.checking.structure import TYPES
from toolbench.pointers import pointer_to
from toolbench.schema import HOLD_A_LIST, HOLD_BY_NAME, HOLD_ONE
from toolbench.values import show

CORE = ("$schema", "$id", "$anchor", "$ref", "$dynamicRef", "$dynamicAnchor", "$vocabulary", "$comment", "$defs", "id")
VALIDATION = (
    "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems "
    "minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired dependencies"
).split()
ANNOTATIONS = (
    "title description default examples deprecated readOnly writeOnly format contentEncoding contentMediaType "
    "contentSchema"
).split()
KEYWORDS = frozenset((*CORE, *HOLD_BY_NAME, *HOLD_A_LIST, *HOLD_ONE, *VALIDATION, *ANNOTATIONS))
SPELT = {keyword.lower(): keyword for keyword in KEYWORDS}
ALIASES = {
    "desc": "description",
    "min": "minimum",
    "max": "maximum",
    "regex": "pattern",
    "defaultvalue": "default",
    "choices": "enum",
    "options": "enum",
    "values": "enum",
    "allowedvalues": "enum",
    "allowed": "enum",
}
# Of other vocabularies, and harmless: OpenAPI, editors, providers.
ELSEWHERE = frozenset(
    "nullable discriminator xml externalDocs example optional propertyOrdering enumNames enumDescriptions "
    "markdownDescription errorMessage order".split()
)
ALIKE = 0.8
SAYS_TYPE = {"type", "$ref", "$dynamicRef", "anyOf", "oneOf", "allOf", "enum", "const", "not", "if"}
SAYS_TYPE |= {"properties", "items", "pattern", "minimum", "maximum", "format"}
TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
FIELD_NAME = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
QUOTED = r"""(?:'[^'\n]{1,30}'|"[^"\n]{1,30}"|`[^`\n]{1,30}`)"""
CHOICES = re.compile(rf"{QUOTED}(?:\s*(?:,|/|\||or|and|,\s*or)\s*{QUOTED})+")
ONE_OF = re.compile(r"\b(?:one of|either|must be|can be|allowed values|possible values|options)\b", re.IGNORECASE)


def wording(declaration: Declaration) -> Iterator[Finding]:
    """What is misspelt, unknown, refused elsewhere, or told in prose only."""
    definition = declaration.definition
    name = definition.name
    if not TOOL_NAME.fullmatch(name):
        yield found("refused-name", name, "/name", f"the tool's name is {show(name, 80)}")
    if not definition.description.strip():
        yield found("no-description", name, "/description", "the tool has no description")
    for node in declaration.nodes:
        yield from _keywords(node, name)
        yield from _field(node, name)


def _keywords(node: Node, name: str) -> Iterator[Finding]:
    for keyword, value in node.schema.items():
        if keyword in KEYWORDS or keyword in ELSEWHERE or keyword.startswith(("x-", "_", "$")):
            continue
        pointer = node.pointer + pointer_to(keyword)
        meant = _meant(keyword, value, node.schema)
        if meant is None:
            yield found("unknown-keyword", name, pointer, f"{show(keyword, 60)} is no keyword of JSON Schema")
        else:
            seen = f"{show(keyword, 60)} is no keyword of JSON Schema; {meant} seems to be meant"
            yield found("misspelt-keyword", name, pointer, seen, cure=f"Write {meant}.")


def _meant(keyword: str, value: Any, schema: Mapping[str, Any]) -> str | None:
    """The keyword that an unknown one stands for, by its spelling or by its value; None if that cannot be said."""
    bare = keyword.replace("_", "").replace("-", "").lower()
    near = get_close_matches(bare, SPELT, n=1, cutoff=ALIKE)
    meant = SPELT.get(bare) or ALIASES.get(bare) or (SPELT[near[0]] if near else None)
    if meant == "enum" and not isinstance(value, list):
        meant = None
    if meant is not None and meant not in schema:
        return meant
    if not SAYS_TYPE & set(schema) and _names_types(value):
        return "type"
    properties = schema.get("properties")
    if "required" not in schema and isinstance(properties, Mapping) and isinstance(value, list) and value:
        return "required" if all(isinstance(field, str) and field in properties for field in value) else None
    return None


def _names_types(value: Any) -> bool:
    said = value if isinstance(value, list) else [value]
    return bool(said) and all(isinstance(one, str) and one in TYPES for one in said)


def _field(node: Node, name: str) -> Iterator[Finding]:
    """What concerns a declared field, at any level."""
    if node.keyword not in ("properties", "items"):
        return
    if not SAYS_TYPE & set(node.schema):
        yield found("type-missing", name, node.pointer, "nothing is said of its type")
    if node.keyword == "properties" and not FIELD_NAME.fullmatch(node.name):
        yield found("refused-name", name, node.pointer, f"the field's name is {show(node.name, 80)}")
    description = node.schema.get("description")
    told = isinstance(description, str) and "string" in node.types
    if told and not {"enum", "const", "pattern", "format", "examples"} & set(node.schema):
        choices = CHOICES.search(str(description)[:2000])
        if choices and ONE_OF.search(str(description)[: choices.start() + 1]):
            seen = f"its description names choices, and no enum does: {show(choices.group(), 80)}"
            yield found("choices-in-description", name, node.pointer, seen)
