"""What each layer cost over all tables."""

from types import SimpleNamespace

from toolbench.costs import COSTS, cost_rows
from toolbench.probing.checked import Checked


def rows(*kinds):
    return [{"kind": kind} for kind in kinds]


LOOP = SimpleNamespace(cost=lambda: {name: number for number, name in enumerate(COSTS)})


def test_the_tool_layer_counts_its_cases():
    """Each case is a run and a call; those that hung or ended their process are counted, stubs are not."""
    suites = {"none": rows("ok", "error"), "D": rows("timeout", "died"), "stub f": rows("ok", "died")}
    assert cost_rows(["tool"], suites, {}, None) == [
        {"layer": "tool", "runs": 4, "calls": 4, "steps": None, "tokens": None, "errors": None, "approvals": None,
         "timeouts": 1, "died": 1},
    ]  # fmt: skip


def test_the_definition_layer_counts_its_probes():
    """Each probe is a run and a call, over all tables that were checked."""
    checks = {"none": Checked((), (), probes=5), "D": Checked((), (), probes=3, timeouts=2, died=1)}
    assert cost_rows(["definition"], {"none": rows("ok")}, checks, None) == [
        {"layer": "definition", "runs": 8, "calls": 8, "steps": None, "tokens": None, "errors": None,
         "approvals": None, "timeouts": 2, "died": 1},
    ]  # fmt: skip


def test_the_loop_says_itself_what_it_cost():
    """The loop's row is its own; one that did not run cost nothing."""
    assert cost_rows(["loop"], {}, {}, LOOP) == [{"layer": "loop", **LOOP.cost()}]
    assert cost_rows(["loop"], {}, {}, None) == [{"layer": "loop", **dict.fromkeys(COSTS, 0)}]


def test_a_row_for_each_layer_in_their_order():
    """What a layer has no notion of is None, never 0; a layer that saw nothing cost nothing."""
    made = cost_rows(["tool", "definition", "loop"], {}, {}, LOOP)
    assert [row["layer"] for row in made] == ["tool", "definition", "loop"]
    assert all(list(row) == ["layer", *COSTS] for row in made)
    assert [(row["runs"], row["tokens"]) for row in made[:2]] == [(0, None), (0, None)]
