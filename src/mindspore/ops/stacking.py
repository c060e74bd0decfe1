"""Tensors side by side, below and behind each other."""
from __future__ import annotations

from typing import Any

from mindspore.operators import joining

from .arguments import tensor
from .array import reshape
from .joining import _listed
from .more_dimensions import atleast_1d, atleast_2d, atleast_3d


def hstack(tensors: Any) -> Any:
    """The tensors side by side: along the second dimension, vectors along their only one.

    Args:
        tensors: A list or tuple of tensors whose shapes agree but for that dimension.

    Returns:
        A tensor.

    Raises:
        TypeError: If `tensors` is no list or tuple of tensors.

    Examples:
        >>> ops.hstack([Tensor([[1], [2]]), Tensor([[3], [4]])]).tolist()
        [[1, 3], [2, 4]]
    """
    parts = [atleast_1d(x) for x in _listed("hstack", tensors)]
    return joining.concat(*parts, axis=0 if parts[0].ndim == 1 else 1)


def vstack(inputs: Any) -> Any:
    """The tensors below each other; vectors become rows.

    Args:
        inputs: A list or tuple of tensors whose shapes agree but for the first dimension.

    Returns:
        A tensor with two dimensions at least.

    Raises:
        TypeError: If `inputs` is no list or tuple of tensors.

    Examples:
        >>> ops.vstack([Tensor([1, 2]), Tensor([3, 4])]).tolist()
        [[1, 2], [3, 4]]
    """
    return joining.concat(*[atleast_2d(x) for x in _listed("vstack", inputs)], axis=0)


def row_stack(tensors: Any) -> Any:
    """The tensors below each other; vectors become rows.

    Args:
        tensors: A list or tuple of tensors whose shapes agree but for the first dimension.

    Returns:
        A tensor with two dimensions at least.

    Raises:
        TypeError: If `tensors` is no list or tuple of tensors.

    Examples:
        >>> ops.row_stack([Tensor([1, 2]), Tensor([3, 4])]).tolist()
        [[1, 2], [3, 4]]
    """
    return vstack(tensors)


def dstack(tensors: Any) -> Any:
    """The tensors behind each other, along the third dimension.

    Args:
        tensors: A list or tuple of tensors whose shapes agree but for the third dimension, as `ops.atleast_3d`
            shows them.

    Returns:
        A tensor with three dimensions at least.

    Raises:
        TypeError: If `tensors` is no list or tuple of tensors.

    Examples:
        >>> ops.dstack([Tensor([1, 2]), Tensor([3, 4])]).tolist()
        [[[1, 3], [2, 4]]]
    """
    return joining.concat(*[atleast_3d(x) for x in _listed("dstack", tensors)], axis=2)


def column_stack(tensors: Any) -> Any:
    """The tensors side by side; vectors become columns.

    Args:
        tensors: A list or tuple of tensors whose shapes agree but for the second dimension.

    Returns:
        A tensor with two dimensions at least.

    Raises:
        TypeError: If `tensors` is no list or tuple of tensors.

    Examples:
        >>> ops.column_stack([Tensor([1, 2]), Tensor([3, 4])]).tolist()
        [[1, 3], [2, 4]]
    """
    parts = [tensor("column_stack", "tensors", x) for x in _listed("column_stack", tensors)]
    parts = [reshape(x, (-1, 1)) if x.ndim < 2 else x for x in parts]
    return joining.concat(*parts, axis=1)


def block_diag(*inputs: Any) -> Any:
    """The matrices along the diagonal of a larger one, the rest zero.

    Args:
        inputs: Tensors with two dimensions at most; vectors count as rows.

    Returns:
        A tensor (the sum of the rows, the sum of the columns).

    Raises:
        TypeError: If an input is no tensor.

    Examples:
        >>> ops.block_diag(Tensor([[1, 2]]), Tensor([[3]])).tolist()
        [[1, 2, 0], [0, 0, 3]]
    """
    from .padding import pad  # padding imports this module

    parts = [atleast_2d(tensor("block_diag", "inputs", x)) for x in inputs]
    wide, left, rows = sum([x.shape[1] for x in parts]), 0, []
    for x in parts:
        rows.append(pad(x, (left, wide - left - x.shape[1])))
        left += x.shape[1]
    return joining.concat(*rows, axis=0)


__all__ = [
    "block_diag", "column_stack", "dstack", "hstack", "row_stack", "vstack",
]
