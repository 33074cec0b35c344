"""The report for a notebook."""

from html.parser import HTMLParser

import pytest

import toolbench as tb

HOSTILE = "<script>alert('x')</script> & \"q\""


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen, self.open = set(), []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.slow
def test_html_is_balanced_tables_and_nothing_else():
    """Headings, tables and paragraphs; no script, no style, no picture."""
    tags = Tags()
    tags.feed(tb.measure("metering")._repr_html_())
    assert tags.open == []
    assert tags.seen == {"h3", "table", "caption", "strong", "thead", "tbody", "tr", "th", "td", "p"}


def hostile_scenario():
    """A tool whose name and field are markup, and whose declaration has a finding."""
    schema = {"properties": {HOSTILE: {"type": "array"}}, "required": [HOSTILE]}
    return tb.Scenario(name="h", tools=[tb.Tool(tb.Definition(HOSTILE, schema), lambda **given: {"n": 1})])


def test_hostile_text_in_a_finding_is_escaped():
    """A tool that is called like a script stays text, in the report and in a verdict."""
    defect = tb.Defect(id="X", tool=HOSTILE, operator="add_field", arguments={"field": "<b>", "schema": {}})
    m = tb.measure(hostile_scenario(), defects=[defect], layers=["definition"])
    assert m.explain("X", "definition").verdict in ("caught", "missed")
    for text in (m._repr_html_(), m.explain("X", "definition")._repr_html_()):
        assert "<script>" not in text and "<b>" not in text
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt; &amp; &quot;q&quot;:items-missing" in m._repr_html_()
    tags = Tags()
    tags.feed(m._repr_html_())
    assert tags.open == []


def test_the_definition_layer_has_its_column():
    """Catch rates and defects have a column for it, the defect-free runs a row."""
    text = tb.measure("metering", defects=["D9"], layers=["tool", "definition"])._repr_html_()
    assert "<th scope='col'>definition</th>" in text
    assert "<th scope='col'>definition layer</th>" in text
    assert "<td>definition</td><td>check</td><td>0 findings from warning up</td>" in text


def test_text_from_outside_is_escaped():
    """A description that is a script stays text."""
    defect = tb.Defect(id="X", tool="tariff", operator="drop_field", arguments={"field": "type"}, description=HOSTILE)
    text = tb.measure("metering", defects=[defect], layers=["tool"])._repr_html_()
    assert "<script>" not in text
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt; &amp; &quot;q&quot;" in text
