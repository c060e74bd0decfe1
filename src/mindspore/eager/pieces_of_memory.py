"""Memory of tensors, as bytes without a type."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

from typing import Any

import torch

_NAMES = {"cpu": "CPU", "cuda": "GPU", "npu": "Ascend"}


class UntypedStorage:
    """The memory in which the elements of a tensor and of its views lie; `Tensor.untyped_storage` gives it.

    Examples:
        >>> memory = Tensor([1.0, 2.0]).untyped_storage()
        >>> memory.size(), memory.element_size(), memory.device
        (8, 1, 'CPU')
    """

    def __init__(self, data: Any = None):
        if not isinstance(data, torch.Tensor):
            raise TypeError("For 'UntypedStorage', use 'Tensor.untyped_storage()'; memory is made by making a tensor.")
        self._memory = data.untyped_storage()

    def nbytes(self) -> int:
        """How many bytes there are."""
        return self._memory.nbytes()

    size = __len__ = nbytes

    def element_size(self) -> int:
        """1: the elements are bytes."""
        return 1

    @property
    def device(self) -> str:
        """Where the memory is: "CPU", "meta" or, for example, "GPU:0"."""
        where = self._memory.device
        name = _NAMES.get(where.type, where.type)
        return name if where.type in ("cpu", "meta") else f"{name}:{where.index or 0}"

    def data_ptr(self) -> int:
        """The address of the first byte."""
        return self._memory.data_ptr()

    def is_shared(self) -> bool:
        """Whether other processes can see the memory."""
        return self._memory.is_shared() and self._memory.device.type == "cpu"

    def copy_(self, src: UntypedStorage, non_blocking: bool = False) -> UntypedStorage:
        """Overwrite the memory by that of `src`, which has as many bytes; tensors in it see that.

        Raises:
            RuntimeError: If `src` has another number of bytes.
        """
        if src.nbytes() != self.nbytes():
            raise RuntimeError(f"For 'UntypedStorage.copy_', the 'src' must have {self.nbytes()} bytes, but has "
                               f"{src.nbytes()}.")
        self._memory.copy_(src._memory, non_blocking)
        return self

    def resize_(self, size: int) -> UntypedStorage:
        """Let the memory have another number of bytes; the first ones stay.

        Raises:
            RuntimeError: If the memory belongs to an array or a file, or tensors need what would go.
        """
        if size < self.nbytes():
            raise RuntimeError(f"For 'UntypedStorage.resize_', the memory of {self.nbytes()} bytes cannot shrink to "
                               f"{size}: tensors may lie in it. 'Tensor.delete_' gives it back.")
        if not self._memory.resizable():
            raise RuntimeError("For 'UntypedStorage.resize_', the memory belongs to an array or a file.")
        self._memory.resize_(size)
        return self

    def elements(self, dtype: torch.dtype) -> torch.Tensor:
        """All of the memory as elements of a type."""
        empty = torch.empty(0, dtype=dtype, device=self._memory.device)
        return empty.set_(self._memory, 0, (self.nbytes() // empty.element_size(),), (1,))
