"""A worker process, seen from inside: load a scenario, observe tables, answer row by row.

It tells its parent each row as soon as it is there, so that the parent knows which unit was running when a
tool hangs, exits or kills the process. Whatever tools print or read goes nowhere.
"""

from __future__ import annotations

import gc
import os
import queue
import signal
import sys
import threading
import time
from json import dumps, loads  # by name: a tool may patch the module
from pathlib import Path
from typing import Any, BinaryIO

from toolbench.errors import ToolbenchError, ToolRefused
from toolbench.execution.child import ending
from toolbench.execution.forking import end_with_parent, fork, is_single
from toolbench.execution.kinds import KINDS
from toolbench.folder import folder_digest, read_folder
from toolbench.layers.layer import Row
from toolbench.modules import read_functions, read_module
from toolbench.mutation.defect import Defect
from toolbench.mutation.engine import Tables
from toolbench.outcome import CRASH, described
from toolbench.scenario import Scenario


def serve(source: BinaryIO, to: BinaryIO, scenario: Scenario | None = None) -> None:
    """Answer messages until the parent closes the channel.

    The first message says what to load: {folder, digest, defects, agent}; without a folder, the scenario is the
    one that this process was forked with. Then each {table, layer, units, given} is answered with one
    {row, hits, missed} per unit, {end}, and {gone} when nothing of it runs any more. Which layers there are, and what
    else can be done with units, is in `kinds`.
    """
    answer = Answers(to)
    end_with_parent()
    messages = listen(source)
    tables: Tables | None = None
    while (message := messages.get()) is not None:
        try:
            if "module" in message:
                (read_functions if message["functions"] else read_module)(message["module"])
                answer.send({"ready": True})
            elif "units" in message:
                assert tables is not None
                _observe_apart(tables, message, answer)
            else:
                tables = _load(message, scenario)
                answer.send({"ready": True, "digests": tables.scenario.digests()})
        except Exception as problem:
            answer.send(failed(problem))


class Answers:
    """The way to the parent; a tool that forks leaves a copy of this process, which must not answer too."""

    def __init__(self, to: BinaryIO):
        self._to, self._pid = to, os.getpid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nowhere, standard)
        # for as long as the process lives; a notebook's own streams would still find their way out
        sys.stdin, sys.stdout, sys.stderr = open(os.devnull), open(os.devnull, "w"), open(os.devnull, "w")  # noqa: SIM115

    def belong_here(self) -> None:
        """Answer for this process from now on; it is a copy that the worker made."""
        self._pid = os.getpid()

    def send(self, message: dict[str, Any]) -> None:
        if os.getpid() != self._pid:
            os._exit(0)
        self._to.write(dumps(message).encode() + b"\n")
        self._to.flush()


def listen(source: BinaryIO) -> queue.SimpleQueue[dict[str, Any] | None]:
    """Messages in order. When the parent is gone, this process ends, also in the middle of a tool's call."""
    messages: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()

    def listen() -> None:
        for line in source:
            messages.put(loads(line))
        messages.put(None)
        time.sleep(0.5)  # enough for an idle process to end by itself
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=listen, daemon=True).start()
    return messages


def _load(message: dict[str, Any], scenario: Scenario | None) -> Tables:
    if scenario is None:
        folder = Path(message["folder"])
        if message["digest"] is not None and folder_digest(folder) != message["digest"]:
            raise ToolbenchError(f"{folder}: changed while it was being measured; run the command again")
        sys.path.insert(0, str(folder))
        scenario = read_folder(folder)
        if message["agent"]:
            scenario = scenario.with_agent(**message["agent"])
    if scenario.server is not None and message.get("server"):
        scenario.server.join(message["server"], message["deadline"])
    gc.freeze()  # a collection in a copy would touch, and so copy, all that was loaded
    _ = scenario.fresh_world  # made now, so that a slow world is not taken for a tool that hangs
    tables = Tables(scenario, tuple(Defect(**defect) for defect in message["defects"]))
    _ = tables.original
    return tables


def _observe_apart(tables: Tables, message: dict[str, Any], answer: Answers) -> None:
    """Observe in a copy of this process, so that nothing that tools leave behind reaches the next piece of work.

    Globals, environment, directory, threads, random seeds: all of it ends with the copy. Where a copy would not
    be whole (the scenario started threads) or cannot be made, the work is done here.
    """
    if not is_single(own_threads=1):
        try:
            _observe(tables, message, answer)
        except Exception as problem:  # as below; this process is damaged, and no more work is done in it
            answer.send({"broken": described(problem)})
            os._exit(1)
        answer.send({"gone": ""})
        return
    tables.table(message["table"])  # made here, so that not every copy has to make it anew
    pid = fork()
    if pid == 0:
        try:
            end_with_parent()
            answer.belong_here()
            _observe(tables, message, answer)
        except Exception as problem:  # a tool reached into this process: its patches, tracers or signals raise here
            answer.send({"broken": described(problem)})
        finally:
            os._exit(0)
    _, status = os.waitpid(pid, 0)
    answer.send({"gone": ending(os.waitstatus_to_exitcode(status))})


def failed(problem: Exception) -> dict[str, Any]:
    """What is said of an error; `trial.failure` makes it one again."""
    if isinstance(problem, ToolRefused):
        return {"failed": str(problem), "refused": list(problem.args)}
    if isinstance(problem, ToolbenchError):
        return {"failed": str(problem), "kind": type(problem).__name__}
    return {"failed": f"{described(problem)} (in the scenario's world, agent or layer)"}


def _observe(tables: Tables, message: dict[str, Any], answer: Answers) -> None:
    kind, units, given = KINDS[message["layer"]], message["units"], message.get("given")
    table, landing = tables.table(message["table"])
    done = 0

    def tell(row: Row) -> None:
        answer.send({"row": row, "hits": landing.hits, "missed": landing.missed})

    while done < len(units):
        try:
            for row in kind.run(tables, table, units[done:], given):
                tell(row)
                done += 1
        except KeyboardInterrupt:  # raised by a tool: a Ctrl-C at the terminal does not reach this process
            tell(kind.ended(units[done], CRASH, "KeyboardInterrupt"))
            done += 1
    if changed := tables.changed_by(message["table"]):
        answer.send({"changed": changed})
    answer.send({"end": True})
