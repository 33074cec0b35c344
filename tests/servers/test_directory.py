"""States of a directory: named, put back, compared."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolbench.servers.directory import Place, States

NAMES = st.sampled_from(["a", "b", "c", "d/a", "d/b", "e/f/g", "link"])
STEPS = st.lists(
    st.tuples(NAMES, st.sampled_from(["write", "remove", "link", "mode"]), st.binary(max_size=4)), max_size=8
)


@pytest.fixture
def states(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    return States(kept, ["*.log", "cache"])


def place_in(folder):
    path = folder / "place"
    path.mkdir()
    return Place(path)


def change(root, name, how, content):
    """One step of whoever works there."""
    path = root / name
    try:
        if how == "remove":
            path.unlink(missing_ok=True)
        elif how == "link":
            path.unlink(missing_ok=True)
            path.symlink_to("a")
        elif how == "mode":
            os.chmod(path, 0o400, follow_symlinks=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError:
        pass


@given(STEPS, STEPS)
def test_a_state_is_put_back(tmp_path_factory, first, then):
    """Whatever happened meanwhile: the same files, contents, modes and times, under the same name."""
    folder = tmp_path_factory.mktemp("states")
    (folder / "kept").mkdir()
    kept, place = States(folder / "kept"), place_in(folder)
    for step in first:
        change(place.path, *step)
    before = kept.take(place)
    for step in then:
        change(place.path, *step)
    after = kept.take(place)
    place.put(before.manifest, kept.kept)
    assert kept.take(place).token == before.token
    assert Place(place.path).look(kept.kept) == before.manifest  # seen with fresh eyes
    place.put(after.manifest, kept.kept)
    assert kept.take(place).token == after.token


def test_what_is_ignored_is_put_back_and_not_compared(states, tmp_path):
    """Patterns of names, and all that is in a folder of such a name."""
    place = place_in(tmp_path)
    (place.path / "notes").write_text("tea")
    first = states.take(place)
    (place.path / "run.log").write_text("started")
    (place.path / "cache").mkdir()
    (place.path / "cache" / "x").write_text("y")
    second = states.take(place)
    assert second.fingerprint == first.fingerprint and second.token != first.token
    assert states.differing(first.manifest, second.manifest) == ["cache", "cache/x", "run.log"]
    place.put(first.manifest, states.kept)
    assert [path.name for path in place.path.iterdir()] == ["notes"]


def test_times_are_no_difference(states, tmp_path):
    """A file that is written anew with the same content is the same; so is one that was touched."""
    place = place_in(tmp_path)
    (place.path / "notes").write_text("tea")
    first = states.take(place)
    os.utime(place.path / "notes", (1, 1))
    second = states.take(place)
    assert second.fingerprint == first.fingerprint and states.differing(first.manifest, second.manifest) == []
    place.put(first.manifest, states.kept)
    assert (place.path / "notes").stat().st_mtime_ns == first.manifest["notes"].time


def test_a_file_is_put_back_in_place(states, tmp_path):
    """Whoever has it open sees what it was."""
    place = place_in(tmp_path)
    (place.path / "notes").write_text("tea")
    first = states.take(place)
    with open(place.path / "notes", "r+") as held:
        held.write("milk and more")
        held.flush()
        place.put(first.manifest, states.kept)
        held.seek(0)
        assert held.read() == "tea"


def test_what_was_not_touched_is_not_read_again(states, tmp_path, monkeypatch):
    """Nor named anew: the very same state comes back."""
    place = place_in(tmp_path)
    (place.path / "notes").write_text("tea")
    first = states.take(place)
    monkeypatch.setattr(type(place.path), "read_bytes", None)
    assert states.take(place) is first


def test_a_folder_in_the_place_of_a_file(states, tmp_path):
    """And the other way round, also where it may not be written into."""
    place = place_in(tmp_path)
    (place.path / "x").write_text("file")
    first = states.take(place)
    (place.path / "x").unlink()
    (place.path / "x").mkdir()
    (place.path / "x" / "inner").write_text("y")
    (place.path / "x").chmod(0o500)
    place.put(first.manifest, states.kept)
    assert (place.path / "x").read_text() == "file"


def test_two_names_of_one_file(states, tmp_path):
    """What a server linked together is two files again; a pipe that it left is gone."""
    place = place_in(tmp_path)
    (place.path / "a").write_text("A")
    (place.path / "b").write_text("B")
    first = states.take(place)
    (place.path / "a").unlink()
    os.link(place.path / "b", place.path / "a")
    os.mkfifo(place.path / "pipe")
    place.put(first.manifest, states.kept)
    assert [(path.name, path.read_text()) for path in sorted(place.path.iterdir())] == [("a", "A"), ("b", "B")]
    (place.path / "b").unlink()
    os.mkfifo(place.path / "b")
    place.put(first.manifest, states.kept)
    assert (place.path / "b").read_text() == "B" and states.take(place).token == first.token
