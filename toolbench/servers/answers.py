"""What a server's answer to a call is to an agent: a value with fields, or an error that the tool reported."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from json import dumps, loads
from typing import Any

from toolbench.errors import ToolError
from toolbench.servers.settings import VARYING
from toolbench.values import equal

STILL: Mapping[type, Any] = {str: VARYING, bool: False, int: 0, float: 0.0}
TEXT, CONTENT = "text", "content"


class ProtocolError(ToolError):
    """The server refused the call itself: an unknown tool, arguments that it cannot read, a fault of its own."""


class TooLong(Exception):
    """An answer of so many bytes that it is not looked at; to the caller it is a crash."""


def value_of(result: Mapping[str, Any], *, declares_output: bool = False) -> Any:
    """The value of a successful result; ToolError with its text when the tool reports an error.

    The fields are those of the structured content; where there is none and no output is declared, those of the JSON
    object that the text is. An answer without the structured content that is declared is its bare text. `text` is what
    the text says, unless it says no more than the fields; `content` is whatever else there is (images, resources).

    >>> value_of({"content": [{"type": "text", "text": '{"n": 2}'}], "structuredContent": {"n": 2}})
    {'n': 2}
    >>> value_of({"content": [{"type": "text", "text": "two"}], "structuredContent": {"n": 2}})
    {'n': 2, 'text': 'two'}
    >>> value_of({"content": [{"type": "text", "text": "two"}]})
    {'text': 'two'}
    """
    if "content" not in result and "structuredContent" not in result:
        kind = result.get("resultType")
        raise ProtocolError(f"the answer is {'no result of a call' if kind is None else kind}; it has no content")
    blocks = result.get("content")
    blocks = blocks if isinstance(blocks, list) else []
    texts = [one["text"] for one in blocks if _is_text(one)]
    others = [one for one in blocks if not _is_text(one)]
    text = "\n".join(texts)
    if result.get("isError"):
        raise ToolError(text or (dumps(others, sort_keys=True) if others else "no reason is given"))
    structured = result.get("structuredContent")
    if declares_output and structured is None:
        return text
    read = _read(text)
    if structured is None and isinstance(read, dict):
        structured = read
    fields = dict(structured) if isinstance(structured, dict) else {} if structured is None else {"result": structured}
    if texts and not _says_no_more(read, text, structured):
        fields.setdefault(TEXT, text)
    if others:
        fields.setdefault(CONTENT, others)
    return fields


def masked(value: Any, varying: Collection[str]) -> Any:
    """A value in which fields of these names, at any depth, hold the same each time: `{varying}` for a text, 0 for a
    number, false for a truth.

    >>> masked({"at": "12:30", "seconds": 3, "zone": "UTC"}, ["at", "seconds"])
    {'at': '{varying}', 'seconds': 0, 'zone': 'UTC'}
    """
    if isinstance(value, dict):
        return {
            name: masked(inner, _Every()) if name in varying else masked(inner, varying)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [masked(inner, varying) for inner in value]
    return STILL.get(type(value)) if isinstance(varying, _Every) else value


class _Every(tuple[str, ...]):
    """All names there are: what is inside of a field that varies varies with it."""

    def __contains__(self, name: object) -> bool:
        return True


def _is_text(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)


def _read(text: str) -> Any:
    """The JSON value that a text is; None for any other text."""
    if not text[:64].lstrip().startswith(("{", "[")):
        return None
    try:
        return loads(text)
    except (ValueError, RecursionError):
        return None


def _says_no_more(read: Any, text: str, structured: Any) -> bool:
    """Whether the text is the structured content over again, wrapped or not."""
    if structured is None:
        return False
    if isinstance(structured, dict) and set(structured) == {"result"} and equal(structured["result"], text):
        return True
    inner = structured["result"] if isinstance(structured, dict) and set(structured) == {"result"} else structured
    return read is not None and (equal(read, structured) or equal(read, inner))
