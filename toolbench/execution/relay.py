"""A process on another machine that passes pieces of work on to a pool of its own, and what comes of them back.

It stands between a cluster's worker, which must not run tools, and the processes that run them: hangs, exits and
crashes of tools end there exactly as they do on one machine.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from toolbench.errors import ScenarioError, ToolbenchError
from toolbench.execution.pool import Pool
from toolbench.execution.work import Work, observed
from toolbench.execution.worker import Answers, failed, listen
from toolbench.folder import folder_digest, read_folder
from toolbench.mutation.defect import Defect
from toolbench.mutation.engine import Tables


def serve(source: BinaryIO, to: BinaryIO) -> None:
    """Answer messages until the channel is closed.

    The first message says what is measured: {folder, digest, digests, defects, agent, deadline}; it is answered with
    {ready}. Then each {table, layer, units, given, patient, enough, deadline} is answered with {rows, hits, missed}.
    {failed, kind} in place of an answer is an error of the library's.
    """
    answer = Answers(to)
    messages = listen(source)
    if (first := messages.get()) is None:
        return
    try:
        pool = Pool(_tables(first), deadline=first["deadline"], jobs=1)
    except Exception as problem:
        answer.send(failed(problem))
        return
    with pool:
        answer.send({"ready": True})
        while (message := messages.get()) is not None:
            try:
                [seen] = observed(pool, [Work(**message, whole=True)])
            except Exception as problem:
                answer.send(failed(problem))
            else:
                answer.send(asdict(seen))


def _tables(first: dict[str, Any]) -> Tables:
    folder = Path(first["folder"])
    if folder_digest(folder) != first["digest"]:
        raise ToolbenchError(f"{folder.name}: arrived with other contents than it was sent with")
    scenario = read_folder(folder)
    if first["agent"]:
        scenario = scenario.with_agent(**first["agent"])
    mine, sent = scenario.digests(), first["digests"]
    if others := [what for what in sent if mine[what] != sent[what]]:
        raise ScenarioError(
            f"{folder.name}: its {' and '.join(others)} differ on the machine that was to run them; "
            "is something that scenario.py imports or reads another there, or another version?"
        )
    return Tables(scenario, tuple(Defect(**defect) for defect in first["defects"]))
