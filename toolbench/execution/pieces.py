"""Work cut into pieces, and joined again in the order of its units."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from toolbench.execution.work import Observation, Work
from toolbench.layers.layer import Row

if TYPE_CHECKING:
    from concurrent.futures import Future

PIECE = 64


def _future() -> Future[Observation]:
    from concurrent.futures import Future

    return Future()


@dataclass(eq=False)
class Order:
    """One work that was submitted, its future, and the pieces of it that are done."""

    work: Work
    future: Future[Observation] = field(default_factory=_future)
    done: list[Piece] = field(default_factory=list)
    ended: int = 0  # how many of its units were ended from outside
    wanted: bool | None = None  # None: nothing of it has begun, so that it can still be cancelled

    def begin(self) -> bool:
        """Whether it is still wanted; if so, it can no longer be cancelled."""
        if self.wanted is None:
            self.wanted = self.future.set_running_or_notify_cancel()
        return self.wanted

    def pieces(self) -> list[Piece]:
        units = list(self.work.units)
        size = len(units) if self.work.whole else PIECE
        return [Piece(self, start, units[start : start + size]) for start in range(0, len(units), size or 1)]

    def add(self, piece: Piece) -> bool:
        """Take what came of a piece; whether nothing is missing any more, and the future has its result."""
        self.done.append(piece)
        complete = sum(len(piece.rows) for piece in self.done) == len(self.work.units)
        if complete and self.begin():
            self.future.set_result(_joined(self.done))
            self.wanted = False
        return complete

    def fail(self, problem: BaseException) -> None:
        """Give up: whoever waits gets this error."""
        if self.begin():
            self.future.set_exception(problem)
            self.wanted = False


@dataclass(eq=False)
class Piece:
    """Some units of an order, and what came of them so far."""

    order: Order
    start: int
    units: list[Any]
    rows: list[Row] = field(default_factory=list)
    hits: int = 0
    missed: str = ""

    def rest(self) -> Piece:
        """The units that have no row yet."""
        done = len(self.rows)
        return Piece(self.order, self.start + done, self.units[done:])

    def message(self) -> dict[str, Any]:
        """What a worker has to be told of it."""
        work = self.order.work
        return {"table": work.table, "layer": work.layer, "units": self.units, "given": work.given}


class Orders:
    """The orders that are not done yet, and those of their pieces that wait."""

    def __init__(self) -> None:
        self.open: list[Order] = []
        self.waiting: deque[Piece] = deque()

    def take(self, order: Order) -> None:
        """One more order; one without units is done at once."""
        if not order.work.units:
            order.add(Piece(order, 0, []))
        else:
            self.open.append(order)
            self.waiting += order.pieces()

    def next(self) -> Piece | None:
        """The next piece of an order that was not cancelled."""
        while self.waiting:
            piece = self.waiting.popleft()
            if piece.order.begin():
                return piece
            self.forget(piece.order)
        return None

    def add(self, piece: Piece) -> None:
        """Something came of a piece; what is left of it comes next."""
        if (rest := piece.rest()).units:
            self.waiting.appendleft(rest)
        if piece.order.add(piece):
            self.forget(piece.order)

    def fail(self, order: Order, problem: BaseException) -> None:
        order.fail(problem)
        self.forget(order)

    def forget(self, order: Order) -> None:
        """Nothing of this order is wanted any more."""
        if order in self.open:
            self.open.remove(order)
            self.waiting = deque(piece for piece in self.waiting if piece.order is not order)

    def give_up(self, problem: BaseException) -> None:
        """Whoever still waits for something gets this error."""
        self.waiting.clear()
        for order in self.open:
            order.fail(problem)
        self.open.clear()


def _joined(pieces: list[Piece]) -> Observation:
    seen = Observation([])
    for piece in sorted(pieces, key=lambda piece: piece.start):
        seen.rows += piece.rows
        seen.hits += piece.hits
        seen.missed = seen.missed or piece.missed
    return seen
