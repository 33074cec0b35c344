"""What a docstring says of a tool and of its parameters, in the styles of Google, NumPy and reST (or epydoc).

docstring_parser reads the sections on parameters. It loses them without a word over a blank line or a missing
indentation, so the text is cut into its parts and put right before. What still cannot be read is named as unread.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docstring_parser import DocstringStyle

PROSE, GOOGLE, NUMPY, FIELDS, OTHER = "prose", "google", "numpy", "fields", "other"
ASKED = "Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments|Other Parameters|Other Args"
TOLD = (
    "Returns?|Yields?|Receives|Raises?|Exceptions?|Except|Warns|Examples?|Attributes|Methods|See Also|References|Todo"
)
HEADING = re.compile(rf"(?:({ASKED})|({TOLD})):\s*$")
RULED = re.compile(rf"(?:({ASKED})|({TOLD}))\s*$")
RULE = re.compile(r"[-=~]{3,}\s*$")
FIELD = re.compile(
    r"[:@](?:(param|parameter|arg|argument|key|keyword|kwarg)\s+(?:.*?[\s\\*])??(\w+)\s*"
    r"|(?:type|vartype|returns?|rtype|raises?|except|exception|yields?|ytype|var|ivar|cvar)\b[^:]*)(?::\s|:$)"
)
ENTRY = re.compile(r"(?:[-*+]\s+)?[`*\\]*(\w+)`*\s*(?:\(.*?\)\s*)?:(?!:)[ \t]*")

DASHED = re.compile(r"[`*\\]*(\w+)`*\s*(?:\(.*?\)\s*)?\s[-\u2013\u2014]{1,2}\s+")


@dataclass(frozen=True)
class Said:
    """What a docstring says: the tool's description, and its parameters' by name.

    unread: parameters that it plainly mentions, of which no description could be read. strangers: names that it
    describes as parameters and that are none.
    """

    description: str = ""
    parameters: dict[str, str] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()


def read_docstring(text: str, declared: Iterable[str], undeclared: Iterable[str] = ()) -> Said:
    """What a docstring, as `inspect.getdoc` gives it, says of a function with these parameters.

    undeclared: parameters that may be described and are shown to nobody.

    >>> said = read_docstring("Ship it.\\n\\nArgs:\\n\\n    to: Where to.\\n\\nReturns:\\n    A number.", ["to"])
    >>> said.description, said.parameters
    ('Ship it.', {'to': 'Where to.'})
    """
    names, others = list(declared), set(undeclared)
    parts = list(_parts(text.splitlines(), {*names, *others}))
    found: dict[str, str] = {}
    for kind, lines in parts:
        if kind in (GOOGLE, NUMPY, FIELDS):
            found.update((name, said) for name, said in _described(kind, lines, names) if said or name not in found)
    unread = tuple(name for name in names if not found.get(name) and _is_mentioned(name, text))
    strangers = tuple(name for name in found if name not in names and name not in others)
    prose = "\n".join(line for kind, lines in parts if kind == PROSE for line in lines)
    return Said(_paragraphs(prose), {name: found[name] for name in names if found.get(name)}, unread, strangers)


def _paragraphs(prose: str) -> str:
    """The prose with its first paragraph on one line and single blank lines between the rest."""
    first, *rest = re.split(r"\n\s*\n", prose.strip())
    return "\n\n".join([" ".join(first.split()), *(part.rstrip() for part in rest)])


def _is_mentioned(name: str, text: str) -> bool:
    own = rf"[`*\\]*{re.escape(name)}`*"
    entry = rf"^\s*(?:[-*+]\s+)?{own}\s*(?:\(.*?\)\s*)?:(?!:)"
    return re.search(rf"{entry}|[:@](?:param|arg|key)\w*\s+(?:.*\s)?{own}\s*:", text, re.MULTILINE) is not None


def _parts(lines: list[str], names: set[str]) -> Iterator[tuple[str, list[str]]]:
    """The docstring cut into parts: prose, parameters in one of three styles, and sections of no concern here."""
    at = 0
    while at < len(lines):
        heading, ruled, start = HEADING.match(lines[at]), _ruled(lines, at), at
        if ruled is not None:
            at = _end_of_ruled(lines, at + 2)
            yield (NUMPY if ruled else OTHER), lines[start + 2 : at]
        elif heading is not None:
            at = _end_of_section(lines, at + 1, names if heading[1] else set())
            yield (GOOGLE if heading[1] else OTHER), lines[start + 1 : at]
        elif FIELD.match(lines[at]):
            at = _end_of_field(lines, at + 1)
            yield FIELDS, lines[start:at]
        else:
            at += 1
            yield PROSE, lines[start:at]


def _ruled(lines: list[str], at: int) -> bool | None:
    """Whether a section with a rule under its heading begins here, and is on parameters; None if none begins."""
    match = RULED.match(lines[at])
    if match is None or at + 1 >= len(lines) or not RULE.match(lines[at + 1].strip()):
        return None
    return match[1] is not None


def _end_of_ruled(lines: list[str], at: int) -> int:
    """A section with a rule goes on to the next heading."""
    while at < len(lines):
        other = lines[at].strip() and at + 1 < len(lines) and RULE.match(lines[at + 1])
        if other or HEADING.match(lines[at]) or FIELD.match(lines[at]):
            break
        at += 1
    return at


def _end_of_section(lines: list[str], at: int, names: set[str]) -> int:
    """A section goes on as long as its lines are indented, or nothing is and a parameter of that name follows."""
    first = next((line for line in lines[at:] if line.strip()), "")
    flat = _names(first) & names
    blank = False
    while at < len(lines):
        line = lines[at]
        if line.strip() and not line[0].isspace():
            goes_on = flat and not (blank and not _names(line) & names)
            if not goes_on or HEADING.match(line) or FIELD.match(line) or _ruled(lines, at) is not None:
                break
        blank = not line.strip()
        at += 1
    return at


def _end_of_field(lines: list[str], at: int) -> int:
    """A field goes on over the lines below it, over a blank one only to what is indented."""
    while at < len(lines) and not FIELD.match(lines[at]):
        following = next((line for line in lines[at:] if line.strip()), "")
        if HEADING.match(lines[at]) or (not lines[at].strip() and not following[:1].isspace()):
            break
        at += 1
    return at


def _names(line: str) -> set[str]:
    return {match[1] for match in (ENTRY.match(line.strip()), DASHED.match(line.strip())) if match is not None}


def _described(kind: str, lines: list[str], names: list[str]) -> Iterator[tuple[str, str]]:
    """Names and descriptions of one part on parameters, as docstring_parser reads it."""
    from docstring_parser import DocstringStyle

    if kind == NUMPY:
        body = "\n".join(["Parameters", "----------", *inspect.cleandoc("\n".join(["", *lines])).splitlines()])
        yield from _parsed(body, DocstringStyle.NUMPYDOC)
    elif kind == FIELDS:
        match = FIELD.match(lines[0])
        if match is not None and match[2] is not None:
            rest = [lines[0][match.end() :], *lines[1:]]
            yield from _parsed("\n".join([f":param {match[2]}: {rest[0]}", *rest[1:]]), DocstringStyle.REST)
    else:
        entries = _entries(lines, names)
        if entries:
            yield from _parsed("\n".join(["", "Args:", *entries]), DocstringStyle.GOOGLE)


def _entries(lines: list[str], names: list[str]) -> list[str]:
    """The lines of a section in Google's style, each entry indented by 4 without its type, what belongs to it by 8."""
    block = inspect.cleandoc("\n".join(["", *lines])).splitlines()
    entries: list[str] = []
    for line in block:
        match = None if line[:1].isspace() else ENTRY.match(line)
        dashed = None if line[:1].isspace() else DASHED.match(line)
        if match is None and dashed is not None and dashed[1] in names:
            match = dashed
        if match is not None:
            entries.append(f"    {match[1]}: {line[match.end() :]}")
        elif entries and line.strip():
            entries.append(f"        {line.strip()}")
    return entries


def _parsed(text: str, style: DocstringStyle) -> Iterator[tuple[str, str]]:
    from docstring_parser import ParseError, parse

    try:
        parameters = parse(text, style=style).params
    except ParseError:  # what it names is unread then
        return
    for found in parameters:
        for name in found.arg_name.split(","):
            yield name.strip().lstrip("\\*"), " ".join((found.description or "").split())
