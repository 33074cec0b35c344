"""What a planted defect changes, as a diff."""

import toolbench as tb
from toolbench.mutation.defect import plant
from toolbench.mutation.diff import diff


@tb.tool(schema=["miles"], description="Miles in kilometres.")
def convert(miles):
    # One mile is this long.
    return {"kilometres": miles * 1.609}


def same(miles):
    # One mile is this long.
    return {"kilometres": miles * 1.609}


def lines(operator, functions=None, tool=convert, **arguments):
    defect = tb.Defect(id="D", tool=tool.name, operator=operator, arguments=arguments)
    return diff(plant(defect, tb.ToolTable([tool]), functions or {}), tool).splitlines()


def changed(*arguments, **more):
    return [line for line in lines(*arguments, **more) if line[0] in "+-" and line[:3] not in ("+++", "---")]


def test_a_change_in_the_source():
    """The user's own line stands before and after, under a head with the tool and the defect."""
    assert lines("replace_constant", old=1.609, new=1.852)[:2] == ["--- convert", "+++ convert with D"]
    assert changed("replace_constant", old=1.609, new=1.852) == [
        '-    return {"kilometres": miles * 1.609}',
        '+    return {"kilometres": miles * 1.852}',
    ]


def test_a_change_of_the_declaration():
    """A field that is no longer declared goes from the schema; the function stays."""
    found = changed("drop_field", field="miles")
    assert any('"miles"' in line for line in found if line[0] == "-")
    assert not any("kilometres" in line for line in found)


def test_a_change_around_the_function():
    """What is planted around a function has no line in it, and stands as a comment below."""
    assert changed("fill_missing", values={"miles": 0}) == ["+# on the way in: miles is 0 when missing"]


def test_another_function():
    """The other function's lines take the place of the tool's."""
    assert changed("function", functions={"same": same}, function="same") == [
        "-def convert(miles):",
        "+def same(miles):",
    ]


def test_a_defect_that_could_not_be_applied():
    """Where nothing was planted stands why."""
    assert "\n".join(lines("replace_constant", old=5, new=6)) == (
        "could not be applied: the constant 5 does not occur in the body of convert "
        "(defaults and f-strings are not searched)"
    )


def test_a_defect_that_changes_no_line():
    """A function that stands for itself changes nothing, and the diff says so."""
    assert lines("function", functions={"convert": convert.function}, function="convert") == [
        "changes nothing: the same code and the same declaration"
    ]


def test_a_tool_without_a_source():
    """A function that has no text is shown by its declaration alone."""
    built_in = tb.tool(schema=["values"], name="most")(max)
    text = lines("fill_missing", tool=built_in, values={"values": [1]})
    assert text[-2:] == [" # the function's source cannot be read", "+# on the way in: values is [1] when missing"]
