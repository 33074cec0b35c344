"""Values worth trying for each field of a tool, and whole argument sets made of them.

They come, in this order, from the suite, the tasks, the declaration (enums, examples, defaults), the literals of the
function's source and the module's data that it reads, from what a strategy drew, and from a few plain values of each
type. A value is tried for what it is: text stays text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolbench.checking.documented import told_values
from toolbench.checking.examples import types_of
from toolbench.checking.nodes import Declaration, at_field, followed
from toolbench.checking.source import Source
from toolbench.scenario import Scenario
from toolbench.values import canonical

PLAIN: Mapping[str, tuple[Any, ...]] = {
    "string": ("a", "", "b c", "1", "2024-02-29"),
    "integer": (1, 0, 2, -1, 10, 100),
    "number": (1.5, 0, 1, -1, 10, 100),
    "boolean": (True, False),
    "null": (None,),
    "array": ([],),
    "object": ({},),
}
FIRST = 2  # plain values that stand before what was drawn
MOST_VALUES = 24
MOST_BASES = 20
MOST_KNOWN = 12
MOST_ALONE = 5
MOST_MEMBERS = 20
MOST_LOOKED_AT = 300
DEEPEST = 4

Arguments = dict[str, Any]


@dataclass(frozen=True)
class Known:
    """What a scenario knows of values: argument sets by tool, and values by field name; and what was drawn, by tool."""

    arguments: Mapping[str, Sequence[Arguments]] = field(default_factory=dict)
    values: Mapping[str, Sequence[Any]] = field(default_factory=dict)


def known_values(scenario: Scenario) -> Known:
    """The argument sets and values of a scenario's suite and tasks."""
    sets: dict[str, list[Arguments]] = {name: [] for name in scenario.table}
    values: dict[str, list[Any]] = {}
    for case in scenario.cases:
        sets[case.tool].append(dict(case.arguments))
    for task in scenario.tasks:
        for name, definition in scenario.table.definitions.items():
            sets[name].append(definition.arguments_from(task.start))
        for name, value in task.start.items():
            values.setdefault(name, []).append(value)
    if scenario.server is not None:
        for name in dict.fromkeys(name for one in scenario.table.definitions.values() for name in one.fields):
            values.setdefault(name, []).extend(scenario.server.settings.paths(name))
    for given in sets.values():
        for arguments in given:
            for name, value in arguments.items():
                values.setdefault(name, []).append(value)
    return Known(
        {name: distinct(given)[:MOST_VALUES] for name, given in sets.items()},
        {name: distinct(given)[:MOST_VALUES] for name, given in values.items()},
    )


def distinct(values: Iterable[Any]) -> list[Any]:
    """Values, each JSON value once, in their order."""
    first: dict[str, Any] = {}
    for value in values:
        first.setdefault(canonical(value), value)
    return list(first.values())


def candidates(
    declaration: Declaration, source: Source, known: Known, drawn: Sequence[Arguments], name: str
) -> list[Any]:
    """The values to try for a declared field, all of which its schema admits."""
    own = declaration.definition.name
    given = [one[name] for one in known.arguments.get(own, ()) if name in one]
    given += [one[name] for one in declaration.definition.examples if name in one]
    given += known.values.get(name, ())
    schema = declaration.field(name)
    plain = simple(schema, declaration.schema)
    given = [*distinct(given)[:MOST_KNOWN], *told_values(declaration, name)]
    given += declared_values(schema, declaration.schema)
    said = [*source.literals, *source.around]
    given += [*said, *([[value] for value in said[:MOST_KNOWN]] if "items" in schema else [])]
    given += [*plain[:FIRST], *(one[name] for one in drawn if name in one)]
    given += plain
    if types_of_field(declaration, name) == {"integer"}:
        given = [int(value) if isinstance(value, float) and value.is_integer() else value for value in given]
    admitted = [value for value in distinct(given) if declaration.validators.admits(value, at_field(name)) is not False]
    return admitted[:MOST_VALUES]


def declared_values(schema: Mapping[str, Any], root: Any) -> list[Any]:
    """The values that a schema names: default, constant, enum members, examples; those of its alternatives too."""
    found: list[Any] = []
    waiting = [schema]
    for _ in range(MOST_LOOKED_AT):  # alternatives may have alternatives, and lead back to themselves
        if not waiting:
            break
        inner = waiting.pop(0)
        found += [inner[keyword] for keyword in ("default", "const", "example") if keyword in inner]
        for keyword in ("enum", "examples"):
            if isinstance(inner.get(keyword), list):
                found += inner[keyword][:MOST_MEMBERS]
        waiting += alternatives(inner, root)
    return found


def alternatives(schema: Mapping[str, Any], root: Any) -> list[Mapping[str, Any]]:
    """The schemas that a value may choose between, if it may."""
    options: list[Mapping[str, Any]] = []
    for keyword in ("anyOf", "oneOf"):
        given = schema.get(keyword)
        options += [followed(one, root) for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []
    if isinstance(schema.get("type"), list):
        options += [{**schema, "type": kind} for kind in schema["type"]]
    return options


def types_of_field(declaration: Declaration, name: str) -> set[str]:
    """The types that a field is said to be of; a number may be a whole one."""
    schema = declaration.field(name)
    said = [option.get("type") for option in [schema, *alternatives(schema, declaration.schema)]]
    types = {one for one in said if isinstance(one, str)}
    if not types:  # a constant or an enum says it by its values
        types = {kind for value in declared_values(schema, declaration.schema) for kind in types_of(value)}
    return types | ({"integer"} if "number" in types else set())


def declares_null(declaration: Declaration, name: str) -> bool:
    """Whether a field is said to admit null, and does not admit it for want of being told what it is."""
    schema = declaration.field(name)
    return any(option.get("type") == "null" for option in [schema, *alternatives(schema, declaration.schema)])


def members(declaration: Declaration, name: str) -> list[Any]:
    """The choices that a field declares: its enum, also behind a reference or beside null; booleans are choices too."""
    schema = declaration.field(name)
    for option in [schema, *alternatives(schema, declaration.schema)]:
        if isinstance(option.get("enum"), list):
            return [value for value in option["enum"] if value is not None][:MOST_MEMBERS]
        if option.get("type") == "boolean":
            return [True, False]
    return []


def simple(schema: Any, root: Any) -> list[Any]:
    """A few plain values of a schema's types; arrays and objects are put together from those of their parts."""
    return _Simple(root).of(schema, 0)


class _Simple:
    """Plain values of one schema and its parts; of parts beyond a number, or too deep, nothing is looked up."""

    def __init__(self, root: Any):
        self._root, self._left = root, MOST_LOOKED_AT

    def of(self, schema: Any, depth: int) -> list[Any]:
        self._left -= 1
        if not isinstance(schema, Mapping) or depth > DEEPEST or self._left < 0:
            return ["a", 1]
        schema = followed(schema, self._root)
        if isinstance(schema.get("enum"), list):
            return list(schema["enum"][:MOST_MEMBERS])
        if options := alternatives(schema, self._root):
            return [value for option in options for value in self.of(option, depth + 1)[:4]]
        kind = schema.get("type")
        if kind == "array":
            return self._arrays(schema, depth)
        if kind == "object" or isinstance(schema.get("properties"), Mapping):
            return self._objects(schema, depth)
        if kind in ("integer", "number"):
            return [*_at_bounds(schema), *PLAIN[kind]]
        return list(PLAIN.get(str(kind), ("a", 1, True)))

    def _arrays(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        items = self.of(schema.get("items"), depth + 1) or ["a"]
        least = schema.get("minItems", 0)
        long = [items * 3, items[:1] * least] if isinstance(least, int) and 0 < least < MOST_VALUES else []
        return [items[:1], [], items[:2], *long]

    def _objects(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        given = schema.get("properties")
        fields = given if isinstance(given, Mapping) else {}
        parts = {name: self.of(inner, depth + 1) for name, inner in fields.items()}
        required = schema.get("required") or ()
        whole = {name: values[0] for name, values in parts.items() if values}
        other = {name: values[1 % len(values)] for name, values in parts.items() if values}
        least = {name: value for name, value in whole.items() if isinstance(required, list) and name in required}
        return distinct([whole, least, other, {}])


def _at_bounds(schema: Mapping[str, Any]) -> list[Any]:
    found = []
    for keyword, inside in (("minimum", 0), ("maximum", 0), ("exclusiveMinimum", 1), ("exclusiveMaximum", -1)):
        bound = schema.get(keyword)
        if isinstance(bound, int | float) and not isinstance(bound, bool):
            found.append(bound + inside)
    return found


def assembled(
    declaration: Declaration, values: Mapping[str, Sequence[Any]], known: Known, drawn: Sequence[Arguments]
) -> list[Arguments]:
    """Whole argument sets that the declaration admits: those that are known, then put together, then drawn."""
    fields = declaration.fields
    given = [{name: value for name, value in one.items() if name in fields}
             for one in known.arguments.get(declaration.definition.name, ())]  # fmt: skip
    given = distinct([*map(dict, declaration.definition.examples), *given])[: MOST_BASES // 2]
    least = {name: values[name][0] for name in declaration.required if values.get(name)}
    whole = {name: given_values[0] for name, given_values in values.items() if given_values}
    alone = [{**least, name: v[0]} for name, v in values.items() if v and name not in least][:MOST_ALONE]
    made = [least, whole, *alone, *_with_members(declaration, least), *_with_members(declaration, whole)]
    made += [
        {name: v[number % len(v)] for name, v in values.items() if v}
        for number in range(1, 4 + 8 // (len(values) or 1))
    ]
    admitted = [one for one in distinct([*given, *made, *drawn]) if declaration.admits(one)]
    return admitted[:MOST_BASES]


def _with_members(declaration: Declaration, base: Arguments) -> Iterator[Arguments]:
    for name in declaration.fields:
        for member in members(declaration, name):
            yield {**base, name: member}


def near(value: Any) -> list[Any]:
    """Values close to one that works."""
    if isinstance(value, bool) or value is None:
        return []
    if isinstance(value, int | float):
        return [value + 1, value - 1, value * 2, -value]
    if isinstance(value, str):
        return [value + "x", value[:-1], value.upper(), value.lower()]
    if isinstance(value, list):
        return [value[1:], value[::-1], value + value[:1]]
    return [{key: inner for key, inner in value.items() if key != name} for name in list(value)[:3]]


SAMPLES: Mapping[str, Any] = {
    "string": "a",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "array": [1, 2],
    "object": {"a": 1},
}


def of_type(kind: str, value: Any) -> list[Any]:
    """Values of a type that stand for another value: what an agent would send who takes the field for that type."""
    if kind == "null":
        return [None]
    if kind == "string":
        if isinstance(value, list):
            joined = [", ".join(map(str, value))] if len(value) > 1 else []  # one item alone is no text of several
            return distinct([*joined, canonical(value), "a"])
        return distinct([canonical(value) if not isinstance(value, str) else value, "a"])
    if kind == "array":
        return [[value], []]
    if kind == "object":
        return [{"value": value}, {}]
    return list(PLAIN[kind][:2])


def other_types(types: Collection[str]) -> list[Any]:
    """A sample of each type that is none of those given; none where nothing is said of the type."""
    return [sample for kind, sample in SAMPLES.items() if types and kind not in types]
