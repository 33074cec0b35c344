"""What one call did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolbench.values import NotPlain, plain

OK, ERROR, CRASH, TIMEOUT, DIED = "ok", "error", "crash", "timeout", "died"
NOT_BACK = frozenset({TIMEOUT, DIED})
TOO_LONG = "TooLong"  # the type of the error when an answer is so long that it is not looked at
SKIPPED = "skipped"  # no outcome: the call was not made, since others of its kind did not come back


@dataclass(slots=True)  # not frozen, since that triples the time to make one; nothing changes an outcome
class Outcome:
    """What one call did: `ok` with a value, or `error` (reported by the tool), `crash`, `timeout`, `died`.

    kind: one of the five words. value: a JSON value (for `ok`, and what a reported error returned).
    message: the error's text or the crash's reason. types: the names of a raised exception's classes,
    the nearest first.
    """

    kind: str
    value: Any = None
    message: str = ""
    types: tuple[str, ...] = ()

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields that an agent gets from this outcome; a value that is no mapping is the field `value`."""
        return self.value if isinstance(self.value, dict) else {"value": self.value}


class Ended(Exception):
    """Raised by a tool that runs elsewhere when a call of it did not come back.

    kind: `timeout` or `died`. reason: what is known of it.
    """

    def __init__(self, kind: str, reason: str):
        super().__init__(kind, reason)
        self.kind, self.reason = kind, reason


NO_SUCH_TOOL = Outcome(ERROR, None, "no such tool")


def returned(value: Any) -> Outcome:
    """The outcome of a function that returned: a mapping with an `error` key is a reported error.

    >>> returned({"error": "no such subscriber"}).kind, returned(50).kind, returned({1, 2}).message
    ('error', 'ok', 'returned what no agent could be given: a set has no JSON form')
    """
    try:
        value = plain(value)
    except NotPlain as problem:
        return Outcome(CRASH, None, f"returned what no agent could be given: {problem}")
    except Exception as problem:  # a value may run code of its own while it is read
        return Outcome(CRASH, None, f"returned what cannot be read: {described(problem)}")
    if type(value) is dict and "error" in value:
        return Outcome(ERROR, value, _text(value["error"]))
    return Outcome(OK, value)


def raised(problem: BaseException, kind: str) -> Outcome:
    """The outcome of a function that raised: an error of a declared type, or a crash."""
    types = tuple(base.__name__ for base in type(problem).__mro__ if base is not object)
    message = _text(problem) if kind == ERROR else described(problem)
    return Outcome(kind, None, message, types)


def described(problem: BaseException) -> str:
    """An exception as `Type: text`."""
    text = _text(problem)
    return f"{type(problem).__name__}: {text}" if text else type(problem).__name__


def _text(problem: object) -> str:
    try:
        return str(problem)
    except Exception:
        return "its text cannot be read"
