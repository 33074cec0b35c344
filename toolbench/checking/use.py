"""Fields that change nothing: an agent sends them, and believes in them."""

from __future__ import annotations

from collections.abc import Iterator

from toolbench.checking.finding import NOTE, WARNING, Finding, found
from toolbench.checking.nodes import at_field
from toolbench.checking.observed import Behaviour, behind, how, size, smallest
from toolbench.checking.probes import WITH, WITHOUT, Tried, differing
from toolbench.checking.sampling import members
from toolbench.values import canonical


def use(seen: Behaviour) -> Iterator[Finding]:
    """The fields of which no change makes a difference, nowhere or under one choice."""
    for name in seen.declaration.fields:
        yield from _use(seen, name)


def _use(seen: Behaviour, name: str) -> Iterator[Finding]:
    """A field that changes nothing, or nothing under one choice of another field."""
    source, declaration = seen.source, seen.declaration
    if source.readable and (name not in source.read or name not in source.parameters):
        return  # read off the source already, and better told there
    compared = _compared(seen, name)
    if not compared:
        return
    if not any(differs for _, _, differs in compared):
        yield from _unused(seen, name, compared)
        return
    for other in declaration.fields:
        if other != name and len(members(declaration, other)) > 1:
            yield from _unused_in(seen, name, other, compared)


Compared = list[tuple[Tried, Tried, bool]]


def _compared(seen: Behaviour, name: str) -> Compared:
    """(base, variation, whether anything differs) for every admitted change of a field of an answered base."""
    parameter = seen.source.parameters.get(name)
    needed = parameter is not None and parameter.needed
    compared = []
    for one in seen.of(WITH, WITHOUT):
        if one.probe.field == name and one.probe.base >= 0 and not (one.probe.kind == WITHOUT and needed):
            base = seen.chosen[one.probe.base]
            compared.append((base, one, base.seen.key != one.seen.key))
    return compared


def _unused(seen: Behaviour, name: str, compared: Compared) -> Iterator[Finding]:
    around = {canonical({k: v for k, v in base.probe.arguments.items() if k != name}) for base, _, _ in compared}
    values = {canonical(one.probe.arguments.get(name, "left out")) for _, one, _ in compared}
    choices = members(seen.declaration, name)
    others = len(seen.declaration.fields) > 1
    enough = len(around) > 1 or not others
    decisive = enough and (bool(choices) if seen.source.readable else len(values) > 5 or bool(choices))
    one = smallest(one for _, one, _ in compared)
    assert one is not None
    text = f"{name} was changed in {len(compared)} calls, and nothing else changed: each {how(one.seen)}"
    severity = WARNING if decisive else NOTE
    yield found("unused-field", seen.tool, at_field(name), text, input=one.probe.arguments, severity=severity)


def _unused_in(seen: Behaviour, name: str, other: str, compared: Compared) -> Iterator[Finding]:
    """A field that matters under one choice, and to which the same changes were made in vain under another."""
    description = str(seen.declaration.field(name).get("description", "")).casefold()
    named = any(str(value).casefold() in description for value in members(seen.declaration, other))
    by_choice: dict[str, Compared] = {}
    for base, one, differs in compared:
        if other in base.probe.arguments:
            by_choice.setdefault(canonical(base.probe.arguments[other]), []).append((base, one, differs))
    for choice, changes in by_choice.items():
        if named or any(differs for _, _, differs in changes):
            continue
        vain = [
            (one, elsewhere)
            for base, one, _ in changes
            for elsewhere, others in by_choice.items()
            if any(differs and _same_change(base, one, its, that, name, other) for its, that, differs in others)
        ]
        if vain:
            one, elsewhere = min(vain, key=lambda pair: size(pair[0]))
            text = f"{name} changes nothing where {other} is {choice}, and does where it is {elsewhere}{behind(one)}"
            yield found("unused-in-member", seen.tool, at_field(name), text, input=one.probe.arguments)


def _same_change(base: Tried, one: Tried, its: Tried, that: Tried, name: str, other: str) -> bool:
    """Whether the same was changed of two bases that are alike but for one choice.

    Behind other calls more can matter: that a field matters there says nothing of a call without them.
    """
    alike = differing(base.probe.arguments, its.probe.arguments, other) is False
    fair = len(its.probe.before) <= len(base.probe.before)
    return alike and fair and _change(base, one, name) == _change(its, that, name)


def _change(base: Tried, one: Tried, name: str) -> str:
    """What a field was changed to."""
    return canonical([one.probe.arguments.get(name), name in one.probe.arguments, name in base.probe.arguments])
