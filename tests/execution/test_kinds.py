"""What a worker can do with units."""

import json

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
    """Work that is named after a layer gives the rows of the layer, whatever is given beyond its units."""
    layer = LAYERS[name]
    units = layer.units(scenario, read_seeds(1, scenario.base_seed))
    seen = list(KINDS[name].run(Tables(scenario), scenario.table, units, {"more": 1}))
    assert seen == list(layer.observe(scenario, scenario.table, units))
    assert KINDS[name].ended(units[0], "died", "why") == layer.ended(units[0], "died", "why")


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
