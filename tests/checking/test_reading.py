"""Reading definitions as they are found in the wild: what is odd is named, what is only unusual is left alone."""

import pytest

import toolbench as tb
from toolbench.checking.nodes import Declaration
from toolbench.checking.reading import of_suite, read
from toolbench.checks import check

TEXT = {"type": "string"}


def python_typed(required=(), /, **properties):
    """A definition in the dialect of benchmarks."""
    parameters = {"type": "dict", "properties": properties, "required": list(required)}
    return {"name": "tool", "description": "Does what it does.", "parameters": parameters}


def mcp(properties, **said):
    schema = {"type": "object", "properties": properties, **said}
    return {"name": "tool", "description": "Does what it does.", "inputSchema": schema}


ODD = {
    "a default of another type": (
        python_typed(shelf={"type": "integer", "default": "12"}),
        ("default-invalid", "/properties/shelf/default"),
    ),
    "a default in words": (
        python_typed(lease={"type": "integer", "optional": "true", "default": "2 weeks"}),
        ("default-invalid", "/properties/lease/default"),
    ),
    "a default of the list at its items": (
        python_typed(spices={"type": "array", "items": {**TEXT, "enum": ["dill", "mace"], "default": ["dill"]}}),
        ("default-invalid", "/properties/spices/items/default"),
    ),
    "a default that is no member": (
        python_typed(genre={**TEXT, "enum": ["Jazz", "Folk"], "default": "Any"}),
        ("default-invalid", "/properties/genre/default"),
    ),
    "an enum of items at the list": (
        python_typed(tags={"type": "array", "items": TEXT, "enum": ["new", "used"]}),
        ("enum-type", "/properties/tags/enum"),
    ),
    "booleans as texts": (
        python_typed(shaded={"type": "boolean", "enum": ["True", "False", "any"]}),
        ("enum-type", "/properties/shaded/enum"),
    ),
    "numbers as texts": (
        python_typed(rooms={"type": "integer", "enum": ["1", "2"]}),
        ("enum-type", "/properties/rooms/enum"),
    ),
    "null by default, and not admitted": (
        python_typed(seal={**TEXT, "default": None}),
        ("default-invalid", "/properties/seal/default"),
    ),
    "the same, beside a title": (
        mcp({"remark": {"default": None, "description": "Optional.", "title": "Remark", **TEXT}}),
        ("default-invalid", "/properties/remark/default"),
    ),
    "None as a text": (
        python_typed(owner={**TEXT, "default": "None", "description": "Whose it is."}),
        ("default-none-text", "/properties/owner/default"),
    ),
    "null as a text": (
        python_typed(owner={**TEXT, "default": "null", "description": "Whose it is."}),
        ("default-none-text", "/properties/owner/default"),
    ),
    "required by another name": (
        mcp({"interval": TEXT, "within_an_hour": {"type": "boolean"}}, required=["interval", "hourly"]),
        ("undeclared-required", "/required"),
    ),
    "a type by another name": (
        mcp({"archive": {"to_keep": "boolean", "description": "Whether to keep it."}}),
        ("misspelt-keyword", "/properties/archive/to_keep"),
    ),
    "an odd type within a list": (
        mcp({"stops": {"type": "array", "items": {"type": "object", "properties": {"at": {"type": "hour"}}}}}),
        ("invalid-schema", "/properties/stops/items/properties/at/type"),
    ),
    "required within a list by another name": (
        mcp({"stops": {"type": "array", "items": {"type": "object", "properties": {"at": TEXT}, "required": ["on"]}}}),
        ("undeclared-required", "/properties/stops/items/required"),
    ),
    "required as a flag": (
        mcp({"at": {**TEXT, "required": True}}),
        ("invalid-schema", "/properties/at/required"),
    ),
}
UNUSUAL = {
    "required, with a default": python_typed(["port"], port={"type": "integer", "default": 8080}),
    "a name beyond ASCII": python_typed(straße={"type": "integer", "default": 1}),
    "a name that is no identifier": python_typed(head={"type": "dict", "properties": {"Accept-Language": TEXT}}),
    "an object without properties": python_typed(extra={"type": "dict", "description": "More of it."}),
    "a format": python_typed(["day"], day={**TEXT, "format": "date"}),
    "a dotted name": {**python_typed(at={"type": "array", "items": {"type": "float"}}), "name": "map.distance"},
    "types of another language": python_typed(["ids"], ids={"type": "ArrayList", "items": {"type": "long"}}),
    "no fields, and no required": mcp({}),
    "an older draft, and an output": {
        **mcp(
            {"changes": {"type": "array", "items": mcp({"old": TEXT})["inputSchema"]}, "dry": {"type": "boolean"}},
            **{"$schema": "http://json-schema.org/draft-07/schema#"},
        ),
        "outputSchema": {"$schema": "http://json-schema.org/draft-07/schema#", **mcp({"said": TEXT})["inputSchema"]},
    },
    "alternatives": mcp(
        {
            "value": {"oneOf": [TEXT, {"type": "number"}]},
            "state": {"type": ["string", "null"], "enum": ["open", "shut", None]},
            "either": {"anyOf": [{"type": "array", "items": TEXT, "minItems": 1}, {"type": "null"}], "default": None},
        }
    ),
    "strict, and closed": {
        "type": "function",
        "function": {
            "name": "tool",
            "description": "Does what it does.",
            "strict": True,
            "parameters": {
                "type": "object",
                "$defs": {
                    "Part": {
                        "type": "object",
                        "properties": {"sku": TEXT, "n": {"type": "integer", "default": 1}},
                        "required": ["sku", "n"],
                        "additionalProperties": False,
                    }
                },
                "properties": {
                    "parts": {"type": "array", "items": {"$ref": "#/$defs/Part"}},
                    "pace": {**TEXT, "enum": ["fast", "slow"], "default": "slow"},
                    "note": {"anyOf": [TEXT, {"type": "null"}]},
                },
                "required": ["parts", "pace", "note"],
                "additionalProperties": False,
            },
        },
    },
}


@pytest.mark.parametrize("oddity", ODD)
def test_what_is_odd_is_named(oddity):
    """By the code and at the place that name it, and nothing else counts."""
    definition, expected = ODD[oddity]
    assert {(f.code, f.pointer) for f in check(definition).findings if f.counts} == {expected}


@pytest.mark.parametrize("shape", UNUSUAL)
def test_what_is_only_unusual_is_left_alone(shape):
    """Nothing from warning up."""
    assert [f for f in check(UNUSUAL[shape]).findings if f.counts] == []


@pytest.mark.parametrize("default", ["end of day", "out of stock", "to be decided"])
def test_a_short_default_is_a_value(default):
    """A few words that a field may well hold."""
    assert [f for f in check(python_typed(x={**TEXT, "default": default})).findings if f.counts] == []


def test_a_default_of_one_word_that_its_description_has_too_is_a_value():
    """A sentence has more words."""
    schema = {**TEXT, "default": "name", "description": "Name"}
    assert [f for f in check(python_typed(x=schema)).findings if f.counts] == []


def test_a_declared_output_is_read_too():
    """Its places begin with its own name."""
    output = {"type": "object", "properties": {"x": {"type": "array"}, "y": {"type": "text"}}}
    definition = tb.Definition("tool", {"type": "object"}, "Does.", output_schema=output)
    said = {(f.code, f.pointer) for f in read(Declaration(definition), None)}
    assert ("items-missing", "/outputSchema/properties/x") in said
    assert ("invalid-schema", "/outputSchema/properties/y/type") in said
    array = tb.Definition("tool", {"type": "object"}, "Does.", output_schema={"type": "array", "items": TEXT})
    assert [f for f in read(Declaration(array), None) if f.counts] == []


def test_cases_are_held_against_the_declaration():
    """Those that are to be answered; one that expects an error may well break it."""
    definition = tb.Definition("tool", {"type": "object", "properties": {"x": TEXT}, "required": ["x"]}, "Does.")
    cases = [
        tb.Case(id="wrong", tool="tool", arguments={"x": 1}, output=1),
        tb.Case(id="refused", tool="tool", arguments={"x": 1}, error=True),
        tb.Case(id="right", tool="tool", arguments={"x": "1"}, output=1),
    ]
    scenario = tb.Scenario(name="cases", tools=[tb.Tool(definition, lambda x: 1)], cases=cases)
    [finding] = of_suite(Declaration(definition), scenario)
    assert (finding.code, finding.input) == ("case-refused", {"x": 1})
    assert "case wrong" in finding.seen
