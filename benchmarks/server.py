"""What a call through a keeper costs beside the SDK's own round trip, and how long `check --mcp` takes.

The same call of the same server (mcp-server-time), in turns: by the SDK's client in this process, and by a tool of a
live table, as a worker makes it. Then `check --mcp` on a server of 20 tools, beside the time until its list is there.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mcp import Client, StdioServerParameters

from toolbench.servers.server import Server
from toolbench.servers.settings import server_of

CALLS, ROUNDS = 100, 11
ARGUMENTS = {"source_timezone": "Asia/Tokyo", "time": "10:00", "target_timezone": "Etc/UTC"}
TWENTY = """
from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

server = MCPServer("twenty")
for number in range(20):

    @server.tool(name=f"tool_{number}", annotations=ToolAnnotations(read_only_hint=True))
    def tool(text: str, times: int = 1, upper: bool = False) -> dict[str, str]:
        \"\"\"Repeat a text.\"\"\"
        return {"text": (text.upper() if upper else text) * max(0, min(times, 9))}

server.run()
"""


async def main() -> None:
    program = str(Path(sys.executable).parent / "mcp-server-time")
    server = Server(server_of(program, cwd="."))
    ratios, own, theirs = [], [], []
    with server.running():
        server.listing()
        world = server.worlds()()
        async with Client(StdioServerParameters(command=program)) as client:
            for _ in range(ROUNDS):
                begun = time.perf_counter()
                for _ in range(CALLS):
                    await client.call_tool("convert_time", ARGUMENTS)
                between = time.perf_counter()
                for _ in range(CALLS):
                    world.call("convert_time", ARGUMENTS)
                theirs.append((between - begun) / CALLS * 1e3)
                own.append((time.perf_counter() - between) / CALLS * 1e3)
                ratios.append(own[-1] / theirs[-1])
    low, high = min(ratios), max(ratios)
    print(f"a call by the SDK's client  {statistics.median(theirs):.2f} ms")
    print(f"a call through the keeper   {statistics.median(own):.2f} ms")
    print(f"ratio                       {statistics.median(ratios):.2f} ({low:.2f} to {high:.2f}); wanted below 1.2")
    check() if "--calls" not in sys.argv else None


def check() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "twenty.py")
        file.write_text(TWENTY)
        command = f"{sys.executable} {file}"
        wholes, starts = [], []
        for _ in range(3):
            begun = time.perf_counter()
            server = Server(server_of(command, cwd="."))
            with server.running():
                server.listing()
            starts.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            asked = [sys.executable, "-m", "toolbench", "check", "--mcp", command, "--fail-on", "never"]
            told = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
            wholes.append(time.perf_counter() - begun)
        print(told.strip().splitlines()[0])
        print(f"start, list and end of a server of 20 tools  {statistics.median(starts):.1f} s")
        print(f"check --mcp, whole command                   {statistics.median(wholes):.1f} s; wanted below 5 s more")


if __name__ == "__main__":
    asyncio.run(main()) if "--check" not in sys.argv else check()
