"""All layers, by name, in the order in which reports show them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from toolbench.layers.definition import DefinitionLayer
from toolbench.layers.layer import Layer
from toolbench.layers.loop import LoopLayer
from toolbench.layers.tool import ToolLayer

LAYERS: Mapping[str, Layer] = MappingProxyType(
    {layer.name: layer for layer in (ToolLayer(), DefinitionLayer(), LoopLayer())}
)
