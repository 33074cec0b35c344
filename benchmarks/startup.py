"""What a whole command takes, against importing the libraries that it stands on; whole processes, in turn.

    python benchmarks/startup.py [REPEATS]

Each repeat runs every command once, one after the other, so that a slow moment of the machine meets all.
"""

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
IMPORTS = "import numpy, pandas, jsonschema, tabulate"
COMMANDS = {
    IMPORTS: ["-c", IMPORTS],
    "toolbench report": ["-m", "toolbench", "report"],
    "toolbench report --help": ["-m", "toolbench", "report", "--help"],
}
WANTED = {"toolbench report": "2 or less", "toolbench report --help": "under 0.25"}


def seconds(arguments):
    began = perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    return perf_counter() - began


def main(repeats=15):
    times = {name: [] for name in COMMANDS}
    for _ in range(repeats + 1):
        for name, arguments in COMMANDS.items():
            times[name].append(seconds(arguments))
    print(f"seconds for a whole process, median (least to most) of {repeats} repeats after a first that warms up")
    for name, taken in times.items():
        del taken[0]
        print(f"{name:45} {median(taken):.3f} ({min(taken):.3f} to {max(taken):.3f})")
    for name, wanted in WANTED.items():
        ratios = [mine / theirs for mine, theirs in zip(times[name], times[IMPORTS], strict=True)]
        print(f"{name:24} / imports {median(ratios):9.2f}  ({min(ratios):.2f} to {max(ratios):.2f}); wanted: {wanted}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
