"""Sums over rows: what a table comes to at a seed, and how defect-free runs differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from toolbench.outcome import DIED, TIMEOUT

Row = dict[str, Any]


def success_of(table: str, seed: int, episodes: Sequence[Mapping[str, Any]]) -> Row:
    """The row of one table at one seed: how many tasks succeeded, which fail, and what it cost."""
    succeeded = sum(episode["succeeded"] for episode in episodes)
    sums = {key: sum(e[key] for e in episodes) for key in ("steps", "tokens", "errors", "approvals", "done")}
    failing = [episode["task"] for episode in episodes if not episode["succeeded"]]
    return {
        "table": table,
        "seed": seed,
        "succeeded": succeeded,
        "tasks": len(episodes),
        "share": succeeded / len(episodes),
        "failing": failing,
        **sums,
        **ended(episodes),
    }


def ended(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many cases or episodes were ended by their deadline, and how many with their process."""
    kinds = [row["kind"] for row in rows]
    return {"timeouts": kinds.count(TIMEOUT), "died": kinds.count(DIED)}


def band_of(layer: str, unit: str, of: int, runs: str, failing: Sequence[set[str]], band: int | None) -> Row:
    """The row of one layer: how many units (of `of`) its defect-free runs fail, and how far they differ."""
    counts = [len(run) for run in failing]
    return {
        "layer": layer,
        "runs": runs,
        "unit": unit,
        "of": of,
        "fewest": min(counts),
        "most": max(counts),
        "band": band,
    }
