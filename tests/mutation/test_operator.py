"""Every operator proves itself by its own examples."""

import pytest

from toolbench.mutation.operator import CLASSES, DEFINITION, DoesNotFit, Landing, Site, declared, takes
from toolbench.mutation.operators import OPERATORS
from toolbench.outcome import CRASH, ERROR
from toolbench.tools import tool


def shown(outcome):
    """An outcome as examples write it: the value, or the class of the exception."""
    return outcome.types[0] if outcome.types else outcome.value


def test_the_examples_of_every_operator():
    """Each example gives what it says before and after, changes something, and leaves the original as it was."""
    for operator in OPERATORS.values():
        assert len({id(example.tool) for example in operator.examples}) >= 2, f"{operator.name}: two unrelated tools"
        for example in operator.examples:
            label = f"{operator.name} on {example.tool.name}"
            original = example.tool.text()
            damaged = operator.apply(Site(example.tool, example.functions), example.arguments)
            if DEFINITION in operator.classes:
                before, after = example.tool.definition.schema, damaged.definition.schema
                assert damaged.function is example.tool.function, f"{label}: the function is not touched"
            else:
                before, after = shown(example.tool.call(example.call)), shown(damaged.call(example.call))
                assert damaged.definition == example.tool.definition, f"{label}: the declaration is not touched"
            assert (before, after) == (example.before, example.after), label
            assert before != after, f"{label}: nothing changes"
            assert damaged.text() != original, f"{label}: equivalent"
            assert example.tool.text() == original, f"{label}: the original tool was changed"


@pytest.mark.parametrize("name", OPERATORS)
def test_every_operator_says_what_it_is(name):
    """An operator has a class, names the real fault in a sentence, and describes or shows its damage."""
    operator = OPERATORS[name]
    assert operator.name == name
    assert operator.classes and set(operator.classes) <= set(CLASSES)
    assert operator.fault.endswith(".") and operator.fault[0].isupper()
    assert operator.arguments["additionalProperties"] is False


@pytest.mark.parametrize("name", OPERATORS)
def test_the_arguments_of_the_examples_fit(name):
    """The arguments of each example are valid by the operator's own schema."""
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(OPERATORS[name].arguments)
    Draft202012Validator.check_schema(OPERATORS[name].arguments)
    assert [list(validator.iter_errors(example.arguments)) for example in OPERATORS[name].examples] == [
        [] for _ in OPERATORS[name].examples
    ]


def test_an_error_that_is_raised_goes_by_its_class():
    """In an example an error or crash that was raised stands as the name of the exception's class."""

    @tool(schema=["x"])
    def strict(x):
        raise {"value": ValueError, "key": KeyError}[x]("no")

    assert [(shown(o), o.kind) for o in (strict.call({"x": "value"}), strict.call({"x": "key"}))] == [
        ("ValueError", ERROR),
        ("KeyError", CRASH),
    ]


def test_damage_around_a_function_is_described():
    """Damage that does not show in a function's text is put into words."""
    assert {name: operator.describe(operator.examples[0].arguments) for name, operator in OPERATORS.items()
            if operator.describe} == {
        "copy_field": "on the way out: there takes the value of wanted",
        "fill_missing": "on the way in: first is 0 when missing",
    }  # fmt: skip


def test_takes():
    """An operator's arguments are exactly those that it names."""
    assert takes(field={"type": "string"}) == {
        "type": "object",
        "properties": {"field": {"type": "string"}},
        "required": ["field"],
        "additionalProperties": False,
    }


def test_a_field_that_is_not_declared():
    """A field that the tool does not declare is refused with the nearest names."""

    @tool(schema=["subscriber", "column"])
    def note(subscriber, column):
        return {}

    assert declared(Site(note), "column") == "column"
    with pytest.raises(DoesNotFit) as refused:
        declared(Site(note), "colum")
    assert str(refused.value) == "unknown field of note 'colum': did you mean column? Known: subscriber, column"


@pytest.mark.parametrize(
    ("landing", "reason"),
    [(Landing(), None), (Landing(hits=1, missed="gone"), None), (Landing(missed="gone"), "gone")],
)
def test_a_defect_lands_when_it_found_its_place_once(landing, reason):
    """Only a defect that looked for its field and never found it has a reason not to be measured."""
    assert landing.reason() == reason
