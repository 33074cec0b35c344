"""A server on the official SDK, over stdin and stdout or, with --http PORT, over streamable HTTP on this machine."""

from __future__ import annotations

import sys

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

server = MCPServer("modern")
READS = ToolAnnotations(read_only_hint=True)


@server.tool(annotations=READS)
def double(number: int) -> dict[str, int]:
    """Twice a number."""
    return {"doubled": 2 * number}


@server.tool(annotations=READS)
def greet(name: str, polite: bool = False) -> str:
    """Greet somebody."""
    if not name:
        raise ToolError("nobody to greet")
    return f"Good day, {name}" if polite else f"Hi {name}"


@server.tool()
def crash(number: int) -> int:
    """Fails in a way that nobody thought of."""
    return number // 0


if __name__ == "__main__":
    if "--http" in sys.argv:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[sys.argv.index("--http") + 1]))
    else:
        server.run()
