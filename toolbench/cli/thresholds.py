"""`--fail-under [LAYER:][CLASS=]SHARE`: the least share of defects that must be caught."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from toolbench.errors import UsageError, unknown
from toolbench.layers.all import LAYERS
from toolbench.measurement import Measurement
from toolbench.mutation.operator import CLASSES, TOTAL


@dataclass(frozen=True)
class Threshold:
    """A share that must be reached, by one layer or by any that measured; of one class or of all defects."""

    text: str
    layer: str | None
    class_: str
    least: Fraction

    def fault(self, m: Measurement) -> str | None:
        """Why the threshold is not reached; None when it is. A share that is n/a reaches none."""
        caught, measured = m.counts(self.layer, self.class_)
        by = f"the {self.layer} layer" if self.layer else "any layer"
        what = "all defects" if self.class_ == TOTAL else f"{self.class_} defects"
        if not measured:
            return f"--fail-under {self.text}: the share of {what} caught by {by} is n/a (0 were measured)"
        if Fraction(caught, measured) < self.least:
            return (
                f"--fail-under {self.text}: {caught}/{measured} = {caught / measured:.4f} of {what} "
                f"are caught by {by}, below {float(self.least):g}"
            )
        return None


def read_threshold(text: str) -> Threshold:
    """A threshold from its text; UsageError says what is wrong with it.

    >>> read_threshold("tool:value=0.75").least
    Fraction(3, 4)
    """
    layer, colon, rest = text.rpartition(":")
    class_, equals, number = rest.rpartition("=")
    if colon and layer not in LAYERS:
        raise UsageError(f"--fail-under {text}: {unknown('layer', layer, LAYERS)}")
    if equals and class_ not in (*CLASSES, TOTAL):
        raise UsageError(f"--fail-under {text}: {unknown('class', class_, (*CLASSES, TOTAL))}")
    least = Fraction(-1)
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,18})?|\.[0-9]{1,18}|[0-9]{1,9}/[1-9][0-9]{0,8}", number):
        least = Fraction(number)
    if not 0 <= least <= 1:
        raise UsageError(
            f"--fail-under {text}: give [LAYER:][CLASS=]SHARE with a share from 0 to 1, such as tool:value=0.9"
        )
    return Threshold(text, layer if colon else None, class_ if equals else TOTAL, least)
