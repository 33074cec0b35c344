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
    assert len(list(csv.DictReader(io.StringIO(files["verdicts.csv"])))) == 44


def test_a_share_of_nothing_is_an_empty_cell():
    """One seed leaves the loop without a share."""
    files = csv_files(tb.measure("metering", seeds="7,", defects=["D8"]))
    assert "total,loop,0,0,\n" in files["catch_rates.csv"]
