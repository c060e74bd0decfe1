"""Rows and elements looked up, and choices among tensors."""
from __future__ import annotations

from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.core.errors import kind, show
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.operators import indexing, joining, masking, structure
from mindspore.operators.indexing import gather_d
from mindspore.operators.joining import one_axis
from mindspore.operators.logical import logical_and
from mindspore.operators.rules import broadcast
from mindspore.operators.scatter import scatter_nd

from .arguments import tensor
from .array import reshape
from .assignments import assign
from .indexing import gather
from .norms import vector_norm
from .signatures import plain


def index_select(input: Any, axis: int, index: Any) -> Any:
    """The slices of a tensor along `axis` at the elements of a vector.

    Args:
        input: A tensor.
        axis: The dimension, an int.
        index: A vector of ints.

    Returns:
        A tensor.

    Raises:
        TypeError: If `index` is no tensor.
        ValueError: If it has more dimensions.

    Examples:
        >>> ops.index_select(Tensor([[1, 2], [3, 4]]), 1, Tensor([1, 1])).tolist()
        [[2, 2], [4, 4]]
    """
    if tensor("index_select", "index", index).ndim > 1:
        raise ValueError(f"For 'index_select', the 'index' must be a vector, but got {show(index)}.")
    return indexing.gather(input, reshape(index, (-1,)), axis=plain(axis))


def embedding(input: Any, weight: Any, padding_idx: int | None = None, max_norm: float | None = None,
              norm_type: float = 2.0, scale_grad_by_freq: bool = False) -> Any:
    """The rows of `weight` at the indices.

    Args:
        input: A tensor of ints.
        weight: A tensor (rows, n).
        padding_idx: The row that gets no gradient, an int, or None.
        max_norm: The greatest norm of a row: those that are read and longer are shortened to it in `weight`, which
            must then be a Parameter. None for any.
        norm_type: The order of that norm.
        scale_grad_by_freq: Whether gradients are divided by how often the index of their row occurs in `input`.

    Returns:
        A tensor of shape `(*input.shape, n)`.

    Raises:
        TypeError: If `weight` is no Parameter although there is a `max_norm`.
        ValueError: If there is no row `padding_idx`.

    Examples:
        >>> ops.embedding(Tensor([1, 0]), Tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
        [[3.0, 4.0], [1.0, 2.0]]
    """
    if max_norm is not None:
        weight = _shortened(weight, input, check.number("embedding", "max_norm", max_norm),
                            check.number("embedding", "norm_type", norm_type))
    rows = gather(weight, input, 0)
    if check.boolean("embedding", "scale_grad_by_freq", scale_grad_by_freq):
        often = gather(_frequencies(input, weight.shape[0]), input, 0)
        still = structure.stop_gradient(rows)
        rows = still + (rows - still) / structure.cast(structure.expand_dims(often, axis=-1), dtype=rows.dtype)
    if padding_idx is None:
        return rows
    n = weight.shape[0]
    check.integer("embedding", "padding_idx", padding_idx, -n, n - 1)
    padded = structure.expand_dims(input == padding_idx % n, axis=-1)
    return masking.select(padded, structure.stop_gradient(rows), rows)


def _frequencies(index: Any, count: int) -> Any:
    """How often each of the numbers from 0 occurs, float32."""
    flat = reshape(index, (-1,))
    ones = structure.full(shape=tuple(flat.shape), value=1.0, dtype=float32)
    return scatter_nd(reshape(flat, (-1, 1)), ones, shape=(count,))


def _shortened(weight: Any, index: Any, limit: float, order: float) -> Any:
    """The parameter, whose rows at the indices are shortened to a norm."""
    if not isinstance(weight, Parameter):
        raise TypeError(f"For 'embedding', the 'weight' must be a Parameter where 'max_norm' is given, but got "
                        f"{kind(weight)}.")
    norms = vector_norm(structure.stop_gradient(weight), order, 1, True)
    read = structure.expand_dims(_frequencies(index, weight.shape[0]), axis=-1) > 0
    factor = masking.select(logical_and(read, norms > limit), limit / (norms + 1e-7), 1.0)
    return assign(weight, structure.stop_gradient(weight) * factor)


def take(input: Any, index: Any) -> Any:
    """The elements of the flattened tensor at the indices; negative ones count from the end.

    Args:
        input: A tensor.
        index: A tensor of ints.

    Returns:
        A tensor of the shape of `index`.

    Raises:
        TypeError: If one of them is no tensor.

    Examples:
        >>> ops.take(Tensor([[1, 2], [3, 4]]), Tensor([2, -1])).tolist()
        [3, 4]
    """
    flat = reshape(tensor("take", "input", input), (-1,))
    index = masking.select(tensor("take", "index", index) < 0, index + flat.shape[0], index)
    return indexing.gather(flat, index, axis=0)


def _take(self: Any, indices: Any, axis: int | None = None, mode: str = "clip") -> Any:
    """The slices along `axis` at the indices.

    Args:
        indices: A tensor of ints, or ints in a list.
        axis: The dimension, an int; None takes elements of the flattened tensor.
        mode: "clip" moves indices out of range to the nearest end, "wrap" counts on round the ends.

    Returns:
        A tensor.

    Raises:
        ValueError: If `mode` is another one, or there is no such dimension.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).take(Tensor([1]), 0).tolist()
        [[3, 4]]
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

    Args:
        choices: A list or tuple of tensors, or a tensor of which the first dimension counts the choices; they are
            broadcast.
        mode: "clip" moves numbers out of range to the nearest end, "wrap" counts on round the ends.

    Returns:
        A tensor.

    Raises:
        ValueError: If `mode` is another one.

    Examples:
        >>> Tensor([0, 1, 0]).choose([Tensor([1, 2, 3]), Tensor([10, 20, 30])]).tolist()
        [1, 20, 3]
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


def one_hot(indices: Any, depth: Any, on_value: Any = 1, off_value: Any = 0, axis: int = -1) -> Any:
    """`on_value` at the place that each index names along a new dimension, elsewhere `off_value`.

    Args:
        indices: A tensor of ints; those outside of [0, depth) give `off_value` only.
        depth: The extent of the new dimension, an int.
        on_value, off_value: Numbers, or tensors without dimensions.
        axis: The place of the new dimension, an int.

    Returns:
        A tensor with one dimension more.

    Examples:
        >>> ops.one_hot(Tensor([0, 2]), 3).tolist()
        [[1, 0, 0], [0, 0, 1]]
    """
    return masking.one_hot(indices, _value(on_value), _value(off_value), depth=plain(depth),
                           axis=plain(axis))


def _value(value: Any) -> Any:
    return value if is_tensor(value) else Tensor(value)


def _index_select(self: Any, axis: Any = None, index: Any = None, dim: Any = None) -> Any:
    """The slices along a dimension at the elements of a vector.

    Args:
        axis, dim: The dimension, an int, under either name.
        index: A vector of ints.

    Returns:
        A tensor.

    Raises:
        ValueError: If `index` has more dimensions.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).index_select(1, Tensor([1, 1])).tolist()
        [[2, 2], [4, 4]]
    """
    return index_select(self, dim if axis is None else axis, index)


__all__ = [
    "embedding", "index_select", "one_hot", "take",
]

METHODS = {
    "choose": _choose, "index_select": _index_select, "take": _take,
}
