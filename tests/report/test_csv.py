"""The report as CSV."""

import csv
import io

import pytest

import toolbench as tb
from toolbench.report.csv import csv_files


@pytest.mark.slow
def test_one_file_per_table_with_a_header():
    """Every file parses, and the catch rates hold what the DataFrame holds."""
    m = tb.measure("metering")
    files = csv_files(m)
    assert sorted(files) == [
        "bands.csv",
        "blind_spots.csv",
        "catch_rates.csv",
        "cost.csv",
        "exact.csv",
        "exact_runs.csv",
        "findings.csv",
        "growth.csv",
        "left_out.csv",
        "overlap.csv",
        "paired.csv",
        "reliability.csv",
        "rules.csv",
        "success.csv",
        "verdicts.csv",
    ]
    rows = list(csv.DictReader(io.StringIO(files["catch_rates.csv"])))
    assert rows[-1] == {"class": "total", "layer": "loop", "k": "4", "n": "11", "share": str(4 / 11)}
    assert len(list(csv.DictReader(io.StringIO(files["verdicts.csv"])))) == 55
    rates = [row["share"] for row in rows if row["layer"] == "definition"]
    assert rates == ["0.0", "1.0", "1.0", str(7 / 11)]
    found = list(csv.DictReader(io.StringIO(files["findings.csv"])))
    assert len(found) == len(m.findings())
    assert {row["table"] for row in found if row["severity"] != "note"} == {f"D{number}" for number in range(5, 12)}


def test_hostile_text_in_a_finding_stays_in_its_cell():
    """Quotes, commas and line breaks of a tool's declaration break out of no cell."""
    name = 'a",b\nc'
    hostile = tb.Tool(tb.Definition("pack", {"properties": {name: {"type": "array"}}}), lambda **given: {"n": 1})
    files = csv_files(tb.measure(tb.Scenario(name="h", tools=[hostile]), defects=[], layers=["definition"]))
    rows = list(csv.DictReader(io.StringIO(files["findings.csv"])))
    assert [row["pointer"] for row in rows if row["code"] == "items-missing"] == [f"/properties/{name}"]
    assert {None} & set().union(*rows) == set()


def test_a_share_of_nothing_is_an_empty_cell():
    """One seed leaves the loop without a share."""
    files = csv_files(tb.measure("metering", seeds="7,", defects=["D8"]))
    assert "total,loop,0,0,\n" in files["catch_rates.csv"]
