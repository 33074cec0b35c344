"""`python -m toolbench drift`."""

import json
import shutil

import pytest

import toolbench as tb
from tests.servers.starting import FAULTY
from toolbench.cli.main import main
from toolbench.servers.snapshot import Listing


@pytest.fixture
def folder(tmp_path):
    """A scenario of the faulty server, its definitions as they are."""
    made = tmp_path / "made"
    made.mkdir()
    (made / "server.toml").write_text(f"command = {json.dumps(FAULTY)}\n")
    server = tb.mcp_server(FAULTY)
    with server.running():
        (made / "definitions.json").write_text(server.listing().text())
    return made


def test_nothing_changed_and_something_did(folder, capsys):
    """Exit code 1 from degrading up; --accept keeps what is declared today."""
    assert main(["drift", str(folder)]) == 0
    assert "no tool has changed" in capsys.readouterr().out
    kept = json.loads((folder / "definitions.json").read_text())
    kept["tools"][0]["description"] = "Other words."
    (folder / "definitions.json").write_text(Listing(kept["tools"], kept["server"]).text())
    assert main(["drift", str(folder)]) == 0 and "compatible" in capsys.readouterr().out
    kept["tools"][0]["inputSchema"]["properties"]["mood"] = {"type": "string"}
    (folder / "definitions.json").write_text(Listing(kept["tools"], kept["server"]).text())
    assert main(["drift", str(folder), "--format", "json", "--accept"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["worst"] == "breaking"
    assert "/inputSchema/properties/mood" in [change["pointer"] for change in said["changes"]]
    assert main(["drift", str(folder)]) == 0


def test_what_cannot_drift(folder, capsys):
    """A scenario without a server, a folder without definitions, an unknown format."""
    assert main(["drift", "metering"]) == 2
    assert main(["drift", str(folder), "--format", "xml"]) == 2
    (folder / "definitions.json").unlink()
    assert main(["drift", str(folder)]) == 2
    err = capsys.readouterr().err
    assert "has no server.toml" in err and "unknown format 'xml'" in err and "cannot be read" in err
    shutil.rmtree(folder)
