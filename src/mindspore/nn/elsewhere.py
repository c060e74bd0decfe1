"""Cells that `mindspore.nn` had up to 2.6, or has at an inner path only."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import DType, as_dtype
from mindspore.distributed import get_group_size
from mindspore.eager.tensor import Tensor
from mindspore.ops import cosine_similarity, stack, zeros

from .batch_norm import SyncBatchNorm
from .cell import Cell


class GlobalBatchNorm(SyncBatchNorm):
    """`SyncBatchNorm` of groups of neighbouring processes, as releases up to 1.10 had it.

    Args:
        num_features: Number of channels C.
        eps: Added to the variance.
        momentum: Weight of the old moving statistics.
        affine: Whether `gamma` and `beta` are trained.
        gamma_init, beta_init: Initial scale and shift.
        moving_mean_init, moving_var_init: Initial moving mean and variance.
        use_batch_statistics: True or False fixes what else depends on training.
        device_num_each_group: How many processes normalise together; a process alone normalises by itself.

    Inputs:
        x: (N, C) or (N, C, *).

    Outputs:
        Shape and dtype of `x`.

    Raises:
        ValueError: If the number of processes is no multiple of `device_num_each_group`.

    Examples:
        >>> nn.GlobalBatchNorm(2, device_num_each_group=2)(Tensor([[1.0, 2.0]])).shape
        (1, 2)
    """

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.9, affine: bool = True,
                 gamma_init: Any = "ones", beta_init: Any = "zeros", moving_mean_init: Any = "zeros",
                 moving_var_init: Any = "ones", use_batch_statistics: bool | None = None,
                 device_num_each_group: int = 2):
        together, there = check.positive_int("GlobalBatchNorm", "device_num_each_group",
                                             device_num_each_group), get_group_size()
        if there > 1 and there % together:
            raise ValueError(f"For 'GlobalBatchNorm', the number of processes, {there}, must be a multiple of "
                             f"'device_num_each_group', but got {together}.")
        groups = None if there == 1 else [[*range(i, i + together)] for i in range(0, there, together)]
        super().__init__(num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init,
                         moving_var_init, use_batch_statistics, groups)


class CosineSimilarity(Cell):
    """The cosine of the angle between vectors: `nn.layer.CosineSimilarity`; `nn.CosineSimilarity` is a metric.

    Args:
        dim: The dimension along which the vectors lie.
        eps: The least length that counts.

    Inputs:
        x1, x2: Tensors of shapes that fit.

    Outputs:
        Their shape without `dim`.

    Examples:
        >>> nn.layer.CosineSimilarity()(Tensor([[1.0, 0.0]]), Tensor([[1.0, 1.0]])).shape
        (1,)
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8):
        super().__init__()
        self.dim, self.eps = dim, eps

    def construct(self, x1: Any, x2: Any) -> Any:
        return cosine_similarity(x1, x2, self.dim, self.eps)


class TensorArray(Cell):
    """Tensors of one shape and dtype, written and read by number, as releases 1.6 to 2.6 had it.

    Args:
        dtype: Their dtype.
        element_shape: Their shape, a tuple of ints.
        dynamic_size: Whether there may be more than `size`.
        size: How many there are at first, all zeros, or at most.
        name: A name for messages.

    Examples:
        >>> rows = nn.TensorArray(mindspore.float32, (2,))
        >>> rows.write(0, Tensor([1.0, 2.0]))
        >>> rows.write(2, Tensor([5.0, 6.0]))
        >>> rows.stack().tolist(), rows.size()
        ([[1.0, 2.0], [0.0, 0.0], [5.0, 6.0]], 3)
    """

    def __init__(self, dtype: DType, element_shape: tuple[int, ...], dynamic_size: bool = True, size: int = 0,
                 name: str = "TA"):
        super().__init__()
        self.element_dtype, self.element_shape = as_dtype(dtype), tuple(element_shape)
        self.dynamic_size = check.boolean(self, "dynamic_size", dynamic_size)
        self.least = check.non_negative_int(self, "size", size)
        self.array_name = name
        self.elements: list[Tensor] | None = [self._zeros() for _ in range(size)]

    def _zeros(self) -> Tensor:
        return zeros(self.element_shape, self.element_dtype)

    def _held(self) -> list[Tensor]:
        if self.elements is None:
            raise ValueError(f"The TensorArray '{self.array_name}' is closed. Make another one.")
        return self.elements

    def write(self, index: int, value: Tensor) -> None:
        """Let element `index` be `value`; those that come in between are zeros.

        Raises:
            TypeError: If `value` has another dtype.
            ValueError: If it has another shape, or the array is closed.
            IndexError: If the size is fixed and `index` is not below it.
        """
        held, index = self._held(), check.non_negative_int(self, "index", int(index))
        if value.dtype != self.element_dtype:
            raise TypeError(f"For 'TensorArray', the elements are of {self.element_dtype}, but got {value.dtype}.")
        if tuple(value.shape) != self.element_shape:
            raise ValueError(f"For 'TensorArray', the elements have the shape {self.element_shape}, but got "
                             f"{tuple(value.shape)}.")
        if index >= len(held) and not self.dynamic_size:
            raise IndexError(f"For 'TensorArray', the size is fixed to {len(held)}, but got the index {index}.")
        held.extend([self._zeros() for _ in range(index + 1 - len(held))])
        held[index] = value

    def read(self, index: int) -> Tensor:
        """Element `index`.

        Raises:
            IndexError: If there is no such element.
        """
        held = self._held()
        if not 0 <= int(index) < len(held):
            raise IndexError(f"For 'TensorArray', the index must be in [0, {len(held)}), but got {index}.")
        return held[int(index)]

    def stack(self) -> Tensor:
        """All elements as one tensor, along a new first dimension."""
        held = self._held()
        return stack(held) if held else zeros((0, *self.element_shape), self.element_dtype)

    def size(self) -> int:
        """How many elements there are."""
        return len(self._held())

    def clear(self) -> None:
        """Drop the elements; there are as many zeros as at first."""
        self._held()[:] = [self._zeros() for _ in range(self.least)]

    def close(self) -> None:
        """Give the memory back; the array cannot be used from then on."""
        self.elements = None
