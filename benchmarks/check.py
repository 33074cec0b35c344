"""What checking costs: 500 definitions without functions, and probes against the bare calls that they make.

    python benchmarks/check.py [REPEATS]

Probes: the same hundred calls of each tool of the metering scenario, made as probes (in a fresh world, the world
compared before and after, the answer held against the declared output, a row made), and bare (in a fresh world),
each validated against its schema with jsonschema, the reference. In turn, so that a slow moment of the machine
meets both. Drawing the arguments is measured apart.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import toolbench as tb  # noqa: E402
from toolbench.checking.drawing import draw  # noqa: E402
from toolbench.layers.all import LAYERS  # noqa: E402

DEFINITIONS, PROBES = 500, 100
SCENARIO = tb.load_scenario("metering")


def definition(number, rng):
    """A tool as servers have them: two to eight fields of all types, some with defaults, enums and references."""
    kinds = [
        {"type": "string", "description": "What to look for."},
        {"type": "integer", "minimum": 1, "default": 10, "description": "The most to give."},
        {"type": "number", "description": "A share from 0 to 1.", "minimum": 0, "maximum": 1},
        {"type": "boolean", "default": False},
        {"type": "array", "items": {"type": "string"}, "description": "Labels."},
        {"type": "string", "enum": ["red", "green", "blue"], "default": "red"},
        {"type": "object", "properties": {"from": {"type": "string"}, "to": {"$ref": "#/$defs/Day"}}},
        {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
    ]
    fields = {f"field_{i}": rng.choice(kinds) for i in range(rng.randint(2, 8))}
    days = {"Day": {"type": "string", "format": "date"}}
    schema = {"type": "object", "properties": fields, "required": ["field_0"], "$defs": days}
    return {"name": f"tool_{number}", "description": "Does one thing.", "inputSchema": schema}


def definitions(repeats):
    """Seconds for the whole command on a file of definitions."""
    rng = random.Random(DEFINITIONS)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tools.json"
        file.write_text(json.dumps({"tools": [definition(number, rng) for number in range(DEFINITIONS)]}))
        taken = []
        for _ in range(repeats + 1):
            began = perf_counter()
            command = [sys.executable, "-m", "toolbench", "check", str(file), "--fail-on", "never"]
            subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
            taken.append(perf_counter() - began)
    return taken[1:]


def arguments(tool, count):
    """The arguments that are drawn from a tool's schema, over and over if there are fewer."""
    values = draw(tool.definition.schema, count)["values"]
    return [values[number % len(values)] for number in range(count)]


def seconds(work):
    began = perf_counter()
    work()
    return perf_counter() - began


def main(repeats=15):
    taken = definitions(repeats)
    print(f"check of {DEFINITIONS} definitions, whole command, median (least to most) of {repeats} repeats")
    print(f"  {median(taken):.2f} s ({min(taken):.2f} to {max(taken):.2f}); wanted under 3 s")

    layer, table, fresh = LAYERS["definition"], SCENARIO.table, SCENARIO.fresh_world
    calls, drawing = [], 0.0
    for tool in table.values():
        began = perf_counter()
        calls += [(tool.name, one) for one in arguments(tool, PROBES)]
        drawing += perf_counter() - began
    validators = {name: Draft202012Validator(table[name].definition.schema) for name in table}
    units = [{"calls": [[name, one]], "apart": False} for name, one in calls]

    def bare():
        for name, one in calls:
            table.call(name, one, fresh())

    def validated():
        for name, one in calls:
            validators[name].is_valid(one)

    def probed():
        for _ in layer.observe(SCENARIO, table, units):
            pass

    ratios, shares = [], []
    for repeat in range(repeats + 1):
        plain, checked, whole = seconds(bare), seconds(validated), seconds(probed)
        if repeat:
            ratios.append(whole / (plain + checked))
            shares.append((plain, checked, whole))
    plain, checked, whole = (median(part) / len(calls) * 1e6 for part in zip(*shares, strict=True))
    print(
        f"{PROBES} probes of each of {len(table)} tools, microseconds each: bare {plain:.1f}, "
        f"validation {checked:.1f}, probe {whole:.1f}"
    )
    print(
        f"  probes / (bare calls + validation) {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}); "
        "wanted at most 3"
    )
    print(f"  drawing the arguments, loading Hypothesis included: {drawing:.2f} s for all")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
