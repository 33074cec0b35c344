"""The judges: a rule compares what a layer saw of a table with what it saw of the defect-free one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolbench.outcome import OK

Row = Mapping[str, Any]

CAUGHT, MISSED, NOT_MEASURED = "caught", "missed", "not measured"
ANY_FAILURE, BAND = "any failure", "band"
SHOWN = 50


@dataclass(frozen=True)
class Judgement:
    """What a rule says: caught, missed or not measured, why in a sentence, and what it rests on."""

    verdict: str
    reason: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


def any_failure(rows: Sequence[Row]) -> Judgement:
    """Caught when any case fails; the defect-free table fails none, or there would be no rate."""
    failing = [row for row in rows if not row["passed"]]
    evidence = {"cases": len(rows), "failing": [{key: row[key] for key in ("case", "kind", "why")} for row in failing]}
    number = counted(len(rows), "case")
    if not rows:
        return Judgement(NOT_MEASURED, "no case ran", evidence)
    if not failing:
        return Judgement(MISSED, f"all {number} pass" if len(rows) > 1 else "the only case passes", evidence)
    verb, more = ("fails", "") if len(failing) == 1 else ("fail", f", and {len(failing) - 1} more")
    first = f"{failing[0]['case']}: {failing[0]['why']}"
    return Judgement(CAUGHT, f"{len(failing)} of {number} {verb}: {first}{more}", evidence)


def failing_tasks(rows: Iterable[Row]) -> dict[int, list[str]]:
    """The failing tasks of each seed, in the order in which they ran."""
    failing: dict[int, list[str]] = {}
    for row in rows:
        tasks = failing.setdefault(row["seed"], [])
        if not row["succeeded"]:
            tasks.append(row["task"])
    return failing


def band_width(failing: Mapping[int, Iterable[str]]) -> int | None:
    """How far defect-free runs differ, in tasks: the most that one seed's run fails and another's passes.

    Over all ordered pairs of seeds; None with one seed, which has nothing to differ from.

    >>> band_width({1: ["a", "b"], 2: ["b"], 3: []})
    2
    """
    if len(failing) < 2:
        return None
    names: dict[str, int] = {}
    runs = {sum(1 << names.setdefault(task, len(names)) for task in set(tasks)) for tasks in failing.values()}
    ordered, widest = sorted(runs, key=int.bit_count, reverse=True), 0
    for run in ordered:
        if run.bit_count() <= widest:  # no pair from here on can be wider
            break
        widest = max(widest, max((run & ~other).bit_count() for other in ordered))
    return widest


def ended_episodes(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The episodes that did not come to their end: hung, died, or given up by an agent that crashed."""
    return [{key: row[key] for key in ("task", "seed", "kind", "why")} for row in rows if row["kind"] != OK]


def paired(rows: Sequence[Row], clean: Sequence[Row]) -> list[dict[str, Any]]:
    """Seed by seed: the failing tasks, and those that newly fail and newly pass against the defect-free run."""
    with_defect, without = failing_tasks(rows), failing_tasks(clean)
    pairs = []
    for seed, failing in with_defect.items():
        before, after = set(without[seed]), set(failing)
        pairs.append(
            {
                "seed": seed,
                "failing": len(failing),
                "defect_free": len(before),
                "newly_failing": [task for task in failing if task not in before],
                "newly_passing": [task for task in without[seed] if task not in after],
            }
        )
    return pairs


def band(rows: Sequence[Row], clean: Sequence[Row]) -> Judgement:
    """Caught when at every seed more tasks fail than in the defect-free run at that seed, by more than the band."""
    width = band_width(failing_tasks(clean))
    pairs = paired(rows, clean)
    ended = ended_episodes(rows)
    evidence = {"band": width, "seeds": len(pairs), "paired": pairs[:SHOWN], "ended": ended[:SHOWN]}
    if width is None:
        reason = f"one seed has no band to compare with; give two seeds or more{_first(ended)}"
        return Judgement(NOT_MEASURED, reason, evidence)
    number = counted(len(pairs), "seed")
    more = [pair["failing"] - pair["defect_free"] for pair in pairs]
    if min(more) > width:
        reason = f"fails at least {counted(min(more), 'task')} more than the defect-free run at each seed ({number})"
        return Judgement(CAUGHT, f"{reason}; the band is {width}{_first(ended)}", evidence)
    if not any(pair["newly_failing"] or pair["newly_passing"] for pair in pairs):
        reason = f"fails the same tasks as the defect-free run at each seed ({number}){_first(ended)}"
        return Judgement(MISSED, reason, evidence)
    inside = [pair for pair, excess in zip(pairs, more, strict=True) if excess <= width]
    example = f"{counted(inside[0]['failing'], 'task')} and the defect-free run {inside[0]['defect_free']}"
    reason = f"inside the band at {len(inside)} of {number}: at {inside[0]['seed']} it fails {example}"
    return Judgement(MISSED, f"{reason}; the band is {width}{_first(ended)}", evidence)


def _first(ended: Sequence[Row]) -> str:
    if not ended:
        return ""
    example = f"{ended[0]['task']} at {ended[0]['seed']}: {ended[0]['why']}"
    return f"; {counted(len(ended), 'episode')} did not come to an end, the first {example}"


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "seed"), counted(2, "seed")
    ('1 seed', '2 seeds')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"
