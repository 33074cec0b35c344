"""Making probes: a work for each table and round, and what becomes of those that were skipped for another's sake."""

from concurrent.futures import Future
from types import SimpleNamespace

import pytest

from toolbench.checking.tried import Probe
from toolbench.execution.work import Observation
from toolbench.outcome import DIED, OK, SKIPPED, TIMEOUT
from toolbench.probing.making import ENOUGH, LAYER, Making


class Scripted:
    """An executor in which calls of some tools end as they are said to; after enough of those the rest is skipped."""

    width = 1

    def __init__(self, ends=None, landing=None):
        self.ends, self.landing, self.works = ends or {}, landing or {}, []

    def submit(self, work):
        self.works.append(work)
        rows, ended = [], 0
        for unit in work.units:
            tool, arguments = unit["calls"][-1]
            kind = SKIPPED if ended >= work.enough else self.ends.get(tool, OK)
            ended += kind in (TIMEOUT, DIED)
            rows.append(row(kind, f"{work.table} {tool} {arguments['n']}"))
        future = Future()
        future.set_result(Observation(rows, *self.landing.get(work.table, (0, ""))))
        return future


def row(kind, answer):
    return {
        "kind": kind, "answer": answer, "size": 1, "shown": "", "why": "", "types": [], "fields": {}, "marks": None,
        "fault": "",
    }  # fmt: skip


def probe(tool, number, table="none", *, apart=False):
    return SimpleNamespace(table=table, apart=apart), Probe(tool, {"n": number})


def kinds(seen):
    return [one.kind for one in seen]


def test_each_probe_gets_what_was_seen_of_it():
    """In the order of the probes, over all tables; a table's are one work, done from the first to the last."""
    pool = Scripted()
    probes = [probe("a", 0), probe("b", 1, "other"), probe("c", 2), probe("a", 3, "other")]
    (seen,) = Making(pool, ("none", "other")).of(probes)
    assert [one.answer for one in seen] == ["none a 0", "other b 1", "none c 2", "other a 3"]
    assert [(work.table, work.layer, work.whole, work.enough) for work in pool.works] == [
        ("none", LAYER, True, ENOUGH),
        ("other", LAYER, True, ENOUGH),
    ]


def test_rounds_have_works_of_their_own():
    """All but the first are made where other random numbers come."""
    pool = Scripted()
    first, second = Making(pool, ("none",)).of([probe("a", 0)], [probe("a", 1, apart=True), probe("a", 2)])
    assert [one.answer for one in (*first, *second)] == ["none a 0", "none a 1", "none a 2"]
    units = [[(unit["stirred"], unit["apart"]) for unit in work.units] for work in pool.works]
    assert units == [[(False, False)], [(True, True), (True, False)]]


def test_without_probes_nothing_is_made():
    """And nothing was seen."""
    pool = Scripted()
    assert Making(pool, ("none",)).of() == [] and Making(pool, ("none",)).of([], []) == [[], []]
    assert pool.works == []


@pytest.mark.parametrize("end", [TIMEOUT, DIED])
def test_what_was_skipped_for_the_sake_of_another_tool_is_made_again(end):
    """The rest of the tool that does not come back is not."""
    pool = Scripted({"bad": end})
    probes = [probe("good", 0), *(probe("bad", number) for number in range(1, 6)), probe("good", 6), probe("fine", 7)]
    (seen,) = Making(pool, ("none",)).of(probes)
    assert kinds(seen) == [OK, *[end] * ENOUGH, SKIPPED, SKIPPED, OK, OK]
    assert [[unit["calls"][-1][1]["n"] for unit in work.units] for work in pool.works] == [list(range(8)), [6, 7]]


def test_each_tool_that_does_not_come_back_is_given_up_in_its_turn():
    """Until nothing is left."""
    pool = Scripted({"bad": TIMEOUT, "worse": DIED})
    order = ["bad"] * 4 + ["worse"] * 4 + ["good"]
    (seen,) = Making(pool, ("none",)).of([probe(tool, number) for number, tool in enumerate(order)])
    assert kinds(seen) == [*[TIMEOUT] * ENOUGH, SKIPPED, *[DIED] * ENOUGH, SKIPPED, OK]
    assert [len(work.units) for work in pool.works] == [9, 5, 1]


def test_another_table_and_another_round_do_not_suffer():
    """Each has calls of its own that may fail to come back."""
    pool = Scripted({"bad": TIMEOUT})
    bad = [probe("bad", number) for number in range(4)]
    first, second = Making(pool, ("none", "other")).of([*bad, probe("good", 5, "other")], bad[:2])
    assert kinds(first) == [*[TIMEOUT] * ENOUGH, SKIPPED, OK] and kinds(second) == [TIMEOUT, TIMEOUT]
    assert len(pool.works) == 3


def test_whether_a_defect_was_reached_adds_up():
    """By table; of what it did not find, the first is kept."""
    pool = Scripted({"bad": TIMEOUT}, {"none": (2, ""), "other": (0, "no field price")})
    made = Making(pool, ("none", "other", "idle"))
    made.of([*(probe("bad", number) for number in range(3)), probe("good", 3), probe("good", 4, "other")])
    made.of([probe("good", 0, "other")])
    assert made.landed == {"none": [4, ""], "other": [0, "no field price"], "idle": [0, ""]}
