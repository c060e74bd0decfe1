"""Tensors in other shapes and orders: `mindspore.numpy.array_ops`."""

from __future__ import annotations

import builtins
import math
from typing import Any

from mindspore import ops
from mindspore.core.dtype import bool_, float32, int32
from mindspore.core.tensor import Tensor

from .arguments import axes_of, stacked, tensor

_imported = set(globals())


def reshape(x: Any, new_shape: Any) -> Any:
    """The elements in another shape."""
    return tensor(x).reshape(new_shape)


def ravel(x: Any) -> Any:
    """The elements in one axis."""
    return tensor(x).reshape((-1,))


def transpose(a: Any, axes: Any = None) -> Any:
    """The axes in another order, turned round by default."""
    a = tensor(a)
    return a.permute(tuple(range(a.ndim))[::-1] if axes is None else tuple(axes))


def expand_dims(a: Any, axis: int) -> Any:
    """One more axis, of length 1."""
    return ops.expand_dims(tensor(a), axis)


def squeeze(a: Any, axis: Any = None) -> Any:
    """Without the axes of length 1, or some of them."""
    a = tensor(a)
    return a.squeeze() if axis is None else a.squeeze(axis)


def swapaxes(x: Any, axis1: int, axis2: int) -> Any:
    """Two axes in each other's place."""
    return ops.swapaxes(tensor(x), axis1, axis2)


def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """Axes at other places."""
    return ops.movedim(tensor(a), source, destination)


def rollaxis(x: Any, axis: int, start: int = 0) -> Any:
    """An axis moved before axis `start`."""
    x = tensor(x)
    axis = axes_of("rollaxis", axis, x.ndim)[0]
    start = start + x.ndim if start < 0 else start
    return ops.movedim(x, axis, start - 1 if start > axis else start)


def concatenate(arrays: Any, axis: int | None = 0) -> Any:
    """Tensors behind each other along an axis, flattened if it is None."""
    if axis is None:
        return ops.cat([ravel(a) for a in arrays])
    return ops.cat([tensor(a) for a in arrays], axis)


def append(arr: Any, values: Any, axis: int | None = None) -> Any:
    """Values at the end of an axis, of the flattened tensor if it is None."""
    return concatenate([arr, values], axis)


def stack(arrays: Any, axis: int = 0) -> Any:
    """Tensors along a new axis, in their common type."""
    return stacked([tensor(a) for a in arrays], axis)


def atleast_1d(*arys: Any) -> Any:
    """Tensors with one axis or more."""
    return _atleast(arys, lambda a: a.reshape((1,)) if a.ndim < 1 else a)


def atleast_2d(*arys: Any) -> Any:
    """Tensors with two axes or more."""
    return _atleast(arys, lambda a: a.reshape((1, -1)) if a.ndim < 2 else a)


def atleast_3d(*arys: Any) -> Any:
    """Tensors with three axes or more."""
    return _atleast(arys, _deep)


def _deep(a: Any) -> Any:
    if a.ndim < 2:
        return a.reshape((1, -1, 1))
    return ops.expand_dims(a, -1) if a.ndim == 2 else a


def _atleast(arrays: Any, function: Any) -> Any:
    result = [function(tensor(a)) for a in arrays]
    return result[0] if len(result) == 1 else result


def hstack(tup: Any) -> Any:
    """Tensors side by side: along axis 1, vectors along their only one."""
    arrays = [atleast_1d(a) for a in tup]
    return ops.cat(arrays, 0 if arrays[0].ndim == 1 else 1)


def vstack(tup: Any) -> Any:
    """Tensors below each other."""
    return ops.cat([atleast_2d(a) for a in tup], 0)


def dstack(tup: Any) -> Any:
    """Tensors behind each other, along the third axis."""
    return ops.cat([atleast_3d(a) for a in tup], 2)


def column_stack(tup: Any) -> Any:
    """Vectors as the columns of a matrix."""
    arrays = [tensor(a) for a in tup]
    return ops.cat([a.reshape((-1, 1)) if a.ndim < 2 else a for a in arrays], 1)


def split(x: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """Parts along an axis: a number of equal ones, or cut at indices."""
    x = tensor(x)
    if isinstance(indices_or_sections, int) and x.shape[axis] % indices_or_sections:
        raise ValueError(
            f"For 'split', the axis must be divisible by {indices_or_sections}, but the shape is {x.shape}."
        )
    return array_split(x, indices_or_sections, axis)


def array_split(x: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """Parts along an axis, the first ones longer if they cannot be equal: a tuple, or a list if cut at indices."""
    parts = ops.tensor_split(tensor(x), indices_or_sections, axis)
    return tuple(parts) if isinstance(indices_or_sections, int) else list(parts)


def hsplit(x: Any, indices_or_sections: Any) -> Any:
    """Parts along axis 1, of a vector along its only one."""
    x = tensor(x)
    return split(x, indices_or_sections, 1 if x.ndim > 1 else 0)


def vsplit(x: Any, indices_or_sections: Any) -> Any:
    """Parts along axis 0."""
    return split(x, indices_or_sections, 0)


def dsplit(x: Any, indices_or_sections: Any) -> Any:
    """Parts along axis 2."""
    return split(x, indices_or_sections, 2)


def tile(a: Any, reps: Any) -> Any:
    """The tensor repeated along each axis."""
    a, reps = tensor(a), (reps,) if isinstance(reps, int) else tuple(reps)
    return ops.tile(a, (1,) * (a.ndim - len(reps)) + reps)


def repeat(a: Any, repeats: Any, axis: int | None = None) -> Any:
    """Each element repeated along an axis, of the flattened tensor if it is None."""
    a, axis = (ravel(a), 0) if axis is None else (tensor(a), axis)
    if isinstance(repeats, (list, tuple)):
        repeats = repeats[0] if len(repeats) == 1 else list(repeats)
    return ops.repeat_interleave(a, repeats, axis)


def broadcast_to(array: Any, shape: Any) -> Any:
    """The tensor repeated to a shape."""
    return ops.broadcast_to(tensor(array), shape)


def broadcast_arrays(*args: Any) -> Any:
    """Tensors repeated to a common shape."""
    total = tensor(args[0])
    for array in args[1:]:
        total = ops.where(tensor(True), total, total) + tensor(array) * 0
    return [ops.broadcast_to(tensor(a), total.shape) for a in args]


def flip(m: Any, axis: Any = None) -> Any:
    """Axes turned round, all by default."""
    m = tensor(m)
    return ops.flip(m, axes_of("flip", axis, m.ndim))


def fliplr(m: Any) -> Any:
    """Axis 1 turned round."""
    return flip(m, 1)


def flipud(m: Any) -> Any:
    """Axis 0 turned round."""
    return flip(m, 0)


def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Elements moved along axes, those at the end to the beginning; of the flattened tensor by default."""
    a = tensor(a)
    if axis is None:
        return ops.roll(ravel(a), shift, 0).reshape(a.shape)
    return ops.roll(a, shift, axis)


def rot90(a: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    """Turned by 90 degrees `k` times."""
    return ops.rot90(tensor(a), k, tuple(axes))


def size(a: Any, axis: int | None = None) -> int:
    """Number of elements, or the length of an axis."""
    shape = tensor(a).shape
    return math.prod(shape) if axis is None else shape[axis]


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """`x` where the condition holds, else `y`; without them the indices where it holds."""
    if x is None and y is None:
        return tuple(
            [column.reshape((-1,)) for column in ops.split(ops.nonzero(tensor(condition)), 1, 1)]
        )
    condition = tensor(condition)
    return ops.where(condition.astype(bool_), tensor(x), tensor(y))


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Of each element the choice of the first condition that holds."""
    result = tensor(default)
    for condition, choice in list(zip(condlist, choicelist, strict=True))[::-1]:
        result = ops.where(tensor(condition), tensor(choice), result.astype(tensor(choice).dtype))
    return result


def choose(a: Any, choices: Any, mode: str = "clip") -> Any:
    """Of each element the choice that it numbers."""
    if mode not in ("clip", "wrap"):
        raise ValueError(f"For 'choose', the 'mode' must be 'clip' or 'wrap', but got {mode!r}.")
    a = tensor(a)
    options = [tensor(c) for c in choices]
    last = len(options) - 1
    number = ops.floor_mod(a, last + 1) if mode == "wrap" else ops.clamp(a, 0, last)
    result = options[last]
    for i in range(last):
        result = ops.where(number == i, options[i], result)
    return result if result.ndim >= a.ndim else ops.broadcast_to(result, a.shape)


def take(a: Any, indices: Any, axis: int | None = None, mode: str = "clip") -> Any:
    """Elements by number along an axis, of the flattened tensor if it is None."""
    if mode not in ("clip", "wrap", "raise"):
        raise ValueError(
            f"For 'take', the 'mode' must be 'raise', 'wrap' or 'clip', but got {mode!r}."
        )
    if mode == "raise":
        raise NotImplementedError(
            "For 'take', the 'mode' 'raise' is not supported. Use 'clip' or 'wrap'."
        )
    a, axis = (ravel(a), 0) if axis is None else (tensor(a), axis)
    indices = tensor(indices)
    length = a.shape[axis]
    indices = (
        ops.floor_mod(indices, length) if mode == "wrap" else ops.clamp(indices, 0, length - 1)
    )
    return ops.gather(a, indices, axes_of("take", axis, a.ndim)[0])


def take_along_axis(arr: Any, indices: Any, axis: int | None) -> Any:
    """Elements by number along an axis; the other axes of both go together."""
    arr, axis = (ravel(arr), 0) if axis is None else (tensor(arr), axis)
    return ops.gather_elements(arr, axes_of("take_along_axis", axis, arr.ndim)[0], tensor(indices))


def argwhere(a: Any) -> Any:
    """Indices of the elements other than 0."""
    return ops.nonzero(tensor(a))


def unique(x: Any, return_inverse: bool = False) -> Any:
    """The different elements in the order in which they first occur, and which one each element is."""
    x = tensor(x)
    values, inverse = ops.unique(ravel(x))
    return (values, inverse.reshape(x.shape)) if return_inverse else values


def _sorted_set(x: Any) -> Any:
    return ops.sort(unique(x))[0]


def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """Elements of `ar1` that are not in `ar2`, in order."""
    ar1 = ravel(ar1) if assume_unique else _sorted_set(ar1)
    found = ops.any(ar1.reshape((-1, 1)) == tensor(ar2).reshape((1, -1)), 1)
    return ops.masked_select(ar1, ops.logical_not(found))


def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """Elements that are in both, in order, and their first places in each."""
    ar1, ar2 = ravel(ar1), ravel(ar2)
    values = ar1 if assume_unique else _sorted_set(ar1)
    found = ops.any(values.reshape((-1, 1)) == ar2.reshape((1, -1)), 1)
    common = ops.sort(ops.masked_select(values, found))[0]
    if not return_indices:
        return common
    first = [
        ops.argmax((common.reshape((-1, 1)) == a.reshape((1, -1))).astype(int32), dim=1)
        for a in (ar1, ar2)
    ]
    return common, *[place.astype(int32) for place in first]


def unravel_index(indices: Any, shape: Any, order: str = "C") -> Any:
    """Numbers of elements as indices for each axis."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    rest, result = tensor(indices), []
    for length in shape[::-1] if order == "C" else shape:
        result.append(ops.floor_mod(rest, length))
        rest = ops.floor_div(rest, length)
    return tuple(result[::-1] if order == "C" else result)


def ravel_multi_index(multi_index: Any, dims: Any, mode: str = "clip", order: str = "C") -> Any:
    """Indices for each axis as numbers of elements, as float32."""
    if mode not in ("clip", "wrap"):
        raise ValueError(
            f"For 'ravel_multi_index', the 'mode' must be 'clip' or 'wrap', but got {mode!r}."
        )
    result: Any = 0
    factor = 1
    axes = list(range(len(dims)))
    for axis in axes[::-1] if order == "C" else axes:
        index = tensor(multi_index[axis])
        length = dims[axis]
        index = ops.floor_mod(index, length) if mode == "wrap" else ops.clamp(index, 0, length - 1)
        result, factor = result + index * factor, factor * length
    return result.astype(float32)


def pad(
    arr: Any,
    pad_width: Any,
    mode: str = "constant",
    stat_length: Any = None,
    constant_values: Any = 0,
    end_values: Any = 0,
    reflect_type: str = "even",
    **kwargs: Any,
) -> Any:
    """Elements added at both ends of each axis: 'constant', 'edge', 'empty', 'reflect', 'symmetric', 'wrap',
    'linear_ramp', 'maximum', 'minimum' or 'mean'.

    `stat_length` elements at each end count for the last three (all by default); `reflect_type`
    'odd' turns reflected elements round the one at the end.
    """
    if kwargs:
        raise NotImplementedError(f"For 'pad', the arguments {sorted(kwargs)} are not supported.")
    if reflect_type not in ("even", "odd"):
        raise ValueError(f"For 'pad', the 'reflect_type' must be 'even' or 'odd', but got {reflect_type!r}.")
    arr = tensor(arr)
    chosen = {"linear_ramp": end_values, "maximum": stat_length, "minimum": stat_length, "mean": stat_length}
    fills = _pairs(chosen.get(mode, constant_values), arr.ndim)
    for axis, (before, after) in enumerate(_pairs(pad_width, arr.ndim)):
        plain = _padded(arr, axis, before, after, mode, fills[axis])
        odd = reflect_type == "odd" and mode in ("reflect", "symmetric")
        arr = _turned(arr, plain, axis, before) if odd else plain
    return arr


def _turned(arr: Any, padded: Any, axis: int, before: int) -> Any:
    """Twice the element at an end minus what was reflected there."""
    length, total = arr.shape[axis], padded.shape[axis]
    first, last = ops.narrow(arr, axis, 0, 1), ops.narrow(arr, axis, length - 1, 1)
    after = total - before - length
    parts = [2 * first - ops.narrow(padded, axis, 0, before)] if before else []
    parts.append(arr)
    if after:
        parts.append(2 * last - ops.narrow(padded, axis, before + length, after))
    return ops.cat(parts, axis)


def _pairs(value: Any, count: int) -> list[tuple[Any, Any]]:
    """One value for all ends, a pair for all axes, or a pair for each."""
    if not isinstance(value, (list, tuple)):
        return [(value, value)] * count
    if not isinstance(value[0], (list, tuple)):
        pair = (value[0], value[-1])
        return [pair] * count
    pairs = [(v[0], v[-1]) for v in value]
    return pairs * count if len(pairs) == 1 else pairs


def _padded(arr: Any, axis: int, before: int, after: int, mode: str, fill: tuple[Any, Any]) -> Any:
    if mode in ("reflect", "symmetric", "wrap", "edge"):
        places = [
            _source(i, arr.shape[axis], mode) for i in range(-before, arr.shape[axis] + after)
        ]
        return ops.gather(arr, tensor(places), axis)
    first, last = ops.narrow(arr, axis, 0, 1), ops.narrow(arr, axis, arr.shape[axis] - 1, 1)
    statistics = {"maximum": ops.amax, "minimum": ops.amin, "mean": ops.mean}
    parts = []
    for length, edge, value, turned in (
        (before, first, fill[0], False),
        (after, last, fill[1], True),
    ):
        shape = [length if i == axis else n for i, n in enumerate(arr.shape)]
        if mode in ("constant", "empty"):
            part = ops.full(shape, value, dtype=arr.dtype)
        elif mode in statistics:
            size = arr.shape[axis] if value is None else builtins.min(value, arr.shape[axis])
            near = ops.narrow(arr, axis, arr.shape[axis] - size if turned else 0, size)
            part = ops.broadcast_to(statistics[mode](near, axis, True), shape)
        elif mode == "linear_ramp":
            share = tensor([float(i) / builtins.max(length, 1) for i in range(length)])
            share = (ops.flip(share, (0,)) if turned else share).astype(arr.dtype)
            part = value + (edge - value) * share.reshape(
                [-1 if i == axis else 1 for i in range(arr.ndim)]
            )
        else:
            raise ValueError(f"For 'pad', the 'mode' is unknown: {mode!r}.")
        parts.append(part)
    return ops.cat([parts[0], arr, parts[1]], axis)


def _source(i: int, length: int, mode: str) -> int:
    """Number of the element that stands at place `i`, which may lie outside."""
    if mode == "edge":
        return builtins.min(builtins.max(i, 0), length - 1)
    if mode == "wrap":
        return i % length
    period = 2 * length if mode == "symmetric" else builtins.max(2 * length - 2, 1)
    i %= period
    return i if i < length else period - i - (1 if mode == "symmetric" else 0)


def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """A function of every vector along an axis."""
    arr = tensor(arr)
    axis = axes_of("apply_along_axis", axis, arr.ndim)[0]
    last = ops.movedim(arr, axis, -1)
    rows = last.reshape((-1, last.shape[-1]))
    results = [tensor(func1d(rows[i], *args, **kwargs)) for i in range(rows.shape[0])]
    result = ops.stack(results).reshape(tuple(last.shape[:-1]) + tuple(results[0].shape))
    return ops.movedim(result, -1, axis) if results[0].ndim == 1 else result


def apply_over_axes(func: Any, a: Any, axes: Any) -> Any:
    """A function along one axis after the other."""
    a = tensor(a)
    for axis in axes_of("apply_over_axes", axes, a.ndim):
        result = func(a, axis)
        a = ops.expand_dims(result, axis) if result.ndim < a.ndim else result
    return a


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """Of each element the function (or value) of the last condition that holds; one more function for the rest."""
    x = tensor(x)
    values = [f(x, *args, **kw) if callable(f) else ops.full_like(x, f) for f in funclist]
    result = values[len(condlist)] if len(values) > len(condlist) else x * 0
    for condition, value in zip(condlist, values, strict=False):
        result = ops.where(tensor(condition), value, result)
    return result


def array_str(a: Any) -> str:
    """The elements as text."""
    return str(Tensor(a).asnumpy() if not isinstance(a, Tensor) else a.asnumpy())


__all__ = [name for name in globals() if name not in _imported and not name.startswith("_")]
