"""Every kind of change inside a schema: its level and why, for what a tool takes and for what it answers.

What a tool takes may admit more and never less; what it answers may be less and never more. Four kinds are judged by
what is done with schemas rather than by that: a field that is gone is missed on either side; a new field that may be
left out is passed over by those who don't know it (nobody is taken to have sent it undeclared); an answer that became
open is no more than a risk; and for a format, or a keyword that isn't understood here, nobody can say which way it
went.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from toolbench.drifting.change import BREAKING, COMPATIBLE, DEGRADING

INPUT, OUTPUT = "input", "output"


class Reason(NamedTuple):
    """How much a change matters, and why."""

    level: str
    why: str


STILL_TAKEN = Reason(COMPATIBLE, "every call that was right still is")
STILL_READ = Reason(COMPATIBLE, "an answer is still one that its readers were told to expect")
REFUSED = Reason(BREAKING, "a call that was right may be refused now")
UNEXPECTED = Reason(BREAKING, "an answer may be one that its readers were not told to expect")
NOBODY = Reason(COMPATIBLE, "calls and answers are the same; an agent may read it in another way")
LESS_KNOWN = "an agent has less to tell what to send and when, and guesses more often"

Both = Mapping[str, Reason]


def _both(taken: Reason, given: Reason | None = None) -> Both:
    return {INPUT: taken, OUTPUT: given or taken}


REASONS: Mapping[str, Both] = {
    "narrower": _both(REFUSED, STILL_READ),
    "wider": _both(STILL_TAKEN, UNEXPECTED),
    "other type": _both(
        Reason(BREAKING, "a call that was right is refused now"),
        Reason(BREAKING, "whoever reads the answer meets another type than the one that was declared"),
    ),
    "value gone": _both(Reason(BREAKING, "a call with this value is refused now"), STILL_READ),
    "value new": _both(
        STILL_TAKEN, Reason(BREAKING, "whoever handles the listed values one by one meets one that nobody foresaw")
    ),
    "field gone, closed": _both(
        Reason(BREAKING, "a call that sends it is refused: other fields are not admitted"),
        Reason(BREAKING, "whoever reads it from the answer finds nothing"),
    ),
    "field gone": _both(
        Reason(BREAKING, "a call that sends it is not refused, though what it asks for may silently be ignored"),
        Reason(BREAKING, "whoever reads it from the answer may find nothing, or something undeclared"),
    ),
    "field new": _both(
        Reason(COMPATIBLE, "calls without it are as right as before"),
        Reason(COMPATIBLE, "readers of the answer pass over a field that they don't know"),
    ),
    "required field new": _both(
        Reason(BREAKING, "every call as it was right before lacks it and is refused"),
        Reason(COMPATIBLE, "readers of the answer pass over a field that they don't know"),
    ),
    "now required": _both(
        Reason(BREAKING, "a call that leaves it out was right and is refused now"),
        Reason(COMPATIBLE, "readers of the answer find it more often than they had to expect"),
    ),
    "no longer required": _both(
        Reason(COMPATIBLE, "calls that send it are as right as before"),
        Reason(BREAKING, "whoever relies on it being in every answer may find nothing"),
    ),
    "closed": _both(Reason(BREAKING, "a call with a field that is not declared is refused now"), STILL_READ),
    "opened": _both(STILL_TAKEN, Reason(DEGRADING, "an answer may hold fields that nobody has declared")),
    "one of several": _both(
        Reason(DEGRADING, "a call that fits several of the schemas was right and is refused now"), STILL_READ
    ),
    "any of several": _both(STILL_TAKEN, Reason(DEGRADING, "an answer may fit several of the schemas at once")),
    "format": _both(
        Reason(DEGRADING, "a server that checks formats may refuse a call that was right"),
        Reason(DEGRADING, "whoever parses the text by its format may meet another one"),
    ),
    "format gone": _both(STILL_TAKEN, Reason(DEGRADING, "whoever parses the text by its format may meet another one")),
    "keyword": _both(
        Reason(DEGRADING, "another keyword changed, and whether a call that was right still is cannot be told"),
        Reason(DEGRADING, "another keyword changed, and whether answers are still as expected cannot be told"),
    ),
    "no schema": _both(
        Reason(BREAKING, "what stands here is no schema, so nobody can tell what a call has to be like"),
        Reason(BREAKING, "what stands here is no schema, so nobody can tell what an answer is like"),
    ),
    "too large": _both(
        Reason(BREAKING, "the schema changed, and nobody has looked at all of it: any call may be refused now"),
        Reason(BREAKING, "the schema changed, and nobody has looked at all of it: any answer may be unexpected"),
    ),
    "description gone": _both(Reason(DEGRADING, LESS_KNOWN)),
    "reworded": _both(NOBODY),
    "default": _both(
        Reason(DEGRADING, "a call that leaves it out may do something else than before, and nothing tells"),
        Reason(DEGRADING, "whoever fills in what an answer leaves out fills in something else"),
    ),
    "default new": _both(Reason(COMPATIBLE, "what is left out is told now, and calls are as right as before")),
    "examples gone": _both(Reason(DEGRADING, LESS_KNOWN)),
}
