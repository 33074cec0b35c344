"""The report as Markdown."""

import toolbench as tb
from toolbench.report.markdown import escaped, markdown_report


def test_tables_are_pipe_tables_under_headings():
    """Each table has a heading and a row of rules."""
    text = markdown_report(tb.measure("metering", defects=["D8"]))
    assert text.startswith("# metering: 1 defect, ")
    assert "## Overlap\n\nWhich layers caught which defects.\n\n| caught by" in text


def test_the_definition_layer_has_its_column():
    """Catch rates have a column for it, the defect-free runs a row."""
    text = markdown_report(tb.measure("metering", defects=["D9"], layers=["tool", "definition"]))
    assert "# metering: 1 defect, layers tool and definition, " in text
    head = next(line for line in text.splitlines() if line.startswith("| class"))
    assert [cell.strip() for cell in head.strip("|").split("|")] == ["class", "tool", "definition", "any layer"]
    clean = next(line for line in text.splitlines() if line.startswith("| definition") and "check" in line)
    assert "0 findings from warning up" in clean


def test_hostile_text_in_a_finding_is_escaped():
    """A tool whose name is markup breaks out of no cell."""
    name = "a|b <img src=x> `c`"
    tool = tb.Tool(tb.Definition(name, {"properties": {"boxes": {"type": "array"}}}), lambda boxes=None: {"n": 1})
    text = markdown_report(tb.measure(tb.Scenario(name="h", tools=[tool]), defects=[], layers=["definition"]))
    assert "<img" not in text
    assert f"{escaped(name)}:items-missing" in text


def test_markup_from_outside_is_escaped():
    """Neither a pipe nor a tag of a description breaks out of its cell."""
    assert escaped("a|b <img src=x> `c` [d](e)") == "a\\|b &lt;img src=x&gt; \\`c\\` \\[d\\](e)"
    assert escaped("read_meter") == "read\\_meter"
