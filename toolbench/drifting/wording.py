"""What is there for readers: descriptions, defaults and examples, and what kind of change they went through."""

from __future__ import annotations

from typing import Any

from toolbench.drifting.change import ABSENT, alike


def annotation_kind(key: str, kept: Any, live: Any) -> str | None:
    """The kind of change of an annotation; None where there is none.

    A description without a word is none at all. Another wording is shown, and is compatible however much shorter it
    is: nobody but a reader can say whether it got worse.

    >>> annotation_kind("description", "Pages.", " "), annotation_kind("description", "Pages.", "The pages.")
    ('description gone', 'reworded')
    """
    if key == "default":
        return None if _same(kept, live) else "default new" if kept is ABSENT else "default"
    empty = (lambda held: not says(held)) if key == "description" else (lambda held: held is ABSENT or held == [])
    if _same(kept, live) or (empty(kept) and empty(live)):
        return None
    return ("description gone" if key == "description" else "examples gone") if empty(live) else "reworded"


def says(text: Any) -> bool:
    """Whether a description says anything."""
    return isinstance(text, str) and bool(text.strip())


def _same(kept: Any, live: Any) -> bool:
    return kept is live if kept is ABSENT or live is ABSENT else alike(kept, live)
