"""Definition: what an agent is shown of a tool. A table's definitions, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from toolbench.errors import ScenarioError
from toolbench.schema import Schema, declared_fields, read_schema
from toolbench.validation import Validators
from toolbench.values import canonical, plain

SAID = ("name", "description", "title", "side_effect", "destructive", "idempotent", "open_world", "strict")


class _OwnSchema:
    """The field `schema`: read and copied when it is given, handed out as a copy, so that nobody can change it."""

    def __get__(self, definition: Definition | None, kind: type) -> Schema:
        if definition is None:
            raise AttributeError("schema")  # tells dataclass that the field has no default
        schema: Schema = deepcopy(vars(definition)["own"])
        return schema

    def __set__(self, definition: Definition, given: Mapping[str, Any] | Sequence[str]) -> None:
        vars(definition)["own"] = read_schema(given, f"tool {definition.name}")


class _OwnOutputSchema:
    """The field `output_schema`: like `schema`, and None where nothing is declared."""

    def __get__(self, definition: Definition | None, kind: type) -> Schema | None:
        return None if definition is None else deepcopy(vars(definition)["own_output"])

    def __set__(self, definition: Definition, given: Mapping[str, Any] | None) -> None:
        own = None if given is None else read_schema(given, f"tool {definition.name}: output")
        vars(definition)["own_output"] = own


@dataclass(frozen=True)
class Definition:
    """What an agent is shown of a tool: name, description, schema and annotations; never the function.

    schema: JSON Schema (draft 2020-12), or a list of field names; handed out as a copy. fields: the declared
    fields' names. side_effect: whether a call may change something beyond its answer; destructive: whether it may
    destroy; idempotent: whether a second equal call changes nothing more; open_world: whether it reaches beyond the
    world. Of these, None is what nobody has said. output_schema: JSON Schema of the answer, handed out as a copy.
    strict: whether a provider holds an agent to the schema (OpenAI's strict mode). examples: arguments as an example.

    >>> Definition("look_up", ["query"]).arguments_from({"query": "tea", "mood": "good"})
    {'query': 'tea'}
    """

    name: str
    schema: _OwnSchema = _OwnSchema()  # a descriptor, not a default
    description: str = ""
    side_effect: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None
    title: str = ""
    output_schema: _OwnOutputSchema = _OwnOutputSchema()
    strict: bool = False
    examples: Sequence[Mapping[str, Any]] = ()
    fields: tuple[str, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.name or not isinstance(self.name, str):
            raise ScenarioError(f"a tool's name is a text that is not empty, not {self.name!r}")
        object.__setattr__(self, "fields", declared_fields(vars(self)["own"]))
        try:
            object.__setattr__(self, "examples", tuple(plain(dict(example)) for example in self.examples))
        except (TypeError, ValueError) as problem:
            raise ScenarioError(
                f"tool {self.name}: examples are mappings of field names to values: {problem}"
            ) from None

    @cached_property
    def validators(self) -> Validators:
        """The validators of the schema and of its parts, compiled when they are first needed."""
        return Validators(vars(self)["own"])

    def arguments_from(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call by definition: the declared fields that the state holds."""
        arguments = {}
        for name in self.fields:
            if name in state:
                arguments[name] = state[name]
        return arguments

    def with_schema(self, change: Callable[[Schema], None]) -> Definition:
        """A definition whose schema is a changed copy; `change` works on the copy in place."""
        schema = self.schema
        change(schema)
        return replace(self, schema=schema)

    def text(self) -> str:
        """The definition as canonical JSON: equal texts, equal definitions (key order apart)."""
        own = vars(self)
        said = [own["own"], own["own_output"], list(self.examples)]
        return canonical([*said, *(own[name] for name in SAID)])


class Definitions(dict[str, Definition]):
    """The definitions of a table by name, read-only; `names` holds the names in the table's order."""

    def __init__(self, definitions: Iterable[Definition] = ()):
        super().__init__((definition.name, definition) for definition in definitions)
        self.names = tuple(self)

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError("the definitions of a table are read-only; ToolTable.replace gives a new table")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse
