"""Running an async tool to its end from ordinary code."""

from __future__ import annotations

import os
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio

Start = Callable[[], Coroutine[Any, Any, Any]]


class _Kept(threading.local):
    """The event loop of this thread; `pid` tells a forked process that the loop is its parent's.

    The parent's loop is never dropped there: closing it would take the parent's own file descriptors from it.
    """

    runner: asyncio.Runner | None = None
    inherited: asyncio.Runner | None = None
    pid = 0


_kept = _Kept()


def finished(awaitable: Awaitable[Any]) -> Any:
    """The result of an awaitable, waited for here; what it raises is raised.

    One event loop serves all calls of a thread, since a new one for each would cost more than most tools; a
    loop in which a tool left something running is closed, so that nothing of it reaches the next call.
    Inside a running loop (a notebook cell) the awaitable is run in a thread of its own.
    """
    import asyncio

    async def awaited() -> Any:
        return await awaitable

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _in_this_thread(awaited)
    return _in_another_thread(awaited)


def _in_this_thread(start: Start) -> Any:
    import asyncio

    if _kept.pid != os.getpid():
        _kept.runner, _kept.inherited, _kept.pid = None, _kept.runner, os.getpid()
    if _kept.runner is None:
        _kept.runner = asyncio.Runner()
    runner = _kept.runner
    try:
        return runner.run(start())
    finally:
        if asyncio.all_tasks(runner.get_loop()):
            runner.close()
            _kept.runner = None


def _in_another_thread(start: Start) -> Any:
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, start()).result()
