"""Servers of others: one on the 1.x line of the SDK, one on node. What is known to be wrong with them is found."""

import shutil
import sqlite3
import sys
from pathlib import Path

import pytest

import toolbench as tb

SQLITE = Path(sys.prefix, "older", "bin", "mcp-server-sqlite")
MEMORY = Path(sys.prefix, "node", "node_modules", "@modelcontextprotocol", "server-memory", "dist", "index.js")

pytestmark = pytest.mark.slow


def warned(checked):
    return {(finding.code, finding.tool) for finding in checked.findings if finding.counts}


@pytest.mark.skipif(not SQLITE.exists(), reason=f"{SQLITE} is not installed; `make .venv/checks` does so")
def test_a_server_on_the_line_before(tmp_path):
    """mcp-server-sqlite sends errors of its database as ordinary text."""
    database = sqlite3.connect(tmp_path / "shop.sqlite")
    database.execute("create table product (name text, price real)")
    database.execute("insert into product values ('tea', 2.5)")
    database.commit()
    database.close()
    server = tb.mcp_server([str(SQLITE), "--db-path", "{directory}/shop.sqlite"], directory=tmp_path)
    checked = tb.check(server)
    assert {("error-as-text", "read_query"), ("error-as-text", "write_query")} <= warned(checked)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not there")
@pytest.mark.skipif(not MEMORY.exists(), reason=f"{MEMORY} is not installed; `make .venv/checks` does so")
def test_a_server_on_node(tmp_path):
    """server-memory says that it deleted what is not there."""
    (tmp_path / "memory.json").write_text('{"type":"entity","name":"tea","entityType":"drink","observations":["hot"]}')
    server = tb.mcp_server(
        ["node", str(MEMORY)], directory=tmp_path, env={"MEMORY_FILE_PATH": "{directory}/memory.json"}
    )
    checked = tb.check(server)
    assert ("effect-claimed", "delete_entities") in warned(checked)
