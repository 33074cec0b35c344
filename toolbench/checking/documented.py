"""What a description says of a field's values: examples that it gives, and the form that it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from toolbench.checking.nodes import Declaration

MOST_TEXT = 4000
MOST_EXAMPLES = 8
QUOTED = re.compile(r"""(?<![\w'"`])(?:'([^'\n]{1,80})'|"([^"\n]{1,80})"|`([^`\n]{1,80})`)(?![\w])""")
SHOWN = re.compile(
    r"(?:\be\.g\.|\bex\.|\bfor example|\bexamples?\b|\bsuch as|\bfor instance)[\s:,]*\(?\s*"
    r"([^\s'\"`,;()<>{}\[\]]{2,60})",
    re.IGNORECASE,
)
NOT_EXAMPLES = re.compile(
    r"(?:\bnot|\bnever|\bno longer|\bwithout|\bavoid|\bdon't|\bcannot)\W+(?:\w+\W+){0,2}$", re.IGNORECASE
)
OF_OTHERS = re.compile(r"(?:parameter|field|argument|option|tool|see|call|use|run)s?\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class Form:
    """A form that texts may have. told: how names and descriptions tell of it. samples: texts of it, and nonsense:
    texts that are none of it."""

    noun: str
    told: re.Pattern[str]
    formats: frozenset[str]
    samples: tuple[str, ...]
    nonsense: tuple[str, ...]


def _form(noun: str, told: str, formats: str, samples: tuple[str, ...], *nonsense: str) -> Form:
    return Form(noun, re.compile(told, re.IGNORECASE), frozenset(formats.split()), samples, nonsense)


DATE = r"\b(?:dates?|timestamps?|datetimes?|ISO[- ]?8601|YYYY)\b|(?:^|_)(?:date|timestamp|datetime)(?:$|_)"
FORMS = (
    _form(
        "time zone",
        r"\btime ?zones?\b|(?:^|_)(?:tz|timezone)$|\bIANA\b",
        "",
        ("Etc/UTC", "Asia/Tokyo"),
        "Nowhere/Never",
        "no such zone",
    ),
    _form("date", DATE, "date date-time", ("2024-02-29", "2037-12-31", "1971-01-01"), "no date at all", "2024-13-45"),
    _form("time of day", r"\bHH:MM\b|\b24-hour\b|^time$", "time", ("10:30", "23:59"), "no time at all", "25:61"),
    _form("email address", r"\be-?mail(?: address)?\b|(?:^|_)email$", "email", ("a@example.com",), "no address at all"),
    _form("URL", r"\bURLs?\b|\bhttps?://|(?:^|_)ur[il]$", "uri iri", ("https://example.com/",), "no address at all"),
    _form("UUID", r"\bUUIDs?\b", "uuid", ("3f2b8c1e-9a4d-4b6f-8e2a-1c5d7f9b0a3e",), "no-uuid-at-all"),
)


def examples_of(declaration: Declaration, name: str) -> list[Any]:
    """The values that descriptions give as examples of a field, as its type has them; at most a few.

    Of a field's own description every quoted word counts, and what stands behind "e.g." and the like; of the tool's,
    what stands quoted right behind the field's name.
    """
    schema = declaration.field(name)
    types = _types(schema)
    told = schema.get("description")
    own = told[:MOST_TEXT] if isinstance(told, str) else ""
    line = _line_of(name, declaration)
    texts = [*_quoted(own, declaration), *_shown(own), *_quoted(line, declaration), *_shown(line)]
    texts += _behind_name(name, declaration.definition.description[:MOST_TEXT])
    values: dict[str, Any] = {}
    for text in texts:
        for value in _as(text, types):
            values.setdefault(repr(value), value)
    return list(values.values())[:MOST_EXAMPLES]


def told_values(declaration: Declaration, name: str) -> list[Any]:
    """The examples of a field, and samples of the form that it is said to have."""
    form = form_of(declaration, name)
    return [*examples_of(declaration, name), *(() if form is None else form.samples)]


def form_of(declaration: Declaration, name: str) -> Form | None:
    """The form that a field of text is said to have, by its format, its name or its description; None if none."""
    schema = declaration.field(name)
    if "string" not in _types(schema) or {"enum", "const", "pattern"} & set(schema):
        return None
    said = schema.get("description")
    told = f"{said[:MOST_TEXT] if isinstance(said, str) else ''}\n{_line_of(name, declaration)}"
    options = [schema, *_options(schema)]
    for form in FORMS:
        if any(option.get("format") in form.formats for option in options) or form.told.search(name):
            return form
    found = [(match.start(), form) for form in FORMS if (match := form.told.search(told))]
    return min(found, key=lambda pair: pair[0])[1] if found else None


def _options(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for keyword in ("anyOf", "oneOf"):
        given = schema.get(keyword)
        yield from (one for one in given if isinstance(one, Mapping)) if isinstance(given, list) else ()


def _types(schema: Mapping[str, Any]) -> set[str]:
    said: set[str] = set()
    for option in (schema, *_options(schema)):
        given = option.get("type")
        said |= {one for one in (given if isinstance(given, list) else [given]) if isinstance(one, str)}
    return said


def _quoted(text: str, declaration: Declaration) -> Iterator[str]:
    """What stands in quotes and is no name of a field, and nothing that is warned of."""
    for found in QUOTED.finditer(text):
        inner = next(group for group in found.groups() if group is not None)
        before = text[: found.start()]
        if len(inner) < 2 and not inner.isdigit():
            continue
        if inner in declaration.fields or NOT_EXAMPLES.search(before) or OF_OTHERS.search(before):
            continue
        yield inner


def _line_of(name: str, declaration: Declaration) -> str:
    """What the tool's description says of a field in a line of its own, as docstrings do."""
    text = declaration.definition.description[:MOST_TEXT]
    named = rf"^\s*[-*:]?\s*(?:param\s+)?`?{re.escape(name)}`?\s*(?:\([^)\n]*\))?\s*(?::|--?)\s*(.+)$"
    found = re.search(named, text, re.MULTILINE)
    return found.group(1) if found else ""


def _behind_name(name: str, text: str) -> Iterator[str]:
    for found in re.finditer(rf"\b{re.escape(name)}\b['\"`]?\s*[:=]\s*(?=['\"`])", text):
        if inner := QUOTED.match(text, found.end()):
            yield next(group for group in inner.groups() if group is not None)


def _shown(text: str) -> Iterator[str]:
    """What stands behind "e.g." and the like, without quotes."""
    return (found.group(1).rstrip(".:") for found in SHOWN.finditer(text))


def _as(text: str, types: set[str]) -> Iterator[Any]:
    """A text as a value of the types."""
    if "string" in types or not types:
        yield text
    if types & {"integer", "number"}:
        try:
            number = float(text)
        except ValueError:
            return
        if number.is_integer():
            yield int(number)
        elif "number" in types:
            yield number
