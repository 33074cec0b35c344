"""A worker process, seen from inside: what it answers to what it is told."""

import queue

import pytest

import toolbench as tb
from toolbench.execution.mould import Mould
from toolbench.execution.worker import serve


@tb.tool(schema=["x"], inject="world")
def count(world, x=0):
    world.state["n"] += 1
    if x < 0:
        raise KeyboardInterrupt
    return {"n": world.state["n"], "x": x}


SCENARIO = tb.Scenario(
    name="counting",
    tools=[count],
    cases=[tb.Case(id=f"c{x}", tool="count", arguments={"x": x}, output={"n": 1, "x": x}) for x in (1, -1, 2)],
    tasks=[tb.Task(id="t", start={"x": 1}, answer=1, sequence=["count"])],
    agent=tb.SeededAgent(budget=1, first=1, results={"count": "n"}),
    world=lambda: tb.World(state={"n": 0}),
)
DEFECT = {
    "id": "D", "tool": "count", "operator": "copy_field", "arguments": {"source": "n", "target": "x"},
    "class_": "value", "description": "",
}  # fmt: skip


@pytest.fixture
def told():
    """A function that gives a worker messages and returns its answers, up to the one that ends a piece."""
    events = queue.Queue()
    mould = Mould(lambda source, to: serve(source, to, SCENARIO))
    child = mould.start(events)

    def tell(message, last="gone"):
        child.send(message)
        answers = []
        while not answers or (last not in answers[-1] and "failed" not in answers[-1]):
            _, more = events.get(timeout=20)
            assert more is not None, "the worker died"
            answers += more
        return answers

    yield tell
    child.leave()
    mould.close()


def load(told, *defects):
    return told({"folder": None, "digest": None, "defects": list(defects), "agent": {}}, last="ready")


def rows(answers):
    return [answer["row"] for answer in answers if "row" in answer]


def test_a_worker_says_what_it_has_loaded(told):
    """Once loaded, a worker is ready and says by digests what it has."""
    assert load(told) == [{"ready": True, "digests": SCENARIO.digests()}]


def test_one_answer_per_unit_and_an_end(told):
    """Each unit is answered with its row, in a world of its own, the piece with its end and that of its process."""
    load(told)
    answers = told({"table": "none", "layer": "tool", "units": ["c1", "c2"]})
    assert [list(answer) for answer in answers] == [["row", "hits", "missed"]] * 2 + [["end"], ["gone"]]
    assert answers[-1] == {"gone": "its process exited with code 0"}
    assert [(row["case"], row["passed"]) for row in rows(answers)] == [("c1", True), ("c2", True)]


def test_an_interruption_by_a_tool_is_a_crash(told):
    """A tool that raises KeyboardInterrupt has crashed; the units after it run."""
    load(told)
    answers = told({"table": "none", "layer": "tool", "units": ["c-1", "c-1", "c2"]})
    assert [(row["case"], row["kind"], row["why"]) for row in rows(answers)] == [
        ("c-1", "crash", "KeyboardInterrupt"),
        ("c-1", "crash", "KeyboardInterrupt"),
        ("c2", "ok", ""),
    ]


def test_any_layer_and_any_table(told):
    """The same worker observes the defect-free table, a defect's and a stub's, by every layer."""
    load(told, DEFECT)
    assert [row["succeeded"] for row in rows(told({"table": "none", "layer": "loop", "units": [["t", 5]]}))] == [True]
    damaged = told({"table": "D", "layer": "tool", "units": ["c1", "c2"]})
    assert [row["passed"] for row in rows(damaged)] == [True, False]
    assert [(answer["hits"], answer["missed"]) for answer in damaged[:2]] == [(1, ""), (2, "")]
    stubbed = told({"table": "stub count", "layer": "tool", "units": ["c1"]})
    assert [row["passed"] for row in rows(stubbed)] == [False]


def test_a_piece_without_units(told):
    """A piece without units has only its ends."""
    load(told)
    assert told({"table": "none", "layer": "tool", "units": []}) == [
        {"end": True},
        {"gone": "its process exited with code 0"},
    ]


def test_a_load_that_fails_is_said(told):
    """An error of the library's goes back by kind and text, and the worker can be told again."""
    [answer] = told(
        {"folder": None, "digest": None, "defects": [{**DEFECT, "operator": "no"}], "agent": {}}, last="failed"
    )
    assert answer["kind"] == "CatalogueError"
    assert answer["failed"].startswith("defect D: unknown operator 'no'")
    assert load(told)[-1]["ready"] is True


def test_what_breaks_a_piece_is_said(told):
    """What goes wrong in the copy that does a piece of work is told with its type; the worker stays."""
    load(told)
    assert told({"table": "none", "layer": "tool", "units": ["c9"]}) == [
        {"broken": "KeyError: 'c9'"},
        {"gone": "its process exited with code 0"},
    ]
    assert told({"table": "none", "layer": "tool", "units": []})[0] == {"end": True}


LEFT = []


@tb.tool(schema=[])
def remember():
    LEFT.append(1)
    return {"n": len(LEFT)}


def test_each_piece_runs_in_a_copy_of_the_worker():
    """What a tool leaves behind is there for the rest of its piece, and gone in the next one."""
    cases = [tb.Case(id="c", tool="remember", output={"n": 1})]
    scenario = tb.Scenario(name="remembering", tools=[remember], cases=cases)
    events = queue.Queue()
    mould = Mould(lambda source, to: serve(source, to, scenario))
    child = mould.start(events)
    child.send({"folder": None, "digest": None, "defects": [], "agent": {}})
    for _ in range(2):
        child.send({"table": "none", "layer": "tool", "units": ["c", "c"]})
    answers = []
    while [list(answer) for answer in answers].count(["gone"]) < 2:
        answers += events.get(timeout=20)[1]
    child.leave()
    mould.close()
    assert [row["passed"] for row in rows(answers)] == [True, False] * 2
    assert LEFT == []
