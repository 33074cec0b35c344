"""The tables for readers and for programs."""

import pytest

import toolbench as tb
from toolbench.report.tables import share, table, tables_for_programs, tables_for_reading


@pytest.fixture(scope="module")
def two_seeds():
    return tb.measure("metering", seeds=2)


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


def test_every_share_stands_with_its_k_and_n(two_seeds):
    """The total row reads 7/11, 4/11 and, for any layer, 9/11."""
    total = tables_for_reading(two_seeds)[0].rows[-1]
    assert total == ("total", "7/11  0.6364", "4/11  0.3636", "9/11  0.8182")


def test_a_share_of_nothing_is_not_a_number():
    """Where nothing was measured stands n/a, never 0 and never 1."""
    assert share(0, 0) == "n/a"


def test_overlap_names_the_defects(two_seeds):
    """Tool only, loop only, both and neither, each with its defects."""
    overlap = next(one for one in tables_for_reading(two_seeds) if one.title == "Overlap")
    assert overlap.rows == (
        ("tool only", "5", "D2 D4 D5 D6 D7"),
        ("loop only", "2", "D8 D10"),
        ("both", "2", "D1 D3"),
        ("neither", "2", "D9 D11"),
    )


def test_the_two_defect_free_runs_stand_side_by_side(two_seeds):
    """The suite gives the same twice, the loop fails another task; the band says by how much."""
    clean = next(one for one in tables_for_reading(two_seeds) if one.title == "Defect-free runs")
    assert clean.rows == (
        ("tool", "run 1", "0 of 11 cases", "-", ""),
        ("tool", "run 2", "0 of 11 cases", "-", ""),
        ("tool", "band of two runs", "0 to 0 cases", "", "0"),
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
    assert frames["cost"].to_csv(index=False).splitlines()[2] == "loop,576,1873,2418,303812,288,0,0,0"
    assert frames["success"].loc[0, "failing"] == "G23"
    assert frames["blind_spots"]["defect"].tolist() == ["D9", "D11"]
