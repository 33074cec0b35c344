"""What holds for the library as a whole: what its files may say, how long they are, what an import costs."""

import ast
import doctest
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import toolbench
from toolbench.folder import catalogue_path, read_folder

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "toolbench"
TEMPLATE = PACKAGE / "template"  # what `init` copies: a user's files, not the library's
LIBRARY = sorted(path for path in PACKAGE.rglob("*.py") if not path.is_relative_to(TEMPLATE))
SCENARIOS = sorted(
    path.parent for path in [*ROOT.glob("scenarios/*/scenario.py"), *ROOT.glob("tests/scenarios/*/scenario.py")]
)

# Words that a scenario uses for its fields and the library for something of its own.
ORDINARY = {
    "code": "what kind of finding it is",
    "copy": "how a server's directory is made: of another one",
    "type": "a keyword of JSON Schema",
    "value": "a defect class, and the field of an answer that is no mapping",
    "world": "what a scenario may define, in the words of the house",
}
ROUND = 1000  # whole numbers below it occur anywhere


def strings(tree):
    """The string constants of a file, docstrings left out, and the names that it uses as keywords."""
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.value, node.lineno
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg, node.value.lineno


def numbers(tree):
    """The numbers of a file that tell something: whole ones from 1000 on, fractions of two digits or more."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and telling(node.value):
            yield node.value, node.lineno


def telling(value):
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return value >= ROUND if isinstance(value, int) else len(str(value).split(".")[-1]) > 1


def leaves(value):
    """Everything inside a JSON value: keys, texts and numbers."""
    if isinstance(value, dict):
        for key, field in value.items():
            yield key
            yield from leaves(field)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def fields(schema):
    """The names of the fields that a schema declares, at any depth."""
    for name, inner in schema.get("properties", {}).items():
        yield name
        yield from fields(inner)


def keys(value):
    if isinstance(value, dict):
        yield from value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from keys(inner)


def words_of(scenario):
    """Tool names, field names, task ids and defect ids of a scenario; of a server's, whose fields are ordinary words
    chosen by others, the names of its tools alone."""
    if scenario.server is not None:
        return set(scenario.table)
    catalogue = tomllib.loads(catalogue_path(scenario.folder).read_text())
    found = {defect["id"] for defect in catalogue["defect"]}
    found |= set(scenario.table) | {task.id for task in scenario.tasks} | set(scenario.agent.results.values())
    for item in scenario.table.values():
        found |= set(fields(item.definition.schema)) | {item.inject}
    for case in scenario.cases:
        found |= set(keys(case.arguments)) | set(keys(case.output))
    for task in scenario.tasks:
        found |= set(keys(task.start)) | set(keys(task.answer))
    return {word for word in found if word and word not in ORDINARY}


def numbers_of(scenario):
    """The numbers that make a scenario what it is: those of its files, its base seed, its agent's settings."""
    folder = scenario.folder
    found = {number for path in folder.glob("*.py") for number, _ in numbers(ast.parse(path.read_text()))}
    for path in {folder / "cases.toml", catalogue_path(folder)}:
        found |= {leaf for leaf in leaves(tomllib.loads(path.read_text())) if telling(leaf)}
    found |= {leaf for leaf in leaves(scenario.agent.settings()) if telling(leaf)}
    return found | {scenario.base_seed}


def borrowed(text, words, figures):
    """Where a file's text uses words or numbers that belong to a scenario."""
    tree = ast.parse(text)
    found = [(line, word) for word, line in strings(tree) if word in words]
    return found + [(line, number) for number, line in numbers(tree) if number in figures]


@pytest.mark.parametrize("folder", SCENARIOS, ids=lambda folder: folder.name)
def test_library_knows_nothing_of_any_scenario(folder):
    """No tool, field, task, seed or number of a scenario stands in the library's code or data."""
    scenario = read_folder(folder)
    words, figures = words_of(scenario), numbers_of(scenario)
    found = {str(path.relative_to(ROOT)): borrowed(path.read_text(), words, figures) for path in LIBRARY}
    for path in PACKAGE.rglob("*.json"):
        known = set(leaves(json.loads(path.read_text())))
        found[str(path.relative_to(ROOT))] = sorted(map(str, known & (words | figures)))
    assert {path: places for path, places in found.items() if places} == {}


def test_the_finder_finds_a_planted_word():
    """A tool's name, a field as a keyword, and a number are found; a docstring and a plain number are not."""
    scenario = read_folder(ROOT / "scenarios" / "metering")
    words, figures = words_of(scenario), numbers_of(scenario)
    planted = """'tariff'
if tool == 'tariff':
    call(subscriber=3, seed=20260218)
    least = 0.34
ask('G01', 40, 0.5)
"""
    found = [(2, "tariff"), (3, 20260218), (3, "subscriber"), (4, 0.34), (5, "G01")]
    assert sorted(borrowed(planted, words, figures), key=str) == sorted(found, key=str)
    assert {"read_meter", "m3", "subscriber", "G24"} <= words
    assert {20260218, 9973, 100000, 0.88, 0.34, 0.09} <= figures


def test_ordinary_words_are_needed():
    """Every word that is excused is one that some file of the library uses."""
    used = {word for path in LIBRARY for word, _ in strings(ast.parse(path.read_text()))}
    assert set(ORDINARY) <= used


def test_every_scenario_is_looked_at():
    """The built-in scenario and the one of the tests are both among the scenarios that the test above reads."""
    assert {"metering", "lending"} <= {folder.name for folder in SCENARIOS}


def test_files_are_short():
    """No file of the library has 300 lines or more."""
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in LIBRARY}
    assert {path: length for path, length in lengths.items() if length >= 300} == {}


def test_public_names_are_sorted_and_there():
    """`__all__` is sorted, as a sorter of imports would have it, and every name in it can be used."""
    assert toolbench.__all__ == sorted(toolbench.__all__)
    assert [name for name in toolbench.__all__ if getattr(toolbench, name, None) is None] == []
    assert set(toolbench.__all__) <= set(dir(toolbench))


def test_public_names_say_what_they_are_for():
    """Every public class and function has a docstring of its own that opens with a sentence."""
    said = {
        name: vars(getattr(toolbench, name)).get("__doc__", getattr(toolbench, name).__doc__)
        for name in toolbench.__all__
    }
    assert [
        name for name, text in said.items() if not (text or "").strip().partition("\n")[0].endswith((".", ":"))
    ] == []
    assert [name for name, text in said.items() if (text or "").startswith(f"{name}(")] == []  # a dataclass's own


def loaded_by(statement):
    """The top-level modules that a statement loads in a new interpreter."""
    code = f"import sys\n{statement}\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"],
                          capture_output=True, text=True, check=True)  # fmt: skip
    return set(done.stdout.split())


@pytest.mark.parametrize("statement", ["import toolbench", "from toolbench import *", "import toolbench.cli.main"])
def test_an_import_loads_nothing_heavy(statement):
    """pandas, numpy and jsonschema wait until a table or a schema is made, asyncio until a tool is async."""
    heavy = {"numpy", "pandas", "jsonschema", "asyncio", "matplotlib", "tabulate", "hypothesis"}
    loaded = loaded_by(statement)
    assert "toolbench" in loaded
    assert loaded & heavy == set()


def test_doctests_are_collected():
    """The examples in the library's docstrings run with the tests: there are some, and pytest looks for them."""
    options = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    assert "--doctest-modules" in options["addopts"]
    assert "toolbench" in options["testpaths"]
    assert len(doctest.DocTestParser().get_examples((PACKAGE / "errors.py").read_text())) == 1
