"""What a schema admits: compiled once, asked often, at any place of it.

jsonschema-rs does the work: it is fast, and a pattern that would keep a backtracking engine busy for ever does not keep
it busy. jsonschema is the reference that the tests hold it against. Nothing is ever fetched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from toolbench.pointers import pointer_to
from toolbench.schema import Schema
from toolbench.values import show, show_message

OLDER = ("draft-04", "draft-06", "draft-07")
KNOWN_DRAFTS = (
    *(f"https://json-schema.org/draft/{year}/schema" for year in ("2020-12", "2019-09")),
    *(f"{scheme}://json-schema.org/{draft}/schema" for draft in OLDER for scheme in ("http", "https")),
)


class Validators:
    """The validators of a schema and of all that it is made of, by JSON Pointer.

    problem: why there are none: the schema is not valid, or refers to what is not there; else nothing.

    >>> age = Validators({"type": "object", "properties": {"age": {"type": "integer"}}})
    >>> age.fault({"age": "ten"}), age.fault(10, "/properties/age")
    ('age: "ten" is not of type "integer"', None)
    """

    def __init__(self, schema: Schema):
        import jsonschema_rs

        self.problem = ""
        self._by_pointer: Any = {}
        try:
            self._by_pointer = jsonschema_rs.validator_map_for(_readable(schema), offline=True)
            if self.at() is None:  # a part of it leads nowhere; the parts that do not touch it are there
                jsonschema_rs.validator_for(_readable(schema), offline=True)
        except ValueError as problem:
            self.problem = str(problem).split("\n", 1)[0]

    def at(self, pointer: str = "") -> Any:
        """The validator of the schema at this place; None where there is none."""
        found = self._by_pointer.get(f"#{pointer}")
        return self._by_pointer.get(f"#{quote(pointer, safe='/~!$&()*+,;=:@')}") if found is None else found

    def admits(self, value: Any, pointer: str = "") -> bool | None:
        """Whether a value is admitted; None where nobody can say."""
        validator = self.at(pointer)
        return None if validator is None else _asked(validator, value)

    def fault(self, value: Any, pointer: str = "") -> str | None:
        """Why a value is not admitted, in a line; None if it is, or nobody can say."""
        validator = self.at(pointer)
        if validator is None or _asked(validator, value):
            return None
        first = next(iter(validator.iter_errors(value)))
        place = "/".join(map(str, first.instance_path))
        return f"{place}: {show_message(first.message)}" if place else show_message(first.message)


def metaschema_fault(schema: Any) -> tuple[str, str] | None:
    """Where a schema is not valid JSON Schema (a JSON Pointer), and why; None if it is valid."""
    import jsonschema_rs

    try:
        jsonschema_rs.meta.validate(_readable(schema))
    except jsonschema_rs.ValidationError as problem:
        pointer = pointer_to(*_whole(problem.instance_path, schema))
        return pointer, f"{show(problem.instance, 80)}: {show_message(problem.message)}"
    except ValueError as problem:
        return "", str(problem).split("\n", 1)[0]
    return None


def _whole(path: list[str | int], schema: Any) -> Iterator[str | int]:
    """A path with the empty names in it, which the validator leaves out."""
    here = schema
    for part in path:
        if isinstance(here, Mapping) and part not in here and "" in here:
            yield ""
            here = here[""]
        yield part
        within = (isinstance(here, Mapping) and part in here) or (isinstance(here, list) and isinstance(part, int))
        here = here[part] if within else None


def _asked(validator: Any, value: Any) -> bool:
    try:
        return bool(validator.is_valid(value))
    except ValueError:  # a value that no JSON text could carry
        return False


def _readable(schema: Any) -> Any:
    """The schema without a `$schema` that is not one of the drafts that are known; the newest is taken then.

    The validator would look for any other one in the network.
    """
    if not isinstance(schema, Mapping) or str(schema.get("$schema", KNOWN_DRAFTS[0])).rstrip("#") in KNOWN_DRAFTS:
        return schema
    return {key: value for key, value in schema.items() if key != "$schema"}
