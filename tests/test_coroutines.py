"""Async tools, run to their end from ordinary code."""

import asyncio
import contextvars
import gc
import os
import subprocess
import sys
import threading

import pytest

from toolbench.coroutines import finished


async def later(value, turns=1):
    for _ in range(turns):
        await asyncio.sleep(0)
    return value


def test_a_coroutine_is_run_to_its_end():
    """The result is what the coroutine returns after it really waited."""
    assert finished(later({"a": 1}, turns=3)) == {"a": 1}


def test_any_awaitable_is_waited_for():
    """An object with __await__ is as good as a coroutine."""

    class Soon:
        def __await__(self):
            return later("soon").__await__()

    assert finished(Soon()) == "soon"


def test_what_is_raised_passes_through():
    """An exception of the coroutine is raised here, and the next coroutine is not disturbed."""

    async def failing():
        await asyncio.sleep(0)
        raise LookupError("away")

    with pytest.raises(LookupError, match="away"):
        finished(failing())
    assert finished(later(1)) == 1


def test_what_a_coroutine_leaves_running_ends_with_it():
    """A task that a coroutine started and did not wait for is cancelled, and never reaches the next call."""
    seen = []

    async def background():
        try:
            while True:
                await asyncio.sleep(0)
                seen.append("still here")
        finally:
            seen.append("ended")

    async def careless():
        careless.task = asyncio.create_task(background())
        await asyncio.sleep(0)
        return "done"

    assert finished(careless()) == "done"
    assert seen[-1] == "ended"
    count = len(seen)
    assert finished(later(1, turns=20)) == 1
    assert len(seen) == count


def test_a_loop_that_a_tool_stops():
    """A coroutine that stops its own loop fails, and the next one has a loop again."""

    async def stopping():
        asyncio.get_running_loop().stop()
        await asyncio.sleep(10)

    with pytest.raises(RuntimeError, match="stopped before"):
        finished(stopping())
    assert finished(later(2)) == 2


def test_inside_a_running_loop():
    """In a notebook cell, where a loop runs already, the coroutine is run beside it."""

    async def cell():
        return finished(later(threading.current_thread())), finished(later(3))

    thread, value = asyncio.run(cell())
    assert value == 3
    assert isinstance(thread, threading.Thread)


def test_an_error_inside_a_running_loop():
    """What a coroutine raises beside a running loop is raised in the cell."""

    async def failing():
        raise ValueError("no")

    async def cell():
        finished(failing())

    with pytest.raises(ValueError, match="no"):
        asyncio.run(cell())


def test_each_thread_has_its_own_loop():
    """Two threads that run coroutines at once do not share a loop, and leave none behind."""
    loops = []

    async def which():
        await asyncio.sleep(0)
        return asyncio.get_running_loop()

    def work():
        loops.append(finished(which()))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(loop) for loop in [*loops, finished(which())]}) == 3
    assert all(loop.is_closed() for loop in loops)


def test_the_main_thread_keeps_its_loop():
    """Two coroutines of the main thread run in one loop, since making one costs more than most tools."""

    async def which():
        return asyncio.get_running_loop()

    assert finished(which()) is finished(which())


def test_context_does_not_leak():
    """A context variable that one coroutine sets is not seen by the next."""
    variable = contextvars.ContextVar("variable", default=0)

    async def bump():
        variable.set(variable.get() + 1)
        return variable.get()

    assert [finished(bump()), finished(bump()), variable.get()] == [1, 1, 0]


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_leaves_the_loop_of_its_parent_alone():
    """After a copy of the process has run a coroutine of its own, threads still wake the parent's loop."""

    async def threaded():
        return await asyncio.wait_for(asyncio.to_thread(lambda: "woken"), timeout=20)

    assert finished(threaded()) == "woken"
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            code = 0 if finished(later("child")) == "child" else 2
            gc.collect()
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert finished(threaded()) == "woken"


def test_a_process_whose_tool_used_a_thread_ends_quietly():
    """At the end of the process the loop is closed without a word, also after `asyncio.to_thread`."""
    code = """
import asyncio
from toolbench import ToolTable, tool

@tool(schema=[])
async def count():
    return await asyncio.to_thread(lambda: {"n": 1})

print(ToolTable([count]).call("count", {}).value)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("{'n': 1}\n", "", 0)
