"""The notebooks run, and what they keep as output is what they give."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"


def texts(notebook):
    """The text outputs of each code cell; a picture counts by being there."""
    kept = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            kept.append(
                output.get("text") or re.sub(r"\s+", " ", data.get("text/plain", "")) + str("image/png" in data)
            )
    return kept


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_gives_what_it_keeps(path):
    """Executed from top to bottom in a fresh kernel, the outputs are those in the file."""
    kept = nbformat.read(path, as_version=4)
    run = nbformat.read(path, as_version=4)
    NotebookClient(run, timeout=120, resources={"metadata": {"path": str(FOLDER)}}).execute()
    assert texts(run) == texts(kept)
    assert texts(kept)
