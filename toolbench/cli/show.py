"""`show`: one defect, as a diff, and what each layer said of it."""

from __future__ import annotations

import argparse

from toolbench.cli import exit_codes
from toolbench.cli.options import add_measuring, measured
from toolbench.cli.output import print_text
from toolbench.errors import UsageError

HELP = "show what a defect changes, as a diff, and what each layer said of it"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", nargs="+", metavar="[SCENARIO] ID", help="a defect's id, behind its scenario if not metering"
    )
    add_measuring(parser)


def run(options: argparse.Namespace) -> int:
    """Measure one defect and print its diff and its verdicts."""
    if len(options.what) > 2:
        raise UsageError(f"show {' '.join(options.what)}: give [SCENARIO] ID")
    scenario, name = options.what if len(options.what) == 2 else ("metering", options.what[0])
    m = measured(options, scenario, layers=None, defects=[name])

    from toolbench.mutation.defect import plant
    from toolbench.mutation.diff import diff
    from toolbench.values import harmless

    defect = m.defects[0]
    planted = plant(defect, m.scenario.table, m.scenario.functions)
    head = f"{defect.id}: {defect.tool}, class {defect.class_}, operator {defect.operator}"
    parts = [f"{head}\n{defect.description}".rstrip(), diff(planted, m.scenario.table[defect.tool])]
    parts += [str(m.explain(name, layer)) for layer in m.layers]
    text = "\n\n".join(parts)
    print_text("\n".join(harmless(line) for line in text.split("\n")) + "\n")
    return exit_codes.AS_ASKED
