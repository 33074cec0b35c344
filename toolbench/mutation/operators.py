"""All operators, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from toolbench.mutation import contract, definition, value
from toolbench.mutation.operator import Operator

OPERATORS: Mapping[str, Operator] = MappingProxyType(
    {operator.name: operator for file in (value, contract, definition) for operator in file.OPERATORS}
)
