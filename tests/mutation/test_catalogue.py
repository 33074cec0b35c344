"""Catalogues: what a good one gives, and what a bad one is told."""

import pytest

import toolbench as tb
from toolbench.errors import CatalogueError
from toolbench.loading import load_defects
from toolbench.mutation.catalogue import CATALOGUE, check_arguments, read_catalogue

GOOD = """
[[defect]]
id = "D1"
tool = "double"
class = "value"
description = "three times, not twice"
operator = "replace_constant"
arguments = { old = 2, new = 3 }

[[defect]]
id = "D2"
tool = "double"
operator = "replace_constant"
arguments = { old = 2, new_json = "null" }
"""


@tb.tool(schema=["x"])
def double(x=None):
    return {"y": 2 * x}


SCENARIO = tb.Scenario(name="small", tools=[double], functions={"treble": lambda x: {"y": 3 * x}})


@pytest.fixture
def catalogue(tmp_path):
    """A function that writes a catalogue file and gives its path."""

    def write(text):
        path = tmp_path / "defects.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def entry(**keys):
    """One catalogue entry in TOML; a key without a value is left out."""
    given = {"id": '"D1"', "tool": '"double"', "operator": '"drop_field"', "arguments": '{ field = "x" }', **keys}
    return "[[defect]]\n" + "\n".join(f"{key} = {value}" for key, value in given.items() if value is not None)


def test_a_good_catalogue(catalogue):
    """Every entry becomes a defect, in order; the class is the operator's where none is given."""
    assert read_catalogue(catalogue(GOOD)) == (
        tb.Defect(id="D1", tool="double", operator="replace_constant", arguments={"old": 2, "new": 3},
                  class_="value", description="three times, not twice"),
        tb.Defect(id="D2", tool="double", operator="replace_constant", arguments={"old": 2, "new": None}),
    )  # fmt: skip


def test_an_empty_catalogue(catalogue):
    """A file without entries is a catalogue without defects."""
    assert read_catalogue(catalogue("# none yet\n")) == ()


def test_the_schema_of_catalogues_is_valid():
    """The schema by which catalogues are judged is JSON Schema itself."""
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(CATALOGUE)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[defect]\n", "is not TOML: "),
        ('defects = "none"\n', "unknown key 'defects': did you mean defect? Known: defect"),
        ('defect = "D1"\n', 'defect: "D1" is not of type array'),
        ('[defect]\nid = "D1"\n', 'defect: {"id": "D1"} is not of type array'),
        ('defect = ["D1"]\n', 'defect number 1: "D1" is not of type object'),
        (entry(id=None), "defect number 1: id is missing; needed are id, tool, operator"),
        (entry(tool=None), "defect D1: tool is missing; needed are id, tool, operator"),
        (entry(operator=None), "defect D1: operator is missing; needed are id, tool, operator"),
        (entry(id="5"), "defect number 1: id: 5 is not of type string"),
        (entry(id='""'), 'defect : id: "" is empty'),
        (entry(id='"D 1"'), "defect 'D 1': id: it is made of letters, digits and _ . : - only"),
        (entry(id='"none"'), "defect none: id: this is the name of the defect-free table; choose another"),
        (entry(tool="true"), "defect D1: tool: true is not of type string"),
        (entry(tool='""'), 'defect D1: tool: "" is empty'),
        (entry(toool='"x"'), "defect D1: unknown key 'toool': did you mean tool?"),
        (entry(operator='"drop_fields"'), "defect D1: operator: unknown value 'drop_fields': did you mean drop_field"),
        (entry(operator="5"), "defect D1: operator: 5 is not one of ["),
        (entry(**{"class": '"declaration"'}), "defect D1: class: unknown value 'declaration'"),
        (entry(**{"class": '"value"'}), "defect D1: drop_field gives a definition defect, not one of class value"),
        (entry(description="5"), "defect D1: description: 5 is not of type string"),
        (entry(arguments='"x"'), 'defect D1: arguments: "x" is not of type object'),
        (entry(arguments=None), "defect D1: arguments: field is missing; needed are field"),
        (entry(arguments="{}"), "defect D1: arguments: field is missing; needed are field"),
        (entry(arguments="{ field = 5 }"), "defect D1: arguments: field: 5 is not of type string"),
        (entry(arguments='{ field = "" }'), 'defect D1: arguments: field: "" is empty'),
        (entry(arguments='{ field = "x", feild = "x" }'),
         "defect D1: arguments: unknown key 'feild': did you mean field?"),
        (entry(operator='"replace_constant"', arguments="{ old = [2], new = 3 }"),
         "defect D1: arguments: old: [2] is not of type number or string or boolean or null"),
        (entry(operator='"fill_missing"', arguments="{ values = {} }"), "defect D1: arguments: values: {} is empty"),
        (entry(operator='"add_field"', arguments='{ field = "z", schema = "string" }'),
         'defect D1: arguments: schema: "string" is not of type object'),
        (entry(operator='"add_field"', arguments='{ field = "z", schema = { type = "strng" } }'),
         'defect D1: arguments: schema.type: "strng" does not fit anyOf'),
        (entry(arguments='{ field = 1979-05-27 }'), "defect[0].arguments.field: 1979-05-27 is a TOML date or time"),
        (entry(arguments='{ field_json = "x" }'), "defect[0].arguments.field_json: 'x' is not JSON"),
        (f"{entry()}\n{entry()}", "two defects have the id 'D1'; an id is unique"),
    ],
)  # fmt: skip
def test_a_malformed_catalogue(catalogue, text, message):
    """A malformed catalogue is told the file, the defect, the key, the value, and what would be right."""
    path = catalogue(text)
    with pytest.raises(CatalogueError) as refused:
        read_catalogue(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (entry(tool='"dubble"'), "defect D1: tool: unknown tool 'dubble': did you mean double? Known: double"),
        (entry(arguments='{ field = "y" }'), "defect D1: arguments: unknown field of double 'y'. Known: x"),
        (entry(operator='"function"', arguments='{ function = "trebel" }'),
         "defect D1: arguments: unknown function 'trebel': did you mean treble? Known: treble"),
        (entry(operator='"rename_field"', arguments='{ field = "x", to = "x" }'),
         "defect D1: arguments: double declares the field 'x' already"),
    ],
)  # fmt: skip
def test_a_catalogue_that_does_not_fit_the_scenario(catalogue, text, message):
    """A catalogue that names what the scenario has not is told so with the nearest names."""
    path = catalogue(text)
    with pytest.raises(CatalogueError) as refused:
        load_defects(SCENARIO, path)
    assert str(refused.value).startswith(f"{path}: {message}")


def test_a_catalogue_that_cannot_be_read(tmp_path):
    """A file that is not there, is a folder, or is no text is named."""
    with pytest.raises(CatalogueError) as refused:
        load_defects(SCENARIO, tmp_path / "no.toml")
    assert str(refused.value) == f"{tmp_path / 'no.toml'}: no such catalogue file"
    with pytest.raises(CatalogueError) as refused:
        read_catalogue(tmp_path)
    assert str(refused.value) == f"{tmp_path}: cannot be read: Is a directory"
    (tmp_path / "latin.toml").write_bytes("# Größe".encode("latin-1"))
    with pytest.raises(CatalogueError) as refused:
        read_catalogue(tmp_path / "latin.toml")
    assert str(refused.value) == f"{tmp_path / 'latin.toml'}: is not UTF-8 text"


def test_a_scenario_without_a_catalogue_has_no_defects():
    """A scenario that was made in memory has no catalogue of its own."""
    assert load_defects(SCENARIO) == ()


def test_the_arguments_of_a_defect_made_by_hand():
    """A defect made in Python is held to the same schema as one of a file."""
    check_arguments(tb.Defect(id="D", tool="double", operator="drop_field", arguments={"field": "x"}))
    with pytest.raises(CatalogueError) as refused:
        check_arguments(tb.Defect(id="D", tool="double", operator="copy_field", arguments={"source": "x"}))
    assert str(refused.value) == "defect D: arguments: target is missing; needed are source, target"
