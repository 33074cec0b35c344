"""What an error's message complains of: a field that is missing, or that nobody expected."""

from __future__ import annotations

import re

LINE = r"(?:^|\n|\\n)"  # messages are shown with their line ends written out
MISSING = re.compile(  # as validators of arguments put it
    rf"{LINE}(\w+){LINE}\s+(?:Field required|Missing required|Unexpected keyword)"
    r"|[Mm]issing (?:a )?required (?:keyword-only )?(?:argument|parameter|field|property|value)s?:?\s*['\"`]?(\w+)"
    r"|['\"`]?(\w+)['\"`]? is (?:a )?required(?: (?:property|field|argument|parameter))?\b"
    r"|\[\s*\\?\"(\w+)\\?\"\s*\]\W+(?:\\n)?\W*message\W+(?:Required|Invalid input: expected \w+, received undefined)",
)
QUOTED_NAME = re.compile(r"['\"`]([^'\"`]{1,60})['\"`]")
ABOUT_NAMES = re.compile(
    r"(?:unexpected|unknown|missing|required|no such)\W+(?:\w+\W+){0,3}?(?:field|parameter|argument|key|property)",
    re.IGNORECASE,
)


def complained_of(message: str) -> str:
    """The field whose absence or presence a message complains of; empty if it does of none.

    >>> complained_of("Missing required argument: zone"), complained_of("no such zone")
    ('zone', '')
    """
    for pattern in (MISSING, QUOTED_NAME if ABOUT_NAMES.search(message) else None):
        found = None if pattern is None else pattern.search(message)
        if found is not None:
            return next(group for group in found.groups() if group is not None)
    return ""
