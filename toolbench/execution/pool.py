"""The executor of this machine: worker processes for one scenario and its defects."""

from __future__ import annotations

import os
import threading
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING

from toolbench.execution.crew import Crew
from toolbench.execution.pieces import Order
from toolbench.execution.work import Observation, Work
from toolbench.mutation.engine import Tables

if TYPE_CHECKING:
    from concurrent.futures import Future


class Pool:
    """Worker processes, as an executor; a context manager that leaves nothing running.

    deadline: seconds that one unit may take, by default the scenario's. jobs: the most workers at a time.
    """

    def __init__(self, tables: Tables, *, deadline: float | None = None, jobs: int | None = None):
        self._crew = Crew(
            tables,
            deadline=tables.scenario.deadline if deadline is None else deadline,
            jobs=jobs or min(8, os.cpu_count() or 1),
        )
        self.width = self._crew.jobs
        self._server, self._open = tables.scenario.server, ExitStack()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._lock = threading.Lock()

    def __enter__(self) -> Pool:
        with self._lock:
            self._begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown(cancel_futures=kind is not None)

    def submit(self, work: Work) -> Future[Observation]:
        """Have a work done. Its future can be cancelled as long as none of its units has begun."""
        order = Order(work)
        with self._lock:
            if self._closed:
                raise RuntimeError("the pool was shut down and takes no more work")
            self._begin()
            self._crew.events.put((None, lambda: self._crew.take(order)))
        return order.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work, and end the workers when all is done; with cancel_futures at once.

        A future that has no result by then has a CancelledError. wait: until the last process is gone.
        """
        with self._lock:
            self._closed = True
            if self._thread is None:
                return
            self._crew.events.put((None, lambda: self._crew.stop(at_once=cancel_futures)))
        if wait:
            self._thread.join()
            self._open.close()

    def _begin(self) -> None:
        if self._thread is None:
            if self._server is not None:
                self._crew.address = self._open.enter_context(self._server.running())
            self._crew.prepare()
            self._thread = threading.Thread(target=self._crew.run, name="toolbench pool", daemon=True)
            self._thread.start()
