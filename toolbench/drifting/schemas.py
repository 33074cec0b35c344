"""Two schemas compared place by place, with a list of what is still to do, so that no depth is too deep."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from toolbench.drifting.admitted import admitted_changes, says_more
from toolbench.drifting.branches import Branch, branches_of, flattened, members_of
from toolbench.drifting.change import ABSENT, BREAKING, LEVELS, alike, spelled_alike, turned
from toolbench.drifting.fields import compare_keywords
from toolbench.drifting.places import ANNOTATIONS, Place, Said
from toolbench.drifting.reasons import INPUT, REASONS
from toolbench.drifting.wording import annotation_kind

MOST_STEPS, LONG = 40_000, 400
MOST_COVERS = 2500
MOST_TRIALS = 25  # trials inside of trials: each takes some frames of Python's stack
NOTHING: frozenset[str] = frozenset()
NOT_BREAKING = frozenset(LEVELS) - {BREAKING}

One = TypeVar("One", Branch, Place)


class Found(NamedTuple):
    """A change before it is known of which tool it is."""

    level: str
    pointer: str
    what: str
    why: str


class TooLarge(Exception):
    """More places than anybody waits for."""


class Known:
    """What trials have shown, and how many steps are left, for all trials of one comparison."""

    def __init__(self) -> None:
        self.steps = MOST_STEPS
        self.held: dict[Any, bool] = {}


def schema_changes(kept: Any, live: Any, pointer: str, way: str) -> list[Found]:
    """The changes from one schema to another, each behind its pointer in the tool.

    pointer: where the schemas stand. way: input or output. A schema that is missing (ABSENT) admits any object.
    """
    if alike(kept, live):
        return []
    old, new = (_root(value, pointer) for value in (kept, live))
    comparison = Comparison(way)
    try:
        comparison.compare(old, new, root=True)
        while comparison.pending:
            comparison.pending.pop()()
    except TooLarge:
        comparison.note("too large", f"changed, and takes more than {MOST_STEPS:,} steps to compare", pointer)
    return comparison.found


def _root(value: Any, pointer: str) -> Place:
    return Place(True, None, True, pointer) if value is ABSENT else Place(value, pointer, value, pointer)


class Comparison:
    """One comparison under way, or a trial of one.

    found: the changes so far. pending: what is still to be compared.
    """

    def __init__(
        self,
        way: str,
        known: Known | None = None,
        allowed: Collection[str] = LEVELS,
        depth: int = 0,
        assumed: tuple[set[Any], ...] = (),
    ):
        self.way, self.known, self.allowed, self.depth = way, known or Known(), allowed, depth
        self.found: list[Found] = []
        self.pending: list[Callable[[], None]] = []
        self.met: set[Any] = set()
        self.assumed = assumed  # what the trials around this one are about: equal, unless one of them says otherwise

    def note(self, kind: str, what: str, *pointers: str | None) -> None:
        """A change, at the first of the pointers that is one."""
        reason = REASONS[kind][self.way]
        at = next((pointer for pointer in pointers if pointer is not None), "")
        self.found.append(Found(reason.level, at, what, reason.why))

    def turn(self, kind: str, kept: Said | None, live: Said | None, what: str = "") -> None:
        """A change of a keyword: what it was, and what it is."""
        told = what or turned(kept.value if kept else ABSENT, live.value if live else ABSENT)
        self.note(kind, told, live and live.pointer, kept and kept.pointer)

    def push(self, kept: Place, live: Place) -> None:
        """To be compared later."""
        if kept.pointer is not None or live.pointer is not None:
            self.pending.append(partial(self.compare, kept, live))

    def push_unions(self, kept: Place, old: Said, live: Place, new: Said) -> None:
        """Two unions, each beside other keywords of its schema, to be compared later."""
        if self.is_due(("union", old.pointer, new.pointer)):
            before, after = flattened(members_of(kept, old)), flattened(members_of(live, new))
            self.pending.append(partial(self.match, before, after, kept, live))

    def compare(self, kept: Place, live: Place, *, root: bool = False) -> None:
        """One pair of places; what is inside of them is pushed."""
        if not self.is_due((kept.pointer, live.pointer)) or spelled_alike(kept.value, live.value):
            return
        if not (kept.is_schema and live.is_schema):
            if not alike(kept.value, live.value):
                self.note("no schema", turned(kept.value, live.value), live.pointer, kept.pointer)
            return
        old, new = branches_of(kept, root=root), branches_of(live, root=root)
        self.annotations(old.annotations, new.annotations)
        if old.union and new.union and old.union.value != new.union.value:
            kind = "any of several" if new.union.value == "anyOf" else "one of several"
            self.turn(kind, old.union, new.union)
        self.match(old.branches, new.branches, kept, live)

    def is_due(self, pair: Any) -> bool:
        """Whether a pair is met for the first time. Raises TooLarge where more were met than anybody waits for."""
        self.known.steps -= (
            1 + sum(len(part) for part in pair if isinstance(part, str)) // LONG
        )  # deep places cost more
        if self.known.steps < 0:
            raise TooLarge
        if self.is_assumed(pair):
            return False
        self.met.add(pair)
        return True

    def is_assumed(self, pair: Any) -> bool:
        """Whether a pair is being compared already."""
        return pair in self.met or any(pair in met for met in self.assumed)

    def annotations(self, kept: dict[str, Said], live: dict[str, Said]) -> None:
        """What is there for readers."""
        for key in ANNOTATIONS:
            old, new = kept.get(key), live.get(key)
            if kind := annotation_kind(key, old.value if old else ABSENT, new.value if new else ABSENT):
                self.turn(kind, old, new)

    def passes(self) -> bool:
        """Whether all changes so far are of levels that are allowed."""
        return all(change.level in self.allowed for change in self.found)

    # --- unions ------------------------------------------------------------------------------------------------

    def match(self, kept: Sequence[Branch], live: Sequence[Branch], old: Place, new: Place) -> None:
        """Branches as a set: equal ones pass, the others are paired by name, type, or being the only ones left."""
        if len(kept) == len(live) == 1:
            self.pair(kept[0], live[0])
            return
        left, right = list(kept), list(live)
        taken(left, right, lambda k, branches: list(islice((b for b in branches if self._is_same(k, b)), 1)))
        if self.allowed is NOTHING and (left or right):
            self.note("other type", "other branches", new.pointer, old.pointer)  # enough for a trial
            return
        pairs = taken(left, right, _namesakes)
        pairs += taken(left, right, lambda k, branches: _relatives(k, branches, left))
        if len(left) == len(right) == 1:
            pairs.append((left.pop(), right.pop()))
        covered = self._covered(left, right, kept, live)
        for k, b in pairs + covered:
            self.pair(k, b)
        for k in left:
            self.note("narrower", f"{k.words} was admitted and no longer is", k.pointer, new.pointer, old.pointer)
        for b in right:
            self.note("wider", f"{b.words} is admitted and was not", b.pointer, new.pointer, old.pointer)

    def _is_same(self, kept: Branch, live: Branch) -> bool:
        if kept.family != live.family:
            return False
        spelled = kept.values is None and spelled_alike(kept.place.value, live.place.value)
        return spelled or self.holds(kept, live, NOTHING)

    def _covered(
        self, left: list[Branch], right: list[Branch], kept: Sequence[Branch], live: Sequence[Branch]
    ) -> list[tuple[Branch, Branch]]:
        """What is left on the side that must not lose, each with a branch of the other side that admits all of it."""
        pairs: list[tuple[Branch, Branch]] = []
        losers, others = (left, live) if self.way == INPUT else (right, kept)
        if len(losers) * len(others) > MOST_COVERS:
            return pairs
        for branch in list(losers):
            for other in others:
                k, b = (branch, other) if self.way == INPUT else (other, branch)
                if self.holds(k, b, NOT_BREAKING):
                    pairs.append((k, b))
                    left[:] = [one for one in left if one is not k]
                    right[:] = [one for one in right if one is not b]
                    break
        return pairs

    def pair(self, kept: Branch, live: Branch) -> None:
        """Two branches: type or values, then what else is said of them."""
        for change in admitted_changes(kept, live):
            self.note(change.kind, change.what, *change.pointers)
        if says_more(kept, live):
            self.annotations(kept.said, live.said)
            compare_keywords(self, kept, live)

    # --- trials ------------------------------------------------------------------------------------------------

    def holds(self, kept: Branch, live: Branch, allowed: Collection[str]) -> bool:
        """Whether two branches differ by changes of the allowed levels at most."""
        key = (kept.key, live.key, allowed)

        def begin(trial: Comparison) -> None:
            if trial.is_due(key):
                trial.pair(kept, live)

        return self._tried(key, begin, allowed)

    def is_same(self, kept: Place, live: Place) -> bool:
        """Whether two places say the same."""
        return self._tried((kept.pointer, live.pointer), lambda trial: trial.compare(kept, live), NOTHING)

    def _tried(self, key: Any, begin: Callable[[Comparison], None], allowed: Collection[str]) -> bool:
        if key in self.known.held:
            return self.known.held[key]
        if self.depth and self.is_assumed(key):
            return True
        if self.depth >= MOST_TRIALS:
            return False
        around = (*self.assumed, self.met) if self.depth else ()
        trial = Comparison(self.way, self.known, allowed, self.depth + 1, around)
        begin(trial)
        while trial.passes() and trial.pending:
            trial.pending.pop()()
        held = trial.passes()
        if not held or not self.depth:  # inside of another trial, equal means: unless that one finds otherwise
            self.known.held[key] = held
        return held


def taken(left: list[One], right: list[One], partners: Callable[[One, list[One]], list[One]]) -> list[tuple[One, One]]:
    """The pairs of those that have exactly one partner; they are taken out of both lists."""
    pairs = []
    for one in list(left):
        found = partners(one, right)
        if len(found) == 1:
            pairs.append((one, found[0]))
            left[:] = [other for other in left if other is not one]
            right[:] = [other for other in right if other is not found[0]]
    return pairs


def _namesakes(branch: Branch, others: list[Branch]) -> list[Branch]:
    """The branches of one name: where their `$ref` leads to, or their title."""
    return [o for o in others if o.family == branch.family and o.names & branch.names]


def _relatives(branch: Branch, others: list[Branch], own: list[Branch]) -> list[Branch]:
    alone = sum(one.family == branch.family for one in own) == 1
    return [other for other in others if other.family == branch.family] if alone else []
