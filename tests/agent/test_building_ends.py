"""Calls that end their process, which a builder must not make again."""

import numpy as np
import pytest

import toolbench as tb
from tests.small import AGENT, build, table_of, tasks_of, two
from toolbench.agent.building import Builder
from toolbench.agent.calls import NO_CALL
from toolbench.agent.exact import exact
from toolbench.agent.lanes import lanes
from toolbench.agent.replay import replay
from toolbench.errors import CannotCompile


def hanging_on(value, told):
    """A table, and the builder's settings with which call after call is noted."""

    def one(x=None, **_):
        told.append(x)
        return {"x": (x or 0) + 1}

    return table_of(one, two)


def noted(numbers):
    """Who watches, and writes down the calls that begin."""
    return lambda number: None if number == NO_CALL else numbers.append(number)


def numbers_of_calls(table, tasks, agent=AGENT):
    numbers = []
    build(table, tasks, agent, about_to_call=noted(numbers))
    return numbers


def test_calls_are_numbered_one_by_one():
    """Who watches is told 0, 1, 2 and so on, whatever is called: first, again, or in a walked episode."""
    table, tasks, told = hanging_on(2, []), tasks_of("one", "two"), []
    builder = Builder(table, AGENT, tb.World, about_to_call=noted(told))
    builder.build(table, tasks)
    builder.build(table.without("two"), tasks)
    assert told == list(range(builder.calls.count))
    assert numbers_of_calls(table, tasks) == numbers_of_calls(table, tasks)


def test_a_call_that_is_known_to_hang():
    """A call that hangs is not made again: its episodes end there, as timeouts, and fail."""
    told, numbers = [], []
    table = hanging_on(2, told)
    tasks = tasks_of("one", "one", answer=2, number=1)
    build(table, tasks, about_to_call=noted(numbers))
    made = []

    hung = told.index(2) + 1  # between the calls with 1 and with 2 lies one of `two`
    [machine] = build(table, tasks, about_to_call=noted(made), ends={hung: ("timeout", "one hangs")})
    assert hung not in made
    assert made == [number for number in range(len(made) + 1) if number != hung]
    assert machine.ends == (("timeout", "one hangs"),)

    runs = lanes(machine, AGENT, range(20_000))
    kinds = np.array(runs.kinds())
    assert set(kinds) == {"ok", "timeout"}
    ended = kinds == "timeout"
    for name in ("succeeded", "steps", "calls", "tokens", "errors", "approvals", "done"):
        assert not getattr(runs, name)[ended].any()
    [found] = exact([machine], AGENT)
    assert abs(found.success - runs.succeeded.mean()) < 0.02
    assert abs(found.steps[0] - ended.mean()) < 0.02
    assert sum(found.steps.values()) == pytest.approx(1, abs=1e-12)
    assert sum(found.tokens.values()) == pytest.approx(1, abs=1e-12)
    assert sum(found.errors.values()) == pytest.approx(1, abs=1e-12)
    assert sum(mass for _, mass in found.answers) == pytest.approx(1 - found.steps[0], abs=1e-12)

    seed = int(np.argmax(ended))
    replayed = replay(machine, AGENT, seed)
    assert replayed.end == ("timeout", "one hangs")
    assert not replayed.episode.succeeded
    assert replayed.episode.trace[-1] == ("one", True)
    assert replay(machine, AGENT, int(np.argmin(ended))).end is None


@pytest.mark.parametrize("which", range(24))
def test_a_hang_anywhere(which):
    """Whichever call hangs, first, again or in a walked episode: it is not made again, and all comes to an end."""
    table, tasks, made = hanging_on(2, []), tasks_of("one", "two"), []
    hung = numbers_of_calls(table, tasks)[which]
    try:
        machines = build(table, tasks, about_to_call=noted(made), ends={hung: ("timeout", "it hangs")})
    except CannotCompile as problem:
        reason = str(problem)
        assert reason.startswith(("one is not repeatable", "two is not repeatable", "task T"))
    else:
        assert {end for machine in machines for end in machine.ends} == {("timeout", "it hangs")}
    assert hung not in made


def test_a_tool_that_interrupts():
    """A KeyboardInterrupt that a tool raises ends its episodes as a crash."""

    def one(x=None, **_):
        raise KeyboardInterrupt

    [machine] = build(table_of(one, two), tasks_of("two", number=1))
    assert machine.ends == (("crash", "KeyboardInterrupt"),)
    assert "crash" in lanes(machine, AGENT, range(100)).kinds()
