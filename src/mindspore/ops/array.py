"""Functions that give a tensor another shape, or its elements another order."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from mindspore.compiler.ir import INTS, Node
from mindspore.core import check
from mindspore.core.dtype import as_dtype
from mindspore.core.errors import kind, show
from mindspore.core.tape import State
from mindspore.core.tensor import Tensor, is_tensor, lay_out_rows, wrap
from mindspore.operators import joining, repetition, structure
from mindspore.operators.registry import REGISTRY
from mindspore.operators.rules import axes_of

from .getitem import setitem
from .primitive import composed
from .signatures import plain


def tensor(owner: str, name: str, value: Any) -> Any:
    """The value, if it is a tensor.  TypeError otherwise."""
    if not is_tensor(value):
        raise TypeError(f"For '{owner}', the '{name}' must be a Tensor, but got {kind(value)}.")
    return value


def only(owner: str, value: Any) -> Any:
    """The only input of a function, if it is a tensor.  TypeError otherwise."""
    if not is_tensor(value):
        raise TypeError(f"For '{owner}', the input must be a Tensor, but got {kind(value)}.")
    return value


def extents(owner: str, shape: Any) -> tuple[int, ...]:
    """A shape as a tuple of ints.  TypeError for anything else."""
    if type(shape) is tuple and all([type(n) in INTS for n in shape]):
        return shape
    shape = plain(shape)
    shape = shape if isinstance(shape, tuple) else (shape,)
    for n in shape:
        if isinstance(n, bool) or not isinstance(n, int):
            raise TypeError(f"For '{owner}', the shape must hold ints, but got {shape!r}.")
    return shape


def spread(values: tuple[Any, ...]) -> Any:
    """What a method like `reshape(*shape)` got: several numbers, or one sequence of them."""
    if len(values) == 1 and (isinstance(values[0], (tuple, list)) or is_tensor(values[0])):
        return values[0]
    return values


# ---------------------------------------------------------------------- shape

def reshape(input: Any, shape: Any) -> Any:
    """The elements in the same order in another shape; one extent may be -1."""
    return _in_shape(tensor("reshape", "input", input), extents("Reshape", shape))


def _in_shape(x: Any, shape: Any) -> Any:
    """The elements in another shape, on the same memory where no gradient is taken."""
    if type(x) is Tensor and not State.depth:
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
    """The tensor broadcast to the shape of `other`."""
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
    return _swapped("swapaxes", input, axis0, axis1)


def swapdims(input: Any, dim0: int, dim1: int) -> Any:
    """The tensor with two of its dimensions exchanged."""
    return _swapped("swapdims", input, dim0, dim1)


def _swapped(owner: str, x: Any, a: Any, b: Any) -> Any:
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
    """The transposed matrix; a vector or a number as it is."""
    if tensor("t", "input", input).ndim > 2:
        raise ValueError(f"For 't', the input must have at most two dimensions, but got "
                         f"{show(input)}.")
    return structure.transpose(input, perm=(1, 0)) if input.ndim == 2 else input


# ---------------------------------------------------------------------- order of elements

def flip(input: Any, dims: Any) -> Any:
    """The elements in reverse order along the dimensions `dims`."""
    dims = plain(dims)
    dims = dims if isinstance(dims, tuple) else (dims,)
    return repetition.reverse(tensor("flip", "input", input), axis=dims)


def fliplr(input: Any) -> Any:
    """The elements in reverse order along the second dimension."""
    if tensor("fliplr", "input", input).ndim < 2:
        raise ValueError(f"For 'fliplr', the input must have two dimensions, but got {show(input)}.")
    return repetition.reverse(input, axis=(1,))


def flipud(input: Any) -> Any:
    """The elements in reverse order along the first dimension."""
    return repetition.reverse(tensor("flipud", "input", input), axis=(0,))


def reverse(x: Any, axis: Any) -> Any:
    """The elements in reverse order along the dimensions `axis`."""
    return flip(x, axis)


def roll(input: Any, shifts: Any, dims: Any = None) -> Any:
    """The elements moved by `shifts` along `dims`, round the end; flattened without `dims`."""
    return repetition.roll(tensor("roll", "input", input), shifts=plain(shifts), dims=plain(dims))


def rot90(input: Any, k: int, dims: Sequence[int]) -> Any:
    """The plane of two dimensions rotated by `k` quarter turns, from the first towards the second."""
    if isinstance(k, bool) or not isinstance(k, int):
        raise TypeError(f"For 'rot90', the 'k' must be an int, but got {k!r}.")
    if len(dims) != 2:
        raise ValueError(f"For 'rot90', the 'dims' must be two dimensions, but got {dims}.")
    a, b = axes_of(tuple(dims), tensor("rot90", "input", input).ndim, "rot90")
    if k % 4 == 2:
        return repetition.reverse(input, axis=(a, b))
    if k % 4 == 1:
        return _swapped("rot90", repetition.reverse(input, axis=(b,)), a, b)
    return repetition.reverse(_swapped("rot90", input, a, b), axis=(b,)) if k % 4 else input


def reverse_sequence(x: Any, seq_lengths: Any, seq_dim: int, batch_dim: int = 0) -> Any:
    """The first `seq_lengths[i]` elements along `seq_dim` in reverse order, for every entry of the
    batch."""
    from .creation import arange  # creation stands on the shape functions
    from .indexing import gather_elements

    rank = tensor("reverse_sequence", "x", x).ndim
    seq_dim, batch_dim = axes_of((seq_dim, batch_dim), rank, "ReverseSequence")
    if tuple(seq_lengths.shape) != (x.shape[batch_dim],):
        raise ValueError(f"For 'ReverseSequence', the 'seq_lengths' must have a length for each of "
                         f"the {x.shape[batch_dim]} entries, but got {show(seq_lengths)}.")

    def line(values: Any, at: int) -> Any:
        return reshape(values, tuple([-1 if i == at else 1 for i in range(rank)]))

    place = line(arange(x.shape[seq_dim]), seq_dim)
    length = line(structure.cast(seq_lengths, dtype=place.dtype), batch_dim)
    inside = structure.cast(place < length, dtype=place.dtype)
    source = inside * (length - 1 - place) + (1 - inside) * place
    return gather_elements(x, seq_dim, structure.broadcast_to(source, shape=tuple(x.shape)))


@composed("ReverseSequence(seq_dim, batch_dim=0)(x, seq_lengths)")
def _reverse_sequence(x: Any, seq_lengths: Any, *, seq_dim: int, batch_dim: int = 0) -> Any:
    """The first elements along `seq_dim` in reverse order, as many as each entry's length."""
    return reverse_sequence(x, seq_lengths, seq_dim, batch_dim)


# ---------------------------------------------------------------------- methods

def _reshape(self: Any, *shape: Any) -> Any:
    """The elements in the same order in another shape; one extent may be -1."""
    return _in_shape(self, extents("Reshape", spread(shape)))


def _view(self: Any, *shape: Any) -> Any:
    """The elements in another shape; with a dtype of the same size, their bits read as that type."""
    if len(shape) == 1 and not isinstance(shape[0], (int, tuple, list)) and not is_tensor(shape[0]):
        if isinstance(self, Node):
            raise TypeError("For 'Tensor.view', the bits cannot be read as another type while a graph "
                            "is compiled; use 'astype' to convert the values.")
        return wrap(self._data.view(as_dtype(shape[0]).torch))
    return _reshape(self, *shape)


def _transpose(self: Any, *axes: Any) -> Any:
    """The dimensions in the order `axes`, reversed without any; two numbers exchange two of them."""
    if not axes or axes == (None,):
        return structure.transpose(self, perm=tuple(range(self.ndim))[::-1])
    if len(axes) == 2:
        return _swapped("Tensor.transpose", self, *axes)
    return structure.transpose(self, perm=_order("Tensor.transpose", spread(axes)))


def _permute(self: Any, *axis: Any) -> Any:
    """The dimensions in the order `axis`."""
    return structure.transpose(self, perm=_order("Tensor.permute", spread(axis)))


def _flatten(self: Any, order: Any = "C", end: Any = None, *, start_dim: int = 0,
             end_dim: int = -1) -> Any:
    """The dimensions from `start_dim` to `end_dim` joined into one."""
    if isinstance(order, int):             # flatten(start_dim, end_dim)
        order, start_dim, end_dim = "C", order, end_dim if end is None else end
    return flatten(self, order, start_dim=start_dim, end_dim=end_dim)


def _resize(self: Any, *new_shape: Any) -> Any:
    """The first elements in another shape; zeros fill up where there are too few."""
    from .padding import pad  # padding stands on the shape functions

    shape = extents("Tensor.resize", spread(new_shape))
    count, flat = math.prod(shape), ravel(self)
    if count > self.size:
        flat = pad(flat, (0, count - self.size))
    return structure.reshape(joining.slice_axis(flat, axis=0, start=0, stop=count), shape=shape)


def _sum_to_size(self: Any, *size: Any) -> Any:
    """The sum over the dimensions along which `size` would be broadcast to the tensor."""
    shape = extents("Tensor.sum_to_size", spread(size))
    lead = self.ndim - len(shape)
    fits = lead >= 0 and all(
        n in (1, m) for n, m in zip(shape, self.shape[lead:], strict=True))
    if not fits:
        raise ValueError(f"For 'Tensor.sum_to_size', the shape {shape} cannot be broadcast to "
                         f"{self.shape}.")
    return structure.sum_to(self, shape=shape) if shape != self.shape else self


def _to(self: Any, *args: Any, **kwargs: Any) -> Any:
    """The tensor with another element type, or on another device."""
    wanted = kwargs.get("dtype") or kwargs.get("other") or next(
        (a for a in args if not isinstance(a, (str, bool)) and a is not None), None)
    device = kwargs.get("device") or next((a for a in args if isinstance(a, str)), None)
    out = self
    if wanted is not None:
        out = structure.cast(out, dtype=wanted.dtype if is_tensor(wanted) else as_dtype(wanted))
    if device is not None:
        out = move_to(out, device)
    return copy(out) if kwargs.get("copy") and out is self else out


def move_to(input: Any, to: str = "CPU", blocking: bool = True) -> Any:
    """The tensor on another device: "CPU", "GPU" or "Ascend".

    With or without `blocking`, the elements are there when it returns.
    """
    if not isinstance(blocking, bool):
        raise check.fail(ValueError, "move_to", "blocking", "a bool", blocking)
    if isinstance(input, Node):
        raise TypeError("For 'move_to', a tensor cannot change its device inside a compiled graph.")
    return Tensor(input, device=to)


def copy(self: Any) -> Any:
    """The tensor with a storage of its own."""
    return structure.copied(self)


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


def _typed(name: str) -> Any:
    wanted = as_dtype(name)

    def convert(self: Any) -> Any:
        return structure.cast(self, dtype=wanted)

    convert.__doc__ = f"The tensor with element type {name}."
    return convert


def _type(self: Any, dtype: Any = None) -> Any:
    """The name of the element type; with `dtype` the tensor with that element type."""
    return str(self.dtype) if dtype is None else structure.cast(self, dtype=as_dtype(dtype))


def type_as(input: Any, other: Any) -> Any:
    """The tensor with the element type of `other`."""
    return structure.cast(input, dtype=other.dtype)


def _stride(self: Any, dim: int | None = None) -> Any:
    """The elements from one to the next along each dimension, or along `dim`."""
    steps = [n // self.itemsize for n in self.strides]
    return steps if dim is None else steps[dim]


METHODS = {
    "H": property(_hermitian), "adjoint": adjoint, "itemset": _itemset, "mH": property(adjoint),
    "bfloat16": _typed("bfloat16"), "bool": _typed("bool"), "byte": _typed("uint8"),
    "clone": copy, "contiguous": lambda self: self, "copy": copy, "double": _typed("float64"),
    "expand": lambda self, *size: expand(self, spread(size)), "expand_as": expand_as,
    "broadcast_to": lambda self, *shape: expand(self, spread(shape)),
    "flatten": _flatten, "flip": flip, "fliplr": fliplr, "flipud": flipud, "float": _typed("float32"),
    "half": _typed("float16"), "int": _typed("int32"),
    "is_complex": lambda self: self.dtype.is_complex,
    "is_contiguous": lambda self: self._data.is_contiguous(),
    "is_floating_point": lambda self: self.dtype.is_floating,
    "is_signed": lambda self: self.dtype.kind in "ifc", "long": _typed("int64"), "move_to": move_to,
    "moveaxis": moveaxis, "movedim": moveaxis, "ndimension": lambda self: self.ndim,
    "nelement": lambda self: self.size, "permute": _permute, "ravel": ravel, "reshape": _reshape,
    "reshape_as": view_as, "resize": _resize, "reverse": reverse,
    "reverse_sequence": lambda self, seq_lengths, seq_dim=0, batch_dim=0: reverse_sequence(
        self, seq_lengths, seq_dim, batch_dim),
    "roll": lambda self, shifts, dims=None: roll(self, shifts, dims), "rot90": rot90,
    "short": _typed("int16"), "squeeze": lambda self, axis=None: squeeze(self, axis),
    "stride": _stride, "sum_to_size": _sum_to_size, "swapaxes": swapaxes, "swapdims": swapdims,
    "t": t, "to": _to, "transpose": _transpose, "type": _type, "type_as": type_as,
    "unsqueeze": unsqueeze, "view": _view, "view_as": view_as,
}
movedim = moveaxis
__all__ = ["adjoint", "atleast_1d", "atleast_2d", "atleast_3d", "expand", "expand_as", "flatten", "flip", "fliplr",
           "flipud", "move_to", "moveaxis", "movedim", "permute", "ravel", "reshape", "reshape_",
           "reverse", "reverse_sequence", "roll", "rot90", "squeeze", "swapaxes", "swapdims", "t",
           "transpose", "type_as", "unsqueeze", "view_as"]
