"""Running sums and products."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import as_dtype, bool_, int8, int16, int32, int64, uint8
from mindspore.operators import scanning
from mindspore.operators.structure import cast, reshape

from .arguments import only
from .signatures import plain
from .spelling import spelled

_NARROW = bool_, int8, int16, uint8       # what the method sums as int32


def cumsum(x: Any, axis: Any, dtype: Any = None) -> Any:
    """The running sums along `axis`.

    Args:
        x: A tensor.
        axis: An int.
        dtype: The element type to compute in. Default: that of `x`.

    Returns:
        A tensor of the shape of `x`.

    Raises:
        TypeError: If `x` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.cumsum(Tensor([[1, 2], [3, 4]]), 0).tolist()
        [[1, 2], [4, 6]]
    """
    only("cumsum", x)
    x = x if dtype is None else cast(x, dtype=as_dtype(dtype))
    return scanning.cum_sum(x, axis=plain(axis))


@spelled(dim="axis")
def _cumsum(self: Any, axis: Any = None, dtype: Any = None) -> Any:
    """The running sums along `axis`.

    Args:
        axis: An int; None for the flattened tensor.
        dtype: The element type to compute in. Default: that of the tensor, int32 for narrower integers.

    Returns:
        A tensor.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).cumsum(1).tolist()
        [[1, 3], [3, 7]]
    """
    if dtype is None and self.dtype in _NARROW:
        dtype = int32
    if axis is None:
        return cumsum(reshape(self, shape=(-1,)), 0, dtype)
    return cumsum(self, axis, dtype)


def cumprod(input: Any, dim: Any, dtype: Any = None) -> Any:
    """The running products along `dim`.

    Args:
        input: A tensor.
        dim: An int.
        dtype: The element type to compute in. Default: that of `input`, int64 for bools and integers.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.cumprod(Tensor([[1, 2], [3, 4]]), 1).tolist()
        [[1, 2], [3, 12]]
    """
    only("cumprod", input)
    if dtype is None and input.dtype.kind in "biu":
        dtype = int64
    x = input if dtype is None else cast(input, dtype=as_dtype(dtype))
    return scanning.cum_prod(x, axis=plain(dim))


def logcumsumexp(input: Any, axis: Any) -> Any:
    """The logarithm of the running sums of exp(input) along `axis`, without overflow.

    Args:
        input: A floating-point tensor.
        axis: An int.

    Returns:
        A tensor of the shape of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> print(ops.logcumsumexp(Tensor([0.0, 0.0, 0.0]), 0).asnumpy().round(3))
        [0.    0.693 1.099]
    """
    return scanning.cumulative_logsumexp(only("logcumsumexp", input), axis=plain(axis))


__all__ = [
    "cumprod", "cumsum", "logcumsumexp",
]

METHODS = {
    "cumsum": _cumsum, "cumprod": cumprod, "logcumsumexp": logcumsumexp,
}
