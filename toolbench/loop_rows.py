"""What the loop saw, as rows for tables: by seed, over seeds, as seeds grow in number, rule by rule, over all seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from toolbench.agent.runs import exceeding
from toolbench.mutation.defect import NONE, Defect
from toolbench.rules import BAND, EXACT, NOT_MEASURED, PAIRED
from toolbench.statistics import mean_interval, pass_at, pass_hat, percentile_of, wilson
from toolbench.verdict import Verdict

if TYPE_CHECKING:
    from toolbench.agent.exact import Exact
    from toolbench.loop import Loop

Row = dict[str, Any]
UNSAID = ("calls", "broken")  # costs that stand elsewhere
FIGURES = ("newly_failing", "newly_passing", "pairs", "p_value", "adjusted", "difference", "low", "high",
           "low_other_tasks", "high_other_tasks")  # fmt: skip


def success_rows(loop: Loop | None) -> list[Row]:
    """Per table and seed, or per table where what each seed gave is not kept."""
    if loop is None:
        return []
    if loop.episodes:
        return [row for table in loop.all.tallies for row in _by_seed(loop, table)]
    return [_over_seeds(loop, table) for table in loop.all.tallies]


def _by_seed(loop: Loop, table: str) -> Iterator[Row]:
    seen, tasks = loop.episodes[table], len(loop.tasks)
    for index, seed in enumerate(seen.seeds):
        failing = loop.names(seen.failing[index])
        succeeded = tasks - len(failing)
        yield {
            "table": table,
            "seed": int(seed),
            "succeeded": succeeded,
            "tasks": tasks,
            "share": succeeded / tasks,
            "failing": failing,
            **{name: int(array[index]) for name, array in seen.costs.items() if name not in UNSAID},
        }


def _over_seeds(loop: Loop, table: str) -> Row:
    """`tasks` counts each task once for each seed; `failing`: task -> at how many seeds it fails; low and high:
    Wilson's interval of the share, with episodes as independent draws."""
    tally, tasks = loop.all.tallies[table], len(loop.tasks)
    share = tally.succeeded / (tasks * tally.seeds)
    interval = wilson(tally.succeeded, tasks * tally.seeds)
    return {
        "table": table,
        "seed": None,
        "seeds": tally.seeds,
        "succeeded": tally.succeeded,
        "tasks": tasks * tally.seeds,
        "share": share,
        "minimum": (tasks - tally.most) / tasks,
        "mean": share,
        "maximum": (tasks - tally.fewest) / tasks,
        "low": interval and interval.low,
        "high": interval and interval.high,
        "failing": loop.times(tally.failing),
        **{name: number for name, number in tally.costs.items() if name not in UNSAID},
    }


def newly_rows(loop: Loop | None) -> list[Row]:
    """Per defect, over all seeds: how often each task newly fails and newly passes."""
    return [] if loop is None else [
        {
            "defect": table,
            "newly_failing": loop.times(tally.newly_failing),
            "newly_passing": loop.times(tally.newly_passing),
        }
        for table, tally in loop.all.tallies.items()
        if table != NONE
    ]  # fmt: skip


def paired_rows(loop: Loop | None) -> list[Row]:
    """Per defect and seed, where kept: the tasks that newly fail and newly pass against the defect-free run."""
    return [] if loop is None else [
        {"defect": table, **pair} for table in loop.all.tallies if table != NONE for pair in loop.pairs(table)
    ]  # fmt: skip


def growth_rows(loop: Loop | None) -> list[Row]:
    """Per table and round number of seeds: success up to there, the defect-free band, the mean difference to the
    defect-free runs with its interval."""
    return [] if loop is None else [
        {
            "table": table,
            "seeds": tally.seeds,
            "share": tally.succeeded / (len(loop.tasks) * tally.seeds),
            "band": part.band.width,
            **_difference(tally.seeds, tally.differences(), len(loop.tasks), table),
        }
        for part in loop.growth
        for table, tally in part.tallies.items()
    ]  # fmt: skip


def _difference(seeds: int, sums: tuple[int, int], tasks: int, table: str) -> Row:
    mean = mean_interval(seeds, *sums, scale=tasks)
    if table == NONE or mean.value is None:
        return {"difference": None, "low": None, "high": None}
    interval = mean.interval
    return {
        "difference": mean.value,
        "low": None if interval is None else max(-1.0, interval.low),
        "high": None if interval is None else min(1.0, interval.high),
    }


def rule_rows(defects: Sequence[Defect], verdicts: Sequence[Verdict], loop: Loop | None) -> list[Row]:
    """Per defect: its verdict by each rule, the pairs with p and interval, the exact difference, the seeds needed."""
    by_rule = {(verdict.defect, verdict.rule): verdict for verdict in verdicts if verdict.layer == "loop"}
    rows = []
    for defect in defects:
        band, paired, exact = (by_rule[defect.id, rule] for rule in (BAND, PAIRED, EXACT))
        measured = exact.verdict != NOT_MEASURED
        rows.append(
            {
                "defect": defect.id,
                "band": band.verdict,
                "paired": paired.verdict,
                "exact": exact.verdict,
                **{key: paired.evidence.get(key) for key in FIGURES},
                "success": exact.evidence.get("success"),
                "exact_difference": exact.evidence.get("difference"),
                "invisible": exact.evidence.get("invisible", False) if measured else None,
                "states": exact.evidence.get("states"),
                "comparable": measured and loop is not None and loop.compared(defect.id) is not None,
                "seeds_needed": loop.seeds_needed(defect.id) if loop is not None and measured else None,
            }
        )
    return rows


def exact_rows(loop: Loop | None) -> list[Row]:
    """Per table and task: what its episodes come to over all seeds, where the table has machines."""
    return [] if loop is None else [
        {"table": table, "task": task, **_means(one)}
        for table, several in loop.exact.items()
        for task, one in zip(loop.tasks, several, strict=True)
    ]  # fmt: skip


def _means(one: Exact) -> Row:
    means = {
        name: sum(value * probability for value, probability in getattr(one, name).items())
        for name in ("steps", "tokens", "errors")
    }
    return {"success": one.success, "done": one.done, **means, "tokens_95": percentile_of(one.tokens, 95)}


def reliability_rows(loop: Loop | None) -> list[Row]:
    """Per table and k: pass@k and pass^k, from the seeds that were run, averaged over tasks; None where k is more."""
    rows: list[Row] = []
    for table, tally in ({} if loop is None else loop.all.tallies).items():
        passed = [tally.seeds - failed for failed in tally.failing]
        for k in (1, 2, 5, 10):
            at = [pass_at(k, tally.seeds, number) for number in passed]
            hat = [pass_hat(k, tally.seeds, number) for number in passed]
            rows.append({"table": table, "k": k, "pass_at_k": _mean(at), "pass_hat_k": _mean(hat)})
    return rows


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def run_rows(loop: Loop | None) -> list[Row]:
    """Per table and number: how likely a run over all tasks fails more tasks than that, over all seeds."""
    return [] if loop is None else [
        {"table": table, "number": number, "fails_more": chance}
        for table, several in loop.exact.items()
        for number, chance in enumerate(exceeding([one.success for one in several]))
    ]  # fmt: skip
