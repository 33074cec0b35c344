"""Checking tables: every declaration read, and its function probed where it may be called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from toolbench.checking.behaviour import behaviour
from toolbench.checking.finding import ERROR, Finding, in_order
from toolbench.checking.nodes import at_field
from toolbench.checking.reading import of_suite, read
from toolbench.checking.sampling import known_values
from toolbench.checking.tried import Tried
from toolbench.code_text import alike
from toolbench.counting import counted
from toolbench.execution.work import Executor, Work
from toolbench.mutation.defect import NONE
from toolbench.outcome import DIED, TIMEOUT
from toolbench.probing.checked import Checked, NotProbed
from toolbench.probing.making import ENOUGH, Making
from toolbench.probing.rounds import first_round, repeat, vary
from toolbench.probing.subject import Subject, subject_of
from toolbench.scenario import Scenario
from toolbench.tools import Tool
from toolbench.values import canonical

UNANSWERED = "no call that its declaration admits was answered, so nothing is said of unused fields"
DRAWN = 8
DRAWING = 15.0  # seconds for a schema; no tool runs, and Hypothesis is loaded meanwhile


class Checking:
    """Checks some tools of some tables; what has to be drawn is under way as soon as it is made.

    tools: which tools of which table (see `mutation.engine.Tables`), `none` among them. probe_all: call also what may
    have effects.
    """

    def __init__(
        self, scenario: Scenario, tools: Mapping[str, Iterable[Tool]], pool: Executor, *, probe_all: bool = False
    ):
        self._scenario, self._tables, self._pool = scenario, list(tools), pool
        self._subjects = [
            subject_of(scenario, table, tool, probe_all=probe_all) for table, every in tools.items() for tool in every
        ]
        clean = {one.tool.name: one for one in self._subjects if one.table == NONE}
        for subject in self._subjects:
            other = clean.get(subject.tool.name)
            if subject.table != NONE and other is not None:
                subject.model = other if subject.like(other) else None
                subject.spared = alike(subject.tool.function, other.tool.function)
        own = [one for one in self._subjects if one.model is None and one.probed and one.declaration.fields]
        self._schemas = {canonical(one.declaration.schema): one.declaration.schema for one in own}
        work = Work(NONE, "draws", list(self._schemas.values()), given=DRAWN, deadline=DRAWING)
        self._drawing = pool.submit(work) if self._schemas else None

    def bases(self) -> tuple[dict[str, list[Tried]], dict[str, str]]:
        """The calls of the defect-free table's tools that their declarations admit, by tool, and why others have none;
        waits until they are made."""
        self._first_round()
        clean = [one for one in self._subjects if one.table == NONE]
        tried = {one.tool.name: one.bases for one in clean if one.bases}
        return tried, {one.tool.name: one.reason for one in clean if not one.bases}

    def results(self) -> dict[str, Checked]:
        """What was found, by table; waits until it is."""
        own, made = self._first_round()
        vary([subject for subject in own if subject.probed], made)
        repeat([one for one in self._subjects if one.model is not None], made)
        return {
            table: _checked(self._scenario, [one for one in self._subjects if one.table == table], made)
            for table in self._tables
        }

    def _first_round(self) -> tuple[list[Subject], Making]:
        known = known_values(self._scenario)
        drawn = {} if self._drawing is None else dict(zip(self._schemas, self._drawing.result().rows, strict=True))
        own = [one for one in self._subjects if one.model is None and one.probed]
        for subject in own:
            subject.take(drawn.get(canonical(subject.declaration.schema)), known)
        made = Making(self._pool, self._tables)
        first_round(own, known, made)
        return own, made


def _disproved(finding: Finding, subject: Subject) -> bool:
    """Whether an answered call says otherwise than the signature: a decorator may take or give arguments of its own."""
    answered = [one.probe.arguments for one in (*subject.bases, *subject.variations) if one.seen.ok]
    sent = [finding.pointer in map(at_field, arguments) for arguments in answered]
    if finding.code == "required-but-supplied":
        return bool(subject.chosen)  # calls tell better whether the function does without a field
    if finding.code == "undeclared-parameter":
        return finding.severity == ERROR and bool(answered)
    if finding.code == "unknown-field":
        return any(sent)
    return finding.code == "optional-but-needed" and not all(sent)


def _left_out(subject: Subject, made: Making) -> list[str]:
    """Why a tool was not probed, or not wholly."""
    if subject.reason:
        return [subject.reason]
    left = list(subject.partly)
    if skipped := made.skipped[subject.table, subject.tool.name]:
        left.append(f"{counted(skipped, 'call')} not made, since {ENOUGH} did not come back")
    if not subject.chosen and subject.declaration.fields:
        left.append(UNANSWERED)
    return left


def _checked(scenario: Scenario, subjects: Sequence[Subject], made: Making) -> Checked:
    findings: list[Finding] = []
    not_probed: list[NotProbed] = []
    for subject in subjects:
        said = [*read(subject.declaration, subject.source), *of_suite(subject.declaration, scenario)]
        if subject.probed:
            said = [one for one in said if not _disproved(one, subject)]
            said += behaviour(subject.seen(restorable=scenario.restorable))
        findings += said
        not_probed += [NotProbed(subject.tool.name, reason) for reason in dict.fromkeys(_left_out(subject, made))]
    hits, missed = made.landed[subjects[0].table] if subjects else (0, "")
    kinds = [one.seen.kind for subject in subjects for one in (*subject.bases, *subject.variations)]
    return Checked(
        in_order(findings, scenario.table),
        tuple(not_probed),
        probes=len(kinds),
        timeouts=kinds.count(TIMEOUT),
        died=kinds.count(DIED),
        hits=hits,
        missed=missed,
    )
