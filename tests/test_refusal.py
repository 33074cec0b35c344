"""What an agent's host says of arguments that do not fit a declaration."""

import pytest

import toolbench as tb
from toolbench.errors import SchemaError
from toolbench.refusal import refusal

NOTE = tb.Definition(
    "note", {"properties": {"content": {"type": "string"}, "wing": {"type": "string"}}, "required": ["content", "wing"]}
)
CLOSED = tb.Definition("pack", {"properties": {"boxes": {"type": "integer"}}, "additionalProperties": False})


@pytest.mark.parametrize(
    ("definition", "arguments", "text"),
    [
        (NOTE, {"content": "tea", "wing": "w"}, None),
        (NOTE, {"content": "tea", "wing": "w", "mood": "good"}, None),
        (NOTE, {"wing": "w", "text": "tea"}, "unknown field 'text': did you mean 'content'? missing field 'content'"),
        (NOTE, {}, "missing field 'content'; missing field 'wing'"),
        (CLOSED, {"boxs": 1}, "unknown field 'boxs': did you mean 'boxes'?"),
        (CLOSED, {"boxes": "1"}, 'field \'boxes\': "1" is not of type "integer"'),
        (CLOSED, {"boxes": {1}}, "the arguments are no JSON: a set has no JSON form"),
    ],
)
def test_a_refusal_names_all_that_is_wrong(definition, arguments, text):
    """The field that was sent under a wrong name stands beside the one that is missing."""
    assert refusal(definition, arguments) == text


@pytest.mark.parametrize(
    "schema", [{"properties": {"a": {"$ref": "#/$defs/None"}}}, {"properties": {"a": {"pattern": "("}}}]
)
def test_a_declaration_that_cannot_be_used_is_an_error_of_its_own(schema):
    """It is not the caller's fault, so that it is no refusal."""
    with pytest.raises(SchemaError, match="tool broken: not valid JSON Schema"):
        refusal(tb.Definition("broken", schema), {"a": 1})
