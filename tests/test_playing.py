"""Playing the loop: what comes of it does not depend on where, in how many processes or in what pieces it is played."""

import json
import time
from dataclasses import replace
from functools import cache

import pytest

import toolbench as tb
from tests.generated import LAST
from toolbench import chunks, playing
from toolbench.report.json import json_document, json_report
from toolbench.verdict import LeftOut

WALK_ONLY = ("engine", "walked", "exact", "exact_runs", "rules")


@pytest.fixture
def small_chunks(monkeypatch):
    """Chunks of seven seeds, all of them handed to the executor."""
    monkeypatch.setattr(playing, "CHUNK", 7)
    monkeypatch.setattr(playing, "INLINE", 0)
    monkeypatch.setattr(playing, "WALKED", 5)
    monkeypatch.setattr(chunks, "FIRST", 20)


@pytest.fixture(scope="module")
def whole():
    """Metering at 33 seeds in one piece, in this process."""
    return json_report(measured(jobs=1))


@cache
def here():
    """Metering as a scenario in memory, whose workers are copies of this process: quicker, and patched as it is."""
    return replace(tb.load_scenario("metering"))


def measured(scenario=None, seeds=33, **settings):
    return tb.measure(scenario or here(), seeds, defects=["D5", "D8"], layers=["loop"], **settings)


@pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow), 3])
def test_pieces_and_processes_do_not_matter(jobs, whole, small_chunks):
    """The report is the same, byte for byte, from one process or three, in one piece or in many."""
    assert json_report(measured("metering", jobs=jobs)) == whole


def test_pieces_in_copies_of_this_process(whole, small_chunks):
    """So it is for a scenario in memory, whose workers are copies of this process."""
    assert json_report(measured(jobs=2)) == whole


@pytest.mark.slow
def test_sums_of_many_seeds_in_pieces(small_chunks, monkeypatch):
    """Where what each seed gave is not kept, sums and growth are the same in whatever pieces."""
    monkeypatch.setattr(playing, "KNOWN", 10)
    pieces = json_report(measured(jobs=2))
    monkeypatch.setattr(playing, "INLINE", 10**9)
    monkeypatch.setattr(chunks, "FIRST", 10**6)
    assert json_report(measured(jobs=2)) == pieces
    assert [row["seed"] for row in json.loads(pieces)["success"]] == [None] * 3


@pytest.mark.slow
def test_growth_ends_at_round_numbers_of_seeds(small_chunks):
    """What was known after 1, 2, 5, 10 and so on is kept, and what is known in the end; not where a chunk ended."""
    assert [part.end for part in measured(jobs=2).loop.growth] == [1, 2, 5, 10, 20, 33]
    assert [part.end for part in measured(engine="walk", seeds=12).loop.growth] == [1, 2, 5, 10, 12]


@pytest.mark.slow
def test_lanes_and_the_walk_say_the_same(whole, small_chunks):
    """All that is measured at seeds is the same by the walk; what holds over all seeds it does not know."""
    walked, lanes = json_document(measured(engine="walk", jobs=2)), json.loads(whole)
    assert {key: walked[key] for key in walked if key not in (*WALK_ONLY, "verdicts", "left_out")} == {
        key: lanes[key] for key in lanes if key not in (*WALK_ONLY, "verdicts", "left_out")
    }
    assert said(walked, "paired") == said(lanes, "paired")
    assert said(walked, "band") == said(lanes, "band")
    assert {row["verdict"] for row in said(walked, "exact")} == {"not measured"}
    assert (walked["engine"], walked["exact"], walked["exact_runs"]) == ("walk", [], [])
    assert set(walked["walked"].values()) == {"the engine walk was asked for"}
    assert {row["seeds_needed"] for row in walked["rules"]} == {None}


def said(document, *rules):
    return [row for row in document["verdicts"] if row["rule"] in rules]


@pytest.mark.slow
def test_seeds_in_any_order_and_at_the_end(small_chunks):
    """A list of seeds is played in its order, the last seed of all and the first next to each other."""
    seeds = [LAST, 0, 5, LAST - 1, *range(40, 34, -1)]
    m, alone = measured(seeds=seeds, jobs=2), measured(seeds=[0])
    assert [row["seed"] for row in m.success_rows() if row["table"] == "none"] == seeds
    assert [row for row in m.success_rows() if row["seed"] == 0] == alone.success_rows()


# --- what has no machine ---------------------------------------------------------------------------------------

COUNTS = {"n": 0}


def test_one_table_that_has_no_machine():
    """A tool with a memory is walked, and the reason is told; all other tables are played as lanes."""

    def counts(length=None, width=None):
        COUNTS["n"] += 1
        return {"area": length * width + COUNTS["n"]}

    def ends_early(length=None, width=None):
        return {"area": 0}

    m = tb.measure(field(counts=counts, ends_early=ends_early), seeds=30, defects=own("counts", "ends_early"))
    assert list(m.loop.machines) == ["none", "ends_early"]
    assert list(m.loop.walked) == ["counts"]
    assert m.engine == "lanes and walk"
    walk = tb.measure(
        field(counts=counts, ends_early=ends_early), 30, defects=own("counts", "ends_early"), engine="walk"
    )
    assert m.loop.all.tallies["ends_early"] == walk.loop.all.tallies["ends_early"]
    assert m.loop.all.tallies["none"] == walk.loop.all.tallies["none"]
    unknown = "what the table comes to over all seeds is unknown: it has no machine: "
    assert m.explain("counts", "loop", "exact").reason == unknown + m.loop.walked["counts"]
    assert m.explain("counts", "loop", "exact").verdict == "not measured"
    assert m.explain("ends_early", "loop", "exact").verdict == "caught"
    assert f"Walked one by one: counts ({m.loop.walked['counts']})." in str(m)


def field(agent=None, **functions):
    """A scenario of one tool in memory."""

    @tb.tool(schema=["length", "width"])
    def area(length=None, width=None):
        return {"area": length * width}

    return tb.Scenario(
        name="field",
        tools=[area],
        cases=[tb.Case(id="two by three", tool="area", arguments={"length": 2, "width": 3}, output={"area": 6})],
        tasks=[tb.Task(id=f"t{n}", start={"length": n, "width": 2}, answer=2 * n, sequence=["area"]) for n in (1, 2)],
        agent=agent or tb.SeededAgent(budget=3, first=0.9, stop=0.6, results={"area": "area"}),
        functions=functions,
    )


def own(*names):
    return [tb.Defect(id=name, tool="area", operator="function", arguments={"function": name}) for name in names]


class Steady:
    """An agent of the user's own, which calls the tool once."""

    def begin(self, task, definitions, draw):
        return lambda outcome: (
            tb.Call("area", dict(task.start)) if outcome is None else tb.Stop((outcome.value or {}).get("area"))
        )

    def settings(self):
        return {}


def test_an_agent_of_ones_own_is_walked():
    """Whatever is no seeded agent has no machines: every table is walked, with the kind of agent as the reason."""
    m = tb.measure(field(agent=Steady(), bad=lambda length, width: {"area": -1}), seeds=3, defects=own("bad"))
    why = "the agent is a Steady; only a SeededAgent's episodes follow from its draws"
    assert m.loop.walked == {"none": why, "bad": why}
    assert (m.engine, m.loop.machines, m.loop.exact) == ("walk", {}, {})
    assert m.loop.all.tallies["bad"].failing == (3, 3)
    assert [v.verdict for v in m.verdicts if v.layer == "loop"] == ["caught", "caught", "not measured"]
    unknown = "what the defect-free table comes to over all seeds is unknown: it has no machine: "
    assert m.explain("bad", "loop", "exact").reason == unknown + why


# --- many seeds ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_up_to_a_thousand_seeds_each_is_kept():
    """A thousand seeds have a row each and a pair each; one more has one row per table, unless asked for."""
    m = tb.measure(here(), seeds=1000, defects=["D5"], layers=["loop"])
    assert len(m.success_rows()) == 2000
    assert len(m.paired()) == 1000
    more = tb.measure(here(), seeds=1001, defects=["D5"], layers=["loop"])
    assert [(row["table"], row["seed"], row["seeds"]) for row in more.success_rows()] == [
        ("none", None, 1001),
        ("D5", None, 1001),
    ]
    assert len(more.paired()) == 0
    each = tb.measure(here(), seeds=1001, defects=["D5"], layers=["loop"], per_seed=True)
    assert [row["seed"] for row in each.success_rows()] == [*range(20260218, 20261219)] * 2
    assert [v.reason for v in each.verdicts] == [v.reason for v in more.verdicts]


@pytest.mark.slow
def test_one_row_for_many_seeds_sums_up_the_rows_of_each():
    """Failing counts, least, mean and greatest share, and costs are those of the seeds one by one."""
    settings = {"defects": ["D8"], "layers": ["loop"], "seeds": 1200}
    over = {row["table"]: row for row in tb.measure(here(), **settings).success_rows()}
    each = tb.measure(here(), **settings, per_seed=True).success_rows()
    for table, row in over.items():
        rows = [one for one in each if one["table"] == table]
        failing = [task for one in rows for task in one["failing"]]
        assert row["failing"] == {task: failing.count(task) for task in sorted(set(failing))}
        shares = [one["share"] for one in rows]
        assert (row["minimum"], row["maximum"]) == (min(shares), max(shares))
        assert row["mean"] == row["share"] == pytest.approx(sum(shares) / len(shares))
        assert row["low"] < row["mean"] < row["high"]
        for cost in ("succeeded", "tasks", "steps", "tokens", "errors", "approvals", "done", "timeouts", "died"):
            assert row[cost] == sum(one[cost] for one in rows)


# --- Ctrl-C ----------------------------------------------------------------------------------------------------


def after(seeds):
    """Someone who presses Ctrl-C once so many seeds are done."""

    def heard(done, every):
        if done >= seeds:
            raise KeyboardInterrupt

    return heard


@pytest.mark.parametrize(
    ("engine", "jobs"), [pytest.param("auto", 1, marks=pytest.mark.slow), ("auto", 2), ("walk", 2)]
)
def test_ctrl_c_keeps_what_is_finished(engine, jobs, small_chunks):
    """Ctrl-C in the middle gives the measurement of the seeds that were done, which says what was left out."""
    m = measured(engine=engine, jobs=jobs, heard=after(14))
    done = len(m.seeds)
    assert 14 <= done < 33
    assert m.seeds.text == f"20260218:{20260218 + done}"
    assert m.interrupted == LeftOut("seeds", 33 - done, f"interrupted after {done} seeds")
    assert m.interrupted in m.left_out
    shorter = measured(seeds=done, engine=engine)
    assert m.success_rows() == shorter.success_rows()
    assert m.verdicts == shorter.verdicts
    assert [part.end for part in m.loop.growth] == [part.end for part in shorter.loop.growth]
    assert shorter.interrupted is None


def test_ctrl_c_in_a_list_of_seeds(small_chunks):
    """The seeds that are left are the first of the list."""
    m = measured(seeds=list(range(90, 60, -1)), heard=after(7))
    assert m.seeds.text == "90,89,88,87,86,85,84"


@pytest.mark.slow
def test_ctrl_c_between_chunks_where_each_seed_is_not_kept(small_chunks, monkeypatch):
    """Sums are those of the seeds that were done."""
    monkeypatch.setattr(playing, "KNOWN", 10)
    m = measured(heard=after(21), jobs=1)
    assert m.loop.all.tallies == measured(seeds=len(m.seeds), jobs=1).loop.all.tallies


def test_ctrl_c_before_anything_is_finished(monkeypatch):
    """Where nothing is finished nothing can be reported."""

    def pressed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(playing, "run", pressed)
    with pytest.raises(KeyboardInterrupt):
        measured()


@pytest.mark.slow
def test_ctrl_c_does_not_wait_for_what_is_under_way(tmp_path, monkeypatch):
    """What was handed out and is not finished is given up, and not played to its end."""
    monkeypatch.setattr(playing, "WALKED", 40)
    calls = tmp_path / "calls"

    def slow(length=None, width=None):
        with open(calls, "a") as file:
            file.write(".")
        time.sleep(0.005)
        return {"area": 0}

    m = tb.measure(field(slow=slow), 400, defects=own("slow"), layers="loop", engine="walk", jobs=1, heard=after(40))
    assert len(m.seeds) == 40
    assert calls.stat().st_size < 1.5 * tb.measure(
        field(slow=slow), 40, defects=own("slow"), layers="loop", engine="walk"
    ).loop.all.tallies["slow"].costs["calls"] + 40  # fmt: skip


@pytest.mark.slow
def test_progress_is_told(small_chunks):
    """Whoever listens hears how many seeds are done, and of how many, up to all of them."""
    heard = []
    measured(jobs=2, heard=lambda done, every: heard.append((done, every)))
    assert heard == [(7, 33), (14, 33), (20, 33), (27, 33), (33, 33)]
