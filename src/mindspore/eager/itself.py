"""What changes the elements, the dtype or the state of a tensor itself."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from mindspore.core import check
from mindspore.core.dtype import DType, as_dtype

from .uninitialised import fill

if TYPE_CHECKING:
    from typing import Self

    from .tensor import Tensor


class Itself:
    """Methods of a tensor that change it, and those of the original for which there is nothing to do."""

    __slots__ = ()
    if TYPE_CHECKING:
        _data: torch.Tensor
        _var: Any
        dtype: Any

    def set_const_arg(self, const_arg: bool = True) -> Self:
        """The tensor itself: there is no need here to mark what is known while compiling.

        Args:
            const_arg: A bool.

        Returns:
            The tensor.

        Examples:
            >>> Tensor([1.0]).set_const_arg().tolist()
            [1.0]
        """
        check.boolean("set_const_arg", "const_arg", const_arg)
        return self

    def init_data(self, *_: Any, **__: Any) -> Self:
        """The tensor itself, filled if its initializer waits.

        Returns:
            The tensor.

        Examples:
            >>> from mindspore.common.initializer import One
            >>> Tensor(shape=(2,), dtype=mindspore.float32, init=One()).init_data().tolist()
            [1.0, 1.0]
        """
        fill([self])
        return self

    def to_tensor(self, *_: Any, **__: Any) -> Self:
        """The tensor itself, filled if its initializer waits: the name of `init_data` in 1.x.

        Returns:
            The tensor.

        Examples:
            >>> from mindspore.common.initializer import initializer
            >>> initializer("ones", (2,)).to_tensor().tolist()
            [1.0, 1.0]
        """
        return self.init_data()

    def data_sync(self, wait: bool = True) -> None:
        """Return when the elements are computed.

        Args:
            wait: Whether to wait for the device.

        Examples:
            >>> Tensor([1.0]).data_sync()
        """
        if self._data.device.type == "cuda" and wait:
            torch.cuda.synchronize(self._data.device)

    def assign_value(self, value: Tensor) -> Self:
        """Take over the elements of another tensor, with its shape and dtype.

        Args:
            value: A tensor.

        Returns:
            The tensor itself.

        Examples:
            >>> Tensor([1.0]).assign_value(Tensor([2.0, 3.0])).tolist()
            [2.0, 3.0]
        """
        if not hasattr(value, "_data"):
            raise TypeError(f"For 'assign_value', the 'value' must be a Tensor, but got {value!r}.")
        self._data = value._data.clone()
        self._var = None
        return self

    def set_dtype(self, dtype: DType) -> DType:
        """Convert the elements to `dtype`, in place of those that the tensor has; returns the dtype.

        Args:
            dtype: A type of elements.

        Returns:
            The dtype.

        Raises:
            TypeError: If `dtype` is no type of elements.

        Examples:
            >>> Tensor([1.5]).set_dtype(mindspore.int32)
            mindspore.int32
        """
        self._data = self._data.to(as_dtype(dtype).torch)
        self._var = None
        return self.dtype
