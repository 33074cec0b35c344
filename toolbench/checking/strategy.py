"""A Hypothesis strategy over a stated set of JSON Schema keywords; a keyword outside of it is named, never ignored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from toolbench.checking.examples import is_of
from toolbench.checking.nodes import target
from toolbench.pointers import pointer_to

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

ANNOTATIONS = frozenset(
    "title description default examples deprecated readOnly writeOnly $comment $schema $id $anchor $defs definitions "
    "contentEncoding contentMediaType contentSchema example".split()
)
BY_TYPE: Mapping[str, frozenset[str]] = {
    "string": frozenset({"minLength", "maxLength", "pattern", "format"}),
    "integer": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
    "boolean": frozenset(),
    "null": frozenset(),
    "array": frozenset({"items", "prefixItems", "minItems", "maxItems", "uniqueItems"}),
    "object": frozenset({"properties", "required", "additionalProperties", "minProperties", "maxProperties"}),
}
DRAWN = frozenset({"type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"}).union(*BY_TYPE.values())
FORMATS: Mapping[str, tuple[str, ...]] = {
    "date": ("2024-02-29", "1999-12-31", "2026-01-01"),
    "date-time": ("2024-02-29T12:00:00Z", "1999-12-31T23:59:59+01:00"),
    "time": ("00:00:00Z", "23:59:59Z"),
    "email": ("ada@example.com", "a.b+c@example.org"),
    "uri": ("https://example.com/a?b=c", "urn:isbn:0451450523"),
    "url": ("https://example.com/a?b=c", "http://example.org/"),
    "hostname": ("example.com", "localhost"),
    "ipv4": ("127.0.0.1", "192.0.2.1"),
    "ipv6": ("::1", "2001:db8::1"),
    "uuid": ("00000000-0000-4000-8000-000000000000", "123e4567-e89b-42d3-a456-426614174000"),
}
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,:;/'\"äß→"
ASCII = "".join(map(chr, range(32, 127)))
MOST_MEMBERS = 50
LONGEST = 12
DEEPEST = 6


class NotDrawn(Exception):
    """A schema of which no value can be drawn; its text says why."""


def not_drawn(schema: Any, root: Any) -> Iterator[tuple[str, str]]:
    """The keywords that the strategy does not know, each with its place; and formats of which it has no value.

    >>> list(not_drawn({"type": "object", "not": {"required": ["a"]}}, {}))
    [('', 'not')]
    """
    waiting, seen = [("", schema)], set()
    while waiting:
        pointer, inner = waiting.pop(0)
        if not isinstance(inner, Mapping) or id(inner) in seen:
            continue
        seen.add(id(inner))
        for keyword, value in inner.items():
            if keyword == "format" and str(value) not in FORMATS and "string" in _types(inner):
                yield pointer, f"format {value}"
            elif keyword not in DRAWN and keyword not in ANNOTATIONS and not keyword.startswith("x-"):
                yield pointer, keyword
        for name, field in _mapping(inner.get("properties")).items():
            waiting.append((pointer + pointer_to("properties", name), field))
        waiting += [(f"{pointer}/{keyword}", inner.get(keyword)) for keyword in ("items", "additionalProperties")]
        for keyword in ("anyOf", "oneOf", "allOf", "prefixItems"):
            given = inner.get(keyword)
            waiting += [
                (f"{pointer}/{keyword}/{i}", one) for i, one in enumerate(given if isinstance(given, list) else ())
            ]
        if isinstance(inner.get("$ref"), str):
            waiting.append((pointer, target(inner["$ref"], root)))


def strategy(schema: Any, root: Any = None) -> SearchStrategy[Any]:
    """A strategy for the values that a schema admits, by the keywords in `DRAWN`.

    root: the schema that references are looked up in, by default the schema itself. What other keywords would refuse
    may be drawn, so check each value. NotDrawn where there is no value to draw.
    """
    return _strategy(schema, schema if root is None else root, 0)


def _strategy(schema: Any, root: Any, depth: int) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    if schema is True or schema is None:
        schema = {}
    if not isinstance(schema, Mapping):
        raise NotDrawn("the schema admits nothing")
    if depth > DEEPEST:
        raise NotDrawn(f"it goes on for more than {DEEPEST} levels")
    if "const" in schema:
        return st.just(schema["const"])
    if isinstance(schema.get("enum"), list):
        members = [value for value in schema["enum"] if not schema.get("type") or is_of(value, _types(schema))]
        if not members:
            raise NotDrawn("its enum has no member of its type")
        return st.sampled_from(members[:MOST_MEMBERS])
    if isinstance(schema.get("$ref"), str):
        found = target(schema["$ref"], root)
        if found is None:
            raise NotDrawn(f"its reference {schema['$ref'][:80]} leads to nothing")
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        return _strategy({**found, **beside} if isinstance(found, Mapping) else found, root, depth + 1)
    if isinstance(schema.get("allOf"), list):
        return _strategy(_merged(schema, root), root, depth + 1)
    for keyword in ("anyOf", "oneOf"):
        if isinstance(schema.get(keyword), list):
            rest = {key: value for key, value in schema.items() if key not in (keyword, "default", "examples")}
            return _any([_joined(rest, option) for option in schema[keyword]], root, depth + 1)
    return _any([{**schema, "type": kind} for kind in _types(schema)], root, depth, of_types=True)


def _any(options: list[Any], root: Any, depth: int, *, of_types: bool = False) -> SearchStrategy[Any]:
    """One of several, as far as they can be drawn."""
    from hypothesis import strategies as st
    from hypothesis.errors import HypothesisException

    made, why = [], "it has no alternatives"
    for option in options:
        try:
            one = _of_type(option, root, depth) if of_types else _strategy(option, root, depth)
            one.validate()
            made.append(one)
        except (NotDrawn, HypothesisException) as problem:
            why = str(problem)
    if not made:
        raise NotDrawn(why)
    return st.one_of(made)


def _types(schema: Mapping[str, Any]) -> list[str]:
    """The types that a schema admits: those named, or those that its other keywords are about, or the scalar ones."""
    said = schema.get("type")
    if isinstance(said, str):
        return [said]
    if isinstance(said, list):
        return [one for one in said if isinstance(one, str)]
    meant = [kind for kind, keywords in BY_TYPE.items() if keywords & set(schema)]
    return meant or ["string", "integer", "number", "boolean", "null"]


def _joined(rest: Mapping[str, Any], option: Any) -> Any:
    if not isinstance(option, Mapping) or not rest:
        return option
    properties = {**_mapping(rest.get("properties")), **_mapping(option.get("properties"))}
    required = [*(rest.get("required") or ()), *(option.get("required") or ())]
    joined = {**rest, **option}
    return {
        **joined,
        **({"properties": properties} if properties else {}),
        **({"required": required} if required else {}),
    }


def _merged(schema: Mapping[str, Any], root: Any) -> Any:
    merged: Any = {key: value for key, value in schema.items() if key != "allOf"}
    for option in schema["allOf"]:
        if isinstance(option, Mapping) and isinstance(option.get("$ref"), str):
            option = target(option["$ref"], root)
        merged = _joined(merged, option) if isinstance(option, Mapping) else merged
    return merged


def _of_type(schema: Mapping[str, Any], root: Any, depth: int) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    kind = schema["type"]
    if kind == "string":
        return _text(schema)
    if kind in ("integer", "number"):
        return _number(schema, whole=kind == "integer")
    if kind == "boolean":
        return st.booleans()
    if kind == "null":
        return st.none()
    if kind == "array":
        return _array(schema, root, depth)
    if kind == "object":
        return _object(schema, root, depth)
    raise NotDrawn(f"its type {str(kind)[:40]} is none of JSON Schema's")


def _text(schema: Mapping[str, Any]) -> SearchStrategy[str]:
    from hypothesis import strategies as st

    least = _count(schema.get("minLength"), 0)
    most = _count(schema.get("maxLength"), max(least, LONGEST))
    if least > most:
        raise NotDrawn("no text is so short and so long")
    if isinstance(schema.get("pattern"), str):
        import re

        try:
            re.compile(schema["pattern"])  # the strategy itself would find out when it draws
            texts = st.from_regex(schema["pattern"], alphabet=ASCII)
            return texts.filter(lambda text: least <= len(text) <= max(most, least))
        except (re.error, ValueError, OverflowError, RecursionError) as problem:
            raise NotDrawn(f"its pattern cannot be read: {problem}") from None
    if str(schema.get("format")) in FORMATS:
        return st.sampled_from(FORMATS[str(schema["format"])])
    return st.text(alphabet=LETTERS, min_size=least, max_size=min(most, least + LONGEST))


def _number(schema: Mapping[str, Any], *, whole: bool) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    step = schema.get("multipleOf")
    low, high = _bound(schema, "inimum", max), _bound(schema, "aximum", min)
    least = -100 if low is None and high is None else low if low is not None else high - 200
    most = max(100, least + 200) if high is None else high
    if least > most:
        raise NotDrawn("no number lies within its bounds")
    if isinstance(step, int | float) and step > 0:
        first, last = -(-least // step), most // step
        if first > last:
            raise NotDrawn("no multiple lies within its bounds")
        return st.integers(int(first), int(last)).map(
            lambda n: int(n * step) if whole or n * step == int(n * step) else n * step
        )
    if whole:
        first, last = -int(-least // 1), int(most // 1)
        if first > last:
            raise NotDrawn("no whole number lies within its bounds")
        return st.integers(first, last)
    return st.one_of(
        st.floats(least, most), st.integers(-int(-least // 1), int(most // 1)) if most - least >= 1 else st.nothing()
    )


def _bound(schema: Mapping[str, Any], end: str, narrowest: Any) -> Any:
    """The narrowest of a bound and its exclusive form, whose own value is drawn too, and refused when it is checked."""
    prefix = "m" + end
    given = [schema.get(prefix), schema.get(f"exclusive{prefix[0].upper()}{prefix[1:]}")]
    known = [bound for bound in given if isinstance(bound, int | float) and not isinstance(bound, bool)]
    return narrowest(known) if known else None


def _array(schema: Mapping[str, Any], root: Any, depth: int) -> SearchStrategy[list[Any]]:
    from hypothesis import strategies as st

    prefix = schema.get("prefixItems", [])
    first = [_strategy(one, root, depth + 1) for one in prefix] if isinstance(prefix, list) else []
    least = max(0, _count(schema.get("minItems"), 0) - len(first))
    most = min(_count(schema.get("maxItems"), least + 3 + len(first)), least + 3 + len(first)) - len(first)
    try:
        items = _strategy(schema.get("items"), root, depth + 1) if schema.get("items") is not False else st.nothing()
    except NotDrawn:
        items = st.nothing()
    if items.is_empty:
        if least:
            raise NotDrawn("its items cannot be drawn")
        rest: SearchStrategy[list[Any]] = st.just([])
    elif schema.get("uniqueItems") is True:
        rest = st.lists(items, min_size=least, max_size=max(least, most), unique_by=repr)
    else:
        rest = st.lists(items, min_size=least, max_size=max(least, most))
    return st.tuples(st.tuples(*first), rest).map(lambda parts: [*parts[0], *parts[1]])


def _object(schema: Mapping[str, Any], root: Any, depth: int) -> SearchStrategy[dict[str, Any]]:
    from hypothesis import strategies as st

    required = [name for name in schema.get("required") or () if isinstance(name, str)]
    needed: dict[str, SearchStrategy[Any]] = {}
    optional: dict[str, SearchStrategy[Any]] = {}
    for name, inner in _mapping(schema.get("properties")).items():
        try:
            (needed if name in required else optional)[name] = _strategy(inner, root, depth + 1)
        except NotDrawn:
            if name in required:
                raise
    extra = schema.get("additionalProperties")
    for name in required:
        if name not in needed:
            needed[name] = _strategy(extra if isinstance(extra, Mapping) else {}, root, depth + 1)
    if not needed and not optional and isinstance(extra, Mapping):
        return st.dictionaries(st.text("abc", min_size=1, max_size=3), _strategy(extra, root, depth + 1), max_size=3)
    return st.fixed_dictionaries(needed, optional=optional)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _count(value: Any, otherwise: int) -> int:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else otherwise
