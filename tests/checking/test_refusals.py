"""What is refused or taken against the declaration."""

import pytest

import toolbench as tb
from tests.checking.made_up import checked_here

TEXTS = {"type": "array", "items": {"type": "string"}}


def checked(function, x, required=("x",), **said):
    schema = {"type": "object", "properties": {"x": x}, "required": list(required)}
    definition = tb.Definition("t", schema, "Does.", **said)
    findings = checked_here(tb.Scenario(name="t", tools=[tb.Tool(definition, function)])).findings
    return {finding.code: finding for finding in findings}


def counts(x):
    if not isinstance(x, list):
        raise ValueError("x is a list")
    return {"n": len(x)}


def test_a_test_for_the_declared_type_is_none_for_another():
    """The function asks for a list, and a list is declared; what is in it was not asked for."""
    assert "undeclared-type" not in checked(counts, TEXTS)


def splits(x):
    return {"n": len(x.split(",") if isinstance(x, str) else x)}


@pytest.mark.parametrize(
    ("schema", "required", "strict", "severity"),
    [
        (TEXTS, ("x",), False, "warning"),
        (TEXTS, (), False, "note"),
        (TEXTS, ("x",), True, None),
        ({"anyOf": [TEXTS, {"type": "string"}]}, ("x",), False, None),
    ],
)
def test_a_type_that_is_taken_and_not_declared(schema, required, strict, severity):
    """A note where the field may be left out; in strict mode it is none of the tool's doing."""
    found = checked(splits, schema, required, strict=strict)
    assert getattr(found.get("undeclared-type"), "severity", None) == severity


def none_or_text(x=None):
    return {"x": "nothing" if x is None else x.upper()}


def test_null_beside_a_field_that_may_be_left_out_is_no_other_type():
    """Leaving it out says the same."""
    assert "undeclared-type" not in checked(none_or_text, {"type": "string"}, ())


def only_known(x):
    if x not in {"a", "b"}:
        raise tb.ToolError(f"x is a or b, not {x}")
    return {"x": x}


def refuses_all(x):
    raise tb.ToolError("no")


def test_a_declared_choice_that_is_refused_is_named():
    """With the value; where every choice is refused, it may be for another reason."""
    found = checked(only_known, {"enum": ["a", "b", "c"]})
    assert found["enum-refused"].input == {"x": "c"} and '"c"' in found["enum-refused"].seen
    assert "enum-refused" not in checked(only_known, {"enum": ["a", "b"]})
    assert "enum-refused" not in checked(refuses_all, {"enum": ["a", "b"]})
