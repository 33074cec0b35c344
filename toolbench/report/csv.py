"""The report as CSV: one file per table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolbench.report.tables import tables_for_programs

if TYPE_CHECKING:
    from toolbench.measurement import Measurement


def csv_files(m: Measurement) -> dict[str, str]:
    """File name -> content, a header line first; an empty cell is `n/a`."""
    return {f"{name}.csv": frame.to_csv(index=False) for name, frame in tables_for_programs(m).items()}
