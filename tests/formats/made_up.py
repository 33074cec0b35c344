"""JSON values, schemas and definitions made up by Hypothesis, for laws that hold for all of them."""

from hypothesis import strategies as st

import toolbench as tb

FIELDS = st.sampled_from(("at", "limit", "a/b", "größe", "type", "properties"))
SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3)
KEYS = st.sampled_from(
    "name type title description parameters inputSchema input_schema function definition tool tools functions result"
    " properties items anyOf oneOf $ref $schema strict annotations readOnlyHint outputSchema response input_examples"
    " required enum additionalProperties ping".split()
) | st.text(max_size=2)
WORDS = SCALARS | st.sampled_from(("object", "dict", "function", "tuple", "any", "Object", "String[]", "List<int>"))
JSON = st.recursive(WORDS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4))

TYPES = st.sampled_from(("string", "integer", "number", "boolean", "array", "object", "null"))
TYPED = st.sampled_from(("str", "float", "tuple", "any", "Object", "HashMap", "char", "String[]", "List<int>", "odd"))


def schemas(types=TYPES):
    """Schemas of a field, a few levels deep; their type names from `types`."""
    leaf = (
        st.fixed_dictionaries(
            {},
            optional={
                "type": types | st.lists(types, min_size=1, max_size=2),
                "description": st.text(max_size=3),
                "enum": st.lists(SCALARS, min_size=1, max_size=2),
                "default": SCALARS,
                "minLength": st.integers(0, 3),
                "$ref": st.just("#/$defs/part"),
            },
        )
        | st.booleans()
    )
    return st.recursive(leaf, lambda inner: _around(inner, types), max_leaves=8)


def _around(inner, types):
    some = st.lists(inner, min_size=1, max_size=2)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": types,
            "properties": st.dictionaries(FIELDS, inner, max_size=3),
            "required": st.lists(FIELDS, unique=True, max_size=2),
            "items": inner | some,
            "anyOf": some,
            "oneOf": some,
            "allOf": some,
            "additionalProperties": inner,
            "not": inner,
        },
    )


def roots(types=TYPES, root="object"):
    """Schemas of a tool's arguments."""
    return st.fixed_dictionaries(
        {"type": st.just(root), "properties": st.dictionaries(FIELDS, schemas(types), max_size=3)},
        optional={
            "required": st.lists(FIELDS, unique=True, max_size=2),
            "$defs": st.just({"part": {"type": "string"}}),
        },
    )


HINTS = st.none() | st.booleans()
NAMES = st.sampled_from(("ping", "look_up", "two words", "größe", "x" * 65))
DEFINITIONS = st.builds(
    tb.Definition,
    name=NAMES,
    schema=roots(),
    description=st.text(max_size=4),
    side_effect=HINTS,
    destructive=HINTS,
    idempotent=HINTS,
    open_world=HINTS,
    title=st.text(max_size=4),
    output_schema=st.none() | roots(),
    strict=st.booleans(),
    examples=st.lists(st.dictionaries(FIELDS, SCALARS, max_size=2), max_size=2),
)
