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


def test_text_from_outside_is_escaped():
    """A description that is a script stays text."""
    defect = tb.Defect(id="X", tool="tariff", operator="drop_field", arguments={"field": "type"}, description=HOSTILE)
    text = tb.measure("metering", defects=[defect], layers=["tool"])._repr_html_()
    assert "<script>" not in text
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt; &amp; &quot;q&quot;" in text
