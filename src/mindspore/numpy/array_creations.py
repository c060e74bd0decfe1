"""Tensors of numbers: `mindspore.numpy.array_creations`."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore.core.dtype import as_dtype, float32, int32
from mindspore.eager.tensor import is_tensor

from .arguments import cast, tensor

_imported = set(globals())


def array(obj: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Any:
    """A tensor of what `obj` holds, with `ndmin` axes or more."""
    result = asarray(obj, dtype)
    if ndmin > result.ndim:
        result = result.reshape((1,) * (ndmin - result.ndim) + tuple(result.shape))
    return ops.deepcopy(result) if copy and result is obj else result


def asarray(a: Any, dtype: Any = None) -> Any:
    """A tensor of what `a` holds; a tensor unchanged."""
    return cast(tensor(a), dtype)


def asfarray(a: Any, dtype: Any = float32) -> Any:
    """A tensor of floats of what `a` holds."""
    result = tensor(a)
    dtype = as_dtype(float32 if dtype is None else dtype)
    return result.astype(dtype if dtype.is_floating else float32)


def copy(a: Any) -> Any:
    """A copy of a tensor."""
    return ops.deepcopy(tensor(a))


def zeros(shape: Any, dtype: Any = float32) -> Any:
    """Zeros of a shape."""
    return ops.zeros(shape, dtype)


def ones(shape: Any, dtype: Any = float32) -> Any:
    """Ones of a shape."""
    return ops.ones(shape, dtype)


def empty(shape: Any, dtype: Any = float32) -> Any:
    """A tensor of a shape; its elements are 0."""
    return ops.zeros(shape, dtype)


def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """A shape filled with a value."""
    value = tensor(fill_value)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return cast(ops.broadcast_to(value, shape), dtype)


def _like(a: Any, value: Any, dtype: Any, shape: Any) -> Any:
    a = tensor(a)
    return full(a.shape if shape is None else shape, value, a.dtype if dtype is None else dtype)


def zeros_like(a: Any, dtype: Any = None, shape: Any = None) -> Any:
    """Zeros of the shape and type of a tensor, or others."""
    return _like(a, 0, dtype, shape)


def ones_like(a: Any, dtype: Any = None, shape: Any = None) -> Any:
    """Ones of the shape and type of a tensor, or others."""
    return _like(a, 1, dtype, shape)


def empty_like(prototype: Any, dtype: Any = None, shape: Any = None) -> Any:
    """A tensor of the shape and type of another; its elements are 0."""
    return _like(prototype, 0, dtype, shape)


def full_like(a: Any, fill_value: Any, dtype: Any = None, shape: Any = None) -> Any:
    """A value in the shape and type of a tensor, or others."""
    return _like(a, fill_value, dtype, shape)


def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Any:
    """Numbers from `start` (0) up to `stop`: int32 of ints, float32 of floats and tensors."""
    start, stop = (0, start) if stop is None else (start, stop)
    step = 1 if step is None else step
    floats = any([isinstance(v, float) or is_tensor(v) for v in (start, stop, step)])
    start, stop, step = [float(v) if is_tensor(v) else v for v in (start, stop, step)]
    count = max(math.ceil((stop - start) / step), 0)
    if not floats:
        return ops.arange(start, start + count * step, step).astype(as_dtype(dtype or int32))
    return (start + ops.arange(count).astype(float32) * step).astype(as_dtype(dtype or float32))


def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    """`num` numbers at equal distances from `start` to `stop`."""
    start, stop = tensor(start).astype(float32), tensor(stop).astype(float32)
    gaps = num - 1 if endpoint else num
    step = (stop - start) / gaps if gaps else stop - start
    shape = [num] + [1] * max(start.ndim, stop.ndim)
    result = start + step * ops.arange(num).astype(float32).reshape(shape)
    if endpoint and num > 1:  # the last one exactly
        last = ops.arange(num).reshape(shape) == num - 1
        result = ops.where(last, ops.broadcast_to(stop, result.shape), result)
    result = cast(ops.movedim(result, 0, axis) if axis else result, dtype)
    return (result, step) if retstep else result


def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    """`base` to the power of `linspace`."""
    return cast(ops.pow(base, linspace(start, stop, num, endpoint, axis=axis)), dtype)


def geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    """`num` numbers from `start` to `stop` with equal ratios."""
    start, stop = tensor(start).astype(float32), tensor(stop).astype(float32)
    exponents = linspace(0, 1, num, endpoint)
    shape = [num] + [1] * max(start.ndim, stop.ndim)
    result = start * ops.pow(stop / start, exponents.reshape(shape))
    return cast(ops.movedim(result, 0, axis) if axis else result, dtype)


def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = float32) -> Any:
    """Ones on the k-th diagonal of zeros (N, M)."""
    rows, columns = (
        ops.arange(N).reshape((-1, 1)),
        ops.arange(N if M is None else M).reshape((1, -1)),
    )
    return (columns - rows == k).astype(as_dtype(dtype))


def identity(n: int, dtype: Any = float32) -> Any:
    """Ones on the diagonal of zeros (n, n)."""
    return eye(n, dtype=dtype)


def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = float32) -> Any:
    """Ones on and below the k-th diagonal of zeros (N, M)."""
    rows, columns = (
        ops.arange(N).reshape((-1, 1)),
        ops.arange(N if M is None else M).reshape((1, -1)),
    )
    return (columns - rows <= k).astype(as_dtype(dtype))


def tril(m: Any, k: int = 0) -> Any:
    """A matrix with zeros above the k-th diagonal."""
    return ops.tril(tensor(m), k)


def triu(m: Any, k: int = 0) -> Any:
    """A matrix with zeros below the k-th diagonal."""
    return ops.triu(tensor(m), k)


def tril_indices(n: int, k: int = 0, m: int | None = None) -> Any:
    """Rows and columns of the lower triangle of a matrix (n, m)."""
    return _places([(i, j) for i in range(n) for j in range(n if m is None else m) if j - i <= k])


def triu_indices(n: int, k: int = 0, m: int | None = None) -> Any:
    """Rows and columns of the upper triangle of a matrix (n, m)."""
    return _places([(i, j) for i in range(n) for j in range(n if m is None else m) if j - i >= k])


def _places(pairs: list[tuple[int, int]]) -> Any:
    return tuple([tensor([pair[i] for pair in pairs]).astype(int32) for i in range(2)])


def tril_indices_from(arr: Any, k: int = 0) -> Any:
    """Rows and columns of the lower triangle of a matrix."""
    rows, columns = tensor(arr).shape
    return tril_indices(rows, k, columns)


def triu_indices_from(arr: Any, k: int = 0) -> Any:
    """Rows and columns of the upper triangle of a matrix."""
    rows, columns = tensor(arr).shape
    return triu_indices(rows, k, columns)


def diag_indices(n: int, ndim: int = 2) -> Any:
    """Indices of the diagonal of a tensor whose axes are `n` long."""
    return tuple([arange(n) for _ in range(ndim)])


def diag(v: Any, k: int = 0) -> Any:
    """The k-th diagonal of a matrix, or a matrix with that diagonal."""
    v = tensor(v)
    if v.ndim == 2:
        return ops.diagonal(v, k)
    return diagflat(v, k)


def diagflat(v: Any, k: int = 0) -> Any:
    """A matrix with the flattened tensor on its k-th diagonal."""
    v = tensor(v).reshape((-1,))
    n = v.shape[0]
    square = v.reshape((-1, 1)) * eye(n, dtype=v.dtype)
    return ops.pad(square, (max(k, 0), max(-k, 0), max(-k, 0), max(k, 0))) if k else square


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """A diagonal of two axes, as the last axis."""
    return ops.diagonal(tensor(a), offset, axis1, axis2)


def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    """Sum of a diagonal."""
    return cast(ops.sum(diagonal(a, offset, axis1, axis2), dim=-1), dtype)


def meshgrid(*xi: Any, sparse: bool = False, indexing: str = "xy") -> Any:
    """Coordinates of a grid, one tensor for each vector."""
    if indexing not in ("xy", "ij"):
        raise ValueError(
            f"For 'meshgrid', the 'indexing' must be 'xy' or 'ij', but got {indexing!r}."
        )
    vectors = [tensor(x).reshape((-1,)) for x in xi]
    order = list(range(len(vectors)))
    if indexing == "xy" and len(order) > 1:
        order[0], order[1] = 1, 0
    grids = [
        v.reshape([-1 if i == order[k] else 1 for i in range(len(vectors))])
        for k, v in enumerate(vectors)
    ]
    if sparse:
        return grids
    sizes = {order[k]: v.shape[0] for k, v in enumerate(vectors)}
    return [ops.broadcast_to(g, tuple([sizes[i] for i in range(len(sizes))])) for g in grids]


class _Grid:
    """Slices as coordinates: `mgrid[0:3, 0:2]`."""

    def __init__(self, sparse: bool):
        self._sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        """Coordinates of a grid; a step such as 5j is a number of points."""
        single = not isinstance(key, tuple)
        grids = meshgrid(
            *[_points(k) for k in ((key,) if single else key)], sparse=self._sparse, indexing="ij"
        )
        if single:
            return grids[0]
        return grids if self._sparse else ops.stack(grids)


def _points(key: slice) -> Any:
    start = 0 if key.start is None else key.start
    if isinstance(key.step, complex):
        return linspace(start, key.stop, int(key.step.imag))
    return arange(start, key.stop, key.step)


mgrid, ogrid = _Grid(False), _Grid(True)


def indices(dimensions: Any, dtype: Any = int32, sparse: bool = False) -> Any:
    """Indices of a shape, one tensor for each axis."""
    return list(meshgrid(*[arange(n, dtype=dtype) for n in dimensions], sparse=sparse, indexing="ij"))


def ix_(*args: Any) -> Any:
    """Vectors as an open grid of indices."""
    return tuple(meshgrid(*args, sparse=True, indexing="ij"))


def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """Powers of a vector as columns, the highest first."""
    x = tensor(x)
    powers = list(range(x.shape[0] if N is None else N))
    return ops.stack([ops.pow(x, p) for p in (powers if increasing else powers[::-1])], 1)


def _cosines(length: int, *factors: float) -> Any:
    t = 2 * math.pi * ops.arange(length).astype(float32) / max(length - 1, 1)
    result = factors[0]
    for i, factor in enumerate(factors[1:], 1):
        result = result + factor * ops.cos(i * t)
    return result if length > 1 else ops.ones((length,))


def hamming(M: int) -> Any:
    """Hamming window."""
    return _cosines(M, 0.54, -0.46)


def hanning(M: int) -> Any:
    """Hann window."""
    return _cosines(M, 0.5, -0.5)


def blackman(M: int) -> Any:
    """Blackman window."""
    return _cosines(M, 0.42, -0.5, 0.08)


def bartlett(M: int) -> Any:
    """Triangular window."""
    if M < 2:
        return ops.ones((M,))
    return 1 - ops.abs(2 * ops.arange(M).astype(float32) / (M - 1) - 1)


def rand(*shape: Any, dtype: Any = float32) -> Any:
    """Random numbers, equally distributed in [0, 1)."""
    return ops.rand(*_lengths(shape), dtype=as_dtype(dtype))


def randn(*shape: Any, dtype: Any = float32) -> Any:
    """Random numbers of the standard normal distribution."""
    return ops.randn(*_lengths(shape), dtype=as_dtype(dtype))


def _lengths(shape: Any) -> tuple[int, ...]:
    return (
        tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else tuple(shape)
    )


def randint(minval: int, maxval: int | None = None, shape: Any = None, dtype: Any = int32) -> Any:
    """Random ints in [minval, maxval), or [0, minval)."""
    low, high = (0, minval) if maxval is None else (minval, maxval)
    shape = (shape,) if isinstance(shape, int) else shape
    return ops.randint(low, high, () if shape is None else tuple(shape)).astype(as_dtype(dtype))


__all__ = [name for name in globals() if name not in _imported and not name.startswith("_")]
