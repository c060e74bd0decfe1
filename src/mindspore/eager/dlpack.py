"""Tensors of other libraries in the same memory, by the protocol DLPack."""
from __future__ import annotations

from typing import Any

import torch

from mindspore.core import check

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


def from_dlpack(dlpack_tensor: Any) -> Tensor:
    """A tensor in the memory of another library's.

    Args:
        dlpack_tensor: A capsule, or an object of another library that has `__dlpack__`.

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
    if type(dlpack_tensor).__name__ != "PyCapsule" and not hasattr(dlpack_tensor, "__dlpack__"):
        raise check.fail(TypeError, "from_dlpack", "dlpack_tensor", "a capsule of DLPack", dlpack_tensor)
    return wrap(torch.from_dlpack(dlpack_tensor))
