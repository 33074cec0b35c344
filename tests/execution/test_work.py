"""All results in order, by whatever executor."""

from concurrent.futures import Future

import pytest

from toolbench.errors import ScenarioError
from toolbench.execution.work import Interrupted, Observation, Work, observed


class Desk:
    """An executor of the tests: it does nothing, and what comes of each table is laid down beforehand."""

    def __init__(self, **results):
        self.results, self.futures = results, {}

    def submit(self, work):
        future = self.futures[work.table] = Future()
        result = self.results[work.table]
        if isinstance(result, BaseException):
            future.set_exception(result)
        elif result is not None:
            future.set_result(result)
        return future


def works(*tables):
    return [Work(table, "tool", ["u"] * len(table)) for table in tables]


def test_results_come_in_the_order_of_the_works():
    """One observation per work; progress counts units as works are finished."""
    seen = {table: Observation([{"table": table}]) for table in ("a", "bb", "ccc")}
    heard = []
    assert observed(Desk(**seen), works("ccc", "a", "bb"), lambda *counts: heard.append(counts)) == [
        seen["ccc"],
        seen["a"],
        seen["bb"],
    ]
    assert {every for _, every in heard} == {6}
    assert len(heard) == 3 and heard[-1] == (6, 6) and heard == sorted(heard)


@pytest.mark.parametrize("heard", [None, lambda done, every: None])
def test_the_first_error_is_raised_and_the_rest_cancelled(heard):
    """Of two errors that of the work that stands first is raised, and what has not begun is not done any more."""
    desk = Desk(a=Observation([]), b=ScenarioError("first"), c=ScenarioError("second"), d=None)
    with pytest.raises(ScenarioError, match="first"):
        observed(desk, works("a", "b", "c", "d"), heard)
    assert desk.futures["d"].cancelled()


def test_ctrl_c_keeps_what_is_finished():
    """An interruption has the observations that are there, None in place of the others, and says how many."""
    desk = Desk(a=Observation([{"row": 1}]), b=None, c=Observation([{"row": 3}]))

    def interrupt(done, every):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as interrupted:
        observed(desk, works("a", "b", "c"), interrupt)
    assert interrupted.value.observations == [Observation([{"row": 1}]), None, Observation([{"row": 3}])]
    assert str(interrupted.value) == "2 of 3 finished"
    assert isinstance(interrupted.value, KeyboardInterrupt)
    assert desk.futures["b"].cancelled()


def test_ctrl_c_while_works_are_handed_in():
    """Works that were not handed in yet are missing from an interruption, too."""
    desk = Desk(a=Observation([]), b=None)
    desk.submit = lambda work, submit=desk.submit: submit(work) if work.table == "a" else interrupt()

    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as interrupted:
        observed(desk, works("a", "b"))
    assert interrupted.value.observations == [Observation([]), None]
