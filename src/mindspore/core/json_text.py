"""JSON texts of files: one kind of error for all that can be wrong with them."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from typing import Any

from .errors import show
from .plain_files import LARGEST, content

_HALF = re.compile(rb"\\u[dD][89a-fA-F]")        # of a character beyond 16 bits, or of none


def parsed(text: str | bytes, unique: bool = False) -> Any:
    """The value of a JSON text.

    Args:
        text: The text.
        unique: Whether a name that stands twice in an object is refused; else the last value counts.

    Raises:
        ValueError: It is no such text, its bytes are no UTF-8, its numbers are too long, or it is nested too deeply.

    Examples:
        >>> from mindspore.core.json_text import parsed
        >>> parsed('{"a": [1, 2.5]}')
        {'a': [1, 2.5]}
    """
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text))       # strictly: `json.loads` takes halves of characters
    try:
        return json.loads(text, object_pairs_hook=_once if unique else None)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name, count in Counter([name for name, _ in pairs]).items() if count > 1)
        raise ValueError(f"the name {show(twice)} stands there twice")
    return found


def writable(text: bytes, value: Any) -> Any:
    """The value of a text, if its strings can be written again: halves of characters, as "\\ud800", can not.

    Raises:
        ValueError: There is half of a character.
    """
    if _HALF.search(text):
        json.dumps(value, ensure_ascii=False).encode()
    return value


def read(path: str | os.PathLike[str], largest: int = LARGEST) -> Any:
    """The value of a JSON file.

    Raises:
        OSError: It cannot be read, or is no regular file.
        ValueError: It is no such text, or larger than anything that has its purpose.
    """
    return parsed(content(path, largest))
