"""What checking gave, where there are definitions and no functions."""

import toolbench as tb
from toolbench.checking.finding import SEVERITIES
from toolbench.probing.checked import NotProbed, of_definitions


def definition(name, **field):
    return tb.Definition(name, {"type": "object", "properties": {"f": field}}, "Does.")


def test_definitions_are_read_and_not_probed():
    """Why is said of each."""
    checked = of_definitions([definition("b", type="array"), definition("a", type="string", default=1)])
    assert [(f.tool, f.code) for f in checked.findings] == [("b", "items-missing"), ("a", "default-invalid")]
    assert checked.not_probed == (NotProbed("b", "no function"), NotProbed("a", "no function"))
    assert (checked.probes, checked.timeouts, checked.died, checked.hits, checked.missed) == (0, 0, 0, 0, "")


def test_definitions_of_one_name_are_told_of_and_counted_once():
    """The findings of both are there, each key once."""
    twice = [definition("a", type="array"), definition("a", type="array"), definition("a", type="string", default=1)]
    checked = of_definitions(twice)
    assert {(f.code, f.pointer) for f in checked.findings} == {
        ("duplicate-name", "/name"),
        ("items-missing", "/properties/f"),
        ("default-invalid", "/properties/f/default"),
    }
    assert len(checked.findings) == 3 and checked.not_probed == (NotProbed("a", "no function"),)


def test_the_severest_comes_first():
    """Within a tool."""
    findings = of_definitions([definition("a", title="T", default="None", **{"$ref": "#/$defs/none"})]).findings
    ranks = [SEVERITIES.index(finding.severity) for finding in findings]
    assert ranks == sorted(ranks) and findings[0].code == "dangling-ref" and len(findings) > 1


def test_of_no_definitions_nothing_is_said():
    """And nothing is left out."""
    assert of_definitions([]).findings == () and of_definitions([]).not_probed == ()
