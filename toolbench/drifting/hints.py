"""The annotations of a tool: what a host is told of its conduct, with the defaults of the specification."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from toolbench.drifting.change import ABSENT, BREAKING, COMPATIBLE, DEGRADING, alike, shown, turned
from toolbench.drifting.schemas import Found
from toolbench.pointers import pointer_to

PLACE = "/annotations"


class Hint(NamedTuple):
    """A hint: its default, the answer that is the more careful one, and the change away from safety."""

    default: bool
    safe: bool
    level: str
    why: str


HINTS = {
    "readOnlyHint": Hint(
        False, True, BREAKING, "a host that lets read-only tools run unasked may have approved what now changes things"
    ),
    "destructiveHint": Hint(
        True, False, BREAKING, "a host or an agent that trusted it not to destroy anything has no reason to any more"
    ),
    "idempotentHint": Hint(False, True, DEGRADING, "a call that is made once more after a failure may act twice"),
    "openWorldHint": Hint(
        True, False, DEGRADING, "answers may hold what strangers wrote, where only the server's own was to be expected"
    ),
}
SAFER = "it says that it does less harm than before, so whoever was careful still is"
OF_WRITERS = ("destructiveHint", "idempotentHint")  # the specification: meaningful only where not read-only


def hint_changes(kept: Any, live: Any) -> Iterator[Found]:
    """The changes of a tool's annotations; a default that is merely spelled out is none."""
    if alike(kept, live):
        return
    old, new = (held if isinstance(held, dict) else {} for held in (kept, live))
    for held, other in ((kept, live), (live, kept)):
        if held is not ABSENT and not isinstance(held, dict | None) and not alike(held, other):
            yield Found(DEGRADING, PLACE, turned(kept, live), "no annotations can be read there, so defaults hold")
            break
    for name, hint in HINTS.items():
        if name in OF_WRITERS and _value(new, "readOnlyHint"):
            continue
        before, after = _value(old, name), _value(new, name)
        if before != after:
            level, why = (COMPATIBLE, SAFER) if after == hint.safe else (hint.level, hint.why)
            yield Found(level, PLACE + pointer_to(name), f"{_told(old, name)}, {_told(new, name, 'is')}", why)
    for key in sorted({key for key in {**old, **new} if isinstance(key, str) and key not in HINTS}):
        before, after = old.get(key, ABSENT), new.get(key, ABSENT)
        if not alike(before, after):
            yield Found(COMPATIBLE, PLACE + pointer_to(key), turned(before, after), "no call depends on it")


def _value(said: dict[str, Any], name: str) -> bool:
    value = said.get(name)
    return value if isinstance(value, bool) else HINTS[name].default


def _told(said: dict[str, Any], name: str, verb: str = "was") -> str:
    default = "" if isinstance(said.get(name), bool) else " (the default)"
    return f"{verb} {shown(_value(said, name))}{default}"
