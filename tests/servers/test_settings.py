"""What `server.toml` says, and what is wrong with it."""

import json

import pytest

from toolbench.errors import ScenarioError, UsageError
from toolbench.servers.settings import CASE, RUN, Directory, ServerSettings, read_server, server_of


@pytest.fixture
def written(tmp_path):
    """A function that writes a server.toml and reads it."""

    def read(text):
        path = tmp_path / "server.toml"
        path.write_text(text)
        return read_server(path)

    return read


def test_all_that_can_be_said(written, tmp_path):
    """Paths are relative to the folder of the file."""
    (tmp_path / "data").mkdir()
    told = written(
        'command = ["serve", "--at", "{directory}"]\ncwd = "data"\nfresh = "case"\nstart = 5\ndeadline = 0.5\n'
        'pass = ["TOKEN"]\nvarying = ["at"]\n[env]\nTZ = "UTC"\n[directory]\ncopy = "data"\nignore = ["*.log"]\n'
    )
    assert (told.command, told.cwd, told.fresh) == (("serve", "--at", "{directory}"), str(tmp_path / "data"), CASE)
    assert (told.start, told.deadline, told.passed, told.varying) == (5, 0.5, ("TOKEN",), ("at",))
    assert told.directory == Directory(copy=str(tmp_path / "data"), ignore=("*.log",))


def test_little_is_needed(written):
    """A command alone: one life for all calls, and no directory."""
    told = written('command = ["serve"]')
    assert (told.fresh, told.directory, dict(told.env)) == (RUN, None, {})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a server has a command or a url, one of them"),
        ('command = ["x"]\nurl = "http://h/"', "a server has a command or a url, one of them"),
        ('url = "ftp://h/"', "url is 'ftp://h/'; it begins with http:// or https://"),
        ('command = "serve"', 'command is "serve"; it is a list of texts'),
        ('command = ["x"]\ncomand = 1', "unknown key 'comand': did you mean command?"),
        ('command = ["x"]\nfresh = "always"', "unknown fresh 'always'"),
        ('command = ["x"]\nstart = 0', "start is 0; it is a number of seconds above 0"),
        ('command = ["x"]\ndeadline = true', "deadline is True; it is a number of seconds above 0"),
        ('command = ["x"]\npass = ["A B"]', "'A B' is no name of an environment variable"),
        ('command = ["x"]\nenv = { A = 1 }', 'env is {"A": 1}; it maps names to texts'),
        ('command = ["x"]\n[directory]', "directory has copy (what it is a copy of) or make (what fills it)"),
        ('command = ["x"]\n[directory]\ncopy = "none"', 'directory.copy is "none"; there is no such directory'),
        ('command = ["x"]\n[directory]\nmak = ["a"]', "directory: unknown key 'mak': did you mean make?"),
        ('command = ["x"]\ndirectory = "data"', 'directory is "data"; it is a table with copy or make'),
        ('url = "http://h/"\nfresh = "case"', "a server behind a url is not started here"),
        ("command = [", "is not TOML"),
    ],
)
def test_what_is_wrong_is_told(written, tmp_path, text, message):
    """With the file, the key and the value."""
    with pytest.raises(ScenarioError) as caught:
        written(text)
    assert str(caught.value).startswith(f"{tmp_path / 'server.toml'}: ") and message in str(caught.value)


def test_a_server_on_a_command_line():
    """Its address, or the command that starts it."""
    assert server_of("http://127.0.0.1:1/mcp").url == "http://127.0.0.1:1/mcp"
    assert server_of("serve 'a b' --c").command == ("serve", "a b", "--c")
    for text, message in (("serve 'a", "cannot be read as a command"), ("  ", "give the command")):
        with pytest.raises(UsageError, match=message):
            server_of(text)


def test_the_environment_is_what_is_named(monkeypatch):
    """PATH, what is handed on by name, and what is given."""
    monkeypatch.setenv("TOKEN", "secret")
    monkeypatch.setenv("OTHER", "mine")
    told = ServerSettings(command=("x",), passed=("TOKEN",), env={"TZ": "UTC"})
    assert set(told.environment()) == {"PATH", "TOKEN", "TZ"}
    assert told.with_names("Bearer {TOKEN} {OTHER}") == "Bearer secret {OTHER}"
    monkeypatch.delenv("TOKEN")
    with pytest.raises(ScenarioError, match="has no TOKEN, which the server is to be given"):
        told.environment()


def test_settings_cross_as_plain_values():
    """To the process that keeps the server, where they are the same settings."""
    told = ServerSettings(command=("x", "y"), cwd="/", env={"A": "1"}, directory=Directory(make=("sh", "m")), start=3)
    assert ServerSettings.from_facts(json.loads(json.dumps(told.facts()))) == told


def test_paths_that_a_field_may_mean(tmp_path):
    """The directory's; or those in the command that are there, and where the server runs."""
    (tmp_path / "db").touch()
    told = ServerSettings(command=("serve", "--db", "db", "other"), cwd=str(tmp_path))
    assert told.paths("db_path") == [str(tmp_path / "db"), str(tmp_path)] and told.paths("query") == []
    told = ServerSettings(command=("x",), directory=Directory(copy=str(tmp_path)))
    assert told.paths("repo_path") == ["{directory}", "{directory}/db", "db"]
