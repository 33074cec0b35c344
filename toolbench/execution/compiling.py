"""Machines of tables, built where tools can do no harm: in copies of the worker, with a deadline for each call.

One copy builds the machines of the defect-free table and stays; for every other table it makes a copy of itself, which
has all that the tables share and builds the rest. Whoever made a copy watches it: when it makes no progress within the
deadline, or is gone, the call that it was making is known to end so, and another copy goes on without that call.
"""

from __future__ import annotations

import gc
import mmap
import os
import select
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from json import dumps, loads  # by name: a tool may patch the module
from typing import Any

from toolbench.agent.building import Builder
from toolbench.agent.calls import NO_CALL, End
from toolbench.errors import CannotCompile
from toolbench.execution.child import CHUNK, ending
from toolbench.execution.forking import end_with_parent, fork, is_single
from toolbench.layers.layer import Row
from toolbench.mutation.defect import NONE
from toolbench.mutation.engine import Tables
from toolbench.outcome import DIED, TIMEOUT, described

MOST_ENDS = 50
TICK = 0.02
STALLED = 0.5
BETWEEN = 60.0  # seconds that may pass between two calls, in which no tool runs

Ends = dict[int, End]


class _Shared:
    """Two numbers that a process and the copies of it see alike: the call that is being made, and what is finished."""

    def __init__(self) -> None:
        self._memory = memoryview(mmap.mmap(-1, 16)).cast("q")

    def about_to_call(self, number: int) -> None:
        self._memory[0] = number

    def call(self) -> int:
        return self._memory[0]

    def finish(self) -> None:
        self._memory[1] += 1

    def finished(self) -> int:
        return self._memory[1]


def compiled(tables: Tables, names: Sequence[str], deadline: float) -> Iterator[Row]:
    """One row per table, the defect-free one first: {table, machines, why, hits, missed, changed}.

    machines: per task the machine's facts, or None where it is the defect-free table's; None for a table of which
    there is no machine, for the reason `why`. changed: what its run changed of the original table, else nothing.
    """
    if not is_single(own_threads=1):
        why = "the scenario starts threads, so that no copy of its process would be whole"
        yield from (without(name, why) for name in names)
        return
    reads, writes = os.pipe()
    pid = fork()
    if pid == 0:
        try:
            os.close(reads)
            end_with_parent()
            gc.disable()  # this process and its copies end before there is any garbage worth a search
            _Building(tables, deadline, writes).all(names)
        finally:
            os._exit(0)
    os.close(writes)
    left, begun = list(names), b""
    for text in _read(reads, pid):
        *lines, begun = (begun + text).split(b"\n")
        for line in lines:
            row = loads(line)
            if row["table"] in left:
                left.remove(row["table"])
                yield row
    yield from (without(name, "the process that builds its machines broke off") for name in left)


def _read(source: int, pid: int) -> Iterator[bytes]:
    """What a process writes, until it is gone; something that a tool started may hold the pipe for longer."""
    gone = 0
    try:
        while True:
            if select.select([source], [], [], TICK)[0]:
                text = os.read(source, CHUNK)
                if not text:
                    break
                yield text
            elif gone:
                break
            else:
                gone, _ = os.waitpid(pid, os.WNOHANG)
    finally:
        os.close(source)
        if not gone:
            os.waitpid(pid, 0)


def without(name: str, why: str) -> Row:
    """The row of a table of which there is no machine."""
    return {"table": name, "machines": None, "why": why, "hits": 0, "missed": "", "changed": ""}


class _Building:
    """Builds tables one after the other, each in a copy of this process, and tells what came of each."""

    def __init__(self, tables: Tables, deadline: float, to: int):
        self._tables, self._deadline, self._to = tables, deadline, to
        self._shared = _Shared()
        self._builder: Builder | None = None
        self._clean: list[Any] = []

    def all(self, names: Sequence[str]) -> None:
        """The defect-free table in a copy that goes on to the others; without it, none of them has a machine."""

        def begin(ends: Ends) -> None:
            scenario = self._tables.scenario
            self._builder = Builder(
                scenario.table, scenario.agent, scenario.fresh_world, about_to_call=self._shared.about_to_call
            )
            self._clean = self._builder.build_with(ends, scenario.table, scenario.tasks)
            self._shared.finish()
            self._tell(NONE, self._clean, 0, "")
            for name in names[1:]:
                if why := self._watched(partial(self._one, name)):
                    self._send(without(name, why))

        if why := self._watched(begin):
            for name in names:
                self._send(without(name, why))

    def _one(self, name: str, ends: Ends) -> None:
        assert self._builder is not None
        table, landing = self._tables.table(name)
        machines = self._builder.build_with(ends, table, self._tables.scenario.tasks)
        self._shared.finish()  # first: who dies while it tells is not tried again, so that nothing is told twice
        self._tell(name, machines, landing.hits, landing.missed)

    def _tell(self, name: str, machines: Sequence[Any], hits: int, missed: str) -> None:
        clean = {id(machine) for machine in self._clean} if name != NONE else set()
        facts = [None if id(machine) in clean else machine.facts() for machine in machines]
        changed = self._tables.changed_by(name)
        self._send({"table": name, "machines": facts, "why": "", "hits": hits, "missed": missed, "changed": changed})

    def _send(self, row: Row) -> None:
        line = dumps(row).encode() + b"\n"
        while line:
            line = line[os.write(self._to, line) :]

    def _watched(self, build: Callable[[Ends], None]) -> str:
        """Run `build` in a copy of this process until it finishes; why it cannot, if so."""
        ends: Ends = {}
        wanted = self._shared.finished() + 1
        while len(ends) <= MOST_ENDS:
            self._shared.about_to_call(NO_CALL)
            reads, writes = os.pipe()
            pid = fork()
            if pid == 0:
                why = ""
                try:
                    os.close(reads)
                    end_with_parent()
                    build(ends)
                except CannotCompile as problem:
                    why = str(problem)
                except BaseException as problem:  # a tool reached into this process
                    why = f"building broke off: {described(problem)}"
                finally:
                    if why:
                        os.write(writes, why.encode(errors="backslashreplace")[:2000])
                    os._exit(0)
            os.close(writes)
            how = self._ended(pid, reads, wanted)
            why = os.read(reads, 4000).decode(errors="replace") if select.select([reads], [], [], 0)[0] else ""
            os.close(reads)
            if why or self._shared.finished() >= wanted:
                return why
            call = self._shared.call()
            if call == NO_CALL or call in ends:
                return f"it cannot be told which call did this: {how[1]}"
            ends[call] = how
        return f"more than {MOST_ENDS} different calls hang or end their process"

    def _ended(self, pid: int, closed: int, wanted: int) -> End:
        """Wait for a copy to end, and end it when a call takes too long before all is finished; how it ended."""
        call, since, seen = self._shared.call(), time.monotonic(), time.monotonic()
        while True:
            select.select([closed], [], [], TICK)  # it closes this at its end, if nothing that it started holds it
            gone, status = os.waitpid(pid, os.WNOHANG)
            if gone:
                return DIED, ending(os.waitstatus_to_exitcode(status))
            now = time.monotonic()
            stopped, seen = now - seen > STALLED, now  # this process itself was stopped: what was overdue is not known
            if stopped or self._shared.call() != call or self._shared.finished() >= wanted:
                call, since = self._shared.call(), now
            elif now - since > (max(self._deadline, BETWEEN) if call == NO_CALL else self._deadline):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                return TIMEOUT, f"no answer within {self._deadline:g} s"
