"""What is wrong with a server as a whole: its list of tools, and what it writes where messages are expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from toolbench.checking.finding import Finding, found
from toolbench.counting import counted
from toolbench.servers.snapshot import Listing
from toolbench.values import canonical, show

WHOLE = "<server>"  # stands for a tool's name


def server_findings(first: Listing, last: Listing) -> Iterator[Finding]:
    """What its list before and after its tools were called tells of a server."""
    count, line = last.noise
    if count:
        text = f"{counted(count, 'line')} on its standard output {_are(count)} no messages; the first is {show(line)}"
        yield found("stdout-noise", WHOLE, "", text)
    was, now = _by_name(first), _by_name(last)
    changed = [name for name in was if name in now and was[name] != now[name]]
    changes = [("gone", [n for n in was if n not in now]), ("new", [n for n in now if n not in was])]
    said = [f"{what}: {', '.join(names[:5])}" for what, names in [*changes, ("declared otherwise", changed)] if names]
    if said:
        yield found("list-changes", WHOLE, "", f"listed twice, the tools differ ({'; '.join(said)})")


def _by_name(listing: Listing) -> Mapping[str, Any]:
    return {str(tool.get("name")): canonical(dict(tool)) for tool in listing.tools if isinstance(tool, Mapping)}


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
