"""JSON texts of files: one kind of error for all that can be wrong with them."""

from __future__ import annotations

import json
import os
from typing import Any

from .plain_files import LARGEST, content


def parsed(text: str | bytes) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: It is no such text, its bytes are no UTF-8, its numbers are too long, or it is nested too deeply.

    Examples:
        >>> from mindspore.core.json_text import parsed
        >>> parsed('{"a": [1, 2.5]}')
        {'a': [1, 2.5]}
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def read(path: str | os.PathLike[str], largest: int = LARGEST) -> Any:
    """The value of a JSON file.

    Raises:
        OSError: It cannot be read, or is no regular file.
        ValueError: It is no such text, or larger than anything that has its purpose.
    """
    return parsed(content(path, largest))
