"""The figures of the metering scenario that are known beforehand; an implementation that gives others is wrong."""

from collections import Counter

import pytest

import toolbench as tb
from toolbench.agent.building import Builder
from toolbench.agent.exact import exact
from toolbench.agent.side_by_side import side_by_side
from toolbench.mutation.engine import Tables

FIRST, SECOND = 20260218, 20260219
AS_DEFECT_FREE = {FIRST: ["G23"], SECOND: ["G15"]}


@pytest.fixture(scope="module")
def metering():
    return tb.load_scenario("metering")


@pytest.fixture(scope="module")
def measured(metering):
    return tb.measure(metering, seeds=2, layers=["tool", "loop"])


@pytest.fixture(scope="module")
def with_all(metering):
    """By all three layers."""
    return tb.measure(metering, seeds=2)


def episode(scenario, task, seed):
    found = next(known for known in scenario.tasks if known.id == task)
    return tb.walk(scenario.table, found, scenario.agent, seed, scenario.world())


def episodes(scenario, seed):
    return [tb.walk(scenario.table, task, scenario.agent, seed, scenario.world()) for task in scenario.tasks]


def success(measured, table, seed):
    return next(row for row in measured.success_rows() if (row["table"], row["seed"]) == (table, seed))


# --- the world and the tasks ---------------------------------------------------------------------------------


def test_the_base_seed(metering):
    """The base seed is 20260218."""
    assert metering.base_seed == FIRST


@pytest.mark.parametrize(
    ("subscriber", "reading"),
    [
        ("A001", {"region": "south", "type": "commercial", "previous": 87563, "current": 87604}),
        ("A060", {"region": "west", "type": "residential", "previous": 43819, "current": 43850}),
    ],
)
def test_the_first_and_the_last_subscriber(metering, subscriber, reading):
    """The first and the last of sixty subscribers have the known region, type and readings."""
    outcome = metering.table.call("read_meter", {"subscriber": subscriber}, metering.world())
    assert outcome.value == reading
    assert len(metering.world().given["subscribers"]) == 60


def test_the_kinds_of_the_tasks(metering):
    """The 24 tasks are 6 charges, 8 consumptions, 7 documents and 3 records."""
    charge = ("read_meter", "consumption", "tariff")
    assert [task.id for task in metering.tasks] == [f"G{number:02}" for number in range(1, 25)]
    assert Counter(task.sequence for task in metering.tasks) == {
        charge: 6,
        ("read_meter", "consumption"): 8,
        ("search_docs",): 7,
        (*charge, "write_record"): 3,
    }


@pytest.mark.parametrize(
    ("task", "subscriber", "last"),
    [("G01", "A059", "search_docs"), ("G23", "A006", "write_record"), ("G24", "A060", "consumption")],
)
def test_three_tasks(metering, task, subscriber, last):
    """G01 is a document task for A059, G23 a record task for A006, G24 a consumption task for A060."""
    found = next(known for known in metering.tasks if known.id == task)
    assert (found.start["subscriber"], found.sequence[-1]) == (subscriber, last)


# --- the tool layer ------------------------------------------------------------------------------------------


def test_the_tool_layer_by_class(measured):
    """Direct calls catch 4 of 4 value defects, 3 of 3 contract defects, 0 of 4 definition defects, 7 of 11 in all."""
    assert [measured.counts("tool", class_) for class_ in ("value", "contract", "definition", "total")] == [
        (4, 4),
        (3, 3),
        (0, 4),
        (7, 11),
    ]
    assert measured.counts("tool") == (7, 11)


@pytest.mark.parametrize(
    ("defect", "case"),
    [
        ("D1", "reading of A001"),
        ("D2", "meter rollover"),
        ("D3", "all four steps, commercial"),
        ("D4", "commercial price"),
        ("D5", "no previous reading"),
        ("D6", "no consumption"),
        ("D7", "write without a value"),
    ],
)
def test_one_case_fails_for_each_wrong_function(measured, defect, case):
    """Each of D1 to D7 fails exactly one of the eleven cases."""
    rows = measured.suites[defect]
    assert [row["case"] for row in rows if not row["passed"]] == [case]
    assert len(rows) == 11


@pytest.mark.parametrize("defect", ["D8", "D9", "D10", "D11"])
def test_no_case_fails_for_a_wrong_declaration(measured, defect):
    """Each of D8 to D11 passes all eleven cases."""
    assert [row["passed"] for row in measured.suites[defect]] == [True] * 11


def test_the_defect_free_suite(measured):
    """The defect-free table fails 0 of 11 cases, both times."""
    assert [[row["passed"] for row in run.rows] for run in measured.suite] == [[True] * 11] * 2


def test_what_a_missing_field_gives_with_d5(metering):
    """With D5, zero stands in for each missing field: current 150 alone gives 150 cubic metres."""
    from toolbench.mutation.defect import plant

    defect = next(known for known in tb.load_defects(metering) if known.id == "D5")
    table = plant(defect, metering.table, metering.functions).table
    assert table.call("consumption", {"current": 150}).value == {"m3": 150}


# --- the loop ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "failing", "steps", "tokens", "errors", "done"),
    [(FIRST, ["G23"], 97, 11978, 8, 23), (SECOND, ["G15"], 98, 11994, 7, 24)],
)
def test_the_defect_free_loop(measured, seed, failing, steps, tokens, errors, done):
    """Defect-free, each of the two seeds fails another task and succeeds in 0.9583 of them, at a known cost."""
    row = success(measured, "none", seed)
    assert row["failing"] == failing
    assert (row["steps"], row["tokens"], row["errors"], row["done"]) == (steps, tokens, errors, done)
    assert (row["succeeded"], row["tasks"], round(row["share"], 4)) == (23, 24, 0.9583)


def test_episode_g23(metering):
    """G23 at the first seed uses up its budget in eight calls without an error and answers TR01."""
    names = "read_meter consumption search_docs consumption tariff tariff search_docs write_record".split()
    assert episode(metering, "G23", FIRST).facts() == {
        "task": "G23",
        "seed": FIRST,
        "succeeded": False,
        "answer": "TR01",
        "steps": 8,
        "tokens": 1336,
        "errors": 0,
        "approvals": 0,
        "done": False,
        "trace": [(name, False) for name in names],
    }


def test_episode_g01(metering):
    """G01 at the first seed takes four steps: two errors, the search, and the stop."""
    assert episode(metering, "G01", FIRST).facts() == {
        "task": "G01",
        "seed": FIRST,
        "succeeded": True,
        "answer": "SY01",
        "steps": 4,
        "tokens": 462,
        "errors": 2,
        "approvals": 0,
        "done": True,
        "trace": [("consumption", True), ("write_record", True), ("search_docs", False)],
    }


@pytest.mark.parametrize(
    ("defect", "first", "second"), [("D1", 17, 17), ("D3", 7, 7), ("D8", 5, 6), ("D9", 1, 2), ("D10", 7, 8)]
)
def test_failing_tasks_with_a_defect_that_the_loop_feels(measured, defect, first, second):
    """D1, D3, D8, D9 and D10 fail the known number of tasks at each seed."""
    assert [len(success(measured, defect, seed)["failing"]) for seed in (FIRST, SECOND)] == [first, second]


@pytest.mark.parametrize("defect", ["D2", "D4", "D5", "D6", "D7", "D11"])
def test_failing_tasks_with_a_defect_that_the_loop_does_not_feel(measured, defect):
    """D2, D4, D5, D6, D7 and D11 fail the same tasks as the defect-free table."""
    assert {seed: success(measured, defect, seed)["failing"] for seed in (FIRST, SECOND)} == AS_DEFECT_FREE


@pytest.mark.parametrize(("seed", "tokens"), [(FIRST, 12298), (SECOND, 12274)])
def test_self_critique_costs_tokens_and_nothing_else(metering, seed, tokens):
    """With self-critique the 24 episodes take 12298 and 12274 tokens, and all else stays as it is."""
    plain = episodes(metering, seed)
    critical = episodes(metering.with_agent(self_critique=True), seed)
    assert sum(e.tokens for e in critical) == tokens
    assert [{**e.facts(), "tokens": 0} for e in critical] == [{**e.facts(), "tokens": 0} for e in plain]


@pytest.mark.parametrize(("seed", "approvals"), [(FIRST, 7), (SECOND, 9)])
def test_approval_is_counted_and_changes_nothing_else(metering, seed, approvals):
    """With approval the agent asks 7 and 9 times, and all else stays as it is."""
    plain = episodes(metering, seed)
    asking = episodes(metering.with_agent(approval=True), seed)
    assert sum(e.approvals for e in asking) == approvals
    assert sum(e.approvals for e in plain) == 0
    assert [{**e.facts(), "approvals": 0} for e in asking] == [e.facts() for e in plain]


def test_a_measurement_with_approval_and_self_critique(metering):
    """A measurement of an altered agent counts its approvals and its tokens."""
    altered = metering.with_agent(approval=True, self_critique=True)
    rows = tb.measure(altered, seeds=2, layers=["loop"], defects=[]).success_rows()
    assert [(row["approvals"], row["tokens"]) for row in rows] == [(7, 12298), (9, 12274)]
    assert {row["seed"]: row["failing"] for row in rows} == AS_DEFECT_FREE


# --- the band and what follows -------------------------------------------------------------------------------


def test_the_band(measured):
    """The two defect-free runs differ by one task; the suite gives the same twice."""
    assert {row["layer"]: row["band"] for row in measured.band_rows()} == {"tool": 0, "loop": 1}


def test_twenty_seeds_widen_the_band(metering):
    """With 20 seeds the band is wider than with two."""
    row = next(row for row in tb.measure(metering, seeds=20, defects=[]).band_rows() if row["layer"] == "loop")
    assert row["runs"] == "20 seeds"
    assert row["band"] > 1


def test_what_the_loop_catches(measured):
    """By the band rule the loop catches D1, D3, D8 and D10: 4 of 11."""
    caught = [v.defect for v in measured.verdicts if (v.layer, v.rule, v.verdict) == ("loop", "band", "caught")]
    assert caught == ["D1", "D3", "D8", "D10"]
    assert measured.counts("loop") == (4, 11)


def test_the_overlap(measured):
    """Five defects are seen by direct calls only, two by the loop only, two by both, two by neither."""
    assert {row["label"]: row["defects"] for row in measured.overlap_rows()} == {
        "tool only": ["D2", "D4", "D5", "D6", "D7"],
        "loop only": ["D8", "D10"],
        "both": ["D1", "D3"],
        "neither": ["D9", "D11"],
    }
    assert [row["defect"] for row in measured.blind_spot_rows()] == ["D9", "D11"]


# --- the definition layer ------------------------------------------------------------------------------------


def test_the_definition_layer_by_class(with_all):
    """Reading and probing catch 0 of 4 value defects, 3 of 3 contract defects, 4 of 4 definition defects, 7 in all."""
    counts = [with_all.counts("definition", class_) for class_ in ("value", "contract", "definition", "total")]
    assert counts == [(0, 4), (3, 3), (4, 4), (7, 11)]
    caught = [v.defect for v in with_all.verdicts if (v.layer, v.verdict) == ("definition", "caught")]
    assert caught == ["D5", "D6", "D7", "D8", "D9", "D10", "D11"]


def test_the_defect_free_declarations(with_all):
    """The defect-free table has no finding from warning up, and all of its tools are probed."""
    assert [finding for finding in with_all.checks["none"].findings if finding.counts] == []
    assert with_all.checks["none"].not_probed == ()


def test_the_other_layers_beside_it(with_all, measured):
    """The definition layer changes nothing of what the tool layer and the loop say, verdict by verdict."""
    others = [v for v in with_all.verdicts if v.layer != "definition"]
    assert [vars(v) for v in others] == [vars(v) for v in measured.verdicts]
    assert with_all.success_rows() == measured.success_rows()


def test_the_overlap_of_three_layers(with_all):
    """With the definition layer each defect is caught by some layer: there is no blind spot."""
    assert {row["label"]: row["defects"] for row in with_all.overlap_rows()} == {
        "tool only": ["D2", "D4"],
        "definition only": ["D9", "D11"],
        "loop only": [],
        "tool + definition": ["D5", "D6", "D7"],
        "tool + loop": ["D1", "D3"],
        "definition + loop": ["D8", "D10"],
        "all": [],
        "none": [],
    }
    assert with_all.counts() == (11, 11)
    assert with_all.blind_spot_rows() == []


# --- all seeds at once ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def machines(metering):
    """The machines of all twelve tables, by table."""
    tables = Tables(metering, tuple(tb.load_defects(metering)))
    builder = Builder(metering.table, metering.agent, metering.fresh_world)
    names = ("none", *(defect.id for defect in tables.defects))
    return {name: builder.build(tables.table(name)[0], metering.tasks) for name in names}


def expected_success(machines, agent):
    return sum(found.success for found in exact(machines, agent)) / len(machines)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("none", "0.939077"),
        ("D1", "0.291117"),
        ("D3", "0.686502"),
        ("D5", "0.931753"),
        ("D6", "0.931580"),
        ("D8", "0.749710"),
        ("D9", "0.908807"),
        ("D10", "0.675407"),
    ],
)
def test_expected_success_over_all_seeds(metering, machines, table, expected):
    """Over all seeds the share of tasks that succeed is known to six digits."""
    assert f"{expected_success(machines[table], metering.agent):.6f}" == expected


@pytest.mark.parametrize("table", ["D2", "D4", "D7", "D11"])
def test_expected_success_exactly_as_defect_free(metering, machines, table):
    """With D2, D4, D7 and D11 each task succeeds exactly as often as without a defect."""
    free, damaged = (exact(machines[name], metering.agent) for name in ("none", table))
    assert [found.success for found in damaged] == pytest.approx([found.success for found in free], abs=1e-14)
    if table != "D7":  # its machines have more states, so that its sums are rounded elsewhere
        assert [found.success for found in damaged] == [found.success for found in free]


@pytest.mark.parametrize(
    ("table", "visible", "other_answers", "errors"),
    [
        ("D1", True, True, False),
        ("D2", False, False, False),
        ("D3", True, True, False),
        ("D4", False, True, False),
        ("D5", True, True, True),
        ("D6", True, True, True),
        ("D7", False, False, True),
        ("D8", True, True, False),
        ("D9", True, True, True),
        ("D10", True, True, True),
        ("D11", False, False, False),
    ],
)
def test_what_any_seed_can_show(metering, machines, table, visible, other_answers, errors):
    """No seed at all shows D2, D4, D7 or D11 by a task that fails or passes; D4 gives other wrong answers, D7 fewer
    errors, D2 and D11 nothing. All others some seed shows."""
    compared = side_by_side(machines["none"], machines[table], metering.agent)
    assert [not all(found.invisible for found in compared), any(found.other_answers for found in compared),
            any(found.errors for found in compared)] == [visible, other_answers, errors]  # fmt: skip


@pytest.mark.parametrize("table", ["D2", "D11"])
def test_a_defect_that_changes_no_machine(machines, table):
    """D2 and D11 give the machines of the defect-free table themselves: no rollover, no reader of that field."""
    assert all(one is other for one, other in zip(machines["none"], machines[table], strict=True))
