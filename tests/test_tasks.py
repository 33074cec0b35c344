"""Tasks and the seeded agent as data."""

import pytest

from toolbench.agent.seeded import SeededAgent, Tokens
from toolbench.errors import ScenarioError
from toolbench.tasks import read_tasks

WHOLE = """
base_seed = 7
[agent]
budget = 4
first = 0.9
results = { look = "text" }
copies = { look = { query = "words" } }
tokens = { step = 60 }
[[task]]
id = "a"
request = "look"
start = { query = "tea", missing_json = "null" }
sequence = ["look"]
answer_json = "null"
"""


def test_all_of_it(tmp_path):
    """What stands there is what a scenario.py would give."""
    (tmp_path / "tasks.toml").write_text(WHOLE)
    found = read_tasks(tmp_path / "tasks.toml")
    (task,) = found["tasks"]
    assert (task.id, dict(task.start), task.sequence, task.answer) == (
        "a", {"query": "tea", "missing": None}, ("look",), None,
    )  # fmt: skip
    assert found["base_seed"] == 7
    assert found["agent"] == SeededAgent(
        budget=4, first=0.9, results={"look": "text"}, copies={"look": {"query": "words"}}, tokens=Tokens(step=60)
    )
    assert read_tasks(tmp_path / "none.toml") == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tasks = 1", "unknown key 'tasks': did you mean task?"),
        ("task = 1", "each task is a [[task]] table"),
        ("[[task]]\nrequest = 'x'", "task number 1: has no id"),
        ("[[task]]\nid = 'a'\nanwser = 1", "task a: unknown key 'anwser': did you mean answer?"),
        ("[[task]]\nid = 'a'\nstart = 3", "task a: start is 3; it maps field names to values"),
        ("[[task]]\nid = 'a'\nsequence = 'x'", "task a: sequence is the text 'x'"),
        ("agent = 1", "agent is 1; it is a table of the seeded agent's settings"),
        ("[agent]\nfirst = 1", "agent: has no budget"),
        ("[agent]\nbudget = 1\nfirst = 2", "the agent's first is 2; it is a probability"),
        ("[agent]\nbudget = 1\nfirst = 1\nright = 1", "agent: unknown key 'right'"),
        ("[agent]\nbudget = 1\nfirst = 1\ntokens = { steps = 1 }", "agent: tokens: unknown key 'steps'"),
        ("[agent]\nbudget = 1\nfirst = 1\ntokens = 4", "agent: tokens is 4; it maps step, history"),
    ],
)
def test_what_is_wrong_is_told(tmp_path, text, message):
    """With the file, the task and the key."""
    (tmp_path / "tasks.toml").write_text(text)
    with pytest.raises(ScenarioError) as caught:
        read_tasks(tmp_path / "tasks.toml")
    assert str(caught.value).startswith(f"{tmp_path / 'tasks.toml'}: ") and message in str(caught.value)
