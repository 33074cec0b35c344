"""How many episodes a second lanes play, against a plain loop over dicts; both measured in one run, in one process.

    python benchmarks/lanes.py [SEEDS] [REPEATS]

First some episodes of both are compared. Then each repeat plays all tasks at all seeds as lanes, and a share of them
with the plain loop, before and after, so that a slow moment of the machine meets both. Machines are built beforehand,
once: what that takes is told apart, and measured by benchmarks/exact.py.
"""

import sys
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import numpy  # noqa: E402
import plain_loop  # noqa: E402

import toolbench as tb  # noqa: E402

SCENARIO = tb.load_scenario("metering")
FIRST = SCENARIO.base_seed
PLAIN = 40  # seeds that the plain loop plays before, and after


def seconds(work):
    began = perf_counter()
    work()
    return perf_counter() - began


def plainly(seeds):
    episode = plain_loop.episode
    for seed in seeds:
        for task in plain_loop.TASKS:
            episode(task, seed)


def check(machines, count=200):
    """Both play the same episodes, or nothing is measured."""
    for machine, task in zip(machines, plain_loop.TASKS, strict=True):
        runs = tb.lanes(machine, SCENARIO.agent, range(FIRST, FIRST + count))
        answers = runs.answers()
        for i in range(count):
            told = (bool(runs.succeeded[i]), answers[i], runs.steps[i], runs.tokens[i], runs.errors[i], runs.done[i])
            plain = plain_loop.episode(task, FIRST + i)
            if told != (*plain[2:8],):
                raise SystemExit(f"lanes and the plain loop differ at seed {FIRST + i}:\n  {told}\n  {plain}")


def main(count=100_000, repeats=7):
    made = {}
    building = seconds(lambda: made.update(machines=SCENARIO.machines()))
    machines = made["machines"]
    check(machines)
    seeds = numpy.arange(FIRST, FIRST + count, dtype=numpy.uint32)

    def as_lanes():
        for machine in machines:
            tb.lanes(machine, SCENARIO.agent, seeds)

    tasks = len(machines)
    rates, ratios = [], []
    for _ in range(repeats):
        before = seconds(lambda: plainly(range(PLAIN)))
        took = seconds(as_lanes)
        after = seconds(lambda: plainly(range(PLAIN)))
        plain, fast = 2 * PLAIN * tasks / (before + after), count * tasks / took
        rates.append((plain, fast))
        ratios.append(fast / plain)
    print(f"{tasks} tasks x {count:,} seeds, one process; median (fewest to most) of {repeats} repeats")
    for label, measured in zip(("plain loop", "lanes"), zip(*rates, strict=True), strict=True):
        print(f"{label:11} {median(measured):12,.0f} episodes/s ({min(measured):,.0f} to {max(measured):,.0f})")
    print(
        f"lanes / plain {median(ratios):10.0f}            ({min(ratios):.0f} to {max(ratios):.0f}); wanted: 200 or more"
    )
    print(f"building the machines took as long as the plain loop needs for {building * median(rates)[0]:,.0f} episodes")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
