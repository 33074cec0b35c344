"""What holds for every layer and every scenario."""

import pytest

from toolbench.layers.all import LAYERS
from toolbench.seeds import read_seeds

pytestmark = pytest.mark.parametrize("name", LAYERS)


def observed(layer, scenario, units, table=None):
    return list(layer.observe(scenario, table or scenario.table, units))


def units(layer, scenario):
    return list(layer.units(scenario, read_seeds(2, scenario.base_seed)))


def test_one_row_per_unit_in_order(name, scenario):
    """Every unit gives one row, in the order in which the units were given; there is something to run."""
    layer = LAYERS[name]
    every = units(layer, scenario)
    assert layer.lack(scenario) is None
    assert len(every) > 1
    rows = observed(layer, scenario, every)
    assert len(rows) == len(every)
    assert observed(layer, scenario, every[::-1]) == rows[::-1]


def test_a_row_does_not_depend_on_what_ran_before(name, scenario):
    """Each unit starts in a fresh world: alone it gives the row that it gives among all others."""
    layer = LAYERS[name]
    every = units(layer, scenario)
    assert [observed(layer, scenario, [unit])[0] for unit in every] == observed(layer, scenario, every)
    assert observed(layer, scenario, every + every) == 2 * observed(layer, scenario, every)


def test_units_and_rows_are_plain(name, scenario):
    """Units and rows pass through JSON unchanged in meaning, so that they can pass between processes."""
    import json

    layer = LAYERS[name]
    every = units(layer, scenario)
    rows = observed(layer, scenario, every)
    assert json.loads(json.dumps(rows)) == rows
    assert observed(layer, scenario, json.loads(json.dumps(every))) == rows


def test_a_unit_that_was_ended_has_a_row_of_the_same_shape(name, scenario):
    """The row of a unit that was ended from outside has the same keys, has failed, and says why, harmlessly."""
    layer = LAYERS[name]
    unit = units(layer, scenario)[0]
    ordinary, ended = observed(layer, scenario, [unit])[0], layer.ended(unit, "timeout", "no answer\x1b within 2 s")
    assert ended.keys() == ordinary.keys()
    assert not ended.get("passed", ended.get("succeeded"))
    assert "no answer\\x1b within 2 s" in ended["why"]
    same = [key for key in ("case", "task", "seed") if key in ordinary]
    assert [ended[key] for key in same] == [ordinary[key] for key in same]


def test_the_table_is_left_as_it_was(name, scenario):
    """Observing a table does not change it."""
    before = scenario.table.fingerprint()
    observed(LAYERS[name], scenario, units(LAYERS[name], scenario))
    assert scenario.table.fingerprint() == before


def test_a_table_without_its_first_tool_can_be_observed(name, scenario):
    """A tool that is gone is a reported error, never the end of a run."""
    layer = LAYERS[name]
    without = scenario.table.without(next(iter(scenario.table)))
    every = units(layer, scenario)
    assert len(observed(layer, scenario, every, without)) == len(every)
