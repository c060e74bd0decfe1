"""Rows and slices of a tensor replaced, or added to."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import int64
from mindspore.core.errors import show
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators import scatter as operators
from mindspore.operators import structure
from mindspore.operators.getitem import TENSOR, get_item_grad
from mindspore.operators.joining import one_axis

from .arguments import tensor
from .array import reshape
from .getitem import getitem
from .primitive import composed
from .setitem import setitem
from .signatures import flag, plain


def index_fill(x: Any, axis: int, index: Any, value: Any) -> Any:
    """The tensor with a number in the slices along `axis` at the elements of `index`.

    Args:
        x: A tensor.
        axis: The dimension, an int.
        index: A tensor of ints, the places along it.
        value: A number, or a tensor without dimensions.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        TypeError: If `x` is no tensor.
        ValueError: If there is no such dimension, or `value` has dimensions.

    Examples:
        >>> ops.index_fill(Tensor([[1, 2], [3, 4]]), 1, Tensor([0]), 9).tolist()
        [[9, 2], [9, 4]]
    """
    axis = one_axis(plain(axis), tensor("index_fill", "x", x).ndim, "IndexFill")
    index = reshape(index, (-1,))
    shape = (*x.shape[:axis], index.shape[0], *x.shape[axis + 1:])
    if is_tensor(value):
        if value.ndim:
            raise ValueError(f"For 'IndexFill', the 'value' must be a number or a tensor without "
                             f"dimensions, but got {show(value)}.")
        rows = structure.broadcast_to(structure.cast(value, dtype=x.dtype), shape=shape)
    else:
        rows = structure.full(shape=shape, value=value, dtype=x.dtype)
    return operators.index_put(x, rows, index, axis=axis)


@composed("IndexFill()(x, dim, index, value)")
def _index_fill(x: Any, dim: int, index: Any, value: Any) -> Any:
    """The tensor with a number in the slices along `dim` at the elements of `index`."""
    return index_fill(x, dim, index, value)


def _rows(owner: str, x: Any, v: Any, indices: Any) -> Any:
    rows = plain(indices)
    rows = (rows,) if isinstance(rows, int) else rows
    n = tensor(owner, "x", x).shape[0]
    if any(not -n <= i < n for i in rows):
        raise ValueError(f"For '{owner}', the 'indices' must be in [0, {n}), but got {rows}.")
    return Tensor(rows, int64)


@composed("InplaceAdd(indices)(x, v)")
def _inplace_add(x: Any, v: Any, *, indices: Any) -> Any:
    """The tensor with the rows of `v` added at the indices."""
    return operators.index_add(x, _rows("InplaceAdd", x, v, indices), v, axis=0)


@composed("InplaceSub(indices)(x, v)")
def _inplace_sub(x: Any, v: Any, *, indices: Any) -> Any:
    """The tensor with the rows of `v` subtracted at the indices."""
    return operators.index_add(x, _rows("InplaceSub", x, v, indices), -v, axis=0)


@composed("InplaceUpdate(indices)(x, v)")
def _inplace_update(x: Any, v: Any, *, indices: Any) -> Any:
    """The tensor with the rows at the indices replaced by those of `v`."""
    return operators.index_put(x, v, _rows("InplaceUpdate", x, v, indices), axis=0)


def inplace_add(x: Any, v: Any, indices: Any) -> Any:
    """The tensor with the rows of `v` added at the indices.

    Args:
        x: A tensor.
        v: A tensor of its dtype with one row per index.
        indices: An int or a tuple of ints, the rows.

    Returns:
        A tensor; `x` stays unchanged.

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.inplace_add(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([[10.0, 20.0]]), (1,)).tolist()
        [[1.0, 2.0], [13.0, 24.0]]
    """
    return _inplace_add(x, v, indices=indices)


def inplace_sub(x: Any, v: Any, indices: Any) -> Any:
    """The tensor with the rows of `v` subtracted at the indices.

    Args:
        x: A tensor.
        v: A tensor of its dtype with one row per index.
        indices: An int or a tuple of ints, the rows.

    Returns:
        A tensor; `x` stays unchanged.

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.inplace_sub(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([[1.0, 1.0]]), (1,)).tolist()
        [[1.0, 2.0], [2.0, 3.0]]
    """
    return _inplace_sub(x, v, indices=indices)


def inplace_update(x: Any, v: Any, indices: Any) -> Any:
    """The tensor with the rows at the indices replaced by those of `v`.

    Args:
        x: A tensor.
        v: A tensor of its dtype with one row per index.
        indices: An int or a tuple of ints, the rows.

    Returns:
        A tensor; `x` stays unchanged.

    Raises:
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.inplace_update(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([[7.0, 8.0]]), (1,)).tolist()
        [[1.0, 2.0], [7.0, 8.0]]
    """
    return _inplace_update(x, v, indices=indices)


def _index_put(self: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    """The tensor with `values` at the places that a tuple of index tensors names.

    Args:
        indices: A tuple of tensors of ints, one for each of the first dimensions.
        values: A tensor that broadcasts to the places.
        accumulate: Whether to add the values instead; those at equal places are added up.

    Returns:
        A tensor; the original one stays unchanged.

    Raises:
        TypeError: If `accumulate` is no bool.

    Examples:
        >>> Tensor([[1.0, 2.0], [3.0, 4.0]]).index_put((Tensor([0]), Tensor([1])), Tensor([9.0])).tolist()
        [[1.0, 9.0], [3.0, 4.0]]
    """
    flag("index_put", "accumulate", accumulate)
    if not accumulate:
        return setitem(self, tuple(indices), values)
    spec = (TENSOR,) * len(indices)
    added = structure.broadcast_to(values, shape=tuple(getitem(self, tuple(indices)).shape))
    return self + get_item_grad(added, *indices, spec=spec, shape=tuple(self.shape))


def slice_scatter(input: Any, src: Any, axis: int = 0, start: Any = None, end: Any = None,
                  step: int = 1) -> Any:
    """The tensor with `src` in the slices along `axis` from `start` to before `end`.

    Args:
        input: A tensor.
        src: A tensor of its dtype in the shape of these slices.
        axis: The dimension, an int.
        start, end: Ints or None, as in Python's slices.
        step: The distance of the slices, an int.

    Returns:
        A tensor; `input` stays unchanged.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.slice_scatter(Tensor([1, 2, 3, 4]), Tensor([8, 9]), start=1, end=3).tolist()
        [1, 8, 9, 4]
    """
    axis = one_axis(axis, tensor("slice_scatter", "input", input).ndim, "slice_scatter")
    tensor("slice_scatter", "src", src)
    return setitem(input, (slice(None),) * axis + (slice(start, end, step),), src)


def select_scatter(input: Any, src: Any, axis: int, index: int) -> Any:
    """The tensor with `src` as the slice along `axis` at `index`.

    Args:
        input: A tensor.
        src: A tensor in the shape of `input` without the dimension `axis`.
        axis: The dimension, an int.
        index: The place along it, an int.

    Returns:
        A tensor; `input` stays unchanged.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If the shapes do not fit.

    Examples:
        >>> ops.select_scatter(Tensor([[1, 2], [3, 4]]), Tensor([8, 9]), 1, 0).tolist()
        [[8, 2], [9, 4]]
    """
    axis = one_axis(axis, tensor("select_scatter", "input", input).ndim, "select_scatter")
    check.integer("select_scatter", "index", index)
    tensor("select_scatter", "src", src)
    return setitem(input, (slice(None),) * axis + (index,), src)


__all__ = [
    "index_fill", "inplace_add", "inplace_sub", "inplace_update", "select_scatter", "slice_scatter",
]

METHODS = {
    "index_fill": index_fill, "index_put": _index_put, "inplace_update": inplace_update,
    "select_scatter": select_scatter, "slice_scatter": slice_scatter,
}
