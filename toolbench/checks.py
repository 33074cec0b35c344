"""check(): what is wrong with the declarations of some tools, wherever they are kept."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolbench.checking.codes import CODES
from toolbench.checking.finding import Finding, found, in_order
from toolbench.checking.server import WHOLE, server_findings
from toolbench.checking.structure import names
from toolbench.definition import Definition
from toolbench.errors import ScenarioError, ToolRefused, UsageError
from toolbench.execution.pool import Pool
from toolbench.execution.trial import try_importing
from toolbench.folder import built_in, shipped
from toolbench.formats.document import Document
from toolbench.formats.files import load_definitions
from toolbench.formats.reading import read_document
from toolbench.loading import load_scenario
from toolbench.modules import is_module, read_functions, read_module, split_reference, tools_of
from toolbench.mutation.defect import NONE
from toolbench.mutation.engine import Tables
from toolbench.probing.checked import Checked, NotProbed, of_definitions
from toolbench.probing.tables import Checking
from toolbench.scenario import Scenario
from toolbench.servers.server import Server
from toolbench.servers.snapshot import Listing, definitions_of
from toolbench.switches import FILE, Switch, read_switches, switched
from toolbench.tools import Tool

if TYPE_CHECKING:
    from pandas import DataFrame

DOCUMENTS = (".json", ".jsonl", ".ndjson")
Target = Scenario | Document
Given = Target | Tool | str | Path | Definition | Mapping[str, Any] | Iterable[Any]


@dataclass(frozen=True, eq=False)
class Check:
    """The result of `check`: it draws itself in a terminal and a notebook.

    name: what was checked. place: its file or folder, where there is one. tools: their names, in order. findings: tool
    by tool, the severest first. off: what is switched off, with the reason. idle: switches that cover nothing.
    """

    name: str
    tools: tuple[str, ...]
    findings: tuple[Finding, ...]
    not_probed: tuple[NotProbed, ...]
    off: tuple[tuple[Finding, str], ...] = ()
    idle: tuple[Switch, ...] = ()
    probes: int = 0
    place: str = ""

    def frame(self) -> DataFrame:
        """One row per finding."""
        import pandas

        rows = [asdict(finding) for finding in self.findings]
        return pandas.DataFrame(rows, columns=list(Finding.__dataclass_fields__))

    def __str__(self) -> str:
        from toolbench.report.findings import text_of

        return text_of(self)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from toolbench.report.findings import html_of

        return html_of(self)


def check(
    target: Given | Server,
    *,
    functions: str | Mapping[str, Any] | None = None,
    probe_all: bool = False,
    deadline: float | None = None,
    jobs: int | None = None,
    switches: str | Path | None = None,
) -> Check:
    """Read declarations, and call the functions behind them where they may be called, for what would mislead an agent.

    target: a scenario (its name, folder, or a Scenario), a Python file or module with tools (`my_tools.py:table`), a
    file of definitions (OpenAI, Anthropic, MCP, JSON Schema), an MCP server (`mcp_server`), or tools, functions,
    definitions themselves. functions: the functions behind definitions, by name, or a module that holds them.
    probe_all: call also tools that may have effects. deadline: seconds for one call. switches: a file of findings that
    are switched off; by default `check.toml` beside the target. Raises a ToolbenchError when there is nothing that
    could be checked.

    >>> check([Definition("pack", {"type": "object", "properties": {"boxes": {"type": "array"}}}, "Packs boxes.")])
    <a definition>: 1 tool, 1 warning
    <BLANKLINE>
    pack
      warning items-missing at /properties/boxes
        the array says nothing of its items
        why: An agent is not told what the array holds, and some providers refuse the tool.
        cure: Declare items.
    <BLANKLINE>
    not probed: pack (no function)
    <BLANKLINE>
    """
    place = str(target) if isinstance(target, str | Path) else ""
    file = _switch_file(place, switches)
    known = () if file is None else read_switches(file)
    if isinstance(target, Server):
        return _of_server(target, known, probe_all=probe_all, deadline=deadline, jobs=jobs)
    try:
        loaded = load_target(target)
    except ToolRefused as problem:
        code = problem.code if problem.code in CODES else "refused"
        where = f" ({problem.place})" if problem.place else ""
        finding = found(code, problem.tool, problem.pointer, f"{problem.what}{where}", cure=problem.cure)
        return _check(place, (problem.tool,), Checked((finding,), (NotProbed(problem.tool, "refused"),)), known, place)
    if isinstance(loaded, Document) and functions is not None:
        loaded = _joined(loaded, functions, place)
    if isinstance(loaded, Document):
        return _of_document(loaded, known, place)
    checked = _of_scenario(loaded, probe_all=probe_all, deadline=deadline, jobs=jobs)
    return _check(loaded.name, tuple(loaded.table), checked, known, place)


def _of_scenario(
    scenario: Scenario, listed: Listing | None = None, *, probe_all: bool, deadline: float | None, jobs: int | None
) -> Checked:
    """What is wrong with a scenario's tools, and with the server that they are on; listed: what it listed before."""
    server, tools = scenario.server, {NONE: list(scenario.table.values())}
    with contextlib.nullcontext() if server is None else server.running():
        first = server.listing() if server is not None and listed is None else listed
        with Pool(Tables(scenario), deadline=deadline, jobs=jobs) as pool:
            checked = Checking(scenario, tools, pool, probe_all=probe_all).results()[NONE]
        if server is None or first is None:
            return checked
        of_server = server_findings(first, server.listing())
    return replace(checked, findings=in_order([*checked.findings, *of_server], [WHOLE, *scenario.table]))


def _of_server(server: Server, known: Sequence[Switch], **how: Any) -> Check:
    """A server whose tools are taken from its list; what is wrong with the list is found as well."""
    with server.running():
        listing = server.listing()
        definitions, faults = definitions_of(listing, listing.called)
        unread = [found("unreadable", fault.tool, fault.pointer, fault.what) for fault in faults]
        twice = names(definitions)
        every = list(dict.fromkeys([*(one.name for one in definitions), *(fault.tool for fault in faults)]))
        checked = _of_scenario(server.scenario(listing), listing, **how) if definitions else Checked((), ())
        findings = in_order([*unread, *twice, *checked.findings], [WHOLE, *every])
    return _check(listing.called, tuple(every), replace(checked, findings=findings), known, "")


def load_target(target: Given) -> Target:
    """What a target holds: a scenario, or a document of definitions without functions."""
    if isinstance(target, Scenario | Document):
        return target
    if isinstance(target, str | Path):
        return _load(str(target))
    if isinstance(target, Tool):
        target = [target]
    given = [target] if isinstance(target, Definition) else target
    if isinstance(given, Mapping) and not all(isinstance(one, Tool) for one in given.values()):
        return read_document(given, "<a definition>")
    if not isinstance(given, Iterable):
        raise UsageError(f"check: {target!r} is no target; give a scenario, tools, definitions, or the name of any")
    items = list(given.values()) if isinstance(given, Mapping) else list(given)
    if items and all(isinstance(one, Definition) for one in items):
        return Document(tuple(items), "definitions", (), ())
    if items and all(isinstance(one, Mapping) for one in items):
        return read_document(items, "<definitions>")
    return Scenario(name="<tools>", tools=tools_of(items, "check"))


def _load(reference: str) -> Target:
    place, _ = split_reference(reference)
    if reference.lower().endswith(DOCUMENTS):
        return load_definitions(reference)
    if reference not in built_in() and not Path(reference).is_dir() and Path(reference).name != "scenario.py":
        if is_module(reference):
            try_importing(reference)
            return read_module(reference)
        if place.endswith(".py"):
            raise UsageError(f"{place}: no such file")
        if Path(reference).is_file():
            return load_definitions(reference)
    try:
        return load_scenario(reference, checked=False)
    except ScenarioError as problem:
        if Path(reference).is_dir():
            raise
        raise UsageError(
            f"{problem}; or a Python file or module with tools (my_tools.py:table), "
            "or a file of definitions (tools.json)"
        ) from None


def _joined(document: Document, functions: str | Mapping[str, Any], place: str) -> Target:
    """A scenario of the definitions that have a function of their name; an error where one has none."""
    if isinstance(functions, str):
        try_importing(functions, functions=True)
        named = read_functions(functions)
    else:
        named = dict(functions)
    if missing := [definition.name for definition in document.definitions if definition.name not in named]:
        raise UsageError(f"functions: there is none for {', '.join(missing)}; there are {', '.join(named) or 'none'}")
    tools = [Tool(definition, named[definition.name]) for definition in document.definitions]
    return Scenario(name=place or "<tools>", tools=tools)


def _of_document(document: Document, known: Sequence[Switch], place: str) -> Check:
    checked = of_definitions(document.definitions)
    unread = [found("unreadable", fault.tool, fault.pointer, fault.what) for fault in document.faults]
    called = list(dict.fromkeys([*(d.name for d in document.definitions), *(fault.tool for fault in document.faults)]))
    every = Checked(in_order([*unread, *checked.findings], called), checked.not_probed)
    return _check(place or "<a definition>", tuple(called), every, known, place)


def _check(name: str, tools: tuple[str, ...], checked: Checked, known: Sequence[Switch], place: str) -> Check:
    left, off, idle = switched(checked.findings, known)
    return Check(name, tools, left, checked.not_probed, off, idle, checked.probes, place)


def _switch_file(place: str, switches: str | Path | None) -> Path | None:
    """Where findings are switched off: in the file given, or in `check.toml` beside what is checked."""
    if switches is not None:
        if not Path(switches).is_file():
            raise UsageError(f"{switches}: no such file; it holds findings that are switched off")
        return Path(switches)
    if not place:
        return None
    file = shipped("scenarios") / place if place in built_in() else Path(split_reference(place)[0])
    return (file if file.is_dir() else file.parent) / FILE
