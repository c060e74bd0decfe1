"""Checks of axes, shapes and tuples under the names that programs import from `mindspore._checkparam`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def _expander(count: int, wanted: type, kind: str, doc: str) -> Callable[[Any], Any]:
    def expanded(m: Any) -> Any:
        if isinstance(m, wanted):
            if len(m) != count:
                raise TypeError(
                    f"When expanding an int number to tuple, input {kind} dimension must be {count}, but got {m}."
                )
            return tuple(m)
        if isinstance(m, int) and not isinstance(m, bool):
            return (m,) * count
        raise TypeError(
            f"When expanding an int number to tuple, input type must be integer or {kind}[int], but got {type(m)}."
        )

    expanded.__doc__ = doc
    return expanded


once = _expander(1, tuple, "tuple", "A tuple of one int, from an int or such a tuple.")
twice = _expander(2, tuple, "tuple", "A tuple of two ints, from an int or such a tuple.")
triple = _expander(3, tuple, "tuple", "A tuple of three ints, from an int or such a tuple.")
_LISTS: Any = (tuple, list)
once_sequence = _expander(1, _LISTS, "tuple or list", "A tuple of one int, from an int or a sequence.")
twice_sequence = _expander(2, _LISTS, "tuple or list", "A tuple of two ints, from an int or a sequence.")
triple_sequence = _expander(3, _LISTS, "tuple or list", "A tuple of three ints, from an int or a sequence.")


def check_axis_in_range(axis: int, ndim: int) -> int:
    """`axis` counted from the front, if a tensor of `ndim` dimensions has it."""
    if isinstance(axis, bool) or not isinstance(axis, int):
        raise TypeError(f"The 'axis' must be an integer, but got type {type(axis).__name__}.")
    if not -ndim <= axis < ndim:
        raise ValueError(f"The 'axis' must be in the range of [{-ndim}, {ndim}), but got {axis}.")
    return axis % ndim


def check_axis_valid(axes: Any, ndim: int) -> tuple[int, ...]:
    """The axes as a tuple, counted from the front; all for None; each at most once."""
    if axes is None:
        return tuple(range(ndim))
    found = tuple([check_axis_in_range(a, ndim) for a in (axes if isinstance(axes, _LISTS) else (axes,))])
    if len({*found}) != len(found):
        raise ValueError(f"The element of parameter 'axis' can not be duplicate, but got {axes}.")
    return found


def check_and_canonicalize_axes(axes: Any, ndim: int) -> tuple[int, ...]:
    """The axes as a tuple, counted from the front."""
    return tuple([check_axis_in_range(a, ndim) for a in (axes if isinstance(axes, _LISTS) else (axes,))])


def check_axis_type(axis: Any, type_int: bool = True, type_tuple: bool = True, type_list: bool = True) -> bool:
    """True if `axis` is an int, or a tuple or a list of ints, as far as these are wanted."""
    kinds = tuple([kind for kind, wanted in ((int, type_int), (tuple, type_tuple), (list, type_list)) if wanted])
    parts = axis if isinstance(axis, _LISTS) else (axis,)
    if not isinstance(axis, kinds) or not all(isinstance(a, int) for a in parts):
        wanted = ", ".join([kind.__name__ for kind in kinds])
        raise TypeError(f"The 'axis' must be {wanted}, with elements of type int, but got {axis!r}.")
    return True


def _unwrapped(axes: Any) -> tuple[Any, ...]:
    """`((1, 0),)` or `(1, 0)` as (1, 0)."""
    if len(axes) == 1 and isinstance(axes[0], _LISTS):
        return tuple(axes[0])
    return tuple(axes)


def check_transpose_axis(axes: Any, ndim: int) -> tuple[int, ...]:
    """The order of dimensions that a transposition is given; reversed where there is none."""
    given = _unwrapped(axes)
    if not given or given == (None,):
        return tuple(range(ndim))[::-1]
    if len(given) != ndim:
        raise ValueError(f"The number of axes must be equal to the dimension of tensor, but got {len(given)}.")
    return check_axis_valid(given, ndim)


def check_swapaxes_axis(axes: Sequence[int], ndim: int) -> tuple[int, ...]:
    """Two axes, counted from the front."""
    return tuple([check_axis_in_range(a, ndim) for a in axes])


def check_reshape_shp(shp: Any) -> Any:
    """The shape that a reshape is given, as one tuple or as several ints."""
    given = _unwrapped(shp)
    if not all(isinstance(n, int) for n in given):
        raise TypeError(f"The type of 'shape' must be int, tuple[int] or list[int], but got {shp}.")
    return given


def check_flatten_order(order: str) -> None:
    """ValueError unless the order is C's or Fortran's."""
    if order not in ("C", "F"):
        raise ValueError(f"For Tensor.flatten, the parameter 'order' must be 'C' or 'F', but got '{order}'")


def check_pad_value_by_mode(pad_mode: str, padding: Any, prim_name: str) -> Any:
    """`padding` if the mode pads by a number; else it must be zero."""
    if pad_mode != "pad" and padding != 0:
        raise ValueError(f"For '{prim_name}', padding must be zero when pad_mode is '{pad_mode}', but got {padding}.")
    return padding


def three_extents(arg_name: str, arg_value: Any, prim_name: str, allow_five: bool = False, ret_five: bool = False,
                  greater_zero: bool = True, third_one: bool = False, three_input: bool = False,
                  pad_value: int = 1) -> tuple[int, ...]:
    """An int or a tuple as the extents of depth, height and width, or after those of two more axes (`ret_five`).

    Raises:
        TypeError: If it is neither an int nor a tuple.
        ValueError: If the length or an extent is another one, or, with `third_one`, the depth is not 1.
    """
    if isinstance(arg_value, bool) or not isinstance(arg_value, (int, tuple)):
        raise TypeError(f"For '{prim_name}', the '{arg_name}' must be an int or a tuple, but got {arg_value!r}.")
    given = (arg_value,) * 3 if isinstance(arg_value, int) else arg_value
    lengths = (3, 5) if allow_five and not three_input else (3,)
    found = given if len(given) == 5 else (pad_value, pad_value, *given)
    found = found if ret_five else found[2:]
    least = 1 if greater_zero else 0
    if len(given) not in lengths or any(type(n) is not int or n < least for n in found):
        raise ValueError(f"For '{prim_name}', the parameter '{arg_name}' must be an positive integer or a tuple of "
                         f"three positive integer, but got {arg_value!r}.")
    if third_one and given[-3] != 1:
        raise ValueError(f"For '{prim_name}', the depth of parameter '{arg_name}' must be 1, but got {given[-3]}.")
    return found


def check_reduce_shape(
    ori_shape: Sequence[int], shape: Sequence[int], axis: Any, prim_name: str, arg_name1: str, arg_name2: str
) -> None:
    """ValueError unless `shape` is `ori_shape` without the axes."""
    gone = {*check_axis_valid(axis, len(ori_shape))}
    wanted = [n for i, n in enumerate(ori_shape) if i not in gone]
    if list(shape) != wanted:
        raise ValueError(f"For '{prim_name}', the {arg_name1} reduce on {axis} must be equal to {arg_name2}, "
                         f"but got {wanted} and {list(shape)}.")


def prepare_shape_for_squeeze(shape: Sequence[int], axes: Any) -> tuple[int, ...]:
    """The shape without the axes of extent 1 that are named; without all of them for None."""
    gone = range(len(shape)) if axes is None else check_axis_valid(axes, len(shape))
    if axes is not None and any(shape[a] != 1 for a in gone):
        raise ValueError(f"The extent at the axes must be 1, but got {axes} of the shape {tuple(shape)}.")
    return tuple([n for i, n in enumerate(shape) if i not in gone or n != 1])


def tuple_slice(tup: tuple[Any, ...], start: int, end: int) -> tuple[Any, ...]:
    """The part of a tuple from `start` to `end`."""
    return tup[start:end]


def expanded_shape(ndim: int, axis_size: int, axis: int) -> tuple[int, ...]:
    """A shape of ones with `axis_size` at one axis."""
    return tuple([axis_size if i == axis else 1 for i in range(ndim)])


def infer_out_shape(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape that all shapes broadcast to; ValueError if there is none."""
    rank = max([len(s) for s in shapes], default=0)
    found = []
    for column in zip(*[(1,) * (rank - len(s)) + tuple(s) for s in shapes], strict=True):
        extents = {n for n in column if n != 1}
        if len(extents) > 1:
            raise ValueError(f"For Tensor, the dimension on each axis must be 1 or equal for broadcasting, "
                             f"but got the shapes {', '.join([str(tuple(s)) for s in shapes])}.")
        found.append(extents.pop() if extents else 1)
    return tuple(found)


__all__ = [name for name in list(globals()) if not name.startswith("_") and callable(globals()[name])
           and getattr(globals()[name], "__module__", "") == __name__]
