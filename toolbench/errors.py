"""The library's exceptions, and the one place that says "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class ToolbenchError(Exception):
    """Something that the user can put right; its text says what, where, and what would be right."""


class UsageError(ToolbenchError):
    """A name, number or option that cannot be used as given."""


class SchemaError(ToolbenchError):
    """A schema that is not valid JSON Schema (draft 2020-12)."""


class ScenarioError(ToolbenchError):
    """A scenario that cannot be used: missing, unloadable, or at odds with itself."""


class ToolRefused(ScenarioError):
    """A function that cannot be made a tool as it stands.

    tool: the tool's name. code: the kind of reason, a word for programs. what: the reason in words. cure: what to
    write instead. pointer: the place in the tool's schema, as a JSON Pointer; empty where it is the function itself.
    """

    def __init__(self, tool: str, code: str, what: str, cure: str, pointer: str = "", place: str = ""):
        super().__init__(tool, code, what, cure, pointer, place)  # what a copy in another process is made of
        self.tool, self.code, self.what, self.cure, self.pointer, self.place = tool, code, what, cure, pointer, place

    def __str__(self) -> str:
        return f"{f'{self.place}: ' if self.place else ''}tool {self.tool}: {self.what}; {self.cure}"

    def at(self, place: str) -> ToolRefused:
        """The same, with the place where it happened in front."""
        return ToolRefused(self.tool, self.code, self.what, self.cure, self.pointer, place)


class CatalogueError(ToolbenchError):
    """A catalogue that is malformed or does not fit its scenario."""


class CannotApply(ToolbenchError):
    """A defect that finds nothing to change in its tool; it is *not measured*."""


class CleanRunFails(ToolbenchError):
    """The defect-free table fails its own suite, so no rate would mean anything."""


class CannotCompile(ToolbenchError):
    """A table and task of which no machine can be made; its episodes are walked one by one."""


class TableChanged(ToolbenchError):
    """The original table was not the same before and after a run."""


class ToolbenchWarning(UserWarning):
    """Something that works, though most likely not as it was meant."""


def table_changed(scenario: str, run: str) -> TableChanged:
    """The error when a run changed the original table."""
    return TableChanged(
        f"{scenario}: {run} changed the original table; a tool must not alter its own function or schema"
    )


class ToolError(Exception):
    """Raised by a tool to report an error to its caller (the tool works; the call cannot be served)."""


def unknown(kind: str, name: object, known: Iterable[str]) -> str:
    """The message for a name that is not there, with the nearest known ones.

    >>> unknown("layer", "lop", ["tool", "loop"])
    "unknown layer 'lop': did you mean loop? Known: tool, loop"
    """
    names = list(dict.fromkeys(known))
    near = get_close_matches(str(name), names, n=3, cutoff=0.5)
    hint = f": did you mean {' or '.join(near)}?" if near else "."
    shown = ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
    return f"unknown {kind} {name!r}{hint} Known: {shown or 'none'}"
