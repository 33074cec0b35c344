"""Tallies: sums over seeds that do not depend on how the seeds were cut."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.episodes import COSTS, MOST_ENDED, Episodes
from toolbench.tally import Excess, Tally, tally

NO_COSTS = dict.fromkeys(COSTS, 0)


@st.composite
def pairs(draw, most=25):
    """Episodes of a table at some seeds, and which tasks fail at these seeds without its defect."""
    seeds, tasks = draw(st.integers(1, most)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    failing, clean = (rng.random((seeds, tasks)) < draw(st.sampled_from([0, 0.2, 0.7, 1])) for _ in range(2))
    values = rng.choice(2**32, seeds, replace=False).astype(np.uint32)
    ended = [
        {"task": f"t{task}", "seed": int(seed), "kind": "died", "why": "died: why"}
        for seed, row in zip(values, failing & (rng.random((seeds, tasks)) < 0.5), strict=True)
        for task in np.flatnonzero(row)
    ]
    costs = {name: rng.integers(0, 100, seeds) for name in COSTS}
    return Episodes(values, failing, costs, ended[:MOST_ENDED]), clean


def pieces(episodes, clean, cuts, begin=0):
    """The tallies of the parts between cuts."""
    edges = [0, *sorted(cuts), len(clean)]
    spans = [slice(*edge) for edge in pairwise(edges) if edge[0] < edge[1]]
    return [tally(episodes.at(span), clean[span], begin + span.start) for span in spans]


def added(tallies):
    total = tallies[0]
    for one in tallies[1:]:
        total = total.plus(one)
    return total


@given(pairs(), st.data())
def test_parts_add_up_to_the_whole(pair, data):
    """However seeds are cut, the tallies of the parts add up to the tally of all at once."""
    episodes, clean = pair
    parts = pieces(episodes, clean, data.draw(st.lists(st.integers(0, len(clean)), max_size=4)))
    assert added(parts) == tally(episodes, clean)


@given(pairs(), st.data())
def test_adding_is_associative(pair, data):
    """It does not matter which neighbours are added first."""
    episodes, clean = pair
    cuts = data.draw(st.lists(st.integers(0, len(clean)), min_size=2, max_size=6))
    parts = pieces(episodes, clean, cuts)
    while len(parts) > 1:
        at = data.draw(st.integers(0, len(parts) - 2))
        parts[at : at + 2] = [parts[at].plus(parts[at + 1])]
    assert parts[0] == tally(episodes, clean)


@given(pairs(), st.integers(0, 10**9))
def test_facts_give_the_tally_again(pair, begin):
    """A tally as plain values, through JSON, is the same tally, with a defect and without."""
    for one in (tally(*pair, begin=begin), tally(pair[0])):
        assert Tally.from_facts(json.loads(json.dumps(one.facts()))) == one


@given(pairs())
def test_what_a_tally_says(pair):
    """Counts per task, pairs and differences are those of a plain loop over seeds and tasks."""
    episodes, clean = pair
    one, failing = tally(episodes, clean), episodes.failing
    fails, before = failing.sum(axis=1).tolist(), clean.sum(axis=1).tolist()
    assert one.seeds == len(failing)
    assert one.succeeded == sum(not cell for row in failing for cell in row)
    assert (one.fewest, one.most) == (min(fails), max(fails))
    assert one.failing == tuple(failing.sum(axis=0))
    assert one.newly_failing == tuple(
        sum(a and not b for a, b in zip(*c, strict=True)) for c in columns(failing, clean)
    )
    assert one.newly_passing == tuple(
        sum(b and not a for a, b in zip(*c, strict=True)) for c in columns(failing, clean)
    )
    better = [b - a for a, b in zip(fails, before, strict=True)]
    assert one.differences() == (sum(better), sum(x * x for x in better))
    assert sum(one.newly_passing) - sum(one.newly_failing) == sum(better)
    assert one.costs == {name: int(array.sum()) for name, array in episodes.costs.items()}


def columns(failing, clean):
    return list(zip(failing.T, clean.T, strict=True))


@given(pairs(), st.integers(0, 1000))
def test_the_first_seed_of_each_excess(pair, begin):
    """For each number of tasks more, how often it comes up, and the seed in the order of all that has it first."""
    episodes, clean = pair
    more = (episodes.failing.sum(axis=1) - clean.sum(axis=1)).tolist()
    assert tally(episodes, clean, begin).excess == {
        number: Excess(
            more.count(number),
            begin + more.index(number),
            int(episodes.seeds[more.index(number)]),
            int(episodes.failing[more.index(number)].sum()),
        )
        for number in sorted(set(more))
    }


def test_the_first_seed_is_the_first_in_order_and_not_the_lowest():
    """Seeds may come as a list in any order: what counts is where they stand."""
    clean = np.zeros((3, 1), bool)
    episodes = Episodes(np.array([9, 3, 5], np.uint32), ~clean, {name: np.zeros(3, int) for name in COSTS})
    parts = [tally(episodes.at(slice(i, i + 1)), clean[:1], i) for i in range(3)]
    assert added(parts).excess == {1: Excess(count=3, at=0, seed=9, failing=1)}
    assert parts[2].plus(parts[0]).excess[1].seed == 9


def test_the_defect_free_table_has_no_pairs():
    """Without anything to compare with there are sums, and neither pairs nor an excess."""
    one = tally(Episodes(np.array([4], np.uint32), np.array([[True, False]]), {name: np.array([2]) for name in COSTS}))
    assert (one.failing, one.spread, one.newly_failing, one.newly_passing, dict(one.excess)) == (
        (1, 0), (0, 1, 0), (), (), {},
    )  # fmt: skip
    assert one.differences() == (0, 0)
    assert one.costs == dict.fromkeys(COSTS, 2)


@pytest.mark.parametrize("number", [MOST_ENDED - 1, MOST_ENDED, MOST_ENDED + 7])
def test_rows_of_what_was_ended_are_the_first_ones(number):
    """The rows that are kept are the first, in order; the cost `broken` still counts them all."""
    rows = [{"task": "t", "seed": seed, "kind": "died", "why": "died: why"} for seed in range(2 * number)]
    parts = [
        Tally(number, (number,), (0, number), {**NO_COSTS, "broken": number}, ended=tuple(half[:MOST_ENDED]))
        for half in (rows[:number], rows[number:])
    ]
    both = added(parts)
    assert both.ended == tuple(rows[:MOST_ENDED])
    assert both.costs["broken"] == 2 * number
