"""Writing what was asked for: whole or not at all."""

import os
import stat
import sys

import pytest

from toolbench.cli.output import check_writable, print_text, write_folder, write_text
from toolbench.errors import UsageError


def refusal(function, *given, **more):
    with pytest.raises(UsageError) as refused:
        function(*given, **more)
    return str(refused.value)


def test_text_is_printed_as_it_is(capsys):
    """What is printed is the text and nothing else."""
    print_text("a report\n")
    assert capsys.readouterr().out == "a report\n"


def test_a_standard_output_that_is_not_there(monkeypatch):
    """Where standard output is closed, the cure is named."""
    monkeypatch.setattr(sys, "stdout", None)
    assert refusal(print_text, "x") == "standard output is closed; give --out FILE, or leave it open"


def test_a_file_is_replaced_in_one_step(tmp_path):
    """The file has the new text and its old permissions, and nothing lies beside it."""
    out = tmp_path / "report.txt"
    out.write_text("old")
    out.chmod(0o604)
    write_text(out, "größer\r\n")
    assert out.read_bytes() == "größer\r\n".encode()
    assert stat.S_IMODE(out.stat().st_mode) == 0o604
    assert list(tmp_path.iterdir()) == [out]


def test_a_new_file_has_the_usual_permissions(tmp_path):
    """A file that was not there gets what the user's mask gives to any new file."""
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "new.txt", "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o640


def test_text_that_cannot_be_encoded_is_escaped(tmp_path):
    """Half a character of another encoding is written as an escape."""
    write_text(tmp_path / "odd.txt", "a\udc80b")
    assert (tmp_path / "odd.txt").read_text() == "a\\udc80b"


def test_a_pipe_is_written_to(tmp_path):
    """A pipe that someone reads gets the text, and stays a pipe."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_text(pipe, "through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_files_of_a_folder(tmp_path):
    """A folder is made with all that leads to it; a file of someone else's stays."""
    out = tmp_path / "deep" / "down"
    write_folder(out, {"a.csv": "1\n", "b.csv": "2\n"})
    (out / "mine.txt").write_text("mine")
    write_folder(out, {"a.csv": "3\n"})
    assert {path.name: path.read_text() for path in out.iterdir()} == {
        "a.csv": "3\n", "b.csv": "2\n", "mine.txt": "mine",
    }  # fmt: skip


def test_nothing_half_written_is_left(tmp_path):
    """When one file of several cannot be written, the old ones are as they were."""
    (tmp_path / "a.csv").write_text("old")
    said = refusal(write_folder, tmp_path, {"a.csv": "new", "nowhere/b.csv": "new"})
    assert said == f"{tmp_path}: cannot be written: No such file or directory"
    assert (tmp_path / "a.csv").read_text() == "old"
    assert list(tmp_path.iterdir()) == [tmp_path / "a.csv"]


def test_a_place_is_looked_at_before_a_long_run(tmp_path):
    """What cannot be written to is refused at once, and what can be is left untouched."""
    file = tmp_path / "a_file"
    file.write_text("mine")
    assert refusal(check_writable, tmp_path, folder=False) == f"{tmp_path}: is a folder; --out names a file"
    assert "is not a folder; csv is one file per table" in refusal(check_writable, file, folder=True)
    assert f"{file} is no folder" in refusal(check_writable, file / "below.txt", folder=False)
    check_writable(tmp_path / "new.txt", folder=False)
    check_writable(tmp_path / "new" / "deep", folder=True)
    assert [path.name for path in tmp_path.iterdir()] == ["a_file"]
