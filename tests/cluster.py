"""A Dask cluster whose processes know neither the checkout nor the folder of a scenario."""

import json
import os
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = sorted({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})
# -I and -S: no PYTHONPATH, no working directory, and no .pth file that would lead to the checkout
ISOLATED = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path += {PACKAGES!r}; "]
CLEAN = {key: value for key, value in os.environ.items() if key in ("PATH", "LANG")}


def until(happened, seconds=30):
    """Wait until something has come about; whether it has."""
    end = time.monotonic() + seconds
    while not (done := happened()) and time.monotonic() < end:
        time.sleep(0.02)
    return done


class Cluster:
    """A scheduler with workers, each a process of its own."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        self.file = folder / "scheduler.json"
        self.scheduler = self._run("dask_scheduler", "--port", "0", "--host", "127.0.0.1")
        assert until(lambda: self.file.exists() and self.file.read_text().rstrip().endswith("}"))
        self.address = json.loads(self.file.read_text())["address"]

    def _run(self, command, *options):
        options = [*options, "--no-dashboard", "--scheduler-file", str(self.file)]
        program = f"from distributed.cli.{command} import main; main({options!r})"
        with (self.folder / f"log {len(self.processes)}").open("wb") as log:
            process = subprocess.Popen([*ISOLATED[:-1], ISOLATED[-1] + program], cwd=self.folder, stdout=log,
                                       stderr=log, env={**CLEAN, "HOME": str(self.folder)})  # fmt: skip
        self.processes.append(process)
        return process

    def worker(self):
        options = ["--host", "127.0.0.1", "--no-nanny", "--nthreads", "1", "--local-directory"]
        return self._run("dask_worker", *options, str(self.folder / "scratch"))

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()
