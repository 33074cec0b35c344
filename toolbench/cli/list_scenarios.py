"""`list`: the scenarios, and what is in them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from toolbench.cli import exit_codes
from toolbench.cli.options import chatter_to_stderr
from toolbench.cli.output import print_text

HELP = "list scenarios with their tools, cases, tasks and defects"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenario", nargs="*", help="only these; by default every built-in scenario")


def run(options: argparse.Namespace) -> int:
    """Print each scenario's parts."""
    from toolbench.folder import built_in

    print_text("\n\n".join(_described(name) for name in options.scenario or built_in()) + "\n")
    return exit_codes.AS_ASKED


def _described(name: str) -> str:
    from tabulate import tabulate

    from toolbench.counting import counted
    from toolbench.loading import load_defects, load_scenario
    from toolbench.values import harmless

    with chatter_to_stderr():
        scenario = load_scenario(name)
    defects = load_defects(scenario)
    sizes = {"tool": scenario.table, "case": scenario.cases, "task": scenario.tasks, "defect": defects}
    counts = ", ".join(counted(len(parts), noun) for noun, parts in sizes.items())
    parts = [harmless(f"{scenario.name}: {counts}, base seed {scenario.base_seed}")]
    tables: dict[tuple[str, ...], Sequence[Sequence[str]]] = {
        ("tool", "fields", "effect", "what it does"): [
            (
                t.name,
                " ".join(t.definition.fields),
                "side effect" if t.definition.side_effect else "",
                t.definition.description,
            )
            for t in scenario.table.values()
        ],
        ("case", "tool", "expects"): [(c.id, c.tool, c.expectation()) for c in scenario.cases],
        ("task", "right way", "request"): [(t.id, " ".join(t.sequence), t.request) for t in scenario.tasks],
        ("defect", "tool", "class", "operator", "what"): [
            (d.id, d.tool, d.class_, d.operator, d.description) for d in defects
        ],
    }
    for headers, rows in tables.items():
        cells = [[harmless(cell) for cell in row] for row in rows]
        if cells:
            body = tabulate(cells, headers=headers, tablefmt="simple", disable_numparse=True)
            parts.append("\n".join(line.rstrip() for line in body.splitlines()))
    return "\n\n".join(parts)
