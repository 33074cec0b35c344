"""How many episodes a second the walk plays, against a plain loop over dicts; both measured in one run.

    python benchmarks/walk.py [SEEDS] [REPEATS]

First every episode of both is compared. Then each repeat plays the same episodes with both, seed by seed in
turn, so that a slow moment of the machine meets both. The walk puts the world back before each episode, as the
loop layer does.
"""

import sys
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import plain_loop  # noqa: E402

import toolbench as tb  # noqa: E402

SCENARIO = tb.load_scenario("metering")


FRESH = SCENARIO.fresh_world


def by_the_walk(seed):
    table, agent = SCENARIO.table, SCENARIO.agent
    return [tb.walk(table, task, agent, seed, FRESH()) for task in SCENARIO.tasks]


def by_the_plain_loop(seed):
    episode = plain_loop.episode
    return [episode(task, seed) for task in plain_loop.TASKS]


def check(seeds):
    """Both play the same episodes, or nothing is measured."""
    for seed in seeds:
        for e, plain in zip(by_the_walk(seed), by_the_plain_loop(seed), strict=True):
            told = (e.task, e.seed, e.succeeded, e.answer, e.steps, e.tokens, e.errors, e.done, tuple(e.trace))
            if told != plain:
                raise SystemExit(f"the walk and the plain loop differ:\n  {told}\n  {plain}")


def rates(seeds):
    """Episodes per second: of the plain loop, of the walk."""
    taken = {by_the_plain_loop: 0.0, by_the_walk: 0.0}
    for seed in seeds:
        for play in taken:
            began = perf_counter()
            play(seed)
            taken[play] += perf_counter() - began
    played = len(seeds) * len(SCENARIO.tasks)
    return [played / seconds for seconds in taken.values()]


def main(count=100, repeats=15):
    seeds = range(SCENARIO.base_seed, SCENARIO.base_seed + count)
    check(seeds)
    plain, walked = zip(*(rates(seeds) for _ in range(repeats)), strict=True)
    ratios = [w / p for w, p in zip(walked, plain, strict=True)]
    print(
        f"{count} seeds x {len(SCENARIO.tasks)} tasks, identical episodes; median (fewest to most) of {repeats} repeats"
    )
    for label, measured in (("plain loop", plain), ("walk", walked)):
        print(f"{label:11} {median(measured):9,.0f} episodes/s ({min(measured):,.0f} to {max(measured):,.0f})")
    print(
        f"walk / plain {median(ratios):8.2f}            ({min(ratios):.2f} to {max(ratios):.2f}); wanted: 0.5 or more"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
