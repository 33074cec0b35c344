"""What a schema admits as a list of branches, each of one type or of certain values, however the schema spells it.

`type: [string, null]`, `anyOf` of the two, and `nullable` are the same branches; `enum`, `const` and a union of
consts are the same values. So a server that spells a schema in another way has not changed it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from toolbench.drifting.change import shown
from toolbench.drifting.places import ANNOTATIONS, Node, Place, Said, read
from toolbench.pointers import pointer_to
from toolbench.values import equal

UNIONS = ("anyOf", "oneOf")
NUMBERS = ("integer", "number")
KEYWORDS_OF = {
    "string": "minLength maxLength pattern format contentEncoding contentMediaType contentSchema",
    "number": "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf format",
    "array": (
        "items prefixItems minItems maxItems uniqueItems contains minContains maxContains unevaluatedItems "
        "additionalItems"
    ),
    "object": (
        "properties required additionalProperties patternProperties propertyNames minProperties maxProperties "
        "dependentRequired dependentSchemas unevaluatedProperties dependencies"
    ),
}
SPEAKS_OF = {kind: frozenset(keywords.split()) for kind, keywords in KEYWORDS_OF.items()}
TYPED = frozenset().union(*SPEAKS_OF.values())
TYPES = {"string": str, "object": dict, "array": list, "boolean": bool, "null": type(None)}


@dataclass(frozen=True)
class Branch:
    """One kind of value that a schema admits.

    type: its type, None for any. values: the only ones, None where they aren't listed. said: the other keywords that
    mean something for it. members: schemas that hold besides. pointer: where it is said. names: what it may be
    recognised by among others: where its `$ref` leads to, and its title. title: what to call it.
    """

    place: Place
    type: str | None
    values: tuple[Said, ...] | None
    said: dict[str, Said]
    members: tuple[Place, ...]
    pointer: str | None
    names: frozenset[str] = frozenset()
    title: str = ""

    @property
    def family(self) -> str:
        """Its type, where whole numbers are numbers and listed values a type of their own."""
        if self.values is not None:
            return "values"
        return "number" if self.type in NUMBERS else str(self.type)

    @property
    def is_anything(self) -> bool:
        """Whether it admits every value."""
        return self.type is None and self.values is None and not self.members and self.said.keys() <= set(ANNOTATIONS)

    @property
    def key(self) -> tuple[str | None, ...]:
        """What tells it from all others of its document."""
        return self.place.pointer, self.pointer, self.family

    @property
    def words(self) -> str:
        """What it admits, in short."""
        if self.values is not None:
            return shown([value for value, _ in self.values])
        kind = shown(self.type)[1:-1] if self.type else "anything"
        return f"{kind} {shown(self.title)}" if self.title else kind


@dataclass(frozen=True)
class Reading:
    """A schema as its annotations and its branches. union: anyOf or oneOf, where it is one of several schemas."""

    annotations: dict[str, Said]
    branches: tuple[Branch, ...]
    union: Said | None = None


def branches_of(place: Place, *, root: bool = False) -> Reading:
    """A schema's branches. root: whether it is of a tool's arguments or answer, which are objects, said or not."""
    node = read(place)
    annotations = {key: said for key, said in node.said.items() if key in ANNOTATIONS}
    node.said = {key: said for key, said in node.said.items() if key not in ANNOTATIONS}
    if root and "type" not in node.said:
        node.said["type"] = Said("object", place.pointer or place.root_pointer)
    if (key := union_in(node)) is None:
        return Reading(annotations, tuple(_joined(_split(place, node))))
    members = members_of(place, node.said[key])
    found = flattened(members)
    if _is_nullable(node) and all(branch.type != "null" for branch in found):
        found.append(_null(place, node.said["nullable"].pointer))
    return Reading(annotations, tuple(_joined(found)), Said(key, node.said[key].pointer))


def union_in(node: Node) -> str | None:
    """The keyword of a schema that is a union and nothing else."""
    keys = [key for key in UNIONS if key in node.said and isinstance(node.said[key].value, list)]
    if len(keys) != 1 or node.members or node.never or node.said.keys() - {keys[0], "nullable"}:
        return None
    return keys[0]


def members_of(place: Place, said: Said) -> list[Place]:
    """The schemas of a list of schemas."""
    return [place.inner(member, said.pointer + pointer_to(i)) for i, member in enumerate(said.value)]


def flattened(places: list[Place]) -> list[Branch]:
    """The branches of several schemas, those of a union among them in its place."""
    found: list[Branch] = []
    waiting, met = list(reversed(places)), set()
    while waiting:
        place = waiting.pop()
        if place.pointer in met:
            continue
        met.add(place.pointer)
        node = read(place)
        bare = replace(node, said={key: said for key, said in node.said.items() if key not in ANNOTATIONS})
        if (key := union_in(bare)) is None:
            found += _split(place, node)
        else:
            waiting += reversed(members_of(place, node.said[key]))
            if _is_nullable(node):
                found.append(_null(place, node.said["nullable"].pointer))
    return found


def _split(place: Place, node: Node) -> list[Branch]:
    """The branches of a schema that is no union: one for each type, or one of the values that it lists."""
    if node.never:
        return []
    said = dict(node.said)
    nullable = said.pop("nullable", None)
    types, at = _types(place, said.pop("type", None))
    title = node.title or node.home.rpartition("/")[2]
    names = frozenset(name for name in (node.home, node.title) if name)
    listed = said.get("const") or said.get("enum")
    values = _values(said)
    made: list[Branch] = []
    if values is None or listed is None:
        for kind in types:
            own = {key: held for key, held in said.items() if _speaks_of(key, kind)}
            made.append(Branch(place, kind, None, own, tuple(node.members), at, names, title))
    else:
        values = [v for v in values if any(kind is None or fits(v.value, kind) for kind in types)]
        nulls = [value for value in values if value.value is None]
        if others := tuple(value for value in values if value.value is not None):
            made.append(Branch(place, None, others, said, tuple(node.members), listed.pointer, names, title))
        made += [_null(place, value.pointer) for value in nulls[:1]]
    if nullable and nullable.value is True and not any(branch.type in ("null", None) for branch in made):
        made.append(_null(place, nullable.pointer))
    return made


def _types(place: Place, said: Said | None) -> tuple[list[str | None], str | None]:
    if said is None:
        return [None], place.pointer
    listed = said.value if isinstance(said.value, list) else [said.value]
    named: list[str | None] = list(dict.fromkeys(kind if isinstance(kind, str) else shown(kind) for kind in listed))
    if "number" in named and "integer" in named:
        named.remove("integer")
    return named, said.pointer


def _values(said: dict[str, Said]) -> list[Said] | None:
    """The values that `const` or `enum` list, taken out of what is said; None where neither does."""
    listed = said.pop("enum") if "enum" in said and isinstance(said["enum"].value, list) else None
    if const := said.pop("const", None):
        return [const]
    return listed and [Said(value, listed.pointer + pointer_to(i)) for i, value in enumerate(listed.value)]


def _is_nullable(node: Node) -> bool:
    return "nullable" in node.said and node.said["nullable"].value is True


def _null(place: Place, pointer: str | None) -> Branch:
    return Branch(place, "null", None, {}, (), pointer)


def _speaks_of(keyword: str, kind: str | None) -> bool:
    if kind is None or keyword not in TYPED:
        return True
    return keyword in SPEAKS_OF.get("number" if kind in NUMBERS else kind, ())


def _joined(found: list[Branch]) -> list[Branch]:
    """The branches, those that only list values made one, and null named once."""
    plain = [b for b in found if b.values is not None and not b.said and not b.members]
    nulls = [b for b in found if b.type == "null" and not b.said and not b.members]
    rest = {id(branch) for branch in plain[1:] + nulls[1:]}
    listed = tuple(value for branch in plain for value in branch.values or ())
    return [replace(b, values=listed) if plain and b is plain[0] else b for b in found if id(b) not in rest]


def fits(value: Any, kind: str | None) -> bool:
    """Whether a value is of a type of JSON Schema.

    >>> fits(1.0, "integer"), fits(True, "number"), fits("a", None)
    (True, False, True)
    """
    if kind in NUMBERS:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return kind == "number" or equal(value, value // 1)
    return kind is None or isinstance(value, TYPES.get(kind, ()))
