"""Tensors with more elements at their ends."""

from __future__ import annotations

import builtins
from typing import Any

from mindspore import ops

from .arguments import tensor


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

    Args:
        arr: A tensor, or numbers that make one.
        pad_width: How many elements: one number for all ends, a pair (before, after) for all axes, or a
            pair for each.
        mode: What the new elements are, see above.
        stat_length: How many elements count for 'maximum', 'minimum' and 'mean', given like `pad_width`.
        constant_values: The value for 'constant', given like `pad_width`.
        end_values: Where 'linear_ramp' ends, given like `pad_width`.
        reflect_type: 'even' or 'odd', for 'reflect' and 'symmetric'.
        kwargs: None are supported.

    Raises:
        NotImplementedError: If there are other arguments.
        ValueError: If `mode` or `reflect_type` is unknown.

    Examples:
        >>> print(mnp.pad([1, 2, 3], (2, 1)))
        [0 0 1 2 3 0]
        >>> print(mnp.pad([1, 2, 3], (2, 1), "reflect"), mnp.pad([1, 2, 3], (2, 1), "reflect", reflect_type="odd"))
        [3 2 1 2 3 2] [-1  0  1  2  3  4]
    """
    if kwargs:
        raise NotImplementedError(f"For 'pad', the arguments {sorted(kwargs)} are not supported.")
    if reflect_type not in ("even", "odd"):
        raise ValueError(f"For 'pad', the 'reflect_type' must be 'even' or 'odd', but got {reflect_type!r}.")
    arr = tensor(arr)
    chosen = {"linear_ramp": end_values, "maximum": stat_length, "minimum": stat_length, "mean": stat_length}
    fills = _pairs(chosen.get(mode, constant_values), arr.ndim)
    for axis, (before, after) in enumerate(_pairs(pad_width, arr.ndim)):
        odd = reflect_type == "odd" and mode in ("reflect", "symmetric")
        arr = _turned(arr, axis, before, after, mode) if odd else _padded(arr, axis, before, after, mode, fills[axis])
    return arr


def _turned(arr: Any, axis: int, before: int, after: int, mode: str) -> Any:
    """The elements turned round the one at each end, again and again, so that they rise (or fall) on and on."""
    length = arr.shape[axis]
    period = _period(length, mode)
    places = [divmod(i, period) for i in range(-before, length + after)]
    first, last = ops.narrow(arr, axis, 0, 1), ops.narrow(arr, axis, length - 1, 1)
    shape = [-1 if i == axis else 1 for i in range(arr.ndim)]
    times, turned = [tensor(column).astype(arr.dtype).reshape(shape) for column in (
        [time for time, _ in places], [int(i >= length) for _, i in places])]
    plain = ops.gather(arr, tensor([_source(i, length, mode) for _, i in places]), axis)
    return 2 * times * (last - first) + 2 * turned * last + (1 - 2 * turned) * plain


def _pairs(value: Any, count: int) -> list[tuple[Any, Any]]:
    """One value for all ends, a pair for all axes, or a pair for each."""
    if not isinstance(value, (list, tuple)):
        return [(value, value)] * count
    if not value:
        raise ValueError("For 'pad', widths must be a number, a pair, or a pair for each axis, but got none.")
    if not isinstance(value[0], (list, tuple)):
        pair = (value[0], value[-1])
        return [pair] * count
    pairs = [(v[0], v[-1]) for v in value]
    if len(pairs) not in (1, count):
        raise ValueError(f"For 'pad', a pair is needed for each of the {count} axes, but got {value}.")
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
    period = _period(length, mode)
    i %= period
    return i if i < length else period - i - (1 if mode == "symmetric" else 0)


def _period(length: int, mode: str) -> int:
    """After how many places reflected elements come again."""
    return 2 * length if mode == "symmetric" else builtins.max(2 * length - 2, 1)


__all__ = ["pad"]
