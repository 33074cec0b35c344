"""`check`: read declarations and probe the functions behind them, for what would mislead an agent."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolbench.cli import exit_codes
from toolbench.cli.options import chatter_to_stderr, number, whole
from toolbench.cli.output import check_writable, print_text, write_text
from toolbench.cli.servers import add_server, chosen_target
from toolbench.errors import UsageError, unknown

if TYPE_CHECKING:
    from toolbench.checks import Check

HELP = "look for declarations that would mislead an agent, by reading them and calling the functions behind them"
FORMATS = ("text", "json", "sarif")
NEVER = "never"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target",
        nargs="?",
        help="a scenario, a Python file or module (my_tools.py:table), or a file of definitions (tools.json)",
    )
    add_server(parser)
    parser.add_argument("--functions", metavar="MODULE", help="the functions behind a file of definitions, by name")
    parser.add_argument("--probe-all", action="store_true", help="call also tools that may have effects")
    parser.add_argument("--notes", action="store_true", help="show notes in full; text only")
    parser.add_argument("--format", default="text", metavar="FORMAT", help=f"{', '.join(FORMATS)}; default text")
    parser.add_argument("--out", metavar="FILE", help="write to this file, whole or not at all")
    parser.add_argument(
        "--fail-on",
        default="warning",
        metavar="SEVERITY",
        help="exit with 1 from error, warning or note up, or never; default warning",
    )
    parser.add_argument("--off", metavar="FILE", help="findings that are switched off; default check.toml beside it")
    parser.add_argument("--deadline", metavar="SECONDS", help="how long one probe may take")
    parser.add_argument("--jobs", metavar="N", help="the most worker processes")


def run(options: argparse.Namespace) -> int:
    """Check, write the findings, and say by the exit code whether there are any that count."""
    from toolbench.checking.finding import SEVERITIES, from_severity
    from toolbench.checks import check

    if options.format not in FORMATS:
        raise UsageError(unknown("format", options.format, FORMATS))
    if options.fail_on not in (*SEVERITIES, NEVER):
        raise UsageError(unknown("severity", options.fail_on, (*SEVERITIES, NEVER)))
    out = None if options.out is None else Path(options.out)
    if out is not None:
        check_writable(out, folder=False)
        if (
            out.exists()
            and options.target
            and out.resolve() == Path(options.target.rpartition(":")[0] or options.target).resolve()
        ):
            raise UsageError(f"--out {out}: is what is to be checked; give another file")
    with chatter_to_stderr():
        checked = check(
            chosen_target(options),
            functions=options.functions,
            probe_all=options.probe_all,
            deadline=number(options.deadline, "--deadline"),
            jobs=whole(options.jobs, "--jobs"),
            switches=options.off,
        )
    text = _formatted(checked, options, colour=out is None and sys.stdout is not None and sys.stdout.isatty())
    if out is None:
        print_text(text)
    else:
        write_text(out, text)
    if options.fail_on != NEVER and from_severity(checked.findings, options.fail_on):
        return exit_codes.FALLS_SHORT
    return exit_codes.AS_ASKED


def _formatted(checked: Check, options: argparse.Namespace, *, colour: bool) -> str:
    if options.format == "text":
        from toolbench.report.findings import text_of

        return text_of(checked, colour=colour, notes=options.notes)
    from toolbench.report.findings_json import json_of, sarif_of

    return json_of(checked) if options.format == "json" else sarif_of(checked)
