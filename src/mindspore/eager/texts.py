"""Tensors of strings, those of `Tensor(np.array(["a", "b"]))`: they carry texts, and cannot be computed with."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mindspore.core.dtype import Type, string
from mindspore.core.kinds import is_array


def texts_in(value: Any) -> np.ndarray | None:
    """A copy of an array of strings, of a string of NumPy or of the strings of a tensor; None for all else."""
    if isinstance(value, Texts):
        return value.asnumpy()
    if is_array(value) or isinstance(value, (np.str_, np.bytes_)):
        array = np.array(value)
        return array if array.dtype.kind in "SU" else None
    return None


def check_texts(texts: np.ndarray, dtype: Any, shape: Any) -> None:
    """TypeError for another dtype than `string`, ValueError for a shape that the strings do not have."""
    if dtype is not None and dtype is not string:
        raise TypeError(f"For 'Tensor', the 'dtype' of strings must be mindspore.string, but got {dtype}.")
    if shape is not None and tuple(shape) != texts.shape:
        raise ValueError(f"For 'Tensor', the 'shape' {tuple(shape)} does not fit the shape "
                         f"of the strings {texts.shape}.")


class Texts:
    """What a tensor of strings has in place of elements in memory."""

    __slots__ = ()
    if TYPE_CHECKING:
        __dict__: dict[str, Any]

    @property
    def _data(self) -> Any:
        raise TypeError("A tensor of strings cannot be computed with; its strings are those of 'asnumpy()'.")

    @property
    def dtype(self) -> Type:
        """`mindspore.string`."""
        return string

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the dimensions."""
        return self.__dict__["texts"].shape

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self.__dict__["texts"].ndim

    @property
    def size(self) -> int:
        """The number of strings."""
        return self.__dict__["texts"].size

    @property
    def itemsize(self) -> int:
        """Bytes of one string, which are those of the longest."""
        return self.__dict__["texts"].itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all strings."""
        return self.__dict__["texts"].nbytes

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one string to the next, for each dimension."""
        return self.__dict__["texts"].strides

    @property
    def device(self) -> str:
        """The CPU: strings are nowhere else."""
        return "CPU"

    def asnumpy(self) -> np.ndarray:
        """A copy of the strings as an array."""
        return self.__dict__["texts"].copy()

    numpy = asnumpy

    def tolist(self) -> Any:
        """The strings as nested lists; a string for a tensor without dimensions."""
        return self.__dict__["texts"].tolist()

    def item(self, index: int | tuple[int, ...] | None = None) -> Any:
        """The only string, or the one at `index`, counted row by row or by its indices."""
        return self.__dict__["texts"].item() if index is None else self.__dict__["texts"].item(index)

    def __getitem__(self, index: Any) -> Any:
        made: Any = type(self)
        return made(self.__dict__["texts"][index])

    def __len__(self) -> int:
        return len(self.__dict__["texts"])

    def __iter__(self) -> Any:
        return (self[at] for at in range(len(self)))

    def __str__(self) -> str:
        return str(self.__dict__["texts"])

    def __repr__(self) -> str:
        texts = self.__dict__["texts"]
        shown = np.array2string(texts, separator=", ") if texts.ndim else repr(texts.item())
        gap = "\n" if texts.ndim > 1 else " "
        return f"Tensor(shape={list(self.shape)}, dtype={self.dtype}, value={gap}{shown})"

    def __copy__(self) -> Any:
        made: Any = type(self)
        return made(self.__dict__["texts"])

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        memo[id(self)] = copied = self.__copy__()
        return copied

    copy = __copy__

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.__dict__["texts"],)
