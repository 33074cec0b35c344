"""The tables for readers and for programs."""

import pytest

import toolbench as tb
from toolbench.report.tables import conclusion, share, table, tables_for_programs, tables_for_reading


@pytest.fixture(scope="module")
def two_seeds():
    return tb.measure("metering", seeds=2)


@pytest.fixture(scope="module")
def two_layers():
    """Without the definition layer."""
    return tb.measure("metering", seeds=2, layers=["tool", "loop"])


def test_the_report_has_every_table_that_the_readme_promises(two_seeds):
    """Catch rates, defects, success, defect-free runs, overlap, pairs, rules, all seeds and cost, in this order."""
    titles = [one.title for one in tables_for_reading(two_seeds)]
    assert titles == [
        "Catch rate by class and layer",
        "Defect by layer",
        "Success by table and seed",
        "Defect-free runs",
        "Overlap",
        "Paired view",
        "Rules side by side",
        "Over all seeds",
        "Cost",
    ]


def test_every_share_stands_with_its_k_and_n(two_seeds, two_layers):
    """The total row reads 7/11, 7/11, 4/11 and, for any layer, 11/11; without the definition layer 9/11."""
    rates = tables_for_reading(two_seeds)[0]
    assert rates.columns == ("class", "tool", "definition", "loop", "any layer")
    assert rates.rows[-1] == ("total", "7/11  0.6364", "7/11  0.6364", "4/11  0.3636", "11/11  1.0000")
    assert [row[2] for row in rates.rows] == ["0/4  0.0000", "3/3  1.0000", "4/4  1.0000", "7/11  0.6364"]
    total = tables_for_reading(two_layers)[0].rows[-1]
    assert total == ("total", "7/11  0.6364", "4/11  0.3636", "9/11  0.8182")


def test_what_no_layer_sees_is_the_last_sentence(two_seeds, two_layers):
    """The blind spots of two layers are named, and that three leave none is said."""
    assert conclusion(two_layers)[-1] == "No layer sees D9 D11: blind spots of these tests."
    assert conclusion(two_seeds)[-1] == "Every defect that was measured is caught by some layer."


def test_a_share_of_nothing_is_not_a_number():
    """Where nothing was measured stands n/a, never 0 and never 1."""
    assert share(0, 0) == "n/a"


def test_overlap_names_the_defects(two_layers):
    """Tool only, loop only, both and neither, each with its defects."""
    overlap = next(one for one in tables_for_reading(two_layers) if one.title == "Overlap")
    assert overlap.rows == (
        ("tool only", "5", "D2 D4 D5 D6 D7"),
        ("loop only", "2", "D8 D10"),
        ("both", "2", "D1 D3"),
        ("neither", "2", "D9 D11"),
    )


def test_overlap_of_three_layers_names_the_defects(two_seeds):
    """Every combination of layers has its row, also where it caught nothing."""
    overlap = next(one for one in tables_for_reading(two_seeds) if one.title == "Overlap")
    assert overlap.rows == (
        ("tool only", "2", "D2 D4"),
        ("definition only", "2", "D9 D11"),
        ("loop only", "0", "-"),
        ("tool + definition", "3", "D5 D6 D7"),
        ("tool + loop", "2", "D1 D3"),
        ("definition + loop", "2", "D8 D10"),
        ("all", "0", "-"),
        ("none", "0", "-"),
    )


def test_the_two_defect_free_runs_stand_side_by_side(two_seeds):
    """The suite gives the same twice, the loop fails another task; the band says by how much."""
    clean = next(one for one in tables_for_reading(two_seeds) if one.title == "Defect-free runs")
    assert clean.rows == (
        ("tool", "run 1", "0 of 11 cases", "-", ""),
        ("tool", "run 2", "0 of 11 cases", "-", ""),
        ("tool", "band of two runs", "0 to 0 cases", "", "0"),
        ("definition", "check", "0 findings from warning up", "-", ""),
        ("loop", "seed 20260218", "1 of 24 tasks", "G23", ""),
        ("loop", "seed 20260219", "1 of 24 tasks", "G15", ""),
        ("loop", "band of two seeds", "1 to 1 tasks", "", "1"),
    )


def test_many_seeds_are_summed_up_by_mean_and_extremes():
    """Beyond four seeds a table has one row, with the lowest and the highest seed."""
    m = tb.measure("metering", seeds=6, defects=["D1"])
    success = next(one for one in tables_for_reading(m) if one.title.startswith("Success"))
    assert success.columns == ("table", "mean", "lowest seed", "highest seed", "failing tasks per seed")
    counts = [row["succeeded"] for row in m.success_rows() if row["table"] == "D1"]
    assert success.rows[1][1].startswith(f"{sum(counts)}/{6 * 24} ")
    assert success.rows[1][2].startswith(f"{min(counts)}/24 ")


def test_a_cell_never_carries_a_terminal_command():
    """Escapes, line breaks and direction marks from outside are shown, not obeyed."""
    made = table("t", "n", ["a"], [["red\x1b[31m\nnext\u202e"], [None]])
    assert made.rows == (("red\\x1b[31m\\nnext\\u202e",), ("n/a",))


def test_programs_get_whole_numbers_and_joined_lists(two_seeds):
    """A missing number does not turn whole ones into fractions, and a list of tasks is one cell."""
    frames = tables_for_programs(two_seeds)
    costs = frames["cost"].to_csv(index=False).splitlines()
    assert costs[1] == "tool,132,132,,,,,0,0"
    probes = sum(checked.probes for checked in two_seeds.checks.values())
    assert costs[2] == f"definition,{probes},{probes},,,,,0,0"
    assert costs[3] == "loop,576,1873,2418,303812,288,0,0,0"
    assert frames["success"].loc[0, "failing"] == "G23"
    assert frames["blind_spots"]["defect"].tolist() == []


def test_programs_get_the_findings(two_seeds, two_layers):
    """A row for each finding of each table, what was sent in one cell; without the layer there is none."""
    findings = tables_for_programs(two_seeds)["findings"]
    d10 = findings[(findings["table"] == "D10") & (findings["severity"] != "note")]
    assert set(d10["code"]) >= {"undeclared-parameter"}
    assert {type(cell) for cell in findings["input"].dropna()} == {str}
    assert len(tables_for_programs(two_layers)["findings"]) == 0
    assert tables_for_programs(two_layers)["blind_spots"]["defect"].tolist() == ["D9", "D11"]
