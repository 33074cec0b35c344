"""Many seeds in chunks: the result is that of all seeds at once, in whatever chunks they were run."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import toolbench as tb
from tests.generated import LAST, scenarios
from toolbench import chunks as module
from toolbench.agent.machine import shared, unshared
from toolbench.chunks import (
    Chunk,
    Result,
    added,
    chunks,
    is_round,
    rounds,
    run,
    tracks,
)
from toolbench.episodes import packed, unpacked
from toolbench.seeds import Seeds, read_seeds

SEEDS = st.one_of(
    st.integers(1, 60).map(lambda number: read_seeds(number, base=LAST - 59)),
    st.lists(st.integers(0, LAST), min_size=1, max_size=60, unique=True).map(lambda some: read_seeds(some, base=0)),
)


def last(results):
    """What is known after all chunks."""
    parts = [part for one in results for part in one.parts]
    total = parts[0]
    for part in parts[1:]:
        total = added(total, part)
    return total


def known(part):
    """What a part says, without what the band keeps for seeds to come."""
    return part.end, part.tallies, part.band.width


def ready_of(made):
    """Tracks of the tables of a generated scenario, `none` first."""
    names = ["none", *(f"D{number}" for number in range(len(made.damaged)))]
    return tracks(dict(zip(names, made.machines(), strict=True)), made.agent)


@pytest.mark.slow
@settings(deadline=None)
@given(scenarios(damaged=1), SEEDS, st.integers(1, 70), st.integers(1, 70), st.booleans())
def test_the_size_of_chunks_does_not_matter(made, seeds, size, first, keep):
    """Tallies, band and kept episodes are the same for any size of chunk, by replay or as lanes, cut or not."""
    ready, before = ready_of(made), module.FIRST
    try:
        module.FIRST = first
        whole = [run(chunk, ready, "none") for chunk in chunks(seeds, keep=keep, size=10**6)]
        parts = [run(chunk, ready, "none") for chunk in chunks(seeds, keep=keep, size=size)]
    finally:
        module.FIRST = before
    assert known(last(parts)) == known(last(whole))
    assert last(parts).end == len(seeds)
    for table in ready if keep else ():
        for what in ("seeds", "failing"):
            one, other = ([getattr(r.episodes[table], what) for r in results] for results in (parts, whole))
            assert np.concatenate(one).tolist() == np.concatenate(other).tolist()


@given(SEEDS, st.integers(1, 70), st.booleans())
def test_chunks_are_the_seeds_in_their_order(seeds, size, keep):
    """One after the other they hold every seed once, no more than `size` at a time; `begin` says where they stand."""
    every = list(chunks(seeds, keep=keep, size=size))
    assert [int(seed) for chunk in every for seed in chunk.seeds] == list(seeds.values)
    assert [chunk.begin for chunk in every] == np.cumsum([0, *(len(c.seeds) for c in every[:-1])]).tolist()
    assert max(len(chunk.seeds) for chunk in every) <= size
    assert {chunk.keep for chunk in every} == {keep}


@given(SEEDS, st.integers(1, 70))
def test_the_facts_of_a_chunk(seeds, size):
    """A chunk as plain values, through JSON, has the same seeds: in a row, in any order, at the end of all seeds."""
    for chunk in chunks(seeds, keep=True, size=size):
        again = Chunk.from_facts(json.loads(json.dumps(chunk.facts())))
        assert (again.begin, again.seeds.tolist(), again.keep) == (chunk.begin, chunk.seeds.tolist(), True)
        assert again.seeds.dtype == chunk.seeds.dtype == np.uint32


def test_the_last_seed_is_not_followed_by_the_first():
    """In 32 bits 0 comes after the largest number; in a list of seeds that is no row of seeds."""
    chunk = Chunk(0, np.array([LAST, 0], np.uint32), False)
    assert Chunk.from_facts(chunk.facts()).seeds.tolist() == [LAST, 0]
    in_a_row = Chunk(0, np.array([LAST - 1, LAST], np.uint32), False).facts()
    assert (in_a_row["run"], in_a_row["seeds"]) == ([LAST - 1, 2], None)


@pytest.mark.slow
@settings(max_examples=25)
@given(scenarios(damaged=1), SEEDS, st.booleans())
def test_the_facts_of_a_result(made, seeds, keep):
    """A result as plain values, through JSON, is the same result: parts, and the episodes of every table."""
    for chunk in chunks(seeds, keep=keep):
        one = run(chunk, ready_of(made), "none")
        again = Result.from_facts(json.loads(json.dumps(one.facts())))
        assert again.parts == one.parts
        assert set(again.episodes) == set(one.episodes) == (set(ready_of(made)) if keep else set())
        for table, episodes in one.episodes.items():
            read = again.episodes[table]
            assert (read.seeds.tolist(), read.failing.tolist()) == (episodes.seeds.tolist(), episodes.failing.tolist())
            assert {name: array.tolist() for name, array in read.costs.items()} == {
                name: array.tolist() for name, array in episodes.costs.items()
            }


@given(st.integers(0, 10**7), st.integers(1, 10**7))
def test_round_numbers(begin, more):
    """The round numbers after a begin, and the end: each is 1, 2 or 5 times a power of ten, and none is left out."""
    end = begin + more
    found = rounds(begin, end)
    assert found == sorted(set(found))
    assert found[-1] == end
    assert all(begin < number <= end for number in found)
    assert all(map(is_round, found[:-1]))
    every = [digit * 10**zeros for zeros in range(9) for digit in (1, 2, 5)]
    assert set(found) == {number for number in every if begin < number <= end} | {end}
    assert is_round(end) == (end in every)


def test_parts_end_at_round_numbers(lending):
    """Where each seed is known, a chunk's result is cut at round numbers; beyond, the chunks are."""
    ready = tracks({"none": lending.machines()}, lending.agent)
    [chunk] = chunks(read_seeds(60, base=5), keep=False)
    assert [part.end for part in run(chunk, ready, "none").parts] == [1, 2, 5, 10, 20, 50, 60]
    later = Chunk(10 * module.FIRST, chunk.seeds, keep=False)
    assert [part.end for part in run(later, ready, "none").parts] == [10 * module.FIRST + 60]
    assert not later.each
    assert replace(later, keep=True).each


def test_many_seeds_are_cut_where_their_number_is_round():
    """Up to 20,000 in one chunk; then up to the next round number, in chunks of the size that was asked for."""
    every = list(chunks(Seeds("", range(130_000)), keep=False, size=40_000))
    assert [chunk.begin + len(chunk.seeds) for chunk in every] == [20_000, 50_000, 90_000, 100_000, 130_000]
    assert [chunk.each for chunk in every] == [True, False, False, False, False]


@pytest.mark.slow
@settings(max_examples=25)
@given(scenarios(damaged=2))
def test_machines_that_tables_share_stay_one(made):
    """As plain values each machine is there once, and what tables shared is one object again, with one track."""
    machines = dict(zip(("none", "D1", "D2"), made.machines(), strict=True))
    facts = json.loads(json.dumps(shared(machines)))
    different = {id(machine) for several in machines.values() for machine in several}
    assert len(facts["machines"]) == len(different)
    again = unshared(facts)
    flat, given_ones = ([one for several in tables.values() for one in several] for tables in (again, machines))
    assert list(again) == list(machines)
    assert [[a is b for b in flat] for a in flat] == [[a is b for b in given_ones] for a in given_ones]
    assert repr([one.facts() for one in flat]) == repr([one.facts() for one in given_ones])
    assert len({id(one) for several in tracks(again, made.agent).values() for one in several}) == len(different)


@pytest.mark.parametrize("array", [np.arange(6, dtype=np.uint32).reshape(2, 3), np.zeros((0, 4), bool), np.int64([-1])])
def test_arrays_as_plain_values(array):
    """Type, shape and values come back, also of an array that is not in one piece."""
    for one in (array, array.T):
        again = unpacked(json.loads(json.dumps(packed(one))))
        assert (again.dtype, again.shape, again.tolist()) == (one.dtype, one.shape, one.tolist())


def test_a_defect_is_compared_with_the_defect_free_table_at_the_same_seeds(scenario):
    """What newly fails and passes in a chunk is what comparing the episodes of both tables, seed by seed, gives."""
    first = tb.load_defects(scenario)[0]
    m = tb.measure(scenario, seeds=70, defects=[first], layers=["loop"])
    before, after = m.loop.episodes["none"].failing, m.loop.episodes[first.id].failing
    tally = m.loop.all.tallies[first.id]
    assert tally.newly_failing == tuple((after & ~before).sum(axis=0).tolist())
    assert tally.newly_passing == tuple((before & ~after).sum(axis=0).tolist())
