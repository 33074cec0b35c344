"""Options that several commands share."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from toolbench.errors import UsageError

if TYPE_CHECKING:
    from toolbench.measurement import Measurement


SEEDS = "N (the first N from the base seed), a:b (half-open), a,b,c (a list) or a, (one seed); default 2"


def add_measuring(parser: argparse.ArgumentParser) -> None:
    """The options that say what to measure, and how."""
    parser.add_argument("--seeds", default="2", metavar="SEEDS", help=SEEDS)
    parser.add_argument("--catalogue", metavar="FILE", help="another catalogue of defects than the scenario's own")
    parser.add_argument("--deadline", metavar="SECONDS", help="how long one case or one episode may take")
    parser.add_argument("--jobs", metavar="N", help="the most worker processes; one serves while all goes well")
    parser.add_argument("--self-critique", action="store_true", help="the agent pays for thinking about each error")
    parser.add_argument("--approval", action="store_true", help="the agent asks before each side effect")


def number(text: str | None, option: str) -> float | None:
    """A number given to an option, above 0; None where it was not given."""
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise UsageError(f"{option} {text}: it is a finite number above 0")
    return value


def whole(text: str | None, option: str) -> int | None:
    """A whole number given to an option, above 0; None where it was not given."""
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) > 0):
        raise UsageError(f"{option} {text[:20]}: it is a whole number above 0")
    return int(text)


def names(text: str | None, option: str) -> list[str] | None:
    """Names with commas between them; None where the option was not given."""
    if text is None:
        return None
    given = [name.strip() for name in text.split(",")]
    if not all(given):
        raise UsageError(f"{option} {text!r}: names with commas between them, such as A,B")
    return given


@contextlib.contextmanager
def chatter_to_stderr() -> Iterator[None]:
    """Send what a scenario prints while it loads, by whatever means, to standard error: the report is all there is."""
    try:
        kept = os.dup(1)
        os.dup2(2, 1)
    except OSError:  # one of them is closed
        yield
        return
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def measured(
    options: argparse.Namespace, name: str, *, layers: list[str] | None, defects: list[str] | None
) -> Measurement:
    """Measure as the options say."""
    from toolbench.loading import load_scenario
    from toolbench.measuring import measure

    with chatter_to_stderr():
        scenario = load_scenario(name)
    settings = {key: True for key in ("self_critique", "approval") if getattr(options, key)}
    return measure(
        scenario.with_agent(**settings) if settings else scenario,
        options.seeds,
        layers=layers,
        defects=defects,
        catalogue=options.catalogue,
        deadline=number(options.deadline, "--deadline"),
        jobs=whole(options.jobs, "--jobs"),
    )
