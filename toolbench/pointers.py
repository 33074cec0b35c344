"""JSON Pointers (RFC 6901): places in a document."""

from __future__ import annotations


def pointer_to(*tokens: str | int) -> str:
    """The pointer of a place: what leads there, each a key or a position.

    >>> pointer_to("tools", 0, "a/b")
    '/tools/0/a~1b'
    """
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)
