"""`python -m toolbench init`."""

import json

from toolbench.cli.main import main


def test_the_made_scenario_works(tmp_path, capsys):
    """Its report runs, each layer catches something, and one defect is left for the user to catch."""
    folder, out = tmp_path / "deep" / "my_scenario", tmp_path / "report.json"
    assert main(["init", str(folder)]) == 0
    assert f"python -m toolbench report {folder}" in capsys.readouterr().out
    assert main(["report", str(folder), "--format", "json", "--out", str(out)]) == 0
    document = json.loads(out.read_text())
    assert document["suite"] == {"cases": 5, "unconfirmed": 0, "failing": 0, "vacuous": []}
    caught = {row["layer"]: row["caught"] for row in document["catch_rates"] if row["class"] == "total"}
    assert min(caught.values()) >= 1
    assert {"layers": [], "defects": ["orders-anything"]} in document["overlap"]


def test_the_cure_that_the_made_readme_names_works(tmp_path):
    """A case that orders more than there is in stock catches the blind spot."""
    folder, out = tmp_path / "my_scenario", tmp_path / "report.json"
    assert main(["init", str(folder)]) == 0
    with open(folder / "cases.toml", "a") as cases:
        cases.write('[[case]]\nid = "too many"\ntool = "place_order"\n')
        cases.write('arguments = { product = "kettle", count = 2 }\nerror = "not enough"\n')
    assert main(["report", str(folder), "--format", "json", "--out", str(out)]) == 0
    assert {"layers": [], "defects": []} in json.loads(out.read_text())["overlap"]


def test_nothing_is_overwritten(tmp_path, capsys):
    """A folder with something in it, or a file, is left as it is."""
    (tmp_path / "mine.txt").write_text("mine")
    for place in (tmp_path, tmp_path / "mine.txt"):
        assert main(["init", str(place)]) == 2
        assert "is there already, and nothing is overwritten" in capsys.readouterr().err
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_an_empty_folder_may_be_filled(tmp_path):
    """A folder that the user made beforehand is used."""
    assert main(["init", str(tmp_path)]) == 0
    assert (tmp_path / "scenario.py").exists()


def test_a_place_that_cannot_be_made_is_said(tmp_path, capsys):
    """A folder below a file is no place."""
    (tmp_path / "file").write_text("")
    assert main(["init", str(tmp_path / "file" / "below")]) == 2
    assert "below: cannot be made: File exists" in capsys.readouterr().err


def test_a_scenario_named_like_a_built_in_one_is_told_apart(tmp_path, monkeypatch, capsys):
    """The command that `init` suggests finds the new folder, not the built-in scenario of that name."""
    monkeypatch.chdir(tmp_path)
    assert main(["init", "metering"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith("python -m toolbench report ./metering")
    assert main(["report", "./metering", "--layers", "tool"]) == 0
    assert capsys.readouterr().out.startswith("metering: 4 defects")
