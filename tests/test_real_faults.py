"""Faults that real tools had, told again in our own words: what is wrong is flagged, what is right is left alone.

The numbers R01 to R19 are those of the reports that they are reductions of.
"""

from __future__ import annotations

import pytest

import toolbench as tb
from toolbench.checks import check
from toolbench.errors import CleanRunFails, ToolRefused
from toolbench.formats.reading import read_document
from toolbench.formats.writing import convert
from toolbench.measuring import measure

TEXT, WHOLE, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}
TEXTS = {"type": "array", "items": TEXT}


def fields(required=(), /, **properties):
    """The schema of an object with these fields."""
    return {"type": "object", "properties": properties, "required": list(required)}


def closed(schema):
    return {**schema, "additionalProperties": False}


def declared(name, schema, function, **said):
    return tb.Tool(tb.Definition(name, schema, f"Does what {name} says.", **said), function)


# The functions. They stand in a module, so that their source is there to be read.


def water(bed):
    return f"watered {bed}"


def introduce(genus, epithet):
    return {"binomial": f"{genus} {epithet}"}


def engrave(**words):
    return {"plate": words["inscription"].upper()}


def repot(plant, soil=None):
    return {"plant": plant, "into": "loam" if soil is None else soil.get("kind", "loam")}


def label(plant, colours=None):
    return {"plant": plant, "colours": sorted(colours or [])}


def hive(job, colony, frames=""):
    """On `inspect` the frames are never looked at."""
    kept = sorted(filter(None, frames.split(";"))) if job == "extend" else []
    return {"job": job, "colony": colony, "done": 1, "frames": kept}


def whole_hive(job, colony, frames=""):
    return {"job": job, "colony": colony, "done": 1, "frames": sorted(filter(None, frames.split(";")))}


def mix(pigments):
    if isinstance(pigments, str):
        pigments = pigments.split("+")
    return {"mixed": [pigment.strip().title() for pigment in pigments]}


def graze(herd):
    return {"grazing": herd}


def tune(station="The call sign of the station"):
    return {"tuned": station}


def tune_to(station):
    return {"tuned": station}


def furlongs(miles, places=2):
    if places + 0 < 0:
        raise ValueError("places is less than 0")
    return {"furlongs": round(miles * 8, places)}


def berth(number, /):
    return {"berth": number}


def berth_named(number):
    return {"berth": number}


SHIPS = ("Aurora", "Boreas", "Corona")


def moored(part, flag):
    return {"ships": [name for name in SHIPS if part in name and (flag is None or flag in name)]}


def unrolled(scrolls):
    return "unrolled " + scrolls[0]


def unroll(scrolls):
    try:
        return unrolled(scrolls)
    except Exception as problem:
        return f"Error while unrolling: {problem}"


FISH = ({"order": "perch", "name": "zander"}, {"order": "carp", "name": "tench"})


def catch(orders):
    wanted = [orders] if isinstance(orders, str) else orders
    return {"caught": [fish["name"] for fish in FISH if fish["order"] in wanted]}


def catch_only(orders):
    if not isinstance(orders, list) or not all(isinstance(one, str) for one in orders):
        raise ValueError("orders is a list of names")
    return {"caught": [fish["name"] for fish in FISH if fish["order"] in orders]}


SOIL = {"type": "object", "properties": {"kind": TEXT}}
JOB = {"type": "string", "enum": ["extend", "inspect"]}
CATTLE = {"$ref": "#/$defs/Cattle"}
HERD = {"type": "string", "enum": ["north", "south"]}
EITHER = {"anyOf": [TEXT, TEXTS]}
STATION = "The call sign of the station"

WRONG = {
    "R01": declared("water", closed(fields()), water),
    "R02": declared("introduce", fields(genus=TEXT, epithet=TEXT), introduce),
    "R03": declared("engrave", fields(["text"], text=TEXT), engrave),
    "R04": declared("repot", fields(), repot),
    "R05": declared("label", fields(["plant", "colours"], plant=TEXT, colours=TEXTS), label),
    "R06": declared("hive", fields(["job", "colony"], job=JOB, colony=TEXT, frames=TEXT), hive),
    "R07": declared("mix", fields(["pigments"], pigments=TEXTS), mix),
    "R08": declared("graze", fields(["herd"], herd=CATTLE), graze),
    "R09": declared("tune", fields(station={**TEXT, "default": STATION}), tune),
    "R10": declared(
        "furlongs", fields(["miles"], miles=NUMBER, places={"type": ["integer", "null"], "default": 2}), furlongs
    ),
    "R11": declared("berth", fields(["number"], number=WHOLE), berth),
    "R12": declared("moored", closed(fields(["part", "flag"], part=TEXT, flag=TEXT)), moored),
    "R17": declared("unroll", fields(["scrolls"], scrolls=TEXTS), unroll),
    "R19": declared("catch", fields(["orders"], orders=TEXTS), catch),
}
RIGHT = {
    "R01": declared("water", closed(fields(["bed"], bed=TEXT)), water),
    "R02": declared("introduce", fields(["genus", "epithet"], genus=TEXT, epithet=TEXT), introduce),
    "R03": declared("engrave", fields(["inscription"], inscription=TEXT), engrave),
    "R04": declared("repot", fields(["plant"], plant=TEXT, soil=SOIL), repot),
    "R05": declared("label", fields(["plant"], plant=TEXT, colours=TEXTS), label),
    "R06": declared("hive", fields(["job", "colony"], job=JOB, colony=TEXT, frames=TEXT), whole_hive),
    "R07": declared("mix", fields(["pigments"], pigments=EITHER), mix),
    "R08": declared("graze", {**fields(["herd"], herd=CATTLE), "$defs": {"Cattle": HERD}}, graze),
    "R09": declared("tune", fields(["station"], station={**TEXT, "description": STATION}), tune_to),
    "R10": declared("furlongs", fields(["miles"], miles=NUMBER, places={**WHOLE, "default": 2}), furlongs),
    "R11": declared("berth", fields(["number"], number=WHOLE), berth_named),
    "R12": declared("moored", closed(fields(["part", "flag"], part=TEXT, flag={"type": ["string", "null"]})), moored),
    "R17": declared("unroll", fields(["scrolls"], scrolls=TEXTS), unrolled),
    "R19": declared("catch", fields(["orders"], orders=TEXTS), catch_only),
}
EXPECTED = {
    "R01": {("undeclared-parameter", "/properties/bed")},
    "R02": {("optional-but-needed", "/properties/genus"), ("optional-but-needed", "/properties/epithet")},
    "R03": {("undeclared-parameter", "/properties/inscription"), ("ignored-field", "/properties/text")},
    "R04": {("undeclared-parameter", "/properties/plant"), ("undeclared-parameter", "/properties/soil")},
    "R05": {("required-but-supplied", "/properties/colours")},
    "R06": {("unused-in-member", "/properties/frames")},
    "R07": {("undeclared-type", "/properties/pigments")},
    "R08": {("dangling-ref", "/properties/herd/$ref")},
    "R09": {("default-is-description", "/properties/station/default")},
    "R10": {("null-refused", "/properties/places")},
    "R11": {("positional-only", "/properties/number")},
    "R12": {("undeclared-type", "/properties/flag")},
    "R17": {("error-as-text", "")},
    "R19": {("undeclared-type", "/properties/orders")},
}


def told(checked, tool):
    """What counts of one tool's findings: (code, pointer)."""
    return {(finding.code, finding.pointer) for finding in checked.findings if finding.tool == tool and finding.counts}


@pytest.fixture(scope="module")
def wrong():
    return check(WRONG.values(), probe_all=True)


@pytest.fixture(scope="module")
def right():
    return check(RIGHT.values(), probe_all=True)


@pytest.mark.parametrize("report", WRONG)
def test_the_wrong_form_is_flagged_for_what_it_is(wrong, report):
    """By the code and at the place that name the fault, and by nothing else."""
    assert told(wrong, WRONG[report].name) == EXPECTED[report]


@pytest.mark.parametrize("report", RIGHT)
def test_the_right_form_is_left_alone(right, report):
    """No finding from warning up."""
    assert told(right, RIGHT[report].name) == set()


def test_a_positional_parameter_is_refused_before_there_is_a_tool():
    """R11: whoever makes a tool of it is told at once, and `check` says it as a finding of a function."""
    with pytest.raises(ToolRefused, match="'number' is positional-only"):
        tb.tool(berth, schema=["number"])
    assert told(check([berth]), "berth") == {("positional-only", "/properties/number")}


def test_strict_mode_is_known():
    """R12: there every field is required, and that is no fault of the tool."""
    strict = declared("moored", WRONG["R12"].definition.schema, moored, strict=True)
    assert told(check([strict], probe_all=True), "moored") == set()


def stocked(number, stock, boxes=0, world=None):
    """Begins a shelf with a number of boxes, or says how many it has; the number is looked at when it begins."""
    shelves = world.state
    if stock == "begin":
        shelves[number] = boxes
    if number not in shelves:
        raise tb.ToolError(f"there is no shelf {number}")
    return {"shelf": number, "done": True, "boxes": shelves[number]}


def stocked_both_ways(number, stock, boxes=0, world=None):
    shelves = world.state
    if stock != "begin" and number not in shelves:
        raise tb.ToolError(f"there is no shelf {number}")
    shelves[number] = shelves.get(number, 0) + boxes
    return {"shelf": number, "done": True, "boxes": shelves[number]}


@pytest.mark.parametrize(
    ("function", "expected"),
    [(stocked, {("unused-in-member", "/properties/boxes")}), (stocked_both_ways, set())],
)
def test_a_field_that_one_operation_ignores_is_seen_behind_another(function, expected):
    """R06: nothing can be added before something was begun, so one call is tried behind the other."""
    schema = fields(["number", "stock"], number=TEXT, stock={"enum": ["begin", "add"]}, boxes=WHOLE)
    definition = tb.Definition("shelve", schema, "Keeps boxes on shelves.", side_effect=True)
    tools = [tb.Tool(definition, function, inject="world")]
    scenario = tb.Scenario(name="shelves", tools=tools, world=lambda: tb.World(state={}))
    assert told(check(scenario), "shelve") == expected


def moult(ring: str, age: int = 1):
    """Writes down a moult.

    Args:
        ring: what stands on the ring
    """
    return {"ring": ring, "age": age}


@pytest.mark.parametrize("text", ["0042", "1e3", "[1]", "null", "true", '{"a": 1}', "", " 7"])
def test_a_text_stays_the_text_that_it_is(text):
    """R13: digits and JSON in a text field reach the function as they were sent, by either way to call it."""
    tool = tb.tool(moult)
    assert tool.convert is not None or tool.definition.schema["properties"]["ring"]["type"] == "string"
    assert tool.call({"ring": text}).value == {"ring": text, "age": 1}
    assert tb.ToolTable([tool]).dispatch("moult", {"ring": text}).value == {"ring": text, "age": 1}


@pytest.mark.parametrize("to", ["openai", "openai-strict", "anthropic", "mcp", "json-schema"])
def test_a_text_stays_text_in_every_form_of_the_definition(to):
    """R13: a default and an example that look like numbers come back as texts."""
    ring = {**TEXT, "default": "007", "examples": ["1e3"]}
    definition = tb.Definition("moult", closed(fields(ring=ring)), "Writes down a moult.")
    [back] = read_document(convert([definition], to).document, "here").definitions
    shown = back.schema["properties"]["ring"]
    assert [shown.get("default", "007"), *shown.get("examples", ["1e3"])] == ["007", "1e3"]


@pytest.mark.parametrize("schema", [{"type": "object"}, {"type": "object", "properties": {}}, {}])
def test_a_tool_without_fields_is_no_fault(schema):
    """R14: an object that says nothing of its properties is a legal way to say that there are none."""
    tool = tb.Tool(tb.Definition("tick", schema, "Ticks."), lambda: {"ticked": True})
    assert tool.definition.fields == ()
    assert told(check([tool], probe_all=True), "tick") == set()
    assert told(check([tool.definition]), "tick") == set()
    assert tb.ToolTable([tool]).dispatch("tick", {}).value == {"ticked": True}


def test_a_field_by_a_wrong_name_is_named():
    """R15: what was sent is told as well as what is missing, so that the next call can be another one."""
    table = tb.ToolTable([declared("shelf", fields(["aisle", "note"], aisle=TEXT, note=TEXT), lambda **_: {})])
    message = table.dispatch("shelf", {"aisle": "3", "remark": "damp"}).message
    assert "unknown field 'remark'" in message
    assert "missing field 'note'" in message


def strike(members, world):
    """Takes members off a list, and says that it did, whoever was on it."""
    for one in members:
        world.state["choir"].pop(one, None)
    return {"struck": True, "told": "All members were taken off the list"}


def strike_known(members, world):
    unknown = [one for one in members if one not in world.state["choir"]]
    if unknown:
        raise tb.ToolError(f"not in the choir: {', '.join(unknown)}")
    return strike(members, world)


def hear(stations):
    """Every one of them failed, and none of it is told."""
    heard = [{"error": "no signal"} for _ in stations]
    return {"ended": 0, "heard": sum(one is not None for one in heard)}


def hear_well(stations):
    heard = [{"error": "no signal"} for _ in stations]
    if all("error" in one for one in heard):
        raise tb.ToolError("no station was heard")
    return {"ended": 0, "heard": len(heard)}


@pytest.mark.parametrize(
    ("wrong", "right", "arguments", "error", "fault"),
    [
        (strike, strike_known, {"members": ["Almo"]}, "Almo", "expected an error, got"),
        (hear, hear_well, {"stations": ["A", "B"]}, "no station", 'expected an error, got {"ended": 0, "heard": 2}'),
    ],
    ids=["R16", "R18"],
)
def test_one_case_tells_a_failure_that_is_hidden(wrong, right, arguments, error, fault):
    """R16 and R18: no declaration shows these; a case that expects an error does, and `measure` refuses to go on."""
    scenarios = []
    for function in (wrong, right):
        inject = "world" if "world" in function.__code__.co_varnames else None
        definition = tb.Definition("run", list(arguments), "Runs.")
        scenarios.append(
            tb.Scenario(
                name="one case",
                tools=[tb.Tool(definition, function, inject=inject)],
                world=lambda: tb.World(state={"choir": {"Alma": 1}}),
                cases=[tb.Case(id="hidden", tool="run", arguments=arguments, error=error)],
            )
        )
    case = scenarios[0].cases[0]
    faults = [case.fault(one.table.call("run", arguments, one.fresh_world())) for one in scenarios]
    assert faults[0].startswith(fault)
    assert faults[1] is None
    with pytest.raises(CleanRunFails, match="hidden"):
        measure(scenarios[0], layers=["tool"], defects=[])
