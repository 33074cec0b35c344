"""`python -m toolbench show`."""

import pytest

from toolbench.cli.main import main


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
    assert any(line.startswith(f"{name}, loop: ") for line in out)


def test_a_scenario_can_stand_before_the_id(capsys):
    """`show SCENARIO ID` works for any scenario."""
    assert main(["show", "metering", "D9"]) == 0
    assert capsys.readouterr().out.startswith("D9: write_record, class definition, operator drop_field\n")
