"""The world: what tools read and change beyond their arguments."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import marshal
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from toolbench.errors import ScenarioError
from toolbench.values import SCALARS

LEAVES = SCALARS | {bytes}
CONTAINERS = frozenset({dict, list, tuple, set, frozenset})


class World:
    """State that tools change, and facts that they only read.

    state: a dict that tools may change; it is copied, compared and put back. given: facts, made
    read-only (dicts become read-only views, lists tuples, sets frozensets), shared by every world and never copied.
    For another kind of state (a database, a directory) override `snapshot`, `restore` and `fingerprint`.

    >>> world = World(state={"records": {}}, given={"limit": 3})
    >>> before = world.snapshot()
    >>> world.state["records"]["A001"] = 500
    >>> world.restore(before)
    >>> world.state
    {'records': {}}
    """

    def __init__(self, state: dict[str, Any] | None = None, given: Mapping[str, Any] | None = None):
        self.state: dict[str, Any] = {} if state is None else state
        self.given: Mapping[str, Any] = read_only(given or {})

    def snapshot(self) -> Any:
        """A copy of all but the given facts, which `restore` puts back any number of times."""
        changing = {name: value for name, value in vars(self).items() if name != "given"}
        try:
            if _marshal_keeps(changing):  # a tenth of deepcopy's time, and loops restore millions of times
                return marshal.dumps(changing)
        except ValueError:  # nested more deeply than marshal goes
            pass
        return copy.deepcopy(changing)

    def restore(self, snapshot: Any) -> None:
        """Make the world what it was when `snapshot` was taken; what was added to it since is gone."""
        given = self.given
        self.__dict__ = marshal.loads(snapshot) if type(snapshot) is bytes else copy.deepcopy(snapshot)
        self.given = given

    def fingerprint(self) -> str:
        """A text that is the same for equal states and differs for others."""
        return hashlib.sha256(_spelled(self.state).encode()).hexdigest()[:16]


def _marshal_keeps(state: Any) -> bool:
    """Whether all that a state is made of comes back as what it was; marshal makes bytes of arrays and buffers."""
    waiting, seen = [state], set()
    while waiting:
        value = waiting.pop()
        if type(value) not in CONTAINERS:
            return False
        parts = [*value, *value.values()] if type(value) is dict else value
        if LEAVES.issuperset(map(type, parts)):
            continue
        seen.add(id(value))
        waiting += [part for part in parts if type(part) not in LEAVES and id(part) not in seen]
    return True


def read_only(value: Any) -> Any:
    """Dicts as read-only views, lists as tuples, sets as frozensets, all the way down."""
    if isinstance(value, Mapping):
        return MappingProxyType({key: read_only(field) for key, field in value.items()})
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return tuple(read_only(item) for item in value)
    if isinstance(value, set):
        return frozenset(value)
    return value


def _spelled(value: Any) -> str:
    """An unambiguous text of a state's content; ScenarioError for content that cannot be compared."""
    if type(value) in SCALARS:
        return repr(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(sorted(f"{_spelled(key)}:{_spelled(field)}" for key, field in value.items())) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_spelled, value)) + "]"
    if isinstance(value, set | frozenset):
        return "<" + ",".join(sorted(map(_spelled, value))) + ">"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return type(value).__name__ + _spelled(fields)
    kind: Any = type(value)
    if kind.__eq__ is not object.__eq__ and kind.__repr__ is not object.__repr__:
        return repr(value)
    raise ScenarioError(
        f"the world holds a {type(value).__name__}, which cannot be compared; keep plain values or "
        "dataclasses in World.state, or override snapshot, restore and fingerprint"
    )
