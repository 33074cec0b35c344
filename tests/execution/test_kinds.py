"""What a worker can do with units."""

import json

import jsonschema
import numpy as np
import pytest

import toolbench as tb
from toolbench.agent.machine import shared
from toolbench.chunks import Chunk, Result, run, tracks
from toolbench.errors import ScenarioError
from toolbench.execution.kinds import KINDS
from toolbench.execution.pool import Pool
from toolbench.execution.work import Work, observed
from toolbench.layers.all import LAYERS
from toolbench.mutation.engine import Tables
from toolbench.seeds import read_seeds


@pytest.mark.parametrize("name", LAYERS)
def test_every_layer_is_a_kind(scenario, name):
    """Work that is named after a layer gives the rows of the layer; nothing is given beyond its units."""
    layer = LAYERS[name]
    units = layer.units(scenario, read_seeds(1, scenario.base_seed))
    seen = list(KINDS[name].run(Tables(scenario), scenario.table, units, None))
    assert seen == list(layer.observe(scenario, scenario.table, units))
    assert KINDS[name].ended(units[0], "died", "why") == layer.ended(units[0], "died", "why")


def test_probes_are_made_apart_where_they_ask_for_it(lending):
    """A unit is calls made one after the other; whether it is made in a process of its own changes no row of a tool
    that keeps no memory."""
    take = ["lend_copy", {"barcode": "B001", "reader_card": "R07", "loan_terms": {"weeks": 1}}]
    units = [{"calls": calls, "apart": apart} for apart in (False, True) for calls in ([take], [take, take])]
    with Pool(Tables(lending), jobs=1) as pool:
        [seen] = observed(pool, [Work("none", "definition", units, whole=True)])
    assert [row["kind"] for row in seen.rows] == ["ok", "error"] * 2
    assert seen.rows[:2] == seen.rows[2:]
    assert seen.rows == json.loads(json.dumps(list(LAYERS["definition"].observe(lending, lending.table, units))))


def test_draws_are_a_kind(scenario):
    """A unit is a schema, given how many values are wanted; a row the values, or why there are none."""
    schemas = [tool.definition.schema for tool in scenario.table.values()]
    odd = [{"not": {}}, {"type": "strnig"}, {"type": "integer", "unevaluatedItems": False}, {"const": 3}]
    with Pool(Tables(scenario), jobs=1) as pool:
        first, second = observed(pool, [Work("none", "draws", [*schemas, *odd], given=4)] * 2)
    assert first.rows == second.rows
    for schema, row in zip(schemas, first.rows, strict=False):
        assert 0 < len(row["values"]) <= 4
        assert all(jsonschema.Draft202012Validator(schema).is_valid(value) for value in row["values"])
        assert row["why"] == ""
    never, misspelt, partly, constant = first.rows[len(schemas) :]
    assert (never["values"], never["not_drawn"]) == ([], [["", "not"]])
    assert (misspelt["values"], bool(misspelt["why"])) == ([], True)
    assert partly["not_drawn"] == [["", "unevaluatedItems"]]
    assert {type(value) for value in partly["values"]} == {int}
    assert constant["values"] == [3]


def test_what_is_said_of_probes_and_draws_that_were_ended():
    """A probe that was ended has the kind of its end and the reason; a schema that was has no values."""
    row = KINDS["definition"].ended({"calls": [["f", {}]], "apart": True}, "timeout", "no answer\x1b within 2 s")
    assert (row["kind"], row["why"], row["marks"], row["fault"]) == ("timeout", "no answer\\x1b within 2 s", None, "")
    drawn = KINDS["draws"].ended({"type": "integer"}, "died", "its process exited with code 1")
    assert drawn == {"values": [], "not_drawn": [], "why": "died: its process exited with code 1"}


def test_machines_are_a_kind(scenario):
    """Names of tables, given a deadline, give a row each, with the machines that the scenario has in this process."""
    defects = tuple(tb.load_defects(scenario)[:2])
    tables = Tables(scenario, defects)
    names = ["none", *(defect.id for defect in defects)]
    with Pool(tables, jobs=1) as pool:
        [seen] = observed(pool, [Work("none", "machines", names, whole=True, given=2.0, patient=True)])
    assert [(row["table"], row["why"], row["changed"]) for row in seen.rows] == [(name, "", "") for name in names]
    built = scenario.machines(*(tables.table(name)[0] for name in names))
    for row, several in zip(seen.rows, built, strict=True):
        shared_with_clean = [one is clean for one, clean in zip(several, built[0], strict=True)]
        if row["table"] != "none":
            assert [facts is None for facts in row["machines"]] == shared_with_clean
        for facts, machine in zip(row["machines"], several, strict=True):
            assert facts is None or facts == json.loads(json.dumps(machine.facts()))
    assert all(row["hits"] or row["missed"] == "" for row in seen.rows)


def test_lanes_are_a_kind(scenario):
    """A chunk of seeds, given the machines of all tables, gives what running it in this process gives."""
    machines = {"none": scenario.machines()}
    chunk = Chunk(0, np.arange(7, 70, dtype=np.uint32), True)
    with Pool(Tables(scenario), jobs=1) as pool:
        work = Work("none", "lanes", [chunk.facts()], given=shared(machines), patient=True)
        [seen] = observed(pool, [work])
    expected = run(chunk, tracks(machines, scenario.agent), "none")
    assert Result.from_facts(seen.rows[0]).parts == expected.parts
    assert seen.rows[0] == json.loads(json.dumps(expected.facts()))


def test_what_is_said_of_machines_and_lanes_that_were_ended():
    """A table whose builder was ended has no machine, for this reason; seeds that could not be run are an error."""
    row = KINDS["machines"].ended("D1", "died", "its process exited with code 1")
    assert (row["table"], row["machines"]) == ("D1", None)
    assert row["why"] == "the process that builds its machines died: its process exited with code 1"
    with pytest.raises(ScenarioError, match="a chunk of seeds could not be run: died: why"):
        KINDS["lanes"].ended({}, "died", "why")
