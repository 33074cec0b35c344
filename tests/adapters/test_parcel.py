"""Folders as bytes."""

import dataclasses
import io
import zipfile

import pytest

import toolbench as tb
from toolbench.adapters import parcel
from toolbench.adapters.parcel import addressed, pack
from toolbench.errors import UsageError
from toolbench.folder import folder_digest
from toolbench.importing import PACKAGE
from toolbench.mutation.engine import Tables


def names(content):
    return zipfile.ZipFile(io.BytesIO(content)).namelist()


def test_what_arrives_is_what_was_sent(scenario, tmp_path):
    """A folder that was packed and unpacked has the same digest and gives the same scenario."""
    parcels = addressed(Tables(scenario), 2.0)
    zipfile.ZipFile(io.BytesIO(parcels["parcels"]["scenario"])).extractall(tmp_path)
    there = tmp_path / parcels["first"]["folder"]
    assert folder_digest(there) == parcels["first"]["digest"] == folder_digest(scenario.folder)
    assert tb.load_scenario(there).digests() == parcels["first"]["digests"] == scenario.digests()
    assert there.name == scenario.folder.name


def test_data_is_sent_and_environments_are_not(write_scenario):
    """All files of a folder are sent, data too; hidden ones, caches and environments are not."""
    folder = write_scenario({
        "data/prices.csv": "1", "more.py": "", ".secret": "2", "__pycache__/x.pyc": "3", "node_modules/y.js": "4",
        "env/pyvenv.cfg": "", "env/lib/z.py": "5", ".git/config": "6",
    })  # fmt: skip
    assert names(pack(folder, "own")) == ["own/cases.toml", "own/data/prices.csv", "own/more.py", "own/scenario.py"]


def test_the_same_contents_are_the_same_bytes(write_scenario):
    """A parcel depends on names and contents, not on when the files were written."""
    one, other = write_scenario(name="one"), write_scenario(name="other")
    (other / "scenario.py").touch()
    assert pack(one, "x") == pack(other, "x")


def test_the_library_is_sent_whole(scenario):
    """Every module of the library is in its parcel, and so is its data."""
    sent = set(names(addressed(Tables(scenario), 2.0)["parcels"]["library"]))
    assert {f"toolbench/{path.relative_to(PACKAGE).as_posix()}" for path in PACKAGE.rglob("*.py")} <= sent
    assert "toolbench/report/report.schema.json" in sent


def test_what_was_made_in_memory_cannot_be_sent(lending):
    """Functions are never pickled: a scenario that no folder gives is refused, with what to do instead."""
    for made in (dataclasses.replace(lending, folder=None), dataclasses.replace(lending, cases=())):
        with pytest.raises(UsageError) as refused:
            addressed(Tables(made), 2.0)
        assert "`python -m toolbench init FOLDER` makes one" in str(refused.value)
    assert addressed(Tables(lending.with_agent(budget=5)), 2.0)["first"]["agent"] == {"budget": 5}


def test_too_much(write_scenario, monkeypatch):
    """A folder with large data is refused rather than sent to every worker."""
    monkeypatch.setattr(parcel, "MOST", 1 << 20)
    folder = write_scenario({"data.bin": b"x" * (1 << 20)})
    with pytest.raises(UsageError, match="more than 1 MiB, which is too much to send to every worker"):
        pack(folder, "own")
