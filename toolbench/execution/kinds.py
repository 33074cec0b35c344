"""What a worker can do with units, by the name that a Work gives in `layer`: observe, build machines, run lanes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from toolbench.agent.machine import check_agent, unshared
from toolbench.errors import ScenarioError
from toolbench.execution.apart import apart
from toolbench.execution.compiling import compiled, without
from toolbench.layers.all import LAYERS
from toolbench.layers.layer import Layer, Row, Unit
from toolbench.mutation.defect import NONE
from toolbench.mutation.engine import Tables
from toolbench.outcome import NOT_BACK, SKIPPED, TOO_LONG
from toolbench.table import ToolTable


@dataclass(frozen=True)
class Kind:
    """One kind of work.

    run: (tables, table, units, given) to one row per unit, in order, each yielded as soon as it is there. ended:
    (unit, `timeout` or `died`, reason) to the row of a unit that was ended from outside; where there is no such
    row, it raises a ToolbenchError, which is then what comes of the work.
    """

    run: Callable[[Tables, ToolTable, Sequence[Unit], Any], Iterator[Row]]
    ended: Callable[[Unit, str, str], Row]


def observing(layer: Layer) -> Kind:
    """To observe by a layer, which needs nothing beyond its units."""
    return Kind(lambda tables, table, units, given: layer.observe(tables.scenario, table, units), layer.ended)


def _machines(tables: Tables, table: ToolTable, units: Sequence[Unit], given: Any) -> Iterator[Row]:
    """A unit is a table's name, given the deadline of a call; see `toolbench.execution.compiling`."""
    return compiled(tables, units, given)


def _no_machine(unit: Unit, kind: str, reason: str) -> Row:
    return without(unit, f"the process that builds its machines {kind}: {reason}")


def _lanes(tables: Tables, table: ToolTable, units: Sequence[Unit], given: Any) -> Iterator[Row]:
    """A unit is a chunk of seeds, given the machines of all tables; a row is what came of it. No tool runs."""
    from toolbench.chunks import Chunk, run, tracks  # numpy is loaded where lanes are run

    ready = tracks(unshared(given), check_agent(tables.scenario.agent))
    for unit in units:
        yield run(Chunk.from_facts(unit), ready, NONE).facts()


def _no_lanes(unit: Unit, kind: str, reason: str) -> Row:
    raise ScenarioError(f"a chunk of seeds could not be run: {kind}: {reason}")


def _probes(tables: Tables, table: ToolTable, units: Sequence[Unit], given: Any) -> Iterator[Row]:
    """A unit is a probe of the definition layer; one that asks for it is made in a process of its own.

    given: when so many calls of tools that run elsewhere did not come back, or with far too much, the others are left.
    """
    layer, ended = LAYERS["definition"], 0
    for unit in units:
        if given is not None and ended >= given:
            yield layer.ended(unit, SKIPPED, f"not tried, since {ended} did not come back")
        elif unit["apart"]:
            made = partial(next, layer.observe(tables.scenario, table, [unit]))
            yield apart(made, stirred=unit.get("stirred", False))
        else:
            for row in layer.observe(tables.scenario, table, [unit]):
                ended += row["kind"] in NOT_BACK or TOO_LONG in row["types"]
                yield row


def _draws(tables: Tables, table: ToolTable, units: Sequence[Unit], given: Any) -> Iterator[Row]:
    """A unit is a schema, given the number of values that are wanted of each. No tool runs."""
    from toolbench.checking.drawing import draw

    for schema in units:
        yield draw(schema, given)


def _no_draw(unit: Unit, kind: str, reason: str) -> Row:
    return {"values": [], "not_drawn": [], "why": f"{kind}: {reason}"}


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        **{name: observing(layer) for name, layer in LAYERS.items()},
        "definition": Kind(_probes, LAYERS["definition"].ended),
        "draws": Kind(_draws, _no_draw),
        "machines": Kind(_machines, _no_machine),
        "lanes": Kind(_lanes, _no_lanes),
    }
)
