"""The files of a scenario that is a server's, as texts."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from toolbench.cases import Case
from toolbench.definition import Definition
from toolbench.mutation.defect import Defect
from toolbench.recording.calls import Recorded
from toolbench.servers.settings import DEADLINE, RUN, SERVER, START, ServerSettings
from toolbench.servers.snapshot import SNAPSHOT, Listing
from toolbench.tasks import TASKS
from toolbench.toml_values import encode
from toolbench.values import harmless

PLAIN = re.compile(r"[^A-Za-z0-9_.:-]+")

ABOUT_SERVER = """\
# The server, and how long it lives. What the tools are is in {snapshot}, as it was kept.
#
# command    the program and its arguments; or url = "http://..." for one over streamable HTTP (with [headers])
# cwd        where it runs, relative to this folder
# env        variables that it gets beside PATH; pass = ["NAME"] hands on some of your own
# fresh      "run": one life for all calls; "case": one for each case, probe and episode
# varying    fields of answers that differ from call to call; "{{varying}}", 0 or false is seen in their place
# directory  copy = "FOLDER", or make = ["command", ...] with $DIRECTORY: what it works on. {{directory}} stands for its
#            path here, in cases and in answers. It is put back before each case, so all tools may be called.
"""
ABOUT_CASES = """\
# Calls of the tools, as the server answered them when this was made. None of them counts until somebody has looked at
# it: where the answer is what it should be, take `confirmed = false` away; where it is not, write what it should be.
# A case passes when every field named under `output` is equal; further fields are allowed.
"""
ABOUT_TASKS = """\
# Jobs for the seeded agent: what it holds at first, the right way, and the right answer. None yet: for example
#
# [agent]
# budget = 8            # steps
# first = 0.85          # the chance that the first step is the right one; it falls by `fall` a step, to `least`
# fall = 0.05
# least = 0.5
# stop = 0.9
# results = {{ {tool} = "{field}" }}   # which field of an answer is the result
#
# [[task]]
# id = "first"
# request = "what somebody asks for"
# start = {start}
# sequence = ["{tool}"]
# answer = "what the result should be"
"""
ABOUT_DEFECTS = """\
# Defects to plant around the server: in the definitions, in arguments on their way in, in answers on their way out.
#
# operator      class       arguments
# copy_field    value       source, target: a field of the answer takes another's value
# fill_missing  contract    values: stand-ins for fields that are missing
# drop_field    definition  field: it is not declared
# rename_field  definition  field, to: it is declared under another name
# add_field     definition  field, schema: it is declared, and nobody uses it
"""
README = """\
# {title}

The tools of {server}, as a scenario.

| file | what it holds |
|---|---|
| `{settings}` | how the server is started, and how long it lives |
| `{snapshot}` | its definitions, as they were kept |
| `cases.toml` | calls with the answers that they got; they count once they are confirmed |
| `{tasks}` | jobs for the seeded agent |
| `defects.toml` | defects to plant around the server |

    python -m toolbench report {folder}    # which of these defects would your cases and tasks notice?
    python -m toolbench check {folder}     # what in the declarations would mislead an agent?
    python -m toolbench drift {folder}     # does the server still declare what was kept?
"""


def files(
    folder: Path, settings: ServerSettings, listing: Listing, definitions: Sequence[Definition], recorded: Recorded
) -> dict[str, str]:
    """The text of each file, by its name. folder: where they will be, which paths are written relative to."""
    recorded_by = {case.tool: case for case in recorded.cases if not case.expects_error}
    shown = shlex.quote(str(folder))
    return {
        SERVER: _server(folder, settings, recorded.varying),
        SNAPSHOT: listing.text(),
        "cases.toml": _cases(definitions, recorded),
        TASKS: _tasks(definitions, recorded_by),
        "defects.toml": _defects(definitions, recorded_by),
        "README.md": README.format(
            title=folder.name,
            server=harmless(listing.called),
            settings=SERVER,
            snapshot=SNAPSHOT,
            tasks=TASKS,
            folder=shown,
        ),
    }


def _toml(value: Mapping[str, Any]) -> str:
    import tomli_w

    return tomli_w.dumps(value)


def _server(folder: Path, settings: ServerSettings, varying: Sequence[str]) -> str:
    given: dict[str, Any] = {"url": settings.url} if settings.url else {"command": list(settings.command)}
    if settings.command:
        given["cwd"] = os.path.relpath(settings.cwd, folder.absolute())
    given |= {"fresh": settings.fresh} if settings.fresh != RUN or settings.directory else {}
    given |= {"start": settings.start} if settings.start != START else {}
    given |= {"deadline": settings.deadline} if settings.deadline != DEADLINE else {}
    given |= {"pass": list(settings.passed)} if settings.passed else {}
    given |= {"varying": list(varying)} if varying else {}
    given |= {"env": dict(settings.env)} if settings.env else {}
    if settings.directory is not None:
        directory: dict[str, Any] = {"copy": os.path.relpath(settings.directory.copy, folder.absolute())}
        given["directory"] = directory | (
            {"ignore": list(settings.directory.ignore)} if settings.directory.ignore else {}
        )
    return f"{ABOUT_SERVER.format(snapshot=SNAPSHOT)}\n{_toml(encode(given))}"


def _cases(definitions: Iterable[Definition], recorded: Recorded) -> str:
    parts = [ABOUT_CASES]
    for definition in definitions:
        own = [case for case in recorded.cases if case.tool == definition.name]
        parts += [f"# confirm by hand\n{_case(case)}" for case in own]
        if not own:
            parts.append(_stub(definition, recorded.without.get(definition.name, "")))
    return "\n".join(parts)


def _case(case: Case) -> str:
    given: dict[str, Any] = {"id": case.id, "tool": case.tool, "confirmed": False}
    given |= {"why": case.why} if case.why else {}
    given |= {"error": True} if case.expects_error else {}
    given["arguments"] = dict(case.arguments)
    if not case.expects_error:
        given["output"] = case.output
    return _entry("case", given)


def _entry(kind: str, given: Mapping[str, Any]) -> str:
    """One table of a list of tables; a short one would be written in a line, and what follows belong to it."""
    fields = encode(dict(given))
    plain = {key: value for key, value in fields.items() if not isinstance(value, dict)}
    nested = {key: value for key, value in fields.items() if isinstance(value, dict)}
    return f"[[{kind}]]\n{_toml(plain)}" + "".join(f"\n{_toml({kind: {key: nested[key]}})}" for key in nested)


def _stub(definition: Definition, why: str) -> str:
    """A case to be filled in, behind comment signs."""
    given = {name: _stand_in(schema) for name, schema in definition.schema.get("properties", {}).items()
             if name in definition.schema.get("required", ())}  # fmt: skip
    entry = _entry("case", {"id": f"{definition.name} 1", "tool": definition.name, "arguments": given,
                            "output": {"text": "..."}})  # fmt: skip
    lines = [f"# {line}".rstrip() for line in entry.splitlines()]
    reason = f" ({why})" if why else ""
    return "\n".join([harmless(f"# to fill in: {definition.name}{reason}"), *lines, ""])


def _stand_in(schema: Any) -> Any:
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    return {"integer": 1, "number": 1.5, "boolean": True, "array": [], "object": {}}.get(str(kind), "...")


def _tasks(definitions: Sequence[Definition], recorded: Mapping[str, Case]) -> str:
    case = next(iter(recorded.values()), None)
    tool = definitions[0].name if case is None else case.tool
    output = {"text": ""} if case is None or not isinstance(case.output, dict) else case.output
    start = "{ }" if case is None else _inline(case.arguments)
    return ABOUT_TASKS.format(tool=harmless(tool), field=harmless(next(iter(output))), start=harmless(start))


def _inline(arguments: Mapping[str, Any]) -> str:
    pairs = [line for line in _toml(encode(dict(arguments))).splitlines() if line and not line.startswith("[")]
    return "{ " + ", ".join(pairs) + " }"


def _defects(definitions: Iterable[Definition], recorded: Mapping[str, Case]) -> str:
    entries = []
    for defect in (one for definition in definitions for one in _planted(definition, recorded.get(definition.name))):
        given = {"id": defect.id, "tool": defect.tool, "operator": defect.operator, "arguments": defect.arguments}
        entries.append(_entry("defect", given))
    return "\n".join([ABOUT_DEFECTS, *entries])


def _planted(definition: Definition, case: Case | None) -> Iterator[Defect]:
    """A few defects for a tool, of each class that can be planted from outside."""
    name, fields = definition.name, definition.fields
    required = [field for field in fields if field in definition.schema.get("required", ())]
    first = next(iter([*required, *fields]), None)
    if first is not None:
        yield _defect(name, "drop_field", field=first)
        yield _defect(name, "rename_field", field=first, to=_unused(fields, f"{first}_name"))
    yield _defect(name, "add_field", field=_unused(fields, "mode"), schema={"type": "string"})
    if case is not None and required and required[0] in case.arguments:
        yield _defect(name, "fill_missing", values={required[0]: case.arguments[required[0]]})
    if case is not None and isinstance(case.output, dict):
        alike = [
            (one, other)
            for one, mine in case.output.items()
            for other, its in case.output.items()
            if type(mine) is type(its) and mine != its
        ]
        if alike:
            yield _defect(name, "copy_field", source=alike[0][0], target=alike[0][1])


def _defect(tool: str, operator: str, **arguments: Any) -> Defect:
    named = PLAIN.sub("-", tool).strip("-") or "tool"
    return Defect(id=f"{named}:{operator}", tool=tool, operator=operator, arguments=arguments)


def _unused(fields: Iterable[str], name: str) -> str:
    known = set(fields)
    while name in known:
        name += "_"
    return name
