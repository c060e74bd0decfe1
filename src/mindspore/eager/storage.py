"""The memory that tensors share."""
from __future__ import annotations

from typing import Any


class UntypedStorage:
    """The bytes in which the elements of a tensor, and of all views of it, lie; see `Tensor.untyped_storage`.

    Args:
        tensor: The tensor.

    Examples:
        >>> x = Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> x.untyped_storage().data_ptr() == x.T.untyped_storage().data_ptr()
        True
        >>> x.untyped_storage().nbytes()
        16
    """

    def __init__(self, tensor: Any):
        self._bytes, self.device = tensor._data.untyped_storage(), tensor.device

    def data_ptr(self) -> int:
        """The address of the first byte."""
        return self._bytes.data_ptr()

    def nbytes(self) -> int:
        """The number of bytes."""
        return self._bytes.nbytes()

    def size(self) -> int:
        """The number of bytes, which are its elements."""
        return self._bytes.nbytes()

    def element_size(self) -> int:
        """The number of bytes of an element: 1."""
        return 1

    def __len__(self) -> int:
        return self._bytes.nbytes()


__all__ = ["UntypedStorage"]
