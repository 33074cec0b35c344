"""`python -m toolbench list`."""

from toolbench.cli.main import main


def test_everything_in_a_scenario_is_listed(capsys):
    """Tools with their fields, cases with what they expect, tasks with their way, defects with their operator."""
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert "metering: 5 tools, 11 cases, 24 tasks, 11 defects, base seed 20260218\n" in out
    for line in (
        "write_record  subscriber column value  side effect  Write one value into the subscriber's record.",
        'meter rollover              consumption   {"m3": 50}',
        "G24     read_meter consumption                      how many cubic metres did A060 use in this period",
        "D4        search_docs   value       function          first match instead of highest overlap",
    ):
        assert line in out.splitlines()


def test_what_a_scenario_writes_while_it_loads_is_no_output(tmp_path, capfd):
    """Even what a child process of its import prints goes to standard error."""
    (tmp_path / "scenario.py").write_text(
        "import os\nfrom toolbench import tool\nos.system('echo chatter')\n"
        "@tool(schema=['x'])\ndef same(x):\n    return {'y': x}\ntools = [same]\n"
    )
    assert main(["list", str(tmp_path)]) == 0
    captured = capfd.readouterr()
    assert captured.out.startswith(f"{tmp_path.name}: 1 tool, 0 cases")
    assert "chatter" in captured.err
