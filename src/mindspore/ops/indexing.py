"""Functions that take elements by index, mask or condition."""
from __future__ import annotations

import builtins
from typing import Any

from mindspore.core import check
from mindspore.core.errors import kind
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators import indexing, masking, structure
from mindspore.operators.indexing import gather_d
from mindspore.operators.joining import one_axis

from .arguments import tensor
from .getitem import getitem
from .primitive import composed
from .signatures import plain

span = builtins.slice      # the name is taken by a public function below


def gather(input_params: Any, input_indices: Any, axis: Any, batch_dims: int = 0) -> Any:
    """The slices of a tensor along `axis` at the indices."""
    return indexing.gather(tensor("Gather", "input_params", input_params), input_indices,
                           axis=plain(axis), batch_dims=plain(batch_dims))


def gather_elements(input: Any, dim: int, index: Any) -> Any:
    """For every place of `index` the element at the same place but there along `dim`."""
    return gather_d(input, index, dim=plain(dim))


# ---------------------------------------------------------------------- conditions and masks

def where(condition: Any, input: Any, other: Any) -> Any:
    """`input` where the condition holds, elsewhere `other`; the three are broadcast.

    Args:
        condition: A bool tensor.
        input, other: Tensors, or a tensor and a number.

    Returns:
        A tensor of the broadcast shape.

    Raises:
        TypeError: If `condition` is no tensor of bools, or both others are numbers.

    Examples:
        >>> ops.where(Tensor([True, False]), Tensor([1, 2]), Tensor([10, 20])).tolist()
        [1, 20]
    """
    return _select("where", condition, input, other)


def select(condition: Any, input: Any, other: Any) -> Any:
    """`input` where the condition holds, elsewhere `other`.

    Args:
        condition: A bool tensor.
        input, other: Tensors, or a tensor and a number.

    Returns:
        A tensor of the broadcast shape.

    Raises:
        TypeError: If `condition` is no tensor of bools, or both others are numbers.

    Examples:
        >>> ops.select(Tensor([True, False]), Tensor([1, 2]), Tensor([10, 20])).tolist()
        [1, 20]
    """
    return _select("select", condition, input, other)


def _select(owner: str, condition: Any, x: Any, y: Any) -> Any:
    masking.mask(owner, "condition", condition)
    if is_tensor(x) and is_tensor(y) and x.dtype is y.dtype:
        return masking.select(condition, x, y)
    for name, value in (("input", x), ("other", y)):
        if not is_tensor(value) and not isinstance(value, (bool, int, float)):
            raise TypeError(f"For '{owner}', the '{name}' must be a Tensor or a number, but got "
                            f"{kind(value)}.")
    wanted = masking.select_dtype(x, y)
    x, y = [structure.cast(v, dtype=wanted) if is_tensor(v) and v.dtype is not wanted else v
            for v in (x, y)]
    if not is_tensor(x) and not is_tensor(y):
        x = Tensor(x, wanted)
    return masking.select(condition, x, y)


def masked_fill(input_x: Any, mask: Any, value: Any) -> Any:
    """The tensor with `value` where the mask holds; both are broadcast.

    Args:
        input_x: A tensor.
        mask: A tensor of bools.
        value: A number, or a tensor without dimensions.

    Returns:
        A tensor of the broadcast shape.

    Raises:
        TypeError: If `input_x` is no tensor, or `value` neither number nor tensor.

    Examples:
        >>> ops.masked_fill(Tensor([1, 2, 3]), Tensor([True, False, True]), 7).tolist()
        [7, 2, 7]
    """
    if not is_tensor(value) and not isinstance(value, (bool, int, float)):
        raise TypeError(f"For 'MaskedFill', the 'value' must be a number or a tensor, but got "
                        f"{kind(value)}.")
    return masking.masked_fill(tensor("MaskedFill", "input_x", input_x), mask, value)


# ---------------------------------------------------------------------- slices

@composed("Slice()(input, begin, size)")
def slice_(input_x: Any, begin: Any, size: Any) -> Any:
    """The block that starts at `begin` and has the extents `size`; -1 reaches to the end.

    Args:
        input_x: A tensor.
        begin: A tuple of ints, one per dimension.
        size: A tuple of ints, one per dimension; -1 reaches to the end.

    Returns:
        A tensor.

    Raises:
        TypeError: If `input_x` is no tensor.
        ValueError: If the block does not lie within the tensor.

    Examples:
        >>> ops.slice(Tensor([[1, 2, 3], [4, 5, 6]]), (0, 1), (-1, 2)).tolist()
        [[2, 3], [5, 6]]
    """
    begin, size = plain(begin), plain(size)
    shape = tensor("Slice", "input", input_x).shape
    begin, size = [(v,) if isinstance(v, int) else v for v in (begin, size)]
    if len(begin) != len(shape) or len(size) != len(shape):
        raise ValueError(f"For 'Slice', 'begin' and 'size' must have {len(shape)} elements, but got "
                         f"{begin} and {size}.")
    for name, values in (("begin", begin), ("size", size)):
        for v in values:
            check.integer("Slice", name, v)
    size = [n - b if s == -1 else s for n, b, s in zip(shape, begin, size, strict=True)]
    if any(b < 0 or s < 0 or b + s > n for n, b, s in zip(shape, begin, size, strict=True)):
        raise ValueError(f"For 'Slice', the block from {begin} of the extents {tuple(size)} must lie "
                         f"within the shape {shape}.")
    return getitem(input_x, tuple([span(b, b + s) for b, s in zip(begin, size, strict=True)]))


def strided_slice(input_x: Any, begin: Any, end: Any, strides: Any, begin_mask: int = 0,
                  end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0,
                  shrink_axis_mask: int = 0) -> Any:
    """The block from `begin` to before `end` in steps of `strides`.

    Args:
        input_x: A tensor.
        begin, end, strides: Tuples of ints of one length, for the first dimensions.
        begin_mask: Bit i set: `begin[i]` is ignored, the block starts at the border.
        end_mask: Bit i set: `end[i]` is ignored, the block ends at the border.
        ellipsis_mask: The one bit that may be set represents all dimensions not named.
        new_axis_mask: Bit i set: a new dimension of extent 1.
        shrink_axis_mask: Bit i set: the dimension is left out, only `begin[i]` counts.

    Returns:
        A tensor.

    Raises:
        TypeError: If `input_x` is no tensor.
        ValueError: If the lengths differ, a stride is 0, or `ellipsis_mask` has several bits.

    Examples:
        >>> ops.strided_slice(Tensor([[1, 2, 3], [4, 5, 6]]), (0, 0), (2, 3), (1, 2)).tolist()
        [[1, 3], [4, 6]]
    """
    begin, end, strides = plain(begin), plain(end), plain(strides)
    tensor("StridedSlice", "input_x", input_x)
    for name, values in (("begin", begin), ("end", end), ("strides", strides)):
        if not isinstance(values, tuple):
            raise TypeError(f"For 'StridedSlice', the '{name}' must be a tuple of ints, but got "
                            f"{values!r}.")
        for v in values:
            check.integer("StridedSlice", name, v)
    if not len(begin) == len(end) == len(strides):
        raise ValueError(f"For 'StridedSlice', 'begin', 'end' and 'strides' must have one length, but "
                         f"got {begin}, {end} and {strides}.")
    if 0 in strides:
        raise ValueError(f"For 'StridedSlice', the 'strides' cannot contain 0, but got {strides}.")
    for name, mask in (("begin_mask", begin_mask), ("end_mask", end_mask), ("ellipsis_mask", ellipsis_mask),
                       ("new_axis_mask", new_axis_mask), ("shrink_axis_mask", shrink_axis_mask)):
        check.non_negative_int("StridedSlice", name, mask)
    if ellipsis_mask & (ellipsis_mask - 1):
        raise ValueError(f"For 'StridedSlice', one bit of 'ellipsis_mask' can be set, but got "
                         f"{ellipsis_mask:b}.")
    parts: list[Any] = []
    for i, (b, e, s) in enumerate(zip(begin, end, strides, strict=True)):
        bit = 1 << i
        if ellipsis_mask & bit:
            parts.append(Ellipsis)
        elif new_axis_mask & bit:
            parts.append(None)
        elif shrink_axis_mask & bit:
            parts.append(b if not begin_mask & bit else 0 if s > 0 else -1)
        else:
            parts.append(span(None if begin_mask & bit else b, None if end_mask & bit else e, s))
    return getitem(input_x, tuple(parts))


@composed("StridedSlice(begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, "
          "shrink_axis_mask=0)(input_x, begin, end, strides)")
def _strided_slice(input_x: Any, begin: Any, end: Any, strides: Any, *, begin_mask: int = 0,
                   end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0,
                   shrink_axis_mask: int = 0) -> Any:
    """The block from `begin` to before `end` in steps of `strides`."""
    return strided_slice(input_x, begin, end, strides, begin_mask, end_mask, ellipsis_mask,
                         new_axis_mask, shrink_axis_mask)


# ---------------------------------------------------------------------- one-hot


def _gather(self: Any, first: Any = None, second: Any = None, batch_dims: int = 0,
            input_indices: Any = None, axis: Any = None, dim: Any = None, index: Any = None) -> Any:
    """Slices or elements at indices: `gather(input_indices, axis)` or `gather(dim, index)`, told apart by the kinds
    of arguments.

    Args:
        first: The indices; in the second form the dimension.
        second: The dimension; in the second form the indices, a tensor of ints with as many dimensions as the
            tensor.
        batch_dims: In the first form how many first dimensions the indices share with the tensor.
        input_indices, axis, dim, index: The same by name.

    Returns:
        A tensor: slices in the first form, as `ops.gather`; elements in the second, as `ops.gather_elements`.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).gather(Tensor([1, 1]), 0).tolist()
        [[3, 4], [3, 4]]
        >>> Tensor([[1, 2], [3, 4]]).gather(1, Tensor([[0], [1]])).tolist()
        [[1], [4]]
    """
    first = input_indices if first is None else first
    if is_tensor(first):
        return gather(self, first, axis if second is None else second, batch_dims)
    return gather_elements(self, first if dim is None else dim, second if index is None else index)


def _select_method(self: Any, first: Any = None, second: Any = None, **kw: Any) -> Any:
    """Elements or a slice: `select(condition, y)` or `select(dim, index)`, told apart by the kinds of arguments.

    Args:
        first: A bool tensor: the elements of the tensor where it is True, else those of `y`; or the dimension.
        second: `y`, a tensor or a number; or the place along the dimension.
        kw: The same by name: `condition` and `y`, or `dim` and `index`.

    Returns:
        A tensor.

    Examples:
        >>> Tensor([1, 2]).select(Tensor([True, False]), Tensor([10, 20])).tolist()
        [1, 20]
        >>> Tensor([[1, 2], [3, 4]]).select(1, 0).tolist()
        [1, 3]
    """
    first, second = kw.get("condition", kw.get("dim", first)), kw.get("y", kw.get("index", second))
    if is_tensor(first):
        return select(first, self, second)
    axis = one_axis(first, self.ndim, "Tensor.select")
    return getitem(self, (span(None),) * axis + (second,))


def _where(self: Any, condition: Any, y: Any) -> Any:
    """The tensor where the condition holds, elsewhere `y`; the three are broadcast.

    Args:
        condition: A bool tensor.
        y: A tensor or a number.

    Returns:
        A tensor of the broadcast shape.

    Examples:
        >>> Tensor([1, 2]).where(Tensor([True, False]), 7).tolist()
        [1, 7]
    """
    return where(condition, self, y)


METHODS = {
    "gather": _gather, "masked_fill": masked_fill, "select": _select_method, "where": _where,
}
globals()["slice"] = slice_


def tensor_slice(input: Any, begin: Any, size: Any) -> Any:
    """The block that starts at `begin` and has the extents `size`.

    Args:
        input: A tensor.
        begin: A tuple of ints, one per dimension.
        size: A tuple of ints, one per dimension; -1 reaches to the end.

    Returns:
        A tensor.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If the block does not lie within the tensor.

    Examples:
        >>> ops.tensor_slice(Tensor([[1, 2, 3], [4, 5, 6]]), (0, 1), (-1, 2)).tolist()
        [[2, 3], [5, 6]]
    """
    return slice_(input, begin, size)


__all__ = [
    "masked_fill", "select", "slice", "strided_slice", "tensor_slice", "where",
]
