"""Fields that change nothing: an agent sends them, and believes in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolbench.checking.finding import NOTE, WARNING, Finding, found
from toolbench.checking.nodes import at_field
from toolbench.checking.observed import Behaviour, Compared, behind, how, smallest
from toolbench.checking.probes import differing
from toolbench.checking.sampling import members
from toolbench.checking.tried import Tried
from toolbench.values import canonical

COUNTS = re.compile(r"(?:^|_)(?:limit|max|top|count|size|page|offset|first|last|n)(?:_|$)|results$", re.IGNORECASE)
MANY = 4  # small values in an answer, of which a lower number would have shown fewer
DECISIVE = 12  # changes that make no difference
LEAST_VAIN = 2  # different values that make none under one choice, and do under another


def use(seen: Behaviour) -> Iterator[Finding]:
    """The fields of which no change makes a difference, nowhere or under one choice."""
    for name in seen.declaration.fields:
        yield from _use(seen, name)


def _use(seen: Behaviour, name: str) -> Iterator[Finding]:
    """A field that changes nothing, or nothing under one choice of another field."""
    declaration = seen.declaration
    if seen.source.ignores(name):
        return  # read off the source already, and better told there
    compared = seen.compared(name)
    if not compared:
        return
    if not any(differs for _, _, differs in compared):
        yield from _unused(seen, name, compared)
        return
    if members(declaration, name):
        return  # a choice beside another choice: that one of their combinations makes no difference says little
    for other in declaration.fields:
        if other != name and len([one for one in members(declaration, other) if not isinstance(one, bool)]) > 1:
            yield from _unused_in(seen, name, other, compared)


def _unused(seen: Behaviour, name: str, compared: Compared) -> Iterator[Finding]:
    one = smallest(one for _, one, _ in compared)
    assert one is not None
    text = f"{name} was changed in {len(compared)} calls, and nothing else changed: the smallest {how(one.seen)}"
    # where the source is there it says that the field is used: somewhere it matters, and no probe came there
    few = COUNTS.search(name) and max((len(one.seen.harvest) for one in seen.bases), default=0) < MANY
    decisive = not few and not seen.source.readable and len(compared) >= DECISIVE and _is_rich(seen, name)
    severity = WARNING if decisive else NOTE
    yield found("unused-field", seen.tool, at_field(name), text, input=one.probe.arguments, severity=severity)


def _is_rich(seen: Behaviour, name: str) -> bool:
    """Whether other fields were seen to matter, so that this one had its chance; alone, a field needs no other."""
    if (
        len({one.seen.answer for one in (*seen.bases, *seen.variations) if one.seen.ok}) < 2
        and len(seen.declaration.fields) > 1
    ):
        return False  # whatever is sent, one answer: nothing could be seen to matter
    others = [other for other in seen.declaration.fields if other != name]
    return not others or any(differs for other in others for _, _, differs in seen.compared(other))


def _unused_in(seen: Behaviour, name: str, other: str, compared: Compared) -> Iterator[Finding]:
    """A field that matters under one choice, and to which the same changes were made in vain under another."""
    description = str(seen.declaration.field(name).get("description", "")).casefold()
    told = seen.declaration.definition.description.casefold()
    description += told if name.casefold() in told else ""
    choices = [str(value).casefold() for value in members(seen.declaration, other)]
    named = any(re.search(rf"(?<!\w){re.escape(choice)}(?!\w)", description) for choice in choices if choice)
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
        if len({_value(one, name) for one, _ in vain}) >= LEAST_VAIN:
            one, elsewhere = min(vain, key=lambda pair: pair[0].probe.size)
            text = f"{name} changes nothing where {other} is {choice}, and does where it is {elsewhere}{behind(one)}"
            yield found("unused-in-member", seen.tool, at_field(name), text, input=one.probe.arguments)


def _same_change(base: Tried, one: Tried, its: Tried, that: Tried, name: str, other: str) -> bool:
    """Whether the same was changed of two bases that are alike but for one choice.

    Behind other calls more can matter: that a field matters there says nothing of a call without them.
    """
    alike = differing(base.probe.arguments, its.probe.arguments, other) is False
    fair = len(its.probe.before) <= len(base.probe.before)
    return alike and fair and _change(base, one, name) == _change(its, that, name)


def _value(one: Tried, name: str) -> str:
    return canonical([one.probe.arguments[name]] if name in one.probe.arguments else [])


def _change(base: Tried, one: Tried, name: str) -> str:
    """What a field was changed to."""
    return canonical([one.probe.arguments.get(name), name in one.probe.arguments, name in base.probe.arguments])
