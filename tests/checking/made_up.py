"""Schemas made up by Hypothesis, for laws of `check` that hold for all of them; and an executor that starts nothing."""

from concurrent.futures import Future, ThreadPoolExecutor

from hypothesis import strategies as st

import toolbench as tb
from toolbench.execution.kinds import KINDS
from toolbench.execution.work import Observation
from toolbench.mutation.defect import NONE
from toolbench.mutation.engine import Tables
from toolbench.probing.tables import Checking
from toolbench.schema import HOLD_A_LIST, HOLD_BY_NAME, HOLD_ONE

SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=3)
FIELDS = st.sampled_from(("at", "limit", "a/b", "t~x", "größe", "type", "x y", "", "50%"))
REFERENCES = st.sampled_from(("#", "#/$defs/a", "#/$defs/b", "#/properties/at", "#/$defs/none", "#a", "x.json", "%"))
KINDS_OF = st.sampled_from(("string", "integer", "number", "boolean", "array", "object", "null", "text"))
PATTERNS = st.sampled_from(("^a+$", "([", r"^\p{L}$", r"\d{2,}", "(?<=x)y", "(a|a)*b", ""))
NUMBERS = st.integers(-3, 30) | st.floats(-3, 3)
OTHER = (
    "pattern format default examples example enum const required minimum maximum minLength maxLength minItems maxItems "
    "multipleOf description title uniqueItems nullable to_read discription $comment $id $anchor $dynamicRef $schema "
    "dependentRequired exclusiveMinimum"
).split()
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=3), max_leaves=5
)
KEYWORDS = st.sampled_from((*HOLD_BY_NAME, *HOLD_A_LIST, *HOLD_ONE, *OTHER, "type", "$ref"))

# Any JSON value under the keywords of JSON Schema: most of these are no schemas.
WILD = st.recursive(
    SCALARS | REFERENCES | KINDS_OF | PATTERNS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYWORDS | FIELDS, inner, max_size=5),
    max_leaves=15,
)


def _around(inner):
    some = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(FIELDS, inner, max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": KINDS_OF,
            "properties": named,
            "required": st.lists(FIELDS, unique=True, max_size=2),
            "items": inner,
            "prefixItems": some,
            "anyOf": some,
            "oneOf": some,
            "allOf": some,
            "additionalProperties": inner,
            "patternProperties": st.dictionaries(PATTERNS, inner, max_size=2),
            "not": inner,
            "if": inner,
            "then": inner,
            "$ref": REFERENCES,
            "enum": st.lists(JSON, max_size=3),
            "default": JSON,
            "examples": st.lists(JSON, max_size=2),
            "pattern": PATTERNS,
            "format": st.sampled_from(("date", "uri", "colour")),
            "minLength": st.integers(0, 30),
            "maxLength": st.integers(0, 30),
            "minimum": NUMBERS,
            "maximum": NUMBERS,
            "multipleOf": st.sampled_from((1, 2, 0.5, 0.1, 7)),
            "minItems": st.integers(0, 4),
            "maxItems": st.integers(0, 4),
            "uniqueItems": st.booleans(),
            "description": st.text(max_size=3),
        },
    )


# Schemas whose keywords mostly have values of the right kind.
TIDY = st.recursive(st.booleans() | st.fixed_dictionaries({"type": KINDS_OF}), _around, max_leaves=10)


def roots(inner):
    """Schemas of a tool's arguments."""
    return st.fixed_dictionaries(
        {"properties": st.dictionaries(FIELDS, inner, max_size=3)},
        optional={
            "type": st.just("object"),
            "required": st.lists(FIELDS, unique=True, max_size=2),
            "$defs": st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
            "additionalProperties": st.booleans(),
        },
    )


DEFINITIONS = st.builds(
    tb.Definition,
    name=st.text(min_size=1, max_size=5),
    schema=roots(WILD | TIDY),
    description=st.text(max_size=4),
    side_effect=st.none() | st.booleans(),
    idempotent=st.none() | st.booleans(),
    output_schema=st.none() | roots(WILD | TIDY),
    strict=st.booleans(),
    examples=st.lists(st.dictionaries(FIELDS, JSON, max_size=2), max_size=2),
)


class Here:
    """An executor that does its work in this process, at once: for tools that do no harm."""

    width = 1

    def __init__(self, scenario, defects=()):
        self.tables = Tables(scenario, tuple(defects))
        self.works = []

    def submit(self, work):
        self.works.append(work)
        table, landing = self.tables.table(work.table)

        def rows():
            return list(KINDS[work.layer].run(self.tables, table, work.units, work.given))

        future = Future()
        with ThreadPoolExecutor(1) as thread:  # Hypothesis does not draw within a test of its own
            future.set_result(Observation(thread.submit(rows).result(), landing.hits, landing.missed))
        return future


def checked_here(scenario, *, probe_all=True):
    """What checking the defect-free table gives, without a process of its own."""
    tools = {NONE: list(scenario.table.values())}
    return Checking(scenario, tools, Here(scenario), probe_all=probe_all).results()[NONE]
