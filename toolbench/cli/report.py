"""`report`: plant defects, run the layers, print the tables."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolbench.cli import exit_codes
from toolbench.cli.options import add_measuring, measured, names
from toolbench.cli.output import check_writable, print_text, write_folder, write_text
from toolbench.errors import UsageError, unknown

if TYPE_CHECKING:
    from toolbench.measurement import Measurement

HELP = "plant defects in a scenario's tools, run the layers over every copy, and print who caught what"
FORMATS = ("text", "markdown", "csv", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "scenario", nargs="?", default="metering", help="a built-in scenario or a folder; default metering"
    )
    add_measuring(parser)
    parser.add_argument("--layers", metavar="A,B", help="only these layers")
    parser.add_argument("--defects", metavar="ID,ID", help="only these defects")
    parser.add_argument(
        "--rule", default="band", metavar="RULE", help="judge the loop by band, paired or exact; default band"
    )
    parser.add_argument("--per-seed", action="store_true", help="what each seed gave, also beyond 1,000 seeds")
    parser.add_argument("--format", default="text", metavar="FORMAT", help=f"{', '.join(FORMATS)}; default text")
    parser.add_argument(
        "--out", metavar="PLACE", help="write to this file (csv: into this folder), whole or not at all"
    )
    parser.add_argument(
        "--fail-under",
        action="append",
        default=[],
        metavar="[LAYER:][CLASS=]SHARE",
        help="exit with 1 when a smaller share is caught; may be given again",
    )


def run(options: argparse.Namespace) -> int:
    """Measure, write the report, check the thresholds."""
    from toolbench.cli.thresholds import read_threshold

    if options.format not in FORMATS:
        raise UsageError(unknown("format", options.format, FORMATS))
    if options.format == "csv" and options.out is None:
        raise UsageError("--format csv is one file per table: give --out FOLDER")
    out = None if options.out is None else Path(options.out)
    if out is not None:
        check_writable(out, folder=options.format == "csv")
    thresholds = [read_threshold(text) for text in options.fail_under]
    layers, defects = names(options.layers, "--layers"), names(options.defects, "--defects")
    m = measured(
        options, options.scenario, layers=layers, defects=defects, rule=options.rule, per_seed=options.per_seed
    )
    _write(m, options.format, out)
    if (left := m.interrupted) is not None:
        sys.stderr.write(f"toolbench: {left.reason}; the report is of these\n")
        return exit_codes.INTERRUPTED
    faults = [fault for threshold in thresholds if (fault := threshold.fault(m)) is not None]
    for fault in faults:
        sys.stderr.write(f"toolbench: {fault}\n")
    return exit_codes.FALLS_SHORT if faults else exit_codes.AS_ASKED


def _write(m: Measurement, form: str, out: Path | None) -> None:
    if form == "csv":
        from toolbench.report.csv import csv_files

        assert out is not None
        write_folder(out, csv_files(m))
        return
    text = _formatted(m, form, bold=out is None and sys.stdout is not None and sys.stdout.isatty())
    if out is None:
        print_text(text)
    else:
        write_text(out, text)


def _formatted(m: Measurement, form: str, *, bold: bool) -> str:
    if form == "json":
        from toolbench.report.json import json_report

        return json_report(m)
    if form == "markdown":
        from toolbench.report.markdown import markdown_report

        return markdown_report(m)
    from toolbench.report.text import text_report

    return text_report(m, bold=bold)
