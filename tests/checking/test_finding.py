"""Findings: their order, and what makes two the same."""

from hypothesis import given
from hypothesis import strategies as st

from toolbench.checking.codes import CODES
from toolbench.checking.finding import RANK, SEVERITIES, found, from_severity, in_order

FINDINGS = st.lists(
    st.builds(
        found,
        st.sampled_from(sorted(CODES)),
        st.sampled_from("abc"),
        st.sampled_from(("", "/a", "/b")),
        st.sampled_from(("one", "two")),
        severity=st.none() | st.sampled_from(SEVERITIES),
    )
)


def test_a_finding_has_what_its_code_says():
    """Unless something else is given."""
    finding = found("enum-type", "pack", "/properties/x/enum", "seen")
    assert (finding.severity, finding.why, finding.cure) == ("warning", CODES["enum-type"].why, CODES["enum-type"].cure)
    assert finding.key == ("enum-type", "pack", "/properties/x/enum") and finding.counts
    other = found("enum-type", "pack", "", "seen", severity="note", cure="Mend it.", input={"x": 1})
    assert (other.counts, other.cure, other.input) == (False, "Mend it.", {"x": 1})


@given(FINDINGS, st.permutations("abc"))
def test_findings_are_in_order_and_each_is_there_once(findings, tools):
    """Tool by tool, the severest first; of several of one key the severest. The order that they came in is nothing."""
    ordered = in_order(findings, tools)
    assert ordered == in_order(reversed(findings), tools) == in_order(ordered, tools)
    assert {one.key for one in ordered} == {one.key for one in findings} and len(ordered) == len(
        {one.key for one in findings}
    )
    ranks = [(tools.index(one.tool), RANK[one.severity]) for one in ordered]
    assert ranks == sorted(ranks)
    for one in ordered:
        assert RANK[one.severity] == min(RANK[other.severity] for other in findings if other.key == one.key)


@given(FINDINGS, st.sampled_from(SEVERITIES))
def test_findings_from_a_severity_up(findings, least):
    """All of them for notes, errors alone for errors."""
    kept = from_severity(findings, least)
    assert kept == [one for one in findings if SEVERITIES.index(one.severity) <= SEVERITIES.index(least)]
