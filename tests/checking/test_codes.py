"""Each code of a finding: a tool that gives it, and a tool much like it that does not.

A code that no tool here gives would be dead.
"""

from __future__ import annotations

import datetime
import re
import threading
from dataclasses import dataclass
from typing import Any

import pytest

import toolbench as tb
from toolbench.checking.codes import CODES
from toolbench.checking.finding import SEVERITIES
from toolbench.checks import check

TEXT, WHOLE, NUMBER, FLAG = ({"type": kind} for kind in ("string", "integer", "number", "boolean"))


def fields(required=(), /, **properties):
    """The schema of an object with these fields."""
    return {"type": "object", "properties": properties, "required": list(required)}


@dataclass(frozen=True)
class Pair:
    """wrong and right: the schema and the function of a tool that gives the code, and of one that does not.

    pointer: the place of the finding. said: what else is said of both tools; right_said: of the right one alone.
    counts: whether the finding is from warning up.
    """

    wrong: tuple[Any, Any]
    right: tuple[Any, Any]
    pointer: str
    counts: bool = True
    said: tuple[tuple[str, Any], ...] = ()
    right_said: tuple[tuple[str, Any], ...] = ()


def any_of(**given):
    """Reads whatever it gets."""
    return {"got": sorted(given.items(), key=str)}


def same(schema, other, pointer, counts=True, **said):
    """A pair that differs in the schema alone, which is read; its function takes anything."""
    return Pair((schema, any_of), (other, any_of), pointer, counts, tuple(said.items()))


def one(schema):
    return fields(x=schema)


def as_is(x=None):
    return {"x": x}


def shown(x):
    return {"x": x}


def with_world(world, x=0):
    world.state["shelf"].append(x)
    return {"x": x}


def sets_world(world, x=0):
    world.state["last"] = x
    return {"x": x}


def reads_world(world, x=0):
    return {"x": x, "last": world.state["last"]}


def needs_y(x, y):
    return {"sum": x + y}


def has_y(x, y=3):
    return {"sum": x + y}


def ignores_y(x, y=0):
    return {"x": x}


SECRET: dict[str, Any] = {}
exec("def touches_y(x, y=0):\n    return {'x': x + 0 * y}", SECRET)
touches_y = SECRET["touches_y"]  # a function whose source nobody has: only calls can tell


def of_positions(x, /):
    return {"x": x}


def over_keys(**given):
    """Its keys are not written where a reader would find them."""
    wanted = "".join(["ti", "tle"])
    return {"title": given[wanted]}


def takes_text_or_list(x):
    if isinstance(x, str):
        x = x.split(";")
    return {"n": len(x)}


def takes_list(x):
    if not isinstance(x, list) or not all(isinstance(one, str) for one in x):
        raise ValueError("x is a list of texts")
    return {"n": len(x)}


def knows_two(x):
    known = {"red": 1, "blue": 2}
    if x not in known:
        raise tb.ToolError(f"no colour {x}")
    return {"colour": known[x]}


def doubles(x=1):
    return {"x": x * 2}


def never_null(x=1):
    return {"x": x + 1}


def null_too(x=1):
    return {"x": 0 if x is None else x + 1}


def joins(x):
    return {"joined": ",".join(x)}


def of_text(x):
    if not isinstance(x, str):
        raise ValueError("x is a text")
    return {"length": len(x.strip())}


def of_choice(x, y=1):
    return {"result": y * 2 if x == "far" else 0}


def of_every_choice(x, y=1):
    return {"result": y * 2 if x == "far" else y}


def wrapped(x):
    try:
        return {"told": 10 // x}
    except Exception as problem:
        return f"Error: {problem}"


def unwrapped(x):
    if x == 0:
        raise ValueError("x is 0")
    return {"told": 10 // x}


def tells_of_errors(x):
    return f"Error rate on line {x} is 3 %"


def divides(x):
    return {"part": 10 / x}


def checks_number(x):
    if isinstance(x, bool) or not isinstance(x, int | float):
        raise ValueError("x is a number")
    return {"x": x}


def checks_colour(x):
    if x not in ("red", "blue"):
        raise ValueError("x is red or blue")
    return {"x": x}


ENUM = {"type": "string", "enum": ["red", "blue"]}
CHOICE = {"type": "string", "enum": ["far", "near"]}
TEXTS = {"type": "array", "items": TEXT}
OUTPUT = {"type": "object", "properties": {"x": WHOLE}, "required": ["x"]}
LOOP = {"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"anyOf": [{"$ref": "#/$defs/A"}]}}}
TREE = {"$defs": {"A": {"type": "object", "properties": {"child": {"$ref": "#/$defs/A"}}}}}
SENTENCE = "The name of the ship"
OPEN = fields(["x"], x=TEXT)


def claims_to_delete(world, x=0):
    """Deletes what is on the shelf, and says so in any case."""
    world.state["shelf"] = [item for item in world.state["shelf"] if item != x]
    return {"deleted": True}


def says_what_was_deleted(world, x=0):
    """Tells how many there were; puts one there where there is none, so that something happens."""
    number = world.state["shelf"].count(x)
    world.state["last"] += 1
    return {"deleted": number}


def checks_colour_by_name(x):
    if x not in ("green", "blue"):
        raise ValueError(f"{x!r} is no colour")
    return {"colour": x}


def takes_any_day(day):
    return {"rain": day > "2020", "day": day}


def takes_real_days(day):
    datetime.date.fromisoformat(day)
    return {"rain": day > "2020", "day": day}


PAIRS = {
    "invalid-schema": same(one({"type": "text"}), one(TEXT), "/properties/x/type"),
    "dangling-ref": same(one({"$ref": "#/$defs/A"}), {**one({"$ref": "#/$defs/A"}), **TREE}, "/properties/x/$ref"),
    "remote-ref": same(
        one({"$ref": "https://schemas.invalid/a.json"}),
        {
            **one({"$ref": "https://schemas.invalid/a.json"}),
            "$defs": {"A": {"$id": "https://schemas.invalid/a.json", **TEXT}},
        },
        "/properties/x/$ref",
    ),
    "undeclared-required": Pair((fields(["y"], x=TEXT), any_of), (fields(["x"], x=TEXT), shown), "/required"),
    "invalid-pattern": same(
        one({**TEXT, "pattern": "(["}), one({**TEXT, "pattern": r"^\p{L}+(?=x)"}), "/properties/x/pattern"
    ),
    "unsatisfiable": same(
        one({**WHOLE, "minimum": 2, "maximum": 1}), one({**WHOLE, "minimum": 2, "maximum": 2}), "/properties/x/minimum"
    ),
    "default-invalid": same(one({**WHOLE, "default": "0"}), one({**WHOLE, "default": 0}), "/properties/x/default"),
    "default-is-description": same(
        one({**TEXT, "default": SENTENCE}),
        one({**TEXT, "default": SENTENCE, "description": "What is painted on it, by default what it is."}),
        "/properties/x/default",
    ),
    "default-none-text": same(
        one({**TEXT, "default": "None"}), one({**TEXT, "default": "nobody"}), "/properties/x/default"
    ),
    "default-differs": Pair(
        (one({**WHOLE, "default": 2}), doubles), (one({**WHOLE, "default": 1}), doubles), "/properties/x/default"
    ),
    "enum-type": same(one({**WHOLE, "enum": ["1", "2"]}), one({**WHOLE, "enum": [1, 2.0]}), "/properties/x/enum"),
    "example-invalid": same(
        one({**WHOLE, "examples": ["1"]}), one({**WHOLE, "examples": [1]}), "/properties/x/examples"
    ),
    "items-missing": same(one({"type": "array"}), one({"type": "array", "items": {}}), "/properties/x"),
    "misspelt-keyword": same(
        one({**TEXT, "discription": "Its name."}), one({**TEXT, "x-colour": "red"}), "/properties/x/discription"
    ),
    "strict-open": same(OPEN, {**OPEN, "additionalProperties": False}, "", strict=True),
    "unknown-keyword": same(
        one({**TEXT, "shade": 3}), one({**TEXT, "x-shade": 3}), "/properties/x/shade", counts=False
    ),
    "type-missing": same(one({"title": "X"}), one({"enum": [1]}), "/properties/x", counts=False),
    "choices-in-description": same(
        one({**TEXT, "description": "One of 'up', 'down' or 'left'."}),
        one({**TEXT, "description": "One of these.", "enum": ["up", "down"]}),
        "/properties/x",
        counts=False,
    ),
    "refused-name": same(fields(größe=TEXT), fields(groesse=TEXT), "/properties/größe", counts=False),
    "no-description": Pair(
        (one(TEXT), any_of),
        (one(TEXT), any_of),
        "/description",
        counts=False,
        said=(("description", ""),),
        right_said=(("description", "Does what it does."),),
    ),
    "undeclared-parameter": Pair(
        (fields(["x"], x=WHOLE), has_y), (fields(["x"], x=WHOLE, y=WHOLE), has_y), "/properties/y"
    ),
    "unknown-field": Pair((fields(["x"], x=WHOLE, z=WHOLE), shown), (fields(["x"], x=WHOLE), shown), "/properties/z"),
    "ignored-field": Pair(
        (fields(["x"], x=WHOLE, y=WHOLE), ignores_y), (fields(["x"], x=WHOLE, y=WHOLE), has_y), "/properties/y"
    ),
    "positional-only": Pair((fields(["x"], x=WHOLE), of_positions), (fields(["x"], x=WHOLE), shown), "/properties/x"),
    "optional-but-needed": Pair(
        (fields(["x"], x=WHOLE, y=WHOLE), needs_y), (fields(["x"], x=WHOLE, y=WHOLE), has_y), "/properties/y"
    ),
    "required-but-supplied": Pair(
        (fields(["x", "y"], x=WHOLE, y=WHOLE), has_y), (fields(["x"], x=WHOLE, y=WHOLE), has_y), "/properties/y"
    ),
    "undeclared-type": Pair(
        (fields(["x"], x=TEXTS), takes_text_or_list), (fields(["x"], x=TEXTS), takes_list), "/properties/x"
    ),
    "name-refused": Pair(
        (fields(["name"], name=TEXT), over_keys), (fields(["title"], title=TEXT), over_keys), "/properties/title"
    ),
    "case-refused": Pair((fields(["x"], x=WHOLE), shown), (fields(["x"], x=TEXT), shown), ""),
    "enum-refused": Pair(
        (fields(["x"], x={**ENUM, "enum": ["red", "blue", "pink"]}), knows_two),
        (fields(["x"], x=ENUM), knows_two),
        "/properties/x",
    ),
    "null-refused": Pair(
        (one({"type": ["integer", "null"]}), never_null),
        (one({"type": ["integer", "null"]}), null_too),
        "/properties/x",
    ),
    "type-refused": Pair((fields(["x"], x=WHOLE), of_text), (fields(["x"], x=TEXT), of_text), "/properties/x"),
    "unused-field": Pair(
        (fields(["x"], x=WHOLE, y={**WHOLE, "enum": [0, 1, 2]}), touches_y),
        (fields(["x"], x=WHOLE, y={**WHOLE, "enum": [0, 1, 2]}), has_y),
        "/properties/y",
    ),
    "unused-in-member": Pair(
        (fields(["x"], x=CHOICE, y=WHOLE), of_choice),
        (fields(["x"], x=CHOICE, y=WHOLE), of_every_choice),
        "/properties/y",
    ),
    "output-invalid": Pair(
        (one(TEXT), as_is), (fields(["x"], x=WHOLE), shown), "/outputSchema", said=(("output_schema", OUTPUT),)
    ),
    "not-read-only": Pair(
        (one(WHOLE), with_world),
        (one(WHOLE), reads_world),
        "/annotations/readOnlyHint",
        said=(("side_effect", False),),
    ),
    "not-idempotent": Pair(
        (one(WHOLE), with_world),
        (one(WHOLE), sets_world),
        "/annotations/idempotentHint",
        said=(("side_effect", True), ("idempotent", True)),
    ),
    "error-as-text": Pair((fields(["x"], x=WHOLE), wrapped), (fields(["x"], x=WHOLE), tells_of_errors), ""),
    "valid-call-crashes": Pair(
        (fields(["x"], x=WHOLE), divides), (fields(["x"], x=WHOLE), unwrapped), "", counts=False
    ),
    "wrong-type-accepted": Pair(
        (fields(["x"], x=WHOLE), as_is), (fields(["x"], x=NUMBER), checks_number), "/properties/x", counts=False
    ),
    "wrong-type-crashes": Pair(
        (fields(["x"], x=TEXTS), joins), (fields(["x"], x=TEXTS), takes_list), "/properties/x", counts=False
    ),
    "enum-not-enforced": Pair(
        (fields(["x"], x=ENUM), as_is), (fields(["x"], x=ENUM), checks_colour), "/properties/x", counts=False
    ),
    "effect-not-seen": Pair(
        (one(WHOLE), reads_world),
        (one(WHOLE), sets_world),
        "/annotations/readOnlyHint",
        counts=False,
        said=(("side_effect", True),),
    ),
    "effect-claimed": Pair(
        (one(WHOLE), claims_to_delete),
        (one(WHOLE), says_what_was_deleted),
        "",
        said=(("side_effect", True),),
    ),
    "example-refused": Pair(
        (fields(["x"], x={**TEXT, "description": "A colour, e.g. 'magenta'."}), checks_colour_by_name),
        (fields(["x"], x={**TEXT, "description": "A colour, e.g. 'green'."}), checks_colour_by_name),
        "/properties/x",
    ),
    "nonsense-accepted": Pair(
        (fields(["day"], day={**TEXT, "description": "The date to look up."}), takes_any_day),
        (fields(["day"], day={**TEXT, "description": "The date to look up."}), takes_real_days),
        "/properties/day",
    ),
}
BAD = {"name": "bad", "parameters": [1]}
GOOD = {"name": "good", "parameters": {"type": "object", "properties": {}}}


def starred(*x):
    """Refused: no field can fill it."""
    return {"x": x}


def unsaid(x: threading.Thread):
    """Refused: no JSON carries it."""
    return {"x": x}


def plain_one(x: int):
    """Taken."""
    return {"x": x}


OF_SERVERS = ("stdout-noise", "list-changes")  # test_server.py has them

# Codes that no single tool of a table can give: what is checked, and what is checked instead.
CHAIN = {"title": "chain", **one({"$ref": "#/$defs/A"})}
WHOLES = {
    "unreadable": ([BAD, GOOD], [GOOD]),
    "no-schema": ([unsaid], [plain_one]),
    "refused": ([starred], [plain_one]),
    "circular-ref": ([{**CHAIN, **LOOP}], [{**CHAIN, **TREE}]),
    "duplicate-name": ([GOOD, GOOD], [GOOD, {**GOOD, "name": "better"}]),
}


def tool_of(code, schema, function, said):
    given = {"description": "Does what it does.", **dict(said)}
    inject = "world" if "world" in function.__code__.co_varnames else None
    return tb.Tool(tb.Definition(code.replace("-", "_"), schema, **given), function, inject=inject)


def scenario_of(which):
    tools = []
    for code, pair in PAIRS.items():
        said = [*pair.said, *(pair.right_said if which == "right" else ())]
        tools.append(tool_of(code, *getattr(pair, which), said))
    case = tb.Case(id="a text", tool="case_refused", arguments={"x": "seven"}, output={"x": "seven"})
    return tb.Scenario(name=which, tools=tools, cases=[case], world=lambda: tb.World(state={"shelf": [], "last": 0}))


@pytest.fixture(scope="module")
def wrong():
    return check(scenario_of("wrong"))


@pytest.fixture(scope="module")
def right():
    return check(scenario_of("right"))


def of(checked, tool):
    return [finding for finding in checked.findings if finding.tool == tool]


@pytest.mark.parametrize("code", PAIRS)
def test_a_code_is_given_where_it_belongs(wrong, code):
    """At its place, with the severity that is told of it, and with an input where it was seen in a call."""
    pair = PAIRS[code]
    found = [finding for finding in of(wrong, code.replace("-", "_")) if finding.code == code]
    assert [(finding.pointer, finding.counts) for finding in found] == [(pair.pointer, pair.counts)]


@pytest.mark.parametrize("code", PAIRS)
def test_a_tool_much_like_it_is_left_alone(right, code):
    """The code is not given, nor anything else from warning up."""
    found = of(right, code.replace("-", "_"))
    assert code not in {finding.code for finding in found}
    assert [finding for finding in found if finding.counts] == []


@pytest.mark.parametrize("code", WHOLES)
def test_a_code_of_a_whole_is_given_where_it_belongs(code):
    """What concerns a document, a function that is no tool, or several tools."""
    wrong, right = WHOLES[code]
    assert code in {finding.code for finding in check(wrong).findings}
    assert code not in {finding.code for finding in check(right).findings}


def test_no_code_is_dead():
    """There is a tool for each code, and no code that is not told."""
    assert set(PAIRS) | set(WHOLES) | set(OF_SERVERS) == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_a_code_says_why_and_what_to_do(code):
    """In whole sentences; its name is a few words of small letters."""
    known = CODES[code]
    assert known.severity in SEVERITIES
    assert known.why.endswith(".") and known.cure.endswith(".")
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code)
