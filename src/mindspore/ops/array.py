"""Functions that give a tensor another shape, or its dimensions another order."""
from __future__ import annotations

import math
from typing import Any

from mindspore.core.dtype import as_dtype
from mindspore.core.errors import GraphTypeError
from mindspore.eager.tensor import Tensor, is_tensor, lay_out_rows, wrap
from mindspore.ir import Node
from mindspore.ir.runtime import runtime
from mindspore.operators import structure
from mindspore.operators.rules import axes_of

from .arguments import extents, spread, tensor
from .signatures import plain
from .spelling import spelled

# ---------------------------------------------------------------------- shape

def reshape(input: Any, shape: Any) -> Any:
    """The elements in the same order in another shape; one extent may be -1.

    Args:
        input: A tensor of any shape and dtype.
        shape: The extents, a tuple or list of ints.

    Raises:
        TypeError: If `input` is no tensor, or `shape` holds anything but ints.
        ValueError: If the numbers of elements differ.

    Examples:
        >>> ops.reshape(Tensor([[1, 2, 3], [4, 5, 6]]), (3, -1)).tolist()
        [[1, 2], [3, 4], [5, 6]]
    """
    return _in_shape(tensor("reshape", "input", input), extents("Reshape", shape))


def _in_shape(x: Any, shape: Any) -> Any:
    """The elements in another shape, on the same memory."""
    if type(x) is Tensor and not runtime.slicing:
        lay_out_rows(x, shape)
    return structure.reshape(x, shape=shape)


def reshape_(input: Any, shape: Any) -> Any:
    """Give the tensor itself another shape.

    Args:
        input: A tensor.
        shape: A tuple of ints with as many elements in all; one of them may be -1.

    Returns:
        `input`.

    Raises:
        ValueError: If the numbers of elements differ.

    Examples:
        >>> x = Tensor([1, 2, 3, 4])
        >>> ops.reshape_(x, (2, 2)) is x, x.shape
        (True, (2, 2))
    """
    new = reshape(input, shape)
    if isinstance(input, Node):
        return new
    input._data, input._var = new._data, new._var
    return input


def squeeze(input: Any, axis: Any = None) -> Any:
    """The tensor without its dimensions of extent 1: all of them, or those of `axis` that have it.

    Args:
        input: A tensor.
        axis: An int or a tuple of ints; None for all dimensions of extent 1.

    Returns:
        A view of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If there is no such dimension.

    Examples:
        >>> ops.squeeze(Tensor([[[1], [2]]])).shape, ops.squeeze(Tensor([[[1], [2]]]), 2).shape
        ((2,), (1, 2))
    """
    axis = () if axis is None else plain(axis)
    return structure.squeeze(tensor("squeeze", "input", input), axis=axis)


def unsqueeze(input: Any, dim: int) -> Any:
    """The tensor with a new dimension of extent 1 at `dim`.

    Args:
        input: A tensor.
        dim: The place of the dimension in the result, an int; negative ones count from its end.

    Returns:
        A view of `input`.

    Raises:
        TypeError: If `input` is no tensor.
        ValueError: If there is no such place.

    Examples:
        >>> ops.unsqueeze(Tensor([1, 2]), 1).tolist()
        [[1], [2]]
    """
    return structure.expand_dims(tensor("unsqueeze", "input", input), axis=plain(dim))


def flatten(input: Any, order: str = "C", *, start_dim: int = 1, end_dim: int = -1) -> Any:
    """The tensor with the dimensions from `start_dim` to `end_dim` joined into one.

    Args:
        input: A tensor.
        order: "C" reads row by row, "F" column by column.
        start_dim, end_dim: The first and the last of the dimensions, ints.

    Returns:
        A tensor.

    Raises:
        TypeError: If `input` is no tensor or a dimension no int.
        ValueError: If `order` is another one, or `start_dim` comes after `end_dim`.

    Examples:
        >>> x = ops.zeros((2, 3, 4))
        >>> ops.flatten(x).shape, ops.flatten(x, start_dim=0).shape
        ((2, 12), (24,))
    """
    tensor("flatten", "input", input)
    if order not in ("C", "F"):
        wrong = ValueError if isinstance(order, str) else TypeError
        raise wrong(f"For 'flatten', the 'order' must be 'C' or 'F', but got {order!r}.")
    rank = input.ndim
    for name, dim in (("start_dim", start_dim), ("end_dim", end_dim)):
        if isinstance(dim, bool) or not isinstance(dim, int):
            raise TypeError(f"For 'flatten', the '{name}' must be an int, but got {dim!r}.")
    if order == "F":
        input = structure.transpose(input, perm=tuple(range(rank))[::-1])
    if rank < 2 and start_dim in (0, 1):
        return structure.reshape(input, shape=(-1,)) if not rank or input.size else input
    start, end = [axes_of(d, rank, "flatten")[0] for d in (start_dim, end_dim)]
    if start > end:
        raise ValueError(f"For 'flatten', the 'start_dim' must not exceed the 'end_dim', but got "
                         f"{start_dim} and {end_dim}.")
    joined = math.prod(input.shape[start:end + 1])
    return structure.reshape(input, shape=(*input.shape[:start], joined, *input.shape[end + 1:]))


def ravel(input: Any) -> Any:
    """The elements as a vector, row by row.

    Args:
        input: A tensor.

    Returns:
        A tensor with one dimension.

    Raises:
        TypeError: If `input` is no tensor.

    Examples:
        >>> ops.ravel(Tensor([[1, 2], [3, 4]])).tolist()
        [1, 2, 3, 4]
    """
    return structure.reshape(tensor("ravel", "input", input), shape=(-1,))


def expand(input_x: Any, size: Any) -> Any:
    """The tensor broadcast to a shape; -1 keeps an extent.

    Args:
        input_x: A tensor.
        size: A tuple of ints, the shape; -1 keeps an extent.

    Returns:
        A view of `input_x`.

    Raises:
        TypeError: If `input_x` is no tensor.
        ValueError: If it cannot be broadcast to that shape.

    Examples:
        >>> ops.expand(Tensor([[1], [2]]), (-1, 3)).tolist()
        [[1, 1, 1], [2, 2, 2]]
    """
    return structure.broadcast_to(tensor("expand", "input_x", input_x), shape=extents("expand", size))


def expand_as(input: Any, other: Any) -> Any:
    """The tensor broadcast to the shape of `other`.

    Args:
        input: The tensor.
        other: A tensor whose shape is taken.

    Returns:
        The tensor in that shape; elements that repeat share memory.

    Raises:
        TypeError: If `other` is no tensor.
        ValueError: If it cannot be broadcast to that shape.

    Examples:
        >>> Tensor([1, 2]).expand_as(Tensor(np.zeros((2, 2)))).tolist()
        [[1, 2], [1, 2]]
    """
    return structure.broadcast_to(input, shape=tuple(tensor("expand_as", "other", other).shape))


def view_as(input: Any, other: Any) -> Any:
    """The elements in the same order in the shape of `other`.

    Args:
        input: A tensor.
        other: A tensor with as many elements, of which the shape is meant.

    Returns:
        A view of `input`.

    Raises:
        TypeError: If `other` is no tensor.
        ValueError: If the numbers of elements differ.

    Examples:
        >>> ops.view_as(Tensor([1, 2, 3, 4]), ops.zeros((2, 2))).tolist()
        [[1, 2], [3, 4]]
    """
    return _in_shape(input, tuple(tensor("view_as", "other", other).shape))


# ---------------------------------------------------------------------- order of dimensions


# ---------------------------------------------------------------------- methods

def _reshape(self: Any, *shape: Any) -> Any:
    """The elements in the same order in another shape; one extent may be -1.

    Args:
        shape: The extents, one by one or as a tuple or list.

    Returns:
        A tensor of that shape, which shares memory where the order of the elements allows.

    Raises:
        TypeError: If an extent is no int.
        ValueError: If the number of elements is another one.

    Examples:
        >>> Tensor([1, 2, 3, 4]).reshape(2, -1).tolist()
        [[1, 2], [3, 4]]
    """
    return _in_shape(self, extents("Reshape", spread(shape)))


def _view(self: Any, *shape: Any) -> Any:
    """The elements in another shape; with a dtype of the same size, their bits read as that type.

    Args:
        shape: The extents, one by one or as a tuple or list; or a dtype.

    Returns:
        What `reshape` gives.

    Raises:
        ValueError: If the number of elements is another one.

    Examples:
        >>> Tensor([1, 2, 3, 4]).view(2, 2).tolist()
        [[1, 2], [3, 4]]
    """
    if len(shape) == 1 and not isinstance(shape[0], (int, tuple, list)) and not is_tensor(shape[0]):
        if isinstance(self, Node):
            raise GraphTypeError("For 'Tensor.view', the bits cannot be read as another type while a graph "
                            "is compiled; use 'astype' to convert the values.")
        return wrap(self._data.view(as_dtype(shape[0]).torch))
    return _reshape(self, *shape)


def _flatten(self: Any, order: Any = "C", end: Any = None, *, start_dim: int = 0,
             end_dim: int = -1) -> Any:
    """The dimensions from `start_dim` to `end_dim` joined into one.

    Args:
        order: "C": by rows; "F": by columns. Or the first dimension to join.
        end: The last dimension to join, behind the first one.
        start_dim: The first dimension to join.
        end_dim: The last one.

    Returns:
        The tensor with those dimensions as one.

    Raises:
        TypeError: If an argument has another type.
        ValueError: If `order` is another letter, or a dimension does not exist.

    Examples:
        >>> Tensor([[1, 2], [3, 4]]).flatten(order="F").tolist()
        [1, 3, 2, 4]
    """
    if isinstance(order, int):             # flatten(start_dim, end_dim)
        order, start_dim, end_dim = "C", order, end_dim if end is None else end
    return flatten(self, order, start_dim=start_dim, end_dim=end_dim)


def _squeeze(self: Any, axis: Any = None) -> Any:
    """The tensor without dimensions of extent 1.

    Args:
        axis: The dimension, or several; all for None. Those of another extent stay.

    Returns:
        The tensor without them, which shares its memory.

    Raises:
        ValueError: If a dimension does not exist.

    Examples:
        >>> Tensor([[1, 2]]).squeeze(0).tolist()
        [1, 2]
    """
    return squeeze(self, axis)


METHODS = {
    "expand_as": spelled(x="other")(expand_as),
    "flatten": _flatten, "ravel": ravel, "reshape": _reshape, "reshape_as": view_as,
    "squeeze": _squeeze, "unsqueeze": unsqueeze, "view": _view, "view_as": view_as,
}
__all__ = [
    "expand", "expand_as", "flatten", "ravel", "reshape", "reshape_", "squeeze", "unsqueeze", "view_as",
]
