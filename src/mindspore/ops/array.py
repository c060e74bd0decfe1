"""Functions that give a tensor another shape, or its dimensions another order."""
from __future__ import annotations

import math
from typing import Any

from mindspore.core.dtype import as_dtype
from mindspore.core.errors import GraphTypeError, show
from mindspore.eager.tensor import Tensor, is_tensor, lay_out_rows, wrap
from mindspore.ir import INTS, Node
from mindspore.ir.runtime import runtime
from mindspore.operators import structure
from mindspore.operators.registry import REGISTRY
from mindspore.operators.rules import axes_of

from .arguments import extents, in_int64, spread, tensor
from .setitem import setitem
from .signatures import plain

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
    """Give the tensor itself another shape."""
    new = reshape(input, shape)
    if isinstance(input, Node):
        return new
    input._data, input._var = new._data, new._var
    return input


def squeeze(input: Any, axis: Any = None) -> Any:
    """The tensor without its dimensions of extent 1: all of them, or those of `axis` that have it."""
    axis = () if axis is None else plain(axis)
    return structure.squeeze(tensor("squeeze", "input", input), axis=axis)


def unsqueeze(input: Any, dim: int) -> Any:
    """The tensor with a new dimension of extent 1 at `dim`."""
    return structure.expand_dims(tensor("unsqueeze", "input", input), axis=plain(dim))


def flatten(input: Any, order: str = "C", *, start_dim: int = 1, end_dim: int = -1) -> Any:
    """The tensor with the dimensions from `start_dim` to `end_dim` joined into one.

    Args:
        order: "C" reads row by row, "F" column by column.
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
    """The elements as a vector."""
    return structure.reshape(tensor("ravel", "input", input), shape=(-1,))


def expand(input_x: Any, size: Any) -> Any:
    """The tensor broadcast to a shape; -1 keeps an extent."""
    return structure.broadcast_to(tensor("expand", "input_x", input_x), shape=extents("expand", size))


def expand_as(input: Any, other: Any) -> Any:
    """The tensor broadcast to the shape of `other`.

    Args:
        input: The tensor.
        other: A tensor whose shape is taken.

    Returns:
        The tensor in that shape; elements that repeat share memory.

    Raises:
        ValueError: If it cannot be broadcast to that shape.

    Examples:
        >>> Tensor([1, 2]).expand_as(Tensor(np.zeros((2, 2)))).tolist()
        [[1, 2], [1, 2]]
    """
    return structure.broadcast_to(input, shape=tuple(other.shape))


def view_as(input: Any, other: Any) -> Any:
    """The elements in the same order in the shape of `other`."""
    return _in_shape(input, tuple(other.shape))


def atleast_1d(inputs: Any) -> Any:
    """The tensor, or each of several, with one dimension at least."""
    return _each("atleast_1d", inputs, lambda x: x if x.ndim else reshape(x, (1,)))


def atleast_2d(inputs: Any) -> Any:
    """The tensor, or each of several, with two dimensions at least; new ones come first."""
    return _each("atleast_2d", inputs, lambda x: x if x.ndim > 1 else reshape(x, (1, -1)))


def atleast_3d(inputs: Any) -> Any:
    """The tensor, or each of several, with three dimensions at least."""
    def deep(x: Any) -> Any:
        if x.ndim == 2:
            return unsqueeze(x, -1)
        return x if x.ndim > 2 else reshape(x, (1, -1, 1))
    return _each("atleast_3d", inputs, deep)


def _each(owner: str, inputs: Any, change: Any) -> Any:
    if isinstance(inputs, (tuple, list)):
        return tuple([change(tensor(owner, "inputs", x)) for x in inputs])
    return change(tensor(owner, "inputs", inputs))


# ---------------------------------------------------------------------- order of dimensions

def transpose(input: Any, dims: Any) -> Any:
    """The tensor with its dimensions in the order `dims`."""
    return structure.transpose(tensor("transpose", "input", input), perm=_order("Transpose", dims))


def _order(owner: str, dims: Any) -> tuple[int, ...]:
    dims = dims if type(dims) is tuple else plain(dims)
    if not isinstance(dims, tuple) or any(type(d) not in INTS for d in dims):
        raise TypeError(f"For '{owner}', the order of the dimensions must be a tuple of ints, but got "
                        f"{dims!r}.")
    return dims


def permute(input: Any, axis: Any) -> Any:
    """The tensor with its dimensions in the order `axis`."""
    return structure.transpose(tensor("permute", "input", input), perm=_order("permute", axis))


def swapaxes(input: Any, axis0: int, axis1: int) -> Any:
    """The tensor with two of its dimensions exchanged."""
    return swapped("swapaxes", input, axis0, axis1)


def swapdims(input: Any, dim0: int, dim1: int) -> Any:
    """The tensor with two of its dimensions exchanged."""
    return swapped("swapdims", input, dim0, dim1)


def swapped(owner: str, x: Any, a: Any, b: Any) -> Any:
    """The tensor with two of its dimensions exchanged, for the function `owner`."""
    order = list(range(tensor(owner, "input", x).ndim))
    for axis in (a, b):
        axes_of(axis, x.ndim, owner)
    order[a], order[b] = order[b], order[a]
    return structure.transpose(x, perm=tuple(order))


def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """The tensor with the dimensions `source` moved to the places `destination`."""
    rank = tensor("moveaxis", "x", x).ndim
    source, destination = axes_of(plain(source), rank, "moveaxis"), axes_of(
        plain(destination), rank, "moveaxis")
    if len(source) != len(destination):
        raise ValueError(f"For 'moveaxis', 'source' and 'destination' must have one length, but got "
                         f"{source} and {destination}.")
    order = [i for i in range(rank) if i not in source]
    for to, of in sorted(zip(destination, source, strict=True)):
        order.insert(to, of)
    return structure.transpose(x, perm=tuple(order))


def t(input: Any) -> Any:
    """The transposed matrix; a vector or a number unchanged."""
    if tensor("t", "input", input).ndim > 2:
        raise ValueError(f"For 't', the input must have at most two dimensions, but got "
                         f"{show(input)}.")
    return structure.transpose(input, perm=(1, 0)) if input.ndim == 2 else input



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


def _transpose(self: Any, *axes: Any) -> Any:
    """The dimensions in the order `axes`, reversed without any; two numbers exchange two of them.

    Args:
        axes: The dimensions, one by one or as a tuple or list.

    Returns:
        A tensor on the same memory.

    Raises:
        ValueError: If they are no permutation of the dimensions.

    Examples:
        >>> Tensor(np.zeros((2, 3, 4))).transpose(2, 0, 1).shape
        (4, 2, 3)
    """
    if not axes or axes == (None,):
        return structure.transpose(self, perm=tuple(range(self.ndim))[::-1])
    if len(axes) == 2:
        return swapped("Tensor.transpose", self, *axes)
    return structure.transpose(self, perm=_order("Tensor.transpose", spread(axes)))


def _permute(self: Any, *axis: Any) -> Any:
    """The dimensions in the order `axis`."""
    return structure.transpose(self, perm=_order("Tensor.permute", spread(axis)))


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


def _sum_to_size(self: Any, *size: Any) -> Any:
    """The sum over the dimensions along which `size` would be broadcast to the tensor."""
    shape = extents("Tensor.sum_to_size", spread(size))
    lead = self.ndim - len(shape)
    fits = lead >= 0 and all(
        n in (1, m) for n, m in zip(shape, self.shape[lead:], strict=True))
    if not fits:
        raise ValueError(f"For 'Tensor.sum_to_size', the shape {shape} cannot be broadcast to "
                         f"{self.shape}.")
    return structure.sum_to(in_int64(self), shape=shape) if shape != self.shape else self


def adjoint(x: Any) -> Any:
    """The complex conjugates, with the last two dimensions exchanged."""
    n = tensor("adjoint", "x", x).ndim
    if n < 2:
        raise ValueError(f"For 'adjoint', the input must have two dimensions at least, but got "
                         f"{show(x)}.")
    turned = structure.transpose(x, perm=(*range(n - 2), n - 1, n - 2))
    return REGISTRY["Conj"](turned) if x.dtype.is_complex else turned


def _hermitian(self: Any) -> Any:
    """The complex conjugates of a matrix, transposed."""
    if self.ndim != 2 and self.ndim:
        raise ValueError(f"For 'Tensor.H', the tensor must be a matrix, but got {show(self)}.")
    return adjoint(self) if self.ndim else self


def _itemset(self: Any, *args: Any) -> Any:
    """The tensor after the only element, or the one at an index, has been set to a number."""
    *place, value = args
    index = place[0] if place else (0,) * self.ndim
    if isinstance(index, int):                     # counts in the flattened tensor
        flat = setitem(ravel(self), index, value)
        return structure.reshape(flat, shape=tuple(self.shape))
    return setitem(self, index, value)


def _stride(self: Any, dim: int | None = None) -> Any:
    """The elements from one to the next along each dimension, or along `dim`."""
    steps = [n // self.itemsize for n in self.strides]
    return steps if dim is None else steps[dim]


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
    "H": property(_hermitian), "adjoint": adjoint, "itemset": _itemset, "mH": property(adjoint),
    "contiguous": lambda self: self,
    "expand": lambda self, *size: expand(self, spread(size)), "expand_as": expand_as,
    "broadcast_to": lambda self, *shape: expand(self, spread(shape)), "flatten": _flatten,
    "is_contiguous": lambda self: self._data.is_contiguous(),
    "moveaxis": moveaxis, "movedim": moveaxis, "ndimension": lambda self: self.ndim,
    "nelement": lambda self: self.size, "permute": _permute, "ravel": ravel, "reshape": _reshape,
    "reshape_as": view_as, "squeeze": _squeeze,
    "stride": _stride, "sum_to_size": _sum_to_size, "swapaxes": swapaxes, "swapdims": swapdims,
    "t": t, "transpose": _transpose, "unsqueeze": unsqueeze, "view": _view, "view_as": view_as,
}
movedim = moveaxis
__all__ = ["adjoint", "atleast_1d", "atleast_2d", "atleast_3d", "expand", "expand_as", "flatten", "moveaxis",
           "movedim", "permute", "ravel", "reshape", "reshape_", "squeeze", "swapaxes", "swapdims", "t",
           "transpose", "unsqueeze", "view_as"]
