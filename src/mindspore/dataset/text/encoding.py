"""Arrays of text as arrays of bytes, and back."""

from __future__ import annotations

import numpy as np


class NotOfTheKind(TypeError, AttributeError):
    """Text for bytes or bytes for text: elements of the wrong type, which lack the method that is asked for."""


def to_bytes(array: np.ndarray, encoding: str = "utf8") -> np.ndarray:
    r"""An array of strings as one of bytes.

    Args:
        array: The array.
        encoding: Name of the encoding.

    Raises:
        ValueError: `array` is not an array.
        NotOfTheKind: It is not of strings.

    Examples:
        >>> text.to_bytes(np.array(["ä"])).tolist()
        [b'\xc3\xa4']
    """
    if not isinstance(array, np.ndarray):
        raise ValueError(
            f"For 'to_bytes', the 'array' must be an array of strings, but got {type(array).__name__}."
        )
    if array.dtype.kind != "U":
        raise NotOfTheKind(
            f"For 'to_bytes', the 'array' must be an array of strings, but is of dtype {array.dtype}."
        )
    return np.char.encode(array, encoding)


def to_str(array: np.ndarray, encoding: str = "utf8") -> np.ndarray:
    r"""An array of bytes as one of strings.

    Args:
        array: The array.
        encoding: Name of the encoding.

    Raises:
        NotOfTheKind: `array` is not an array of bytes.

    Examples:
        >>> text.to_str(np.array([b"\xc3\xa4"])).tolist()
        ['ä']
    """
    if not isinstance(array, np.ndarray) or array.dtype.kind != "S":
        shown = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
        raise NotOfTheKind(f"For 'to_str', the 'array' must be an array of bytes, but is {shown}.")
    return np.char.decode(array, encoding)
