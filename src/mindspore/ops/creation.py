"""Functions that make tensors from numbers."""
from __future__ import annotations

import builtins
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import DType, as_dtype, bfloat16, float16, float32, float64, int64
from mindspore.core.errors import GraphValueError, kind
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import INTS, Node
from mindspore.operators import creation, extents, structure

from .arguments import tensor
from .array import reshape
from .primitive import composed
from .signatures import plain

span = builtins.range      # the name is taken by a public function below


def _lengths(owner: str, name: str, shape: Any) -> tuple[int, ...]:
    shape = plain(shape)
    shape = (shape,) if type(shape) in INTS else shape
    if not isinstance(shape, tuple) or any(type(n) not in INTS for n in shape):
        raise TypeError(f"For '{owner}', the '{name}' must be an int or a tuple of ints, but got "
                        f"{shape!r}.")
    if any([n < 0 for n in shape]):
        raise ValueError(f"For '{owner}', no extent of the '{name}' can be negative, but got {shape}.")
    return shape


@composed("Zeros()(size, dtype=None)")
def zeros(size: Any, dtype: Any = None) -> Any:
    """Zeros of a shape; float32 without `dtype`.

    Args:
        size: The shape, an int or a tuple, list or tensor of ints.
        dtype: The element type.

    Raises:
        TypeError: If `size` holds anything but ints, or `dtype` names no type.
        ValueError: If an extent is negative.

    Examples:
        >>> ops.zeros((1, 2), mindspore.int32).tolist()
        [[0, 0]]
    """
    return structure.full(shape=_lengths("Zeros", "size", size), value=0,
                          dtype=float32 if dtype is None else as_dtype(dtype))


@composed("Ones()(shape, dtype=None)")
def ones(shape: Any, dtype: Any = None) -> Any:
    """Ones of a shape; float32 without `dtype`.

    Examples:
        >>> ops.Ones()((1, 2), mindspore.int32).tolist()
        [[1, 1]]
    """
    return structure.full(shape=_lengths("Ones", "shape", shape), value=1,
                          dtype=float32 if dtype is None else as_dtype(dtype))


def zeros_like(input: Any, *, dtype: Any = None) -> Any:
    """Zeros of the shape of a tensor, in its dtype or another."""
    tensor("zeros_like", "input", input)
    return structure.full(shape=tuple(input.shape), value=0,
                          dtype=input.dtype if dtype is None else as_dtype(dtype))


def ones_like(input: Any, *, dtype: Any = None) -> Any:
    """Ones of the shape of a tensor, in its dtype or another."""
    tensor("ones_like", "input", input)
    return structure.full(shape=tuple(input.shape), value=1,
                          dtype=input.dtype if dtype is None else as_dtype(dtype))


@composed("ZerosLike()(x)")
def _zeros_like(x: Any) -> Any:
    """Zeros of the shape and dtype of a tensor.  TypeError for what is no tensor.

    Examples:
        >>> ops.ZerosLike()(Tensor([1.5, 2.5])).tolist()
        [0.0, 0.0]
    """
    return zeros_like(x)


@composed("OnesLike()(x)")
def _ones_like(x: Any) -> Any:
    """Ones of the shape and dtype of a tensor.  TypeError for what is no tensor.

    Examples:
        >>> ops.OnesLike()(Tensor([[3, 4]])).tolist()
        [[1, 1]]
    """
    return ones_like(x)


def full(size: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    """A number in every place of a shape.

    Args:
        size: The shape, a tuple or a list.
        fill_value: The number, or a tensor without dimensions.
        dtype: Default: int64 for an int, float32 for a float, bool for a bool.
    """
    if not isinstance(size, (tuple, list)) and not is_tensor(size):
        raise TypeError(f"For 'full', the 'size' must be a tuple or a list of ints, but got "
                        f"{kind(size)}.")
    return _full("full", _lengths("full", "size", size), fill_value, dtype)


def _full(owner: str, shape: tuple[int, ...], value: Any, dtype: Any) -> Any:
    if is_tensor(value):
        value = value if dtype is None else structure.cast(value, dtype=as_dtype(dtype))
        return structure.broadcast_to(reshape(value, ()), shape=shape)
    if not isinstance(value, (bool, int, float, complex)):
        raise TypeError(f"For '{owner}', the value must be a number or a tensor, but got {value!r}.")
    if dtype is None:
        dtype = as_dtype(type(value))
    return structure.full(shape=shape, value=value, dtype=as_dtype(dtype))


def full_like(input: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    """A number in every place of the shape of a tensor, in its dtype or another."""
    tensor("full_like", "input", input)
    return _full("full_like", tuple(input.shape), fill_value, input.dtype if dtype is None else dtype)


def fill(type: Any, shape: Any, value: Any) -> Any:
    """A number in every place of a shape, in the dtype `type`.

    Args:
        type: The element type.
        shape: An int or a tuple of ints.
        value: A number, or a tensor without dimensions.

    Raises:
        TypeError: If `shape` holds anything but ints, `value` is neither, or `type` names no type.
        ValueError: If an extent is negative.

    Examples:
        >>> ops.fill(mindspore.float16, (2, 2), 0.5).tolist()
        [[0.5, 0.5], [0.5, 0.5]]
    """
    return _full("Fill", _lengths("Fill", "shape", shape), value,
                 as_dtype(plain(type)) if not isinstance(type, DType) else type)


@composed("Fill()(dtype, dims, x)")
def _fill(dtype: Any, dims: Any, x: Any) -> Any:
    """A number in every place of a shape.

    Args:
        dtype: The element type.
        dims: The extents.
        x: The number.

    Raises:
        TypeError: If an argument has another type.

    Examples:
        >>> ops.Fill()(mindspore.float32, (1, 2), 3).tolist()
        [[3.0, 3.0]]
    """
    return fill(dtype, dims, x)


@composed("FillV2()(shape, value)")
def _fill_v2(shape: Any, value: Any) -> Any:
    """A number, given as a tensor without dimensions, in every place of a shape."""
    return _full("FillV2", _lengths("FillV2", "shape", shape), value, None)


@composed("Fills()(x, value)")
def fills(x: Any, value: Any) -> Any:
    """A number in every place of the shape and in the dtype of a tensor."""
    return _full("Fills", tuple(tensor("Fills", "x", x).shape), value, x.dtype)


def eye(n: int, m: int | None = None, dtype: Any = None) -> Any:
    """An n x m matrix (square without `m`) with ones on its diagonal; float32 without `dtype`."""
    n = check.non_negative_int("Eye", "n", plain(n))
    m = n if m is None else check.non_negative_int("Eye", "m", plain(m))
    return creation.eye(n=n, m=m, dtype=float32 if dtype is None else as_dtype(dtype))


@composed("Eye()(n, m, dtype)")
def _eye(n: int, m: int, dtype: Any) -> Any:
    """An n x m matrix with ones on its diagonal."""
    return eye(n, m, dtype)


# ---------------------------------------------------------------------- ranges

def _number(owner: str, name: str, value: Any) -> Any:
    if isinstance(value, Node) and value.dtype.kind in "iu":
        return extents.number(value)
    if isinstance(value, Node):
        raise GraphValueError(f"For '{owner}', the '{name}' is computed in the graph, but the length "
                              f"of the result must be known while it is compiled.")
    value = plain(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"For '{owner}', the '{name}' must be a number, but got {value!r}.")
    return value


def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Any:
    """The numbers from `start` to before `end` in steps of `step`; with one argument from 0 to it.

    int64 for ints, float32 if one of the three is a float.
    """
    if end is None:
        start, end = 0, start
    floats = [v.dtype for v in (start, end, step) if is_tensor(v) and v.dtype.is_floating]
    values = [_number("arange", n, v) for n, v in (("start", start), ("end", end), ("step", step))]
    if values[2] == 0:
        raise ValueError("For 'arange', the 'step' cannot be 0.")
    if (values[1] - values[0]) * values[2] < 0:
        raise ValueError(f"For 'arange', 'end' must lie in the direction of 'step' from 'start', but "
                         f"got start {values[0]}, end {values[1]} and step {values[2]}.")
    if dtype is None:
        real = any(isinstance(v, float) for v in values)
        dtype = floats[0] if floats else float32 if real else int64
    return creation.arange(start=values[0], stop=values[1], step=values[2], dtype=as_dtype(dtype))


def range_(start: Any, end: Any, step: Any, maxlen: int = 1000000) -> Any:
    """The numbers from `start` to before `end` in steps of `step`, at most `maxlen`."""
    found = arange(start, end, step)
    if found.size > maxlen:
        raise ValueError(f"For 'Range', the result would have {found.size} elements, more than the "
                         f"'maxlen' of {maxlen}.")
    return found


_PRECISION = {float16: 10, bfloat16: 7, float32: 23, float64: 52}      # bits of the fraction (IEEE 754)


def eps(x: Any) -> Any:
    """For every element the distance from 1 to the next number of the dtype."""
    if tensor("eps", "x", x).dtype not in _PRECISION:
        raise TypeError(f"For 'eps', the input must be floating point, but got {x.dtype}.")
    return full_like(x, 2.0 ** -_PRECISION[x.dtype])


@composed("Eps()(x)")
def _eps(x: Any) -> Any:
    """For every element the distance from 1 to the next number of the dtype."""
    return eps(x)


@composed("Range(maxlen=1000000)(start, end, step)")
def _range(start: Any, end: Any, step: Any, *, maxlen: int = 1000000) -> Any:
    """The numbers from `start` to before `end` in steps of `step`."""
    return range_(start, end, step, maxlen)


def linspace(start: Any, end: Any, steps: int) -> Any:
    """`steps` numbers at equal distances from `start` to `end`, both included."""
    return creation.lin_space(*[_float(v) for v in (start, end)], num=_count("linspace", steps))


def _float(value: Any) -> Any:
    return float(value) if isinstance(value, int) else value


def _count(owner: str, steps: Any) -> int:
    return check.positive_int(owner, "steps", plain(steps))


def logspace(start: Any, end: Any, steps: int, base: int = 10, *, dtype: Any = float32) -> Any:
    """`steps` powers of `base` whose exponents have equal distances from `start` to `end`."""
    exponents = creation.lin_space(*[_float(v) for v in (start, end)], num=_count("logspace", steps))
    return structure.cast(Tensor(float(base), exponents.dtype) ** exponents, dtype=as_dtype(dtype))


@composed("LogSpace(steps=10, base=10, dtype=float32)(start, end)")
def _logspace(start: Any, end: Any, *, steps: int = 10, base: int = 10, dtype: Any = float32) -> Any:
    """Powers of `base` whose exponents have equal distances from `start` to `end`."""
    return logspace(start, end, steps, base, dtype=dtype)


def tril_indices(row: int, col: int, offset: int = 0, *, dtype: Any = int64) -> Any:
    """The coordinates of the lower triangle of a matrix: a row of rows and a row of columns."""
    return _triangle("tril_indices", row, col, offset, dtype, lambda i, j: j - i <= offset)


def triu_indices(row: int, col: int, offset: int = 0, *, dtype: Any = int64) -> Any:
    """The coordinates of the upper triangle of a matrix: a row of rows and a row of columns."""
    return _triangle("triu_indices", row, col, offset, dtype, lambda i, j: j - i >= offset)


def _triangle(owner: str, row: int, col: int, offset: int, dtype: Any, inside: Any) -> Any:
    for name, value in (("row", row), ("col", col)):
        check.non_negative_int(owner, name, value)
    check.integer(owner, "offset", offset)
    places = [(i, j) for i in span(row) for j in span(col) if inside(i, j)]
    flat = tuple([i for i, _ in places] + [j for _, j in places])
    return creation.constant(values=flat, shape=(2, len(places)), dtype=as_dtype(dtype))


@composed("TrilIndices(row, col, offset=0, dtype=int32)()")
def _tril_indices(*, row: int, col: int, offset: int = 0, dtype: Any) -> Any:
    """The coordinates of the lower triangle of a matrix."""
    return tril_indices(row, col, offset, dtype=dtype)


@composed("TriuIndices(row, col, offset=0, dtype=int32)()")
def _triu_indices(*, row: int, col: int, offset: int = 0, dtype: Any) -> Any:
    """The coordinates of the upper triangle of a matrix."""
    return triu_indices(row, col, offset, dtype=dtype)


def vander(x: Any, N: int | None = None) -> Any:
    """The powers of a vector's elements in falling order, one element per row."""
    n = tensor("vander", "x", x).shape[0] if N is None else check.non_negative_int("vander", "N", N)
    if x.dtype.kind in "biu":
        x = structure.cast(x, dtype=int64)
    powers = creation.arange(start=n - 1, stop=-1, step=-1, dtype=int64 if x.dtype.kind == "c" else x.dtype)
    return reshape(x, (-1, 1)) ** powers


def sequence_mask(lengths: Any, maxlen: int | None = None) -> Any:
    """For every length a row whose first so many elements are true.

    Args:
        maxlen: The length of the rows. Default: the greatest length.
    """
    tensor("sequence_mask", "lengths", lengths)
    if maxlen is None:
        if isinstance(lengths, Node):
            raise GraphValueError("For 'sequence_mask', the 'maxlen' must be given while a graph is "
                                  "compiled.")
        maxlen = int(lengths.asnumpy().max())
    line = creation.arange(start=0, stop=check.positive_int("sequence_mask", "maxlen", plain(maxlen)),
                           step=1, dtype=lengths.dtype)
    return line < structure.expand_dims(lengths, axis=-1)


# ---------------------------------------------------------------------- methods

def _new(self: Any, owner: str, size: Any, value: Any, dtype: Any) -> Any:
    """A number in every place of another shape, in the dtype of the tensor or another."""
    return _full(owner, _lengths(owner, "size", size), value, self.dtype if dtype is None else dtype)


def _filled(self: Any, value: Any) -> Any:
    """A number in every place of the tensor's shape; zeros for None."""
    if value is None:
        value = 0
    if not isinstance(value, (int, float, bool)) and not is_tensor(value):
        raise TypeError(f"For 'Tensor.fill', the 'value' must be a number, but got {value!r}.")
    return _full("Tensor.fill", tuple(self.shape), value, self.dtype)


METHODS = {
    "fill": _filled, "fills": fills,
    "new_empty": lambda self, size, *, dtype=None: _new(self, "new_empty", size, 0, dtype),
    "new_full": lambda self, size, fill_value, *, dtype=None: _new(
        self, "new_full", size, fill_value, dtype),
    "new_ones": lambda self, size, dtype=None: _new(self, "new_ones", size, 1, dtype),
    "new_zeros": lambda self, size, dtype=None: _new(self, "new_zeros", size, 0, dtype),
}
globals()["range"] = range_
__all__ = ["arange", "eps", "eye", "fill", "fills", "full", "full_like", "linspace", "logspace", "ones",
           "ones_like", "range", "sequence_mask", "tril_indices", "triu_indices", "vander", "zeros",
           "zeros_like"]
