"""Running an async tool to its end from ordinary code."""

from __future__ import annotations

import atexit
import contextlib
import contextvars
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio

Start = Callable[[], Coroutine[Any, Any, Any]]


class _Kept:
    """The event loop of the main thread; `pid` tells a forked process that the loop is its parent's.

    The parent's loop is never dropped there: closing it would take the parent's own file descriptors from it.
    """

    runner: asyncio.Runner | None = None
    inherited: asyncio.Runner | None = None
    pid = 0

    def close(self) -> None:
        if self.runner is not None and self.pid == os.getpid():
            self.runner.close()
            self.runner = None

    def leave(self) -> None:
        """Close the loop at the end of the process; its executor, if a tool used one, is gone by then."""
        with contextlib.suppress(RuntimeError):  # from Python 3.12 on, no thread can be started to wait for it
            self.close()


_kept = _Kept()
atexit.register(_kept.leave)


def finished(awaitable: Awaitable[Any]) -> Any:
    """The result of an awaitable, waited for here; what it raises is raised.

    One event loop serves all calls of the main thread, since a new one for each would cost more than most tools; a
    loop in which a tool left something running is closed, so that nothing of it reaches the next call.
    Inside a running loop (a notebook cell) the awaitable is run in a thread of its own.
    """
    import asyncio

    async def awaited() -> Any:
        return await awaitable

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        if threading.current_thread() is threading.main_thread():
            return _in_the_kept_loop(awaited)
        return asyncio.run(awaited())  # nobody would close a loop that was kept for a thread
    return _in_another_thread(awaited)


def _in_the_kept_loop(start: Start) -> Any:
    import asyncio

    if _kept.pid != os.getpid():
        _kept.runner, _kept.inherited, _kept.pid = None, _kept.runner, os.getpid()
    if _kept.runner is None:
        _kept.runner = asyncio.Runner()
    runner = _kept.runner
    try:
        return runner.run(start(), context=contextvars.copy_context())  # a runner's own would pass from call to call
    finally:
        if asyncio.all_tasks(runner.get_loop()):
            _kept.close()


def _in_another_thread(start: Start) -> Any:
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, start()).result()
