"""Values that answers give."""

from toolbench.checking.harvest import harvested, in_turns, offered


def test_small_values_by_name():
    """At any depth, also in JSON or Python that is told as text; words have no name."""
    assert harvested({"rows": [{"id": 7, "name": "tea"}], "ok": True}) == [("id", 7), ("name", "tea")]
    assert harvested({"text": "[{'id': 7}]"}) == [("id", 7)]
    assert harvested({"text": "* main\n  draft"}) == [("", "main"), ("", "draft")]


def test_what_a_field_may_take():
    """Its own name first, then a related one, then words."""
    pairs = [("", "word"), ("id", 7), ("user_id", 8), ("price", 2)]
    assert offered("user_id", pairs) == [8, 7, "word"]
    assert in_turns([[("a", 1), ("a", 2)], [("b", 3)]]) == [("a", 1), ("b", 3), ("a", 2)]
