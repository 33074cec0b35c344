"""Tasks and the seeded agent as data: reading `tasks.toml`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from toolbench.agent.seeded import SeededAgent, Tokens
from toolbench.errors import ScenarioError, unknown
from toolbench.scenario import Task
from toolbench.toml_values import read_toml
from toolbench.values import show

TASKS = "tasks.toml"
KEYS = ("base_seed", "agent", "task")
OF_TASK = ("id", "request", "start", "answer", "sequence")
OF_AGENT = tuple(name for name, one in SeededAgent.__dataclass_fields__.items() if one.init)
NEEDED = ("budget", "first")


def read_tasks(path: Path) -> dict[str, Any]:
    """What a `tasks.toml` gives of a scenario: tasks, agent, base_seed; ScenarioError names file, key and value.

    `[agent]` has the settings of the seeded agent by name, each `[[task]]` those of a task. No file, nothing.
    """
    if not path.exists() and not path.is_symlink():
        return {}
    content = read_toml(path, ScenarioError)
    _known(path, "", content, KEYS)
    entries = content.get("task", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ScenarioError(f"{path}: task is {show(entries)}; each task is a [[task]] table")
    found: dict[str, Any] = {"tasks": [_task(path, number, entry) for number, entry in enumerate(entries, 1)]}
    if "agent" in content:
        found["agent"] = _agent(path, content["agent"])
    if "base_seed" in content:
        found["base_seed"] = content["base_seed"]
    return found


def _task(path: Path, number: int, entry: dict[str, Any]) -> Task:
    label = f"task {entry.get('id', f'number {number}')}: "
    _known(path, label, entry, OF_TASK)
    if "id" not in entry:
        raise ScenarioError(f"{path}: {label}has no id")
    if not isinstance(entry.get("start", {}), dict):
        raise ScenarioError(f"{path}: {label}start is {show(entry['start'])}; it maps field names to values")
    try:
        return Task(**entry)
    except (ScenarioError, TypeError) as problem:
        raise ScenarioError(f"{path}: {problem}") from None


def _agent(path: Path, given: Any) -> SeededAgent:
    if not isinstance(given, dict):
        raise ScenarioError(f"{path}: agent is {show(given)}; it is a table of the seeded agent's settings")
    _known(path, "agent: ", given, OF_AGENT)
    if missing := [name for name in NEEDED if name not in given]:
        raise ScenarioError(f"{path}: agent: has no {' and no '.join(missing)}")
    tokens = given.get("tokens", {})
    costs = tuple(Tokens.__dataclass_fields__)
    if not isinstance(tokens, dict) or not all(isinstance(cost, int) for cost in tokens.values()):
        raise ScenarioError(f"{path}: agent: tokens is {show(tokens)}; it maps {', '.join(costs)} to whole numbers")
    _known(path, "agent: tokens: ", tokens, costs)
    try:
        return SeededAgent(**{**given, "tokens": Tokens(**tokens)})
    except ScenarioError as problem:
        raise ScenarioError(f"{path}: {problem}") from None


def _known(path: Path, label: str, given: dict[str, Any], keys: tuple[str, ...]) -> None:
    for key in given:
        if key not in keys:
            raise ScenarioError(f"{path}: {label}{unknown('key', key, keys)}")
