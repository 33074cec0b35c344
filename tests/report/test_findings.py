"""The findings of `check` for readers."""

import re
from html.parser import HTMLParser

import pytest

from toolbench.checking.finding import found
from toolbench.checks import Check
from toolbench.probing.checked import NotProbed
from toolbench.report.findings import html_of, text_of
from toolbench.switches import Switch

HOSTILE = "<script>alert('x')</script>\x1b[31m\n\u202e"
NO_ITEMS = found("items-missing", "pack", "/properties/boxes", "the array says nothing of its items")
ANSWERED = found("required-but-supplied", "send", "", "a call is answered", input={"to": "A", "n": 1})
NOTE = found("type-missing", "pack", "/properties/n", "no type")


def made(*findings, **more):
    return Check(**{"name": "mine", "tools": ("pack", "send"), "findings": findings, "not_probed": (), **more})


def test_findings_stand_tool_by_tool():
    """Severity, code and place, what was seen, what was sent, why it matters and what would cure it."""
    assert text_of(made(NO_ITEMS, ANSWERED, probes=1200)) == (
        "mine: 2 tools, 1,200 probes, 2 warnings\n"
        "\n"
        "pack\n"
        "  warning items-missing at /properties/boxes\n"
        "    the array says nothing of its items\n"
        f"    why: {NO_ITEMS.why}\n"
        f"    cure: {NO_ITEMS.cure}\n"
        "\n"
        "send\n"
        "  warning required-but-supplied at /\n"
        "    a call is answered\n"
        '    input: {"to": "A", "n": 1}\n'
        f"    why: {ANSWERED.why}\n"
        f"    cure: {ANSWERED.cure}\n"
    )


def test_nothing_found_is_said():
    """No findings, and one tool is one tool."""
    assert text_of(made(tools=("pack",))) == "mine: 1 tool, no findings\n"


def test_notes_are_counted_where_they_are_not_shown():
    """Notes may be left out; their number is told, with the option that shows them."""
    check = made(NO_ITEMS, NOTE)
    assert "note type-missing at /properties/n" in text_of(check)
    short = text_of(check, notes=False)
    assert "type-missing" not in short
    assert short.startswith("mine: 2 tools, 1 warning, 1 note\n")
    assert short.endswith("\n\n1 note not shown: --notes shows them\n")


def test_what_was_not_looked_at_stands_last():
    """Tools that were not probed, by reason; what is switched off, with its reason; switches that cover nothing."""
    check = made(
        not_probed=(NotProbed("pack", "may have effects"), NotProbed("send", "may have effects")),
        off=((NO_ITEMS, "free text"), (ANSWERED, "old clients")),
        idle=(Switch("gone", "unused-field", "why"),),
    )
    assert text_of(check).splitlines()[-4:] == [
        "not probed: pack send (may have effects)",
        "switched off: pack items-missing /properties/boxes (free text)",
        "switched off: send required-but-supplied / (old clients)",
        "switches off nothing: gone unused-field (why)",
    ]


def test_colour_only_where_asked():
    """Without it there is no escape; with it, each severity has one."""
    check = made(NO_ITEMS, NOTE, found("dangling-ref", "send", "", "gone"))
    assert "\x1b" not in text_of(check)
    coloured = text_of(check, colour=True)
    assert len(set(re.findall(r"\x1b\[\d+m(?=error|warning|note)", coloured))) == 3
    assert re.sub(r"\x1b\[\d+m", "", coloured) == text_of(check)


@pytest.mark.parametrize("write", [text_of, html_of])
def test_hostile_text_is_shown_and_not_obeyed(write):
    """Neither markup nor a terminal's escapes of a name, a place, an input or a reason come through."""
    finding = found("dangling-ref", HOSTILE, f"/properties/{HOSTILE}", HOSTILE, input={HOSTILE: HOSTILE}, cure=HOSTILE)
    check = made(
        finding,
        name=HOSTILE,
        tools=(HOSTILE,),
        not_probed=(NotProbed(HOSTILE, HOSTILE),),
        off=((finding, HOSTILE),),
        idle=(Switch(HOSTILE, "unused-field", HOSTILE),),
    )
    text = write(check)
    assert "\x1b" not in text and "\u202e" not in text
    assert "\\x1b[31m" in text
    if write is html_of:
        assert "<script>" not in text
        assert "&lt;script&gt;" in text


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen, self.open = set(), []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_html_is_a_balanced_table_and_nothing_else():
    """A heading, a table with a row for each finding, and a paragraph for what was not looked at."""
    text = html_of(made(NO_ITEMS, ANSWERED, not_probed=(NotProbed("pack", "no function"),)))
    tags = Tags()
    tags.feed(text)
    assert (tags.open, tags.seen) == ([], {"h3", "table", "thead", "tbody", "tr", "th", "td", "p"})
    assert text.count("<tr>") == 3
    assert "<p>not probed: pack (no function)</p>" in text
    assert "<table" not in html_of(made())
