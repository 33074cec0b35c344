"""Cases: what a person expects of one direct call, read from cases.toml, and judged."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolbench as tb
from toolbench.cases import Case, check_ids, read_cases
from toolbench.errors import ScenarioError
from toolbench.outcome import CRASH, DIED, ERROR, OK, TIMEOUT

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
)


def ok(value):
    return tb.Outcome(OK, value)


def error(message, *types):
    return tb.Outcome(ERROR, None, message, types)


def case(**expected):
    return Case(id="c", tool="t", **expected)


# --- judging ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expected", "outcome", "fault"),
    [
        ({"sum": 3}, ok({"sum": 3}), None),
        ({"sum": 3}, ok({"sum": 3.0, "more": 1}), None),
        ({"sum": 3}, ok({"sum": 4}), "expected sum 3, got 4"),
        ({"sum": 1}, ok({"sum": True}), "expected sum 1, got true"),
        ({"sum": 3}, ok({}), "expected sum 3, got no such field"),
        ({"sum": None}, ok({}), "expected sum null, got no such field"),
        ({"sum": None}, ok({"sum": None}), None),
        ({"a": 1, "b": 2}, ok({"a": 2, "b": 3}), "expected a 1, got 2; expected b 2, got 3"),
        ({"a": {"b": 1}}, ok({"a": {"b": 1, "c": 2}}), 'expected a {"b": 1}, got {"b": 1, "c": 2}'),
        ({"sum": 3}, ok(3), "expected the fields sum, got 3"),
        ({"sum": 3}, error("no"), 'expected {"sum": 3}, got the error "no"'),
        ([1, {"a": None}], ok([1, {"a": None}]), None),
        ([1], ok([1, 2]), "expected [1], got [1, 2]"),
        ([], ok({}), "expected [], got {}"),
        (None, ok(None), None),
        (None, ok(0), "expected null, got 0"),
        (0, ok(False), "expected 0, got false"),
        ("x", ok({"value": "x"}), 'expected "x", got {"value": "x"}'),
        (math.nan, ok(math.nan), None),
        ({"\x1b[1m": 1}, ok({}), r"expected \x1b[1m 1, got no such field"),
        ({"a": "\x1b[1m"}, ok({"a": 1}), r'expected a "\u001b[1m", got 1'),
    ],
    ids=str,
)
def test_an_expected_output(expected, outcome, fault):
    """A mapping's fields must be equal, and others may stand beside them; any other value must equal the whole."""
    assert case(output=expected).fault(outcome) == fault


@pytest.mark.parametrize(
    ("expected", "outcome", "fault"),
    [
        ({"error": True}, error("no"), None),
        ({"error": True}, error(""), None),
        ({"error": True}, ok({"a": 1}), 'expected an error, got {"a": 1}'),
        ({"error": "is away"}, error("B004 is away"), None),
        ({"error": "is away"}, error("no card"), 'expected an error that says "is away", got "no card"'),
        ({"error_type": "Refused"}, error("x", "Refused", "LookupError"), None),
        ({"error_type": "LookupError"}, error("x", "Refused", "LookupError"), None),
        ({"error_type": "ToolError"}, error("x", "Refused", "LookupError"), "expected a ToolError, got Refused"),
        ({"error_type": "ToolError"}, error("x"), "expected a ToolError, got a returned error"),
        ({"error": "x", "error_type": "Refused"}, error("x", "Refused"), None),
        ({"error": "y", "error_type": "Refused"}, error("x", "Refused"), 'expected an error that says "y", got "x"'),
        ({"error": "x", "error_type": "Refused"}, error("x", "Other"), "expected a Refused, got Other"),
    ],
    ids=str,
)
def test_an_expected_error(expected, outcome, fault):
    """An error is expected by any, by a part of its text, by its type or one of its bases, or by text and type."""
    assert case(**expected).fault(outcome) == fault


@pytest.mark.parametrize("kind", [CRASH, TIMEOUT, DIED])
def test_a_crash_satisfies_no_expectation(kind):
    """A crash, a timeout and a died worker are neither an output nor an error, whatever their text says."""
    outcome = tb.Outcome(kind, None, "ToolError: no\x07 " + "x" * 1000, ("ToolError",))
    for expected in ({"error": True}, {"error": "no"}, {"error_type": "ToolError"}, {"output": None}):
        fault = case(**expected).fault(outcome)
        assert fault.startswith(rf"{kind}: ToolError: no\x07 xxx")
        assert len(fault) < 320


def test_huge_outputs_make_short_faults():
    """A fault shows the beginning of a huge output only."""
    assert len(case(output=["y"]).fault(ok(["x" * 10**6] * 3))) < 200
    assert case(output={"n": 1}).fault(ok({"n": 10**5000})) == "expected n 1, got an integer of 16610 bits"


@given(VALUES.filter(lambda value: value != {}))
def test_a_value_meets_the_expectation_of_itself(value):
    """Any output passes the case that expects it, and fails the case that expects it inside a list."""
    assert case(output=value).fault(ok(value)) is None
    assert case(output=[value]).fault(ok(value)) is not None


# --- making ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_case", "message"),
    [
        ({}, "case c: give what to expect: either output, or error or error_type (not both)"),
        ({"output": 1, "error": True}, "case c: give what to expect: either output"),
        ({"output": 1, "error_type": "X"}, "case c: give what to expect: either output"),
        ({"error": ""}, "case c: give what to expect"),
        ({"output": {}}, "case c: output names no field, so any answer would pass; name at least one"),
        ({"output": {1}}, "case c: arguments and output are JSON values: a set has no JSON form"),
        ({"output": 1, "arguments": [1]}, "case c: arguments and output are JSON values"),
        ({"output": 1, "arguments": {"a": object()}}, "case c: arguments and output are JSON values: a object"),
        ({"error": 5}, "case c: error is 5; it is true or a text"),
        ({"error_type": 5}, "case c: error_type is 5; it is a text that is not empty"),
        ({"error_type": ""}, "case c: error_type is ''; it is a text that is not empty"),
        ({"output": 1, "tool": ""}, "case c: tool is ''; it is a text that is not empty"),
        ({"output": 1, "tool": 5}, "case c: tool is 5; it is a text that is not empty"),
        ({"output": 1, "why": 5}, "case c: why is 5; it is a text"),
        ({"output": 1, "id": ""}, "a case's id is a text that is not empty, not ''"),
        ({"output": 1, "id": 5}, "a case's id is a text that is not empty, not 5"),
    ],
    ids=lambda value: str(value).partition(" at 0x")[0],  # an address is another in each process
)
def test_what_is_no_case(given_case, message):
    """A case without id, tool or expectation, or with two expectations, is refused where it is made."""
    with pytest.raises(ScenarioError) as caught:
        Case(**{"id": "c", "tool": "t", **given_case})
    assert str(caught.value).startswith(message)


def test_a_case_has_its_own_values():
    """A case copies its arguments and its output, tuples as lists."""
    arguments, output = {"a": [1]}, {"b": (1, 2)}
    made = case(arguments=arguments, output=output)
    arguments["a"].append(2)
    assert (made.arguments, made.output) == ({"a": [1]}, {"b": [1, 2]})


# --- reading ---------------------------------------------------------------------------------------------------


def test_a_file_of_cases(tmp_path):
    """Cases come in the order of the file, with everything that a case can have."""
    path = tmp_path / "cases.toml"
    path.write_text("""
        [[case]]
        id = "one"
        tool = "lend"
        why = "because"
        arguments_json = '{"terms": null, "codes": [1, null]}'
        output_json = "null"

        [[case]]
        id = "two"
        tool = "lend"
        error = "away"
        error_type = "Refused"
        [case.arguments]
        terms = { weeks = 1, renewals_json = "null" }

        [[case]]
        id = "three"
        tool = "lend"
        output = [[], { a = 1.5 }]
    """)
    assert read_cases(path) == (
        Case(id="one", tool="lend", why="because", arguments={"terms": None, "codes": [1, None]}, output=None),
        Case(
            id="two",
            tool="lend",
            arguments={"terms": {"weeks": 1, "renewals": None}},
            error="away",
            error_type="Refused",
        ),
        Case(id="three", tool="lend", output=[[], {"a": 1.5}]),
    )


def test_no_file_and_an_empty_one(tmp_path):
    """A scenario without cases.toml, or with an empty one, has no cases."""
    assert read_cases(tmp_path / "cases.toml") == ()
    (tmp_path / "cases.toml").write_text("# none yet\n")
    assert read_cases(tmp_path / "cases.toml") == ()


CASE = 'id = "c"\ntool = "t"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[case]\n", "is not TOML: "),
        ("[[cases]]\n", "unknown key 'cases': did you mean case? Known: case; each case is a [[case]]"),
        ("case = 5\n", "case is 5; each case is a [[case]] table"),
        ("case = [1]\n", "case is [1]; each case is a [[case]] table"),
        ("[case]\nid = 'c'\n", 'case is {"id": "c"}; each case is a [[case]] table'),
        (f"[[case]]\n{CASE}output = 1\nargument = {{}}\n", "case c: unknown key 'argument': did you mean arguments?"),
        ("[[case]]\ntool = 't'\noutput = 1\n", "case number 1: id is null; it is a text that is not empty"),
        ("[[case]]\nid = ''\ntool = 't'\noutput = 1\n", 'id is ""; it is a text that is not empty'),
        ("[[case]]\nid = 7\ntool = 't'\noutput = 1\n", "case 7: id is 7; it is a text that is not empty"),
        ("[[case]]\nid = 'c'\noutput = 1\n", "case c: tool is null; it is a text that is not empty"),
        ("[[case]]\nid = 'c'\ntool = ['t']\noutput = 1\n", 'case c: tool is ["t"]; it is a text that is not empty'),
        (f"[[case]]\n{CASE}arguments = [1]\noutput = 1\n", "case c: arguments is [1]; it maps field names to values"),
        (f"[[case]]\n{CASE}arguments_json = 'null'\noutput = 1\n", "case c: arguments is null; it maps field names"),
        (f"[[case]]\n{CASE}error = false\n", "case c: error is false; it is true or a text that the error contains"),
        (f"[[case]]\n{CASE}error = ''\n", 'case c: error is ""; it is true or a text that the error contains'),
        (f"[[case]]\n{CASE}error = 1\n", "case c: error is 1; it is true or a text"),
        (f"[[case]]\n{CASE}error_type = 1\n", "case c: error_type is 1; it is a text"),
        (f"[[case]]\n{CASE}why = 1\noutput = 1\n", "case c: why is 1; it is a text"),
        (f"[[case]]\n{CASE}", "case c: give what to expect"),
        (f"[[case]]\n{CASE}output = {{}}\n", "case c: output names no field"),
        (f"[[case]]\n{CASE}error = true\noutput = 1\n", "case c: give what to expect: either output, or error"),
        (
            f"[[case]]\n{CASE}output = {{ when = 2024-05-01 }}\n",
            "case[0].output.when: 2024-05-01 is a TOML date or time",
        ),
        (f"[[case]]\n{CASE}output = 1\noutput_json = '1'\n", "case[0].output_json: output is given twice"),
        (f"[[case]]\n{CASE}output_json = '{{a: 1}}'\n", "case[0].output_json: '{a: 1}' is not JSON"),
        (f"[[case]]\n{CASE}output_json = 5\n", "case[0].output_json: 5 is not a text"),
    ],
)
def test_a_malformed_file(tmp_path, text, message):
    """A malformed cases.toml is refused with file, case, key and value, and what would be right."""
    path = tmp_path / "cases.toml"
    path.write_text(text)
    with pytest.raises(ScenarioError) as caught:
        read_cases(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


def test_an_id_stands_once():
    """An id that stands twice is refused; ids that differ are not."""
    check_ids("case", ["a", "b"], "own")
    with pytest.raises(ScenarioError, match="own: two cases have the id 'a'; an id is unique"):
        check_ids("case", ["a", "b", "a"], "own")


# --- the suites of the scenarios ----------------------------------------------------------------------------------


def test_every_case_of_a_suite_passes(scenario):
    """The defect-free table passes its own suite, each case in a fresh world."""
    faults = {
        case.id: case.fault(scenario.table.call(case.tool, case.arguments, scenario.world())) for case in scenario.cases
    }
    assert {name: fault for name, fault in faults.items() if fault} == {}
    assert {case.tool for case in scenario.cases} == set(scenario.table)


def test_no_case_passes_by_itself(scenario):
    """An answer without any field, and an answer that is no mapping, pass no case of a suite."""
    for outcome in (ok({}), ok("nothing")):
        assert all(case.fault(outcome) for case in scenario.cases)


def test_a_byte_order_mark_is_no_mistake(tmp_path):
    """A file saved by an editor that writes one is read like any other."""
    path = tmp_path / "cases.toml"
    path.write_bytes(b'\xef\xbb\xbf[[case]]\nid = "a"\ntool = "t"\nerror = true\n')
    assert [case.id for case in read_cases(path)] == ["a"]


def test_a_link_to_nothing_is_not_an_empty_suite(tmp_path):
    """A cases.toml that leads nowhere is an error; only a missing one means that there are no cases."""
    path = tmp_path / "cases.toml"
    path.symlink_to(path)
    with pytest.raises(ScenarioError, match="cannot be read"):
        read_cases(path)
