"""Calls that a server answered, as cases that somebody has yet to confirm.

Called are only tools that may be: those that change nothing, and all of a server whose directory can be put back.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from json import dumps
from typing import Any

from toolbench.cases import Case
from toolbench.checking.tried import Tried
from toolbench.execution.pool import Pool
from toolbench.mutation.defect import NONE
from toolbench.mutation.engine import Tables
from toolbench.outcome import ERROR, OK, Outcome
from toolbench.probing.tables import Checking
from toolbench.scenario import Scenario
from toolbench.servers.answers import masked
from toolbench.values import equal

MOST_ANSWERED, MOST_REFUSED = 2, 1
APART = 1.1  # seconds between a call and its repetition, in which a clock goes on
LONGEST = 4000  # characters of an answer that is worth keeping


@dataclass(frozen=True)
class Recorded:
    """What was recorded of a server: cases, the names of fields that differ from call to call, and why tools have no
    case."""

    cases: tuple[Case, ...]
    varying: tuple[str, ...]
    without: dict[str, str]


def record(scenario: Scenario) -> Recorded:
    """Call what may be called with arguments that the declarations admit, twice each, and keep what was the same."""
    assert scenario.server is not None
    with scenario.server.running():
        with Pool(Tables(scenario)) as pool:
            tried, left = Checking(scenario, {NONE: list(scenario.table.values())}, pool).bases()
        chosen = [(name, one) for name, bases in tried.items() for one in _chosen(bases)]
        begun = time.monotonic()
        once = [_called(scenario, name, one) for name, one in chosen]
        time.sleep(max(0.0, begun + APART - time.monotonic()))
        again = [_called(scenario, name, one) for name, one in chosen]
        found = [(*pair, first, second) for pair, first, second in zip(chosen, once, again, strict=True)]
    varying = sorted({field for _, _, one, other in found for field in _differing(one.value, other.value, "")})
    cases: list[Case] = []
    without = dict(left)
    for name, tool, first, second in found:
        number = sum(case.tool == name for case in cases) + 1
        case = _case(f"{name} {number}", name, tool.probe.arguments, first, second, varying)
        if case is not None:
            cases.append(case)
    for name in tried:
        if not any(case.tool == name for case in cases):
            without.setdefault(name, "no call was answered twice in the same way")
    return Recorded(tuple(cases), tuple(varying), without)


def _called(scenario: Scenario, name: str, one: Tried) -> Outcome:
    return scenario.table.call(name, one.probe.arguments, scenario.fresh_world())


def _chosen(bases: Sequence[Tried]) -> Iterator[Tried]:
    """The fewest arguments that are answered, the longest answer that is not too long, and a refusal."""
    answered = sorted((one for one in bases if one.seen.ok and one.seen.size < LONGEST), key=lambda one: one.probe.size)
    some = answered[:1]
    rest = [one for one in answered[1:] if all(one.seen.answer != kept.seen.answer for kept in some)]
    some += sorted(rest, key=lambda one: (-one.seen.size, one.probe.size))[: MOST_ANSWERED - 1]
    refused = sorted((one for one in bases if one.seen.kind == ERROR), key=lambda one: one.probe.size)
    return iter([*some, *refused[:MOST_REFUSED]])


def _case(
    name: str, tool: str, arguments: dict[str, Any], one: Outcome, other: Outcome, varying: Sequence[str]
) -> Case | None:
    if one.kind != other.kind or one.kind not in (OK, ERROR):
        return None
    if one.kind == ERROR:
        return Case(id=f"{name} refused", tool=tool, arguments=arguments, error=True, confirmed=False,
                    why=one.message.strip().split("\n")[0][:200])  # fmt: skip
    first, second = masked(one.value, varying), masked(other.value, varying)
    if not equal(first, second):
        return None
    output = {key: value for key, value in first.items() if key not in varying} if isinstance(first, dict) else first
    if output == {} or len(dumps(output)) > LONGEST:
        return None
    return Case(id=name, tool=tool, arguments=arguments, output=output, confirmed=False)


def _differing(one: Any, other: Any, name: str) -> Iterator[str]:
    """The names of fields, at any depth, whose values differ and are no texts of a whole answer."""
    if isinstance(one, dict) and isinstance(other, dict) and set(one) == set(other):
        for key in one:
            yield from _differing(one[key], other[key], key)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for mine, its in zip(one, other, strict=True):
            yield from _differing(mine, its, name)
    elif name not in ("", "text") and not equal(one, other):
        yield name
