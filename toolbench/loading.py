"""Loading a scenario by name or path, and its catalogue."""

from __future__ import annotations

from pathlib import Path

from toolbench.errors import CatalogueError
from toolbench.execution.trial import LOAD_DEADLINE, try_loading
from toolbench.folder import built_in, catalogue_path, find_folder, read_folder
from toolbench.mutation.catalogue import read_catalogue
from toolbench.mutation.defect import Defect, plant
from toolbench.scenario import Scenario


def load_scenario(reference: str | Path, *, deadline: float = LOAD_DEADLINE, checked: bool = True) -> Scenario:
    """A scenario, by the name of a built-in one or by the path of its folder.

    A folder of the user's is first loaded in a process of its own: one whose import hangs (longer than
    `deadline` seconds), exits or crashes is a ScenarioError here. Every schema is checked, unless `checked` is False.

    >>> load_scenario("metering").table
    ToolTable(read_meter, consumption, tariff, search_docs, write_record)
    """
    folder = find_folder(reference)
    if str(reference) not in built_in():
        try_loading(str(folder), deadline)
    scenario = read_folder(folder)
    if checked:
        scenario.table.check()
    return scenario


def load_defects(scenario: Scenario | str | Path, catalogue: str | Path | None = None) -> tuple[Defect, ...]:
    """The defects of a scenario's own catalogue, or of the file given; a scenario without one has none.

    CatalogueError names file, defect, key and value where the catalogue is malformed or does not fit the
    scenario's tools.
    """
    if not isinstance(scenario, Scenario):
        scenario = load_scenario(scenario)
    if catalogue is not None:
        path = Path(catalogue)
        if not path.is_file():
            raise CatalogueError(f"{path}: no such catalogue file")
    elif scenario.folder is None or not (path := catalogue_path(scenario.folder)).exists():
        return ()
    defects = read_catalogue(path)
    try:
        for defect in defects:
            plant(defect, scenario.table, scenario.functions)
    except CatalogueError as problem:
        raise CatalogueError(f"{path}: {problem}") from None
    return defects
