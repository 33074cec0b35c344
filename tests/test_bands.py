"""The band, kept up as seeds come in."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.bands import Band


@st.composite
def runs(draw, most=40):
    """Which tasks fail at each seed, seeds x tasks, from all passing to all failing; some seeds give the same."""
    tasks, seeds = draw(st.integers(1, 80)), draw(st.integers(1, most))
    rate = draw(st.sampled_from([0, 0.02, 0.2, 0.5, 0.9, 1]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    per_task = np.clip(rng.normal(rate, draw(st.sampled_from([0, 0.3])), tasks), 0, 1)
    failing = rng.random((seeds, tasks)) < per_task
    return failing[rng.integers(0, seeds, seeds)] if draw(st.booleans()) else failing


def of(failing):
    return Band(failing.shape[1]).with_runs(failing)


def widest(failing):
    """The band by comparing every seed with every other."""
    if len(failing) < 2:
        return None
    return max(int((one & ~other).sum()) for one in failing for other in failing)


def row(*tasks, of="abcd"):
    return [task in tasks for task in of]


@given(runs())
def test_the_band_is_the_widest_ordered_pair(failing):
    """The band is the most tasks that one seed fails and another passes, over all ordered pairs of seeds."""
    assert of(failing).width == widest(failing)


@given(runs(), st.data())
def test_chunks_do_not_matter(failing, data):
    """Wherever the seeds are cut, and in whatever order the pieces are merged, the band is that of all at once."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(failing)), max_size=5)))
    pieces = [part for part in np.split(failing, cuts) if len(part)]
    whole = Band(failing.shape[1])
    for part in pieces:
        whole = whole.with_runs(part)
    merged = Band(failing.shape[1])
    for part in data.draw(st.permutations(pieces)):
        merged = merged.merged(of(part)) if data.draw(st.booleans()) else of(part).merged(merged)
    assert whole.width == merged.width == widest(failing)
    assert whole.seeds == merged.seeds == len(failing)


@given(runs(most=12), runs(most=12))
def test_what_is_kept_is_enough(first, later):
    """Whatever seeds come later, what was kept of the earlier ones gives the same band as all of them."""
    tasks = min(first.shape[1], later.shape[1])
    first, later = first[:, :tasks], later[:, :tasks]
    known = Band.from_facts(json.loads(json.dumps(of(first).facts())))
    assert known.with_runs(later).width == widest(np.concatenate([first, later]))


@given(runs())
def test_facts_and_pickles_give_the_band_again(failing):
    """A band as plain values, through JSON, is the same band; so is a pickled one."""
    band = of(failing)
    assert Band.from_facts(json.loads(json.dumps(band.facts()))) == band
    assert pickle.loads(pickle.dumps(band)) == band


@given(runs())
def test_no_more_runs_are_kept_than_are_different(failing):
    """A run that cannot make a wider pair any more is forgotten: each that is kept fails, or passes, more tasks."""
    band, tasks = of(failing), failing.shape[1]
    padding = -tasks % 8
    assert all((number >> padding).bit_count() > band.widest for number in band.larger)
    assert all(tasks - (number >> padding).bit_count() > band.widest for number in band.smaller)
    assert max(len(band.larger), len(band.smaller)) <= len(np.unique(failing, axis=0))


@pytest.mark.parametrize(("tasks", "rate"), [(24, 0.06), (24, 0.3), (24, 0.9), (60, 0.1)])
def test_what_is_kept_stays_small(tasks, rate):
    """Of fifty thousand seeds only a few hundred runs are kept at most, whatever the share of failing tasks."""
    rng = np.random.default_rng(11)
    band, seen = Band(tasks), []
    for _ in range(10):
        failing = rng.random((5_000, tasks)) < rate
        band = band.with_runs(failing)
        seen.append(len(band.larger) + len(band.smaller))
    assert band.seeds == 50_000
    assert max(seen) < 500


def test_a_seed_that_fails_nothing_settles_it():
    """Beside a run without any failure the band is the size of the largest run, and nothing but these two matters."""
    failing = np.array([row("a", "b"), row(), row("b", "c", "d"), row("a")])
    band = of(failing)
    assert (band.width, len(band.larger)) == (3, 0)
    assert band.with_runs(np.array([row("a", "b", "c", "d")])).width == 4


@pytest.mark.parametrize(
    ("failing", "width"),
    [
        ([], None),
        ([["a"]], None),
        ([[], []], 0),
        ([["a"], ["a"]], 0),
        ([["a"], ["b"]], 1),
        ([["a", "b"], []], 2),
        ([[], ["a", "b"]], 2),
        ([["a", "b"], ["c", "d"], ["a", "b", "c"]], 2),
        ([["a", "b", "c", "d"], ["a", "b", "c", "d"]], 0),
        ([["a", "b", "c", "d"], ["d"]], 3),
    ],
)
def test_the_band_by_hand(failing, width):
    """One seed has no band; the number of failing tasks alone does not make one."""
    given_runs = np.array([row(*tasks) for tasks in failing], bool).reshape(-1, 4)
    assert of(given_runs).width == width
    one_by_one = Band(4)
    for index in range(len(given_runs)):
        one_by_one = one_by_one.with_runs(given_runs[index : index + 1])
    assert one_by_one.width == width


def test_an_empty_chunk_changes_nothing():
    """No seeds, as runs or as a band, leave a band as it is."""
    band = of(np.array([row("a"), row("b", "c")]))
    assert band.with_runs(np.empty((0, 4), bool)) == band
    assert band.merged(Band(4)) == Band(4).merged(band) == band
