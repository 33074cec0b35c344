"""What a tool does and what it answers, against what it declares of both."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolbench.checking.finding import WARNING, Finding, found
from toolbench.checking.observed import Behaviour, behind, how, smallest
from toolbench.checking.tried import AGAIN, Seen, Tried
from toolbench.outcome import CRASH

FAILURE = re.compile(
    r'^"?\W*(?:(?:error|exception|traceback|failed|failure|fatal|unable to|could not|cannot|invalid)\b'
    r"|(?:\w+[ -]){1,3}(?:error|exception|failed|failure)\s*[:!])",
    re.IGNORECASE,
)
TOLD = re.compile(
    r"index out of range|has no attribute|division by zero|invalid|not subscriptable|unsupported operand|not iterable"
    r"|errno|nonetype|\w(?:Error|Exception)\b|not found|no such|denied|refused|timed out|missing"
    r'|^"?\W*(?:\w+[ -]){0,3}(?:error|exception|failure|failed)\s*[:!]'
    r'|^"?\W*(?:failed to|unable to|could not|traceback)\b',
    re.IGNORECASE,
)
ANSWERS = frozenset("result message text content output answer response value status detail".split())
FAILURES = frozenset({"error", "errors", "error_message", "errormessage", "exception"})
ABSENCE = re.compile(r"\W*(?:\S+ ){0,8}(?:not found|does(?: not|n't) exist)\W*", re.IGNORECASE)
SEARCHES = re.compile(r"search|find|list|query|match|grep|exists|has_|check", re.IGNORECASE)
HOPELESS = frozenset({"TypeError", "AttributeError", "NameError", "RecursionError", "ImportError", "SystemExit"})


def conduct(seen: Behaviour) -> Iterator[Finding]:
    """Outputs, effects, failures that are told as answers, and crashes."""
    for judge in (_outputs, _annotations, _told_as_text, _crashes):
        yield from judge(seen)


def _outputs(seen: Behaviour) -> Iterator[Finding]:
    if one := smallest(one for one in seen.admitted if one.seen.fault):
        text = f"the answer {one.seen.shown} breaks the declared output: {one.seen.fault}{behind(one)}"
        yield found("output-invalid", seen.tool, "/outputSchema", text, input=one.probe.arguments)


def _annotations(seen: Behaviour) -> Iterator[Finding]:
    definition = seen.declaration.definition
    if not seen.restorable:
        return
    every = [*seen.bases, *seen.variations]
    changing = smallest(one for one in seen.admitted if one.seen.effect) or smallest(o for o in every if o.seen.effect)
    if definition.side_effect is False and changing is not None:
        what = f" ({', '.join(changing.seen.changed)})" if changing.seen.changed else ""
        text = f"said to be read-only, and a call changed the world{what}{behind(changing)}"
        yield found("not-read-only", seen.tool, "/annotations/readOnlyHint", text, input=changing.probe.arguments)
    answered = [one for one in seen.bases if one.seen.ok]
    if definition.side_effect and answered and all(one.seen.idle for one in every if one.seen.ok):
        text = f"none of {len(every)} calls changed the world"
        yield found("effect-not-seen", seen.tool, "/annotations/readOnlyHint", text)
    if definition.idempotent and (one := smallest(one for one in seen.of(AGAIN) if one.seen.effect)):
        text = "said to be idempotent, and a second equal call changed the world again"
        yield found("not-idempotent", seen.tool, "/annotations/idempotentHint", text, input=one.probe.arguments)


def _told_as_text(seen: Behaviour) -> Iterator[Finding]:
    if one := smallest(
        one for one in seen.admitted if one.seen.ok and (is_failure(one.seen) or _is_absence(seen, one))
    ):
        text = f"a failure is told as an ordinary answer: {one.seen.shown}{behind(one)}"
        yield found("error-as-text", seen.tool, "", text, input=one.probe.arguments)


def _texts(seen: Seen) -> list[str]:
    told = (value for name, value in seen.fields.items() if name.lower() in ANSWERS)
    return [seen.shown, *(value for value in told if isinstance(value, str))]


def _is_absence(seen: Behaviour, one: Tried) -> bool:
    """Whether an answer says nothing but that there is no such thing, of a tool that does not search."""
    return SEARCHES.search(seen.tool) is None and any(ABSENCE.fullmatch(text) for text in _texts(one.seen))


def is_failure(seen: Seen) -> bool:
    """Whether an answer tells of a failure in words, or in a field that is named for it."""
    named = (value for name, value in seen.fields.items() if name.lower() in FAILURES)
    return any(isinstance(value, str) and value.strip() for value in named) or any(
        FAILURE.search(text) is not None and TOLD.search(text) is not None for text in _texts(seen)
    )


def _crashes(seen: Behaviour) -> Iterator[Finding]:
    """Admitted calls that crash: a note, unless all do, and each over how it is made; hangs and deaths count."""
    crashed = [one for one in seen.admitted if one.seen.kind == CRASH]
    always = len(crashed) > 1 and len(crashed) == len(seen.admitted)
    of_names = any(re.search(r"\barguments?\b", one.seen.message) for one in crashed)  # told better elsewhere
    hopeless = always and not of_names and all(HOPELESS & set(one.seen.types) for one in crashed)
    ended = [one for one in seen.admitted if one.seen.useless]
    if one := smallest(ended) or smallest(crashed):
        each = "each call" if hopeless and not ended else "a call"
        text = f"{each} that the declaration admits {how(one.seen)}{behind(one)}"
        severity = WARNING if ended or hopeless else None
        yield found("valid-call-crashes", seen.tool, "", text, input=one.probe.arguments, severity=severity)
