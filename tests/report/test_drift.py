"""The drift of a server's tools, as text and as JSON."""

import json

from toolbench.drifting.comparing import BREAKING, COMPATIBLE, Change
from toolbench.report.drift import json_of, text_of

GONE = Change(BREAKING, "find", "", "the tool is gone", "every call fails")
NEW = Change(COMPATIBLE, "seek\x1b[31m", "/title", 'is new: "Seek"', "nobody suffers")


def test_nothing_changed_is_one_sentence():
    """And says since when."""
    assert text_of((), name="files", kept_from="kept.json") == "files: no tool has changed since kept.json\n"
    assert text_of((), name="files") == "files: no tool has changed\n"


def test_changes_stand_level_by_level():
    """The worst first: tool, place, what was and is, and why it matters; a hostile name is harmless."""
    assert text_of((NEW, GONE), name="files", kept_from="kept.json") == (
        "files: 2 changes since kept.json, 1 breaking, 1 compatible\n"
        "\n"
        "breaking\n"
        "  find at /: the tool is gone\n"
        "    why: every call fails\n"
        "\n"
        "compatible\n"
        '  seek\\x1b[31m at /title: is new: "Seek"\n'
        "    why: nobody suffers\n"
    )


def test_levels_may_be_coloured():
    """Only the level's name."""
    assert "\n\033[31mbreaking\033[0m\n" in text_of((GONE,), name="files", colour=True)


def test_json_holds_counts_and_all_changes():
    """Plain values, with the worst level for whoever reads nothing else."""
    told = json.loads(json_of((NEW, GONE), name="files", kept_from="kept.json"))
    assert told["format"] == "toolbench-drift" and told["server"] == "files" and told["worst"] == "breaking"
    assert told["counts"] == {"breaking": 1, "degrading": 0, "compatible": 1}
    assert told["changes"][1] == {
        "level": "breaking",
        "tool": "find",
        "pointer": "",
        "what": GONE.what,
        "why": GONE.why,
    }
