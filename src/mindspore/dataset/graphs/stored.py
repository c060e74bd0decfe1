"""Graphs, arrays and containers of them in a file that holds data only: reading it runs no code.

The file is a `.safetensors` file: arrays of bytes named by numbers, "tree", the structure of the whole as JSON, and a
checksum over all of them. In the tree, lists, texts, numbers and None stand for themselves; everything else is an
object with one entry that says what it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore.core.errors import kind
from mindspore.core.json_text import parsed
from mindspore.dataset.graphs.graph import Graph
from mindspore.formats import safetensors
from mindspore.formats.array import StoredArray

_KINDS = "biufcUSmM"  # of arrays: numbers, text, times


def write(path: str, value: Any) -> None:
    """Write a value, completely or not at all.

    Raises:
        TypeError: It contains something else than graphs, arrays, containers, texts, bytes, numbers and None.
        OSError: The file cannot be written.
    """
    arrays: dict[str, StoredArray] = {}
    tree = json.dumps(_tree(value, arrays)).encode()
    stored = {**arrays, "tree": StoredArray("uint8", (len(tree),), tree)}
    safetensors.write(path, stored, {"crc_num": str(safetensors.checksums(stored)[1])})


def read(path: str) -> Any:
    """The value that `write` was given; arrays may be changed.

    Raises:
        ValueError: The file is damaged or of another format.
        OSError: The file cannot be read.
    """
    stored, metadata = safetensors.read(path)
    if metadata.get("crc_num") != str(safetensors.checksums(stored)[1]):
        raise ValueError("its content was changed, as its checksum shows")
    if "tree" not in stored:
        raise ValueError("it has no 'tree'")
    return _value(parsed(bytes(stored["tree"].data)), stored)


def _tree(value: Any, arrays: dict[str, StoredArray]) -> Any:
    """The structure of a value; its arrays are entered into `arrays`."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) is list:
        return [_tree(item, arrays) for item in value]
    if type(value) is tuple:
        return {"tuple": [_tree(item, arrays) for item in value]}
    if type(value) is dict:
        return {"dict": [[_tree(key, arrays), _tree(item, arrays)] for key, item in value.items()]}
    if type(value) is Graph:
        return {"graph": _tree(value.content(), arrays)}
    if type(value) is bytes:
        return {"bytes": _entered(np.frombuffer(value, np.uint8), arrays)}
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in _KINDS:
        what = "array" if isinstance(value, np.ndarray) else "scalar"
        return {what: [_entered(value, arrays), value.dtype.str, list(value.shape)]}
    raise TypeError(f"graphs must be made of graphs, arrays, lists, tuples, dicts, texts and numbers, but one has a "
                    f"{kind(value)}")


def _entered(array: Any, arrays: dict[str, StoredArray]) -> str:
    name = str(len(arrays))
    content = np.asarray(array).tobytes()
    arrays[name] = StoredArray("uint8", (len(content),), content)
    return name


def _value(tree: Any, stored: dict[str, StoredArray]) -> Any:
    """The value of a tree."""
    if isinstance(tree, list):
        return [_value(item, stored) for item in tree]
    if not isinstance(tree, dict):
        return tree
    ((what, content),) = tree.items()
    if what not in _MADE:
        raise ValueError(f"it has an unknown kind of value, {what!r}")
    return _MADE[what](content, stored)


def _array(content: Any, stored: dict[str, StoredArray]) -> np.ndarray:
    name, code, shape = content
    dtype = np.dtype(code)
    if dtype.kind not in _KINDS:
        raise ValueError(f"it has an array of the type {code!r}")
    return np.frombuffer(bytes(stored[name].data), dtype).reshape(shape).copy()


_MADE: dict[str, Callable[[Any, dict[str, StoredArray]], Any]] = {
    "tuple": lambda content, stored: tuple(_value(content, stored)),
    "dict": lambda content, stored: {_value(key, stored): _value(item, stored) for key, item in content},
    "graph": lambda content, stored: Graph(**_value(content, stored)),
    "bytes": lambda content, stored: bytes(stored[content].data),
    "array": _array,
    "scalar": lambda content, stored: _array(content, stored)[()],
}
