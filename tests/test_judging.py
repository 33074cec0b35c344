"""Verdicts of all rules on metering, each judged anew in the test; and which rule counts."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

import toolbench as tb
from toolbench.agent.lanes import Track
from toolbench.cli.main import main
from toolbench.mutation.engine import Tables
from toolbench.power import power_curve
from toolbench.report.tables import conclusion, tables_for_reading
from toolbench.rules import LOOP_RULES
from toolbench.statistics import mcnemar

IDS = [f"D{number}" for number in range(1, 12)]
INVISIBLE = ["D2", "D4", "D7", "D11"]
LOWER = {
    "D1": 0.291117,
    "D3": 0.686502,
    "D5": 0.931753,
    "D6": 0.931580,
    "D8": 0.749710,
    "D9": 0.908807,
    "D10": 0.675407,
}


@pytest.fixture(scope="module", params=[2, 20], ids=["2 seeds", "20 seeds"])
def measured(request):
    return tb.measure("metering", seeds=request.param)


@pytest.fixture(scope="module")
def two():
    return tb.measure("metering", seeds=2)


@pytest.fixture(scope="module")
def failing():
    """Table -> seed -> the failing tasks, by the walk alone."""
    scenario = tb.load_scenario("metering")
    tables = Tables(scenario, tuple(tb.load_defects(scenario)))
    return {
        name: {
            seed: {
                task.id
                for task in scenario.tasks
                if not tb.walk(tables.table(name)[0], task, scenario.agent, seed, scenario.fresh_world()).succeeded
            }
            for seed in range(scenario.base_seed, scenario.base_seed + 20)
        }
        for name in ("none", *IDS)
    }


def caught(m, rule):
    return [id for id in IDS if m.explain(id, "loop", rule).verdict == "caught"]


def test_the_band_rule_anew(measured, failing):
    """Caught are exactly those that at every seed fail more than the band above the defect-free run."""
    seeds = list(measured.seeds.values)
    clean = failing["none"]
    width = max(len(clean[one] - clean[other]) for one, other in permutations(seeds, 2))
    assert measured.band_rows()[1]["band"] == width
    assert caught(measured, "band") == [
        id for id in IDS if all(len(failing[id][seed]) - len(clean[seed]) > width for seed in seeds)
    ]


def test_the_paired_rule_anew(measured, failing):
    """Caught are exactly those whose p, by scipy's exact test and Holm's steps, is below 0.05 with more failing."""
    seeds, clean, p_values = list(measured.seeds.values), failing["none"], {}
    for id in IDS:
        worse = sum(len(failing[id][seed] - clean[seed]) for seed in seeds)
        better = sum(len(clean[seed] - failing[id][seed]) for seed in seeds)
        p = stats.binomtest(worse, worse + better).pvalue if worse + better else 1.0
        p_values[id] = p, worse > better
    expected, largest = [], 0.0
    for rank, id in enumerate(sorted(IDS, key=lambda id: p_values[id])):
        largest = max(largest, min(1.0, p_values[id][0] * (len(IDS) - rank)))
        if largest < 0.05 and p_values[id][1]:
            expected.append(id)
        if p_values[id][0] < 1:
            assert measured.explain(id, "loop", "paired").evidence["adjusted"] == pytest.approx(largest)
    assert caught(measured, "paired") == [id for id in IDS if id in expected]


def test_the_exact_rule_anew(measured):
    """Caught are exactly those whose expected success is lower, whatever the seeds that were run."""
    assert caught(measured, "exact") == list(LOWER)
    for id, expected in LOWER.items():
        evidence = measured.explain(id, "loop", "exact").evidence
        assert evidence["success"] == pytest.approx(expected, abs=5e-7)
        assert evidence["defect_free"] == pytest.approx(0.939077, abs=5e-7)
        assert evidence["difference"] == pytest.approx(expected - 0.939077, abs=1e-6)


@pytest.mark.parametrize(
    ("id", "states", "differs"),
    [
        ("D2", 546, "nothing else can differ either"),
        ("D4", 546, "some wrong answers are others"),
        ("D7", 746, "errors can differ"),
        ("D11", 546, "nothing else can differ either"),
    ],
)
def test_what_no_seed_can_show(measured, id, states, differs):
    """D2, D4, D7 and D11 are missed by every rule, which says that no seed can show them, and what else differs."""
    never = (
        f"no seed can show it to this check: {states} states compared, "
        f"none of 24 tasks can end differently right or wrong; {differs}"
    )
    for rule in LOOP_RULES:
        verdict = measured.explain(id, "loop", rule)
        assert verdict.verdict == "missed"
        assert verdict.reason.endswith(never)
    assert measured.explain(id, "loop", "exact").evidence["difference"] == 0.0
    rows = {row["defect"]: row for row in measured.rules().to_dict("records")}
    assert [id for id in IDS if rows[id]["invisible"]] == INVISIBLE


def test_every_verdict_carries_its_rule(measured):
    """The tool and the definition layer have one rule each and the loop three, in this order, for every defect."""
    rules = [("tool", "any failure"), ("definition", "new finding"), *(("loop", rule) for rule in LOOP_RULES)]
    assert [(v.defect, v.layer, v.rule) for v in measured.verdicts] == [(id, *said) for id in IDS for said in rules]
    assert all(verdict.evidence for verdict in measured.verdicts)


def test_where_rules_disagree_the_report_says_what_to_do(measured):
    """What the seeds cannot show, what the band hides, and what no seed can show is named, with the option to use."""
    hidden, banded = {2: ("D5 D6 D9", ""), 20: ("D5 D6", "D3 D8 D9 D10")}[len(measured.seeds)]
    lines = conclusion(measured)
    assert lines[:2] == [
        "No seed can show D2 D4 D7 D11 to a check of right or wrong answers, however many you run.",
        (
            f"Over all seeds {hidden} lower success, which pairs at {len(measured.seeds)} seeds do not show: "
            f"--rule paired (with its correction) shows {hidden} with 74 seeds in nine of ten runs; "
            "--rule exact needs no seed."
        ),
    ]
    band = (
        f"The band hides {banded}, which the same seeds show in pairs; it only widens with more seeds: "
        "use --rule paired."
    )
    assert [line for line in lines if line.startswith("The band hides")] == [band] * bool(banded)


def test_what_seeds_show_by_chance():
    """A defect that makes success likelier over all seeds, and is caught at a few, is called chance."""
    scenario = tb.load_scenario("metering")
    broken = replace(scenario, tasks=[replace(task, answer="never") for task in scenario.tasks[:3]])
    m = tb.measure(broken, seeds=2, defects=["D1"])
    made = replace(m, verdicts=tuple(replace(v, verdict="caught") if v.rule == "band" else v for v in m.verdicts))
    assert "Caught at these seeds by chance, as over all seeds success is no lower: D1." in conclusion(made)


@pytest.mark.parametrize(
    ("rule", "total", "blind", "both"),
    [
        pytest.param("band", (4, 11), ["D9", "D11"], ["D1", "D3"], marks=pytest.mark.slow),
        pytest.param("paired", (4, 11), ["D9", "D11"], ["D1", "D3"], marks=pytest.mark.slow),
        ("exact", (7, 11), ["D11"], ["D1", "D3", "D5", "D6"]),
    ],
)
def test_the_rule_decides(rule, total, blind, both, capsys):
    """Rates, overlap, blind spots and thresholds rest on the rule that was asked for; verdicts of all are there."""
    m = tb.measure("metering", seeds=2, rule=rule, layers=["tool", "loop"])
    assert m.counts("loop") == total
    assert m.blind_spots()["defect"].tolist() == blind
    assert next(row["defects"] for row in m.overlap_rows() if row["label"] == "both") == both
    assert m.explain("D1", "loop").rule == rule
    assert len(m.verdicts) == 44
    options = ["report", "--rule", rule, "--defects", "D5,D8", "--layers", "loop", "--fail-under"]
    assert main([*options, "loop:1"]) == (0 if rule == "exact" else 1)
    assert f"rule {rule}, engine lanes" in capsys.readouterr().out.splitlines()[0]


def test_one_seed(two):
    """One seed has no band and no interval over seeds; pairs and the exact rule it has."""
    m = tb.measure("metering", seeds="20260218,")
    assert {m.explain(id, "loop").verdict for id in IDS} == {"not measured"}
    assert m.counts("loop") == (0, 0)
    row = m.rules().set_index("defect").loc["D1"]
    assert (row["paired"], row["exact"], row["newly_failing"], row["seeds_needed"]) == ("caught", "caught", 16, 1)
    assert (row["low"], row["high"]) == (None, None)
    table = next(table for table in tables_for_reading(m) if table.title == "Rules side by side")
    assert table.rows[0][table.columns.index("95% interval")] == "n/a"
    assert m.left_out[0].count == 11
    assert m.explain("D8", "loop", "exact").reason == two.explain("D8", "loop", "exact").reason


@pytest.mark.parametrize("id", ["D5", "D6", "D9"])
def test_the_seeds_that_are_needed_are_enough(id, two):
    """In so many fresh seeds, drawn 300 times, the defect is seen as often as its power says, to four errors."""
    needed, groups = two.loop.seeds_needed(id), 300
    power = dict(power_curve(*two.loop.chances(id), [needed, needed - 1]))
    assert power[needed] >= 0.9 > power[needed - 1]
    seeds = np.random.default_rng(7).choice(2**32, needed * groups, replace=False).astype(np.uint32)
    worse, better = np.zeros(groups, int), np.zeros(groups, int)
    for with_it, without in zip(two.loop.machines[id], two.loop.machines["none"], strict=True):
        after, before = (
            track.succeeded[track.classes(seeds)].reshape(groups, needed)
            for track in (Track(machine, two.loop.agent) for machine in (with_it, without))
        )
        worse += (before & ~after).sum(axis=1)
        better += (after & ~before).sum(axis=1)
    seen = sum(a > b and mcnemar(a, b) < 0.05 for a, b in zip(worse.tolist(), better.tolist(), strict=True))
    assert abs(seen / groups - power[needed]) < 4 * (power[needed] * (1 - power[needed]) / groups) ** 0.5
