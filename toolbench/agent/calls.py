"""Distinct calls: each is really made once, in a world put back to its state, and once more to check.

A call is known by its tool, its arguments and the world that it meets; values and worlds are known by numbers. Tables
and tasks that share a call share its effect.
"""

from __future__ import annotations

import marshal
import pickle
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolbench.errors import CannotCompile
from toolbench.outcome import CRASH, NOT_BACK, OK, described
from toolbench.values import show
from toolbench.world import World

if TYPE_CHECKING:
    from toolbench.tools import Tool

NOTHING = 0  # the number of None
MISSING = -1  # an argument that is not given
NOWHERE = -1  # the world of a tool that is not given one
MOST_BYTES = 1 << 28
UNPICKLED = 1 << 17
NO_CALL = -1  # announced when a call is over
INTERRUPTED = (CRASH, "KeyboardInterrupt")
DRAWS = "draws from the interpreter's random numbers, so it is not repeatable"

State = Mapping[str, int]
End = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Effect:
    """What a call did: whether it failed, the fields that it gave, the world after it; `end`: how it ended its process,
    as a kind and a reason."""

    failed: bool
    fields: State
    world: int
    end: End | None = None


@dataclass(frozen=True, slots=True)
class _Call:
    tool: Tool
    arguments: tuple[int, ...]
    world: int


class Calls:
    """Every distinct call that was made, and what it did.

    fresh: gives a fresh or restored world. about_to_call is told the number of each real call before it is made,
    and NO_CALL when it is over; ends: how calls of given numbers are known to end their process, so that they are not
    made again.
    """

    def __init__(
        self,
        fresh: Callable[[], Any],
        about_to_call: Callable[[int], None] | None = None,
        ends: Mapping[int, End] | None = None,
    ):
        self.fresh, self.about_to_call, self.ends = fresh, about_to_call, ends or {}
        self.count = 0
        self.values: list[Any] = []
        self._numbers: dict[Any, int] = {}
        self._held = 0
        self.number_of(None)  # NOTHING
        self._snapshots: list[Any] = []
        self._prints: dict[Any, int] = {}
        self._copies: dict[bytes, int] = {}
        self._effects: dict[tuple[int, tuple[int, ...], int], Effect] = {}
        self._made: list[tuple[_Call, Effect]] = []
        self._checked = 0
        self._refused: dict[int, str] = {}  # why calls of a tool, by its id(), cannot be foreseen
        self._world = self.fresh_world()
        self.start = self._world_now()

    def fresh_world(self) -> Any:
        """A fresh or restored world; CannotCompile when there is none."""
        try:
            return self.fresh()
        except Exception as problem:
            raise CannotCompile(f"the world cannot be made: {described(problem)}") from None

    def effect(self, tool: Tool, held: State, world: int) -> Effect:
        """What a call by definition does, for an agent that holds these values, in a world of this number."""
        arguments = tuple([held.get(name, MISSING) for name in tool.definition.fields])
        where = world if tool.inject is not None else NOWHERE
        key = (id(tool), arguments, where)
        effect = self._effects.get(key)
        if effect is None:
            call = _Call(tool, arguments, where)
            effect = self._effects[key] = self._make(call)
            self._made.append((call, effect))  # keeps the tool, so that no other gets its id()
        return effect

    def announce(self) -> End | None:
        """Count a real call, and tell who watches that it is about to be made; or how it is known to end its process,
        so that it is not to be made."""
        number, self.count = self.count, self.count + 1
        if number in self.ends:
            return self.ends[number]
        if self.about_to_call is not None:
            self.about_to_call(number)
        return None

    def over(self) -> None:
        """Tell who watches that the call that was announced is over."""
        if self.about_to_call is not None:
            self.about_to_call(NO_CALL)

    def _make(self, call: _Call) -> Effect:
        end = self.announce()
        if end is not None:
            return Effect(True, {}, call.world, end)
        if call.world != NOWHERE:
            self._put_back(call.world)
        try:
            outcome = call.tool.caller(self._arguments(call), self._world)
        except KeyboardInterrupt:  # raised by the tool: a walked episode ends with it
            return Effect(True, {}, call.world, INTERRUPTED)
        finally:
            self.over()
        after = self._world_now() if call.world != NOWHERE else NOWHERE
        if outcome.kind in NOT_BACK:
            return Effect(True, {}, call.world, (outcome.kind, outcome.message))
        if outcome.kind != OK:
            return Effect(True, {}, after)
        return Effect(False, {name: self.number_of(value) for name, value in outcome.fields.items()}, after)

    def _arguments(self, call: _Call) -> dict[str, Any]:
        pairs = zip(call.tool.definition.fields, call.arguments, strict=True)
        return {name: self.values[number] for name, number in pairs if number != MISSING}

    def check(self, tools: Iterable[Tool]) -> None:
        """Make every call since the last check again, the last first; CannotCompile where one of these tools did
        something else, now or at an earlier check."""
        pending = [(call, effect) for call, effect in self._made[self._checked :] if effect.end in (None, INTERRUPTED)]
        before = randomness()
        for call, effect in reversed(pending):
            if id(call.tool) not in self._refused and self._make(call) != effect:
                what = f"called twice with {show(self._arguments(call))}, it did two things"
                self._refused[id(call.tool)] = f"is not repeatable: {what}"
        if moved(before):
            self._find_who_draws([call for call, _ in pending])
        self._checked = len(self._made)
        for tool in tools:
            if id(tool) in self._refused:
                raise CannotCompile(f"{tool.name} {self._refused[id(tool)]}")

    def _find_who_draws(self, calls: Iterable[_Call]) -> None:
        for call in calls:
            if id(call.tool) not in self._refused:
                before = randomness()
                self._make(call)
                if moved(before):
                    self._refused[id(call.tool)] = DRAWS

    def number_of(self, value: Any) -> int:
        """The number of a value: equal numbers for values that no tool can tell apart."""
        kind = type(value)
        key: Any = (kind, value)
        if kind is float:
            key = (kind, value.hex())
        elif kind is list or kind is dict:
            key = (kind, marshal.dumps(value, 2))  # this version has no back references, which depend on chance
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.values)
            self.values.append(value)
            self._hold(len(key[1]) if kind is str or kind is list or kind is dict else sys.getsizeof(value))
        return number

    def _world_now(self) -> int:
        try:
            snapshot = self._world.snapshot()
            if type(snapshot) is bytes and (known := self._copies.get(snapshot)) is not None:
                return known  # the same bytes, the same world: quicker than its fingerprint
            key = self._world.fingerprint(), self._spelled(snapshot)
            number = self._prints.setdefault(key, len(self._snapshots))
            if number == len(self._snapshots):
                self._snapshots.append(snapshot)
                self._hold(_size(snapshot) + len(key[1]))
            if type(snapshot) is bytes:
                self._hold(len(snapshot))
                self._copies[snapshot] = number
        except CannotCompile:
            raise
        except Exception as problem:
            raise CannotCompile(f"the world cannot be copied and compared: {described(problem)}") from None
        return number

    def _spelled(self, snapshot: Any) -> bytes:
        """What a fingerprint does not tell and a tool can: the order of a world's dicts, lists from tuples, and what
        stands beside the state. Only the library's own copies can be read; of others the fingerprint is all."""
        if type(snapshot) is not bytes or getattr(type(self._world), "snapshot", None) is not World.snapshot:
            return b""
        return marshal.dumps(marshal.loads(snapshot), 2)  # this version has no back references, which depend on chance

    def _put_back(self, world: int) -> None:
        try:
            self._world.restore(self._snapshots[world])
        except Exception as problem:
            raise CannotCompile(f"the world cannot be put back: {described(problem)}") from None

    def _hold(self, size: int) -> None:
        self._held += size
        if self._held > MOST_BYTES:
            raise CannotCompile(f"states and answers need more than {MOST_BYTES >> 20} MB")


def _size(snapshot: Any) -> int:
    if isinstance(snapshot, bytes | str):
        return len(snapshot)
    try:
        return len(pickle.dumps(snapshot))
    except Exception:  # what cannot be pickled can still be copied; how large it is nobody knows
        return UNPICKLED


def randomness() -> dict[str, Any]:
    """Where the interpreter's shared random numbers stand."""
    states: dict[str, Any] = {}
    if (numbers := sys.modules.get("random")) is not None:
        states["random"] = numbers.getstate()
    if (numbers := sys.modules.get("numpy.random")) is not None:
        states["numpy.random"] = pickle.dumps(numbers.get_state())
    return states


def moved(before: Mapping[str, Any]) -> bool:
    """Whether somebody has drawn since then; what was only loaded since then does not count."""
    now = randomness()
    return any(now[name] != state for name, state in before.items() if name in now)
