"""What a user gets: the wheel, the source distribution and the editable install."""

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements-checks.txt"
# What any program needs, and nothing that could lead to the checkout.
CLEAN = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "LANG", "SYSTEMROOT")}
LOOK = """
import importlib.util, json
from toolbench.folder import built_in, shipped
import toolbench
found = {str(path.relative_to(shipped("scenarios").parent))
         for name in ("scenarios", "defects") for path in shipped(name).rglob("*") if path.suffix in (".py", ".toml")}
print(json.dumps({
    "package": toolbench.__file__,
    "scenarios": str(shipped("scenarios")),
    "found": sorted(found),
    "built_in": built_in(),
    "top_level": [name for name in ("scenarios", "defects", "tests", "hatch_build") if importlib.util.find_spec(name)],
}))
"""


def run(*command, cwd, env=None):
    """What a command prints; a failure shows both of its streams."""
    command = [str(part) for part in command]
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(kind, source, to):
    """Build one distribution with the installed build backend; the file made."""
    call = f"import sys; from hatchling import build; print(build.build_{kind}(sys.argv[1]))"
    return to / run(sys.executable, "-c", call, to, cwd=source).split()[-1]


def environment(folder, *wanted, options: tuple[str, ...] = ()):
    """The interpreter of a new virtual environment that holds what is wanted and nothing else."""
    venv.create(folder, with_pip=False)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check")
    run(*pip, "install", "--no-compile", "--constraint", LOCK, *options, *wanted, cwd=folder)
    return python


def look(python, cwd):
    """What an installed library finds, seen from a folder away from the checkout."""
    return json.loads(run(python, "-c", LOOK, cwd=cwd, env=CLEAN))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    return environment(tmp_path_factory.mktemp("installed"), wheel)


@pytest.fixture(scope="module")
def editable(tmp_path_factory):
    made = build("editable", ROOT, tmp_path_factory.mktemp("editable-wheel"))
    return environment(tmp_path_factory.mktemp("editable"), made, "editables", options=("--no-deps",))


@pytest.fixture
def elsewhere(tmp_path):
    """An empty folder to stand in, away from the checkout."""
    return tmp_path


def test_wheel_holds_the_library_and_its_data(wheel):
    """The wheel has the package, its data files, and scenarios and catalogues under it; nothing else."""
    names = set(zipfile.ZipFile(wheel).namelist())
    data = {str(path.relative_to(ROOT)) for path in (ROOT / "toolbench").rglob("*")
            if path.is_file() and "__pycache__" not in path.parts}  # fmt: skip
    assert data <= names
    assert {"toolbench/scenarios/metering/scenario.py", "toolbench/scenarios/metering/cases.toml"} <= names
    assert "toolbench/defects/metering.toml" in names
    assert {name.split("/")[0] for name in names} == {"toolbench", "toolbench_defects-0.1.0.dist-info"}
    assert not [name for name in names if "__pycache__" in name]


def test_wheel_needs_no_package_of_the_checks(wheel):
    """Without an extra, nine packages are installed, and the command `toolbench` with them."""
    content = zipfile.ZipFile(wheel)
    info = "toolbench_defects-0.1.0.dist-info"
    needed = [line.split(": ")[1] for line in content.read(f"{info}/METADATA").decode().splitlines()
              if line.startswith("Requires-Dist: ") and "extra ==" not in line]  # fmt: skip
    nine = "docstring-parser hypothesis jsonschema-rs jsonschema numpy pandas pydantic tabulate tqdm".split()
    assert [text.split(">=")[0] for text in needed] == nine
    assert "toolbench = toolbench.cli.main:main" in content.read(f"{info}/entry_points.txt").decode()


def test_source_distribution_gives_the_same_wheel(wheel, tmp_path):
    """A wheel built from the source distribution is the wheel built from the checkout, byte for byte."""
    with tarfile.open(build("sdist", ROOT, tmp_path)) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    again = build("wheel", source, tmp_path)
    assert {path.name for path in source.iterdir()} >= {"tests", "pyproject.toml", "Makefile", LOCK.name, "README.md"}
    assert again.name == wheel.name
    assert again.read_bytes() == wheel.read_bytes()


def test_installed_wheel_prints_the_checkouts_report(installed, elsewhere):
    """`python -m toolbench report` prints the same bytes in an empty environment as in the checkout."""
    report = run(installed, "-m", "toolbench", "report", cwd=elsewhere, env=CLEAN)
    assert "7/11" in report
    assert report == run(sys.executable, "-m", "toolbench", "report", cwd=ROOT)


def test_installed_command_is_the_module(installed, elsewhere):
    """The command `toolbench` does what `python -m toolbench` does."""
    command = installed.with_name("toolbench" + installed.suffix)
    by_module = run(installed, "-m", "toolbench", "list", cwd=elsewhere, env=CLEAN)
    assert "metering" in by_module
    assert run(command, "list", cwd=elsewhere, env=CLEAN) == by_module


def test_wheel_and_editable_install_find_the_same_files(installed, editable, elsewhere):
    """Both find the same scenarios and catalogues: the wheel its own, the editable install the checkout's."""
    from_wheel, from_checkout = look(installed, elsewhere), look(editable, elsewhere)
    assert from_checkout["found"] == from_wheel["found"]
    assert {"defects/metering.toml", "scenarios/metering/scenario.py"} <= set(from_wheel["found"])
    assert from_checkout["built_in"] == from_wheel["built_in"]
    assert from_checkout["scenarios"] == str(ROOT / "scenarios")
    assert from_checkout["package"] == str(ROOT / "toolbench" / "__init__.py")
    assert from_wheel["scenarios"] == str(Path(str(from_wheel["package"])).parent / "scenarios")


def test_data_folders_are_no_packages(installed, editable, elsewhere):
    """Neither install lets a user import `scenarios`, `defects` or anything else of the checkout's top level."""
    assert look(installed, elsewhere)["top_level"] == []
    assert look(editable, elsewhere)["top_level"] == []


def test_lock_is_plain_and_names_what_the_project_asks_for():
    """The lock has one `name==version` a line, and everything that pyproject.toml asks for."""
    lines = [line for line in LOCK.read_text().splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line)] == []
    locked = {line.split("==")[0].lower().replace("_", "-") for line in lines}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *(text for extra in project["optional-dependencies"].values() for text in extra)]
    names = {re.split(r"[\[>=<]", text)[0].lower().replace("_", "-") for text in asked} - {project["name"]}
    assert names - locked == set()
