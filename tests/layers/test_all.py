"""All layers, by name."""

import pytest

from toolbench.layers.all import LAYERS
from toolbench.measuring import RULES


def test_the_layers_in_the_order_of_reports():
    """The layers stand under their own names, the tool layer first, and each has its rule."""
    assert list(LAYERS) == [layer.name for layer in LAYERS.values()] == ["tool", "loop"]
    assert RULES == {"tool": "any failure", "loop": "band"}


def test_layers_cannot_be_changed():
    """The layers are one fixed mapping."""
    with pytest.raises(TypeError):
        LAYERS["new"] = None
