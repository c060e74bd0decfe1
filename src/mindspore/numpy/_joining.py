"""Tensors joined, and cut into parts."""

from __future__ import annotations

import functools
from typing import Any

from mindspore import ops
from mindspore.core.kinds import is_sequence
from mindspore.eager.tensor import is_tensor

from ._shapes import atleast_1d, atleast_2d, atleast_3d, ravel
from .arguments import axes_of, common_type, stacked, tensor


def _given(owner: str, arrays: Any, error: type[Exception] = TypeError) -> list[Any]:
    """The arrays that are joined, at least one; `error` if they are no sequence."""
    if not (is_tensor(arrays) or is_sequence(arrays)):
        raise error(f"For '{owner}', the arrays must be a tensor, a list or a tuple, but got {arrays!r} with type "
                    f"'{type(arrays).__name__}'.")
    if not len(arrays):
        raise ValueError(f"For '{owner}', at least one array is needed, but got none.")
    return list(arrays)


def concatenate(arrays: Any, axis: int | None = 0) -> Any:
    """Tensors behind each other along an axis, flattened if it is None.

    Args:
        arrays: The tensors; all axes but the one have equal lengths.
        axis: The axis.

    Examples:
        >>> print(mnp.concatenate([[[1, 2]], [[3, 4]]], axis=1))
        [[1 2 3 4]]
    """
    parts = [ravel(a) if axis is None else tensor(a) for a in _given("concatenate", arrays)]
    kind = functools.reduce(common_type, [a.dtype for a in parts])
    return ops.cat([a.astype(kind) for a in parts], 0 if axis is None else axis)


def append(arr: Any, values: Any, axis: int | None = None) -> Any:
    """Values at the end of an axis, of the flattened tensor if it is None.

    Args:
        arr: A tensor, or numbers that make one.
        values: What is put behind it, with as many axes unless `axis` is None.
        axis: The axis.

    Examples:
        >>> print(mnp.append([1, 2], [3, 4]))
        [1 2 3 4]
    """
    return concatenate([arr, values], axis)


def stack(arrays: Any, axis: int = 0) -> Any:
    """Tensors along a new axis, in their common type.

    Args:
        arrays: Tensors of one shape.
        axis: Where the new axis stands in the result.

    Examples:
        >>> print(mnp.stack([[1, 2], [3, 4]], axis=1))
        [[1 3]
         [2 4]]
    """
    return stacked([tensor(a) for a in _given("stack", arrays, ValueError)], axis)


def hstack(tup: Any) -> Any:
    """Tensors side by side: along axis 1, vectors along their only one.

    Args:
        tup: The tensors.

    Examples:
        >>> print(mnp.hstack([[1, 2], [3]]))
        [1 2 3]
    """
    arrays = [atleast_1d(a) for a in _given("hstack", tup)]
    return concatenate(arrays, 0 if arrays[0].ndim == 1 else 1)


def vstack(tup: Any) -> Any:
    """Tensors below each other.

    Args:
        tup: The tensors; vectors are rows.

    Examples:
        >>> print(mnp.vstack([[1, 2], [3, 4]]))
        [[1 2]
         [3 4]]
    """
    return ops.cat([atleast_2d(a) for a in _given("vstack", tup)], 0)


def dstack(tup: Any) -> Any:
    """Tensors behind each other, along the third axis.

    Args:
        tup: The tensors; a matrix (M, N) counts as (M, N, 1), a vector (N,) as (1, N, 1).

    Examples:
        >>> print(mnp.dstack([[1, 2], [3, 4]]))
        [[[1 3]
          [2 4]]]
    """
    return ops.cat([atleast_3d(a) for a in _given("dstack", tup)], 2)


def column_stack(tup: Any) -> Any:
    """Vectors as the columns of a matrix.

    Args:
        tup: Vectors of one length; matrices stand as they are.

    Examples:
        >>> print(mnp.column_stack([[1, 2], [3, 4]]))
        [[1 3]
         [2 4]]
    """
    arrays = [tensor(a) for a in _given("column_stack", tup)]
    return ops.cat([a.reshape((-1, 1)) if a.ndim < 2 else a for a in arrays], 1)


def split(x: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """Parts along an axis: a number of equal ones, or cut at indices.

    Args:
        x: A tensor, or numbers that make one.
        indices_or_sections: The number of parts, or the indices at which new parts begin.
        axis: The axis.

    Returns:
        A tuple of tensors, or a list if cut at indices.

    Raises:
        ValueError: If the axis cannot be divided into that many equal parts.

    Examples:
        >>> print(*mnp.split([1, 2, 3, 4], 2))
        [1 2] [3 4]
        >>> print(*mnp.split([1, 2, 3, 4], [1]))
        [1] [2 3 4]
    """
    x = tensor(x)
    (axis,) = axes_of("split", axis, x.ndim)
    if isinstance(indices_or_sections, int) and indices_or_sections < 1:
        raise ValueError(f"For 'split', the number of parts must be positive, but got {indices_or_sections}.")
    if isinstance(indices_or_sections, int) and x.shape[axis] % indices_or_sections:
        raise ValueError(
            f"For 'split', the axis must be divisible by {indices_or_sections}, but the shape is {x.shape}."
        )
    return array_split(x, indices_or_sections, axis)


def array_split(x: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """Parts along an axis, the first ones longer if they cannot be equal: a tuple, or a list if cut at indices.

    Args:
        x: A tensor, or numbers that make one.
        indices_or_sections: The number of parts, or the indices at which new parts begin.
        axis: The axis.

    Examples:
        >>> print(*mnp.array_split([1, 2, 3, 4, 5], 2))
        [1 2 3] [4 5]
    """
    parts = ops.tensor_split(tensor(x), indices_or_sections, axis)
    return tuple(parts) if isinstance(indices_or_sections, int) else list(parts)


def hsplit(x: Any, indices_or_sections: Any) -> Any:
    """Parts along axis 1, of a vector along its only one.

    Args:
        x: A tensor, or numbers that make one.
        indices_or_sections: The number of equal parts, or the indices at which new parts begin.

    Examples:
        >>> print(*mnp.hsplit([[1, 2], [3, 4]], 2), sep=" and ")
        [[1]
         [3]] and [[2]
         [4]]
    """
    x = tensor(x)
    return split(x, indices_or_sections, 1 if x.ndim > 1 else 0)


def vsplit(x: Any, indices_or_sections: Any) -> Any:
    """Parts along axis 0.

    Args:
        x: A tensor, or numbers that make one.
        indices_or_sections: The number of equal parts, or the indices at which new parts begin.

    Examples:
        >>> print(*mnp.vsplit([[1, 2], [3, 4]], 2))
        [[1 2]] [[3 4]]
    """
    return split(x, indices_or_sections, 0)


def dsplit(x: Any, indices_or_sections: Any) -> Any:
    """Parts along axis 2.

    Args:
        x: A tensor of three axes or more.
        indices_or_sections: The number of equal parts, or the indices at which new parts begin.

    Examples:
        >>> [part.shape for part in mnp.dsplit(mnp.ones((2, 3, 4)), 2)]
        [(2, 3, 2), (2, 3, 2)]
    """
    return split(x, indices_or_sections, 2)


__all__ = [
    "append",
    "array_split",
    "column_stack",
    "concatenate",
    "dsplit",
    "dstack",
    "hsplit",
    "hstack",
    "split",
    "stack",
    "vsplit",
    "vstack",
]
