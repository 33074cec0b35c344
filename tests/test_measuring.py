"""Measuring, by the rules of honest measurement."""

import asyncio
import dataclasses
import hashlib
import json
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import toolbench as tb
from toolbench.errors import CatalogueError, CleanRunFails, ScenarioError, UsageError
from toolbench.loop_rows import paired_rows
from toolbench.measurement import LeftOut

# --- a small scenario, as a notebook would make it ------------------------------------------------------------


@tb.tool(schema=["length", "width"])
def area(length=None, width=None):
    """The area of a field."""
    if length is None or width is None:
        return {"error": "a side is missing"}
    return {"area": length * width, "unit": "m2"}


@tb.tool(schema=["area"], inject="world", side_effect=True)
async def sow(world, area=None):
    """Sow a field; the seed that is there gets less."""
    await asyncio.sleep(0)
    if area is None:
        raise ValueError("no area")
    world.state["seed"] -= area
    return {"left": world.state["seed"]}


def same_area(length=None, width=None):
    """The area of a field."""
    if length is None or width is None:
        return {"error": "a side is missing"}
    return {"area": length * width, "unit": "m2"}


def garden(**changed):
    return tb.Scenario(**{
        "name": "garden",
        "tools": [area, sow],
        "world": lambda: tb.World(state={"seed": 100}),
        "cases": [
            tb.Case(id="area", tool="area", arguments={"length": 2, "width": 3}, output={"area": 6}),
            tb.Case(id="no width", tool="area", arguments={"length": 2}, error=True),
            tb.Case(id="sow", tool="sow", arguments={"area": 6}, output={"left": 94}),
            tb.Case(id="sow again", tool="sow", arguments={"area": 5}, output={"left": 95}),
        ],
        "tasks": [
            tb.Task(id=f"t{i}", start={"length": i, "width": 2}, answer=100 - 2 * i, sequence=["area", "sow"])
            for i in range(1, 6)
        ],
        "agent": tb.SeededAgent(budget=4, first=1, results={"area": "area", "sow": "left"}),
        "functions": {"same_area": same_area},
        **changed,
    })  # fmt: skip


def defect(id, operator, tool="area", **arguments):
    return tb.Defect(id=id, tool=tool, operator=operator, arguments=arguments)


WRONG = defect("wrong", "copy_field", source="unit", target="area")
EQUIVALENT = defect("equivalent", "function", function="same_area")
NOWHERE = defect("nowhere", "replace_constant", old=99, new=98)
NEVER = defect("never", "copy_field", source="perimeter", target="area")
ABOVE = "than the defect-free run at each seed (2 seeds); the band is 0"
UNDECLARED = defect("undeclared", "drop_field", field="width")


SAID = [
    ("tool", "any failure"),
    ("definition", "new finding"),
    ("loop", "band"),
    ("loop", "paired"),
    ("loop", "exact"),
]
NO_WIDTH = "the function takes width, which is not declared (by default null)"
NO_FINDING = "no finding from warning up that the defect-free table does not have"
READ_ONLY = f"{NO_FINDING}; not all of it was probed: may have effects"


def verdicts(measured):
    """What is said by the default rules."""
    default = ("any failure", "new finding", "band")
    return {(v.defect, v.layer): (v.verdict, v.reason) for v in measured.verdicts if v.rule in default}


def rows(measured):
    """All that a measurement says, as text."""
    return json.dumps([measured.catch_rate_rows(), measured.success_rows(), measured.band_rows(),
                       paired_rows(measured.loop), measured.overlap_rows(), measured.cost_rows(),
                       measured.findings().to_dict("records"),
                       [dataclasses.asdict(verdict) for verdict in measured.verdicts],
                       [dataclasses.asdict(left) for left in measured.left_out]], sort_keys=True)  # fmt: skip


# --- scenarios of every origin --------------------------------------------------------------------------------


def test_a_scenario_made_in_memory():
    """A scenario that no file defines is measured with defects that no file defines."""
    measured = tb.measure(garden(), seeds=2, defects=[WRONG, UNDECLARED])
    assert verdicts(measured) == {
        ("wrong", "tool"): ("caught", "1 of 4 cases fails: area: expected area 6, got \"m2\""),
        ("wrong", "definition"): ("missed", NO_FINDING),
        ("wrong", "loop"): ("caught", f"fails at least 5 tasks more {ABOVE}"),
        ("undeclared", "tool"): ("missed", "all 4 cases pass; a direct call never looks at the declaration"),
        ("undeclared", "definition"): (
            "caught",
            f"1 new finding: undeclared-parameter at /properties/width: {NO_WIDTH}",
        ),
        ("undeclared", "loop"): ("caught", f"fails at least 5 tasks more {ABOVE}"),
    }  # fmt: skip
    assert measured.left_out == ()


def test_a_scenario_of_either_kind(scenario):
    """A built-in scenario and one by path are measured whole, by every layer, and every defect has its verdict."""
    measured = tb.measure(scenario, seeds=2)
    assert measured.defects == tb.load_defects(scenario)
    assert [(v.defect, v.layer, v.rule) for v in measured.verdicts] == [
        (known.id, *said) for known in measured.defects for said in SAID
    ]
    assert all(v.rule and v.reason and v.verdict in ("caught", "missed", "not measured") for v in measured.verdicts)
    assert measured.vacuous() == ()


@pytest.mark.slow
def test_the_table_is_what_it_was_and_two_runs_agree(scenario):
    """After a measurement the table is unchanged, and another one says the same, whatever the number of workers."""
    before = scenario.table.fingerprint()
    first = tb.measure(scenario, seeds=3, jobs=1)
    assert scenario.table.fingerprint() == before
    assert rows(tb.measure(scenario, seeds=3, jobs=3)) == rows(first)


@pytest.mark.slow
def test_a_measurement_does_not_depend_on_the_other_defects(scenario):
    """A defect's verdicts are the same alone and among all others: nothing leaks from one to the next."""
    everything = verdicts(tb.measure(scenario, seeds=2))
    for known in tb.load_defects(scenario)[:3]:
        alone = verdicts(tb.measure(scenario, seeds=2, defects=[known.id]))
        assert alone == {key: said for key, said in everything.items() if key[0] == known.id}


def test_a_scenario_altered_after_loading_is_measured_as_altered(write_scenario):
    """What was replaced in memory counts, not what the folder says: agent, world, cases, tools."""
    scenario = tb.load_scenario(write_scenario())
    assert tb.measure(scenario, seeds=1, defects=[]).success_rows()[0]["succeeded"] == 1

    lazy = scenario.with_agent(budget=1, first=0.0)
    assert tb.measure(lazy, seeds=1, defects=[]).success_rows()[0]["steps"] == 1

    stricter = dataclasses.replace(
        scenario, cases=[tb.Case(id="more", tool="double", arguments={"length": 3}, output={"doubled": 7})]
    )
    with pytest.raises(CleanRunFails):
        tb.measure(stricter, seeds=1, defects=[])


def test_a_world_replaced_after_loading_counts(write_scenario):
    """A world that was replaced in memory is the one that tools get."""
    scenario = tb.load_scenario(write_scenario(
        files={"cases.toml": '[[case]]\nid = "c"\ntool = "read"\noutput = { stock = 3 }\n'},
        more="""
            @tool(schema=[], inject="world")
            def read(world):
                return {"stock": world.state["stock"]}

            def world():
                return World(state={"stock": 3})

            tools = [double, read]
        """,
    ))  # fmt: skip
    assert tb.measure(scenario, seeds=1, defects=[]).counts("tool") == (0, 0)
    with pytest.raises(CleanRunFails) as refused:
        tb.measure(dataclasses.replace(scenario, world=lambda: tb.World(state={"stock": 4})), seeds=1, defects=[])
    assert "c: expected stock 3, got 4" in str(refused.value)


# --- rule 1: the defect-free table first ----------------------------------------------------------------------


def test_a_defect_free_table_that_fails_stops_everything():
    """When the defect-free table fails its own suite there is no measurement, and the cases are named."""
    cases = [
        *garden().cases,
        tb.Case(id="wrong case", tool="area", arguments={"length": 2, "width": 2}, output={"area": 5}),
    ]
    with pytest.raises(CleanRunFails) as refused:
        tb.measure(garden(cases=cases), defects=[WRONG])
    assert str(refused.value) == (
        "garden: the defect-free table fails 1 of its own 5 cases, so no rate would mean anything; "
        "put the tools or the expectations right:\n  wrong case: expected area 5, got 4"
    )


def test_many_failing_cases_are_counted():
    """Of many failing cases twenty are named and the rest counted."""
    cases = [
        tb.Case(id=f"c{i}", tool="area", arguments={"length": 1, "width": 1}, output={"area": 2}) for i in range(23)
    ]
    with pytest.raises(CleanRunFails) as refused:
        tb.measure(garden(cases=cases), defects=[])
    assert str(refused.value).endswith("\n  c19: expected area 2, got 1\n  and 3 more")


def test_a_case_that_passes_only_once_is_no_clean_run(write_scenario):
    """The suite runs twice: a case that passes the first time only fails the clean run."""
    folder = write_scenario(
        more="""
        seen = []

        @tool(schema=["length"])
        def double(length=None):
            seen.append(length)
            return {"doubled": 2 * length if len(seen) < 2 else 0}

        tools = [double]
    """
    )
    with pytest.raises(CleanRunFails) as refused:
        tb.measure(folder, seeds=1, jobs=1)
    assert "twice three: expected doubled 6, got 0" in str(refused.value)


def test_a_defect_free_table_that_hangs():
    """A defect-free tool that hangs fails its own suite, with the deadline as the reason."""

    @tb.tool(schema=[])
    def hang():
        while True:
            pass

    scenario = tb.Scenario(name="slow", tools=[hang], cases=[tb.Case(id="c", tool="hang", output={"x": 1})])
    with pytest.raises(CleanRunFails) as refused:
        tb.measure(scenario, seeds=1, deadline=0.3)
    assert str(refused.value).endswith("\n  c: no answer within 0.3 s")


# --- rule 2: vacuous suites -----------------------------------------------------------------------------------


def test_a_vacuous_suite_is_called_so():
    """A tool without a case, or whose cases a tool that does nothing would pass, has a vacuous suite."""

    @tb.tool(schema=[])
    def ping():
        return {}

    cases = [*garden().cases[:2], tb.Case(id="ping", tool="ping", output=[])]
    scenario = garden(tools=[area, sow, ping], cases=cases[:2])
    assert tb.measure(scenario, seeds=1, defects=[]).vacuous() == ("sow", "ping")
    assert tb.measure(garden(), seeds=1, defects=[]).vacuous() == ()


# --- rules 3 and 5: what is not measured ----------------------------------------------------------------------


def test_what_is_not_measured_is_in_no_share_and_is_counted():
    """Equivalent, inapplicable and never effective defects are not measured, in no share, and counted by reason."""
    measured = tb.measure(garden(), seeds=2, defects=[WRONG, EQUIVALENT, NOWHERE, NEVER])
    reasons = {
        "equivalent": "equivalent: the same code and the same declaration as the original",
        "nowhere": "could not be applied: the constant 99 does not occur in the body of area "
        "(defaults and f-strings are not searched)",
        "never": "never took effect: unknown output field of area 'perimeter'. Known: area, unit",
    }
    said = verdicts(measured)
    for id, reason in reasons.items():
        assert {said[id, layer] for layer in ("tool", "definition", "loop")} == {("not measured", reason)}
    shares = {(row["class"], row["layer"]): (row["k"], row["n"]) for row in measured.catch_rate_rows()}
    for class_ in ("value", "total"):
        assert [shares[class_, layer] for layer in measured.layers] == [(1, 1), (0, 1), (1, 1)]
    assert measured.equivalent == {"equivalent"}
    assert set(measured.left_out) == {
        LeftOut(f"{layer} verdicts", 1, f"{id}: {reason}")
        for layer in ("tool", "definition", "loop")
        for id, reason in reasons.items()
    }
    assert {id for row in measured.overlap_rows() for id in row["defects"]} == {"wrong"}


def test_a_defect_that_takes_effect_in_one_layer_only():
    """A field that only the loop's calls give is measured; the tool layer, which never saw it, missed the defect."""

    @tb.tool(schema=["wide"])
    def look(wide=False):
        return {"n": 1, "m": 2} if wide else {"n": 1}

    scenario = tb.Scenario(
        name="looks",
        tools=[look],
        cases=[tb.Case(id="c", tool="look", output={"n": 1})],
        tasks=[tb.Task(id="t", start={"wide": True}, answer=1, sequence=["look"])],
        agent=tb.SeededAgent(budget=2, first=1, results={"look": "n"}),
    )
    measured = tb.measure(scenario, seeds=2, defects=[defect("D", "copy_field", "look", source="m", target="n")])
    assert verdicts(measured) == {
        ("D", "tool"): ("missed", "the only case passes"),
        ("D", "definition"): ("missed", READ_ONLY),
        ("D", "loop"): ("caught", f"fails at least 1 task more {ABOVE}"),
    }  # fmt: skip
    assert (measured.counts("tool"), measured.counts("loop")) == ((0, 1), (1, 1))


def test_a_defect_that_takes_effect_under_the_definition_layer_only():
    """A field that only a probe's call gives is measured: neither the suite nor an agent ever asks for it."""

    @tb.tool(schema={"properties": {"wide": {"type": "boolean"}}}, side_effect=False)
    def look(wide=False):
        return {"n": 1, "m": 2} if wide else {"n": 1}

    scenario = tb.Scenario(name="looks", tools=[look], cases=[tb.Case(id="c", tool="look", output={"n": 1})])
    damage = defect("D", "copy_field", "look", source="m", target="n")
    alone = tb.measure(scenario, defects=[damage], layers="tool")
    assert verdicts(alone)["D", "tool"][0] == "not measured"
    measured = tb.measure(scenario, defects=[damage], layers=["tool", "definition"])
    assert verdicts(measured) == {
        ("D", "tool"): ("missed", "the only case passes"),
        ("D", "definition"): ("missed", NO_FINDING),
    }


def test_one_seed_has_no_band():
    """With one seed the loop's verdicts are not measured and its band is not there; the tool layer's are."""
    measured = tb.measure(garden(), seeds="7,", defects=[WRONG])
    assert verdicts(measured)["wrong", "loop"] == (
        "not measured", "one seed has no band to compare with; give two seeds or more",
    )  # fmt: skip
    assert verdicts(measured)["wrong", "tool"][0] == "caught"
    assert {row["layer"]: row["band"] for row in measured.band_rows()} == {"tool": 0, "loop": None}
    assert measured.counts("loop") == (0, 0)
    assert [row["seed"] for row in measured.success_rows()] == [7, 7]


def test_a_suite_without_cases_has_no_rate():
    """A suite that ran nothing has no rate, neither 0 nor 1, and says why."""
    measured = tb.measure(garden(cases=[]), seeds=2, defects=[WRONG])
    assert verdicts(measured)["wrong", "tool"] == ("not measured", "the suite has no case")
    assert measured.counts("tool") == (0, 0)
    assert {row["share"] for row in measured.catch_rate_rows() if row["layer"] == "tool"} == {None}
    assert measured.counts("loop") == (1, 1)
    assert LeftOut("tool verdicts", 1, "wrong: the suite has no case") in measured.left_out
    assert [row["layer"] for row in measured.band_rows()] == ["loop"]


def test_a_scenario_without_tasks():
    """Without tasks the loop is not measured; the other layers are."""
    measured = tb.measure(garden(tasks=[], agent=None), seeds=2, defects=[WRONG, UNDECLARED])
    assert verdicts(measured)["wrong", "loop"] == ("not measured", "the scenario has no task")
    assert [measured.counts(layer) for layer in ("tool", "definition", "loop")] == [(1, 2), (1, 2), (0, 0)]
    assert measured.success_rows() == []


def test_declarations_alone_can_be_measured():
    """Neither cases nor tasks: the definition layer has what it needs all the same."""
    measured = tb.measure(tb.Scenario(name="bare", tools=[area]), defects=[UNDECLARED, WRONG])
    assert verdicts(measured)["undeclared", "definition"][0] == "caught"
    assert verdicts(measured)["wrong", "definition"] == ("missed", READ_ONLY)
    assert [measured.counts(layer) for layer in ("tool", "definition", "loop")] == [(0, 0), (1, 2), (0, 0)]


def test_a_scenario_with_nothing_but_a_tool():
    """Neither cases nor tasks nor defects: nothing is measured, and nothing is said to be."""
    measured = tb.measure(tb.Scenario(name="bare", tools=[area]), seeds=2, defects=[])
    assert {row["n"] for row in measured.catch_rate_rows()} == {0}
    assert {row["share"] for row in measured.catch_rate_rows()} == {None}
    assert measured.verdicts == ()


# --- rule 6: hangs and deaths ---------------------------------------------------------------------------------


def test_a_defect_that_makes_a_tool_hang_is_caught_by_its_deadline():
    """A hang of a damaged tool is a failing case and a failing episode; the reason is the deadline."""

    def for_ever(**_):
        while True:
            pass

    scenario = garden(functions={"for_ever": for_ever}, tasks=garden().tasks[:1])
    hang = defect("hang", "function", function="for_ever")
    measured = tb.measure(scenario, seeds=2, defects=[hang, WRONG], deadline=0.3)
    assert [row["kind"] for row in measured.suites["hang"]] == ["timeout", "timeout", "ok", "ok"]
    assert verdicts(measured)["hang", "tool"] == (
        "caught", "2 of 4 cases fail: area: no answer within 0.3 s, and 1 more",
    )  # fmt: skip
    assert [row["why"] for row in measured.loop.all.tallies["hang"].ended] == ["timeout: no answer within 0.3 s"] * 2
    assert verdicts(measured)["hang", "loop"][0] == "caught"
    assert verdicts(measured)["wrong", "tool"] == verdicts(tb.measure(scenario, defects=[WRONG]))["wrong", "tool"]
    assert measured.checks["hang"].timeouts > 0
    assert measured.checks["none"].timeouts == measured.checks["wrong"].timeouts == 0
    assert verdicts(measured)["wrong", "definition"] == ("missed", NO_FINDING)


class Restless:
    """An agent that cannot begin a task, or cannot go on after its first call."""

    def __init__(self, task=None):
        self.task = task

    def begin(self, task, definitions, draw):
        if self.task in (None, task.id):
            raise LookupError(f"no idea of {task.id}")
        return lambda outcome: tb.Call("area", {}) if outcome is None else tb.Stop(None)

    def settings(self):
        return {}


@pytest.mark.parametrize(("lost", "ended", "first"), [(None, 10, "t1"), ("t4", 2, "t4")])
def test_an_agent_that_raises_without_any_defect(lost, ended, first):
    """A loop whose agent crashes on the defect-free table measures nothing; task, seed and reason are told."""
    with pytest.raises(ScenarioError) as refused:
        tb.measure(garden(agent=Restless(lost)), seeds="7:9", defects=[WRONG])
    assert str(refused.value) == (
        f"garden: without any defect, {ended} episodes did not come to an end; the first is task {first} at seed 7: "
        f"crash: the agent raised LookupError: no idea of {first}"
    )


# --- rule 9: nothing leaks ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("engine", "played"), [("auto", "lanes"), ("walk", "walk")])
def test_state_never_leaks(engine, played):
    """Every case and every episode starts in the same world, whatever ran before it in whatever table."""
    more = [defect("more", "fill_missing", "sow", values={"area": 50})]
    measured = tb.measure(garden(), seeds=3, defects=more, engine=engine)
    assert all(row["passed"] for row in measured.suites["more"])
    assert measured.engine == played
    for table in ("none", "more"):
        assert measured.loop.all.tallies[table].failing == (0,) * 5


def test_defects_do_not_meet():
    """Of two defects of one tool neither is in the other's table."""
    one = defect("one", "copy_field", source="unit", target="area")
    other = defect("other", "copy_field", source="area", target="unit")
    measured = tb.measure(garden(), seeds=2, defects=[one, other])
    assert [row["passed"] for row in measured.suites["other"]] == [True] * 4
    assert measured.counts("tool") == (1, 2)


# --- choosing -------------------------------------------------------------------------------------------------


def test_choosing_layers_and_defects():
    """Chosen layers and defects come in the library's and the catalogue's order; the others are counted as left out."""
    measured = tb.measure("metering", layers=["tool"], defects=["D8", "D2"])
    assert measured.layers == ("tool",)
    assert [known.id for known in measured.defects] == ["D2", "D8"]
    assert measured.left_out == (
        LeftOut("defects", 9, "not asked for: D1, D3, D4, D5, D6, D7, D9, D10, D11"),
        LeftOut("layers", 2, "not asked for: definition, loop"),
    )
    assert tb.measure("metering", layers=["loop", "tool"], defects="D2").layers == ("tool", "loop")
    assert tb.measure("metering", layers=["loop", "definition"], defects="D2").layers == ("definition", "loop")
    assert tb.measure("metering", defects="D2").layers == ("tool", "definition", "loop")


def test_one_layer_and_one_defect_need_no_list():
    """A layer's name, a defect's id and a Defect stand for themselves."""
    measured = tb.measure(garden(), seeds=2, layers="tool", defects=WRONG)
    assert measured.layers == ("tool",)
    assert measured.defects == (WRONG,)
    assert verdicts(measured)["wrong", "tool"][0] == "caught"
    assert [known.id for known in tb.measure("metering", layers="tool", defects="D3").defects] == ["D3"]


def test_ids_and_defects_of_ones_own_together():
    """Ids of the catalogue come in its order, then defects made by hand; the others are named as left out."""
    own = tb.Defect(id="mine", tool="tariff", operator="drop_field", arguments={"field": "m3"})
    measured = tb.measure("metering", layers="tool", defects=["D8", own, "D2"])
    assert [known.id for known in measured.defects] == ["D2", "D8", "mine"]
    assert measured.left_out[0] == LeftOut("defects", 9, "not asked for: D1, D3, D4, D5, D6, D7, D9, D10, D11")
    twin = dataclasses.replace(own, id="D2")
    with pytest.raises(UsageError, match="two defects have the id 'D2'; an id is unique"):
        tb.measure("metering", defects=["D8", twin])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"layers": ["lop"]}, "unknown layer 'lop': did you mean loop? Known: tool, definition, loop"),
        ({"layers": ["definitions"]}, "unknown layer 'definitions': did you mean definition?"),
        ({"layers": []}, "no layer is chosen; known layers: tool, definition, loop"),
        ({"defects": ["D12"]}, "unknown defect 'D12': did you mean D2 or D1"),
        ({"defects": "nothing"}, "unknown defect 'nothing'. Known: D1, D2"),
        ({"defects": [WRONG, WRONG]}, "two defects have the id 'wrong'; an id is unique"),
        ({"deadline": 0}, "deadline 0: it is a number of seconds above 0"),
        ({"deadline": "2"}, "deadline '2': it is a number of seconds above 0"),
        ({"jobs": "2"}, "jobs '2': it is a whole number, 1 or more"),
        ({"deadline": float("nan")}, "deadline nan: it is a number of seconds above 0"),
        ({"jobs": 0}, "jobs 0: it is a whole number, 1 or more"),
        ({"seeds": 0}, "seeds 0: at least one seed is needed"),
        ({"seeds": "5:5"}, "seeds 5:5: the range is empty"),
        ({"seeds": [2**32]}, f"seed {2**32}: a seed is a whole number from 0 to {2**32 - 1}"),
    ],
)
def test_what_cannot_be_chosen(arguments, message):
    """A name, number or seed that cannot be used is told with its value and what would be right."""
    with pytest.raises(UsageError) as refused:
        tb.measure("metering", **arguments)
    assert message in str(refused.value)


def test_an_unknown_scenario():
    """An unknown scenario is told with the nearest name."""
    with pytest.raises(ScenarioError) as refused:
        tb.measure("meterin")
    assert str(refused.value).startswith("unknown scenario 'meterin': did you mean metering?")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (defect("D", "copy_field", source="unit"), "defect D: arguments: target is missing; needed are source, target"),
        (defect("D", "drop_field", field="depth"),
         "defect D: arguments: unknown field of area 'depth': did you mean width or length? Known: length, width"),
        (defect("D", "drop_field", "aera", field="x"),
         "defect D: tool: unknown tool 'aera': did you mean area? Known: area, sow"),
    ],
)  # fmt: skip
def test_a_defect_that_does_not_fit(given, message):
    """A defect made by hand that does not fit its scenario stops everything before anything runs."""
    with pytest.raises(CatalogueError) as refused:
        tb.measure(garden(), defects=[WRONG, given])
    assert str(refused.value) == message


def test_a_catalogue_of_ones_own(tmp_path):
    """Another catalogue takes the place of the scenario's."""
    path = tmp_path / "mine.toml"
    path.write_text(
        '[[defect]]\nid = "mine"\ntool = "area"\noperator = "drop_field"\narguments = { field = "width" }\n'
    )
    assert [known.id for known in tb.measure(garden(), catalogue=path, seeds=1).defects] == ["mine"]
    assert [known.id for known in tb.measure(garden(), catalogue=str(path), seeds=1, defects=["mine"]).defects] == [
        "mine"
    ]


# --- laws -----------------------------------------------------------------------------------------------------

FACTORS = st.integers(-3, 3)


@st.composite
def small_scenarios(draw):
    """Tools that multiply and add, a suite that is right, tasks that are right, and defects of every class."""
    times, plus = draw(FACTORS), draw(FACTORS)

    @tb.tool(schema=["x"])
    def multiply(x=None):
        if x is None:
            return {"error": "no x"}
        return {"x": x * times + 1000, "old": x}

    @tb.tool(schema=["x"], inject="world")
    def remember(world, x=None):
        world.state["seen"].append(x)
        return {"x": plus, "seen": len(world.state["seen"])}

    values = draw(st.lists(st.integers(0, 9), min_size=1, max_size=3, unique=True))
    sequence = draw(st.lists(st.sampled_from(["multiply", "remember"]), max_size=3))
    scenario = tb.Scenario(
        name="small",
        tools=[multiply, remember],
        world=lambda: tb.World(state={"seen": []}),
        cases=[
            tb.Case(id=f"c{v}", tool="multiply", arguments={"x": v}, output={"x": v * times + 1000}) for v in values
        ],
        tasks=[tb.Task(id=f"t{v}", start={"x": v}, answer=v, sequence=sequence) for v in values],
        agent=tb.SeededAgent(
            budget=draw(st.integers(1, 4)),
            first=draw(st.sampled_from([0.2, 0.7, 1])),
            stop=draw(st.sampled_from([0.3, 1])),
            results={"multiply": "x", "remember": "seen"},
        ),
        base_seed=draw(st.integers(0, 2**32 - 10)),
    )
    every = [
        defect("copy", "copy_field", "multiply", source="old", target="x"),
        defect("constant", "replace_constant", "multiply", old=1000, new=1001),
        defect("fill", "fill_missing", "multiply", values={"x": 0}),
        defect("guard", "drop_guard", "multiply", field="x"),
        defect("drop", "drop_field", "remember", field="x"),
        defect("rename", "rename_field", "multiply", field="x", to="old"),
    ]
    return scenario, draw(st.lists(st.sampled_from(every), max_size=3, unique_by=lambda known: known.id))


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_scenarios(), st.integers(1, 3))
def test_the_laws_of_any_measurement(drawn, seeds):
    """For any small scenario the table never changes, two runs agree, and every share is of what was measured."""
    scenario, defects = drawn
    before = scenario.table.fingerprint()
    measured = tb.measure(scenario, seeds=seeds, defects=defects)
    assert scenario.table.fingerprint() == before
    assert rows(tb.measure(scenario, seeds=seeds, defects=defects)) == rows(measured)
    assert [(v.defect, v.layer, v.rule) for v in measured.verdicts] == [(d.id, *said) for d in defects for said in SAID]
    for row in measured.catch_rate_rows():
        assert 0 <= row["k"] <= row["n"] <= len(defects)
        assert row["share"] == (row["k"] / row["n"] if row["n"] else None)
    named = [id for row in measured.overlap_rows() for id in row["defects"]]
    assert len(named) == len(set(named))
    for row in measured.success_rows():
        assert row["succeeded"] + len(row["failing"]) == row["tasks"] == len(scenario.tasks)


def test_a_defect_that_damages_its_process_costs_its_own_verdict():
    """A tracer that raises in our code, or a broken standard library, is that defect's death and nobody else's."""

    def traced(x):
        sys.settrace(lambda *_: 1 / 0)
        return {"y": x}

    def patched(x):
        hashlib.sha256 = None
        return {"y": x}

    same = tb.tool(lambda x: {"y": x}, schema=["x"], name="same")
    scenario = tb.Scenario(
        name="damage",
        tools=[same],
        cases=[tb.Case(id=f"c{x}", tool="same", arguments={"x": x}, output={"y": x}) for x in (1, 2)],
        functions={"traced": traced, "patched": patched, "wrong": lambda x: {"y": -x}},
    )
    defects = [
        tb.Defect(id=name, tool="same", operator="function", arguments={"function": name})
        for name in ("traced", "patched", "wrong")
    ]
    m = tb.measure(scenario, defects=defects, layers="tool", deadline=2)
    assert m.explain("wrong", "tool").reason == "2 of 2 cases fail: c1: expected y 1, got -1, and 1 more"
    assert m.explain("traced", "tool").verdict == "caught"
    assert "its process was damaged: ZeroDivisionError" in m.explain("traced", "tool").reason


def test_a_defect_that_never_took_effect_in_one_layer_is_measured_in_none():
    """A field that no output has makes the defect a mistake of the catalogue, also where nobody calls the tool."""
    metering = tb.load_scenario("metering")
    defect = tb.Defect(id="X", tool="tariff", operator="copy_field", arguments={"source": "amount", "target": "amonut"})
    idle = dataclasses.replace(metering, tasks=[task for task in metering.tasks if "tariff" not in task.sequence][:1])
    m = tb.measure(idle, defects=[defect])
    assert {verdict.verdict for verdict in m.verdicts} == {"not measured"}
    assert m.counts() == (0, 0)
    assert "did you mean amount?" in m.explain("X", "loop").reason


def test_a_case_that_fails_once_in_two_runs_is_called_so():
    """Whoever reads the message looks for what differs between the runs, not for a wrong expectation."""
    seen = []

    def count():
        seen.append(1)
        return {"n": len(seen)}

    tool = tb.tool(count, schema=[])
    case = tb.Case(id="first", tool="count", output={"n": 1})
    with pytest.raises(CleanRunFails) as refused:
        tb.measure(tb.Scenario(name="counter", tools=[tool], cases=[case]))
    assert "first: expected n 1, got 2 (in one of two runs)" in str(refused.value)
