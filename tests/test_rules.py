"""The judges: any failure, new finding, and the loop's band, paired and exact."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from toolbench.agent.side_by_side import Comparison
from toolbench.bands import Band
from toolbench.checking.finding import found
from toolbench.episodes import COSTS, Episodes
from toolbench.rules import (
    CAUGHT,
    MISSED,
    NOT_MEASURED,
    any_failure,
    band,
    exact,
    invisible,
    never,
    new_finding,
    paired,
)
from toolbench.statistics import mcnemar
from toolbench.tally import tally

TASKS = ["a", "b", "c", "d", "e"]
RUNS = st.dictionaries(st.integers(0, 30), st.sets(st.sampled_from(TASKS)), min_size=2, max_size=8)


def failing(runs, tasks=TASKS):
    return np.array([[task in names for task in tasks] for names in runs.values()], bool)


def tallied(damaged, clean, broken=()):
    """The tally of a table in which these tasks fail, by seed, beside the defect-free one."""
    costs = {name: np.zeros(len(damaged), int) for name in COSTS}
    costs["broken"][: len(broken)] = 1
    return tally(Episodes(np.array([*damaged], np.uint32), failing(damaged), costs, broken), failing(clean))


def width_of(clean):
    return Band(len(TASKS)).with_runs(failing(clean)).width


def judged(damaged, clean):
    return band(tallied(damaged, clean), width_of(clean))


# --- band ------------------------------------------------------------------------------------------------------


@given(RUNS, st.data())
def test_the_band_rule_in_its_own_words(clean, data):
    """Caught exactly when at every seed more tasks fail than defect-free, by more than the band."""
    damaged = {seed: data.draw(st.sets(st.sampled_from(TASKS))) for seed in clean}
    verdict = judged(damaged, clean)
    width = max(len(clean[one] - clean[other]) for one, other in permutations(clean, 2))
    expected = all(len(damaged[seed]) - len(clean[seed]) > width for seed in clean)
    assert verdict.verdict == (CAUGHT if expected else MISSED)
    assert verdict.evidence["band"] == width


@given(RUNS)
def test_the_defect_free_table_is_never_caught(clean):
    """What fails exactly the defect-free tasks is missed, however wide the band is."""
    verdict = judged(clean, clean)
    assert (verdict.verdict, verdict.reason) == (
        MISSED,
        f"fails the same tasks as the defect-free run at each seed ({len(clean)} seeds)",
    )


CLEAN = {1: {"a"}, 2: {"b"}}


@pytest.mark.parametrize(
    ("damaged", "verdict", "reason"),
    [
        ({1: {"a", "c"}, 2: {"b", "c"}}, MISSED,
         "inside the band at 2 of 2 seeds: at 1 it fails 2 tasks and the defect-free run 1; the band is 1"),
        ({1: {"a", "c", "d"}, 2: {"b", "c", "d"}}, CAUGHT,
         "fails at least 2 tasks more than the defect-free run at each seed (2 seeds); the band is 1"),
        ({1: {"a", "b", "c", "d", "e"}, 2: {"b", "c"}}, MISSED,
         "inside the band at 1 of 2 seeds: at 2 it fails 2 tasks and the defect-free run 1; the band is 1"),
        ({1: set(), 2: {"b"}}, MISSED,
         "inside the band at 2 of 2 seeds: at 1 it fails 0 tasks and the defect-free run 1; the band is 1"),
        ({1: {"b"}, 2: {"a"}}, MISSED,
         "inside the band at 2 of 2 seeds: at 1 it fails 1 task and the defect-free run 1; the band is 1"),
    ],
)  # fmt: skip
def test_the_edges_of_the_band(damaged, verdict, reason):
    """What lies inside the band, its edge included, is missed; what lies above it at every seed is caught."""
    found = judged(damaged, CLEAN)
    assert (found.verdict, found.reason) == (verdict, reason)


def test_a_band_of_zero():
    """When the defect-free runs do not differ, one task more at every seed is enough."""
    found = judged({1: {"a", "b"}, 2: {"a", "c"}}, {1: {"a"}, 2: {"a"}})
    assert (found.verdict, found.evidence["band"]) == (CAUGHT, 0)
    assert found.reason.startswith("fails at least 1 task more")


def test_one_seed_is_not_measured():
    """With one seed nothing is found, however much fails; the pairs are still there."""
    pair = {"seed": 1, "failing": 5, "defect_free": 0, "newly_failing": TASKS, "newly_passing": []}
    found = band(tallied({1: set(TASKS)}, {1: set()}), None, [pair])
    assert (found.verdict, found.evidence["band"], found.evidence["paired"]) == (NOT_MEASURED, None, [pair])
    assert found.reason == "one seed has no band to compare with; give two seeds or more"


def test_the_evidence_of_many_seeds_is_bounded():
    """The verdict rests on all seeds, and says how many; of its pairs it shows the first."""
    clean = {seed: {"a"} for seed in range(200)}
    pairs = [{"seed": seed} for seed in clean]
    found = band(tallied({seed: {"a", "b"} for seed in clean}, clean), 0, pairs)
    assert (found.verdict, found.evidence["seeds"]) == (CAUGHT, 200)
    assert found.evidence["paired"] == pairs[:50]


def test_episodes_that_did_not_end_are_told():
    """Every rule over seeds says how many episodes were ended from outside, and which was the first."""
    broken = [{"task": "a", "seed": 1, "kind": "timeout", "why": "timeout: late"}]
    one = tallied({1: {"a", "b"}, 2: {"b"}}, CLEAN, broken)
    told = "; 1 episode did not come to an end, the first a at 1: timeout: late"
    for judgement in (band(one, 1), band(one, None), paired(one, 1.0, 1.0), paired(one, None, None)):
        assert judgement.reason.endswith(told)
        assert judgement.evidence["ended"] == broken


# --- paired ----------------------------------------------------------------------------------------------------


@given(RUNS, st.data(), st.integers(1, 4))
def test_the_paired_rule_in_its_own_words(clean, data, family):
    """Caught exactly when the p of McNemar's test, adjusted, is below 0.05 and more newly fails than newly passes."""
    damaged = {seed: data.draw(st.sets(st.sampled_from(TASKS), min_size=3)) for seed in clean}
    worse = sum(len(damaged[seed] - clean[seed]) for seed in clean)
    better = sum(len(clean[seed] - damaged[seed]) for seed in clean)
    p = mcnemar(worse, better)
    adjusted = None if p is None else min(1.0, p * family)
    found = paired(tallied(damaged, clean), p, adjusted)
    expected = None if not worse + better else stats.binomtest(worse, worse + better).pvalue * family
    assert (found.verdict == CAUGHT) == (expected is not None and expected < 0.05 and worse > better)
    evidence = found.evidence
    assert (evidence["newly_failing"], evidence["newly_passing"]) == (worse, better)
    assert evidence["pairs"] == len(clean) * len(TASKS)
    assert evidence["difference"] == pytest.approx((better - worse) / evidence["pairs"])
    by_seed = [(len(clean[seed]) - len(damaged[seed])) / len(TASKS) for seed in clean]
    if len(set(by_seed)) > 1:
        low, high = stats.t.interval(0.95, len(clean) - 1, np.mean(by_seed), stats.sem(by_seed))
        assert (evidence["low"], evidence["high"]) == pytest.approx((max(-1, low), min(1, high)))
    else:
        assert (evidence["low"], evidence["high"]) == (None, None)


def test_pairs_that_get_better_are_no_finding():
    """A table that passes more, however surely, is missed: its p is low and nothing fails."""
    clean = {seed: set(TASKS) for seed in range(4)}
    found = paired(tallied({seed: set() for seed in clean}, clean), 2**-19, 2**-19)
    assert found.verdict == MISSED
    assert found.reason == "of 20 pairs 0 newly fail and 20 newly pass; p 1.9e-06 after Holm's correction"


def test_one_seed_has_pairs_and_no_interval():
    """One seed has a difference; how far it may be off nobody can say, save for other tasks."""
    found = paired(tallied({1: set(TASKS)}, {1: {"a"}}), 0.125, 0.125)
    assert (found.evidence["difference"], found.evidence["low"], found.evidence["high"]) == (-0.8, None, None)
    assert found.evidence["low_other_tasks"] < -0.8 < found.evidence["high_other_tasks"]


def test_nothing_that_changes_has_no_p():
    """Where no pair changes there is no p, and nothing is caught."""
    found = paired(tallied(CLEAN, CLEAN), None, None)
    assert (found.verdict, found.reason) == (MISSED, "of 10 pairs 0 newly fail and 0 newly pass")
    assert (found.evidence["p_value"], found.evidence["difference"]) == (None, 0.0)


# --- exact -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("success", "verdict", "reason"),
    [
        ([0.5, 0.75], CAUGHT, "expected success 0.625000, defect-free 0.750000: 0.125000 lower"),
        ([0.9, 0.75], MISSED, "expected success 0.825000, defect-free 0.750000: 0.075000 higher"),
        ([1.0, 0.5], MISSED,
         "expected success 0.750000, defect-free 0.750000: as likely over all seeds, though single seeds differ"),
    ],
)  # fmt: skip
def test_the_exact_rule(success, verdict, reason):
    """Caught exactly when a run over all tasks is expected to succeed less often."""
    found = exact(success, [0.75, 0.75], None)
    assert (found.verdict, found.reason) == (verdict, reason)
    assert found.evidence["difference"] == pytest.approx(sum(success) / 2 - 0.75)


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=30))
def test_the_exact_rule_in_its_own_words(pairs):
    """The mean over tasks decides, and what the rounding of sums could make does not."""
    found = exact([one for one, _ in pairs], [other for _, other in pairs], None)
    lower = sum(other - one for one, other in pairs) / len(pairs)
    if abs(lower - 1e-9) > 1e-12:
        assert (found.verdict == CAUGHT) == (lower > 1e-9)


def test_success_that_only_looks_alike():
    """Where sums are as likely, the tables side by side decide: a difference of rounding is none."""
    even = [Comparison(10, newly_failing=0.25, newly_passing=0.25)]
    found = exact([0.5], [0.5 + 1e-16], even)
    assert (found.verdict, found.evidence["invisible"], found.evidence["states"]) == (MISSED, False, 10)
    assert exact([0.5], [0.5], [Comparison(10, 1e-8, 0.0)]).verdict == CAUGHT


@pytest.mark.parametrize(
    ("differing", "said"),
    [
        ({}, "nothing else can differ either"),
        ({"other_answers": 0.1}, "some wrong answers are others"),
        ({"errors": True, "effort": True}, "errors can differ; steps can differ"),
    ],
)
def test_what_no_seed_can_show(differing, said):
    """The reason says how many states were compared, that no task can end otherwise, and what else can differ."""
    compared = [Comparison(1000), Comparison(234, **differing)]
    reason = (
        "no seed can show it to this check: 1,234 states compared, "
        f"none of 2 tasks can end differently right or wrong; {said}"
    )
    assert never(compared) == reason
    found = exact([0.5, 0.5], [0.5, 0.5 + 1e-12], compared)
    assert (found.verdict, found.reason, found.evidence["difference"]) == (MISSED, reason, 0.0)


def test_invisible_is_a_matter_of_all_tasks():
    """One task that can newly fail or newly pass makes a defect visible."""
    assert invisible([Comparison(1), Comparison(2)])
    assert not invisible([Comparison(1), Comparison(2, newly_passing=1e-300)])


# --- any failure -----------------------------------------------------------------------------------------------


def suite(*failing, of=3):
    names = [f"c{i}" for i in range(of)]
    return [{"case": name, "passed": name not in failing, "kind": "ok",
             "why": f"wrong {name}" if name in failing else ""} for name in names]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "verdict", "reason"),
    [
        ([], NOT_MEASURED, "no case ran"),
        (suite(), MISSED, "all 3 cases pass"),
        (suite(of=1), MISSED, "the only case passes"),
        (suite("c1"), CAUGHT, "1 of 3 cases fails: c1: wrong c1"),
        (suite("c0", of=1), CAUGHT, "1 of 1 case fails: c0: wrong c0"),
        (suite("c0", "c2"), CAUGHT, "2 of 3 cases fail: c0: wrong c0, and 1 more"),
    ],
)
def test_any_failure(rows, verdict, reason):
    """One failing case is enough; without a case there is no verdict."""
    judgement = any_failure(rows)
    assert (judgement.verdict, judgement.reason) == (verdict, reason)
    assert judgement.evidence["cases"] == len(rows)
    assert [row["case"] for row in judgement.evidence["failing"]] == [row["case"] for row in rows if not row["passed"]]


# --- new finding -----------------------------------------------------------------------------------------------

CODES_OF = ["items-missing", "unused-field", "dangling-ref", "type-missing", "wrong-type-accepted"]
FINDINGS = st.lists(
    st.builds(
        found,
        st.sampled_from(CODES_OF),
        st.sampled_from(["f", "g"]),
        st.sampled_from(["", "/properties/a", "/properties/b"]),
        st.sampled_from(["seen one way", "seen another way"]),
    ),
    max_size=6,
)


def missing(pointer="/properties/a", tool="f", seen="no items"):
    return found("items-missing", tool, pointer, seen)


@given(FINDINGS, FINDINGS)
def test_the_new_finding_rule_in_its_own_words(findings, clean):
    """Caught exactly when some code, tool and place from warning up is not among those of the defect-free table."""
    known = {(one.code, one.tool, one.pointer) for one in clean if one.severity != "note"}
    new = [one for one in findings if one.severity != "note" and (one.code, one.tool, one.pointer) not in known]
    judgement = new_finding(findings, clean)
    assert judgement.verdict == (CAUGHT if new else MISSED)
    assert [one["pointer"] for one in judgement.evidence["findings"]] == [one.pointer for one in new]


@given(FINDINGS)
def test_the_defect_free_declarations_are_never_caught(clean):
    """What the defect-free table has is no finding of a defect."""
    assert new_finding(clean, clean).verdict == MISSED


def test_a_new_finding_is_told_with_all_it_says():
    """The reason names code, place and what was seen; the evidence is the finding, as plain values."""
    finding = found("required-but-supplied", "f", "", "it is answered", input={"a": 1})
    judgement = new_finding([finding], [])
    assert judgement.reason == "1 new finding: required-but-supplied at /: it is answered"
    assert judgement.evidence == {
        "findings": [
            {"code": "required-but-supplied", "severity": "warning", "tool": "f", "pointer": "",
             "seen": "it is answered", "input": {"a": 1}, "why": finding.why, "cure": finding.cure}
        ]
    }  # fmt: skip


def test_several_new_findings_are_counted():
    """The first is told, the others counted; the evidence holds all, up to fifty."""
    two = new_finding([missing(), missing("/properties/b")], [])
    assert two.reason == "2 new findings: items-missing at /properties/a: no items, and 1 more"
    many = new_finding([missing(f"/properties/a{number}") for number in range(60)], [])
    assert many.reason.startswith("60 new findings: ")
    assert many.reason.endswith(", and 59 more")
    assert len(many.evidence["findings"]) == 50


@pytest.mark.parametrize(
    ("clean", "verdict"),
    [
        (missing(), MISSED),
        (missing(seen="told in other words"), MISSED),
        (missing("/properties/b"), CAUGHT),
        (missing(tool="g"), CAUGHT),
        (found("unused-field", "f", "/properties/a", "no items"), CAUGHT),
        (found("items-missing", "f", "/properties/a", "no items", severity="note"), CAUGHT),
    ],
)
def test_what_makes_a_finding_the_same(clean, verdict):
    """Code, tool and place, and not the words; what was only a note before is new as a warning."""
    assert new_finding([missing()], [clean]).verdict == verdict


def test_notes_catch_nothing():
    """However many notes are new, they are no finding from warning up."""
    notes = [found("type-missing", "f", f"/properties/a{number}", "no type") for number in range(3)]
    judgement = new_finding(notes, [])
    assert (judgement.verdict, judgement.evidence) == (MISSED, {"findings": []})
    assert judgement.reason == "no finding from warning up that the defect-free table does not have"
