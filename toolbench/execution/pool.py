"""Workers, deadlines and verdicts on what never came back.

Work is cut into pieces; a worker runs one piece at a time and reports row by row. A unit that gives no row
within the deadline, or whose process is gone, gets the row `ended` of its layer, and the rest goes on. A worker
runs each piece in a copy of itself, so nothing that tools leave behind reaches another table. A unit whose process
is gone is first tried again at the start of a piece: what ended it may be something that an earlier unit of its
piece left behind. One worker serves as long as all goes well; others join when it is slow.
"""

from __future__ import annotations

import os
import queue
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from types import TracebackType
from typing import Any

from toolbench.errors import ScenarioError, TableChanged
from toolbench.execution.child import GRACE, Child, Events, start_forked, start_fresh
from toolbench.execution.trial import BROKEN, LOAD_DEADLINE, failure, too_slow
from toolbench.execution.worker import serve
from toolbench.folder import folder_digest
from toolbench.layers.all import LAYERS
from toolbench.layers.layer import Row
from toolbench.mutation.engine import Tables
from toolbench.outcome import DIED, TIMEOUT

PIECE = 64
PATIENCE = 0.25
MOST_LOST = 20
STALLED = 0.5


@dataclass(frozen=True)
class Work:
    """One table to be observed by one layer, unit by unit; `whole`: in one process, from the first to the last."""

    table: str
    layer: str
    units: Sequence[Any]
    whole: bool = False


@dataclass
class Observation:
    """What a layer saw of a table: a row per unit, in order, and whether a defect found what it changes."""

    rows: list[Row]
    hits: int = 0
    missed: str = ""


@dataclass
class _Piece:
    """Some units of one work, and what came of them so far."""

    work: int
    layer: str
    table: str
    start: int
    units: list[Any]
    rows: list[Row] = field(default_factory=list)
    hits: int = 0
    missed: str = ""

    def rest(self) -> _Piece:
        """The units that have no row yet."""
        done = len(self.rows)
        return _Piece(self.work, self.layer, self.table, self.start + done, self.units[done:])


@dataclass
class _Worker:
    """A child, what it is doing, and since when nothing was heard of it."""

    child: Child
    since: float
    ready: bool = False
    piece: _Piece | None = None
    ended: bool = False
    broken: str = ""


class Pool:
    """Worker processes for one scenario and its defects; a context manager that leaves nothing running."""

    def __init__(self, tables: Tables, *, deadline: float | None = None, jobs: int | None = None):
        self._tables = tables
        self._name = tables.scenario.name
        self._deadline = tables.scenario.deadline if deadline is None else deadline
        self._jobs = jobs or min(8, os.cpu_count() or 1)
        self._events: Events = queue.Queue()
        self._workers: list[_Worker] = []
        self._waiting: deque[_Piece] = deque()
        self._finished: list[_Piece] = []
        self._left = self._lost = 0
        folder = tables.scenario.folder if tables.scenario.as_read else None
        self._folder = None if folder is None else str(folder)
        self._digest = None if folder is None else folder_digest(folder)
        self._digests = tables.scenario.digests()

    def __enter__(self) -> Pool:
        self._start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            if worker.piece is None and kind is None:
                worker.child.leave()
            else:
                worker.child.kill()

    def run(self, works: Sequence[Work]) -> list[Observation]:
        """Observe every work; the results do not depend on the number of workers or their order."""
        self._waiting = deque(piece for number, work in enumerate(works) for piece in _pieces(number, work))
        self._finished = []
        self._left = sum(len(work.units) for work in works)
        while self._left:
            self._assign()
            asked, wait = time.monotonic(), self._wait()
            try:
                child, messages = self._events.get(timeout=wait)
            except queue.Empty:
                self._end_the_overdue(late=time.monotonic() - asked - wait)
                continue
            worker = next((w for w in self._workers if w.child is child), None)
            if worker is None:  # from a worker that was ended meanwhile
                continue
            worker.since = time.monotonic()
            if messages is None:
                self._replace(worker, DIED, "")
            else:
                for message in messages:
                    self._hear(worker, message)
        return _joined(self._finished, len(works))

    def _start(self) -> None:
        """Start one more worker."""
        if self._folder is not None:
            child = start_fresh(self._events)
        elif hasattr(os, "fork"):
            scenario = self._tables.scenario
            others = [worker.child for worker in self._workers]
            child = start_forked(lambda source, to: serve(source, to, scenario), self._events, others)
        else:
            raise ScenarioError(
                f"{self._name}: on this system only a scenario folder can be measured; "
                "`python -m toolbench init FOLDER` makes one"
            )
        defects = [asdict(defect) for defect in self._tables.defects]
        agent = dict(self._tables.scenario.altered)
        child.send({"folder": self._folder, "digest": self._digest, "defects": defects, "agent": agent})
        self._workers.append(_Worker(child, time.monotonic()))

    def _hear(self, worker: _Worker, message: dict[str, Any]) -> None:
        piece = worker.piece
        if "row" in message and piece is not None:
            piece.rows.append(message["row"])
            piece.hits, piece.missed = message["hits"], message["missed"]
        elif "end" in message:
            worker.ended = True
        elif "broken" in message:
            worker.broken = f"its process was damaged: {message['broken']}"
        elif "gone" in message and piece is not None:
            self._finish(worker, DIED, worker.broken or message["gone"])
        elif "failed" in message:
            raise failure(message)
        elif "changed" in message:
            raise TableChanged(
                f"{self._name}: {message['changed']} changed the original table; "
                "a tool must not alter its own function or schema"
            )
        elif message.get("digests") == self._digests:
            worker.ready = True
        else:
            # The scenario in this process is not what its folder gives (something that it imports is another
            # here): copies of this process have it as it is.
            self._folder = self._digest = None
            self._workers.remove(worker)
            worker.child.leave()
            self._start()

    def _finish(self, worker: _Worker, kind: str, reason: str) -> None:
        """Take a worker's piece from it; if it did not end, give the unit that was running its row."""
        piece = worker.piece
        assert piece is not None
        done = len(piece.rows)
        to_blame = kind == TIMEOUT or done == 0  # else an earlier unit may be: try again, first thing in a piece
        if not worker.ended and to_blame and done < len(piece.units):
            piece.rows.append(LAYERS[piece.layer].ended(piece.units[done], kind, reason))
        self._finished.append(piece)
        self._left -= len(piece.rows)
        if (rest := piece.rest()).units:
            self._waiting.appendleft(rest)
        worker.piece, worker.ended, worker.broken = None, False, ""

    def _assign(self) -> None:
        for worker in self._workers:
            if worker.ready and worker.piece is None and self._waiting:
                piece = self._waiting.popleft()
                worker.piece, worker.since = piece, time.monotonic()
                worker.child.send(
                    {"work": piece.work, "table": piece.table, "layer": piece.layer, "units": piece.units}
                )
        if self._waiting and len(self._workers) < self._jobs and all(map(_is_slow, self._workers)):
            self._start()

    def _limit(self, worker: _Worker) -> float | None:
        """When a worker is overdue; None for one that has nothing to do."""
        if not worker.ready:
            return worker.since + LOAD_DEADLINE
        return None if worker.piece is None else worker.since + self._deadline

    def _wait(self) -> float:
        """How long to listen: until a worker is overdue, or until another one may be needed."""
        limits = [limit for worker in self._workers if (limit := self._limit(worker)) is not None]
        wait = min(limits, default=time.monotonic() + 1) - time.monotonic()
        may_grow = self._waiting and len(self._workers) < self._jobs
        return max(0.001, min(wait, PATIENCE) if may_grow else wait)

    def _end_the_overdue(self, late: float) -> None:
        now = time.monotonic()
        if late > STALLED:  # this process itself was stopped, and so were its workers: what is overdue is not known
            for worker in self._workers:
                worker.since = now
        for worker in list(self._workers):
            limit = self._limit(worker)
            if limit is not None and now > limit:
                if not worker.ready:
                    raise ScenarioError(too_slow(self._name, LOAD_DEADLINE))
                self._replace(worker, TIMEOUT, f"no answer within {self._deadline:g} s")

    def _replace(self, worker: _Worker, kind: str, reason: str) -> None:
        """End a worker, and start another one in its place."""
        self._workers.remove(worker)
        how = worker.child.kill(GRACE if kind == DIED else 0)
        if how:  # it was gone, though something that it had started kept its channel open
            kind, reason = DIED, how
        if worker.piece is not None:
            self._finish(worker, kind, worker.broken or reason or BROKEN)
        else:
            self._lost += 1
            doing = "had nothing to do" if worker.ready else "was loading"
            if not worker.ready or self._lost > MOST_LOST:
                raise ScenarioError(f"{self._name}: the worker died while it {doing}: {how or BROKEN}")
        self._start()


def _is_slow(worker: _Worker) -> bool:
    return worker.ready and time.monotonic() - worker.since > PATIENCE


def _pieces(number: int, work: Work) -> list[_Piece]:
    units = list(work.units)
    size = len(units) if work.whole else PIECE
    return [
        _Piece(number, work.layer, work.table, start, units[start : start + size])
        for start in range(0, len(units), size or 1)
    ]


def _joined(pieces: list[_Piece], works: int) -> list[Observation]:
    """What came of each work, the pieces in the order of its units."""
    observations = [Observation([]) for _ in range(works)]
    for piece in sorted(pieces, key=lambda piece: piece.start):
        seen = observations[piece.work]
        seen.rows += piece.rows
        seen.hits += piece.hits
        seen.missed = seen.missed or piece.missed
    return observations
