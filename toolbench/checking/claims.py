"""Answers that claim what did not happen: something is said to be deleted, and nothing changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolbench.checking.finding import NOTE, WARNING, Finding, found
from toolbench.checking.observed import Behaviour, behind, smallest
from toolbench.checking.tried import Seen
from toolbench.values import canonical

DESTROYS = re.compile(r"delete|remove|drop|erase|cancel|revoke|clear|unsubscribe|destroy|purge", re.IGNORECASE)
MAKES = re.compile(r"create|(?:^|[_-])add|insert|write|send|save|store|publish|post|rename|move|append", re.IGNORECASE)
DONE = (
    "deleted removed dropped erased cancelled canceled revoked cleared created added inserted written sent saved "
    "stored published posted renamed moved appended"
).split()
CLAIMS = frozenset(["success", "succeeded", "successful", "ok", "done", *DONE, "updated"])
SAID = re.compile(rf"\b(?:success(?:ful(?:ly)?)?|{'|'.join(DONE)})\b", re.IGNORECASE)
DENIED = re.compile(
    r"\b(?:no|not|nothing|none|never|0|zero|already|fail\w*|unable|error|cannot|if)\b|n't\b", re.IGNORECASE
)
ANYTHING = 4  # different values, of which somebody must have been the one to make them


def claims(seen: Behaviour) -> Iterator[Finding]:
    """An effect that is claimed and did not happen; or that is claimed of whatever is named."""
    if seen.declaration.definition.side_effect is False:
        return
    if seen.restorable:
        yield from _unchanged(seen)
    elif DESTROYS.search(seen.tool):
        yield from _of_anything(seen)


def _unchanged(seen: Behaviour) -> Iterator[Finding]:
    idle = [one for one in seen.admitted if one.seen.ok and not one.probe.before and one.seen.idle]
    plain = smallest(one for one in idle if _flagged(one.seen))
    one = plain or smallest(one for one in idle if _told(one.seen))
    if one is None:
        return
    never = all(one.seen.idle for one in (*seen.bases, *seen.variations) if one.seen.ok)
    flagged = {canonical(one.probe.arguments) for one in idle if _flagged(one.seen)}
    sure = (
        never
        or len(flagged) >= ANYTHING
        or DESTROYS.search(seen.tool)
        or (plain is not None and MAKES.search(seen.tool))
    )
    text = f"the answer claims an effect, and nothing changed: {one.seen.shown}{behind(one)}"
    severity = WARNING if sure else NOTE
    yield found("effect-claimed", seen.tool, "", text, input=one.probe.arguments, severity=severity)


def _of_anything(seen: Behaviour) -> Iterator[Finding]:
    """What says of every value that it is gone has not looked for it; some of them nobody ever made."""
    tried = [one for one in seen.admitted if not one.probe.before and one.probe.arguments]
    claimed = [one for one in tried if one.seen.ok and (_flagged(one.seen) or _told(one.seen))]
    if len({canonical(one.probe.arguments) for one in claimed}) >= ANYTHING and len(claimed) == len(tried):
        one = smallest(claimed)
        assert one is not None
        text = f"each of {len(claimed)} calls, whatever they name, claims an effect: {one.seen.shown}"
        yield found("effect-claimed", seen.tool, "", text, input=one.probe.arguments)


def _flagged(seen: Seen) -> bool:
    """Whether a field of the answer says it in so many words."""
    for name, value in seen.fields.items():
        text = value.casefold() if isinstance(value, str) else ""
        if name.casefold() in CLAIMS and (value is True or text in ("true", "yes")):
            return True
        if name.casefold() == "status" and text in CLAIMS:
            return True
    return False


def _told(seen: Seen) -> bool:
    texts = [value for value in seen.fields.values() if isinstance(value, str)] or [seen.shown]
    return any(SAID.search(text) and not DENIED.search(text) for text in texts)
