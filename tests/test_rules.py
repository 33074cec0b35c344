"""The judges: any failure, the band, and the paired view."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.rules import CAUGHT, MISSED, NOT_MEASURED, any_failure, band, band_width, counted, failing_tasks, paired

TASKS = ["a", "b", "c", "d", "e"]
RUNS = st.dictionaries(st.integers(0, 30), st.sets(st.sampled_from(TASKS)), min_size=2, max_size=8)


def episodes(failing, tasks=TASKS):
    """The rows of a loop in which these tasks fail, by seed."""
    return [
        {"task": t, "seed": seed, "succeeded": t not in names, "kind": "ok", "why": ""}
        for seed, names in failing.items()
        for t in tasks
    ]


def suite(*failing, of=3):
    return [
        {
            "case": f"c{i}",
            "passed": f"c{i}" not in failing,
            "kind": "ok",
            "why": f"wrong {i}" if f"c{i}" in failing else "",
        }
        for i in range(of)
    ]


@given(RUNS)
def test_the_band_is_the_widest_ordered_pair(failing):
    """The band is the most tasks that one run fails and another passes, over all ordered pairs of seeds."""
    widest = max(len(failing[one] - failing[other]) for one, other in permutations(failing, 2))
    assert band_width(failing) == widest


@given(st.dictionaries(st.integers(0, 200), st.sets(st.integers(0, 40).map(str)), min_size=2, max_size=60))
def test_the_band_of_many_seeds(failing):
    """With many seeds and tasks the band is the same as by comparing every pair."""
    assert band_width(failing) == max(len(a - b) for a in failing.values() for b in failing.values())


@pytest.mark.parametrize(
    ("failing", "width"),
    [
        ({}, None),
        ({1: ["a"]}, None),
        ({1: [], 2: []}, 0),
        ({1: ["a"], 2: ["a"]}, 0),
        ({1: ["a"], 2: ["b"]}, 1),
        ({1: ["a", "b"], 2: []}, 2),
        ({1: ["a", "a"], 2: []}, 1),
        ({1: ["a", "b"], 2: ["c", "d"], 3: ["a", "b", "c"]}, 2),
    ],
)
def test_the_band_by_hand(failing, width):
    """One seed has no band; the number of failing tasks alone does not make one."""
    assert band_width(failing) == width


def test_the_failing_tasks_of_each_seed():
    """Every seed has its failing tasks in the order in which they ran, also when there are none."""
    assert failing_tasks(episodes({5: {"c", "a"}, 3: set()})) == {5: ["a", "c"], 3: []}


@given(RUNS, st.data())
def test_the_paired_view(clean, data):
    """At each seed what newly fails and newly passes leads from the defect-free run to the one with the defect."""
    damaged = {seed: data.draw(st.sets(st.sampled_from(TASKS))) for seed in clean}
    for pair in paired(episodes(damaged), episodes(clean)):
        seed = pair["seed"]
        newly_failing, newly_passing = set(pair["newly_failing"]), set(pair["newly_passing"])
        assert (clean[seed] - newly_passing) | newly_failing == damaged[seed]
        assert newly_failing == damaged[seed] - clean[seed]
        assert newly_passing == clean[seed] - damaged[seed]
        assert (pair["failing"], pair["defect_free"]) == (len(damaged[seed]), len(clean[seed]))


@given(RUNS, st.data())
def test_the_band_rule_in_its_own_words(clean, data):
    """Caught exactly when at every seed more tasks fail than defect-free, by more than the band."""
    damaged = {seed: data.draw(st.sets(st.sampled_from(TASKS))) for seed in clean}
    judged = band(episodes(damaged), episodes(clean))
    width = max(len(clean[one] - clean[other]) for one, other in permutations(clean, 2))
    expected = all(len(damaged[seed]) - len(clean[seed]) > width for seed in clean)
    assert judged.verdict == (CAUGHT if expected else MISSED)
    assert judged.evidence["band"] == width


@given(RUNS)
def test_the_defect_free_table_is_never_caught(clean):
    """What fails exactly the defect-free tasks is missed, however wide the band is."""
    judged = band(episodes(clean), episodes(clean))
    number = f"{len(clean)} seeds"
    assert (judged.verdict, judged.reason) == (
        MISSED,
        f"fails the same tasks as the defect-free run at each seed ({number})",
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
    judged = band(episodes(damaged), episodes(CLEAN))
    assert (judged.verdict, judged.reason) == (verdict, reason)


def test_a_band_of_zero():
    """When the defect-free runs do not differ, one task more at every seed is enough."""
    clean = {1: {"a"}, 2: {"a"}}
    judged = band(episodes({1: {"a", "b"}, 2: {"a", "c"}}), episodes(clean))
    assert (judged.verdict, judged.evidence["band"]) == (CAUGHT, 0)
    assert judged.reason.startswith("fails at least 1 task more")


def test_one_seed_is_not_measured():
    """With one seed nothing is found, however much fails; the paired view is still there."""
    judged = band(episodes({1: set(TASKS)}), episodes({1: set()}))
    assert (judged.verdict, judged.evidence["band"]) == (NOT_MEASURED, None)
    assert judged.reason == "one seed has no band to compare with; give two seeds or more"
    assert judged.evidence["paired"][0]["newly_failing"] == TASKS


def test_the_evidence_of_many_seeds_is_bounded():
    """The verdict rests on all seeds, and says how many; it shows the first of them."""
    clean = {seed: {"a"} for seed in range(200)}
    judged = band(episodes({seed: {"a", "b"} for seed in clean}), episodes(clean))
    assert judged.verdict == CAUGHT
    assert judged.evidence["seeds"] == 200
    assert [pair["seed"] for pair in judged.evidence["paired"]] == list(range(50))


@pytest.mark.parametrize(
    ("rows", "verdict", "reason"),
    [
        ([], NOT_MEASURED, "no case ran"),
        (suite(), MISSED, "all 3 cases pass"),
        (suite(of=1), MISSED, "the only case passes"),
        (suite("c1"), CAUGHT, "1 of 3 cases fails: c1: wrong 1"),
        (suite("c0", of=1), CAUGHT, "1 of 1 case fails: c0: wrong 0"),
        (suite("c0", "c2"), CAUGHT, "2 of 3 cases fail: c0: wrong 0, and 1 more"),
    ],
)
def test_any_failure(rows, verdict, reason):
    """One failing case is enough; without a case there is no verdict."""
    judged = any_failure(rows)
    assert (judged.verdict, judged.reason) == (verdict, reason)
    assert judged.evidence["cases"] == len(rows)
    assert [row["case"] for row in judged.evidence["failing"]] == [row["case"] for row in rows if not row["passed"]]


def test_counted():
    """A number agrees with its noun."""
    assert [counted(number, "task") for number in (0, 1, 2)] == ["0 tasks", "1 task", "2 tasks"]
