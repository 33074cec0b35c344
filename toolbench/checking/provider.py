"""Where the strategies' choices come from: one seeded generator and nothing else.

Hypothesis' own provider mixes in constants of the modules that happen to be loaded, so what it draws depends on what
else runs in the process. This one is an alternative backend in its sense.
"""

from __future__ import annotations

import math
import random
from typing import Any

from hypothesis.internal.conjecture.providers import PrimitiveProvider

NICE = (0.0, 1.0, -1.0, 0.5, 2.0, 10.0)
SEED = 20


class Provider(PrimitiveProvider):
    """Draws from a generator of its own, which begins anew for each test function."""

    lifetime = "test_function"

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._random = random.Random(SEED)

    def draw_boolean(self, p: float = 0.5) -> bool:
        return self._random.random() < p

    def draw_integer(
        self,
        min_value: int | None = None,
        max_value: int | None = None,
        *,
        weights: dict[int, float] | None = None,
        shrink_towards: int = 0,
    ) -> int:
        least = -100 if min_value is None and max_value is None else min_value
        if least is None:
            assert max_value is not None
            least = max_value - 200
        return self._random.randint(least, least + 200 if max_value is None else max_value)

    def draw_float(
        self,
        *,
        min_value: float = -math.inf,
        max_value: float = math.inf,
        allow_nan: bool = True,
        smallest_nonzero_magnitude: float,
    ) -> float:
        nice = [value for value in NICE if min_value <= value <= max_value]
        if nice and self._random.random() < 0.5:
            return self._random.choice(nice)
        least, most = max(min_value, -100.0), min(max_value, 100.0)
        if least > most:
            least = most = min_value if math.isfinite(min_value) else max_value
        return min(max(round(self._random.uniform(least, most), 2), min_value), max_value)

    def draw_string(self, intervals: Any, *, min_size: int = 0, max_size: int = 20) -> str:
        size = self._random.randint(min_size, min(max_size, min_size + 20))
        return "".join(chr(intervals[self._random.randrange(len(intervals))]) for _ in range(size))

    def draw_bytes(self, min_size: int = 0, max_size: int = 20) -> bytes:
        return self._random.randbytes(self._random.randint(min_size, min(max_size, min_size + 20)))
