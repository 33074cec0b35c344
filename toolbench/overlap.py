"""Which defects are caught by exactly which layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from toolbench.rules import CAUGHT, NOT_MEASURED


def overlap_rows(said: Mapping[str, Mapping[str, str]], active: Sequence[str]) -> list[dict[str, Any]]:
    """A row for each combination of layers, and a last one for none.

    said: defect -> layer -> verdict. active: the layers that measured anything; others are left out. A defect that no
    layer caught is by none only if every layer that was asked for measured it: of others nobody can say so.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    for size in range(1, len(active) + 1):
        groups.update({combination: [] for combination in combinations(active, size)})
    groups[()] = []
    for defect, verdicts in said.items():
        by = tuple(name for name in active if verdicts[name] == CAUGHT)
        if by or NOT_MEASURED not in verdicts.values():
            groups[by].append(defect)
    return [{"layers": list(by), "label": _label(by, active), "defects": ids} for by, ids in groups.items()]


def _label(by: Sequence[str], active: Sequence[str]) -> str:
    if not by:
        return "neither" if len(active) == 2 else "none"
    if len(by) == len(active) > 1:
        return "both" if len(active) == 2 else "all"
    return f"{by[0]} only" if len(by) == 1 else " + ".join(by)
