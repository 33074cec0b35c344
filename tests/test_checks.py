"""`check`: what holds whatever is checked, what it takes, and that nothing bad that it is given hangs or harms it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given, settings

import toolbench as tb
from tests.checking.made_up import DEFINITIONS, checked_here
from toolbench.checks import Check, check
from toolbench.errors import ScenarioError, SchemaError, ToolbenchError, UsageError
from toolbench.report.findings import html_of, text_of
from toolbench.report.findings_json import json_of, sarif_of


def resolves(pointer, document):
    """Whether a JSON Pointer (RFC 6901) leads somewhere in a document."""
    found = document
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and name in found:
            found = found[name]
        elif isinstance(found, list) and name.isdecimal() and int(name) < len(found):
            found = found[int(name)]
        else:
            return False
    return pointer == "" or pointer.startswith("/")


def leads_somewhere(finding, definition):
    """Whether a finding's place is one of the definition: in its schema, or in what stands beside that."""
    whole = {
        "name": definition.name,
        "description": definition.description,
        "outputSchema": definition.output_schema,
        "examples": list(definition.examples),
        "annotations": {"readOnlyHint": None, "idempotentHint": None},
    }
    return resolves(finding.pointer, definition.schema) or resolves(finding.pointer, whole)


ABSENT = ("strict-open", "undeclared-parameter")  # told at the place where something ought to be


@given(DEFINITIONS)
def test_whatever_is_declared_is_read(definition):
    """Nothing raises, and each finding has a place that is there."""
    checked = check([definition])
    for finding in checked.findings:
        if finding.code not in ABSENT:
            assert leads_somewhere(finding, definition), finding
    for write in (text_of, html_of, json_of, sarif_of):
        assert write(checked)
    assert str(checked).isprintable() or "\n" in str(checked)


def anything(**given):
    """Takes whatever it is given."""
    return {"given": sorted(given)}


@settings(max_examples=60)
@given(DEFINITIONS)
def test_whatever_is_declared_is_probed(definition):
    """Behind each declaration stands a function, and nothing raises."""
    scenario = tb.Scenario(name="made up", tools=[tb.Tool(definition, anything)], world=lambda: tb.World(state={}))
    checked = checked_here(scenario)
    for finding in checked.findings:
        if finding.code not in ABSENT:
            assert leads_somewhere(finding, definition), finding


def declared(schema, function=anything, **said):
    said = {"name": "tool", "description": "Does what it does.", **said}
    return tb.Tool(tb.Definition(schema=schema, **said), function)


def one(schema, *required):
    return {"type": "object", "properties": {"x": schema}, "required": list(required)}


def told(checked):
    """What counts: (code, pointer)."""
    return {(finding.code, finding.pointer) for finding in checked.findings if finding.counts}


def takes_x(x=None):
    return {"x": x}


def test_a_list_of_types_that_are_no_texts_is_a_finding():
    """It is no valid schema, and nothing raises."""
    schema = one({"type": [["a"]], "enum": [1]})
    assert ("invalid-schema", "/properties/x/type") in told(check([declared(schema).definition]))


def test_a_place_within_a_field_without_a_name_is_there():
    """An empty name is a part of a pointer too."""
    schema = {"properties": {"": {"properties": 0}}}
    assert told(check([declared(schema).definition])) == {("invalid-schema", "/properties//properties")}


def test_a_pattern_that_python_cannot_read_is_named_where_nothing_is_drawn():
    """It is a good pattern of ECMA-262, and no process ends over it."""
    tools = [declared(one({"type": "string", "pattern": r"^\p{L}+$"}, "x"), takes_x)]
    [left] = check(tools, probe_all=True).not_probed
    assert "died" not in left.reason and "pattern" in left.reason


# Bad input: nothing hangs, and what is wrong is named.

LOOPS = [
    {"$ref": "#/properties/x"},
    {"$ref": "#/$defs/a"},
    {"allOf": [{"$ref": "#/$defs/a"}]},
]
DEFS = {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}
TREE = {"type": "array", "items": {"$ref": "#/properties/x"}}


@pytest.mark.parametrize("loop", LOOPS)
def test_a_reference_that_leads_back_to_itself_is_a_finding(loop):
    """With a function behind it and without; there is one finding for the round."""
    tool = declared({**one(loop), "$defs": DEFS}, takes_x)
    for checked in (check([tool.definition]), check([tool], probe_all=True)):
        codes = [code for code, _ in told(checked)]
        assert set(codes) == {"circular-ref"}


def test_a_choice_that_leads_back_to_itself_is_a_finding():
    """It is one of the alternatives that leads back."""
    tool = declared(one({"anyOf": [{"$ref": "#/properties/x"}, {"type": "null"}]}), takes_x)
    assert told(check([tool.definition])) == {("circular-ref", "/properties/x/anyOf/0/$ref")}
    assert told(check([tool], probe_all=True)) == {("circular-ref", "/properties/x/anyOf/0/$ref")}


@pytest.mark.parametrize("schema", [TREE, {"type": "object", "properties": {"child": {"$ref": "#"}}}])
def test_a_type_that_holds_itself_is_legal(schema):
    """A tree passes an item or a property on its way back."""
    tool = declared(one(schema), takes_x)
    assert told(check([tool.definition])) == set()
    assert told(check([tool], probe_all=True)) == set()


def test_a_reference_to_a_network_is_named_and_not_followed():
    """The address is one where nobody answers, so that following it would take long."""
    tool = declared(one({"$ref": "http://10.255.255.1/x.json"}), takes_x)
    assert told(check([tool.definition])) == {("remote-ref", "/properties/x/$ref")}
    checked = check([tool], probe_all=True)
    assert told(checked) == {("remote-ref", "/properties/x/$ref")}
    assert "its schema cannot be used" in checked.not_probed[0].reason


def test_an_enum_of_a_hundred_thousand_members_is_read():
    """And each place that is told is short."""
    enum = {"type": "string", "enum": [f"member {i}" for i in range(100_000)], "default": "none of them"}
    checked = check([declared(one(enum)).definition])
    assert ("default-invalid", "/properties/x/default") in told(checked)
    assert max(len(finding.seen) for finding in checked.findings) < 500


@pytest.mark.parametrize("levels", [201, 10_000])
def test_ten_thousand_levels_are_refused(levels, tmp_path):
    """A definition that is nested so deeply is no definition; a file of it is unreadable, and says so."""
    schema = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "array", "items": schema}
    with pytest.raises(SchemaError, match="nested deeper than 200 levels"):
        tb.Definition("deep", one(schema))
    opened = '{"type":"array","items":' * levels
    file = tmp_path / "tools.json"
    file.write_text('[{"name":"deep","parameters":{"properties":{"x":' + opened + "{}" + "}" * levels + "}}}]")
    if levels > 1000:
        with pytest.raises(UsageError, match="nested too deep"):
            check(file)
    else:
        [finding] = check(file).findings
        assert (finding.code, finding.tool) == ("unreadable", "deep")
        assert finding.seen.endswith("it is nested deeper than 200 levels")


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("^(a+)+$", "a" * 40 + "!"), (r"^(a+)+\1$", "a" * 60 + "b"), (r"^(?=(a+)+b)(a|aa)+$", "a" * 60)],
)
def test_a_pattern_that_takes_for_ever_does_not(pattern, text):
    """The default is held against it, and it is not admitted."""
    checked = check([declared(one({"type": "string", "pattern": pattern, "default": text})).definition])
    assert told(checked) == {("default-invalid", "/properties/x/default")}


@pytest.mark.slow
@pytest.mark.parametrize("pattern", ["^(a+)+$", "^a$", "^(a{1000}){1000}$"])
def test_a_pattern_of_which_nothing_can_be_drawn_ends(pattern):
    """What cannot be drawn is said; the check ends."""
    tool = declared(one({"type": "string", "pattern": pattern, "minLength": 5}, "x"), takes_x)
    checked = check([tool], probe_all=True, deadline=2)
    assert {code for code, _ in told(checked)} <= {"required-but-supplied"}


@pytest.mark.parametrize(
    ("given", "codes"),
    [
        ({"name": "bare", "description": "Has no schema."}, {"unreadable"}),
        ({"name": "bare", "inputSchema": 5}, {"unreadable"}),
        ([{"name": "bare", "description": "x"}, {"name": "good", "parameters": {"type": "object"}}], {"unreadable"}),
    ],
)
def test_a_tool_without_a_schema_is_named(given, codes):
    """The others are read."""
    checked = check(given)
    assert {code for code, _ in told(checked)} == codes
    assert [finding.tool for finding in checked.findings if finding.counts] == ["bare"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [([], "has no tools in it"), ({}, "has no tools in it"), ([5], "is no tool"), (["no such"], "is no tool")],
)
def test_what_holds_no_tools_is_a_clear_error(given, problem):
    """One that a user can put right."""
    with pytest.raises(ScenarioError, match=problem):
        check(given)


def test_what_is_nothing_at_all_is_a_clear_error():
    """Neither a path nor tools."""
    with pytest.raises(ToolbenchError):
        check(5)


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("tools.json", "{", "JSON"),
        ("tools.json", "5", "holds no definitions"),
        ("tools.py", "import no_such_module_here", "no_such_module_here"),
        ("tools.py", "x = 1", "has no tools in it"),
        ("tools.py", "import sys; sys.exit(3)", "SystemExit: 3"),
    ],
)
def test_a_file_that_holds_no_tools_is_a_clear_error(tmp_path, name, text, problem):
    """With what is wrong; a module that cannot be imported with why."""
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(ToolbenchError, match=problem):
        check(file)


@pytest.mark.parametrize("target", ["no_such_scenario", "no_such.py", "no_such.json", "no_such.py:table"])
def test_a_target_that_is_not_there_is_a_clear_error(target):
    """As a mistake of whoever calls it."""
    with pytest.raises(UsageError, match="no_such"):
        check(target)


HOSTILE = "\x1b[31m<img src=x onerror=alert(1)>\r\n\u202e\x00"


def test_names_and_texts_cannot_harm_who_reads_them():
    """A terminal obeys nothing, a browser runs nothing, JSON and SARIF stay what they are."""
    field = {"type": "string", "default": HOSTILE, "enum": ["a"], HOSTILE: 1, "description": HOSTILE}
    schema = {"type": "object", "properties": {HOSTILE: field}, "required": [HOSTILE + "x"]}
    checked = check([tb.Definition(HOSTILE, schema, HOSTILE, examples=[{HOSTILE: HOSTILE}])])
    assert {"default-invalid", "undeclared-required", "example-invalid"} <= {code for code, _ in told(checked)}
    text = text_of(checked)
    assert all(line.isprintable() for line in text.split("\n"))
    page = html_of(checked)
    assert "<img" not in page and "&lt;img" in page
    assert all(line.isprintable() for line in page.split("\n"))
    for written in (json_of(checked), sarif_of(checked)):
        assert written.isascii() and "\x1b" not in written
        assert json.loads(written)


# The result.

TOOLS = [
    declared(one({"type": "array"}), takes_x, name="first", side_effect=False),
    declared(one({"type": "integer", "default": "1"}, "y"), takes_x, name="second"),
]


@pytest.fixture(scope="module")
def checked():
    return check(TOOLS)


def test_the_result_says_what_was_checked(checked):
    """Tools in their order, findings tool by tool with the severest first, what was not probed."""
    assert isinstance(checked, Check)
    assert checked.tools == ("first", "second")
    assert [(f.tool, f.severity, f.code) for f in checked.findings if f.counts] == [
        ("first", "warning", "items-missing"),
        ("second", "error", "undeclared-required"),
        ("second", "warning", "default-invalid"),
    ]
    assert [(left.tool, left.reason) for left in checked.not_probed] == [("second", "may have effects")]
    assert checked.probes > 0 and checked.place == ""


def test_the_result_is_a_table_too(checked):
    """A row for each finding."""
    frame = checked.frame()
    assert list(frame["code"]) == [finding.code for finding in checked.findings]
    assert list(frame.columns) == "code severity tool pointer seen input why cure".split()
    assert check([declared({"type": "object"}).definition]).frame().empty


def test_the_result_draws_itself(checked):
    """In a terminal and in a notebook."""
    assert str(checked) == repr(checked) == text_of(checked)
    assert checked._repr_html_() == html_of(checked)


@pytest.mark.parametrize("given", [TOOLS, {tool.name: tool for tool in TOOLS}, tb.ToolTable(TOOLS)])
def test_tools_are_given_in_any_collection(given, checked):
    """A list, a mapping, a table."""
    assert json_of(check(given)) == json_of(checked)


def test_definitions_are_checked_without_functions():
    """What is read is what is read with one; nothing is called."""
    checked = check([tool.definition for tool in TOOLS])
    assert checked.probes == 0
    assert {left.reason for left in checked.not_probed} == {"no function"}
    assert ("items-missing", "/properties/x") in told(checked)


def test_functions_are_joined_to_definitions_by_name():
    """A definition that has none is a mistake of whoever calls it, with the names that there are."""
    definitions = [tool.definition for tool in TOOLS]
    joined = check(definitions, functions={"first": takes_x, "second": takes_x})
    assert joined.tools == ("first", "second") and joined.probes > 0
    with pytest.raises(UsageError, match="there is none for second; there are first"):
        check(definitions, functions={"first": takes_x})


def test_the_same_check_gives_the_same_bytes():
    """However many processes do it."""
    texts = {json_of(check(TOOLS, probe_all=True, jobs=jobs)) for jobs in (1, 2, 1)}
    assert len(texts) == 1


PROGRAM = """
import sys
from toolbench.checks import check
from toolbench.report.findings_json import json_of
sys.stdout.write(json_of(check("metering")))
"""


@pytest.mark.slow
def test_another_process_gives_the_same_bytes():
    """Whatever the hashes of texts are there; the metering scenario has nothing from warning up."""
    written = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM], env={"PYTHONHASHSEED": seed, "PATH": ""}, check=True, capture_output=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(written) == 1
    assert [one for one in json.loads(written.pop())["findings"] if one["severity"] != "note"] == []


def test_definitions_in_a_module_are_read_as_in_a_file(tmp_path):
    """A list of mappings in a Python file, as a provider is given them, needs no functions."""
    file = tmp_path / "given.py"
    file.write_text(
        'TOOLS = [{"name": "pack", "description": "d", "input_schema": {"properties": {"a": {"type": "array"}}}}]'
    )
    said = check(str(file))
    assert [(one.code, one.tool, one.pointer) for one in said.findings] == [("items-missing", "pack", "/properties/a")]
    assert [(left.tool, left.reason) for left in said.not_probed] == [("pack", "no function")]


def test_two_tools_of_one_name_in_a_module_are_a_finding(tmp_path):
    """As in a file of definitions: the check says so, and does not end in an error."""
    file = tmp_path / "twice.py"
    file.write_text("from toolbench import tool\n\n@tool(schema=[])\ndef a():\n    return 1\n\ntools = [a, a]\n")
    assert [(one.code, one.severity, one.pointer) for one in check(str(file)).findings] == [
        ("duplicate-name", "error", "/name")
    ]
