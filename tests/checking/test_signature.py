"""The function against the declaration: needs, defaults, and keys that it reads."""

import functools

import pytest

import toolbench as tb
from toolbench.checking.nodes import Declaration
from toolbench.checking.signature import signature
from toolbench.checking.source import source_of

WHOLE = {"type": "integer"}


def told(function, required=(), /, *, inject=None, strict=False, **properties):
    schema = {"type": "object", "properties": properties, "required": list(required)}
    tool = tb.Tool(tb.Definition("t", schema, "Does.", strict=strict), function, inject=inject)
    return list(signature(Declaration(tool.definition), source_of(tool)))


def keyed(function, *given, **said):
    return [(finding.code, finding.severity, finding.pointer) for finding in told(function, *given, **said)]


def plain(x, y=1):
    return {"x": x, "y": y}


def test_a_function_and_its_declaration_that_agree_say_nothing():
    """What has a default may be left out, and no other may."""
    assert keyed(plain, ["x"], x=WHOLE, y=WHOLE) == []


def test_a_parameter_that_no_call_succeeds_without_is_an_error():
    """One that has a default only stays unknown; its default is told."""
    assert keyed(plain, y=WHOLE) == [("undeclared-parameter", "error", "/properties/x")]
    (finding,) = told(plain, ["x"], x=WHOLE)
    assert (finding.code, finding.severity) == ("undeclared-parameter", "warning")
    assert finding.seen == "the function takes y, which is not declared (by default 1)"


def hidden(x, _cache=None, *, world=None):
    return {"x": x, "cache": _cache, "world": world}


def test_what_is_not_for_an_agent_need_not_be_declared():
    """By its name, by being the world, or bound already."""
    assert keyed(hidden, ["x"], x=WHOLE, inject="world") == []
    assert keyed(functools.partial(plain, y=3), ["x"], x=WHOLE) == []


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({**WHOLE, "default": 1}, []),
        ({**WHOLE, "default": 1.0}, []),
        ({**WHOLE, "default": True}, [("default-differs", "/properties/y/default")]),
        ({**WHOLE, "default": None}, [("default-differs", "/properties/y/default")]),
    ],
)
def test_defaults_are_compared_as_json_values(declared, said):
    """True is not 1, and 1.0 is."""
    assert [(finding.code, finding.pointer) for finding in told(plain, ["x"], x=WHOLE, y=declared)] == said


class Odd:
    def __repr__(self):
        raise ValueError


def own_defaults(a=None, b=Odd(), c=(1, 2)):
    return {"a": a, "b": str(type(b)), "c": c}


def test_a_default_that_says_nothing_to_an_agent_is_not_compared():
    """None stands for what the body does then; what has no JSON form, for itself."""
    fields = {name: {"default": [1, 2]} for name in "abc"}
    assert keyed(own_defaults, **fields) == []
    shown = {finding.pointer[-1]: finding.seen for finding in told(own_defaults)}
    assert shown["b"] == "the function takes b, which is not declared (by default a Odd)"
    assert shown["c"] == "the function takes c, which is not declared (by default [1, 2])"


def test_what_is_required_and_supplied_is_a_note():
    """In strict mode everything is required, and nothing is said of it."""
    assert keyed(plain, ["x", "y"], x=WHOLE, y=WHOLE) == [("required-but-supplied", "note", "/properties/y")]
    assert keyed(plain, ["x", "y"], x=WHOLE, y=WHOLE, strict=True) == []


def over_keys(**given):
    return {"a": given["a"], "b": given.get("b", 2)}


def passes_on(**given):
    return plain(**given)


def test_keys_that_are_read_are_fields():
    """Needed, or by default; one that is never read is ignored, and the others are named beside it."""
    assert keyed(over_keys, ["a"], a=WHOLE, b=WHOLE) == []
    assert keyed(over_keys, a=WHOLE, b=WHOLE) == [("optional-but-needed", "warning", "/properties/a")]
    stranger = {f.code: f for f in told(over_keys, ["a"], a=WHOLE, c=WHOLE)}["ignored-field"]
    assert stranger.pointer == "/properties/c"
    assert stranger.seen == 'the function takes "c" among its other arguments and never reads it; not declared is b'


def test_keys_that_go_elsewhere_may_be_any():
    """Nothing is known of them."""
    assert keyed(passes_on, c=WHOLE) == []


def test_a_field_without_a_parameter_is_an_error():
    """A call with it crashes; what the function takes instead is named."""
    findings = {f.code: f for f in told(plain, ["x"], x=WHOLE, why=WHOLE)}
    assert findings["unknown-field"].pointer == "/properties/why" and findings["unknown-field"].severity == "error"
    assert findings["unknown-field"].seen == 'the function has no parameter "why"; not declared is y'
