"""The report as JSON: long, one row per verdict. Its schema is `report.schema.json` beside this file."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolbench.loop_rows import exact_rows, growth_rows, newly_rows, reliability_rows, rule_rows, run_rows

if TYPE_CHECKING:
    from toolbench.measurement import Measurement
    from toolbench.verdict import Verdict

FORMAT, VERSION = "toolbench-report", 1
SCHEMA = Path(__file__).with_name("report.schema.json")


def json_document(m: Measurement) -> dict[str, Any]:
    """The report as plain values; readers ignore keys that they do not know."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "scenario": m.scenario.name,
        "seeds": {"text": m.seeds.text, "count": len(m.seeds)},
        "rule": m.rule,
        "engine": m.engine,
        "walked": {} if m.loop is None else dict(m.loop.walked),
        "digests": m.scenario.digests(),
        "suite": {
            "cases": len(m.scenario.suite),
            "unconfirmed": len(m.scenario.cases) - len(m.scenario.suite),
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
        "verdicts": [asdict(verdict) for verdict in _chosen_last(m)],
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
        "paired": newly_rows(m.loop),
        "rules": rule_rows(m.defects, m.verdicts, m.loop) if "loop" in m.layers else [],
        "exact": exact_rows(m.loop),
        "exact_runs": run_rows(m.loop),
        "growth": growth_rows(m.loop),
        "reliability": reliability_rows(m.loop),
        "overlap": [{"layers": row["layers"], "defects": row["defects"]} for row in m.overlap_rows()],
        "cost": m.cost_rows(),
        "left_out": [asdict(left) for left in m.left_out],
    }


def _chosen_last(m: Measurement) -> list[Verdict]:
    """All verdicts, of each defect and layer that by the chosen rule last: a reader who keeps one keeps that."""
    chosen = [m.explain(verdict.defect, verdict.layer) for verdict in m.verdicts]
    pairs = zip(m.verdicts, chosen, strict=True)
    order = {(verdict.defect, verdict.layer): number for number, verdict in enumerate(m.verdicts)}
    ranked = sorted(pairs, key=lambda pair: (order[pair[0].defect, pair[0].layer], pair[0] is pair[1]))
    return [verdict for verdict, _ in ranked]


def json_report(m: Measurement) -> str:
    """The document as text; every character beyond ASCII is written as an escape."""
    return json.dumps(json_document(m), indent=1) + "\n"
