"""The findings of `check` for programs: as JSON, and as SARIF 2.1.0."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from toolbench.checking.codes import CODES
from toolbench.checking.finding import Finding

if TYPE_CHECKING:
    from toolbench.checks import Check

FORMAT, VERSION = "toolbench-check", 1
SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def document(check: Check) -> dict[str, Any]:
    """The findings as plain values; readers ignore keys that they do not know."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "target": check.name,
        "tools": list(check.tools),
        "probes": check.probes,
        "findings": [_plain(finding) for finding in check.findings],
        "not_probed": [asdict(left) for left in check.not_probed],
        "switched_off": [{**_plain(finding), "reason": reason} for finding, reason in check.off],
    }


def json_of(check: Check) -> str:
    """The document as text; every character beyond ASCII is written as an escape."""
    return json.dumps(document(check), indent=1) + "\n"


def _plain(finding: Finding) -> dict[str, Any]:
    return {**asdict(finding), "input": None if finding.input is None else dict(finding.input)}


def sarif_of(check: Check) -> str:
    """The findings as SARIF: one rule per code, one result per finding, at its tool and place in the schema."""
    used = sorted({finding.code for finding in check.findings})
    rules = [
        {
            "id": code,
            "shortDescription": {"text": CODES[code].why},
            "help": {"text": CODES[code].cure},
            "defaultConfiguration": {"level": CODES[code].severity},
        }
        for code in used
    ]
    driver = {"name": "toolbench", "rules": rules}
    results = [_result(check, finding, used.index(finding.code)) for finding in check.findings]
    suppressed = [
        {**_result(check, finding, -1), "suppressions": [{"kind": "external", "justification": reason}]}
        for finding, reason in check.off
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results + suppressed}
    return json.dumps({"$schema": SARIF, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _result(check: Check, finding: Finding, rule: int) -> dict[str, Any]:
    text = f"{finding.tool}: {finding.seen}. {finding.cure}"
    place: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": f"{finding.tool}{finding.pointer}"}]}
    if file := _file(check.place):
        place["physicalLocation"] = {"artifactLocation": {"uri": quote(file)}, "region": {"startLine": 1}}
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": finding.severity,
        "message": {"text": text},
        "locations": [place],
    }
    if rule >= 0:
        result["ruleIndex"] = rule
    if finding.input is not None:
        result["properties"] = {"input": dict(finding.input)}
    return result


def _file(place: str) -> str:
    """The file that is meant by a target, of a scenario folder its `scenario.py`; nothing where there is no file."""
    name = place if os.path.exists(place) else place.rpartition(":")[0]
    path = Path(name) / "scenario.py" if os.path.isdir(name) else Path(name)
    return path.as_posix() if name and path.is_file() else ""
