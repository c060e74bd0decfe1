"""Functions that take elements by index, mask or condition."""
from __future__ import annotations

import builtins
from typing import Any

from mindspore.core import check
from mindspore.core.errors import kind, show
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators import indexing, joining, masking, structure
from mindspore.operators.indexing import gather_d
from mindspore.operators.joining import one_axis
from mindspore.operators.rules import broadcast

from .arguments import tensor
from .array import reshape
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


def index_select(input: Any, axis: int, index: Any) -> Any:
    """The slices of a tensor along `axis` at the elements of a vector."""
    if tensor("index_select", "index", index).ndim > 1:
        raise ValueError(f"For 'index_select', the 'index' must be a vector, but got {show(index)}.")
    return indexing.gather(input, reshape(index, (-1,)), axis=plain(axis))


def embedding(input: Any, weight: Any, padding_idx: int | None = None, max_norm: float | None = None,
              norm_type: float = 2.0, scale_grad_by_freq: bool = False) -> Any:
    """The rows of `weight` at the indices.

    Args:
        padding_idx: The row that gets no gradient.
        max_norm, norm_type: Renormalising the weights in place is not offered; leave `max_norm` out.
        scale_grad_by_freq: Dividing gradients by the frequency of an index is not offered either.
    """
    if max_norm is not None or scale_grad_by_freq:
        raise ValueError("For 'embedding', 'max_norm' and 'scale_grad_by_freq' are not offered; limit "
                         "the norm of the rows with 'ops.clip_by_norm', scale the gradients in the "
                         "optimizer.")
    rows = gather(weight, input, 0)
    if padding_idx is None:
        return rows
    n = weight.shape[0]
    check.integer("embedding", "padding_idx", padding_idx, -n, n - 1)
    padded = structure.expand_dims(input == padding_idx % n, axis=-1)
    return masking.select(padded, structure.stop_gradient(rows), rows)


def take(input: Any, index: Any) -> Any:
    """The elements of the flattened tensor at the indices; negative ones count from the end."""
    flat = reshape(tensor("take", "input", input), (-1,))
    index = masking.select(tensor("take", "index", index) < 0, index + flat.shape[0], index)
    return indexing.gather(flat, index, axis=0)


def _take(self: Any, indices: Any, axis: int | None = None, mode: str = "clip") -> Any:
    """The slices along `axis` (elements of the flattened tensor without one) at the indices.

    Args:
        mode: "clip" moves indices out of range to the nearest end, "wrap" counts on round the ends.
    """
    check.option("Tensor.take", "mode", mode, ("raise", "clip", "wrap"))
    indices = indices if is_tensor(indices) else Tensor(indices)
    x, axis = (reshape(self, (-1,)), 0) if axis is None else (self, axis)
    n = x.shape[one_axis(axis, x.ndim, "Tensor.take")]
    if mode == "clip":
        indices = _clipped(indices, n)
    elif mode == "wrap":
        indices = indices % n
    return indexing.gather(x, indices, axis=axis)


def _choose(self: Any, choices: Any, mode: str = "clip") -> Any:
    """For every place the element of the choice that the tensor names there.

    The elements pass through the tensor's own integer type (observed: MindSpore 2.10).
    """
    check.option("Tensor.choose", "mode", mode, ("raise", "clip", "wrap"))
    parts = list(choices) if isinstance(choices, (list, tuple)) else list(joining.unstack(choices))
    parts = [p if is_tensor(p) else Tensor(p) for p in parts]
    shape = broadcast(tuple(self.shape), *[tuple(p.shape) for p in parts], name="Tensor.choose")
    table = joining.stack(*[structure.broadcast_to(structure.cast(p, dtype=self.dtype), shape=shape)
                            for p in parts])
    places = structure.broadcast_to(self, shape=shape)
    places = places % len(parts) if mode == "wrap" else _clipped(places, len(parts))
    found = gather_d(table, structure.expand_dims(places, axis=0), dim=0)
    return structure.cast(reshape(found, shape), dtype=parts[0].dtype)


def _clipped(places: Any, n: int) -> Any:
    places = masking.select(places < 0, 0, places)
    return masking.select(places > n - 1, n - 1, places)


# ---------------------------------------------------------------------- conditions and masks

def where(condition: Any, input: Any, other: Any) -> Any:
    """`input` where the condition holds, elsewhere `other`; the three are broadcast."""
    return _select("where", condition, input, other)


def select(condition: Any, input: Any, other: Any) -> Any:
    """`input` where the condition holds, elsewhere `other`."""
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
    """The tensor with `value` where the mask holds; both are broadcast."""
    if not is_tensor(value) and not isinstance(value, (bool, int, float)):
        raise TypeError(f"For 'MaskedFill', the 'value' must be a number or a tensor, but got "
                        f"{kind(value)}.")
    return masking.masked_fill(tensor("MaskedFill", "input_x", input_x), mask, value)


# ---------------------------------------------------------------------- slices

@composed("Slice()(input, begin, size)")
def slice_(input_x: Any, begin: Any, size: Any) -> Any:
    """The block that starts at `begin` and has the extents `size`; -1 reaches to the end."""
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
        begin_mask: Bit i set: `begin[i]` is ignored, the block starts at the border.
        end_mask: Bit i set: `end[i]` is ignored, the block ends at the border.
        ellipsis_mask: The one bit that may be set stands for all dimensions not named.
        new_axis_mask: Bit i set: a new dimension of extent 1.
        shrink_axis_mask: Bit i set: the dimension is left out, only `begin[i]` counts.
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
            parts.append(b)
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

def one_hot(indices: Any, depth: Any, on_value: Any = 1, off_value: Any = 0, axis: int = -1) -> Any:
    """`on_value` at the place that each index names along a new dimension, elsewhere `off_value`."""
    return masking.one_hot(indices, _value(on_value), _value(off_value), depth=plain(depth),
                           axis=plain(axis))


def _value(value: Any) -> Any:
    return value if is_tensor(value) else Tensor(value)


def _gather(self: Any, first: Any = None, second: Any = None, batch_dims: int = 0,
            input_indices: Any = None, axis: Any = None, dim: Any = None, index: Any = None) -> Any:
    """`gather(input_indices, axis)` or `gather(dim, index)`, told apart by the kinds of arguments."""
    first = input_indices if first is None else first
    if is_tensor(first):
        return gather(self, first, axis if second is None else second, batch_dims)
    return gather_elements(self, first if dim is None else dim, second if index is None else index)


def _select_method(self: Any, first: Any = None, second: Any = None, **kw: Any) -> Any:
    """`select(condition, y)`: elements of the tensor where the condition holds; or
    `select(dim, index)`: one slice."""
    first, second = kw.get("condition", kw.get("dim", first)), kw.get("y", kw.get("index", second))
    if is_tensor(first):
        return select(first, self, second)
    axis = one_axis(first, self.ndim, "Tensor.select")
    return getitem(self, (span(None),) * axis + (second,))


def _index_select(self: Any, axis: Any = None, index: Any = None, dim: Any = None) -> Any:
    return index_select(self, dim if axis is None else axis, index)


METHODS = {
    "choose": _choose, "gather": _gather,
    "index_select": _index_select,
    "masked_fill": masked_fill, "select": _select_method, "take": _take,
    "where": lambda self, condition, y: where(condition, self, y),
}
globals()["slice"] = slice_


def tensor_slice(input: Any, begin: Any, size: Any) -> Any:
    """The block that starts at `begin` and has the extents `size`."""
    return slice_(input, begin, size)


__all__ = ["embedding", "index_select", "masked_fill", "one_hot", "select", "slice", "strided_slice", "take",
           "tensor_slice", "where"]
