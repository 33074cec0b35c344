"""A schema for OpenAI's strict mode: closed objects, every field required, and only the keywords that it knows.

The rules are those of OpenAI's guide to structured outputs (supported schemas), as of 2026.
"""

from __future__ import annotations

from typing import Any

from toolbench.formats.document import Loss
from toolbench.formats.subschemas import changed_inside
from toolbench.pointers import pointer_to
from toolbench.values import show

KNOWN = frozenset(
    "type properties required additionalProperties items enum const anyOf $ref $defs definitions title description"
    " pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems".split()
)
FORMATS = frozenset("date-time time date duration email hostname ipv4 ipv6 uuid".split())
BESIDE_REF = frozenset(("title", "description"))
OF_OBJECTS = frozenset(("properties", "additionalProperties"))
REFUSED = "strict mode can't say that, and OpenAI refuses it"


def strict_schema(schema: dict[str, Any], tool: str, pointer: str = "") -> tuple[dict[str, Any], list[Loss]]:
    """A copy of a schema as strict mode takes it, and what it says otherwise, or can't say, each with its place.

    Objects are closed and all their fields required; a field that could be left out may be null. What strict mode
    can't say and nothing can replace (a field of any type, a choice at the root) is left as it is and listed, so
    that the provider's refusal is no surprise. A second pass changes nothing more.

    >>> schema = {"type": "object", "properties": {"limit": {"type": "integer", "default": 5}}}
    >>> strict, losses = strict_schema(schema, "look_up")
    >>> strict["properties"], strict["required"], strict["additionalProperties"]
    ({'limit': {'type': ['integer', 'null']}}, ['limit'], False)
    >>> for loss in losses:
    ...     print(loss)
    look_up /properties/limit/default: is dropped; strict mode has no such keyword
    look_up /properties/limit: could be left out; in strict mode it is null instead
    """
    root = schema if "type" in schema or "$ref" in schema else {"type": "object", **schema}
    making = _Making(tool, pointer)
    strict: dict[str, Any] = making.strict(root, pointer)
    if strict.get("type") != "object" or "anyOf" in strict:
        making.lose("is no plain object, as strict mode wants at the root; OpenAI refuses it", pointer)
    return strict, making.losses


class _Making:
    """One schema on its way to strict mode, with what has been lost so far."""

    def __init__(self, tool: str, root: str):
        self.tool, self.root = tool, root
        self.losses: list[Loss] = []

    def lose(self, what: str, at: str, *tokens: str) -> None:
        self.losses.append(Loss(self.tool, at + pointer_to(*tokens), what))

    def strict(self, schema: Any, at: str) -> Any:
        if not isinstance(schema, dict):
            self.lose(f"is {'of any type' if schema else 'never valid'}; {REFUSED}", at)
            return schema
        known = self.known_keywords(_merged(schema), at)
        shut = _is_object(known)
        if shut:
            known = self.closed(known, at)
        known = changed_inside(known, at, self.strict)
        if "oneOf" in known:
            known = {"anyOf" if key == "oneOf" else key: held for key, held in known.items()}
        if isinstance(known.get("properties"), dict):
            known = self.all_required(known, at)
        if "$ref" in known and known.keys() & BESIDE_REF:
            known = {**{key: held for key, held in known.items() if key != "$ref"}, "anyOf": [{"$ref": known["$ref"]}]}
        self.note_what_is_refused(known, at)
        return {**known, "additionalProperties": False} if shut else known

    def known_keywords(self, schema: dict[str, Any], at: str) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        for key, held in schema.items():
            if key == "oneOf" and "anyOf" not in schema:
                self.lose("became anyOf, which does not say that only one of them fits", at, key)
                kept[key] = held
            elif key not in KNOWN or (key == "items" and isinstance(held, list)):
                self.lose("is dropped; strict mode has no such keyword", at, key)
            elif key == "format" and not (isinstance(held, str) and held in FORMATS):
                self.lose(f"is dropped; strict mode knows only {', '.join(sorted(FORMATS))}", at, key)
            elif "$ref" in schema and key not in BESIDE_REF | {"$ref", "$defs", "definitions"}:
                self.lose("is dropped; strict mode takes nothing beside $ref", at, key)
            else:
                kept[key] = held
        return kept

    def closed(self, schema: dict[str, Any], at: str) -> dict[str, Any]:
        """A schema of objects without its additionalProperties, which will be false."""
        if "type" not in schema:
            self.lose("has no type; object is taken", at)
        more = schema.get("additionalProperties")
        if more not in (None, False):
            self.lose("becomes false, so that no other fields can be sent", at, "additionalProperties")
        fields = schema.get("properties", {})
        if not fields and more is not False and at != self.root:
            self.lose("declares no fields, so that in strict mode it is always empty", at)
        own = {key: held for key, held in schema.items() if key != "additionalProperties"}
        return {"type": "object", **own, "properties": fields}

    def all_required(self, schema: dict[str, Any], at: str) -> dict[str, Any]:
        given = schema.get("required", [])
        required = given if isinstance(given, list) else []
        for name in required:
            if not isinstance(name, str) or name not in schema["properties"]:
                self.lose(f"does not keep {show(name, 60)}; only declared fields are required", at, "required")
        fields = {}
        for name, field in schema["properties"].items():
            if name in required or _admits_null(field):
                fields[name] = field
            else:
                self.lose("could be left out; in strict mode it is null instead", at, "properties", name)
                fields[name] = _or_null(field)
        return {**schema, "properties": fields, "required": list(fields)}

    def note_what_is_refused(self, schema: dict[str, Any], at: str) -> None:
        if not schema.keys() & {"type", "anyOf", "$ref"}:
            self.lose(f"is of any type; {REFUSED}", at)
        if _has_type(schema, "array") and "items" not in schema:
            self.lose(f"has items of any type; {REFUSED}", at)
        if not str(schema.get("$ref", "#")).startswith("#"):
            self.lose(f"leads out of the schema; {REFUSED}", at, "$ref")


def _merged(schema: dict[str, Any]) -> dict[str, Any]:
    """An allOf of one schema says what that schema says."""
    one = schema.get("allOf")
    if isinstance(one, list) and len(one) == 1 and isinstance(one[0], dict):
        rest = {key: held for key, held in schema.items() if key != "allOf"}
        if not rest.keys() & one[0].keys():
            return {**one[0], **rest}
    return schema


def _has_type(schema: dict[str, Any], name: str) -> bool:
    kinds = schema.get("type")
    return kinds == name or (isinstance(kinds, list) and name in kinds)


def _is_object(schema: dict[str, Any]) -> bool:
    return _has_type(schema, "object") or bool(schema.keys() & OF_OBJECTS)


def _admits_null(schema: Any) -> bool:
    """Whether a schema in strict form lets null through."""
    if not isinstance(schema, dict):
        return schema is True
    if "$ref" in schema or schema.get("const", None) is not None:
        return False
    kinds = schema.get("type", "null")
    typed = "null" in kinds if isinstance(kinds, list) else kinds == "null"
    choices = schema.get("anyOf")
    chosen = any(map(_admits_null, choices)) if isinstance(choices, list) else True
    members = schema.get("enum")
    return typed and chosen and (None in members if isinstance(members, list) else True)


def _or_null(schema: Any) -> Any:
    """A schema in strict form that lets null through, too."""
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema or "const" in schema:
        said = {key: schema[key] for key in schema if key in BESIDE_REF}
        inner = {key: held for key, held in schema.items() if key not in BESIDE_REF}
        return {**said, "anyOf": [inner, {"type": "null"}]}
    wider = dict(schema)
    kinds = schema.get("type")
    if isinstance(kinds, str | list):
        named = [kinds] if isinstance(kinds, str) else kinds
        wider["type"] = named if "null" in named else [*named, "null"]
    if isinstance(schema.get("anyOf"), list) and not any(map(_admits_null, schema["anyOf"])):
        wider["anyOf"] = [*schema["anyOf"], {"type": "null"}]
    if isinstance(schema.get("enum"), list) and None not in schema["enum"]:
        wider["enum"] = [*schema["enum"], None]
    return wider
