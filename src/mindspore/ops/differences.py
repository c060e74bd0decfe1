"""Differences and integrals along a dimension, vector products and sums over labels."""
from __future__ import annotations

from typing import Any

from mindspore.core.dtype import float32, float64
from mindspore.core.errors import kind, show
from mindspore.eager.tensor import is_tensor
from mindspore.operators import arithmetic, reduction
from mindspore.operators import statistics as measures
from mindspore.operators.registry import REGISTRY
from mindspore.operators.structure import cast

from .arguments import only


def cross(input: Any, other: Any, dim: Any = None) -> Any:
    """The vector products along `dim`, by default along the first dimension of extent 3.

    Args:
        input, other: Tensors of broadcastable shapes with extent 3 along `dim`.
        dim: The dimension, an int, or None.

    Returns:
        A tensor.

    Raises:
        TypeError: If one of them is no tensor.
        ValueError: If no dimension, or not the dimension `dim`, has the extent 3.

    Examples:
        >>> ops.cross(Tensor([1.0, 0.0, 0.0]), Tensor([0.0, 1.0, 0.0])).tolist()
        [0.0, 0.0, 1.0]
    """
    for name, x in (("input", input), ("other", other)):
        if not is_tensor(x):
            raise TypeError(f"For 'cross', the '{name}' must be a Tensor, but got {kind(x)}.")
    if dim is None or dim == -65530:
        fits = [i for i, e in enumerate(input.shape) if e == 3]
        if not fits:
            raise ValueError(f"For 'cross', a dimension of extent 3 is needed, but got {show(input)}.")
        dim = fits[0]
    if input.shape[dim] != 3 or other.shape[dim] != 3:
        raise ValueError(f"For 'cross', the dimension {dim} must have extent 3, but got {show(input)} "
                         f"and {show(other)}.")
    return arithmetic.sub(_rolled(input, 1, dim) * _rolled(other, 2, dim),
                          _rolled(input, 2, dim) * _rolled(other, 1, dim))


def _part(x: Any, start: Any, stop: Any, dim: int) -> Any:
    index = [slice(None)] * x.ndim
    index[dim] = slice(start, stop)
    return x[tuple(index)]


def _rolled(x: Any, by: int, dim: int) -> Any:
    """The components from number `by` on, then those before."""
    return REGISTRY["Concat"](_part(x, by, None, dim), _part(x, 0, by, dim), axis=dim)


def diff(x: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """The differences of neighbours along `axis`, `n` times.

    Args:
        x: A tensor.
        n: How often, an int.
        axis: The dimension, an int.
        prepend, append: Tensors that come before and after `x` along `axis`, or None.

    Returns:
        A tensor, by `n` smaller along `axis`.

    Raises:
        TypeError: If `x` is no tensor or `n` no int.
        ValueError: If `x` has no dimension.

    Examples:
        >>> ops.diff(Tensor([1, 4, 9])).tolist()
        [3, 5]
    """
    only("diff", x)
    if isinstance(n, bool) or not isinstance(n, int):
        raise TypeError(f"For 'diff', the 'n' must be an int, but got {n!r}.")
    if not x.ndim:
        raise ValueError("For 'diff', the input must have at least 1 dimension.")
    parts = [p for p in (prepend, x, append) if p is not None]
    x = x if len(parts) == 1 else REGISTRY["Concat"](*parts, axis=axis)
    for _ in range(n):
        if x.shape[axis] == 0 and type(x.shape[axis]) is int:      # nothing is left: `n` may be any number
            break
        x = arithmetic.sub(_part(x, 1, None, axis), _part(x, None, -1, axis))
    return x


def trapz(y: Any, x: Any = None, *, dx: float = 1.0, dim: int = -1) -> Any:
    """The integral of samples `y` along `dim` by the trapezoidal rule, at places `x` or `dx` apart.

    Args:
        y: A tensor.
        x: The places, a vector or a tensor of the shape of `y`; None for equal distances.
        dx: The distance.
        dim: The dimension, an int.

    Returns:
        A tensor without the dimension.

    Raises:
        TypeError: If `y` is no tensor or `dim` no int.
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.trapz(Tensor([1.0, 2.0, 3.0])).item(), ops.trapz(Tensor([1.0, 2.0, 3.0]), dx=2.0).item()
        (4.0, 8.0)
    """
    only("trapz", y)
    if isinstance(dim, bool) or not isinstance(dim, int):
        raise TypeError(f"For 'trapz', the 'dim' must be an int, but got {dim!r}.")
    if not -y.ndim <= dim < y.ndim:
        raise ValueError(f"For 'trapz', the 'dim' must be in [{-y.ndim}, {y.ndim}), but got {dim}.")
    if y.dtype.kind != "c" and (y.dtype.is_floating is False or y.dtype is float64 or x is not None):
        y = cast(y, dtype=float32)
        x = x if x is None else cast(x, dtype=float32)
    middle = (_part(y, 1, None, dim) + _part(y, None, -1, dim)) * 0.5
    if x is None:
        return reduction.reduce_sum(middle, axis=dim) * dx
    if x.ndim == 1:
        steps = diff(x).reshape((-1,) + (1,) * (y.ndim - 1 - dim % y.ndim))
    else:
        steps = diff(x, 1, dim)
    return reduction.reduce_sum(middle * steps, axis=dim)


def einsum(equation: str, *operands: Any) -> Any:
    """The sum of products over the labels that the result lacks: "ij,jk->ik" multiplies matrices.

    Args:
        equation: The labels of each operand, then "->" and those of the result; without it the labels that occur
            once, in alphabetical order. "..." means further dimensions.
        operands: Tensors, or one list or tuple of them.

    Returns:
        A tensor.

    Raises:
        TypeError: If `equation` is no str.
        ValueError: If there is no operand, or the labels do not fit.

    Examples:
        >>> ops.einsum("ij,jk->ik", Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])).tolist()
        [[11.0]]
        >>> ops.einsum("ii->", Tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
        5.0
    """
    if not isinstance(equation, str):
        raise TypeError(f"For 'einsum', the 'equation' must be a str, but got {equation!r}.")
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = tuple(operands[0])
    if not operands:
        raise ValueError("For 'einsum', at least one operand is needed.")
    return measures.einsum(*operands, equation=equation)


__all__ = [
    "cross", "diff", "einsum", "trapz",
]

METHODS = {
    "cross": cross, "diff": diff,
}
