"""What descriptions promise of values, against what calls show: examples that are refused, nonsense that is taken."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolbench.checking.complaints import complained_of
from toolbench.checking.conduct import is_failure
from toolbench.checking.documented import examples_of, form_of
from toolbench.checking.finding import NOTE, WARNING, Finding, found
from toolbench.checking.nodes import at_field
from toolbench.checking.observed import Behaviour, behind, how, smallest
from toolbench.checking.sampling import members
from toolbench.checking.tried import NONSENSE, WITH, Tried
from toolbench.outcome import CRASH, ERROR
from toolbench.values import equal, show

# What is there no longer, or not here, is well-formed all the same.
ABSENT = re.compile(
    r"not found|no such|does(?: not|n't) exist|could not find|unknown|not exist|no \w+ with|cannot find|denied|unauthor"
    r"|not a valid repo|outside|connect|resolve|network|timed out|unreachable",
    re.IGNORECASE,
)


def promises(seen: Behaviour) -> Iterator[Finding]:
    """Examples that a description gives and the tool refuses; texts that are none of the form that it asks for."""
    for name in seen.declaration.fields:
        yield from _refused_examples(seen, name)
        yield from _taken_nonsense(seen, name)
        yield from _other_default(seen, name)


def _refused_examples(seen: Behaviour, name: str) -> Iterator[Finding]:
    tried = [one for one in seen.admitted if name in one.probe.arguments]
    others = [one for one in tried if one.seen.ok]
    choices = members(seen.declaration, name)
    for value in examples_of(seen.declaration, name):
        own = [one for one in tried if equal(one.probe.arguments[name], value)]
        refused = [one for one in own if one.seen.kind in (ERROR, CRASH) or _failed(one)]
        if not own or len(refused) < len(own) or any(equal(value, choice) for choice in choices):
            continue
        one = smallest(refused)
        assert one is not None
        told = one.seen.message or one.seen.shown
        if not others and (str(value) not in told or complained_of(told)):
            continue  # no call was answered, and nothing says that it was for this value
        given = f"the description gives {show(value, 60)} as an example"
        text = f"{given}, and each call with it fails: it {how(one.seen)}{behind(one)}"
        severity = NOTE if ABSENT.search(told) and one.seen.kind != CRASH else WARNING
        yield found(
            "example-refused",
            seen.tool,
            at_field(name),
            f"{text}{behind(one)}",
            input=one.probe.arguments,
            severity=severity,
        )


def _taken_nonsense(seen: Behaviour, name: str) -> Iterator[Finding]:
    form = form_of(seen.declaration, name)
    if form is None:
        return
    taken = [one for one in seen.of(NONSENSE) if one.probe.field == name and one.seen.ok and not _failed(one)]
    if one := smallest(taken):
        value = show(one.probe.arguments[name], 60)
        base = seen.chosen[one.probe.base]
        alike = ", as if it had not been given" if base.seen.answer == one.seen.answer else ""
        text = f"{name} is to be a {form.noun}, and a call with {value} {how(one.seen)}{alike}{behind(one)}"
        yield found("nonsense-accepted", seen.tool, at_field(name), text, input=one.probe.arguments)


def _other_default(seen: Behaviour, name: str) -> Iterator[Finding]:
    """A field that acts, where it is left out, as it does for another value than its declared default.

    Where the source is there, it tells.
    """
    default = seen.declaration.field(name).get("default", ...)
    if seen.source.readable or default is ... or not seen.declaration.optional(name):
        return
    for base in seen.chosen:
        own = [one for one in seen.of(WITH) if one.probe.field == name and seen.chosen[one.probe.base] is base]
        if name in base.probe.arguments or not base.seen.ok:
            continue
        told = [one for one in own if equal(one.probe.arguments[name], default)]
        alike = [one for one in own if one not in told and one.seen.key == base.seen.key]
        if told and alike and told[0].seen.ok and told[0].seen.key != base.seen.key:
            other = show(alike[0].probe.arguments[name], 60)
            said = f"the declared default of {name} is {show(default, 60)}, and a call without it {how(base.seen)}"
            text = f"{said}, as with {other}; with the default it {how(told[0].seen)}{behind(base)}"
            yield found("default-differs", seen.tool, at_field(name), text, input=base.probe.arguments)
            return


def _failed(one: Tried) -> bool:
    """Whether an answer tells a failure in words."""
    return one.seen.ok and is_failure(one.seen)
