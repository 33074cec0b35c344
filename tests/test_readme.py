"""What the README shows is what happens."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks("console"), ids=lambda block: block.split("\n")[0][:60])
def test_a_command_of_the_readme_prints_what_stands_below_it(block, tmp_path):
    """Each command succeeds in an empty folder; what is shown is what it prints, `...` standing for more of it."""
    for command, shown in re.findall(r"^\$ python (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        done = subprocess.run(
            [sys.executable, *shlex.split(command)], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        if "...\n" not in shown:
            assert shown in ("", done.stdout)
            continue
        rest = done.stdout
        for part in shown.split("...\n"):
            assert part in rest
            rest = rest[rest.index(part) + len(part) :]
        assert rest == ""


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks("python"), ids=lambda block: block.split("\n")[0][:60])
def test_python_of_the_readme_runs(block, tmp_path, monkeypatch):
    """Each block runs by itself; its assertions hold."""
    monkeypatch.chdir(tmp_path)
    assert "assert" in block
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})


def test_the_exit_codes_are_those_of_the_command_line():
    """The README's table and the code agree."""
    from toolbench.cli import exit_codes

    listed = dict(re.findall(r"^\| (\d+) \| (.+) \|$", README, re.MULTILINE))
    codes = {str(value) for name, value in vars(exit_codes).items() if name.isupper() and isinstance(value, int)}
    assert set(listed) == codes
