"""Work in pieces."""

from concurrent.futures import CancelledError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.execution.pieces import PIECE, Order
from toolbench.execution.work import Observation, Work


def done(piece, rows=None):
    """The same piece with a row for each of its units, or for the first `rows`."""
    piece.rows = [{"unit": unit} for unit in piece.units[:rows]]
    piece.hits, piece.missed = len(piece.rows), f"from {piece.start}"
    return piece


@given(st.integers(1, 5 * PIECE), st.booleans(), st.randoms())
def test_pieces_are_joined_in_the_order_of_their_units(count, whole, random):
    """Whatever piece is done first, the rows come in the order of the units, and the landing is the sum."""
    order = Order(Work("none", "tool", range(count), whole=whole))
    pieces = order.pieces()
    assert len(pieces) == (1 if whole else -(-count // PIECE))
    random.shuffle(pieces)
    assert [order.add(done(piece)) for piece in pieces] == [False] * (len(pieces) - 1) + [True]
    assert order.future.result() == Observation([{"unit": unit} for unit in range(count)], count, "from 0")


def test_the_rest_of_a_piece():
    """A piece that ended in the middle is done as far as it came, and its rest is a piece of its own."""
    order = Order(Work("none", "tool", ["a", "b", "c"]))
    [piece] = order.pieces()
    assert not order.add(done(piece, rows=1))
    rest = piece.rest()
    assert (rest.start, rest.units, rest.rows) == (1, ["b", "c"], [])
    assert order.add(done(rest))
    assert [row["unit"] for row in order.future.result().rows] == ["a", "b", "c"]


def test_what_a_worker_is_told():
    """A piece is told by the table, the kind of work, its own units, and what is given to all of them."""
    order = Order(Work("D1", "loop", [["t", number] for number in range(PIECE + 1)], given={"cells": [1]}))
    assert order.pieces()[1].message() == {
        "table": "D1", "layer": "loop", "units": [["t", PIECE]], "given": {"cells": [1]},
    }  # fmt: skip


def test_an_order_that_has_begun_is_not_cancelled():
    """It can be cancelled until something of it begins; a cancelled one takes no result and no error."""
    begun, cancelled = (Order(Work("none", "tool", ["a"])) for _ in range(2))
    assert begun.begin()
    assert not begun.future.cancel()
    assert cancelled.future.cancel()
    assert not cancelled.begin()
    for order in (begun, cancelled):
        order.add(done(order.pieces()[0]))
        order.fail(ValueError("too late"))
    assert begun.future.result().rows == [{"unit": "a"}]
    with pytest.raises(CancelledError):
        cancelled.future.result()
