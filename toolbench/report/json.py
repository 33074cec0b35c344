"""The report as JSON: long, one row per verdict. Its schema is `report.schema.json` beside this file."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolbench.measurement import Measurement

FORMAT, VERSION = "toolbench-report", 1
SCHEMA = Path(__file__).with_name("report.schema.json")


def json_document(m: Measurement) -> dict[str, Any]:
    """The report as plain values; readers ignore keys that they do not know."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "scenario": m.scenario.name,
        "seeds": {"text": m.seeds.text, "count": len(m.seeds)},
        "engine": m.engine,
        "digests": m.scenario.digests(),
        "suite": {
            "cases": len(m.scenario.cases),
            "failing": max((sum(not row["passed"] for row in run.rows) for run in m.suite), default=0),
            "vacuous": list(m.vacuous()),
        },
        "defects": [
            {
                "id": defect.id,
                "tool": defect.tool,
                "class": defect.class_,
                "operator": defect.operator,
                "description": defect.description,
                "equivalent": defect.id in m.equivalent,
            }
            for defect in m.defects
        ],
        "verdicts": [asdict(verdict) for verdict in m.verdicts],
        "catch_rates": [
            {
                "class": row["class"],
                "layer": row["layer"],
                "caught": row["k"],
                "defects": row["n"],
                "share": row["share"],
            }
            for row in m.catch_rate_rows()
        ],
        "success": m.success_rows(),
        "bands": m.band_rows(),
        "paired": m.newly(),
        "overlap": [{"layers": row["layers"], "defects": row["defects"]} for row in m.overlap_rows()],
        "cost": m.cost_rows(),
        "left_out": [asdict(left) for left in m.left_out],
    }


def json_report(m: Measurement) -> str:
    """The document as text; every character beyond ASCII is written as an escape."""
    return json.dumps(json_document(m), indent=1) + "\n"
