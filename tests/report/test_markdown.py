"""The report as Markdown."""

import toolbench as tb
from toolbench.report.markdown import escaped, markdown_report


def test_tables_are_pipe_tables_under_headings():
    """Each table has a heading and a row of rules."""
    text = markdown_report(tb.measure("metering", defects=["D8"]))
    assert text.startswith("# metering: 1 defect, ")
    assert "## Overlap\n\nWhich layers caught which defects.\n\n| caught by" in text


def test_markup_from_outside_is_escaped():
    """Neither a pipe nor a tag of a description breaks out of its cell."""
    assert escaped("a|b <img src=x> `c` [d](e)") == "a\\|b &lt;img src=x&gt; \\`c\\` \\[d\\](e)"
    assert escaped("read_meter") == "read\\_meter"
