"""Whether a declaration is sound JSON Schema: valid, its references lead somewhere, its bounds admit something."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolbench.checking.finding import Finding, found
from toolbench.checking.nodes import BESIDE, Declaration, Node, target
from toolbench.definition import Definition
from toolbench.validation import Validators, metaschema_fault
from toolbench.values import show

TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")
BOUNDS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
)
LISTED = 20


def structure(declaration: Declaration) -> Iterator[Finding]:
    """What is wrong with the schema as a schema."""
    name = declaration.definition.name
    yield from _validity(declaration, name)
    yield from references(declaration)
    for node in declaration.nodes:
        yield from _required(declaration, node, name)
        yield from _bounds(node, name)
        yield from _items(node, name)
        yield from _pattern(node, name)
        if declaration.definition.strict:
            yield from _strict(node, name)


def names(definitions: Sequence[Definition]) -> Iterator[Finding]:
    """Tools that have one name."""
    counts: dict[str, int] = {}
    for definition in definitions:
        counts[definition.name] = counts.get(definition.name, 0) + 1
    for name, times in counts.items():
        if times > 1:
            yield found("duplicate-name", name, "/name", f"{times} tools have this name")


def _validity(declaration: Declaration, name: str) -> Iterator[Finding]:
    unknown = False
    for node in declaration.nodes:
        for wrong in [said for said in node.types if isinstance(said, str) and said not in TYPES][:LISTED]:
            unknown = True
            cure = f"Use one of {', '.join(TYPES)}."
            seen = f"the type {show(wrong, 60)} is none of JSON Schema's"
            yield found("invalid-schema", name, f"{node.pointer}/type", seen, cure=cure)
    fault = None if unknown else metaschema_fault(declaration.schema)
    if fault is not None:
        pointer, why = fault
        flag = pointer.endswith("/required") and why.startswith(("true", "false"))
        listed = "List the field's name under the required of the object that it belongs to." if flag else None
        yield found("invalid-schema", name, pointer, why, cure=listed)
    elif not unknown and declaration.schema.get("type", "object") != "object":
        seen = f"the type is {show(declaration.schema['type'], 60)}; a tool takes an object of fields"
        yield found("invalid-schema", name, "/type", seen, cure="Declare an object whose properties are the fields.")


def references(declaration: Declaration) -> Iterator[Finding]:
    """References to nothing, to a network, and back to themselves."""
    name, root = declaration.definition.name, declaration.schema
    referring = [node for node in declaration.nodes if isinstance(_reference(node.schema), str)]
    targets = {reference: target(reference, root) for reference in {str(_reference(node.schema)) for node in referring}}
    circles = _circles(declaration, targets)
    told: set[int] = set()
    for node in referring:
        reference = str(_reference(node.schema))
        pointer = f"{node.pointer}/{'$ref' if '$ref' in node.schema else '$dynamicRef'}"
        circle = circles.get(id(node.schema))
        if targets[reference] is None:
            code = "dangling-ref" if reference.startswith("#") else "remote-ref"
            what = "leads to nothing" if code == "dangling-ref" else "lies outside of the document; it was not fetched"
            yield found(code, name, pointer, f"{show(reference, 120)} {what}")
        elif circle is not None and circle not in told:
            told.add(circle)
            yield found("circular-ref", name, pointer, f"{show(reference, 120)} leads back to itself")


def _reference(schema: Mapping[str, Any]) -> Any:
    return schema.get("$ref", schema.get("$dynamicRef"))


def _circles(declaration: Declaration, targets: Mapping[str, Any]) -> dict[int, int]:
    """The schemas on a way from one back to itself that passes no property and no item, each with its circle's number.

    Each schema is gone through once, depth first; a way to one that is still being gone through closes a circle.
    """
    circles: dict[int, int] = {}
    number = 0
    done: set[int] = set()
    for node in declaration.nodes:
        path: list[int] = []
        waiting: list[tuple[Mapping[str, Any], bool]] = [(node.schema, False)]
        while waiting:
            schema, left = waiting.pop()
            if left:
                done.add(path.pop())
            elif id(schema) in path:
                number += 1
                circles.update(dict.fromkeys(path[path.index(id(schema)) :], number))
            elif id(schema) not in done:
                path.append(id(schema))
                waiting += [(schema, True), *((inner, False) for inner in _onward(schema, targets))]
    return circles


def _onward(schema: Mapping[str, Any], targets: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The schemas that describe the same value: behind a reference, and beside it."""
    onward = [targets.get(str(_reference(schema)))]
    for keyword in BESIDE:
        inner = schema.get(keyword)
        onward += inner if isinstance(inner, list) else [inner]
    return [inner for inner in onward if isinstance(inner, Mapping)]


def _required(declaration: Declaration, node: Node, name: str) -> Iterator[Finding]:
    required = node.schema.get("required")
    if not isinstance(required, list) or _admits_others(node.schema):
        return
    known = _declared(declaration, node)
    for field in [field for field in required if isinstance(field, str) and field not in known][:LISTED]:
        seen = f"{show(field, 80)} is required and not declared"
        yield found("undeclared-required", name, f"{node.pointer}/required", seen)


def _admits_others(schema: Mapping[str, Any]) -> bool:
    """Whether fields are declared otherwise than by name."""
    return bool(schema.get("patternProperties")) or isinstance(schema.get("additionalProperties"), Mapping)


def _declared(declaration: Declaration, node: Node) -> set[str]:
    """The fields of a value that a schema or those beside it, above it and behind its references declare."""
    by_pointer = {other.pointer: other for other in declaration.nodes}
    top = node
    while top.keyword in BESIDE and (above := _above(top, by_pointer)) is not None:
        top = above
    fields: set[str] = set()
    seen: set[int] = set()
    waiting: list[Any] = [top.schema]
    while waiting:
        schema = waiting.pop()
        if not isinstance(schema, Mapping) or id(schema) in seen:
            continue
        seen.add(id(schema))
        properties = schema.get("properties")
        fields |= set(properties) if isinstance(properties, Mapping) else set()
        if isinstance(reference := schema.get("$ref"), str):
            waiting.append(target(reference, declaration.schema))
        for keyword in BESIDE:
            inner = schema.get(keyword)
            waiting += inner if isinstance(inner, list) else [inner]
    return fields


def _above(node: Node, by_pointer: Mapping[str, Node]) -> Node | None:
    """The schema that a schema stands in."""
    parts = node.pointer.split("/")
    for length in (len(parts) - 1, len(parts) - 2):
        above = by_pointer.get("/".join(parts[:length])) if length > 0 else None
        if above is not None:
            return above
    return None


def _bounds(node: Node, name: str) -> Iterator[Finding]:
    if node.schema.get("enum") == []:
        yield found("unsatisfiable", name, f"{node.pointer}/enum", "the enum has no members")
    for low, high in BOUNDS:
        least, most = node.schema.get(low), node.schema.get(high)
        if isinstance(least, int | float) and isinstance(most, int | float) and least > most:
            yield found("unsatisfiable", name, f"{node.pointer}/{low}", f"{low} {least} is above {high} {most}")


def _items(node: Node, name: str) -> Iterator[Finding]:
    said = {"items", "prefixItems", "contains", "enum", "const", "$ref", "unevaluatedItems"}
    if "array" in node.types and not said & set(node.schema):
        yield found("items-missing", name, node.pointer, "the array says nothing of its items")


def _pattern(node: Node, name: str) -> Iterator[Finding]:
    for keyword in ("pattern", "patternProperties"):
        given = node.schema.get(keyword)
        for pattern in [given] if isinstance(given, str) else list(given) if isinstance(given, Mapping) else []:
            if Validators({"pattern": pattern}).problem and not _python_reads(pattern):
                seen = f"{show(pattern, 80)} is no regular expression"
                yield found("invalid-pattern", name, f"{node.pointer}/{keyword}", seen)


def _python_reads(pattern: str) -> bool:
    """Whether the other engine takes the pattern: one that only one of two refuses is a matter of taste."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def _strict(node: Node, name: str) -> Iterator[Finding]:
    properties = node.schema.get("properties")
    if "object" not in node.types and not isinstance(properties, Mapping):
        return
    required = node.schema.get("required", [])
    left = [field for field in properties or {} if not isinstance(required, list) or field not in required]
    said = ["the object is open to other fields"] if node.schema.get("additionalProperties") is not False else []
    said += [f"not required: {', '.join(show(field, 40) for field in left[:LISTED])}"] if left else []
    if said:
        yield found("strict-open", name, node.pointer, f"strict mode, and {'; '.join(said)}")
