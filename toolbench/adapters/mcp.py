"""A session with a server over the official SDK: the handshake, the whole list of tools, and calls, as they came.

The SDK's typed calls raise on a list in which one definition is odd and on an answer that breaks its declared schema.
Both are what a check is to find, so here answers are taken as they came. Notifications (progress, log messages) and
what a server asks of its client never reach an answer: the SDK deals with them, and declines.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

import anyio
from mcp import ClientSession, MCPError
from mcp.client._probe import negotiate_auto
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.dispatcher import CallOptions
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.message import SessionMessage
from mcp_types import CONNECTION_CLOSED, Implementation, jsonrpc_message_adapter

from toolbench.adapters.mcp_stdio import Process
from toolbench.values import harmless, show

MOST_PAGES = 1000


class Unusable(Exception):
    """The server cannot be used: it does not speak the protocol, or lists without end."""


class Gone(Exception):
    """The connection to the server ended."""


@dataclass(frozen=True)
class Refused(Exception):
    """The server answered a request with an error of the protocol."""

    code: int
    message: str


class Session(ClientSession):
    """A session whose answers are taken as they came."""

    async def raw(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of a request, as it came; Refused or Gone where there is none."""
        data: dict[str, Any] = {"method": method, "params": params}
        options: CallOptions = {}
        self._stamp(data, options)
        try:
            result = await self._dispatcher.send_raw_request(method, data["params"], options)
        except MCPError as problem:
            if problem.error.code == CONNECTION_CLOSED:
                raise Gone from None
            raise Refused(problem.error.code, harmless(problem.error.message)) from None
        return result if isinstance(result, dict) else {"result": result}

    async def tools(self) -> list[Any]:
        """All the tools that the server lists, page by page; Unusable when it lists without end."""
        tools: list[Any] = []
        seen: list[Any] = []
        params: dict[str, Any] = {}
        while True:
            page = await self.raw("tools/list", params)
            given = page.get("tools")
            if not isinstance(given, list):
                raise Unusable(f"its answer to tools/list has no list of tools: {show(page, 200)}")
            tools += given
            cursor = page.get("nextCursor")
            if cursor is None:
                return tools
            if cursor in seen:
                raise Unusable(
                    f"its list of tools has no end: the cursor {show(cursor, 60)} came again on page {len(seen) + 1}"
                )
            if len(seen) >= MOST_PAGES:
                raise Unusable(f"its list of tools has more than {MOST_PAGES} pages")
            seen.append(cursor)
            params = {"cursor": cursor}

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return await self.raw("tools/call", {"name": tool, "arguments": dict(arguments)})

    def about(self) -> tuple[dict[str, Any], str]:
        """The server's name and version, and the version of the protocol."""
        info = self.server_info
        server = {} if info is None else {"name": info.name, "version": info.version}
        return server, self.protocol_version or ""


@contextlib.asynccontextmanager
async def over_stdio(process: Process) -> AsyncIterator[Session]:
    """A session with a process, after the handshake."""
    into, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, out_of = anyio.create_memory_object_stream[SessionMessage](0)

    async def read() -> None:
        with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            async with into:
                async for line in process.lines():
                    try:
                        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                    except ValueError:
                        process.no_message(line)
                        continue
                    await into.send(SessionMessage(message))

    async def write() -> None:
        async with out_of:
            async for message in out_of:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                try:
                    await process.write(text.encode() + b"\n")
                except (ConnectionError, RuntimeError):  # it is gone, which its stdout tells
                    return

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read)
        tasks.start_soon(write)
        try:
            async with _negotiated(JSONRPCDispatcher(incoming, outgoing)) as session:
                yield session
        finally:
            tasks.cancel_scope.cancel()
            for stream in (into, incoming, outgoing, out_of):
                stream.close()


@contextlib.asynccontextmanager
async def over_http(url: str, headers: Mapping[str, str]) -> AsyncIterator[Session]:
    """A session with a server at an address, after the handshake."""
    from mcp.shared._httpx_utils import create_mcp_http_client

    async with (
        create_mcp_http_client(headers=dict(headers)) as client,
        streamable_http_client(url, http_client=client) as (incoming, outgoing),
        _negotiated(JSONRPCDispatcher(incoming, outgoing)) as session,
    ):
        yield session


@contextlib.asynccontextmanager
async def _negotiated(dispatcher: JSONRPCDispatcher[Any]) -> AsyncIterator[Session]:
    about = Implementation(name="toolbench", version="0.1.0")
    async with Session(dispatcher=dispatcher, client_info=about) as session:
        await negotiate_auto(session)
        yield session
