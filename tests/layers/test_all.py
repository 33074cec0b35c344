"""All layers, by name."""

import pytest

from toolbench.judging import rules_of
from toolbench.layers.all import LAYERS


def test_the_layers_in_the_order_of_reports():
    """The layers stand under their own names, the tool layer first, and each has its rules."""
    assert list(LAYERS) == [layer.name for layer in LAYERS.values()] == ["tool", "definition", "loop"]
    assert [rules_of(layer) for layer in LAYERS] == [("any failure",), ("new finding",), ("band", "paired", "exact")]


def test_layers_cannot_be_changed():
    """The layers are one fixed mapping."""
    with pytest.raises(TypeError):
        LAYERS["new"] = None
