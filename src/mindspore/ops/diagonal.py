"""Functions that make, take and change diagonals."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import bool_
from mindspore.core.errors import show
from mindspore.operators import diagonal as diagonals
from mindspore.operators import structure
from mindspore.operators.masking import select
from mindspore.operators.rules import axes_of

from .arguments import in_int64, tensor
from .array import reshape
from .creation import arange
from .indexing import masked_fill
from .primitive import composed


def diag(input: Any) -> Any:
    """Zeros of the shape (*s, *s) with the tensor, of the shape s, on the diagonal.

    Args:
        input: A tensor.

    Returns:
        A tensor of its dtype.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.diag(Tensor([1, 2])).tolist()
        [[1, 0], [0, 2]]
    """
    return diagonals.diag(tensor("diag", "input", input))


def diagonal(input: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """The diagonals of the plane (dim1, dim2), as the last dimension.

    Args:
        input: A tensor with two dimensions at least.
        offset: 0 for the main diagonal, positive ones lie above.
        dim1, dim2: The dimensions, ints.

    Returns:
        A tensor without these dimensions, and the diagonals at its end.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.diagonal(Tensor([[1, 2], [3, 4]])).tolist()
        [1, 4]
    """
    tensor("diagonal", "input", input)
    return diagonals.diagonal(input, offset=offset, dim1=dim1, dim2=dim2)


def diag_embed(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Zeros with the last dimension of the tensor on the diagonals of a new plane (dim1, dim2).

    Args:
        input: A tensor (*, n).
        offset: 0 for the main diagonal, positive ones lie above.
        dim1, dim2: The dimensions of the plane in the result, ints.

    Returns:
        A tensor with one dimension more.

    Raises:
        TypeError: If `input` is no tensor, or a number no int.

    Examples:
        >>> ops.diag_embed(Tensor([1, 2]), 1).tolist()
        [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
    """
    rank = tensor("diag_embed", "input", input).ndim + 1
    for name, value in (("offset", offset), ("dim1", dim1), ("dim2", dim2)):
        check.integer("diag_embed", name, value)
    a, b = axes_of((dim1, dim2), rank, "diag_embed")
    n = input.shape[-1] + abs(offset)
    shape = list(input.shape[:-1])
    for axis in sorted((a, b)):
        shape.insert(axis, n)
    return diagonals.diagonal_grad(input, shape=tuple(shape), offset=offset, dim1=a, dim2=b)


def diagflat(input: Any, offset: int = 0) -> Any:
    """A matrix with the elements of the tensor on a diagonal.

    Args:
        input: A tensor with n elements.
        offset: 0 for the main diagonal, positive ones lie above.

    Returns:
        A tensor (n + abs(offset), n + abs(offset)).

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.diagflat(Tensor([[1], [2]])).tolist()
        [[1, 0], [0, 2]]
    """
    return diag_embed(reshape(tensor("diagflat", "input", input), (-1,)), offset)


def diagonal_scatter(input: Any, src: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """The tensor with `src` on the diagonals of the plane (dim1, dim2).

    Args:
        input: A tensor with two dimensions at least.
        src: A tensor of the shape of the diagonals, as `ops.diagonal` gives them.
        offset: 0 for the main diagonal, positive ones lie above.
        dim1, dim2: The dimensions, ints.

    Returns:
        A tensor; `input` stays unchanged.

    Raises:
        TypeError: If `src` is no tensor.
        ValueError: If the shape of `src` is another one.

    Examples:
        >>> ops.diagonal_scatter(Tensor([[1, 2], [3, 4]]), Tensor([7, 8])).tolist()
        [[7, 2], [3, 8]]
    """
    old = diagonal(input, offset, dim1, dim2)
    if tuple(tensor("diagonal_scatter", "src", src).shape) != tuple(old.shape):
        raise ValueError(f"For 'diagonal_scatter', the shape of 'src' must be {tuple(old.shape)}, that "
                         f"of the diagonals, but got {tuple(src.shape)}.")
    one = structure.ones_like(old)
    place = diagonals.diagonal_grad(one, shape=tuple(input.shape), offset=offset, dim1=dim1, dim2=dim2)
    new = diagonals.diagonal_grad(src, shape=tuple(input.shape), offset=offset, dim1=dim1, dim2=dim2)
    return select(place != 0, new, input)


def trace(input: Any) -> Any:
    """The sum of the diagonal of a matrix, in its dtype.

    Args:
        input: A matrix.

    Returns:
        A tensor without dimensions.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If it is no matrix.

    Examples:
        >>> ops.trace(Tensor([[1, 2], [3, 4]])).item()
        5
    """
    if tensor("trace", "input", input).ndim != 2:
        raise ValueError(f"For 'trace', the input must be a matrix, but got {show(input)}.")
    total = structure.sum_to(diagonals.diagonal(input), shape=())
    return structure.cast(total, dtype=input.dtype)


@composed("FillDiagonal(fill_value, wrap=False)(input_x)")
def _fill_diagonal(x: Any, *, fill_value: float, wrap: bool = False) -> Any:
    """The tensor with a number on its main diagonal."""
    if tensor("FillDiagonal", "input_x", x).ndim < 2:
        raise ValueError(f"For 'FillDiagonal', the input must have two dimensions at least, but got "
                         f"{show(x)}.")
    if x.ndim > 2 and len(set(x.shape)) > 1:
        raise ValueError(f"For 'FillDiagonal', a tensor of more than two dimensions must have equal "
                         f"extents, but got {show(x)}.")
    step, n = 1, 1
    for extent in reversed(x.shape[1:]):
        n *= extent
        step += n
    limit = x.size if wrap or x.ndim > 2 else min(x.shape[0], x.shape[1]) * n
    line = arange(x.size)
    mask = ((line % step) == 0) & (line < limit)
    return masked_fill(x, reshape(mask, x.shape), fill_value)


# ---------------------------------------------------------------------- bands of diagonals


# ---------------------------------------------------------------------- methods

def _diag(self: Any, diagonal: int = 0) -> Any:
    """Zeros of the shape (*s, *s) with the tensor, of the shape s, on the diagonal.

    Args:
        diagonal: 0.

    Returns:
        A tensor of its dtype.

    Raises:
        ValueError: If `diagonal` is another one.

    Examples:
        >>> Tensor([1, 2]).diag().tolist()
        [[1, 0], [0, 2]]
    """
    if diagonal != 0:
        raise ValueError(f"For 'Tensor.diag', the 'diagonal' must be 0, but got {diagonal}; use "
                         f"'diag_embed' or 'diagonal'.")
    return diag(self)


def _trace(self: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    """The sums of the diagonals of the plane (axis1, axis2).

    Args:
        offset: 0 for the main diagonal, positive ones lie above.
        axis1, axis2: The dimensions, ints.
        dtype: The element type of the result.

    Returns:
        A tensor without these dimensions.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).trace(1).item()
        2
    """
    found = diagonal(self, offset, axis1, axis2)
    found = found if found.dtype is bool_ else in_int64(found)
    total = structure.sum_to(found, shape=(*found.shape[:-1], 1))
    total = reshape(total, total.shape[:-1])
    return total if dtype is None else structure.cast(total, dtype=dtype)


def _diagonal(self: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The diagonals of the plane (axis1, axis2), as the last dimension.

    Args:
        offset: 0 for the main diagonal, positive ones lie above.
        axis1, axis2: The dimensions, ints.

    Returns:
        A tensor without these dimensions, and the diagonals at its end.

    Raises:
        ValueError: If there is no such dimension.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).diagonal(1).tolist()
        [2]
    """
    return diagonal(self, offset, axis1, axis2)


def _filled(self: Any, fill_value: Any, wrap: bool = False) -> Any:
    """The tensor with a number on its main diagonal.

    Args:
        fill_value: The number.
        wrap: Whether the diagonal of a matrix with more rows begins anew after the last column, one row lower.

    Returns:
        A tensor; the original one stays unchanged.

    Raises:
        TypeError: If `wrap` is no bool.

    Examples:
        >>> Tensor([[1.0, 2.0], [3.0, 4.0]]).fill_diagonal(9.0).tolist()
        [[9.0, 2.0], [3.0, 9.0]]
    """
    return _fill_diagonal(self, fill_value=fill_value, wrap=check.boolean("fill_diagonal", "wrap", wrap))


METHODS = {
    "diag": _diag, "diagflat": diagflat,
    "diagonal": _diagonal, "diagonal_scatter": diagonal_scatter, "fill_diagonal": _filled,
    "trace": _trace,
}
__all__ = [
    "diag", "diag_embed", "diagflat", "diagonal", "diagonal_scatter", "trace",
]
