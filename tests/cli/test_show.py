"""`python -m toolbench show`."""

import pytest

from toolbench.cli.main import main

HANG = """
    [[defect]]
    id = "H"
    tool = "double"
    operator = "function"
    arguments = { function = "hanging" }
"""


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("D1", ["+# on the way out: current takes the value of previous"]),
        ("D3", ["-        amount += 16 * (m3 - 40)", "+        amount += 11 * (m3 - 40)"]),
        ("D5", ["+# on the way in: previous is 0 when missing, current is 0 when missing"]),
        (
            "D7",
            [
                "-    if not subscriber or not column or value is None:",
                "+    if not subscriber or not column or False:",
            ],
        ),
        ("D10", ['-        "query": {', '+        "subscriber": {']),
    ],
)
def test_the_diff_is_of_the_users_own_lines(name, lines, capsys):
    """What the defect takes away and puts in place, and what each layer said."""
    assert main(["show", name]) == 0
    out = capsys.readouterr().out.splitlines()
    for line in lines:
        assert line in out
    assert any(line.startswith(f"{name}, tool: ") for line in out)
    assert any(line.startswith(f"{name}, definition: ") for line in out)
    assert any(line.startswith(f"{name}, loop: ") for line in out)


def test_a_hang_in_the_loop_is_shown(write_scenario, capsys):
    """An episode that hung is told with its task, its seed and the deadline."""
    folder = write_scenario(
        files={"defects.toml": HANG},
        more="""
            def hanging(length=None):
                while True:
                    pass
        """,
    )
    assert main(["show", str(folder), "H", "--seeds", "5,6", "--deadline", "0.3"]) == 0
    out = capsys.readouterr().out
    assert "H, tool: caught by the rule 'any failure': 1 of 1 case fails: twice three: no answer within 0.3 s" in out
    assert "2 episodes did not come to an end, the first t1 at 5: timeout: no answer within 0.3 s" in out


def test_a_scenario_can_stand_before_the_id(capsys):
    """`show SCENARIO ID` works for any scenario."""
    assert main(["show", "metering", "D9"]) == 0
    assert capsys.readouterr().out.startswith("D9: write_record, class definition, operator drop_field\n")


def test_what_was_found_is_shown(capsys):
    """Under D9 the write never happens and the answer is still right; the declaration says what is missing."""
    assert main(["show", "D9"]) == 0
    out = capsys.readouterr().out.splitlines()
    said = [number for number, line in enumerate(out) if line.startswith("D9, ")]
    assert [out[number].split(":")[0] for number in said] == ["D9, tool", "D9, definition", "D9, loop"]
    place = "undeclared-parameter at /properties/value"
    seen = f"{place}: the function takes value, which is not declared (by default null)"
    assert out[said[1] :][:2] == [
        f"D9, definition: caught by the rule 'new finding': 1 new finding: {seen}",
        f"  warning {seen}",
    ]
