"""The report for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolbench.report.tables import conclusion, headline, tables_for_reading

if TYPE_CHECKING:
    from toolbench.measurement import Measurement


def text_report(m: Measurement, *, bold: bool = False) -> str:
    """Tables that line up, with a sentence each; `bold` sets titles off where a terminal can."""
    from tabulate import tabulate

    on, off = ("\033[1m", "\033[0m") if bold else ("", "")
    parts = [f"{on}{headline(m)}{off}"]
    for table in tables_for_reading(m):
        body = tabulate(table.rows, headers=table.columns, tablefmt="simple", disable_numparse=True)
        lines = "\n".join(line.rstrip() for line in body.splitlines())
        parts.append(f"{on}{table.title}{off} ({table.note})\n\n{lines}")
    if said := conclusion(m):
        parts.append("\n".join(said))
    return "\n\n".join(parts) + "\n"
