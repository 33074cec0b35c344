"""Calls that the declaration admits and the function refuses, and calls that it forbids and the function takes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from toolbench.checking.complaints import QUOTED_NAME, complained_of
from toolbench.checking.finding import NOTE, WARNING, Finding, found
from toolbench.checking.nodes import at_field
from toolbench.checking.observed import Behaviour, behind, how, smallest
from toolbench.checking.sampling import declares_null, members
from toolbench.checking.tried import OUTSIDE, TESTED, WITHOUT, WRONG, Tried
from toolbench.outcome import CRASH, ERROR, OK
from toolbench.values import canonical, equal, show


def refusals(seen: Behaviour) -> Iterator[Finding]:
    """What is refused or taken against the declaration."""
    for judge in (_names, _absence, _needed, _nulls, _types, _tested, _wrong):
        yield from judge(seen)
    for name in seen.declaration.fields:
        yield from _members(seen, name)


def _names(seen: Behaviour) -> Iterator[Finding]:
    """Calls that the declaration admits and that fail because of a field's name, where none is answered."""
    if any(one.seen.ok for one in seen.admitted):
        return
    blamed: dict[str, Tried] = {}
    for one in sorted(seen.admitted, key=lambda one: one.probe.size):
        name = _blamed(seen, one) if one.seen.kind in (CRASH, ERROR) else None
        if name is not None:
            blamed.setdefault(name, one)
    for name, one in blamed.items():
        known = seen.source.parameters.get(name)
        if name in seen.declaration.fields and name not in one.probe.arguments and known is None:
            text = f"{name} may be left out, and the call then {how(one.seen)}"
            yield found("optional-but-needed", seen.tool, at_field(name), text, input=one.probe.arguments)
        elif known is None:
            text = f"a call that the declaration admits {how(one.seen)}{behind(one)}"
            yield found("name-refused", seen.tool, at_field(name), text, input=one.probe.arguments)


def _blamed(seen: Behaviour, one: Tried) -> str | None:
    """The field whose name a call failed over: one that is neither a value that was sent nor a part of one."""
    told = one.seen.message
    if "KeyError" in one.seen.types:  # a key that is missing is a field only where fields are looked up by name
        found = QUOTED_NAME.search(told) if seen.source.takes_any else None
        named = found.group(1) if found else ""
    else:
        named = complained_of(told)
    sent = "".join(canonical(value) for value in one.probe.arguments.values())
    return named if named.isidentifier() and f'"{named}"' not in sent else None


def _absence(seen: Behaviour) -> Iterator[Finding]:
    for name in seen.declaration.required:
        without = [one for one in seen.of(WITHOUT) if one.probe.field == name and one.seen.ok]
        if (one := smallest(without)) and not seen.declaration.definition.strict:
            text = f"{name} is required, and a call without it {how(one.seen)}{behind(one)}"
            yield found("required-but-supplied", seen.tool, at_field(name), text, input=one.probe.arguments)


def _nulls(seen: Behaviour) -> Iterator[Finding]:
    for name in seen.declaration.fields:
        if not declares_null(seen.declaration, name):
            continue
        nulls = [one for one in seen.admitted if one.probe.arguments.get(name, ...) is None]
        absent = {one.seen.message for one in seen.admitted if name not in one.probe.arguments and not one.seen.ok}
        if any(one.seen.message in absent for one in nulls):
            continue  # the field is needed, whatever stands for its absence
        if nulls and not any(one.seen.ok for one in nulls) and seen.chosen:
            one = smallest(nulls)
            assert one is not None
            text = f"null is declared for {name}, and a call with it {how(one.seen)}{behind(one)}"
            yield found("null-refused", seen.tool, at_field(name), text, input=one.probe.arguments)


def _types(seen: Behaviour) -> Iterator[Finding]:
    """A declared type whose every value fails, where a value of another type is answered."""
    for name in seen.declaration.fields:
        tried = [one for one in seen.admitted if name in one.probe.arguments]
        fails = (CRASH,) if any(one.seen.ok for one in seen.admitted) else (CRASH, ERROR)
        if len(tried) < 2 or not all(one.seen.kind in fails for one in tried):
            continue
        answered = [one for one in seen.of(WRONG, TESTED) if one.probe.field == name and one.seen.ok]
        if one := smallest(answered):
            failed = smallest(tried)
            assert failed is not None
            value = show(one.probe.arguments[name], 60)
            text = f"each admitted call with {name} fails (it {how(failed.seen)}); with {value} it {how(one.seen)}"
            yield found("type-refused", seen.tool, at_field(name), text, input=one.probe.arguments)


def _needed(seen: Behaviour) -> Iterator[Finding]:
    """A field that may be left out, and without which no admitted call is answered, because of it."""
    for name in seen.declaration.fields:
        if not seen.declaration.optional(name):
            continue
        without = [one for one in seen.admitted if name not in one.probe.arguments]
        answered = any(one.seen.ok for one in seen.admitted if name in one.probe.arguments)
        blamed = [one for one in without if _is_of(name, one)]
        if answered and len(without) >= 2 and len(blamed) == len(without):
            one = smallest(blamed)
            assert one is not None
            text = f"{name} may be left out, and each call without it fails: it {how(one.seen)}"
            yield found("optional-but-needed", seen.tool, at_field(name), text, input=one.probe.arguments)


def _is_of(name: str, one: Tried) -> bool:
    """Whether a call fails over a field that it leaves out: the message names it, or tells of None."""
    named = re.search(rf"\b{re.escape(name)}\b", one.seen.message) is not None
    over_none = one.seen.kind == CRASH and "NoneType" in one.seen.message
    return one.seen.kind in (CRASH, ERROR) and (named or over_none)


def _tested(seen: Behaviour) -> Iterator[Finding]:
    """Types that the source tests a parameter for, that are answered, and that the schema keeps out."""
    definition = seen.declaration.definition
    if definition.strict or not seen.chosen:
        return
    for name in seen.declaration.fields:
        answered = [one for one in seen.of(TESTED) if one.probe.field == name and one.seen.ok]
        if one := smallest(answered):
            value = one.probe.arguments[name]
            if value is None and seen.declaration.optional(name):
                continue
            severity = NOTE if seen.declaration.optional(name) else None
            text = f"the source tests {name} for it, and a call with {show(value, 60)} {how(one.seen)}{behind(one)}"
            yield found(
                "undeclared-type", seen.tool, at_field(name), text, input=one.probe.arguments, severity=severity
            )


def _members(seen: Behaviour, name: str) -> Iterator[Finding]:
    """Declared choices that are refused wherever others are answered."""
    choices = [choice for choice in members(seen.declaration, name) if not isinstance(choice, bool)]
    every = [one for one in seen.admitted if name in one.probe.arguments]
    for choice in choices:
        tried = [one for one in every if equal(one.probe.arguments[name], choice)]
        answered = any(one.seen.ok for one in every if not equal(one.probe.arguments[name], choice))
        quoted = all(_quotes(choice, name, one) for one in tried)
        if not tried or any(one.seen.ok for one in tried) or not (answered or (quoted and len(tried) > 1)):
            continue
        one = smallest(tried)
        assert one is not None
        text = f"the choice {show(choice, 60)} is declared, and each call with it fails: it {how(one.seen)}"
        severity = WARNING if _quotes(choice, name, one) else NOTE
        yield found("enum-refused", seen.tool, at_field(name), text, input=one.probe.arguments, severity=severity)


def _quotes(choice: Any, name: str, one: Tried) -> bool:
    """Whether a message is about a choice, or its field, and about no other value that was sent."""
    told = one.seen.message
    others = [
        value for field, value in one.probe.arguments.items() if field != name and isinstance(value, str) and value
    ]
    return (_stands_in(str(choice), told) or _stands_in(name, told)) and not any(_stands_in(o, told) for o in others)


def _stands_in(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _wrong(seen: Behaviour) -> Iterator[Finding]:
    """What the declaration forbids and the function takes or crashes over: notes, one a field."""
    for kind, code, ends in (
        (WRONG, "wrong-type-accepted", (OK,)),
        (WRONG, "wrong-type-crashes", (CRASH,)),
        (OUTSIDE, "enum-not-enforced", (OK,)),
    ):
        for name in seen.declaration.fields if seen.chosen else ():
            hits = [one for one in seen.of(kind) if one.probe.field == name and one.seen.kind in ends]
            if one := smallest(hits):
                text = f"{show(one.probe.arguments[name], 60)} for {name} {how(one.seen)}"
                yield found(code, seen.tool, at_field(name), text, input=one.probe.arguments)
