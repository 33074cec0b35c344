"""The generator and the choices that episodes rest on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.agent.draws import SEEDS, draws, pick, start_state, trace_id

SEED = st.integers(0, SEEDS - 1)


def by_the_book(seed, count):
    """The rule of the generator, step by step in unsigned arithmetic."""
    x = (seed ^ (seed >> 16)) * 2246822507 % 2**32
    x = (x ^ (x >> 13)) * 3266489909 % 2**32
    state = x ^ (x >> 16)
    values = []
    for _ in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        values.append(state / 2**32)
    return values


@given(SEED)
def test_draws_follow_the_rule(seed):
    """The draws of a seed are those that the written rule gives."""
    draw = draws(seed)
    assert [draw() for _ in range(10)] == by_the_book(seed, 10)


@given(SEED)
def test_draws_are_at_least_0_and_below_1(seed):
    """Every draw lies in [0, 1)."""
    draw = draws(seed)
    assert all(0 <= draw() < 1 for _ in range(50))


@given(st.integers(-(2**40), 2**40))
def test_only_32_bits_of_a_seed_count(seed):
    """A number beyond 32 bits draws as its lowest 32 bits do."""
    one, other = draws(seed), draws(seed % SEEDS)
    assert [one() for _ in range(3)] == [other() for _ in range(3)]


def test_two_streams_do_not_disturb_each_other():
    """A stream gives the same numbers whatever other streams are asked in between."""
    one, other = draws(7), draws(7)
    first = [one() for _ in range(5)]
    interleaved = []
    for _ in range(5):
        interleaved.append(other())
        one()
    assert interleaved == first


def test_different_seeds_start_differently():
    """A million neighbouring seeds would be too many to compare; a thousand start in a thousand states."""
    assert len({start_state(seed) for seed in range(1000)}) == 1000


@pytest.mark.parametrize(
    ("name", "expected"), [("", 0x811C9DC5), ("a", 0xE40C292C), ("foobar", 0xBF9CF968), ("b", 0xE70C2DE5)]
)
def test_trace_id_is_fnv_1a(name, expected):
    """The published test values of the 32-bit FNV-1a hash."""
    assert trace_id(name) == expected


@given(st.text())
def test_trace_id_hashes_code_points(name):
    """Each code point is one step of the hash, also beyond ASCII; the result is a seed."""
    h = 2166136261
    for character in name:
        h = (h ^ ord(character)) * 16777619 % 2**32
    assert trace_id(name) == h
    assert 0 <= trace_id(name) < SEEDS


@pytest.mark.parametrize(
    ("u", "weights", "index"),
    [
        (0.0, [0.3, 0.7], 0),
        (0.2999, [0.3, 0.7], 0),
        (0.3, [0.3, 0.7], 1),
        (0.95, [0.3, 0.3], 1),
        (0.0, [0.0, 0.0, 1.0], 2),
        (0.5, [1.0], 0),
        (0.71, [0.30, 0.22, 0.20, 0.28], 2),
        (0.73, [0.30, 0.22, 0.20, 0.28], 3),
    ],
)
def test_pick(u, weights, index):
    """The first index at which the draw is below the sum so far; the last one when there is none."""
    assert pick(u, weights) == index


@given(st.floats(0, 1, exclude_max=True), st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_pick_always_gives_an_index(u, weights):
    """Whatever the weights add up to, an index of the list comes back, and no earlier one reaches the draw."""
    index = pick(u, weights)
    assert 0 <= index < len(weights)
    total = 0.0
    for weight in weights[:index]:
        total += weight
        assert u >= total
