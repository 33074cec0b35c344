"""Verdicts and what was left out, as text."""

import dataclasses

import pytest

from toolbench.verdict import LeftOut, Verdict, evidence_lines

PAIR = {"seed": 7, "failing": 2, "defect_free": 1, "newly_failing": ["a", "b"], "newly_passing": []}


def test_a_verdict_is_its_text():
    """In a terminal a verdict reads as a sentence, with what it rests on below it."""
    said = Verdict(
        "D1", "tool", "any failure", "caught", "1 of 2 cases fails", {"failing": [{"case": "c", "why": "w"}]}
    )
    assert str(said) == repr(said) == (
        "D1, tool: caught by the rule 'any failure': 1 of 2 cases fails\n  case c: w"
    )  # fmt: skip


def test_a_verdict_in_a_notebook_is_escaped():
    """What comes from outside is shown as text, never as markup."""
    said = Verdict("D1", "tool", "rule", "missed", "expected <b>, got &")
    assert said._repr_html_() == (
        "<pre>D1, tool: missed by the rule &#x27;rule&#x27;: expected &lt;b&gt;, got &amp;</pre>"
    )


def test_a_verdict_is_a_fact():
    """Nobody changes a verdict that was given."""
    said = Verdict("D1", "tool", "rule", "missed", "because")
    with pytest.raises(dataclasses.FrozenInstanceError):
        said.verdict = "caught"
    assert said == Verdict("D1", "tool", "rule", "missed", "because", {})


def test_seed_by_seed():
    """Each seed has its line, with what newly fails and newly passes, one task or many."""
    one = {"seed": 8, "failing": 1, "defect_free": 1, "newly_failing": [], "newly_passing": ["c"]}
    assert evidence_lines({"paired": [PAIR, one], "seeds": 2}) == [
        "seed 7: 2 tasks fail, defect-free 1; newly failing a b; newly passing none",
        "seed 8: 1 task fails, defect-free 1; newly failing none; newly passing c",
    ]


def test_seeds_that_are_not_shown_are_counted():
    """Where the evidence shows some of the seeds, the number of the others stands below them."""
    assert evidence_lines({"paired": [PAIR], "seeds": 200})[-1] == "and 199 more seeds"


def test_no_evidence_no_lines():
    """A verdict that rests on nothing has its sentence alone."""
    assert evidence_lines({}) == []


def test_what_was_left_out():
    """What was left out is said with its number and reason."""
    left = LeftOut("defects", 2, "not asked for: D1, D2")
    assert dataclasses.asdict(left) == {"what": "defects", "count": 2, "reason": "not asked for: D1, D2"}
