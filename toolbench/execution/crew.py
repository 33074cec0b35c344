"""The workers of a pool: deadlines, growth, and verdicts on what never came back.

A worker runs one piece at a time and reports row by row. A unit that gives no row within the deadline, or whose
process is gone, gets the row `ended` of its kind, and the rest goes on. A worker runs each piece in a copy of itself,
so nothing that tools leave behind reaches another table. A unit whose process is gone is first tried again at the
start of a piece: an earlier unit of its piece may have left behind what ended it. Others join a worker that is slow.
"""

from __future__ import annotations

import queue
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from toolbench.errors import ScenarioError, ToolbenchError, table_changed
from toolbench.execution.child import GRACE, Child, Events, start_fresh
from toolbench.execution.forking import CAN_FORK
from toolbench.execution.kinds import KINDS
from toolbench.execution.pieces import Order, Orders, Piece
from toolbench.execution.trial import BROKEN, LOAD_DEADLINE, failure, too_slow
from toolbench.execution.worker import serve
from toolbench.folder import folder_digest
from toolbench.mutation.engine import Tables
from toolbench.outcome import DIED, SKIPPED, TIMEOUT
from toolbench.servers.settings import RUN

if TYPE_CHECKING:
    from toolbench.execution.mould import Mould

PATIENCE = 0.25
MOST_LOST = 20
STALLED = 0.5


@dataclass(eq=False)
class _Worker:
    """A child, what it is doing, and since when nothing was heard of it."""

    child: Child
    since: float
    ready: bool = False
    piece: Piece | None = None
    ended: bool = False
    broken: str = ""


class Crew:
    """Everything that happens in a pool's own thread: `run` it there, and tell it all else through `events`.

    An event is (child, messages), or (None, function) with a function that is to be called in that thread.
    """

    def __init__(self, tables: Tables, deadline: float, jobs: int):
        server = tables.scenario.server
        if server is not None and server.settings.fresh == RUN:
            jobs = 1  # there is one life of it, and one thing at a time
        self.address = ""
        self._watched = server is not None  # the server's keeper ends each call of a unit
        self.events: Events = queue.Queue()
        self._tables, self._deadline, self.jobs = tables, deadline, jobs
        self._name = tables.scenario.name
        self._workers: list[_Worker] = []
        self._orders = Orders()
        self._lost = 0
        self._failure: BaseException | None = None
        self._stopping = self._at_once = False
        self._mould: Mould | None = None
        folder = tables.scenario.folder if tables.scenario.as_read else None
        self._folder = None if folder is None else str(folder)
        self._digest = None if folder is None else folder_digest(folder)
        self._digests = tables.scenario.digests()

    def prepare(self) -> None:
        """What has to be done in the thread that asks for the pool: to copy this process, where no file will do."""
        if self._folder is not None or self._mould is not None:
            return
        if not CAN_FORK:
            raise ScenarioError(
                f"{self._name}: on this system only a scenario folder can be measured; "
                "`python -m toolbench init FOLDER` makes one"
            )
        from toolbench.execution.mould import Mould

        scenario = self._tables.scenario
        self._mould = Mould(lambda source, to: serve(source, to, scenario))

    def run(self) -> None:
        """Serve until `stop` is called and nothing is wanted any more."""
        try:
            self._guarded(self._start)
            while not self._stopping or self._orders.open:
                self._guarded(self._step)
        finally:
            self._dismiss(at_once=self._at_once)
            if self._mould is not None:
                self._mould.close()

    def take(self, order: Order) -> None:
        """One more order."""
        if self._failure is not None:
            order.fail(self._failure)
        else:
            self._orders.take(order)

    def stop(self, *, at_once: bool) -> None:
        """End when everything is done; or now, with what is running."""
        self._stopping, self._at_once = True, self._at_once or at_once
        if at_once:
            from concurrent.futures import CancelledError

            self._orders.give_up(CancelledError("ended before it was finished"))

    def _guarded(self, step: Any) -> None:
        """Nobody waits for this thread: whoever waits for what it does gets its errors, and so does who comes later."""
        try:
            step()
        except Exception as problem:
            self._failure = problem
            self._dismiss(at_once=True)
            self._orders.give_up(problem)

    def _dismiss(self, *, at_once: bool) -> None:
        for worker in self._workers:
            if worker.piece is None and not at_once:
                worker.child.leave()
            else:
                worker.child.kill()
        self._workers.clear()

    def _step(self) -> None:
        self._assign()
        asked, wait = time.monotonic(), self._wait()
        try:
            child, said = self.events.get(timeout=wait)
        except queue.Empty:
            child = said = None
        now = time.monotonic()
        if now - asked - (wait or 0) > STALLED:  # this process itself was stopped, and so were its workers or what
            for worker in self._workers:  # reads from them: which of them is overdue is not known
                worker.since = now
        if child is None:
            self._end_the_overdue() if said is None else said()
            return
        speaker = next((one for one in self._workers if one.child is child), None)
        if speaker is None:  # it was ended meanwhile
            return
        speaker.since = time.monotonic()
        if said is None:
            self._replace(speaker, DIED, "")
        else:
            for message in said:
                if speaker in self._workers:
                    self._hear(speaker, message)

    def _start(self) -> None:
        """Start one more worker."""
        if self._folder is None:
            self.prepare()
            assert self._mould is not None
            child = self._mould.start(self.events)
        else:
            child = start_fresh(self.events)
        defects = [asdict(defect) for defect in self._tables.defects]
        agent = dict(self._tables.scenario.altered)
        child.send({"folder": self._folder, "digest": self._digest, "defects": defects, "agent": agent,
                    "server": self.address, "deadline": self._deadline})  # fmt: skip
        self._workers.append(_Worker(child, time.monotonic()))

    def _hear(self, worker: _Worker, message: dict[str, Any]) -> None:
        piece = worker.piece
        if "ready" in message:
            self._welcome(worker, message["digests"])
        elif piece is None:
            if "failed" in message:
                raise failure(message)
        elif "row" in message:
            piece.rows.append(message["row"])
            piece.hits, piece.missed = message["hits"], message["missed"]
        elif "end" in message:
            worker.ended = True
        elif "broken" in message:
            worker.broken = f"its process was damaged: {message['broken']}"
        elif "gone" in message:
            self._finish(worker, DIED, worker.broken or message["gone"])
        elif "failed" in message:
            worker.piece = None
            self._orders.fail(piece.order, failure(message))
        elif "changed" in message:
            self._workers.remove(worker)  # where it could not be copied, the change is its own
            worker.child.kill()
            self._orders.fail(piece.order, table_changed(self._name, message["changed"]))

    def _welcome(self, worker: _Worker, digests: dict[str, str]) -> None:
        """A worker has loaded the scenario: put it to work if it is the one that is here."""
        if digests == self._digests:
            worker.ready = True
        elif self._folder is None:
            raise ScenarioError(f"{self._name}: its tools, cases or settings are others each time they are looked at")
        else:
            # The scenario in this process is not what its folder gives (something that it imports is another
            # here): copies of this process have it as it is. They begin when there is something to do.
            self._folder = self._digest = None
            self._workers.remove(worker)
            worker.child.leave()

    def _finish(self, worker: _Worker, kind: str, reason: str) -> None:
        """Take a worker's piece from it; if it did not end, give the unit that was running its row."""
        piece, ended = worker.piece, worker.ended
        worker.piece, worker.ended, worker.broken = None, False, ""
        if piece is None or not piece.order.wanted:
            return
        done = len(piece.rows)
        to_blame = kind == TIMEOUT or done == 0  # else an earlier unit may be: try again, first thing in a piece
        if not ended and to_blame and done < len(piece.units):
            try:
                self._end(piece, kind, reason)
            except ToolbenchError as problem:
                self._orders.fail(piece.order, problem)
                return
        self._orders.add(piece)

    def _end(self, piece: Piece, kind: str, reason: str) -> None:
        """Give the unit that was running its row, and those behind it theirs, if enough of the work was ended so."""
        work, row = piece.order.work, KINDS[piece.order.work.layer].ended
        piece.rows.append(row(piece.units[len(piece.rows)], kind, reason))
        piece.order.ended += 1
        if work.enough is not None and piece.order.ended >= work.enough:
            why = f"not tried, since {piece.order.ended} did not come back"
            piece.rows += [row(unit, SKIPPED, why) for unit in piece.units[len(piece.rows) :]]

    def _assign(self) -> None:
        for worker in self._workers:
            if worker.ready and worker.piece is None and (piece := self._orders.next()) is not None:
                worker.piece, worker.since = piece, time.monotonic()
                worker.child.send(piece.message())
        if self._orders.waiting and len(self._workers) < self.jobs and self._is_slow():
            self._start()

    def _is_slow(self) -> bool:
        """Whether another worker pays: all are at something slow, or what waits has no deadline, so that it is long."""
        late = time.monotonic() - PATIENCE
        return self._orders.waiting[0].order.work.patient or all(
            one.ready and one.since < late for one in self._workers
        )

    def _limit(self, worker: _Worker) -> float | None:
        """When a worker is overdue; None for one that has nothing to do, or all the time that it needs."""
        if not worker.ready:
            return worker.since + LOAD_DEADLINE
        if worker.piece is None or worker.piece.order.work.patient:
            return None
        if self._watched and worker.piece.order.work.deadline is None:
            return None
        return worker.since + self._seconds(worker)

    def _seconds(self, worker: _Worker) -> float:
        """How long the unit that a worker is at may take."""
        given = None if worker.piece is None else worker.piece.order.work.deadline
        return self._deadline if given is None else given

    def _wait(self) -> float | None:
        """How long to listen: until a worker is overdue, or until another one may be needed."""
        limits = [limit for worker in self._workers if (limit := self._limit(worker)) is not None]
        if self._orders.waiting and len(self._workers) < self.jobs:
            limits.append(time.monotonic() + PATIENCE)
        return max(0.001, min(limits) - time.monotonic()) if limits else None

    def _end_the_overdue(self) -> None:
        now = time.monotonic()
        for worker in list(self._workers):
            limit = self._limit(worker)
            if limit is not None and now > limit:
                if not worker.ready:
                    raise ScenarioError(too_slow(self._name, LOAD_DEADLINE))
                self._replace(worker, TIMEOUT, f"no answer within {self._seconds(worker):g} s")

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
