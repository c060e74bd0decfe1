"""Operators that join tensors, and take them apart."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import int64
from mindspore.ir import Aval

from .exported import Exported
from .labels import along, inserted, rank_of, returned
from .registry import operator
from .rules import extent_of, stated, within
from .structure import reshape
from .traits import STREAMING, STRICT, VIEW
from .values import Ints, Value


def one_axis(axis: Any, rank: int, name: str) -> int:
    """A non-negative axis; TypeError or ValueError for anything else."""
    if isinstance(axis, bool) or not isinstance(axis, int):
        raise TypeError(f"For '{name}', the 'axis' must be an int, but got {axis!r}.")
    if not -rank <= axis < rank:
        raise ValueError(f"For '{name}', the 'axis' must be in [{-rank}, {rank}), but got {axis}.")
    return axis % rank


def tensors_of(xs: tuple[Any, ...], name: str) -> tuple[Aval, ...]:
    """The inputs of an operator on several tensors; ValueError if there are none, TypeError for anything else."""
    if not xs:
        raise ValueError(f"For '{name}', at least one tensor is needed, but got none.")
    for x in xs:
        if type(x) is not Aval:
            raise TypeError(f"For '{name}', every element must be a tensor, but got {x!r} with type "
                            f"'{type(x).__name__}'.")
    return xs


# ---------------------------------------------------------------------- sharding labels

def _side_by_side(*xs: Aval, axis: int = 0) -> str:
    """Labels of tensors that are joined along an axis."""
    rank = rank_of(xs[0])

    def line(name: str) -> str:
        return " ".join([f"d{i}" if i != axis % rank else f"{name}!" for i in range(rank)])
    return f"{', '.join([line(f'a{k}') for k in range(len(xs))])} -> {line('all')}"


def _stacked(*xs: Aval, axis: int = 0) -> str:
    left, out = inserted(rank_of(xs[0]), axis).split(" -> ")
    return f"{', '.join([left] * len(xs))} -> {out}"


def _unstacked(rank: int, axis: int) -> str:
    left = along(axis, rank).split(" -> ")[0]
    return f"{left} -> * {' '.join([f'd{i}' for i in range(rank) if i != axis % rank])}"


# ---------------------------------------------------------------------- slices along one axis

@operator(hidden=True, dims=lambda x, axis, start, stop, step: along(axis, rank_of(x)),
          samples=[((4, 3), {"axis": 0, "start": 1, "stop": 4, "step": 2})], traits={VIEW})
def slice_axis(x: Tensor, *, axis: int, start: int, stop: int, step: int = 1):
    """Every `step`-th slice of `x` along one axis from `start` to before `stop`."""
    return torch.ops.aten.slice(x, axis, start, stop, step)


@slice_axis.shape
def _(x: Aval, *, axis: int, start: int, stop: int, step: int = 1) -> Aval:
    axis = one_axis(axis, len(x.shape), "SliceAxis")
    count = extent_of(*within((start, stop, step), x.shape[axis]))
    return Aval((*x.shape[:axis], count, *x.shape[axis + 1:]), x.dtype)


@slice_axis.onnx
def _(g: Exported, x: str, *, axis: int, start: int, stop: int, step: int = 1):
    return g.add("Slice", x, *[g.integers((n,)) for n in (start, stop, axis, step)])


@slice_axis.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, axis: int, start: int, stop: int, step: int = 1):
    return slice_axis_grad(dout, shape=tuple(x.shape), axis=axis, start=start, stop=stop, step=step),


@operator(hidden=True,
          samples=[((2, 3), {"shape": (4, 3), "axis": 0, "start": 1, "stop": 4, "step": 2})],
          dims=lambda dout, shape, axis, start, stop, step: returned(along(axis, len(shape))), traits={STREAMING})
def slice_axis_grad(dout: Tensor, *, shape: Ints, axis: int, start: int, stop: int, step: int):
    """Zeros of `shape` with `dout` at the slices that `SliceAxis` takes."""
    return torch.ops.aten.slice_backward(dout, shape, axis, start, stop, step)


slice_axis_grad.shape(stated)


@slice_axis_grad.grad(needs="")
def _(ddx: Value, *, shape: Ints, axis: int, start: int, stop: int, step: int):
    return slice_axis(ddx, axis=axis, start=start, stop=stop, step=step),


# ---------------------------------------------------------------------- concat, split

@operator(primitive="Concat(axis=0)(tensors)", promote=True,
          samples=[((2, 3), (1, 3)), ((2, 3), (2, 1), {"axis": -1})],
          dims=_side_by_side, traits={STREAMING})
def concat(*xs: Tensor, axis: int = 0):
    """The tensors one after the other along `axis`.

    Inputs: (..., n_i, ...) of one rank and equal but for `axis`, else ValueError; they are cast to one dtype.
    Output: (..., sum of n_i, ...).

    Examples:
        >>> ops.Concat(axis=1)((Tensor([[1, 2]]), Tensor([[3]]))).tolist()
        [[1, 2, 3]]
    """
    return torch.cat(xs, axis)


@concat.shape
def _(*xs: Any, axis: int = 0) -> Aval:
    first = tensors_of(xs, "Concat")[0]
    axis, total = one_axis(axis, len(first.shape), "Concat"), 0
    for x in xs:
        alike = x.shape[:axis] + x.shape[axis + 1:] == first.shape[:axis] + first.shape[axis + 1:]
        if len(x.shape) != len(first.shape) or not alike:
            raise ValueError(f"For 'Concat', the shapes may differ only along axis {axis}, but got "
                             f"{' and '.join([str(x.shape) for x in xs])}.")
        total += x.shape[axis]
    return Aval((*first.shape[:axis], total, *first.shape[axis + 1:]), first.dtype)


@concat.onnx
def _(g: Exported, *xs: str, axis: int = 0):
    return g.add("Concat", *xs, axis=axis)


@concat.grad(needs="xs")
def _(xs: tuple[Value, ...], dout: Value, *, axis: int = 0):
    axis %= len(dout.shape)
    start = 0
    parts: list[Any] = []
    for x in xs:
        parts.append(_part(dout, axis, start, start + x.shape[axis]))
        start += x.shape[axis]
    return parts


def _part(dout: Any, axis: int, start: int, stop: int) -> Any:
    def part():
        return slice_axis(dout, axis=axis, start=start, stop=stop)
    return part


@operator(primitive="Split(axis=0, output_num=1)(input_x)",
          samples=[((4, 3), {"output_num": 2}), ((2, 6), {"axis": -1, "output_num": 3})],
          dims=lambda x, axis=0, output_num=1: along(axis, rank_of(x), 0), traits={VIEW, STRICT})
def split(x: Tensor, *, axis: int = 0, output_num: int = 1):
    """`output_num` equal parts of `x` along `axis`.

    Input: (..., n, ...) of any dtype; n a multiple of `output_num`, else ValueError.
    Outputs: `output_num` tensors (..., n / output_num, ...).

    Examples:
        >>> [part.tolist() for part in ops.Split(axis=0, output_num=2)(Tensor([1, 2, 3, 4]))]
        [[1, 2], [3, 4]]
    """
    if x.shape[axis] % output_num:
        raise ValueError(_uneven(x.shape[axis], output_num))
    return torch.split(x, [x.shape[axis] // output_num] * output_num, axis)


def _uneven(extent: int, count: int) -> str:
    return (f"For 'Split', the extent {extent} along 'axis' must be a multiple of 'output_num', but "
            f"got {count}.")


@split.shape
def _(x: Aval, *, axis: int = 0, output_num: object = 1) -> tuple[Aval, ...]:
    axis = one_axis(axis, len(x.shape), "Split")
    if isinstance(output_num, bool) or not isinstance(output_num, int):
        raise TypeError(f"For 'Split', the 'output_num' must be an int, but got {output_num!r}.")
    if output_num < 1 or x.shape[axis] % output_num:
        raise ValueError(_uneven(x.shape[axis], output_num))
    extent = x.shape[axis] // output_num
    return (Aval((*x.shape[:axis], extent, *x.shape[axis + 1:]), x.dtype),) * output_num


def _parts(g: Exported, x: str, axis: int) -> Any:
    """The parts of a tensor, whose extents are those of the results."""
    sizes = g.integers([r.shape[axis] for r in g.results])
    found = g.add("Split", x, sizes, axis=axis, results=len(g.results))
    return (found,) if len(g.results) == 1 else found


@split.onnx
def _(g: Exported, x: str, *, axis: int = 0, output_num: int = 1):
    return _parts(g, x, axis)


@split.grad(needs="x.aval")
def _(x: Aval, dout: Value | tuple[Value | None, ...], *, axis: int = 0, output_num: int = 1):
    axis %= len(x.shape)
    extent = x.shape[axis] // output_num
    return _joined(x, dout, (extent,) * output_num, axis),


def _joined(x: Aval, douts: Value | tuple[Value | None, ...], sizes: Ints, axis: int) -> Any:
    """The cotangent of what was split: missing parts are zero."""
    douts = douts if isinstance(douts, tuple) else (douts,)
    if all(d is not None for d in douts):
        return douts[0] if len(douts) == 1 else concat(*douts, axis=axis)
    start, total = 0, None
    for d, size in zip(douts, sizes, strict=True):
        if d is not None:
            part = slice_axis_grad(d, shape=tuple(x.shape), axis=axis, start=start,
                                   stop=start + size, step=1)
            total = part if total is None else total + part
        start += size
    return total


@operator(primitive="SplitV(size_splits, split_dim, num_split)(input_x)",
          samples=[((5, 3), {"size_splits": (2, 3), "split_dim": 0, "num_split": 2}),
                   ((2, 6), {"size_splits": (1, -1), "split_dim": -1, "num_split": 2})],
          dims=lambda x, size_splits, split_dim, num_split: along(split_dim, rank_of(x), 0), traits={VIEW})
def split_v(x: Tensor, *, size_splits: Ints, split_dim: int, num_split: int):
    """Parts of `x` along `split_dim` of the extents `size_splits`; one of them may be -1."""
    return torch.split(x, list(_sizes(x.shape[split_dim], size_splits, num_split)), split_dim)


def _sizes(extent: int, sizes: tuple[int, ...], count: int | None = None) -> tuple[int, ...]:
    sizes = tuple(sizes)
    if count is not None and len(sizes) != count:
        raise ValueError(f"For 'SplitV', the length of 'size_splits' must be 'num_split', but got "
                         f"{len(sizes)} and {count}.")
    if sizes.count(-1) == 1:
        free = extent - sum(sizes) - 1
        sizes = tuple([free if n == -1 else n for n in sizes])
    if any([n < 0 for n in sizes]) or sum(sizes) != extent:
        raise ValueError(f"For 'SplitV', the sum of 'size_splits' must be the extent {extent} along "
                         f"'split_dim', but got {sizes}.")
    return sizes


@split_v.shape
def _(x: Aval, *, size_splits: Ints, split_dim: int, num_split: int) -> tuple[Aval, ...]:
    axis = one_axis(split_dim, len(x.shape), "SplitV")
    return tuple([Aval((*x.shape[:axis], n, *x.shape[axis + 1:]), x.dtype)
                  for n in _sizes(x.shape[axis], size_splits, num_split)])


@split_v.onnx
def _(g: Exported, x: str, *, size_splits: Ints, split_dim: int, num_split: int):
    return _parts(g, x, split_dim)


@split_v.grad(needs="x.aval")
def _(x: Aval, dout: Value | tuple[Value | None, ...], *, size_splits: Ints, split_dim: int, num_split: int):
    axis = split_dim % len(x.shape)
    return _joined(x, dout, _sizes(x.shape[axis], size_splits), axis),


# ---------------------------------------------------------------------- stack, unstack

@operator(primitive="Stack(axis=0)(*input_x); Pack(axis=0)(*input_x)", promote=True,
          samples=[((2, 3), (2, 3)), ((2, 3), (2, 3), {"axis": -1})],
          dims=_stacked, traits={STREAMING})
def stack(*xs: Tensor, axis: int = 0):
    """The tensors, all of one shape, along a new dimension at `axis`.

    Inputs: n tensors of one shape, else ValueError; they are cast to one dtype.
    Output: (..., n, ...), of a rank higher by one.

    Examples:
        >>> ops.Stack(axis=1)((Tensor([1, 2]), Tensor([3, 4]))).tolist()
        [[1, 3], [2, 4]]
    """
    return torch.stack(xs, axis)


@stack.shape
def _(*xs: Any, axis: int = 0) -> Aval:
    first = tensors_of(xs, "Stack")[0]
    axis = one_axis(axis, len(first.shape) + 1, "Stack")
    if any(x.shape != first.shape for x in xs):
        raise ValueError("For 'Stack', all tensors must have the same shape, but got "
                         f"{' and '.join([str(x.shape) for x in xs])}.")
    return Aval((*first.shape[:axis], len(xs), *first.shape[axis:]), first.dtype)


@stack.onnx
def _(g: Exported, *xs: str, axis: int = 0):
    return g.add("Concat", *[g.add("Unsqueeze", x, g.integers((axis,))) for x in xs], axis=axis)


@stack.grad(needs="xs")
def _(xs: tuple[Value, ...], dout: Value, *, axis: int = 0):
    if len(xs) == 1:
        return reshape(dout, shape=tuple(xs[0].shape)),
    return unstack(dout, axis=axis, num=None)


@operator(primitive="Unstack(axis=0, num=None)(input_x); Unpack(axis=0, num=None)(input_x)", samples=[((2, 3),
          {"num": None}), ((2, 3), {"axis": -1, "num": 3})],
          dims=lambda x, axis=0, num=None: _unstacked(rank_of(x), axis), traits={VIEW})
def unstack(x: Tensor, *, axis: int = 0, num: int | None = None):
    """The slices of `x` along `axis`, without that dimension."""
    if num is not None:
        _check_number(num, x.shape[axis])
    return torch.unbind(x, axis)


def _check_number(num: float | str | Sequence[float], extent: int):
    if num != extent:
        raise ValueError(f"For 'Unstack', the 'num' must be the extent {extent} along 'axis', but got {num}.")


@unstack.shape
def _(x: Aval, *, axis: int = 0, num: int | None = None) -> tuple[Aval, ...]:
    axis = one_axis(axis, len(x.shape), "Unstack")
    if num is not None:
        _check_number(num, x.shape[axis])
    return (Aval((*x.shape[:axis], *x.shape[axis + 1:]), x.dtype),) * x.shape[axis]


@unstack.onnx
def _(g: Exported, x: str, *, axis: int = 0, num: int | None = None):
    return tuple([g.add("Gather", x, g.constant(k, int64), axis=axis) for k in range(len(g.results))])


@unstack.grad(needs="x.aval")
def _(x: Aval, dout: Value | tuple[Value | None, ...], *, axis: int = 0, num: int | None = None):
    douts = dout if isinstance(dout, tuple) else (dout,)
    axis %= len(x.shape)
    shape = (*x.shape[:axis], 1, *x.shape[axis + 1:])
    parts = tuple([None if d is None else reshape(d, shape=shape) for d in douts])
    return _joined(x, parts, (1,) * len(parts), axis),
