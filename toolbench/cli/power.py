"""`power`: how many seeds until the paired rule sees a defect."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from toolbench.cli import exit_codes
from toolbench.cli.options import add_agent, add_running, chosen_scenario, number, whole
from toolbench.cli.output import print_text
from toolbench.errors import UsageError, unknown

if TYPE_CHECKING:
    from toolbench.loop import Loop

HELP = "how many seeds until the paired rule sees a defect, computed from the machines of its tables"
FORMATS = ("text", "json")
COUNTS = tuple(digit * 10**zeros for zeros in range(7) for digit in (1, 2, 5))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", nargs="+", metavar="[SCENARIO] ID", help="a defect's id, behind its scenario if not metering"
    )
    parser.add_argument("--power", default="0.9", metavar="SHARE", help="how likely it is to be seen; default 0.9")
    parser.add_argument("--level", default="0.05", metavar="P", help="the p value below which it is seen; default 0.05")
    parser.add_argument("--seeds", metavar="N", help="the power with this number of seeds, beside others")
    parser.add_argument("--format", default="text", metavar="FORMAT", help=f"{' or '.join(FORMATS)}; default text")
    add_running(parser)
    add_agent(parser)


def run(options: argparse.Namespace) -> int:
    """Build the machines, compare them, print the power by number of seeds."""
    if len(options.what) > 2:
        raise UsageError(f"power {' '.join(options.what)}: give [SCENARIO] ID")
    if options.format not in FORMATS:
        raise UsageError(unknown("format", options.format, FORMATS))
    power, level = (_share(getattr(options, name), f"--{name}") for name in ("power", "level"))
    own = whole(options.seeds, "--seeds")
    scenario, name = options.what if len(options.what) == 2 else ("metering", options.what[0])

    from toolbench.measuring import measure

    m = measure(
        chosen_scenario(options, scenario),
        seeds=2,
        layers=["loop"],
        defects=[name],
        catalogue=options.catalogue,
        deadline=number(options.deadline, "--deadline"),
        jobs=whole(options.jobs, "--jobs"),
    )
    if m.loop is None or m.loop.compared(name) is None:
        raise UsageError(f"{m.scenario.name}: the power for {name} cannot be computed: {_reason(m, name)}")
    facts = _facts(m.loop, name, power, level, own)
    facts = {"scenario": m.scenario.name, "defect": name, "what": m.defects[0].description, **facts}
    print_text(json.dumps(facts, indent=1) + "\n" if options.format == "json" else _told(facts))
    return exit_codes.AS_ASKED


def _reason(m: Any, name: str) -> str:
    if m.loop is not None and (why := m.loop.incomparable(name)):
        return str(why)
    return str(m.explain(name, "loop").reason)


def _facts(loop: Loop, name: str, power: float, level: float, own: int | None) -> dict[str, Any]:
    from toolbench.mutation.defect import NONE
    from toolbench.power import power_curve, seeds_needed
    from toolbench.rules import invisible, never

    compared, chances = loop.compared(name), loop.chances(name)
    assert compared is not None and chances is not None
    failing, passing = chances
    needed = seeds_needed(failing, passing, power, level)
    counts = sorted({*COUNTS, *([own] if own else []), *([needed] if needed else [])})
    if needed is not None:
        counts = [count for count in counts if count <= 10 * needed or count == own]
    return {
        "power": power,
        "level": level,
        "seeds_needed": needed,
        "success": loop.expected(name),
        "defect_free": loop.expected(NONE),
        "never": never(compared) if invisible(compared) else None,
        "tasks": [
            {"task": task, "newly_failing": worse, "newly_passing": better}
            for task, worse, better in zip(loop.tasks, failing, passing, strict=True)
            if worse or better
        ],
        "curve": [{"seeds": seeds, "power": chance} for seeds, chance in power_curve(failing, passing, counts, level)],
    }


def _told(facts: dict[str, Any]) -> str:
    from tabulate import tabulate

    from toolbench.counting import counted
    from toolbench.values import harmless

    def body(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
        text = tabulate(rows, headers=columns, tablefmt="simple", disable_numparse=True)
        return "\n".join(line.rstrip() for line in text.splitlines())

    parts = [
        harmless(f"{facts['scenario']} {facts['defect']}: {facts['what']}"),
        f"expected success {facts['success']:.6f}, defect-free {facts['defect_free']:.6f}",
    ]
    if facts["never"]:
        return "\n".join([*parts, facts["never"][0].upper() + facts["never"][1:] + "."]) + "\n"
    needed = facts["seeds_needed"]
    how = "no number of seeds is enough" if needed is None else f"{counted(needed, 'seed')} needed"
    parts.append(f"{how} for the paired rule to see it with power {facts['power']:g} at level {facts['level']:g}")
    parts.append("(measured alone; Holm's correction divides the level by up to the number of defects in a report)")
    curve = [(f"{row['seeds']:,}", f"{row['power']:.4f}") for row in facts["curve"]]
    tasks = sorted(facts["tasks"], key=lambda row: -row["newly_failing"])[:12]
    rows = [(harmless(row["task"]), f"{row['newly_failing']:.6f}", f"{row['newly_passing']:.6f}") for row in tasks]
    more = len(facts["tasks"]) - len(rows)
    parts += ["", body(("seeds", "power"), curve), "", body(("task", "newly fails", "newly passes"), rows)]
    parts += [f"and {counted(more, 'task')} more"] if more else []
    return "\n".join([*parts, "", "Chances are those of one seed, exact with the draws taken as uniform."]) + "\n"


def _share(text: str, option: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        raise UsageError(f"{option} {text}: it is a number between 0 and 1")
    return value
