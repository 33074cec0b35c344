"""The world: its state is copied, compared and put back; what is given never changes."""

import collections
import copy
import dataclasses
import threading
from types import MappingProxyType

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbench as tb
from toolbench.errors import ScenarioError
from toolbench.world import World

KEYS = st.text(max_size=3) | st.integers(0, 3) | st.tuples(st.integers(0, 2), st.text(max_size=1))
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sets(st.integers(), max_size=3)
    | st.binary(max_size=3)
)
STATES = st.dictionaries(
    KEYS,
    st.recursive(
        LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3) | st.tuples(inner)
    ),
    max_size=4,
)


@dataclasses.dataclass
class Book:
    title: str
    lent: list


class Opaque:
    """Can be copied, and cannot be compared."""


class Refusing:
    def __deepcopy__(self, memo):
        raise TypeError("no copy of me")


# --- snapshot, restore, fingerprint ---------------------------------------------------------------------------


@given(STATES, STATES)
def test_a_restored_world_is_the_one_that_was_taken(first, second):
    """After any change, restoring gives equal state and fingerprint, any number of times, and shares nothing."""
    kept = copy.deepcopy(first)
    world = World(state=first)
    snapshot, fingerprint = world.snapshot(), world.fingerprint()
    for _ in range(2):
        world.state["changed"] = second
        for value in list(world.state.values()):
            if isinstance(value, list):
                value.append("changed")
        world.restore(snapshot)
        assert world.state == kept
        assert repr(world.state) == repr(kept) or world.fingerprint() == fingerprint
        assert world.fingerprint() == fingerprint


@given(STATES, STATES)
def test_equal_states_have_equal_fingerprints(first, second):
    """The fingerprint is the same for a copy in another order, and tells states apart that differ."""
    turned = dict(reversed(copy.deepcopy(first).items()))
    assert World(state=turned).fingerprint() == World(state=first).fingerprint()
    if first != second:
        assert World(state=first).fingerprint() != World(state=second).fingerprint()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ({"a": 1}, {"a": "1"}),
        ({"a": 1}, {"a": True}),
        ({"a": None}, {}),
        ({"a": [1, [2]]}, {"a": [[1], 2]}),
        ({"a": {1, 2}}, {"a": [1, 2]}),
        ({"a,b": 1}, {"a": 1, "b": 1}),
        ({"a": "x,y"}, {"a": ["x", "y"]}),
        ({1: 0}, {"1": 0}),
        ({"a": Book("b", [])}, {"a": {"title": "b", "lent": []}}),
    ],
)
def test_like_states_are_told_apart(left, right):
    """States that would be written alike have different fingerprints."""
    assert World(state=left).fingerprint() != World(state=right).fingerprint()


@pytest.mark.parametrize("holder", [dict, collections.OrderedDict])
def test_one_list_in_two_places_stays_one(holder):
    """What is one list in the state, reached by two ways, is one list after restoring, and not the one from before."""
    shared = [1]
    world = World(state={"a": shared, "b": holder({"c": shared}), "d": (shared,)})
    world.restore(world.snapshot())
    world.state["a"].append(2)
    assert world.state["b"]["c"] == [1, 2]
    assert world.state["d"] == ([1, 2],)
    assert shared == [1]


@pytest.mark.parametrize("extra", [None, collections.Counter("aab")], ids=["plain", "not plain"])
def test_a_state_that_refers_to_itself_is_copied(extra):
    """A state with itself inside is restored with the new state inside, not the old one."""
    state = {"records": [], "extra": extra}
    state["me"] = state
    world = World(state=state)
    world.restore(world.snapshot())
    assert world.state is not state
    assert world.state["me"] is world.state


@pytest.mark.parametrize(
    "value",
    [
        bytearray(b"xy"),
        numpy.arange(3),
        numpy.float64(1.5),
        collections.defaultdict(list, a=[1]),
        collections.deque([1, 2]),
        collections.OrderedDict(a=1),
        Book("Emma", [1]),
        frozenset({1}),
        b"xy",
        10**50,
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_come_back_as_what_they_were(value):
    """Restoring gives values of the same type and content, which are copies."""
    world = World(state={"inside": [value]})
    snapshot, fingerprint = world.snapshot(), world.fingerprint()
    world.state["inside"] = "gone"
    world.restore(snapshot)
    restored = world.state["inside"][0]
    assert type(restored) is type(value)
    assert numpy.all(restored == value)
    assert world.fingerprint() == fingerprint
    assert restored is not value or isinstance(value, frozenset | bytes | int | float)


def test_a_snapshot_is_untouched_by_later_changes():
    """A snapshot that is taken twice, and restored in between, keeps the state of its own moment."""
    world = World(state={"n": [0]})
    first = world.snapshot()
    world.state["n"][0] = 1
    second = world.snapshot()
    world.restore(first)
    world.state["n"][0] = 5
    world.restore(second)
    assert world.state == {"n": [1]}
    world.restore(first)
    assert world.state == {"n": [0]}


def test_a_deep_state_is_kept():
    """A state of three hundred levels is restored whole."""
    deep = []
    for _ in range(300):
        deep = [deep]
    world = World(state={"deep": deep})
    world.restore(world.snapshot())
    assert world.state == {"deep": deep}


def test_what_cannot_be_compared_is_refused():
    """A state with an object that is only equal to itself has no fingerprint, and the error says what to do."""
    with pytest.raises(ScenarioError, match="the world holds a Opaque, which cannot be compared; keep plain values"):
        World(state={"x": [Opaque()]}).fingerprint()


def test_what_cannot_be_copied_says_so_itself():
    """A lock in the state raises at the snapshot what Python raises for it."""
    for value in (threading.Lock(), Refusing()):
        with pytest.raises(TypeError):
            World(state={"x": value}).snapshot()


# --- given ---------------------------------------------------------------------------------------------------


def test_given_facts_cannot_be_changed():
    """Dicts and lists in what is given are read-only all the way down, and the original may change without effect."""
    facts = {"a": {"b": [1, {"c": 2}]}}
    world = World(given=facts)
    with pytest.raises(TypeError, match="does not support item assignment"):
        world.given["a"]["b"] = 0
    with pytest.raises(TypeError, match="does not support item assignment"):
        world.given["a"]["b"][1]["c"] = 0
    facts["a"]["b"].append(3)
    assert world.given["a"]["b"][0] == 1
    assert len(world.given["a"]["b"]) == 2


def test_a_read_only_view_is_made_read_only_all_the_way_down():
    """A view that the user made protects its own level alone; the world's protects every one."""
    given = World(given=MappingProxyType({"a": [1, {"b": [2]}]})).given
    assert given["a"] == (1, {"b": (2,)})
    assert World(given=given).given == given


def test_sets_that_are_given_are_frozen():
    """A set among the given facts is frozen, at any depth."""
    given = World(given={"open": {1, 2}, "deep": [{"shut": {3}}]}).given
    assert (given["open"], type(given["open"])) == ({1, 2}, frozenset)
    assert type(given["deep"][0]["shut"]) is frozenset


def test_what_is_added_to_a_world_is_gone_after_restoring():
    """Attributes that a tool adds to, changes on or takes from the world do not outlive its restoring."""

    class Desk(World):
        def __init__(self):
            super().__init__(state={"n": 0}, given={"limit": 3})
            self.clerk = {"name": "Ada"}

    world = Desk()
    start, given = world.snapshot(), world.given
    world.memo = {"seen": 1}
    world.clerk["name"] = "Ben"
    world.given = {"limit": 4}
    world.restore(start)
    assert vars(world).keys() == {"state", "given", "clerk"}
    assert (world.state, world.clerk) == ({"n": 0}, {"name": "Ada"})
    del world.clerk
    world.restore(start)
    assert world.clerk == {"name": "Ada"}
    assert given == {"limit": 3}


def test_an_empty_world():
    """A world without arguments has an empty state of its own and nothing given."""
    first, second = World(), World()
    first.state["x"] = 1
    assert (second.state, dict(second.given)) == ({}, {})
    assert World().fingerprint() == second.fingerprint() != first.fingerprint()


# --- the worlds of the scenarios -------------------------------------------------------------------------------


def test_a_world_is_made_fresh(scenario):
    """Two worlds of a scenario are equal, and changing one does not change the other."""
    first, second = scenario.world(), scenario.world()
    assert first.fingerprint() == second.fingerprint()
    first.state["new"] = 1
    assert first.fingerprint() != second.fingerprint()


def test_calls_change_a_world_and_restoring_brings_it_back(scenario):
    """After every case of the suite was called in one world, restoring gives the first outcomes again."""
    world = scenario.world()
    start, fingerprint = world.snapshot(), world.fingerprint()
    outcomes = []
    for _ in range(2):
        outcomes.append([])
        for case in scenario.cases:
            world.restore(start)
            outcomes[-1].append(scenario.table.call(case.tool, case.arguments, world))
        for case in scenario.cases:
            scenario.table.call(case.tool, case.arguments, world)
        assert world.fingerprint() != fingerprint
    assert outcomes[0] == outcomes[1]


def test_a_loan_stays_in_the_world(lending):
    """A copy that was lent is away until the world is put back."""
    world = lending.world()
    start = world.snapshot()
    lend = {"barcode": "B001", "reader_card": "R07", "loan_terms": {"weeks": 1}}
    assert lending.table.call("lend_copy", lend, world).kind == "ok"
    assert lending.table.call("lend_copy", lend, world) == tb.Outcome(
        "error", None, "B001 is away", ("LendingRefused", "LookupError", "Exception", "BaseException")
    )
    world.restore(start)
    assert lending.table.call("lend_copy", lend, world).kind == "ok"
