"""A catalogue: a TOML file of defects written by hand, and its validation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from toolbench.errors import CatalogueError, unknown
from toolbench.mutation.defect import Defect
from toolbench.mutation.operator import CLASSES
from toolbench.mutation.operators import OPERATORS
from toolbench.schema import Schema
from toolbench.toml_values import read_toml
from toolbench.values import show

TEXT: Schema = {"type": "string", "minLength": 1}
CATALOGUE: Schema = {
    "type": "object",
    "properties": {
        "defect": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": TEXT,
                    "tool": TEXT,
                    "class": {"enum": list(CLASSES)},
                    "operator": {"enum": sorted(OPERATORS)},
                    "arguments": {"type": "object"},
                    "description": {"type": "string"},
                },
                "required": ["id", "tool", "operator"],
                "additionalProperties": False,
            },
        }
    },
    "additionalProperties": False,
}
"""The JSON Schema of a catalogue file, once its `<key>_json` values are read."""


def read_catalogue(path: Path) -> tuple[Defect, ...]:
    """The defects of a catalogue file; CatalogueError names file, defect, key and value, and what would be right."""
    content = read_toml(path, CatalogueError)
    _validate(content, CATALOGUE, path, content.get("defect"))
    entries = content.get("defect", [])
    seen: set[str] = set()
    for entry in entries:
        if entry["id"] in seen:
            raise CatalogueError(f"{path}: two defects have the id {entry['id']!r}; an id is unique")
        seen.add(entry["id"])
    return tuple(_defect(entry, path) for entry in entries)


def _defect(entry: dict[str, Any], path: Path) -> Defect:
    arguments = entry.get("arguments", {})
    _validate(arguments, OPERATORS[entry["operator"]].arguments, path, label=f"defect {entry['id']}: arguments")
    try:
        return Defect(
            id=entry["id"],
            tool=entry["tool"],
            operator=entry["operator"],
            arguments=arguments,
            class_=entry.get("class", ""),
            description=entry.get("description", ""),
        )
    except CatalogueError as problem:
        raise CatalogueError(f"{path}: {problem}") from None


def check_arguments(defect: Defect) -> None:
    """CatalogueError unless a defect's arguments are what its operator takes."""
    _validate(defect.arguments, OPERATORS[defect.operator].arguments, label=f"defect {defect.id}: arguments")


def _validate(value: Any, schema: Schema, path: Path | None = None, entries: Any = None, label: str = "") -> None:
    from jsonschema import Draft202012Validator

    for problem in Draft202012Validator(schema).iter_errors(value):
        place = list(problem.absolute_path)
        where = label
        if len(place) > 1 and isinstance(entries, list):
            entry = entries[int(place[1])]
            known = entry.get("id") if isinstance(entry, dict) else None
            where, place = f"defect {known if isinstance(known, str) else f'number {int(place[1]) + 1}'}", place[2:]
        key = ".".join(map(str, place))
        parts = ["" if path is None else str(path), where, key, _right(problem)]
        raise CatalogueError(": ".join(part for part in parts if part))


def _right(problem: Any) -> str:
    """What is wrong with a value, and what would be right, from a validation error."""
    value, wanted = problem.instance, problem.validator_value
    if problem.validator == "additionalProperties":
        known = problem.schema.get("properties", {})
        return unknown("key", next(name for name in value if name not in known), known)
    if problem.validator == "required":
        missing = [name for name in wanted if name not in value]
        return f"{', '.join(missing)} is missing; needed are {', '.join(wanted)}"
    if problem.validator == "enum":
        return unknown("value", value, wanted) if isinstance(value, str) else f"{show(value)} is not one of {wanted}"
    if problem.validator == "type":
        kinds = " or ".join([wanted] if isinstance(wanted, str) else wanted)
        return f"{show(value, 80)} is not of type {kinds}"
    if problem.validator in ("minLength", "minProperties"):
        return f"{show(value, 80)} is empty"
    return f"{show(value, 80)} does not fit {problem.validator} {show(wanted, 80)}"
