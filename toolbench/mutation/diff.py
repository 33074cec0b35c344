"""What a planted defect changes, as a diff of the tool's declaration and of the user's own lines."""

from __future__ import annotations

import difflib
import inspect
import json

from toolbench.function_source import source_text
from toolbench.mutation.defect import Planted
from toolbench.mutation.operators import OPERATORS
from toolbench.tools import Tool


def diff(planted: Planted, original: Tool) -> str:
    """A unified diff of the tool before and after; a change around the function stands as a comment below it."""
    if planted.damaged is None:
        return f"could not be applied: {planted.reason}"
    before, after = _text(original), _text(planted.damaged)
    describe = OPERATORS[planted.defect.operator].describe
    if describe is not None:
        after = [*before, f"# {describe(planted.defect.arguments)}"]
    name = original.name
    lines = difflib.unified_diff(before, after, name, f"{name} with {planted.defect.id}", lineterm="")
    return "\n".join(lines) or "changes nothing: the same code and the same declaration"


def _text(tool: Tool) -> list[str]:
    definition = tool.definition
    shown = {"description": definition.description, "side_effect": definition.side_effect, "schema": definition.schema}
    source = tool.source if tool.source is not None else source_text(inspect.unwrap(tool.function))
    declaration = json.dumps({definition.name: shown}, indent=2, ensure_ascii=False).splitlines()
    return [*declaration, *(source or "# the function's source cannot be read").splitlines()]
