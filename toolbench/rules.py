"""The judges: a rule compares what a layer saw of a table with what it saw of the defect-free one.

The loop has three. *Band* asks whether a defect is worse than seeds are different, *paired* whether it is worse at the
same seeds than chance would have it, *exact* whether it is worse over all seeds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from toolbench.counting import counted
from toolbench.power import SIGNIFICANCE
from toolbench.statistics import clustered_interval, mean_interval

if TYPE_CHECKING:
    from toolbench.agent.side_by_side import Comparison
    from toolbench.checking.finding import Finding
    from toolbench.tally import Tally

Row = Mapping[str, Any]

CAUGHT, MISSED, NOT_MEASURED = "caught", "missed", "not measured"
ANY_FAILURE, NEW_FINDING, BAND, PAIRED, EXACT = "any failure", "new finding", "band", "paired", "exact"
LOOP_RULES = (BAND, PAIRED, EXACT)
SHOWN = 50
NEARLY_NOTHING = 1e-9  # a difference that the rounding of sums could make


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


def new_finding(findings: Sequence[Finding], clean: Sequence[Finding]) -> Judgement:
    """Caught by any finding from warning up, by code, tool and place, that the defect-free table does not have."""
    known = {finding.key for finding in clean if finding.counts}
    new = [finding for finding in findings if finding.counts and finding.key not in known]
    evidence = {"findings": [asdict(finding) for finding in new[:SHOWN]]}
    if not new:
        return Judgement(MISSED, "no finding from warning up that the defect-free table does not have", evidence)
    more = f", and {len(new) - 1} more" if len(new) > 1 else ""
    first = f"{new[0].code} at {new[0].pointer or '/'}: {new[0].seen}"
    return Judgement(CAUGHT, f"{counted(len(new), 'new finding')}: {first}{more}", evidence)


def band(tally: Tally, width: int | None, pairs: Sequence[Row] = ()) -> Judgement:
    """Caught when at every seed more tasks fail than in the defect-free run at that seed, by more than the band.

    width: the band, None where one seed has none. pairs: seed by seed what newly fails and passes, as evidence.
    """
    evidence = {"band": width, "seeds": tally.seeds, "paired": list(pairs[:SHOWN]), "ended": list(tally.ended[:SHOWN])}
    number, ended = counted(tally.seeds, "seed"), _ended(tally)
    if width is None:
        reason = f"one seed has no band to compare with; give two seeds or more{ended}"
        return Judgement(NOT_MEASURED, reason, evidence)
    least = min(tally.excess)
    if least > width:
        reason = f"fails at least {counted(least, 'task')} more than the defect-free run at each seed ({number})"
        return Judgement(CAUGHT, f"{reason}; the band is {width}{ended}", evidence)
    if not any(tally.newly_failing) and not any(tally.newly_passing):
        return Judgement(
            MISSED, f"fails the same tasks as the defect-free run at each seed ({number}){ended}", evidence
        )
    inside = {more: excess for more, excess in tally.excess.items() if more <= width}
    times = sum(excess.count for excess in inside.values())
    more, first = min(inside.items(), key=lambda item: item[1].at)
    example = f"{counted(first.failing, 'task')} and the defect-free run {first.failing - more}"
    reason = f"inside the band at {times} of {number}: at {first.seed} it fails {example}"
    return Judgement(MISSED, f"{reason}; the band is {width}{ended}", evidence)


def paired(tally: Tally, p_value: float | None, adjusted: float | None) -> Judgement:
    """Caught when McNemar's exact p over all pairs of episodes, adjusted by Holm's method over the defects of the
    report, is below 0.05 and more tasks newly fail than newly pass.

    The interval is that of the mean over seeds, with the tasks as they are; the one clustered by task answers another
    question: would other tasks show it too? Differences are of the share of success, below 0 where it got worse.
    """
    tasks = len(tally.failing)
    failing, passing = sum(tally.newly_failing), sum(tally.newly_passing)
    over_seeds = mean_interval(tally.seeds, *tally.differences(), scale=tasks)
    changes = [more - less for less, more in zip(tally.newly_failing, tally.newly_passing, strict=True)]
    over_tasks = clustered_interval(changes, tally.seeds)
    evidence = {
        "newly_failing": failing,
        "newly_passing": passing,
        "pairs": tally.seeds * tasks,
        "p_value": p_value,
        "adjusted": adjusted,
        "difference": over_seeds.value,
        "low": over_seeds.interval and max(-1.0, over_seeds.interval.low),  # a share differs by no more than 1
        "high": over_seeds.interval and min(1.0, over_seeds.interval.high),
        "low_other_tasks": over_tasks.interval and max(-1.0, over_tasks.interval.low),
        "high_other_tasks": over_tasks.interval and min(1.0, over_tasks.interval.high),
        "ended": list(tally.ended[:SHOWN]),
    }
    pairs = f"of {tally.seeds * tasks:,} pairs {failing:,} newly fail and {passing:,} newly pass"
    if adjusted is None:
        return Judgement(MISSED, f"{pairs}{_ended(tally)}", evidence)
    told = f"{pairs}; p {adjusted:.2g} after Holm's correction{_ended(tally)}"
    caught = adjusted < SIGNIFICANCE and failing > passing
    return Judgement(CAUGHT if caught else MISSED, told, evidence)


def exact(success: Sequence[float], clean: Sequence[float], compared: Sequence[Comparison] | None) -> Judgement:
    """Caught when a run over all tasks is expected to succeed less often, over all seeds.

    success, clean: per task, the probability of success with the defect and without. compared: the tables walked side
    by side, where that could be done.
    """
    with_it, without = sum(success) / len(success), sum(clean) / len(clean)
    difference = with_it - without
    evidence: dict[str, Any] = {"success": with_it, "defect_free": without, "difference": difference}
    if compared is not None:
        evidence |= {"states": sum(one.pairs for one in compared), "invisible": all(one.invisible for one in compared)}
        evidence["tasks"] = [asdict(one) for one in compared]
        if invisible(compared):
            evidence["difference"] = 0.0
            return Judgement(MISSED, never(compared), evidence)
        difference = sum(one.newly_passing - one.newly_failing for one in compared) / len(compared)
    told = f"expected success {with_it:.6f}, defect-free {without:.6f}"
    if difference < -NEARLY_NOTHING:
        return Judgement(CAUGHT, f"{told}: {-difference:.6f} lower", evidence)
    if difference > NEARLY_NOTHING:
        return Judgement(MISSED, f"{told}: {difference:.6f} higher", evidence)
    return Judgement(MISSED, f"{told}: as likely over all seeds, though single seeds differ", evidence)


def invisible(compared: Sequence[Comparison]) -> bool:
    """Whether no seed can show a defect to a check of right or wrong answers."""
    return all(one.invisible for one in compared)


def never(compared: Sequence[Comparison]) -> str:
    """Why no seed can show it, and what else could differ."""
    states, tasks = sum(one.pairs for one in compared), len(compared)
    differing = [
        what
        for what, does in (
            ("some wrong answers are others", any(one.other_answers > 0 for one in compared)),
            ("errors can differ", any(one.errors for one in compared)),
            ("steps can differ", any(one.effort for one in compared)),
        )
        if does
    ]
    said = "; ".join(differing) or "nothing else can differ either"
    proof = f"{states:,} states compared, none of {counted(tasks, 'task')} can end differently right or wrong"
    return f"no seed can show it to this check: {proof}; {said}"


def _ended(tally: Tally) -> str:
    if not tally.costs["broken"]:
        return ""
    first = tally.ended[0]
    example = f"{first['task']} at {first['seed']}: {first['why']}"
    return f"; {counted(tally.costs['broken'], 'episode')} did not come to an end, the first {example}"
