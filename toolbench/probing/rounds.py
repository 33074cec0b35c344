"""The rounds of probes, and what is planned for each.

Argument sets that the declaration admits; changes of those that were answered, and sequences for those that were not;
changes of the sequences; and what seems to be unused, beside other values. The first round is made twice, the second
time in reverse order and in another process: a tool that answers differently then keeps a memory of its own, and is
probed again with a process for each call; one that still does is not probed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from toolbench.checking.harvest import in_turns
from toolbench.checking.probes import chosen_bases, sequences, thinned, variations
from toolbench.checking.sampling import Known, assembled, distinct, near
from toolbench.checking.tried import AGAIN, BASE, BESIDE, WITH, Probe, Tried
from toolbench.outcome import SKIPPED
from toolbench.probing.making import Making
from toolbench.probing.subject import Subject
from toolbench.values import equal

MOST_OPENERS = 12
MOST_CONFIRMED = 24
MOST_BESIDE = 6
ENOUGH_ANSWERED = 3
EVERY = 3  # of a server's calls, so many once for one that is made again


def first_round(subjects: Sequence[Subject], known: Known, made: Making) -> None:
    """Bases, made twice; those of a tool that keeps a memory of its own once more, each in a process of its own."""
    planned = {id(subject): [Probe(subject.tool.name, arguments)
               for arguments in assembled(subject.declaration, subject.values, known, subject.drawn)[
                   : subject.share(5, 8)]]
               for subject in subjects}  # fmt: skip
    differing = _twice(subjects, planned, made)
    names = {subject.tool.name for subject in differing}
    differing += [subject for subject in subjects if subject.spared and subject.tool.name in names]
    for subject in differing:
        subject.apart = True
    for subject in _twice(differing, planned, made):
        subject.reason = "it does not repeat itself: equal calls gave different answers"
    _feed(subjects, known, made)
    for subject in subjects:
        if subject.probed and not subject.bases:
            subject.reason = "no call could be made that its declaration admits"


def _feed(subjects: Sequence[Subject], known: Known, made: Making) -> None:
    """More bases of tools that have answered hardly any: with values that other tools took, and that their answers
    gave."""
    fed: list[tuple[Subject, Probe]] = []
    for table in {subject.table: None for subject in subjects}:
        own = [subject for subject in subjects if subject.table == table and subject.probed]
        answered = [one for subject in own for one in subject.bases if one.seen.ok]
        taken = {name: value for one in answered for name, value in one.probe.arguments.items()}
        pairs = in_turns([[pair for one in subject.bases for pair in one.seen.harvest] for subject in own])
        for subject in own:
            if pairs and sum(one.seen.ok for one in subject.bases) < ENOUGH_ANSWERED:
                fed += [(subject, Probe(subject.tool.name, given)) for given in subject.fed(taken, pairs, known)]
    for (subject, probe), seen in zip(fed, made.of(fed)[0], strict=True):
        if seen.kind != SKIPPED:
            subject.bases.append(Tried(probe, seen))


def _twice(subjects: Sequence[Subject], planned: Mapping[int, Sequence[Probe]], made: Making) -> list[Subject]:
    """Make the bases of each subject forwards and, in another process, backwards; those that differed.

    A tool whose declaration alone is damaged repeats itself as the clean one does, and is spared the second time.
    """
    probes = [(subject, probe) for subject in subjects for probe in planned[id(subject)]]
    again = [
        (subject, probe)
        for subject in subjects
        if not subject.spared
        for probe in planned[id(subject)][:: 1 if subject.most is None else EVERY]
    ]
    forwards, backwards = made.of(probes, again[::-1])
    second = dict(zip(((id(subject), id(probe)) for subject, probe in again), reversed(backwards), strict=True))
    before = {id(subject): subject.bases for subject in subjects}
    for subject in subjects:
        subject.bases = []
    differing: dict[int, Subject] = {}
    for (subject, probe), first in zip(probes, forwards, strict=True):
        other = second.get((id(subject), id(probe)), first)
        if first.kind != SKIPPED:
            subject.bases.append(Tried(probe, first))
        if first.key != other.key and SKIPPED not in (first.kind, other.kind):
            differing[id(subject)] = subject
    for subject in subjects:
        subject.bases = subject.bases or before[id(subject)]  # what did not come back is not tried again, and was seen
    return list(differing.values())


def vary(subjects: Sequence[Subject], made: Making) -> None:
    """The second round and the third: changes of what was answered, and sequences for what was not."""
    openers = _openers(subjects)
    second: list[tuple[Subject, Probe]] = []
    for subject in subjects:
        second += [(subject, probe) for probe in thinned(_changes(subject), subject.share(2, 12))]
        behind = sequences(subject.declaration, subject.bases, openers[subject.table])
        second += [(subject, probe) for probe in behind[: subject.share(8, 6)]]
    third: list[tuple[Subject, Probe]] = []
    found: dict[int, list[Tried]] = {}
    for (subject, probe), seen in zip(second, made.of(second)[0], strict=True):
        if seen.kind == SKIPPED:
            continue
        if probe.kind == BASE:
            found.setdefault(id(subject), []).append(Tried(probe, seen))
        else:
            subject.variations.append(Tried(probe, seen))
    for subject in subjects:
        answered = [one for one in found.get(id(subject), ()) if one.seen.ok]
        if answered:
            third += [(subject, probe) for probe in thinned([*_changes_behind(subject, answered)], subject.share(3, 8))]
    _take(third, made)
    _confirm(subjects, made)


def _take(probes: Sequence[tuple[Subject, Probe]], made: Making) -> None:
    """Make variations, and keep what was made of them."""
    for (subject, probe), seen in zip(probes, made.of(probes)[0], strict=True):
        if seen.kind != SKIPPED:
            subject.variations.append(Tried(probe, seen))


def _confirm(subjects: Sequence[Subject], made: Making) -> None:
    """Fields of which no change made a difference, changed again where another field is other than in its base.

    A field may matter only beside certain values of another one: whether capitals count, only where there are some.
    """
    pairs = [(subject, pair) for subject in subjects for pair in _confirming(subject)]
    both = made.of([(subject, probe) for subject, pair in pairs for probe in pair])[0]
    for (subject, (first, second)), one, other in zip(pairs, both[::2], both[1::2], strict=True):
        if one.ok and other.kind != SKIPPED:
            base = Tried(first, one)
            subject.chosen.append(base)
            subject.variations += [base, Tried(replace(second, base=len(subject.chosen) - 1), other)]


def _confirming(subject: Subject) -> Iterator[tuple[Probe, Probe]]:
    """For each field that seems to be unused, pairs of probes that differ in it alone."""
    if not subject.chosen:
        return
    seen, rich = subject.seen(), max(range(len(subject.chosen)), key=lambda place: subject.chosen[place].seen.size)
    base = subject.chosen[rich].probe
    for name in subject.declaration.fields:
        compared = seen.compared(name)
        if not compared or subject.source.ignores(name) or any(differs for _, _, differs in compared):
            continue
        others = [other for other in subject.declaration.fields if other != name]
        some = [(other, given) for other in others for given in subject.values.get(other, ())[:MOST_BESIDE]]
        beside = [{**base.arguments, other: given} for other, given in some]
        beside += [{**base.arguments, other: given.swapcase()} for other, given in some if isinstance(given, str)]
        beside += [{**base.arguments, other: value} for other, given in some for value in near(given)]
        for number, arguments in enumerate(distinct(beside)[: subject.share(8, 4) or MOST_CONFIRMED]):
            offered = [value for value in subject.offered(name) if not equal(value, arguments.get(name, ...))]
            if offered and subject.declaration.admits(arguments):
                first = replace(base, arguments=arguments, kind=BESIDE, field=name, base=rich)
                changed = {**arguments, name: offered[number % len(offered)]}
                yield first, replace(first, arguments=changed, kind=WITH)


def repeat(subjects: Sequence[Subject], made: Making) -> None:
    """The probes of the tool that a damaged one is declared alike: what differs then is of the damage alone."""
    probes: list[tuple[Subject, Probe]] = []
    for subject in subjects:
        model = subject.model
        assert model is not None
        subject.reason, subject.partly, subject.apart = model.reason, model.partly, model.apart
        probes += [(subject, one.probe) for one in (*model.bases, *model.variations) if model.probed]
    for (subject, probe), seen in zip(probes, made.of(probes)[0], strict=True):
        assert subject.model is not None
        if len(subject.bases) < len(subject.model.bases):
            subject.bases.append(Tried(probe, seen))
        else:
            subject.variations.append(Tried(probe, seen))
    for subject in subjects:
        assert subject.model is not None
        theirs, mine = ([*one.bases, *one.variations] for one in (subject.model, subject))
        place = {id(one): number for number, one in enumerate(theirs)}
        subject.chosen = [mine[place[id(one)]] for one in subject.model.chosen] if subject.probed else []


def _changes(subject: Subject) -> list[Probe]:
    """What is changed of the bases that were answered; of one that none was, what is tried of those that were not."""
    subject.chosen = chosen_bases(subject.declaration, subject.bases)
    varied = subject.chosen or subject.bases[:2]
    probes = variations(subject.declaration, subject.source, subject.values, varied)
    if not subject.chosen:
        return [replace(probe, base=-1) for probe in probes]
    again = [
        replace(one.probe, kind=AGAIN, base=number, before=(*one.probe.before, (one.probe.tool, one.probe.arguments)))
        for number, one in enumerate(subject.chosen)
        if subject.declaration.definition.idempotent
    ]
    return [*probes, *again]


def _changes_behind(subject: Subject, answered: Sequence[Tried]) -> Iterator[Probe]:
    """Changes of bases that are answered behind other calls; they join the bases that were varied before."""
    first = len(subject.chosen)
    subject.bases += answered
    more = chosen_bases(subject.declaration, answered, subject.chosen)
    subject.chosen += more
    for probe in variations(subject.declaration, subject.source, subject.values, more):
        yield replace(probe, base=first + probe.base)


def _openers(subjects: Sequence[Subject]) -> dict[str, list[Tried]]:
    """Calls that were answered and may have left something behind, by table."""
    openers: dict[str, list[Tried]] = {subject.table: [] for subject in subjects}
    for subject in subjects:
        said = subject.tool.definition.side_effect
        if said or (said is None and subject.apart) or any(one.seen.effect for one in subject.bases):
            openers[subject.table] += chosen_bases(subject.declaration, subject.bases)
    return {table: every[:MOST_OPENERS] for table, every in openers.items()}
