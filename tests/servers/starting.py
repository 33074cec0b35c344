"""The faulty server as tests start it."""

import sys
from pathlib import Path

import toolbench as tb

HERE = Path(__file__).parent
FAULTY = [sys.executable, str(HERE / "faulty.py")]
MODERN = [sys.executable, str(HERE / "modern.py")]


def faulty(*arguments, **how):
    """The faulty server, misbehaving as its arguments say."""
    return tb.mcp_server([*FAULTY, *map(str, arguments)], **how)
