"""The tool layer: direct calls."""

import toolbench as tb
from toolbench.layers.tool import ToolLayer
from toolbench.seeds import read_seeds


@tb.tool(schema=["x"], inject="world")
def keep(world, x=None, hidden=0):
    """Keeps what it is given, and crashes on 13."""
    if x is None:
        raise ValueError("nothing to keep")
    world.state["kept"].append(x)
    return {"kept": len(world.state["kept"]), "ratio": 1 / (13 - x), "hidden": hidden}


def case(id, output=..., **given):
    error = given.pop("error", False)
    return tb.Case(id=id, tool="keep", arguments=given, output=output, error=error)


SCENARIO = tb.Scenario(
    name="keeping",
    tools=[keep],
    world=lambda: tb.World(state={"kept": []}),
    cases=[
        case("first", {"kept": 1}, x=1),
        case("again", {"kept": 1}, x=2),
        case("undeclared", {"hidden": 5}, x=1, hidden=5),
        case("wrong", {"kept": 2}, x=1),
        case("refused", error="nothing"),
        case("crashed", {"kept": 1}, x=13),
        case("crash is no error", error=True, x=13),
    ],
)
LAYER = ToolLayer()


def rows(scenario=SCENARIO):
    return {row["case"]: row for row in LAYER.observe(scenario, scenario.table, LAYER.units(scenario, None))}


def test_a_row_for_each_case():
    """Each case passes or fails with the kind of outcome and, when it fails, why."""
    crashed = "crash: ZeroDivisionError: division by zero"
    assert list(rows().values()) == [
        {"case": "first", "passed": True, "kind": "ok", "why": ""},
        {"case": "again", "passed": True, "kind": "ok", "why": ""},
        {"case": "undeclared", "passed": True, "kind": "ok", "why": ""},
        {"case": "wrong", "passed": False, "kind": "ok", "why": "expected kept 2, got 1"},
        {"case": "refused", "passed": True, "kind": "error", "why": ""},
        {"case": "crashed", "passed": False, "kind": "crash", "why": crashed},
        {"case": "crash is no error", "passed": False, "kind": "crash", "why": crashed},
    ]


def test_the_declaration_is_never_looked_at():
    """A tool that declares nothing at all passes and fails the same cases."""
    bare = tb.Tool(tb.Definition("keep", []), keep.function, inject="world")
    table = SCENARIO.table.replace(bare)
    assert list(LAYER.observe(SCENARIO, table, LAYER.units(SCENARIO, None))) == list(rows().values())


def test_the_units_are_the_cases_whatever_the_seeds():
    """A direct call draws nothing: the units are the cases' ids."""
    assert LAYER.units(SCENARIO, read_seeds(5, 0)) == LAYER.units(SCENARIO, read_seeds(1, 7))
    assert LAYER.units(SCENARIO, None)[0] == "first"


def test_what_it_lacks():
    """A suite without a case has nothing to run, and says so."""
    assert LAYER.lack(tb.Scenario(name="empty", tools=[keep])) == "the suite has no case"
    assert LAYER.lack(SCENARIO) is None


def test_the_row_of_a_case_that_was_ended():
    """A case that hung or died has failed, with the reason."""
    assert LAYER.ended("first", "timeout", "no answer within 2 s") == {
        "case": "first", "passed": False, "kind": "timeout", "why": "no answer within 2 s",
    }  # fmt: skip


def test_a_case_for_a_tool_that_is_gone():
    """Without the tool a case sees the reported error that an agent's host would give."""
    seen = LAYER.observe(SCENARIO, tb.ToolTable([]), ["first", "refused"])
    assert [(row["passed"], row["why"]) for row in seen] == [
        (False, 'expected {"kept": 1}, got the error "no such tool"'),
        (False, 'expected an error that says "nothing", got "no such tool"'),
    ]
