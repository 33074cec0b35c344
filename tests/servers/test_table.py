"""A table whose tools pass calls on."""

import pytest

import toolbench as tb
from toolbench.errors import ToolRefused
from toolbench.mutation.defect import plant
from toolbench.outcome import DIED, Ended
from toolbench.servers.table import live_table


class Echo:
    """A world that answers with what it is asked."""

    def call(self, tool, arguments):
        if tool == "gone":
            raise Ended(DIED, "the server is gone")
        if tool == "refuse":
            raise tb.ToolError("no")
        return {"tool": tool, "error": arguments.get("error"), **arguments}


def definition(name, *fields):
    return tb.Definition(name, {"type": "object", "properties": {field: {} for field in fields}})


def test_a_call_is_passed_on():
    """Also where a field has the name by which the world is usually passed, and where an answer has a field error."""
    table = live_table([definition("look", "world", "self", "tool"), definition("gone"), definition("refuse")])
    given = {"world": 1, "self": 2, "tool": 3}
    assert table.call("look", given, Echo()).value == {**given, "error": None}
    assert table.call("look", {"error": "told"}, Echo()).kind == "ok"
    assert (table.call("refuse", {}, Echo()).kind, table.call("refuse", {}, Echo()).message) == ("error", "no")


def test_a_call_that_does_not_come_back():
    """Says how, as one that was ended from outside."""
    outcome = live_table([definition("gone")]).call("gone", {}, Echo())
    assert (outcome.kind, outcome.message) == ("died", "the server is gone")


def test_two_tools_of_one_name():
    """Are refused."""
    with pytest.raises(ToolRefused, match="two tools are named"):
        live_table([definition("a"), definition("a")])


def test_defects_are_planted_from_outside():
    """On the way in, on the way out and in the definition; not in a source that is elsewhere."""
    table = live_table([definition("look", "x", "y")])

    def damaged(operator, **arguments):
        return plant(tb.Defect(id="d", tool="look", operator=operator, arguments=arguments), table, {})

    assert damaged("fill_missing", values={"x": 7}).table.call("look", {}, Echo()).value["x"] == 7
    copied = damaged("copy_field", source="x", target="y").table.call("look", {"x": 1, "y": 2}, Echo())
    assert (copied.value["x"], copied.value["y"]) == (1, 1)
    assert damaged("drop_field", field="x").damaged.definition.fields == ("y",)
    for operator, arguments in (("replace_constant", {"old": 1, "new": 2}), ("drop_guard", {"field": "x"})):
        assert damaged(operator, **arguments).reason == "look runs elsewhere; its source is not here"


def test_equal_tools_are_equal():
    """In every process: the table's fingerprint rests on names and declarations."""
    one, other = (live_table([definition("a", "x"), definition("b")]) for _ in range(2))
    assert one.fingerprint() == other.fingerprint() != live_table([definition("a"), definition("b")]).fingerprint()
