"""Elements chosen by conditions, by index, as sets."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore.core.dtype import bool_, float32, int32

from ._shapes import ravel
from .arguments import axes_of, tensor


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


__all__ = [
    "argwhere",
    "choose",
    "intersect1d",
    "ravel_multi_index",
    "select",
    "setdiff1d",
    "take",
    "take_along_axis",
    "unique",
    "unravel_index",
    "where",
]
