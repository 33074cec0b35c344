"""What two branches say besides their type: fields, items, limits, and every other keyword."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolbench.drifting.branches import UNIONS, Branch, members_of
from toolbench.drifting.change import alike, shown
from toolbench.drifting.limits import LIMITS, is_number, moved
from toolbench.drifting.places import ANNOTATIONS, Place, Said, read
from toolbench.drifting.reasons import INPUT
from toolbench.pointers import pointer_to

if TYPE_CHECKING:
    from toolbench.drifting.schemas import Comparison

CLOSING = ("additionalProperties", "unevaluatedProperties")
IMPLIED = (*CLOSING, "unevaluatedItems", "additionalItems", "propertyNames")  # anything is admitted where none is said
ONE = ("not", "if", "then", "else", "contentSchema")
NAMED = ("patternProperties", "dependentSchemas", "dependencies")


def compare_keywords(comparison: Comparison, kept: Branch, live: Branch) -> None:
    """Note what changed between two branches of one type, and push what is inside."""
    old, new = dict(kept.said), dict(live.said)
    if kept.values is None and live.values is not None:
        # The values are all that is admitted: a limit that went with them is not one that was lifted.
        old = {key: said for key, said in old.items() if key in new}
    for limit in moved(old, new):
        comparison.turn(limit.kind, limit.kept, limit.live, limit.what)
    _fields(comparison, kept, live, old, new)
    _items(comparison, kept, live, old, new)
    done = {"properties", "required", "items", "prefixItems", *ANNOTATIONS}
    for key in sorted((old.keys() | new.keys()) - done):
        _keyword(comparison, key, kept, live, (old.get(key), new.get(key)))
    _members(comparison, list(kept.members), list(live.members))


def _fields(comparison: Comparison, kept: Branch, live: Branch, old: dict[str, Said], new: dict[str, Said]) -> None:
    before, after = _by_name(kept.place, old.get("properties")), _by_name(live.place, new.get("properties"))
    if before is None or after is None:
        _whole(comparison, old.get("properties"), new.get("properties"))
        return
    must, must_now = _required(old.get("required")), _required(new.get("required"))
    closed = "additionalProperties" in new and new["additionalProperties"].value is False
    for name in sorted(before.keys() | after.keys() | must.keys() | must_now.keys()):
        told = f"the field {shown(name)}"
        if name in before and name not in after:
            comparison.note("field gone, closed" if closed else "field gone", f"{told} is gone", before[name].pointer)
        elif name in after and name not in before:
            kind, word = ("required field new", " and required") if name in must_now else ("field new", "")
            comparison.note(kind, f"{told} is new{word}", after[name].pointer)
        else:
            if name in before:
                comparison.push(before[name], after[name])
            if name in must_now and name not in must:
                comparison.note("now required", f"{told} could be left out, is required", must_now[name])
            if name in must and name not in must_now:
                comparison.note("no longer required", f"{told} was required, may be left out", must[name])


def _by_name(place: Place, said: Said | None) -> dict[str, Place] | None:
    if said is None:
        return {}
    if not isinstance(said.value, dict):
        return None
    return {
        name: place.inner(inner, said.pointer + pointer_to(name))
        for name, inner in said.value.items()
        if isinstance(name, str)
    }


def _required(said: Said | None) -> dict[str, str]:
    """Where each required name stands."""
    if said is None or not isinstance(said.value, list):
        return {}
    return {name: said.pointer + pointer_to(i) for i, name in enumerate(said.value) if isinstance(name, str)}


def _items(comparison: Comparison, kept: Branch, live: Branch, old: dict[str, Said], new: dict[str, Said]) -> None:
    """Items by position as far as either side names them, then all further ones."""
    sides = []
    for branch, said in ((kept, old), (live, new)):
        first = said.get("prefixItems")
        if first is not None and not isinstance(first.value, list):
            _whole(comparison, old.get("prefixItems"), new.get("prefixItems"))
            return
        sides.append((members_of(branch.place, first) if first else [], _one(branch.place, said.get("items"))))
    (before, further), (after, further_now) = sides
    for i in range(max(len(before), len(after))):
        comparison.push(before[i] if i < len(before) else further, after[i] if i < len(after) else further_now)
    comparison.push(further, further_now)


def _one(place: Place, said: Said | None) -> Place:
    return place.inner(*said) if said else place.anything


def _keyword(
    comparison: Comparison, key: str, kept: Branch, live: Branch, said: tuple[Said | None, Said | None]
) -> None:
    """Any keyword that needs no other one to be understood."""
    old, new = said
    if (key in LIMITS or key == "multipleOf") and all(one is None or is_number(one.value) for one in said):
        return  # seen with its twin already
    places = _one(kept.place, old), _one(live.place, new)
    closed = [one is not None and one.value is False for one in said]
    if key in CLOSING and closed[0] != closed[1]:
        comparison.turn("closed" if closed[1] else "opened", old, new)
    elif key in IMPLIED or (key == "contains" and old and new):
        comparison.push(*places)
    elif key in ("contains", "pattern") or (key in UNIONS and not (old and new)):
        _more_or_less(comparison, old, new)
    elif key in UNIONS and old and new and isinstance(old.value, list) and isinstance(new.value, list):
        comparison.push_unions(places[0], old, places[1], new)
    elif key == "uniqueItems":
        if (old is not None and old.value is True) != (new is not None and new.value is True):
            comparison.turn("narrower" if new and new.value is True else "wider", old, new)
    elif key == "format" and not (old and new and alike(old.value, new.value)):
        comparison.turn("format" if new else "format gone", old, new)
    elif not _is_unchanged(comparison, key, places, old, new):
        comparison.turn("keyword", old, new)


def _more_or_less(comparison: Comparison, old: Said | None, new: Said | None) -> None:
    """A keyword that admits less where it is; of two different ones, each may refuse what the other admits."""
    if old and new:
        if not alike(old.value, new.value):
            harm = "narrower" if comparison.way == INPUT else "wider"
            comparison.turn(harm, old, new)
    else:
        comparison.turn("narrower" if new else "wider", old, new)


def _is_unchanged(
    comparison: Comparison, key: str, places: tuple[Place, Place], old: Said | None, new: Said | None
) -> bool:
    if old is None or new is None:
        return False
    if key in ONE:
        return comparison.is_same(*places)
    if key in NAMED:
        sides = _by_name(places[0], old), _by_name(places[1], new)
        if sides[0] is not None and sides[1] is not None and sides[0].keys() == sides[1].keys():
            if key == "patternProperties":
                for name in sides[0]:
                    comparison.push(sides[0][name], sides[1][name])
                return True
            return all(comparison.is_same(sides[0][name], sides[1][name]) for name in sides[0])
    return alike(old.value, new.value)


def _whole(comparison: Comparison, old: Said | None, new: Said | None) -> None:
    """Something that should hold schemas and holds none."""
    if not (old and new and alike(old.value, new.value)):
        comparison.turn("no schema", old, new)


def _members(comparison: Comparison, old: list[Place], new: list[Place]) -> None:
    """Schemas that hold besides, as a set."""
    for one in list(old):
        for other in new:
            if comparison.is_same(one, other):
                old = [place for place in old if place is not one]
                new = [place for place in new if place is not other]
                break
    if len(old) == len(new) == 1:
        comparison.push(old[0], new[0])
        return
    for place in old:
        comparison.note("wider", f"{_short(place)} had to hold besides and no longer does", place.pointer)
    for place in new:
        comparison.note("narrower", f"{_short(place)} has to hold besides and had not", place.pointer)


def _short(place: Place) -> str:
    return shown(read(place).title or place.value)
