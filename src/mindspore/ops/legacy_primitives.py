"""Primitives that few programs use: orders, formats, searches and writes with conventions of their own."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import as_dtype, int32, int64
from mindspore.core.errors import show
from mindspore.eager.parameter import Version, not_a_parameter
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators import indexing, joining, ordering, scatter, structure
from mindspore.operators.joining import one_axis
from mindspore.operators.registry import REGISTRY
from mindspore.operators.torch_private import alias

from ._holding import held
from .arguments import extents, tensor
from .array import reshape
from .diagonal import trace
from .norms import renorm
from .primitive import composed
from .setitem import setitem
from .signatures import plain


@composed("InvertPermutation()(input_x)")
def _invert_permutation(input_x: Any) -> tuple[int, ...]:
    """The order that undoes an order: a tuple of ints for a tuple of ints."""
    if is_tensor(input_x) or not isinstance(input_x, (tuple, list)):
        raise ValueError(f"For 'InvertPermutation', the input must be a tuple or a list of ints, but "
                         f"got {show(input_x)}.")
    order = extents("InvertPermutation", tuple(input_x))
    if sorted(order) != list(range(len(order))):
        raise ValueError(f"For 'InvertPermutation', the input must hold every number from 0 to "
                         f"{len(order) - 1} once, but got {order}.")
    inverse = [0] * len(order)
    for i, place in enumerate(order):
        inverse[place] = i
    return tuple(inverse)


@composed("UnravelIndex()(indices, dims)")
def _unravel_index(indices: Any, dims: Any) -> Any:
    """The coordinates of places in a flattened tensor of the shape `dims`: a row per dimension."""
    lines, rest = [], indices
    for extent in reversed(extents("UnravelIndex", dims)):
        lines.append(rest % extent)
        rest = rest // extent
    return structure.cast(joining.stack(*reversed(lines), axis=0), dtype=indices.dtype)


def _bound(owner: str, right: bool) -> Any:
    def body(sorted_x: Any, values: Any, *, out_type: Any = int32) -> Any:
        return ordering.search_sorted(tensor(owner, "sorted_x", sorted_x), values,
                                      dtype=as_dtype(out_type), right=right)
    body.__doc__ = f"Where each value may be inserted {'last' if right else 'first'} in its sorted row."
    return composed(f"{owner}(out_type=int32)(sorted_x, values)")(body)


_bound("LowerBound", right=False)
_bound("UpperBound", right=True)


@composed("ParallelConcat()(values)")
def _parallel_concat(values: Any) -> Any:
    """The tensors one after the other along the first dimension, which has the extent 1 in each."""
    if any(v.ndim == 0 or v.shape[0] != 1 for v in values):
        raise ValueError("For 'ParallelConcat', the first dimension of every tensor must have the "
                         f"extent 1, but got {', '.join([show(v) for v in values])}.")
    return joining.concat(*values, axis=0)


_FORMATS = ("NHWC", "NCHW")


def _format_order(owner: str, src_format: str, dst_format: str) -> list[int]:
    check.option(owner, "src_format", src_format, _FORMATS)
    check.option(owner, "dst_format", dst_format, _FORMATS)
    return [src_format.index(c) for c in dst_format]


@composed("DataFormatDimMap(src_format='NHWC', dst_format='NCHW')(input_x)")
def _format_dim_map(input_x: Any, *, src_format: str = "NHWC", dst_format: str = "NCHW") -> Any:
    """The old format's dimension for each dimension of the new one (observed: MindSpore 2.10)."""
    order = _format_order("DataFormatDimMap", src_format, dst_format)
    return indexing.gather(Tensor(order, input_x.dtype), input_x % 4, axis=0)


@composed("DataFormatVecPermute(src_format='NHWC', dst_format='NCHW')(input_x)")
def _format_permute(input_x: Any, *, src_format: str = "NHWC", dst_format: str = "NCHW") -> Any:
    """Four values, one for each dimension, in the order of the new format."""
    order = _format_order("DataFormatVecPermute", src_format, dst_format)
    if input_x.shape[0] != 4 or input_x.ndim > 2:
        raise ValueError(f"For 'DataFormatVecPermute', the input must have the shape (4,) or (4, 2), "
                         f"but got {show(input_x)}.")
    return indexing.gather(input_x, Tensor(order), axis=0)


@composed("SubAndFilter()(input_x, max_num, offset)")
def _sub_and_filter(input_x: Any, max_num: Any, offset: Any) -> tuple[Any, Any]:
    """The elements minus `offset` that are in [0, max_num), and their places."""
    moved = input_x - offset
    places = ordering.non_zero((moved >= 0) & (moved < max_num))
    places = structure.cast(reshape(places, (-1,)), dtype=input_x.dtype)
    return indexing.gather(moved, places, axis=0), places


@composed("NthElement(reverse=False)(input, n)")
def _nth_element(input: Any, n: Any, *, reverse: bool = False) -> Any:
    """The element that stands at place `n` when the last dimension is sorted."""
    n = plain(n)
    check.integer("NthElement", "n", n, 0, input.shape[-1] - 1)
    values = ordering.sort(input, axis=-1, descending=reverse)[0]
    return reshape(joining.slice_axis(values, axis=-1, start=n, stop=n + 1), input.shape[:-1])


@composed("EditDistance(normalize=True)(hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, "
          "truth_values, truth_shape)")
def edit_distance(hypothesis_indices: Any, hypothesis_values: Any, hypothesis_shape: Any, truth_indices: Any,
                  truth_values: Any, truth_shape: Any, *, normalize: bool = True) -> Any:
    """The least number of insertions, deletions and changes between sparse sequences, per length of the true one."""
    check.boolean("EditDistance", "normalize", normalize)
    shape = tuple([max(m, n) for m, n in zip(plain(hypothesis_shape), plain(truth_shape), strict=True)])
    return REGISTRY["SequenceDistances"](hypothesis_indices, hypothesis_values, truth_indices, truth_values,
                                         shape=shape, normalize=normalize)


@composed("Expand()(x, shape)")
def _expand(x: Any, shape: Any) -> Any:
    """The tensor broadcast to a shape."""
    return structure.broadcast_to(x, shape=extents("Expand", shape))


@composed("ScatterAddWithAxis(axis=0)(input_x, indices, updates)")
def _scatter_add_axis(input_x: Any, indices: Any, updates: Any, *, axis: int = 0) -> Any:
    """The tensor with each update added at its own place, but there along `axis`."""
    return scatter.tensor_scatter_elements(input_x, indices, updates, axis=axis, reduction="add")


@composed("ScatterNonAliasingAdd()(input_x, indices, updates)")
def _scatter_non_aliasing_add(input_x: Any, indices: Any, updates: Any) -> Any:
    """Add updates at coordinates to a parameter; returns what it holds then."""
    if not is_tensor(input_x):
        raise not_a_parameter("ScatterNonAliasingAdd", "input_x", input_x)
    return held(input_x, scatter.tensor_scatter_add(input_x, indices, updates))


@composed("IndexPut(accumulate=0)(x1, x2, indices)")
def _index_put(x1: Any, x2: Any, indices: Any, *, accumulate: int = 0) -> Any:
    """The tensor with `x2` written, or added, at the places that the index tensors name."""
    check.option("IndexPut", "accumulate", accumulate, (0, 1))
    return x1.index_put(tuple(indices), x2, bool(accumulate))


@composed("InplaceUpdateV2()(x, indices, v)")
def _inplace_update(x: Any, indices: Any, v: Any) -> Any:
    """The tensor with the rows at the indices replaced by those of `v`."""
    return setitem(x, list(extents("InplaceUpdateV2", indices)), v)


@composed("TensorToTuple()(x)")
def _tensor_to_tuple(x: Any) -> tuple[Any, ...]:
    """The elements of a vector that is known as a tuple of numbers."""
    return plain(tensor("TensorToTuple", "x", x))


def _swapped(x: Any, dim0: int, dim1: int) -> Any:
    """The tensor with two of its dimensions exchanged."""
    order = list(range(x.ndim))
    a, b = one_axis(dim0, x.ndim, "TransposeExtView"), one_axis(dim1, x.ndim, "TransposeExtView")
    order[a], order[b] = order[b], order[a]
    return structure.transpose(x, perm=tuple(order))


composed("TransposeExtView()(input, dim0, dim1)")(_swapped)


@composed("TransposeView()(input, input_perm)")
def _transposed(x: Any, input_perm: Any) -> Any:
    """The tensor with its dimensions in another order."""
    return structure.transpose(x, perm=plain(input_perm))


def _kth_value(self: Any, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Any, Any]:
    """The k-th smallest elements along `dim` (the first is k = 1), and their indices.

    Args:
        k: A positive int, at most the extent.
        dim: The dimension, an int.
        keepdim: Whether the dimension stays, with extent 1.

    Returns:
        Two tensors.

    Raises:
        ValueError: If `k` or `dim` is out of range.

    Examples:
        >>> value, place = Tensor([3.0, 1.0, 2.0]).kthvalue(2)
        >>> value.item(), place.item()
        (2.0, 2)
    """
    axis = one_axis(dim, self.ndim, "Tensor.kthvalue")
    check.integer("Tensor.kthvalue", "k", k, 1, self.shape[axis])
    found = [joining.slice_axis(part, axis=axis, start=k - 1, stop=k)
             for part in ordering.sort(self, axis=axis)]
    if not keepdim:
        shape = (*self.shape[:axis], *self.shape[axis + 1:])
        found = [reshape(part, shape) for part in found]
    return found[0], structure.cast(found[1], dtype=int64)


@composed("Trace()(input)")
def _trace(input: Any) -> Any:
    """The sum of the diagonal of a matrix."""
    return trace(input)


@composed("Renorm(p, dim, maxnorm)(input_x)")
def _renorm(input_x: Any, *, p: int, dim: int, maxnorm: float) -> Any:
    """The tensor with the p-norms of its slices along `dim` limited to `maxnorm`."""
    return renorm(input_x, p, dim, maxnorm)


def _data(self: Any) -> Any:
    """The tensor itself; another tensor that is assigned gives the tensor its memory, shape and dtype."""
    return self


def _set_data(self: Any, value: Any) -> None:
    check.instance("Tensor.data", "data", value, Tensor)
    self._data, self._var = alias(value._data), None
    Version.moves()


def _storage_offset(self: Any) -> int:
    """How many elements of the storage lie before the first one of the tensor.

    Returns:
        An int.

    Examples:
        >>> Tensor([1, 2, 3]).storage_offset()
        0
    """
    return self._data.storage_offset()


METHODS = {
    "data": property(_data, _set_data), "kthvalue": _kth_value, "storage_offset": _storage_offset,
}
__all__: list[str] = []
