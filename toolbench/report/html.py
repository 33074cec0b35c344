"""The report for a notebook: HTML that is readable and safe."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from toolbench.report.cells import Table
from toolbench.report.tables import conclusion, headline, tables_for_reading

if TYPE_CHECKING:
    from toolbench.measurement import Measurement


def html_report(m: Measurement) -> str:
    """Headings and tables; every text is escaped, and there is no script and no style sheet."""
    parts = [f"<h3>{escape(headline(m))}</h3>"]
    parts += [_table(table) for table in tables_for_reading(m)]
    parts += [f"<p>{escape(line)}</p>" for line in conclusion(m)]
    return "\n".join(parts)


def _table(table: Table) -> str:
    head = "".join(f"<th scope='col'>{escape(column)}</th>" for column in table.columns)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    caption = f"<caption><strong>{escape(table.title)}</strong> ({escape(table.note)})</caption>"
    return f"<table>{caption}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
