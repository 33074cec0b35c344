"""Puts `scenarios/` and `defects/` inside the wheel, under `toolbench/`.

An editable install is left alone: there the library finds both folders beside itself in the checkout, and
`force-include` in pyproject.toml would copy them into site-packages, where they go stale and hide the package.
"""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHIPPED = ("defects", "scenarios")


class ShippedFolders(BuildHookInterface[Any]):
    """The only build hook."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            build_data["force_include"].update({folder: f"toolbench/{folder}" for folder in SHIPPED})
