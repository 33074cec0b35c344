"""A worker process, seen from inside: load a scenario, observe tables, answer row by row.

It tells its parent each row as soon as it is there, so that the parent knows which unit was running when a
tool hangs, exits or kills the process. Whatever tools print or read goes nowhere.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any, BinaryIO

from toolbench.errors import ToolbenchError
from toolbench.folder import folder_digest, read_folder
from toolbench.layers.all import LAYERS
from toolbench.mutation.defect import NONE, Defect
from toolbench.mutation.engine import Tables
from toolbench.outcome import CRASH, described
from toolbench.scenario import Scenario


def serve(source: BinaryIO, to: BinaryIO, scenario: Scenario | None = None) -> None:
    """Answer messages until the parent closes the channel.

    The first message says what to load: {folder, digest, defects}; without a folder, the scenario is the
    one that this process was forked with. Then each {work, table, layer, units} is answered with one
    {work, row, hits, missed} per unit and {work, end}.
    """
    answer = _Answers(to)
    _end_with_parent()
    messages = _listen(source)
    tables: Tables | None = None
    while (message := messages.get()) is not None:
        try:
            if "work" in message:
                assert tables is not None
                _observe(tables, message, answer)
            else:
                tables = _load(message, scenario)
                answer.send({"ready": True, "digests": tables.scenario.digests()})
        except ToolbenchError as problem:
            answer.send({"failed": str(problem), "kind": type(problem).__name__})
        except Exception as problem:
            answer.send({"failed": f"{described(problem)} (in the scenario's world, agent or layer)"})


class _Answers:
    """The way to the parent; a tool that forks leaves a copy of this process, which must not answer too."""

    def __init__(self, to: BinaryIO):
        self._to, self._pid = to, os.getpid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nowhere, standard)
        # for as long as the process lives; a notebook's own streams would still find their way out
        sys.stdin, sys.stdout, sys.stderr = open(os.devnull), open(os.devnull, "w"), open(os.devnull, "w")  # noqa: SIM115

    def send(self, message: dict[str, Any]) -> None:
        if os.getpid() != self._pid:
            os._exit(0)
        self._to.write(json.dumps(message).encode() + b"\n")
        self._to.flush()


def _end_with_parent() -> None:
    """Ask the system to end this process with its parent: a hang in C code would never hear of it."""
    if sys.platform == "linux":
        import ctypes

        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)


def _listen(source: BinaryIO) -> queue.SimpleQueue[dict[str, Any] | None]:
    """Messages in order. When the parent is gone, this process ends, also in the middle of a tool's call."""
    messages: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()

    def listen() -> None:
        for line in source:
            messages.put(json.loads(line))
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
    _ = scenario.fresh_world  # made now, so that a slow world is not taken for a tool that hangs
    return Tables(scenario, tuple(Defect(**defect) for defect in message["defects"]))


def _observe(tables: Tables, message: dict[str, Any], answer: _Answers) -> None:
    layer, units, work = LAYERS[message["layer"]], message["units"], message["work"]
    original = tables.scenario.table.fingerprint()
    table, landing = tables.table(message["table"])
    done = 0
    while done < len(units):
        try:
            for row in layer.observe(tables.scenario, table, units[done:]):
                answer.send({"work": work, "row": row, "hits": landing.hits, "missed": landing.missed})
                done += 1
        except KeyboardInterrupt:  # raised by a tool: a Ctrl-C at the terminal does not reach this process
            answer.send({"work": work, "row": layer.ended(units[done], CRASH, "KeyboardInterrupt"),
                         "hits": landing.hits, "missed": landing.missed})  # fmt: skip
            done += 1
    if tables.scenario.table.fingerprint() != original:
        what = "a run of the defect-free table" if message["table"] == NONE else f"a run with {message['table']}"
        answer.send({"changed": what})
    answer.send({"work": work, "end": True})
