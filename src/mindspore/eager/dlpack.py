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
        RuntimeError: If the object is no buffer, is empty, or has too few bytes or no whole elements.

    Examples:
        >>> mindspore.frombuffer(bytearray(b"ab"), mindspore.uint8).tolist()
        [97, 98]
    """
    kind = as_dtype(dtype).numpy
    _check_buffer(buffer, np.dtype(kind).itemsize, count, offset)
    array = np.frombuffer(buffer, kind, count, offset)
    return Tensor.from_numpy(array if array.flags.writeable else array.copy())


def _check_buffer(buffer: Any, size: int, count: int, offset: int) -> None:
    """RuntimeError if a buffer does not have `count` elements of `size` bytes after the first `offset` bytes."""
    try:
        length = memoryview(buffer).nbytes
    except TypeError as error:
        raise RuntimeError("For 'frombuffer', the object does not implement Python buffer protocol, but is of type "
                           f"'{type(buffer).__name__}'.") from error
    rest = length - offset
    if not length or not count:
        raise RuntimeError(f"For 'frombuffer', both buffer length ({length}) and count ({count}) must not be 0.")
    if not 0 <= offset < length:
        raise RuntimeError(f"For 'frombuffer', the offset ({offset} bytes) must be non-negative and no greater than "
                           f"buffer length ({length} bytes) minus 1.")
    if count < -1:
        raise RuntimeError(f"For 'frombuffer', the count ({count}) must be -1 or positive.")
    if count == -1 and rest % size:
        raise RuntimeError(f"For 'frombuffer', the buffer length ({rest} bytes) after offset ({offset} bytes) must be "
                           f"a multiple of element size ({size}).")
    if count * size > rest:
        raise RuntimeError(f"For 'frombuffer', the buffer length ({rest} bytes) after offset ({offset} bytes) is not "
                           f"enough for the requested count of elements ({count} of {size} bytes each).")


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
