"""An MCP server over stdin and stdout in plain Python, without an SDK, that misbehaves as its arguments say.

Without any it is well-behaved: `echo` and `add` only read, `note` and `count` work on notes.txt in --directory, `fail`
reports an error. It speaks the handshake of 2025-06-18, as servers on the 1.x line of the SDK do.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

READS = {"readOnlyHint": True, "openWorldHint": False}
WRITES = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False}
TEXT, NUMBER = {"type": "string"}, {"type": "number"}


def fields(**properties):
    return {"type": "object", "properties": properties, "required": list(properties)}


def tools():
    listed = [
        {"name": "echo", "description": "Say it again.", "inputSchema": fields(text=TEXT), "annotations": READS},
        {
            "name": "add",
            "description": "The sum of two numbers.",
            "inputSchema": fields(a=NUMBER, b=NUMBER),
            "outputSchema": fields(sum=NUMBER),
            "annotations": READS,
        },
        {"name": "note", "description": "Write a line.", "inputSchema": fields(text=TEXT), "annotations": WRITES},
        {"name": "count", "description": "How many lines there are.", "inputSchema": fields(), "annotations": READS},
        {"name": "fail", "description": "Report an error.", "inputSchema": fields(why=TEXT), "annotations": READS},
    ]
    if given.environment:
        named = {"name": "environment", "description": "Names and place.", "inputSchema": fields()}
        listed.append({**named, "annotations": READS})
    if given.remove:
        named = {"name": "remove_note", "description": "Delete a line.", "inputSchema": fields(text=TEXT)}
        listed.append({**named, "annotations": {**WRITES, "destructiveHint": True}})
    for item in listed:
        if item["name"] == given.no_structured:
            item["outputSchema"] = fields(text=TEXT)
    if given.twice:
        listed += [item for item in listed if item["name"] == given.twice]
    if given.changing and state["listed"] % 2:
        listed[0]["inputSchema"] = fields(words=TEXT)
    return listed


def answer(name, arguments):
    """The result of a call; an exception is an internal error."""
    if name in (wrong := wrong_answers()):
        return wrong[name]
    if name not in RIGHT:
        raise LookupError(f"Unknown tool: {name}")
    notes = Path(given.directory, "notes.txt")
    return RIGHT[name](notes, notes.read_text().splitlines() if notes.exists() else [], **arguments)


def wrong_answers():
    """What tools answer that were asked to misbehave."""
    return {
        given.error_as_text: content("Error: no such thing"),
        given.claim: content(json.dumps({"success": True})),
        given.huge: content("x" * 50_000_000) if given.huge else {},
        given.wrong_structured: {**content("seven"), "structuredContent": {"sum": "seven"}},
        given.no_structured: content("words only"),
    }


def add(notes, lines, a, b):
    return {**content(json.dumps({"sum": a + b})), "structuredContent": {"sum": a + b}}


def note(notes, lines, text):
    return write(notes, [*lines, text])


def write(notes, lines):
    notes.write_text("".join(f"{line}\n" for line in lines))
    return content(f"{len(lines)} lines")


def environment(notes, lines):
    here = {"names": sorted(os.environ), "cwd": os.getcwd()}
    return {**content(json.dumps(here)), "structuredContent": here}


def remove_note(notes, lines, text):
    """Says so in any case."""
    if text in lines:
        write(notes, [line for line in lines if line != text])
    return content(json.dumps({"success": True, "message": "deleted"}))


RIGHT = {
    "echo": lambda notes, lines, text: content(text),
    "add": add,
    "note": note,
    "count": lambda notes, lines: content(f"{len(lines)} lines in {notes}"),
    "fail": lambda notes, lines, why: {**content(why), "isError": True},
    "environment": environment,
    "remove_note": remove_note,
}


def content(said):
    return {"content": [{"type": "text", "text": said}]}


def send(message, half=False):
    line = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(line[: len(line) // 2] if half else line + b"\n")
    sys.stdout.buffer.flush()


def say(line):
    sys.stdout.buffer.write(line.encode() + b"\n")
    sys.stdout.buffer.flush()


def call(number, params):
    name, arguments = params["name"], params.get("arguments", {})
    time.sleep(given.slow)
    if name == given.hang:
        return
    if name == given.deaf:
        time.sleep(1000)
    if given.garbage:
        say("2026-01-01 INFO a log line where a message is expected")
    if given.progress:
        token = params.get("_meta", {}).get("progressToken", 1)
        send({"method": "notifications/progress", "params": {"progressToken": token, "progress": 1, "total": 2}})
        send({"method": "notifications/message", "params": {"level": "info", "data": "half way"}})
    if name == given.die:
        send({"id": number, "result": answer(name, arguments)}, half=True)
        sys.stderr.write("the last words of the server\n")
        sys.stderr.flush()
        os._exit(3)
    try:
        send({"id": number, "result": answer(name, arguments)})
    except LookupError as problem:
        send({"id": number, "error": {"code": -32602, "message": str(problem)}})
    except Exception as problem:
        send({"id": number, "error": {"code": -32603, "message": f"{type(problem).__name__}: {problem}"}})


def listed(number, params):
    every = tools()
    state["listed"] += 1
    begin = int(params.get("cursor", 0)) if not given.repeat_cursor else 0
    size = given.pages or len(every)
    page = {"tools": every[begin : begin + size]}
    if given.repeat_cursor:
        page["nextCursor"] = "0"
    elif begin + size < len(every):
        page["nextCursor"] = str(begin + size)
    send({"id": number, "result": page})


def serve():
    for line in sys.stdin.buffer:
        message = json.loads(line)
        number, method, params = message.get("id"), message.get("method"), message.get("params") or {}
        if given.silent or number is None:
            continue
        if method == "initialize":
            about = {"name": given.called, "version": "1"}
            result = {"protocolVersion": given.protocol, "capabilities": {"tools": {}}, "serverInfo": about}
            send({"id": number, "result": result})
        elif method == "tools/list":
            listed(number, params)
        elif method == "tools/call":
            call(number, params)
        elif method == "ping":
            send({"id": number, "result": {}})
        else:
            send({"id": number, "error": {"code": -32601, "message": "Method not found"}})


def options():
    parser = argparse.ArgumentParser()
    for name in ("hang", "deaf", "die", "error-as-text", "claim", "huge", "wrong-structured", "no-structured", "twice"):
        parser.add_argument(f"--{name}", metavar="TOOL", default="")
    for name in ("garbage", "progress", "repeat-cursor", "changing", "silent", "ask", "die-at-start", "environment"):
        parser.add_argument(f"--{name}", action="store_true")
    for name in ("remove", "child", "stay"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--pages", type=int, default=0)
    parser.add_argument("--slow", type=float, default=0.0)
    parser.add_argument("--start-slow", type=float, default=0.0)
    parser.add_argument("--protocol", default="2025-06-18")
    parser.add_argument("--called", default="faulty")
    parser.add_argument("--directory", default=".")
    parser.add_argument("--starts", default="")
    return parser.parse_args()


if __name__ == "__main__":
    given, state = options(), {"listed": 0}
    if given.starts:
        with open(given.starts, "a") as file:
            file.write(f"{os.getpid()}\n")
    if given.die_at_start:
        sys.stderr.write("no database to be found\n")
        sys.exit(7)
    if given.child:
        child = subprocess.Popen(["sleep", "1000"])
        with open(given.starts, "a") as file:
            file.write(f"{child.pid}\n")
    if given.garbage:
        say("Welcome to the faulty server!")
    if given.ask:
        say("Password: ")
        sys.stdin.buffer.readline()
    time.sleep(given.start_slow)
    if given.stay:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    serve()
    if given.stay:
        time.sleep(1000)
