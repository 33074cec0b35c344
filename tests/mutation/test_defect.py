"""A defect, and what becomes of it when it is planted."""

import pytest

import toolbench as tb
from toolbench.errors import CatalogueError
from toolbench.mutation.defect import plant


@tb.tool(schema=["x"])
def double(x=None):
    if x is None:
        return {"error": "no x"}
    return {"y": 2 * x}


def same(x=None):
    if x is None:
        return {"error": "no x"}
    return {"y": 2 * x}


def other(x=None):
    if x is None:
        return {"error": "no x"}
    return {"y": 3 * x}


TABLE = tb.ToolTable([double])
FUNCTIONS = {"same": same, "other": other}


def defect(operator, tool="double", **arguments):
    return tb.Defect(id="D", tool=tool, operator=operator, arguments=arguments)


def refusal(**given):
    with pytest.raises(CatalogueError) as refused:
        tb.Defect(**{"id": "D", "tool": "double", "operator": "function", **given})
    return str(refused.value)


def test_a_planted_defect_is_in_a_copy():
    """The copy has the damaged tool in the place of the original; the table itself stays as it was."""
    before = TABLE.fingerprint()
    planted = plant(defect("function", function="other"), TABLE, FUNCTIONS)
    assert planted.table.call("double", {"x": 2}).value == {"y": 6}
    assert TABLE.call("double", {"x": 2}).value == {"y": 4}
    assert TABLE.fingerprint() == before != planted.table.fingerprint()
    assert planted.damaged is planted.table["double"]
    assert (planted.equivalent, planted.reason) == (False, "")


def test_a_defect_that_changes_nothing_is_equivalent():
    """The same code and the same declaration make an equivalent defect."""
    assert plant(defect("function", function="same"), TABLE, FUNCTIONS).equivalent is True


def pricing(table, more=()):
    def price(x=None):
        """What it costs."""
        return {"y": table[x], "more": more}

    return price


def documented(x=None):
    """Twice x."""
    return {"y": 2 * x}


def described(x=None):
    """Another docstring."""
    return {"y": 2 * x}


def collecting(start):
    def collect(x=None, seen=start):
        return {"y": [*seen, x]}

    return collect


@pytest.mark.parametrize(
    ("original", "function", "equivalent"),
    [
        (documented, described, True),
        (double.function, other, False),
        (pricing({1: 2}), pricing({1: 2}), True),
        (pricing({1: 2}), pricing({1: 3}), False),
        (pricing({}, [1]), pricing({}, [2]), False),
        (collecting([1]), collecting([1]), True),
        (collecting([1]), collecting([2]), False),
        (collecting([1]), collecting((1,)), False),
    ],
)
def test_equivalent_is_what_does_the_same(original, function, equivalent):
    """Another docstring changes nothing; another dict that is captured, or another mutable default, does."""
    table = tb.ToolTable([tb.tool(schema=["x"], name="double", description="")(original)])
    planted = plant(defect("function", function="it"), table, {"it": function})
    assert planted.equivalent is equivalent


def test_a_defect_that_finds_nothing_is_not_planted():
    """A defect that cannot be applied comes back without a table and with the reason."""
    planted = plant(defect("replace_constant", old=7, new=8), TABLE, FUNCTIONS)
    assert (planted.table, planted.damaged) == (None, None)
    assert (
        planted.reason
        == "the constant 7 does not occur in the body of double (defaults and f-strings are not searched)"
    )


def test_the_landing_belongs_to_one_planting():
    """Each planting has a landing of its own, filled by the calls of its own copy."""
    one, two = (plant(defect("copy_field", source="y", target="z"), TABLE, {}) for _ in range(2))
    one.table.call("double", {"x": 1})
    assert "unknown output field of double 'z'" in one.landing.missed
    assert (two.landing.hits, two.landing.missed) == (0, "")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            defect("function", tool="dubble", function="other"),
            "defect D: tool: unknown tool 'dubble': did you mean double?",
        ),
        (defect("function", function="ohter"), "defect D: arguments: unknown function 'ohter': did you mean other?"),
        (defect("drop_field", field="y"), "defect D: arguments: unknown field of double 'y'"),
    ],
)
def test_a_defect_that_names_what_is_not_there(given, message):
    """An unknown tool, function or field is an error that names the defect, the key and the nearest names."""
    with pytest.raises(CatalogueError) as refused:
        plant(given, TABLE, FUNCTIONS)
    assert message in str(refused.value)


def test_the_class_is_the_operators_unless_given():
    """A defect has its operator's usual class, or another that the operator can give."""
    assert defect("function", function="other").class_ == "value"
    assert tb.Defect(id="D", tool="double", operator="function", class_="contract").class_ == "contract"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"operator": "copy_fields"}, "defect D: unknown operator 'copy_fields': did you mean copy_field or "),
        ({"class_": "valu"}, "defect D: unknown class 'valu': did you mean value?"),
        ({"class_": "definition"}, "defect D: function gives a value or contract defect, not one of class definition"),
        ({"id": ""}, "defect '': id: it is made of letters, digits and _ . : - only"),
        ({"id": 5}, "defect 5: id: it is made of letters, digits and _ . : - only"),
        ({"id": "stub double"}, "defect 'stub double': id: it is made of letters, digits and _ . : - only"),
        ({"id": "D1\n"}, "defect 'D1\\n': id: it is made of letters, digits and _ . : - only"),
        ({"id": "none"}, "defect none: id: this is the name of the defect-free table; choose another"),
        ({"arguments": {"x": {1}}}, "defect D: arguments: they are JSON values by name: a set has no JSON form"),
        ({"arguments": 5}, "defect D: arguments: they are JSON values by name: 'int' object is not iterable"),
    ],
)
def test_a_defect_that_makes_no_sense(given, message):
    """What is wrong with a defect is said with its id, the key and what would be right."""
    assert message in refusal(**given)


def test_the_arguments_are_the_defects_own():
    """Changing what was given afterwards does not change the defect."""
    given = {"values": {"x": 0}}
    made = tb.Defect(id="D", tool="double", operator="fill_missing", arguments=given)
    given["values"]["x"] = 5
    assert made.arguments == {"values": {"x": 0}}
