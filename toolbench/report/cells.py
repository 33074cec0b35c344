"""Tables for readers, and how their cells are written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from toolbench.values import harmless

LISTED = 6
NA = "n/a"


@dataclass(frozen=True)
class Table:
    """A table for readers: a title, a sentence on how to read it, and text cells."""

    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table(title: str, note: str, columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> Table:
    """A Table whose every cell is harmless text: what comes from outside may hold anything."""
    cells = tuple(tuple(harmless(NA if cell is None else str(cell)) for cell in row) for row in rows)
    return Table(title, note, tuple(map(harmless, columns)), cells)


def share(k: int, n: int) -> str:
    """A share with its k/n; `n/a` where nothing was measured.

    >>> share(7, 11), share(0, 0)
    ('7/11  0.6364', 'n/a')
    """
    return f"{k}/{n}  {k / n:.4f}" if n else NA


def number(value: int | None) -> str:
    return NA if value is None else f"{value:,}"


def listed(names: Iterable[str], most: int = LISTED) -> str:
    """Names with spaces between them, cut after `most`; a dash for none."""
    shown = list(names)
    more = f" and {len(shown) - most} more" if len(shown) > most else ""
    return (" ".join(shown[:most]) + more) or "-"


def signed(value: float | None, digits: int = 4) -> str:
    """A difference with its sign; nothing but a sign of 0 is lost.

    >>> signed(-0.25), signed(0.0), signed(None)
    ('-0.2500', '0.0000', 'n/a')
    """
    if value is None:
        return NA
    return f"{value + 0.0:+.{digits}f}" if round(value, digits) else f"{0:.{digits}f}"


def interval(low: float | None, high: float | None) -> str:
    """An interval of differences."""
    return NA if low is None or high is None else f"{signed(low)} to {signed(high)}"
