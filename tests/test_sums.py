"""Sums over rows."""

from toolbench.sums import band_of, ended, success_of


def episode(task, succeeded, kind="ok", **cost):
    counts = dict.fromkeys(("steps", "tokens", "errors", "approvals"), 0)
    return {"task": task, "succeeded": succeeded, "kind": kind, "done": kind == "ok", **counts, **cost}


def test_a_table_at_a_seed_is_summed_up():
    """Shares, the failing tasks in order, costs, and what did not come to an end."""
    rows = [
        episode("A", True, steps=3, tokens=10),
        episode("B", False, steps=4, tokens=20, errors=1),
        episode("C", False, "timeout"),
        episode("D", True, approvals=2),
    ]
    assert success_of("D1", 7, rows) == {
        "table": "D1",
        "seed": 7,
        "succeeded": 2,
        "tasks": 4,
        "share": 0.5,
        "failing": ["B", "C"],
        "steps": 7,
        "tokens": 30,
        "errors": 1,
        "approvals": 2,
        "done": 3,
        "timeouts": 1,
        "died": 0,
    }


def test_what_was_ended_is_counted_by_kind():
    """A crash is neither: the process and the clock had no part in it."""
    rows = [{"kind": kind} for kind in ("ok", "timeout", "died", "died", "crash", "error")]
    assert ended(rows) == {"timeouts": 1, "died": 2}


def test_defect_free_runs_are_told_by_their_extremes():
    """The fewest and the most that a run fails stand beside the band."""
    row = band_of("loop", "task", 24, "3 seeds", [{"A"}, set(), {"A", "B"}], 2)
    assert (row["fewest"], row["most"], row["band"], row["of"]) == (0, 2, 2, 24)
