"""How time and memory grow with seeds, tasks and tables; each figure from a process of its own.

    python benchmarks/scale.py [SEEDS]

Time is that of a whole measurement by the loop layer less that of the same one at two seeds; exponents are the slopes
of time against size, both as logarithms: 1 is in proportion. Memory is the most that the process and its largest
worker had at a time. Wanted: exponents of at most about 1; all tables at 100,000 seeds under 500 MB; one table at a
hundred times as many seeds no more than at 100,000.
"""

import json
import math
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

MEGABYTE = 1024 if sys.platform == "linux" else 1024 * 1024  # what ru_maxrss counts in


def measure_here(seeds, tasks, defects):
    import toolbench as tb

    scenario = tb.load_scenario("metering")
    scenario = replace(scenario, tasks=scenario.tasks[:tasks])
    chosen = [defect.id for defect in tb.load_defects(scenario)][:defects]

    def seconds(count):
        began = perf_counter()
        tb.measure(scenario, count, layers="loop", defects=chosen, jobs=1)
        return perf_counter() - began

    base = min(seconds(2) for _ in range(2))
    took = seconds(seeds) - base
    most = [resource.getrusage(who).ru_maxrss / MEGABYTE for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps([took, sum(most)]))


def apart(seeds, tasks=24, defects=11):
    """(seconds, megabytes) of a measurement in a process of its own."""
    command = [sys.executable, __file__, "--here", str(seeds), str(tasks), str(defects)]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def slope(sizes, times):
    x, y = [math.log(size) for size in sizes], [math.log(max(time, 1e-3)) for time in times]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / sum((a - mx) ** 2 for a in x)


def main(seeds=100_000):
    grown = {
        "seeds": [(count, apart(count)) for count in (seeds, 2 * seeds, 4 * seeds)],
        "tasks": [(count, apart(2 * seeds, tasks=count)) for count in (6, 12, 24)],
        "tables": [(count + 1, apart(2 * seeds, defects=count)) for count in (2, 5, 11)],
    }
    for what, figures in grown.items():
        sizes, times = [size for size, _ in figures], [time for _, (time, _) in figures]
        told = ", ".join(f"{size:,}: {time:.2f} s" for size, (time, _) in figures)
        print(f"time by {what:7} exponent {slope(sizes, times):.2f}   ({told})")
    print(f"memory, 12 tables x {seeds:,} seeds: {grown['seeds'][0][1][1]:.0f} MB")
    (_, few), (_, many) = apart(seeds, defects=0), apart(100 * seeds, defects=0)
    print(f"memory, 1 table: {few:.0f} MB at {seeds:,} seeds, {many:.0f} MB at {100 * seeds:,}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        measure_here(*map(int, sys.argv[2:]))
    else:
        main(*map(int, sys.argv[1:]))
