"""The definition layer: reads each declaration, and calls the functions with what the declaration admits, and just not.

A unit is one probe: calls made one after the other in a fresh world, of which the last is looked at. What the rows say
of the declaration is judged elsewhere, where a tool's rows are all there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from json import dumps  # by name: a tool may patch the module
from typing import Any

from toolbench.checking.harvest import harvested
from toolbench.layers.layer import Row, Unit
from toolbench.outcome import OK, Outcome
from toolbench.scenario import Scenario
from toolbench.seeds import Seeds
from toolbench.table import ToolTable
from toolbench.validation import Validators
from toolbench.values import SCALARS, digest, harmless, show

BESIDE = frozenset({"text", "content"})  # what a server says beside its structured content
SMALL = 2000  # characters
SHOWN = 120


class DefinitionLayer:
    """Makes probes: a unit is {calls: [[tool, arguments], ...], apart}, a row what its last call came to.

    A row is {kind, answer, size, shown, why, types, fields, marks, fault}; marks are the world's fingerprints before
    and after the last call, None where it has none.
    """

    name = "definition"

    def units(self, scenario: Scenario, seeds: Seeds) -> Sequence[Unit]:
        """The calls of the suite; what else is worth trying depends on what calls come to."""
        return [{"calls": [[case.tool, dict(case.arguments)]], "apart": False} for case in scenario.suite]

    def observe(self, scenario: Scenario, table: ToolTable, units: Sequence[Unit]) -> Iterator[Row]:
        fresh, marked = scenario.fresh_world, scenario.restorable
        first = fresh().fingerprint() if marked else ""
        outputs: dict[str, Callable[[Any], str]] = {}
        for unit in units:
            world, start = fresh(), first
            *before, (name, arguments) = unit["calls"]
            for tool, given in before:
                table.call(tool, given, world)
            if before and marked:
                start = world.fingerprint()
            outcome = table.call(name, arguments, world)
            marks = [start, world.fingerprint()] if marked else None
            if name not in outputs:
                outputs[name] = _output_fault(table, name)
            row = {**row_of(outcome), "marks": marks, "fault": outputs[name](outcome)}
            if name in table and table[name].elsewhere:
                row["harvest"] = harvested(outcome.value) if outcome.kind == OK else []
                row["changed"] = world.changes()
            yield row

    def ended(self, unit: Unit, kind: str, reason: str) -> Row:
        return {**row_of(Outcome(kind, None, harmless(reason))), "marks": None, "fault": ""}

    def lack(self, scenario: Scenario) -> str | None:
        return None


def row_of(outcome: Outcome) -> Row:
    """An outcome as plain values, none of them long."""
    value = outcome.value
    fields = value if isinstance(value, dict) else {}
    small = {name: inner for name, inner in fields.items() if type(inner) in SCALARS and _is_short(inner)}
    try:
        text = dumps(value, sort_keys=True, ensure_ascii=False)
        answer = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]
        shown = harmless(text if len(text) <= SHOWN else f"{text[:SHOWN]}…")
    except ValueError:  # a whole number of so many digits that Python does not print it
        text, answer, shown = "", digest(value), show(value, SHOWN)
    return {
        "kind": outcome.kind,
        "answer": answer,
        "size": len(text),
        "shown": shown,
        "why": harmless(outcome.message[:SMALL]),
        "types": list(outcome.types),
        "fields": small,
    }


def _is_short(value: Any) -> bool:
    return value.bit_length() < 3 * SHOWN if type(value) is int else len(str(value)) < SHOWN


def _output_fault(table: ToolTable, name: str) -> Callable[[Outcome], str]:
    """A function that says why an answer breaks the tool's declared output, nothing if it does not."""
    schema = table[name].definition.output_schema if name in table else None
    if schema is None:
        return lambda outcome: ""
    validators = Validators(schema)
    elsewhere, beside = table[name].elsewhere, BESIDE - set(schema.get("properties", ()))

    def fault(outcome: Outcome) -> str:
        if outcome.kind != "ok":
            return ""
        found = validators.fault(outcome.value)
        if found is not None and elsewhere and isinstance(outcome.value, dict):
            found = validators.fault({name: value for name, value in outcome.value.items() if name not in beside})
        if found is not None and set(schema.get("properties", ())) == {"result"}:  # as servers wrap what is no object
            found = validators.fault({"result": outcome.value})
        return found or ""

    return fault
