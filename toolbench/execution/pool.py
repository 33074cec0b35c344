"""Workers, deadlines and verdicts on what never came back.

Work is cut into pieces; a worker runs one piece at a time and reports row by row. A unit that gives no row
within the deadline, or whose process is gone, gets the row `ended` of its layer; its worker is replaced and
the rest goes on. A unit whose process is gone is first tried again in a new one: what ended the process may be
something that an earlier unit left behind. One worker serves as long as all goes well; others join when it is slow.
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

from toolbench import errors
from toolbench.errors import ScenarioError, TableChanged, ToolbenchError
from toolbench.execution.child import GRACE, Child, Events, start_forked, start_fresh
from toolbench.execution.worker import serve
from toolbench.folder import folder_digest
from toolbench.layers.all import LAYERS
from toolbench.layers.layer import Row
from toolbench.mutation.engine import Tables
from toolbench.outcome import DIED, TIMEOUT

LOAD_DEADLINE = 20.0
PIECE = 32
PATIENCE = 0.25
MOST_LOST = 20
BROKEN = "its channel to this process was closed or written into"


@dataclass(frozen=True)
class Work:
    """One table to be observed by one layer, unit by unit."""

    table: str
    layer: str
    units: Sequence[Any]


@dataclass
class Observation:
    """What a layer saw of a table: a row per unit, in order, and whether a defect found what it changes."""

    rows: list[Row]
    hits: int = 0
    missed: str = ""


@dataclass
class _Piece:
    work: int
    layer: str
    table: str
    start: int
    units: list[Any]
    rows: list[Row] = field(default_factory=list)
    hits: int = 0
    missed: str = ""
    again: bool = False


@dataclass
class _Worker:
    child: Child
    since: float
    ready: bool = False
    used: bool = False
    piece: _Piece | None = None


class Pool:
    """Worker processes for one scenario and its defects; a context manager that leaves nothing running."""

    def __init__(self, tables: Tables, *, deadline: float | None = None, jobs: int | None = None):
        self._tables = tables
        self._deadline = tables.scenario.deadline if deadline is None else deadline
        self._jobs = jobs or min(8, os.cpu_count() or 1)
        self._events: Events = queue.Queue()
        self._workers: list[_Worker] = []
        self._lost = 0
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

    def _start(self) -> None:
        defects = [asdict(defect) for defect in self._tables.defects]
        if self._folder is not None:
            child = start_fresh(self._events)
        elif hasattr(os, "fork"):
            scenario = self._tables.scenario
            others = [worker.child for worker in self._workers]
            child = start_forked(lambda source, to: serve(source, to, scenario), self._events, others)
        else:
            raise ScenarioError(
                f"{self._tables.scenario.name}: on this system only a scenario folder can be measured; "
                "`python -m toolbench init FOLDER` makes one"
            )
        child.send({"folder": self._folder, "digest": self._digest, "defects": defects})
        self._workers.append(_Worker(child, time.monotonic()))

    def run(self, works: Sequence[Work]) -> list[Observation]:
        """Observe every work; the results do not depend on the number of workers or their order."""
        waiting = deque(piece for number, work in enumerate(works) for piece in _pieces(number, work))
        finished: dict[int, list[_Piece]] = {number: [] for number in range(len(works))}
        open_pieces = len(waiting)
        while open_pieces:
            self._assign(waiting)
            try:
                child, message = self._events.get(timeout=self._wait(bool(waiting)))
            except queue.Empty:
                open_pieces -= self._overdue(waiting, finished)
                continue
            worker = next((w for w in self._workers if w.child is child), None)
            if worker is None:  # a message of a worker that was ended meanwhile
                continue
            worker.since = time.monotonic()
            if message is None:
                open_pieces -= self._gone(worker, DIED, "", waiting, finished)
            elif "row" in message and worker.piece is not None:
                piece = worker.piece
                piece.rows.append(message["row"])
                piece.hits, piece.missed = message["hits"], message["missed"]
            elif "end" in message and worker.piece is not None:
                finished[worker.piece.work].append(worker.piece)
                worker.piece, worker.used = None, True
                open_pieces -= 1
            else:
                self._told(worker, message)
        return [_joined(pieces) for pieces in finished.values()]

    def _told(self, worker: _Worker, message: dict[str, Any]) -> None:
        if "failed" in message:
            kind = getattr(errors, message.get("kind", ""), ScenarioError)
            raise kind(message["failed"])
        if "changed" in message:
            raise TableChanged(
                f"{self._tables.scenario.name}: {message['changed']} changed the original table; "
                "a tool must not alter its own function or schema"
            )
        if message["digests"] == self._digests:
            worker.ready = True
            return
        # The scenario in this process is not what its folder gives (it was altered in a notebook, or some of
        # its settings were): copies of this process have it as it is.
        self._folder = self._digest = None
        self._workers.remove(worker)
        worker.child.leave()
        self._start()

    def _assign(self, waiting: deque[_Piece]) -> None:
        for worker in self._workers:
            if worker.ready and worker.piece is None and (piece := _next(waiting, worker)) is not None:
                waiting.remove(piece)
                worker.piece, worker.since = piece, time.monotonic()
                worker.child.send(
                    {"work": piece.work, "table": piece.table, "layer": piece.layer, "units": piece.units}
                )
        if waiting and len(self._workers) < self._jobs and all(self._slow(worker) for worker in self._workers):
            self._start()

    def _slow(self, worker: _Worker) -> bool:
        return worker.ready and time.monotonic() - worker.since > PATIENCE

    def _limit(self, worker: _Worker) -> float | None:
        if not worker.ready:
            return worker.since + LOAD_DEADLINE
        return None if worker.piece is None else worker.since + self._deadline

    def _wait(self, more: bool) -> float:
        limits = [limit for worker in self._workers if (limit := self._limit(worker)) is not None]
        wait = min(limits, default=time.monotonic() + 1) - time.monotonic()
        return max(0.001, min(wait, PATIENCE) if more and len(self._workers) < self._jobs else wait)

    def _overdue(self, waiting: deque[_Piece], finished: dict[int, list[_Piece]]) -> int:
        now, ended = time.monotonic(), 0
        for worker in list(self._workers):
            limit = self._limit(worker)
            if limit is not None and now > limit:
                if not worker.ready:
                    raise ScenarioError(
                        f"{self._tables.scenario.name}: loading took longer than {LOAD_DEADLINE:g} s; "
                        "does scenario.py, or what it imports, wait for something?"
                    )
                ended += self._gone(worker, TIMEOUT, f"no answer within {self._deadline:g} s", waiting, finished)
        return ended

    def _gone(
        self, worker: _Worker, kind: str, reason: str, waiting: deque[_Piece], finished: dict[int, list[_Piece]]
    ) -> int:
        """Give the unit that was running its row, put the rest back, replace the worker; pieces completed by it."""
        self._workers.remove(worker)
        how = worker.child.kill(GRACE if kind == DIED else 0)
        if how:  # it was gone, though something that it had started kept its channel open
            kind, reason = DIED, how
        piece = worker.piece
        if piece is None:
            self._lost += 1
            if not worker.ready or self._lost > MOST_LOST:
                raise ScenarioError(f"{self._tables.scenario.name}: the worker died while loading it: {how or BROKEN}")
        self._start()
        if piece is None:
            return 0
        at = len(piece.rows)
        again = kind == DIED and (at > 0 or worker.used)
        if at < len(piece.units) and not again:
            piece.rows.append(LAYERS[piece.layer].ended(piece.units[at], kind, reason or BROKEN))
            at += 1
        finished[piece.work].append(piece)
        rest = piece.units[at:]
        if not rest:
            return 1
        waiting.appendleft(_Piece(piece.work, piece.layer, piece.table, piece.start + at, rest, again=again))
        return 0


def _next(waiting: deque[_Piece], worker: _Worker) -> _Piece | None:
    """The piece for a worker: one that is tried again needs a new worker, and goes first there."""
    first = next((piece for piece in waiting if piece.again != worker.used), None)
    return first or (None if worker.used else next(iter(waiting), None))


def _joined(pieces: list[_Piece]) -> Observation:
    """The pieces of one work in the order of its units."""
    ordered = sorted(pieces, key=lambda piece: piece.start)
    rows = [row for piece in ordered for row in piece.rows]
    missed = next((piece.missed for piece in ordered if piece.missed), "")
    return Observation(rows, sum(piece.hits for piece in ordered), missed)


def _pieces(number: int, work: Work) -> list[_Piece]:
    units = list(work.units)
    return [
        _Piece(number, work.layer, work.table, start, units[start : start + PIECE])
        for start in range(0, len(units), PIECE)
    ]


def try_loading(folder: str, seconds: float = LOAD_DEADLINE) -> None:
    """Load a scenario folder in a process of its own: ScenarioError if it fails, exits or takes too long."""
    events: Events = queue.Queue()
    child = start_fresh(events)
    try:
        child.send({"folder": folder, "digest": None, "defects": []})
        _, message = events.get(timeout=seconds)
    except queue.Empty:
        child.kill()
        raise ScenarioError(
            f"{folder}: loading took longer than {seconds:g} s; "
            "does scenario.py, or what it imports, wait for something?"
        ) from None
    how = child.kill(GRACE if message is None else 0)
    if message is None:
        raise ScenarioError(f"{folder}: loading ended the process: {how or BROKEN}")
    if "failed" in message:
        error: type[ToolbenchError] = getattr(errors, message.get("kind", ""), ScenarioError)
        raise error(message["failed"])
