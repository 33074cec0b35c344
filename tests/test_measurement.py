"""What follows from a measurement: rows, shares, tables, explanations."""

import dataclasses

import pytest

import toolbench as tb
from toolbench.errors import UsageError
from toolbench.execution.work import Observation
from toolbench.measurement import Measurement
from toolbench.seeds import Seeds
from toolbench.verdict import Verdict


@pytest.fixture(scope="module")
def metering():
    return tb.measure("metering", seeds=2)


@pytest.fixture(scope="module")
def two_layers():
    """Without the definition layer."""
    return tb.measure("metering", seeds=2, layers=["tool", "loop"])


def made(said, layers=("tool", "loop"), classes=None):
    """A measurement in which each defect got these verdicts, a letter for each layer: c, m or n(ot measured)."""
    words = {"c": "caught", "m": "missed", "n": "not measured"}
    operator = {"value": "copy_field", "contract": "drop_guard", "definition": "drop_field"}
    classes = classes or {}
    return Measurement(
        scenario=tb.load_scenario("metering"),
        seeds=Seeds("1:3", [1, 2]),
        layers=layers,
        defects=tuple(
            tb.Defect(id=id, tool="tariff", operator=operator[classes.get(id, "value")], description=f"what {id} does")
            for id in said
        ),
        equivalent=frozenset(),
        suite=(),
        suites={},
        verdicts=tuple(
            Verdict(id, layer, "band", words[letter], "because")
            for id, letters in said.items()
            for layer, letter in zip(layers, letters, strict=True)
        ),
        left_out=(),
    )


def groups(measurement):
    return {row["label"]: row["defects"] for row in measurement.overlap_rows()}


# --- shares ---------------------------------------------------------------------------------------------------


def test_shares_are_of_what_was_measured():
    """A share counts the measured defects only; where nothing was measured there is none."""
    measurement = made({"A": "cm", "B": "mn", "C": "nn", "D": "nc"}, classes={"C": "contract", "D": "definition"})
    assert measurement.counts("tool") == (1, 2)
    assert measurement.counts("loop") == (1, 2)
    assert measurement.counts("tool", "contract") == (0, 0)
    assert measurement.counts("loop", "definition") == (1, 1)
    shares = {(row["class"], row["layer"]): row["share"] for row in measurement.catch_rate_rows()}
    assert shares["total", "tool"] == 1 / 2
    assert shares["contract", "tool"] is None
    assert shares["definition", "loop"] == 1


def test_a_share_by_any_layer():
    """Without a layer a defect counts as caught by any, and as measured where at least one measured it."""
    measurement = made({"A": "cm", "B": "mn", "C": "nn", "D": "nc"})
    assert measurement.counts() == (2, 3)


def test_catch_rates_by_class_and_layer(metering):
    """Every class and the total stand for every layer, with k, n and share."""
    rows = metering.catch_rates()
    assert list(rows.columns) == ["class", "layer", "k", "n", "share"]
    assert rows[["class", "layer", "k", "n"]].values.tolist() == [
        ["value", "tool", 4, 4], ["value", "definition", 0, 4], ["value", "loop", 2, 4],
        ["contract", "tool", 3, 3], ["contract", "definition", 3, 3], ["contract", "loop", 0, 3],
        ["definition", "tool", 0, 4], ["definition", "definition", 4, 4], ["definition", "loop", 2, 4],
        ["total", "tool", 7, 11], ["total", "definition", 7, 11], ["total", "loop", 4, 11],
    ]  # fmt: skip
    shares = [1.0, 0.0, 0.5, 1.0, 1.0, 0.0, 0.0, 1.0, 0.5, 0.6364, 0.6364, 0.3636]
    assert rows["share"].round(4).tolist() == shares


def test_a_share_that_is_not_there_is_nan():
    """In a DataFrame a share of nothing is NaN, never 0 or 1."""
    rows = made({"A": "nn"}).catch_rates()
    assert rows["share"].isna().all()
    assert rows["n"].tolist() == [0] * 8


# --- overlap and blind spots ----------------------------------------------------------------------------------


def test_overlap_of_two_layers():
    """Each defect stands with exactly the layers that caught it."""
    assert groups(made({"A": "cm", "B": "mc", "C": "cc", "D": "mm", "E": "cm"})) == {
        "tool only": ["A", "E"], "loop only": ["B"], "both": ["C"], "neither": ["D"],
    }  # fmt: skip


def test_nobody_says_neither_of_what_was_not_measured():
    """A defect that one layer missed and the other did not measure is not said to be caught by neither."""
    assert groups(made({"A": "mn", "B": "nm", "C": "mm", "D": "nn", "E": "cn"})) == {
        "tool only": ["E"], "loop only": [], "both": [], "neither": ["C"],
    }  # fmt: skip


def test_a_layer_that_measured_nothing_is_left_out():
    """When one layer measured nothing, the overlap is of the others alone, and nobody is said to be caught by none."""
    assert groups(made({"A": "cn", "B": "mn"})) == {"tool only": ["A"], "none": []}
    assert groups(made({"A": "nn"})) == {"none": []}


def test_overlap_of_three_layers():
    """With three layers each combination has a group, named by its layers."""
    measurement = made({"A": "cmm", "B": "ccm", "C": "ccc", "D": "mmm", "E": "mcc"}, layers=("a", "b", "c"))
    assert groups(measurement) == {
        "a only": ["A"], "b only": [], "c only": [], "a + b": ["B"], "a + c": [], "b + c": ["E"],
        "all": ["C"], "none": ["D"],
    }  # fmt: skip


def test_overlap_as_a_table(metering, two_layers):
    """The overlap as a DataFrame names the defects."""
    assert metering.overlap().values.tolist() == [
        ["tool only", 2, ["D2", "D4"]],
        ["definition only", 2, ["D9", "D11"]],
        ["loop only", 0, []],
        ["tool + definition", 3, ["D5", "D6", "D7"]],
        ["tool + loop", 2, ["D1", "D3"]],
        ["definition + loop", 2, ["D8", "D10"]],
        ["all", 0, []],
        ["none", 0, []],
    ]
    table = two_layers.overlap()
    assert table.values.tolist() == [
        ["tool only", 5, ["D2", "D4", "D5", "D6", "D7"]],
        ["loop only", 2, ["D8", "D10"]],
        ["both", 2, ["D1", "D3"]],
        ["neither", 2, ["D9", "D11"]],
    ]


def test_blind_spots(metering, two_layers):
    """A blind spot is a defect that every layer measured and none caught, with what it does."""
    assert len(metering.blind_spots()) == 0
    assert two_layers.blind_spots().values.tolist() == [
        ["D9", "write_record", "definition", "does not declare value"],
        ["D11", "read_meter", "definition", "declares column too, which the function does not use"],
    ]
    none = made({"A": "cm", "B": "mn"}).blind_spots()
    assert list(none.columns) == ["defect", "tool", "class", "description"]
    assert len(none) == 0


def test_one_seed_calls_nothing_a_blind_spot():
    """With one seed the loop measured nothing, so nobody is said to be caught by none; the report says why."""
    measured = tb.measure("metering", seeds="7,")
    assert len(measured.blind_spots()) == 0
    assert groups(measured) == {
        "tool only": ["D1", "D2", "D3", "D4"], "definition only": ["D8", "D9", "D10", "D11"],
        "both": ["D5", "D6", "D7"], "neither": [],
    }  # fmt: skip
    two_layers = tb.measure("metering", seeds="7,", layers=["tool", "loop"])
    assert groups(two_layers) == {"tool only": ["D1", "D2", "D3", "D4", "D5", "D6", "D7"], "none": []}
    said = "The loop layer measured nothing, so nobody can say what no layer sees."
    assert said in str(measured).splitlines()
    assert "No layer sees" not in str(measured)


# --- the other tables -----------------------------------------------------------------------------------------


def test_success_by_table_and_seed(metering):
    """One row per table and seed, the defect-free table first, with its failing tasks and its cost."""
    table = metering.success()
    assert len(table) == 2 * 12
    assert table["table"].tolist()[::2] == ["none", *(f"D{number}" for number in range(1, 12))]
    first = table.iloc[0]
    assert (first["seed"], first["succeeded"], first["tasks"], first["failing"]) == (20260218, 23, 24, ["G23"])
    assert (first["steps"], first["tokens"], first["errors"], first["done"]) == (97, 11978, 8, 23)


def test_bands(metering):
    """Per layer the fewest and the most failures of a defect-free run, and the band."""
    assert metering.bands().to_dict("records") == [
        {"layer": "tool", "runs": "two runs", "unit": "case", "of": 11, "fewest": 0, "most": 0, "band": 0},
        {"layer": "loop", "runs": "two seeds", "unit": "task", "of": 24, "fewest": 1, "most": 1, "band": 1},
    ]


def test_paired(metering):
    """Per defect and seed the tasks that newly fail and newly pass."""
    table = metering.paired()
    assert len(table) == 22
    d8 = table[table["defect"] == "D8"].to_dict("records")
    assert d8 == [
        {"defect": "D8", "seed": 20260218, "failing": 5, "defect_free": 1,
         "newly_failing": ["G07", "G11", "G12", "G18"], "newly_passing": []},
        {"defect": "D8", "seed": 20260219, "failing": 6, "defect_free": 1,
         "newly_failing": ["G07", "G11", "G12", "G18", "G23"], "newly_passing": []},
    ]  # fmt: skip


def test_cost(metering):
    """Per layer what its runs took: all tables, without stubs and the second clean run."""
    tool, definition, loop = metering.cost().to_dict("records")
    assert (tool["layer"], tool["runs"], tool["calls"]) == ("tool", 12 * 11, 12 * 11)
    assert (loop["layer"], loop["runs"]) == ("loop", 12 * 2 * 24)
    success = metering.success()
    assert (loop["steps"], loop["tokens"]) == (success["steps"].sum(), success["tokens"].sum())
    assert loop["calls"] == loop["steps"] - success["done"].sum()
    assert definition["layer"] == "definition"
    assert definition["runs"] == definition["calls"] == sum(one.probes for one in metering.checks.values()) > 0
    assert (definition["timeouts"], definition["died"]) == (0, 0)


def test_verdicts_as_a_table(metering):
    """One row per defect, layer and rule."""
    table = metering.verdict_table()
    assert list(table.columns) == ["defect", "layer", "rule", "verdict", "reason"]
    assert len(table) == 55
    assert table.iloc[0].tolist() == [
        "D1", "tool", "any failure", "caught",
        "1 of 11 cases fails: reading of A001: expected current 87604, got 87563",
    ]  # fmt: skip


# --- one verdict ----------------------------------------------------------------------------------------------


def test_explaining_a_verdict_of_the_tool_layer(metering):
    """The text of a verdict says rule and reason, and the failing cases."""
    assert str(metering.explain("D5", "tool")) == (
        "D5, tool: caught by the rule 'any failure': 1 of 11 cases fails: no previous reading: expected an error, "
        'got {"m3": 150}\n'
        '  case no previous reading: expected an error, got {"m3": 150}'
    )


def test_explaining_a_verdict_of_the_definition_layer(metering):
    """The text of a verdict says rule and reason, and each new finding with its severity, code, place."""
    seen = "the function takes value, which is not declared (by default null)"
    assert str(metering.explain("D9", "definition")) == (
        "D9, definition: caught by the rule 'new finding': 1 new finding: "
        f"undeclared-parameter at /properties/value: {seen}\n"
        f"  warning undeclared-parameter at /properties/value: {seen}"
    )
    assert str(metering.explain("D2", "definition")) == (
        "D2, definition: missed by the rule 'new finding': "
        "no finding from warning up that the defect-free table does not have"
    )


def test_explaining_a_verdict_of_the_loop(metering):
    """The text of a loop's verdict shows seed by seed what newly fails and newly passes."""
    assert str(metering.explain("D9", "loop")) == (
        "D9, loop: missed by the rule 'band': inside the band at 2 of 2 seeds: at 20260218 it fails 1 task and the "
        "defect-free run 1; the band is 1\n"
        "  seed 20260218: 1 task fails, defect-free 1; newly failing none; newly passing none\n"
        "  seed 20260219: 2 tasks fail, defect-free 1; newly failing G23; newly passing none"
    )


def test_explaining_what_is_not_there(metering):
    """An unknown defect or layer is told with the nearest names."""
    with pytest.raises(UsageError) as refused:
        metering.explain("d8", "loop")
    assert str(refused.value).startswith("unknown defect 'd8'")
    with pytest.raises(UsageError) as refused:
        metering.explain("D8", "lop")
    assert str(refused.value) == "unknown layer 'lop': did you mean loop? Known: tool, definition, loop"
    with pytest.raises(UsageError) as refused:
        metering.explain("D8", "definition", "any failure")
    assert str(refused.value) == "unknown rule 'any failure'. Known: new finding"


# --- findings -------------------------------------------------------------------------------------------------


def test_findings_as_a_table(metering):
    """One row per table and finding, the defect-free table first, with all that a finding says."""
    table = metering.findings()
    columns = ["table", "code", "severity", "tool", "pointer", "seen", "input", "why", "cure"]
    assert list(table.columns) == columns
    tables = list(dict.fromkeys(table["table"]))
    assert tables == sorted(tables, key=["none", *(f"D{number}" for number in range(1, 12))].index)
    assert set(table[table["table"] == "none"]["severity"]) == {"note"}
    d9 = table[(table["table"] == "D9") & (table["severity"] != "note")].to_dict("records")
    assert [(row["code"], row["tool"], row["pointer"]) for row in d9] == [
        ("undeclared-parameter", "write_record", "/properties/value")
    ]
    assert (d9[0]["why"], d9[0]["input"]) == (
        "An agent sends only what is declared, so the function never gets this parameter.", None,
    )  # fmt: skip


def test_findings_of_a_defect_are_of_its_tool(metering):
    """Of a defect's table only the damaged tool is looked at; of the defect-free one all are."""
    table = metering.findings()
    damaged = {defect.id: defect.tool for defect in metering.defects}
    for defect, tool in damaged.items():
        assert set(table[table["table"] == defect]["tool"]) <= {tool}
    assert set(metering.checks) == {"none", *damaged}


def test_no_findings_without_the_layer(two_layers):
    """Without the definition layer the table of findings is empty, and has its columns."""
    assert (len(two_layers.findings()), len(two_layers.findings().columns), two_layers.checks) == (0, 9, {})


def test_vacuous_tools():
    """A tool is vacuous when a stub of it passed every case that ran."""
    passed, failed = {"case": "c", "passed": True}, {"case": "d", "passed": False}
    suites = {"stub read_meter": (passed, failed), "stub tariff": (passed, passed)}
    measurement = made({})
    said = dataclasses.replace(measurement, suites=suites, suite=(Observation([passed]), Observation([passed])))
    assert said.vacuous() == ("consumption", "tariff", "search_docs", "write_record")


def test_a_measurement_draws_itself(metering):
    """In a terminal and in a notebook a measurement shows its tables."""
    assert "D10" in str(metering)
    assert repr(metering) == str(metering)
    assert "<table" in metering._repr_html_()
