"""A place in a schema, and all that is said there: `$ref` followed, `allOf` read as one schema where it can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import unquote

from toolbench.drifting.change import alike
from toolbench.pointers import pointer_to

# Names of places and remarks: nobody's call or answer depends on them. A discriminator repeats what the members say.
IGNORED = frozenset(
    "$defs definitions $id id $schema $anchor $dynamicAnchor $vocabulary $comment title discriminator".split()
)
# Keywords that only mean something beside each other, so that two schemas which both use one can't be read as one.
TOGETHER = (
    frozenset("properties patternProperties additionalProperties unevaluatedProperties".split()),
    frozenset("items prefixItems additionalItems unevaluatedItems".split()),
    frozenset("contains minContains maxContains".split()),
    frozenset("if then else".split()),
)
ANNOTATIONS = ("description", "default", "examples", "example")


class Said(NamedTuple):
    """The value of a keyword, and where it stands."""

    value: Any
    pointer: str


@dataclass(frozen=True)
class Place:
    """A schema inside a document. pointer: None for one that nobody wrote, and that is implied."""

    value: Any
    pointer: str | None
    root: Any
    root_pointer: str

    def inner(self, value: Any, pointer: str | None) -> Place:
        """Another place of the same document."""
        return Place(value, pointer, self.root, self.root_pointer)

    @property
    def anything(self) -> Place:
        """What is implied where nothing is said."""
        return self.inner(True, None)

    @property
    def is_schema(self) -> bool:
        return isinstance(self.value, dict | bool)


@dataclass
class Node:
    """All that is said at a place. members: schemas of an `allOf` that hold besides; never: nothing is admitted."""

    said: dict[str, Said] = field(default_factory=dict)
    members: list[Place] = field(default_factory=list)
    never: bool = False
    title: str = ""
    home: str = ""  # the pointer of the last `$ref`, which is what tells one member of a union from another


def read(place: Place) -> Node:
    """What is said at a place, in its own words and in those that it refers to; its own go first."""
    node, waiting, met = Node(), [place], set()
    while waiting:
        at = waiting.pop(0)
        if at.pointer in met:
            continue
        met.add(at.pointer)
        if at.value is False:
            node.never = True
        if not isinstance(at.value, dict):
            continue
        own = {
            key: Said(value, f"{at.pointer or ''}{pointer_to(key)}")
            for key, value in at.value.items()
            if isinstance(key, str) and key not in IGNORED
        }
        if clash(node.said, own):
            node.members.append(at)
            continue
        title = at.value.get("title")
        node.title = node.title or (title if isinstance(title, str) else "")
        waiting += _others(node, at, own)
        node.said = {**own, **node.said}
    return _in_todays_words(node)


def _others(node: Node, at: Place, own: dict[str, Said]) -> list[Place]:
    """The schemas that are said to hold here, too; their keywords are taken out of `own`."""
    others = []
    if "$ref" in own and (target := target_of(at, own["$ref"].value)):
        del own["$ref"]
        node.home = target.pointer or ""
        others.append(target)
    if "allOf" in own and isinstance(own["allOf"].value, list):
        held = own.pop("allOf")
        others += [at.inner(member, held.pointer + pointer_to(i)) for i, member in enumerate(held.value)]
    return others


def clash(said: Mapping[str, Said], more: Mapping[str, Said]) -> bool:
    """Whether two schemas that both hold say too much of the same to be read as one."""
    twice = (said.keys() & more.keys()) - set(ANNOTATIONS)
    if any(not alike(said[key].value, more[key].value) for key in twice):
        return True
    return any(said.keys() & group and more.keys() & group for group in TOGETHER)


def _in_todays_words(node: Node) -> Node:
    """`items` as a list is what `prefixItems` is since draft 2020-12."""
    said = node.said
    if "items" in said and isinstance(said["items"].value, list) and "prefixItems" not in said:
        said["prefixItems"] = said.pop("items")
        if "additionalItems" in said:
            said["items"] = said.pop("additionalItems")
    return node


def target_of(place: Place, reference: Any) -> Place | None:
    """What a `$ref` within the document leads to; None where it leads out of it, or nowhere."""
    if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
        return None
    value = place.root
    tokens = [unquote(token).replace("~1", "/").replace("~0", "~") for token in reference.split("/")[1:]]
    for token in tokens:
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and token in list(map(str, range(len(value)))):
            value = value[int(token)]
        else:
            return None
    return place.inner(value, place.root_pointer + pointer_to(*tokens))
