"""Probes: the calls that are tried of a tool, planned in rounds, and what was seen of each.

First whole argument sets (*bases*), which the declaration admits. Then, of those that were answered, one change at a
time (*variations*): a field left out, a field with another value, of another type, outside of its enum. What was not
answered is tried again behind calls that were (*sequences*).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from toolbench.checking.documented import form_of, told_values
from toolbench.checking.nodes import Declaration, at_field
from toolbench.checking.sampling import (
    Arguments,
    declares_null,
    distinct,
    members,
    near,
    of_type,
    other_types,
    types_of_field,
)
from toolbench.checking.source import Source
from toolbench.checking.tried import NONSENSE, OUTSIDE, TESTED, WITH, WITHOUT, WRONG, Probe, Tried
from toolbench.values import canonical, equal

MOST_BASES = 6
MOST_VARIATIONS = 48
LEAST_VALUES = 3
MOST_VARIED = 200
MOST_FIELDS = 60
MOST_SEQUENCES = 16
MOST_BEFORE = 4


def chosen_bases(declaration: Declaration, tried: Sequence[Tried], known: Sequence[Tried] = ()) -> list[Tried]:
    """The bases that are varied: of those that were answered one for each choice, alike but for the choice where that
    can be, the fullest, and the one with the longest answer.

    known: bases that are varied already, to which new ones should be alike.
    """
    choices = {name: members(declaration, name) for name in declaration.fields}
    choices = {name: offered for name, offered in choices.items() if offered}
    answered = sorted((one for one in tried if one.seen.ok), key=lambda one: one.probe.size)
    if not answered:
        return []
    if known:
        chosen = [max(answered, key=lambda one: any(_alike(one, other, choices) for other in known))]
    else:
        chosen = [max(answered, key=lambda one: sum(_alike(one, other, choices) for other in answered))]
    for name, offered in choices.items():
        for member in offered:
            if not any(_has(one, name, member) for one in chosen):
                having = [one for one in answered if _has(one, name, member)]
                chosen += [max(having, key=lambda one: _alike(one, chosen[0], choices))] if having else []
    chosen.append(max(answered, key=lambda one: len(one.probe.arguments)))
    chosen.append(max(answered, key=lambda one: one.seen.size))  # much to see, much to change
    unique = {canonical([one.probe.arguments, list(one.probe.before)]): one for one in chosen}
    return list(unique.values())[:MOST_BASES]


def _alike(one: Tried, other: Tried, choices: Mapping[str, Sequence[Any]]) -> bool:
    """Whether two bases differ in one choice and in nothing else."""
    return sum(differing(one.probe.arguments, other.probe.arguments, name) is False for name in choices) == 1


def differing(one: Arguments, other: Arguments, field: str) -> bool | None:
    """Whether two argument sets differ outside of a field; None where they are the same altogether."""
    mine, its = ({name: value for name, value in given.items() if name != field} for given in (one, other))
    if not equal(mine, its):
        return True
    return None if equal(one, other) else False


def _has(one: Tried, name: str, member: Any) -> bool:
    return name in one.probe.arguments and equal(one.probe.arguments[name], member)


def variations(
    declaration: Declaration, source: Source, values: Mapping[str, Sequence[Any]], bases: Sequence[Tried]
) -> list[Probe]:
    """The changes that are tried of the bases, field by field: all kinds of the first, fewer of the others."""
    fields = list(declaration.fields)
    if not bases or not fields:
        return []
    bases = bases[: max(1, MOST_VARIED // (len(fields) * LEAST_VALUES))]
    most = max(LEAST_VALUES, MOST_VARIATIONS // (len(bases) * len(fields)))
    probes: dict[str, Probe] = {}
    for number, base in enumerate(bases):
        own = base.probe.arguments
        for name in fields[:MOST_FIELDS]:
            changes = [*_admitted(declaration, values, own, name, most, every_choice=number == 0)]
            changes += _forbidden(declaration, source, own, name, wrong=number == 0)
            for kind, arguments in changes:
                probe = replace(base.probe, arguments=arguments, kind=kind, field=name, base=number)
                probes.setdefault(canonical([number, name, arguments]), probe)
    return list(probes.values())


def thinned(probes: Sequence[Probe], most: int | None) -> list[Probe]:
    """At most so many probes, of every field and every kind of change in turn; all of them for None."""
    if most is None or len(probes) <= most:
        return list(probes)
    groups: dict[tuple[str, str], list[Probe]] = {}
    for probe in probes:
        groups.setdefault((probe.kind, probe.field), []).append(probe)
    turns = [probe for row in zip_longest(*groups.values()) for probe in row if probe is not None]
    kept = set(map(id, turns[:most]))
    return [probe for probe in probes if id(probe) in kept]


def _admitted(
    declaration: Declaration,
    values: Mapping[str, Sequence[Any]],
    base: Arguments,
    name: str,
    most: int,
    *,
    every_choice: bool,
) -> Iterator[tuple[str, Arguments]]:
    """A field left out, and with other values that its schema admits."""
    if name in base:
        yield WITHOUT, {key: value for key, value in base.items() if key != name}
    choices = [*members(declaration, name), *told_values(declaration, name)]
    nulls = [None] if declares_null(declaration, name) else []
    some = values.get(name, ())
    close = near(base[name]) if name in base else []
    offered = distinct([*nulls, *choices, *some[: max(1, most // 2)], *close, *some])
    left = max(most, len(choices) + len(nulls)) if every_choice else most
    for value in offered:
        if name in base and equal(value, base[name]):
            continue
        if left and declaration.validators.admits(value, at_field(name)) is not False:
            left -= 1
            yield WITH, {**base, name: value}


def _forbidden(
    declaration: Declaration, source: Source, base: Arguments, name: str, *, wrong: bool
) -> Iterator[tuple[str, Arguments]]:
    """Values that the declaration does not admit; where it cannot say, none."""
    own = base.get(name)
    tested = [kind for field, kind in source.tests if field == name and kind not in types_of_field(declaration, name)]
    refused = [(TESTED, value) for kind in dict.fromkeys(tested) for value in _stand_ins(kind, own, source)]
    if wrong:
        choices = members(declaration, name)
        refused += [(OUTSIDE, "none of these")] if choices and isinstance(choices[0], str) else []
        yield from ((NONSENSE, arguments) for arguments in _nonsense(declaration, base, name))
        refused += [(WRONG, canonical(own))] if isinstance(own, int | float) and not isinstance(own, bool) else []
        refused += [(WRONG, value) for value in other_types(types_of_field(declaration, name))]
    for kind, value in refused:
        if declaration.validators.admits(value, at_field(name)) is False:
            yield kind, {**base, name: value}


def _nonsense(declaration: Declaration, base: Arguments, name: str) -> Iterator[Arguments]:
    """Texts that are none of the form that a field is said to have, where its schema admits them."""
    form = form_of(declaration, name)
    for text in () if form is None else form.nonsense:
        if declaration.admits({**base, name: text}):
            yield {**base, name: text}


def _stand_ins(kind: str, value: Any, source: Source) -> list[Any]:
    literals = [one for one in source.literals if isinstance(one, str)] if kind == "string" else []
    return distinct([*of_type(kind, value), *literals[:3]])[:4]


def sequences(declaration: Declaration, tried: Sequence[Tried], openers: Sequence[Tried]) -> list[Probe]:
    """Calls that were not answered, tried again behind calls that were, with the values that these had or gave.

    openers: calls that were answered and may have left something behind, of any tool.
    """
    waiting = [one for one in tried if not one.seen.ok]
    probes: dict[str, Probe] = {}
    for one in waiting:
        for opener in sorted(openers, key=lambda opener: -_shared(opener, one))[:MOST_BEFORE]:
            given = {**opener.seen.fields, **opener.probe.arguments}
            arguments = {
                name: given[name] if name in given and not members(declaration, name) else value
                for name, value in one.probe.arguments.items()
            }
            before = (*opener.probe.before, (opener.probe.tool, opener.probe.arguments))
            for taken in (arguments, one.probe.arguments):
                if declaration.admits(taken):
                    probe = replace(one.probe, arguments=taken, before=before)
                    probes.setdefault(canonical([list(before), taken]), probe)
    return list(probes.values())[:MOST_SEQUENCES]


def _shared(opener: Tried, one: Tried) -> int:
    """How many fields two calls have in common, with equal values."""
    return sum(name in opener.probe.arguments and equal(opener.probe.arguments[name], value)
               for name, value in one.probe.arguments.items())  # fmt: skip
