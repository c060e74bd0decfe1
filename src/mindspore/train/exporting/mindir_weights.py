"""Weights of a MindIR file that stand in a file beside it, because a message would be too large with them."""
from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from typing import Any

from mindspore.formats.array import StoredArray
from mindspore.formats.files import atomic
from mindspore.formats.mindir_values import NUMBERS

LARGEST = 2**30         # bytes of weights in a message
_HEAD = bytes([1]) + bytes(63)      # the order of bytes, then nothing
_ALIGNED = 64


class Beside:
    """The file of weights of a model; the graph that refers to it is written after it.

    Args:
        path: Path of the model, with or without its suffix: `a.mindir` becomes `a_graph.mindir` and `a_variables`.
    """

    def __init__(self, path: str):
        whole = path.removesuffix(".mindir")
        self.graph, self.folder = f"{whole}_graph.mindir", f"{whole}_variables"
        # Never that of a graph that is there: if only one of the two files can be written, the old graph has its own.
        names = map("data_{}".format, itertools.count())
        self.name = next(name for name in names if not os.path.lexists(os.path.join(self.folder, name)))
        self.location = f"{os.path.basename(self.folder)}/{self.name}"
        self.arrays: list[StoredArray] = []
        self.size = len(_HEAD)

    def place(self, tensor: Any, array: StoredArray) -> Any:
        """Give a tensor of the message its place in the file."""
        tensor.dims.extend(array.shape)
        tensor.data_type = NUMBERS[array.dtype]
        where = tensor.external_data
        where.location, where.offset, where.length = self.location, self.size, array.nbytes
        self.arrays.append(array)
        self.size += array.nbytes + -array.nbytes % _ALIGNED
        return tensor

    def write(self, encrypted: Callable[[bytes], bytes]) -> None:
        """Write the file. Places count what is encrypted."""
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        with atomic(os.path.join(self.folder, self.name), 0o600) as file:
            file.write(encrypted(_HEAD))
            for array in self.arrays:
                file.write(encrypted(bytes(array.data) + bytes(-array.nbytes % _ALIGNED)))

    def remove_others(self) -> None:
        """Remove the files of a graph of this name that has been replaced."""
        for name in os.listdir(self.folder):
            if name != self.name and name.removeprefix("data_").isdecimal():
                os.unlink(os.path.join(self.folder, name))
