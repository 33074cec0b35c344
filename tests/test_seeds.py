"""Which seeds to run: what a user may give, and what is refused."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.agent.draws import SEEDS
from toolbench.errors import UsageError
from toolbench.seeds import read_seeds

SEED = st.integers(0, SEEDS - 1)


@pytest.mark.parametrize(
    ("given_seeds", "text", "values"),
    [
        (2, "100:102", [100, 101]),
        ("2", "100:102", [100, 101]),
        (" 2 ", "100:102", [100, 101]),
        ("7:10", "7:10", [7, 8, 9]),
        ("7:8", "7:8", [7]),
        ("9,7,8", "9,7,8", [9, 7, 8]),
        ("9,7,8,", "9,7,8", [9, 7, 8]),
        ("7,", "7,", [7]),
        ("0,", "0,", [0]),
        (f"{SEEDS - 1},", f"{SEEDS - 1},", [SEEDS - 1]),
        ([5], "5,", [5]),
        (range(3), "0,1,2", [0, 1, 2]),
        ((seed for seed in (4, 2)), "4,2", [4, 2]),
        (numpy.int64(2), "100:102", [100, 101]),
        (numpy.arange(2), "0,1", [0, 1]),
    ],
    ids=lambda value: repr(value).partition(" at 0x")[0],  # an address is another in each process
)
def test_the_forms_of_seeds(given_seeds, text, values):
    """A number counts from the base seed; a range is half-open; a list keeps its order; a comma makes one seed."""
    seeds = read_seeds(given_seeds, base=100)
    assert (seeds.text, list(seeds.values), len(seeds)) == (text, values, len(values))
    assert all(type(seed) is int for seed in seeds.values)


@given(st.lists(SEED, min_size=1, max_size=20, unique=True) | st.integers(1, 50), SEED.filter(lambda s: s < SEEDS - 50))
def test_the_text_gives_the_seeds_again(seeds, base):
    """The text of seeds, read with any base, gives the same seeds in the same order."""
    first = read_seeds(seeds, base)
    again = read_seeds(first.text, base=0)
    assert list(again.values) == list(first.values)
    assert again.text == first.text


@pytest.mark.parametrize(
    ("given_seeds", "message"),
    [
        (0, "seeds 0: at least one seed is needed"),
        ("0", "seeds 0: at least one seed is needed"),
        (-1, "seeds -1: at least one seed is needed"),
        ("9:7", "seeds 9:7: the range is reversed; a:b runs from a up to b, without b"),
        ("7:7", "seeds 7:7: the range is empty"),
        ([], "seeds: the list is empty; at least one seed is needed"),
        ("7,8,7", "seeds: 7 stands twice; each seed counts once"),
        ([7, 7], "seeds: 7 stands twice"),
        (f"{SEEDS},", f"seed {SEEDS}: a seed is a whole number from 0 to {SEEDS - 1}"),
        (f"5:{SEEDS + 1}", f"seed {SEEDS}: a seed is a whole number"),
        (SEEDS, f"seed {SEEDS + 99}: a seed is a whole number"),
        ([-1], "seed -1: a seed is a whole number"),
        ([1.0], "seeds [1.0]: a seed is a whole number"),
        ([True], "seeds [True]: a seed is a whole number"),
        (["1"], "seeds ['1']: a seed is a whole number"),
        (True, "seeds True: give N"),
        (2.0, "seeds 2.0: give N"),
        (None, "seeds None: give N"),
        ("", "seeds '': give N"),
        (",", "seeds ',': give N"),
        ("1,,2", "seeds '1,,2': give N"),
        ("-3", "seeds '-3': give N"),
        ("1:2:3", "seeds '1:2:3': give N"),
        ("1: 2", "seeds '1: 2': give N"),
        (
            "two",
            "seeds 'two': give N (the first N from the scenario's base seed), a:b (half-open), a,b,c (a list) or a,",
        ),
        ("\u0662", "seeds '\u0662': give N"),
        ("9" * 5000, "seeds '999"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_seeds_that_cannot_be_used(given_seeds, message):
    """Seeds out of range, reversed, empty, repeated or unreadable are refused, with what would be right."""
    with pytest.raises(UsageError) as caught:
        read_seeds(given_seeds, base=100)
    assert str(caught.value).startswith(message)


def test_a_long_range_is_not_written_out():
    """Four thousand million seeds are a range, not a list in memory."""
    assert len(read_seeds(f"0:{SEEDS}", base=0)) == SEEDS


@pytest.mark.parametrize(
    ("given_seeds", "count", "text"),
    [
        ("7:12", 3, "7:10"),
        ("7:12", 1, "7:8"),
        ("7:12", 5, "7:12"),
        ("9,7,8", 2, "9,7"),
        ("9,7,8", 1, "9,"),
        (4, 9, "100:104"),
    ],
)
def test_the_first_of_some_seeds(given_seeds, count, text):
    """The first of a range are a range, those of a list a list; all of them are the same seeds."""
    seeds = read_seeds(given_seeds, base=100)
    first = seeds.first(count)
    assert (first.text, list(first.values)) == (text, list(seeds.values)[:count])
    assert (first is seeds) == (count >= len(seeds))


@given(
    st.lists(SEED, min_size=1, max_size=20, unique=True) | st.integers(1, 50), st.integers(0, 60), st.integers(0, 60)
)
def test_seeds_as_an_array(seeds, begin, end):
    """The seeds from one place to another, as numbers of 32 bits, up to the last seed that there is."""
    every = read_seeds(seeds, base=SEEDS - 50)
    part = every.array(begin, end)
    assert part.dtype == numpy.uint32
    assert part.tolist() == list(every.values[begin:end])
