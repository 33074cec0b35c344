"""Findings that are switched off."""

import pytest

from toolbench.checking.finding import found
from toolbench.errors import UsageError
from toolbench.switches import FILE, Switch, read_switches, switched

FINE = """
[[off]]
tool = "pack"
code = "items-missing"
reason = "the boxes are free text"

[[off]]
tool = "send"
code = "unused-field"
pointer = "/properties/lang"
reason = "kept for old clients"
"""


def written(tmp_path, text):
    path = tmp_path / FILE
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def finding(tool="pack", code="items-missing", pointer="/properties/boxes"):
    return found(code, tool, pointer, "seen")


def test_switches_are_read_in_order(tmp_path):
    """Each has its tool, code and reason, and a place or none."""
    assert read_switches(written(tmp_path, FINE)) == (
        Switch("pack", "items-missing", "the boxes are free text"),
        Switch("send", "unused-field", "kept for old clients", "/properties/lang"),
    )


@pytest.mark.parametrize("text", ["", "# nothing\n", "off = []\n"])
def test_a_file_without_switches(tmp_path, text):
    """An empty file switches nothing off."""
    assert read_switches(written(tmp_path, text)) == ()


def test_no_file_no_switches(tmp_path):
    """A file that is not there is none; a link that leads nowhere is a mistake."""
    assert read_switches(tmp_path / FILE) == ()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="cannot be read: No such file or directory"):
        read_switches(tmp_path / "link")


ENTRY = '[[off]]\ntool = "pack"\ncode = "items-missing"\nreason = "why"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("off = ", "is not TOML: "),
        (b"\xff\xfe", "is not UTF-8 text"),
        ("x = " + "[" * 5000, "is not TOML: |is nested too deeply"),
        ("of = []\n", "unknown key 'of': did you mean off? Known: off; each switch is an [[off]]"),
        (ENTRY + "[on]\n", "unknown key 'on'. Known: off; each switch is an [[off]]"),
        ("off = 5\n", "off is 5; each switch is an [[off]] table"),
        ('off = "all"\n', 'off is "all"; each switch is an [[off]] table'),
        ("off = [1]\n", "off is [1]; each switch is an [[off]] table"),
        ("[off]\ntool = 'pack'\n", 'off is {"tool": "pack"}; each switch is an [[off]] table'),
        (ENTRY + "resaon = 'x'\n", "off number 1: unknown key 'resaon': did you mean reason?"),
        (ENTRY.replace('tool = "pack"\n', ""), "off number 1: tool is null; it is a text that is not empty"),
        (ENTRY.replace('reason = "why"\n', ""), "off number 1: reason is null; it is a text that is not empty"),
        (ENTRY.replace("why", " "), 'off number 1: reason is " "; it is a text that is not empty'),
        (ENTRY.replace('"pack"', "5"), "off number 1: tool is 5; it is a text that is not empty"),
        (ENTRY.replace('"items-missing"', "true"), "off number 1: code is true; it is a text that is not empty"),
        (ENTRY.replace("items-", "item-"), "off number 1: unknown code 'item-missing': did you mean items-missing"),
        (ENTRY + ENTRY + "pointer = 3\n", "off number 2: pointer is 3; it is a text"),
        (ENTRY + "since = 2026-01-01\n", "is a TOML date or time, which JSON has not; write it as a text"),
    ],
)
def test_a_malformed_file(tmp_path, text, said):
    """File, entry, key and value are named, with what would be right."""
    path = written(tmp_path, text)
    with pytest.raises(UsageError) as refused:
        read_switches(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert any(part in str(refused.value) for part in said.split("|"))


def test_a_folder_in_place_of_the_file(tmp_path):
    """What cannot be read is said to be so."""
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        read_switches(tmp_path)


@pytest.mark.parametrize(
    ("switch", "covered"),
    [
        (Switch("pack", "items-missing", "r"), True),
        (Switch("pack", "items-missing", "r", "/properties/boxes"), True),
        (Switch("pack", "items-missing", "r", ""), False),
        (Switch("pack", "items-missing", "r", "/properties/box"), False),
        (Switch("send", "items-missing", "r"), False),
        (Switch("pack", "unused-field", "r"), False),
    ],
)
def test_what_a_switch_covers(switch, covered):
    """Tool and code must be those of the finding, and the place where one is given."""
    assert switch.covers(finding()) is covered


def test_what_is_left_and_what_is_off():
    """Findings keep their order; each that is off has its reason; switches that cover nothing are told."""
    findings = [finding(), finding("send", "unused-field", "/properties/a"), finding(pointer="/properties/bags")]
    boxes = Switch("pack", "items-missing", "free text", "/properties/boxes")
    every, idle = Switch("pack", "items-missing", "all of it"), Switch("gone", "unused-field", "old")
    assert switched(findings, [boxes, every, idle]) == (
        (findings[1],),
        ((findings[0], "free text"), (findings[2], "all of it")),
        (idle,),
    )


def test_nothing_is_switched_off_without_a_switch():
    """Without switches all findings are left."""
    findings = (finding(), finding("send"))
    assert switched(findings, ()) == (findings, (), ())
