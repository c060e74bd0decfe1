"""Tensors in memory of other libraries and objects, and tensors that change places."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

from typing import Any

import numpy as np
import torch

from mindspore.core import check
from mindspore.core.dtype import as_dtype

from .parameter import Version
from .tensor import Tensor, wrap


def to_dlpack(tensor: Tensor) -> Any:
    """A capsule through which another library can use the memory of a tensor, once.

    Args:
        tensor: The tensor.

    Returns:
        A capsule, for `from_dlpack` of any library.

    Raises:
        TypeError: If it is no tensor.

    Examples:
        >>> x = Tensor([1.0, 2.0])
        >>> mindspore.utils.from_dlpack(mindspore.utils.to_dlpack(x)).tolist()
        [1.0, 2.0]
    """
    return torch.to_dlpack(check.instance("to_dlpack", "tensor", tensor, Tensor)._data.detach())


def from_dlpack(dlpack: Any) -> Tensor:
    """A tensor in the memory of another library's.

    Args:
        dlpack: A capsule, or an object of another library that has `__dlpack__`.

    Raises:
        TypeError: If it is neither.

    Examples:
        >>> import numpy as np
        >>> array = np.zeros(2, np.float32)
        >>> x = mindspore.utils.from_dlpack(array)
        >>> array[0] = 5
        >>> x.tolist()
        [5.0, 0.0]
    """
    if type(dlpack).__name__ != "PyCapsule" and not hasattr(dlpack, "__dlpack__"):
        raise check.fail(TypeError, "from_dlpack", "dlpack", "a capsule of DLPack", dlpack)
    return wrap(torch.from_dlpack(dlpack))


def frombuffer(buffer: Any, dtype: Any, count: int = -1, offset: int = 0) -> Tensor:
    """A tensor in the memory of an object with Python's buffer interface, such as a bytearray.

    Args:
        buffer: The object; what cannot be written is copied.
        dtype: The element type.
        count: The number of elements; -1 for all.
        offset: The first byte.

    Returns:
        A tensor of one dimension.

    Raises:
        ValueError: If the bytes are too few.

    Examples:
        >>> mindspore.frombuffer(bytearray(b"ab"), mindspore.uint8).tolist()
        [97, 98]
    """
    array = np.frombuffer(buffer, as_dtype(dtype).numpy, count, offset)
    return Tensor.from_numpy(array if array.flags.writeable else array.copy())


def swap_tensors(t1: Tensor, t2: Tensor) -> None:
    """Let two tensors hold each other's elements, of whatever shape.

    Args:
        t1: A tensor.
        t2: Another one.

    Raises:
        TypeError: If one is no tensor.

    Examples:
        >>> a, b = Tensor([1]), Tensor([2, 3])
        >>> mindspore.swap_tensors(a, b)
        >>> a.tolist(), b.tolist()
        ([2, 3], [1])
    """
    for name, value in (("t1", t1), ("t2", t2)):
        check.instance("swap_tensors", name, value, Tensor)
    (t1._data, t1._var), (t2._data, t2._var) = (t2._data, t2._var), (t1._data, t1._var)
    Version.moves()
