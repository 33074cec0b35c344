"""The report as Markdown."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from toolbench.report.tables import conclusion, headline, tables_for_reading

if TYPE_CHECKING:
    from toolbench.measurement import Measurement

SPECIAL = str.maketrans({character: "\\" + character for character in "\\`*_[]|~#"})


def markdown_report(m: Measurement) -> str:
    """Pipe tables under headings; every cell's markup is escaped."""
    from tabulate import tabulate

    parts = [f"# {escaped(headline(m))}"]
    for table in tables_for_reading(m):
        rows = [[escaped(cell) for cell in row] for row in table.rows]
        headers = [escaped(column) for column in table.columns]
        parts.append(f"## {table.title}")
        parts.append(f"{table.note[0].upper()}{table.note[1:]}.")
        parts.append(tabulate(rows, headers=headers, tablefmt="pipe", disable_numparse=True))
    parts += [escaped(line) for line in conclusion(m)]
    return "\n\n".join(parts) + "\n"


def escaped(text: str) -> str:
    """Text in which nothing is markup, neither Markdown's nor HTML's.

    >>> escaped("a|b <i>")
    'a\\\\|b &lt;i&gt;'
    """
    return html.escape(text, quote=False).translate(SPECIAL)
