"""Options that several commands share."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from toolbench.errors import UsageError

if TYPE_CHECKING:
    from toolbench.measurement import Measurement
    from toolbench.scenario import Scenario


SEEDS = "N (the first N from the base seed), a:b (half-open), a,b,c (a list) or a, (one seed); default 2"


def add_measuring(parser: argparse.ArgumentParser) -> None:
    """The options that say what to measure, and how."""
    parser.add_argument("--seeds", default="2", metavar="SEEDS", help=SEEDS)
    add_running(parser)
    add_agent(parser)
    parser.add_argument("--engine", default="auto", metavar="ENGINE", help="auto (lanes where they can), or walk")
    parser.add_argument("--executor", default="processes", metavar="WHERE", help="processes (here), or dask")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster, such as tcp://10.0.0.1:8786")


def add_running(parser: argparse.ArgumentParser) -> None:
    """The options that say how tools are run."""
    parser.add_argument("--catalogue", metavar="FILE", help="another catalogue of defects than the scenario's own")
    parser.add_argument("--deadline", metavar="SECONDS", help="how long one case or one episode may take")
    parser.add_argument("--jobs", metavar="N", help="the most worker processes; one serves while all goes well")


def add_agent(parser: argparse.ArgumentParser) -> None:
    """The options that alter the seeded agent."""
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
        raise UsageError(f"{option} {text[:20]}: it is a whole number above 0 and below 10^9")
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


def chosen_scenario(options: argparse.Namespace, name: str) -> Scenario:
    """The scenario of this name, with the agent as the options have it."""
    from toolbench.loading import load_scenario

    with chatter_to_stderr():
        scenario = load_scenario(name)
    settings = {key: True for key in ("self_critique", "approval") if getattr(options, key)}
    return scenario.with_agent(**settings) if settings else scenario


def measured(
    options: argparse.Namespace,
    name: str,
    *,
    layers: list[str] | None,
    defects: list[str] | None,
    rule: str = "band",
    per_seed: bool = False,
) -> Measurement:
    """Measure as the options say, with progress on a terminal."""
    from toolbench.measuring import measure

    scenario = chosen_scenario(options, name)
    with progress() as heard:
        return measure(
            scenario,
            options.seeds,
            layers=layers,
            defects=defects,
            catalogue=options.catalogue,
            deadline=number(options.deadline, "--deadline"),
            jobs=whole(options.jobs, "--jobs"),
            rule=rule,
            engine=options.engine,
            per_seed=per_seed,
            executor=options.executor,
            scheduler=options.scheduler,
            heard=heard,
        )


@contextlib.contextmanager
def progress() -> Iterator[Callable[[int, int], object] | None]:
    """A bar on standard error where that is a terminal; None where it is not."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(unit=" seeds", unit_scale=True, leave=False, delay=0.5) as bar:

        def heard(done: int, every: int) -> None:
            bar.total = every
            bar.update(done - bar.n)

        yield heard
