"""What the exact view of all tables takes, against a plain loop over dicts; both measured in one run.

    python benchmarks/exact.py [SEEDS] [REPEATS]

Exact: the machines of the defect-free table and of one with each defect are built from scratch, and what their
episodes come to over all seeds is computed. The plain loop plays every task at SEEDS seeds, defect-free only.
"""

import sys
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import plain_loop  # noqa: E402

import toolbench as tb  # noqa: E402
from toolbench.mutation.engine import Tables  # noqa: E402

SCENARIO = tb.load_scenario("metering")
DEFECTS = tb.load_defects(SCENARIO)
TABLES = Tables(SCENARIO, tuple(DEFECTS))
ALL = [SCENARIO.table, *(TABLES.table(defect.id)[0] for defect in DEFECTS)]


def exactly():
    return tb.exact([machine for machines in SCENARIO.machines(*ALL) for machine in machines], SCENARIO.agent)


def plainly(count):
    for seed in range(count):
        for task in plain_loop.TASKS:
            plain_loop.episode(task, seed)


def seconds(work, *arguments):
    began = perf_counter()
    work(*arguments)
    return perf_counter() - began


def main(count=1000, repeats=9):
    every = exactly()
    tasks = len(SCENARIO.tasks)
    for number, name in enumerate(("none", *(defect.id for defect in DEFECTS))):
        mine = every[number * tasks : (number + 1) * tasks]
        print(f"{name:5} {sum(one.success for one in mine) / tasks:.6f}")
    ratios = []
    for _ in range(repeats):
        before = seconds(plainly, count // 2)
        took = seconds(exactly)
        ratios.append(took / (before + seconds(plainly, count - count // 2)))
    print(f"exact for {len(ALL)} tables / plain loop for {tasks} tasks x {count:,} seeds, {repeats} repeats:")
    print(f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}); wanted: under 1")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
