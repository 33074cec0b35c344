"""Trying to load a scenario folder in a process of its own, and what a worker says of a load that fails."""

from __future__ import annotations

import queue
from typing import Any

from toolbench import errors
from toolbench.errors import ScenarioError, ToolbenchError, ToolRefused
from toolbench.execution.child import GRACE, Events, start_fresh

LOAD_DEADLINE = 20.0
BROKEN = "its channel to this process was closed or written into"


def try_loading(folder: str, seconds: float = LOAD_DEADLINE) -> None:
    """Load a scenario folder in a process of its own: ScenarioError if it fails, exits or takes too long."""
    _try({"folder": folder, "digest": None, "defects": [], "agent": {}}, folder, seconds)


def try_importing(module: str, seconds: float = LOAD_DEADLINE, *, functions: bool = False) -> None:
    """The same of the tools of a module (see `toolbench.modules`), or of its bare functions.

    A tool that is refused raises ToolRefused.
    """
    _try({"module": module, "functions": functions}, module, seconds)


def _try(message: dict[str, Any], what: str, seconds: float) -> None:
    events: Events = queue.Queue()
    child = start_fresh(events)
    messages, how = None, ""
    try:
        child.send(message)
        _, messages = events.get(timeout=seconds)
    except queue.Empty:
        raise ScenarioError(too_slow(what, seconds)) from None
    finally:
        how = child.kill(GRACE if messages is None else 0)
    if messages is None:
        raise ScenarioError(f"{what}: loading ended the process: {how or BROKEN}")
    if "failed" in messages[0]:
        raise failure(messages[0])


def failure(message: dict[str, Any]) -> ToolbenchError:
    """The error that a worker reports, as the same kind of error here."""
    if "refused" in message:
        return ToolRefused(*message["refused"])
    kind: type[ToolbenchError] = getattr(errors, message.get("kind", ""), ScenarioError)
    return kind(message["failed"])


def too_slow(what: str, seconds: float) -> str:
    return f"{what}: loading took longer than {seconds:g} s; does it, or what it imports, wait for something?"
