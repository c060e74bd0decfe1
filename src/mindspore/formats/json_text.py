"""JSON texts of files: one kind of error for all that can be wrong with them."""

from __future__ import annotations

import json
from typing import Any


def parsed(text: str | bytes) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: It is no such text, its bytes are no UTF-8, its numbers are too long, or it is nested too deeply.

    Examples:
        >>> from mindspore.formats.json_text import parsed
        >>> parsed('{"a": [1, 2.5]}')
        {'a': [1, 2.5]}
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
