"""LossBase: reduction of element-wise losses."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import float32
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators.structure import cast
from mindspore.operators.values_and_indices import ValuesAndIndices

from ..cell import Cell

REDUCTIONS = ("mean", "sum", "none")


class LossBase(Cell):
    """A cell that computes a loss from `logits` and `labels`; subclasses define `construct`.

    Args:
        reduction: "mean", "sum", or "none" for the single losses.

    Examples:
        >>> class Absolute(nn.LossBase):
        ...     def construct(self, logits, labels):
        ...         return self.get_loss(abs(logits - labels))
        >>> Absolute("sum")(Tensor([1.0, 2.0]), Tensor([0.0, 0.0]))
        Tensor(shape=[], dtype=Float32, value= 3)
    """

    def __init__(self, reduction: str = "mean"):
        super().__init__()
        if reduction not in REDUCTIONS:
            raise ValueError(f"For '{self.cls_name}', the 'reduction' must be in {list(REDUCTIONS)}, but "
                             f"got {reduction}.")
        self.reduction = reduction
        self.average = reduction != "sum"
        self.reduce = reduction != "none"

    def get_axis(self, x: Any) -> tuple[int, ...]:
        """All axes of `x`."""
        return tuple(range(x.ndim))

    def get_loss(self, x: Any, weights: Any = 1.0) -> Any:
        """`weights * x`, reduced; computed in float32 at least, in the dtype of `x` at the end."""
        dtype = x.dtype
        narrow = not dtype.is_floating or dtype.itemsize < 4
        y = cast(x, dtype=float32) if narrow else x
        if is_tensor(weights) or weights != 1.0:
            y = y * weights
        if self.reduce:
            y = y.mean() if self.average else y.sum()
        return y if y.dtype is dtype else cast(y, dtype=dtype)

    def construct(self, logits: Any, labels: Any) -> Any:
        raise NotImplementedError(f"For '{self.cls_name}', the method 'construct' is not defined.")


def need_tensors(owner: Cell, **values: Any) -> None:
    """TypeError for the first value that is no tensor."""
    for name, value in values.items():
        if not is_tensor(value) and type(value) is not ValuesAndIndices:
            raise TypeError(f"For '{owner.cls_name}', the '{name}' must be a Tensor, but got "
                            f"{type(value).__name__}.")


def need_weight(owner: Cell, value: Any) -> Any:
    """The weight tensor, or None; TypeError for anything else."""
    if value is not None and not isinstance(value, Tensor):
        raise TypeError(f"For '{owner.cls_name}', the type of 'weight' should be 'Tensor', but got type "
                        f"'{type(value).__name__}'.")
    return value
