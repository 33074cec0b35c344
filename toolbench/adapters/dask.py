"""The executor of many machines: a Dask cluster, whose workers need the same Python and the library's requirements.

Work is cut into the same pieces as on one machine, and each piece is a task of the cluster. What a piece gives comes
from a relay beside the Dask worker (see `dask_remote`), or the piece is tried again: a worker that is gone is no
verdict. The library and the scenario folder are sent along, with their digests.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import time
import uuid
from concurrent.futures import CancelledError
from types import TracebackType
from typing import TYPE_CHECKING, Any

from toolbench.adapters.dask_client import ANSWER, CALL, check_address, connected, ship
from toolbench.adapters.parcel import addressed
from toolbench.errors import ToolbenchError
from toolbench.execution.pieces import Order, Orders, Piece
from toolbench.execution.trial import failure
from toolbench.execution.work import Observation, Work
from toolbench.mutation.engine import Tables

if TYPE_CHECKING:
    from concurrent.futures import Future

ALONE = 15.0
LOOK = 0.5
AHEAD = 2
RETRIES = 3


class DaskExecutor:
    """A Dask cluster, as an executor; a context manager that leaves nothing running.

    scheduler: its address, such as tcp://HOST:PORT. deadline: seconds that one unit may take, by default the
    scenario's. UsageError says what is wrong with the address or the cluster, or that the scenario is in no folder.
    """

    def __init__(self, tables: Tables, *, scheduler: str, deadline: float | None = None):
        self._address = check_address(scheduler)
        self._settings = addressed(tables, tables.scenario.deadline if deadline is None else deadline)
        self._run = f"toolbench-{uuid.uuid4().hex}"
        self._client: Any = None
        self._lock = threading.RLock()
        self._orders = Orders()
        self._running: dict[Any, Piece] = {}
        self._sent = 0
        self._threads = 1
        self._failure: ToolbenchError | None = None
        self._closed = False
        self._idle = threading.Condition(self._lock)
        self._watcher = threading.Thread(target=self._watch, name="toolbench dask", daemon=True)

    def __enter__(self) -> DaskExecutor:
        with self._lock:
            self._begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown(cancel_futures=kind is not None)

    @property
    def width(self) -> int:
        """How many pieces the cluster does at a time: the threads of its workers, when it was last asked."""
        return self._threads

    def submit(self, work: Work) -> Future[Observation]:
        """Have a work done. Its future can be cancelled as long as none of its pieces was sent."""
        order = Order(work)
        with self._lock:
            if self._closed:
                raise RuntimeError("the executor was shut down and takes no more work")
            self._begin()
            if self._failure is not None:
                order.fail(self._failure)
            else:
                self._orders.take(order)
                self._send()
        return order.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work, and leave the cluster when all is done; with cancel_futures at once.

        A future that has no result by then has a CancelledError. wait: until the cluster was left.
        """
        with self._lock:
            self._closed = True
            if self._client is None:
                return
            if cancel_futures:
                self._give_up(CancelledError("ended before it was finished"))
            self._idle.notify_all()
        if wait:
            self._watcher.join()

    def _begin(self) -> None:
        if self._client is None:
            client = connected(self._address)
            try:
                ship(client, self._run, self._settings)
            except BaseException:
                client.close(timeout=1)
                raise
            self._client = client
            self._threads = self._threads_there() or 1
            self._watcher.start()

    def _send(self) -> None:
        """Send pieces ahead of what the cluster can do at a time: enough to keep it busy, and the rest can wait."""
        while len(self._running) < AHEAD * self._threads and (piece := self._orders.next()) is not None:
            work = piece.order.work
            message = {**piece.message(), "patient": work.patient, "enough": work.enough, "deadline": work.deadline}
            self._sent += 1
            call = {"run": self._run, "text": json.dumps(message)}
            try:
                task = self._client.submit(
                    eval, CALL, call, key=f"{self._run}-{self._sent}", pure=False, retries=RETRIES
                )
            except Exception as problem:
                self._orders.fail(piece.order, ToolbenchError(self._told(problem)))
                continue
            self._running[task] = piece
            task.add_done_callback(self._hear)

    def _hear(self, task: Any) -> None:
        """Something came of a piece; called in a thread of Dask's."""
        with self._lock:
            if task not in self._running:
                return
        try:
            answer = json.loads(task.result())
        except (Exception, asyncio.CancelledError) as problem:
            answer = {"failed": self._told(problem), "kind": "ToolbenchError"}
        with self._lock:
            piece = self._running.pop(task, None)
            if piece is None:
                return
            if "failed" in answer:
                self._orders.fail(piece.order, failure(answer))
            else:
                piece.rows, piece.hits, piece.missed = answer["rows"], answer["hits"], answer["missed"]
                self._orders.add(piece)
            self._send()
            self._idle.notify_all()

    def _told(self, problem: BaseException) -> str:
        """What a piece that Dask gave up comes to, in one line."""
        kind, what = type(problem).__name__, f"{self._address}: a piece of work could not be done"
        if kind == "KilledWorker":
            return f"{what}: {str(problem).partition(chr(10))[0]}"
        if kind == "FutureCancelledError" or isinstance(problem, CancelledError):
            return f"{self._address}: the connection to the scheduler was lost before everything was done"
        return f"{what}: {kind}: {str(problem).partition(chr(10))[0]}"

    def _give_up(self, problem: BaseException) -> None:
        tasks = list(self._running)
        self._running.clear()
        self._orders.give_up(problem)
        if tasks:
            with contextlib.suppress(Exception):  # a cluster that is gone has cancelled them itself
                self._call(self._client._cancel, tasks, force=True)

    def _watch(self) -> None:
        """See to it that nobody waits for a cluster that is gone, and leave it in the end."""
        seen = time.monotonic()
        while True:
            with self._lock:
                if self._closed and not self._orders.open:
                    break
                self._idle.wait(LOOK)
                if self._closed and not self._orders.open:
                    break
            threads = self._threads_there()
            with self._lock:
                if threads:
                    seen, self._threads = time.monotonic(), threads
                    self._send()
                elif time.monotonic() - seen > ALONE and self._failure is None:
                    self._failure = ToolbenchError(
                        f"scheduler {self._address}: it has had no worker for {ALONE:g} s, or is gone itself; "
                        f"start workers with `dask worker {self._address}` and run the command again"
                    )
                    self._give_up(self._failure)
        if self._client.status == "running":
            with contextlib.suppress(Exception):  # whoever leaves a cluster that is gone has nothing to take along
                self._call(self._client.scheduler.unregister_worker_plugin, name=self._run)
        with contextlib.suppress(Exception):
            self._client.close(timeout=ANSWER)

    def _threads_there(self) -> int:
        """How many pieces the cluster can do at a time; 0 when it has no worker or does not answer."""
        if self._client.status == "running":
            with contextlib.suppress(Exception):  # no answer is the answer: nothing can be done there
                return sum(self._call(self._client.scheduler.ncores).values())
        return 0

    def _call(self, function: Any, *arguments: Any, **named: Any) -> Any:
        """Ask the scheduler for something, and not for ever."""
        return self._client.sync(function, *arguments, **named, callback_timeout=ANSWER)
