"""Judging: what layers saw of each defect's table -> verdicts, one for each rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from toolbench.execution.work import Observation
from toolbench.layers.all import LAYERS
from toolbench.mutation.defect import NONE, Planted
from toolbench.mutation.operator import Landing
from toolbench.probing.checked import Checked
from toolbench.rules import (
    ANY_FAILURE,
    BAND,
    EXACT,
    LOOP_RULES,
    MISSED,
    NEARLY_NOTHING,
    NEW_FINDING,
    NOT_MEASURED,
    PAIRED,
    SHOWN,
    Judgement,
    any_failure,
    band,
    exact,
    invisible,
    never,
    new_finding,
    paired,
)
from toolbench.scenario import Scenario
from toolbench.statistics import holm, mcnemar
from toolbench.verdict import LeftOut, Verdict

if TYPE_CHECKING:
    from toolbench.agent.side_by_side import Comparison
    from toolbench.loop import Loop


@dataclass(frozen=True)
class Seen:
    """What was seen of all tables: by the tool layer, by the definition layer, by the loop (None where it did not
    run), and for each table whether its defect found what it changes."""

    suites: Mapping[str, Observation]
    checks: Mapping[str, Checked]
    loop: Loop | None
    landings: Mapping[str, Landing]


def rules_of(layer: str) -> tuple[str, ...]:
    """The rules by which a layer's observations are judged."""
    return LOOP_RULES if layer == "loop" else (NEW_FINDING,) if layer == "definition" else (ANY_FAILURE,)


def verdicts(scenario: Scenario, planted: Sequence[Planted], layers: Sequence[str], seen: Seen) -> list[Verdict]:
    """Every verdict: defect by defect, layer by layer, rule by rule."""
    said: list[Verdict] = []
    unfit = {(it.defect.id, layer): _unfit(scenario, it, layer, seen) for it in planted for layer in layers}
    judged = [it.defect.id for it in planted if "loop" in layers and unfit[it.defect.id, "loop"] is None]
    p_values = _p_values(judged, seen.loop)
    for it in planted:
        name = it.defect.id
        for layer in layers:
            for rule in rules_of(layer):
                reason = unfit[name, layer]
                if reason is not None:
                    judgement = Judgement(NOT_MEASURED, reason)
                elif layer == "loop":
                    assert seen.loop is not None
                    judgement = _of_loop(rule, name, seen.loop, p_values)
                elif layer == "definition":
                    judgement = _of_check(seen.checks[name], seen.checks[NONE])
                else:
                    judgement = _of_suite(it, seen.suites[name])
                said.append(Verdict(name, layer, rule, judgement.verdict, judgement.reason, judgement.evidence))
    return said


def left_out(verdicts: Sequence[Verdict], chosen: Mapping[str, str]) -> list[LeftOut]:
    """The verdicts that are none, by the chosen rule of each layer, with their number and reason."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for verdict in verdicts:
        if verdict.verdict == NOT_MEASURED and verdict.rule == chosen[verdict.layer]:
            reasons.setdefault((verdict.layer, verdict.reason), []).append(verdict.defect)
    return [
        LeftOut(f"{layer} verdicts", len(ids), f"{', '.join(ids)}: {reason}")
        for (layer, reason), ids in reasons.items()
    ]


def _unfit(scenario: Scenario, planted: Planted, layer: str, seen: Seen) -> str | None:
    """Why a layer can say nothing of a defect, whatever the rule."""
    if planted.table is None:
        return f"could not be applied: {planted.reason}"
    if planted.equivalent:
        return "equivalent: the same code and the same declaration as the original"
    lack = LAYERS[layer].lack(scenario)
    if lack is not None:
        return lack
    reason = seen.landings[planted.defect.id].reason()
    return None if reason is None else f"never took effect: {reason}"


def _of_suite(planted: Planted, observation: Observation) -> Judgement:
    judgement = any_failure(observation.rows)
    if judgement.verdict == MISSED and planted.defect.class_ == "definition":
        return replace(judgement, reason=f"{judgement.reason}; a direct call never looks at the declaration")
    return judgement


def _of_check(checked: Checked, clean: Checked) -> Judgement:
    judgement = new_finding(checked.findings, clean.findings)
    if judgement.verdict == MISSED and checked.not_probed:
        left = "; ".join(dict.fromkeys(one.reason for one in checked.not_probed))
        return replace(judgement, reason=f"{judgement.reason}; not all of it was probed: {left}")
    return judgement


def _p_values(names: Sequence[str], loop: Loop | None) -> dict[str, tuple[float | None, float | None]]:
    """Defect -> McNemar's p and what Holm's correction over the defects of this report makes of it."""
    if loop is None:
        return {}
    tallies = [loop.all.tallies[name] for name in names]
    single = [mcnemar(sum(tally.newly_failing), sum(tally.newly_passing)) for tally in tallies]
    return dict(zip(names, zip(single, holm(single), strict=True), strict=True))


def _of_loop(rule: str, name: str, loop: Loop, p_values: Mapping[str, tuple[float | None, float | None]]) -> Judgement:
    if rule == EXACT:
        return _exactly(name, loop)
    tally = loop.all.tallies[name]
    if rule == BAND:
        judgement = band(tally, loop.all.band.width, list(islice(loop.pairs(name), SHOWN)))
    else:
        assert rule == PAIRED
        judgement = paired(tally, *p_values[name])
    if judgement.verdict == MISSED and (compared := _if_as_likely(name, loop)) and invisible(compared):
        return replace(judgement, reason=f"{judgement.reason}; {never(compared)}")
    return judgement


def _exactly(name: str, loop: Loop) -> Judgement:
    for table in (NONE, name):
        if table in loop.inexact:
            what = "the defect-free table" if table == NONE else "the table"
            return Judgement(NOT_MEASURED, f"what {what} comes to over all seeds is unknown: {loop.inexact[table]}")
    success, clean = ([one.success for one in loop.exact[table]] for table in (name, NONE))
    return exact(success, clean, _if_as_likely(name, loop))


def _if_as_likely(name: str, loop: Loop) -> Sequence[Comparison] | None:
    """The comparison with the defect-free table where success is as likely, task by task: only then is it needed."""
    if name not in loop.exact or NONE not in loop.exact:
        return None
    pairs = zip(loop.exact[name], loop.exact[NONE], strict=True)
    alike = all(abs(one.success - other.success) < NEARLY_NOTHING for one, other in pairs)
    return loop.compared(name) if alike else None
