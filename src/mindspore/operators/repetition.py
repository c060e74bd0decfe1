"""Operators that repeat tensors, turn them round or move them along."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core.errors import show
from mindspore.core.kinds import is_tuple
from mindspore.ir import INTS, Aval

from . import torch_private
from .exported import Exported
from .joining import one_axis, tensors_of
from .labels import along, rank_of
from .registry import operator
from .rules import axes_of
from .structure import reshape, sum_to
from .traits import STREAMING, VIEW, WIDEN_UNSIGNED
from .values import Axes, Ints, Value


def _tiled(shape: tuple[int, ...], times: tuple[int, ...]) -> str:
    _, times = _aligned(shape, times)
    lead = len(times) - len(shape)
    left = [f"d{i}" + "!" * (times[lead + i] != 1) for i in range(len(shape))]
    return f"{' '.join(left)} -> {' '.join([*[f'n{i}!' for i in range(lead)], *left])}"


@operator(primitive="Tile()(input, dims)",
          samples=[((2, 3), {"dims": (2, 1)}), ((2, 3), {"dims": (2, 1, 2)}),
                   ((2, 3), {"dims": (3,)})],
          dims=lambda x, dims: _tiled(getattr(x, "shape", x), dims), traits={STREAMING})
def tile(x: Tensor, *, dims: Ints):
    """`x` repeated `dims[i]` times along dimension i; the shorter of both is led by ones.

    Input: (n_0, ..., n_r) of any dtype; `dims` a tuple of ints (else TypeError), none negative (else ValueError).
    Output: (n_0 * dims[0], ..., n_r * dims[r]).

    Examples:
        >>> ops.Tile()(Tensor([[1, 2]]), (2, 1)).tolist()
        [[1, 2], [1, 2]]
    """
    return torch.tile(x, dims)


def _aligned(shape: tuple[int, ...], dims: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    rank = max(len(shape), len(dims))
    return (1,) * (rank - len(shape)) + tuple(shape), (1,) * (rank - len(dims)) + tuple(dims)


@tile.shape
def _(x: Aval, *, dims: object) -> Aval:
    if not is_tuple(dims) or any(type(n) not in INTS for n in dims):
        raise TypeError(f"For 'Tile', the 'dims' must be a tuple of ints, but got {dims!r}.")
    if min(dims, default=0) < 0:
        raise ValueError(f"For 'Tile', no element of 'dims' can be negative, but got {dims}.")
    shape, times = _aligned(x.shape, dims)
    return Aval(tuple([n * t for n, t in zip(shape, times, strict=True)]), x.dtype)


@tile.onnx
def _(g: Exported, x: str, *, dims: Ints):
    shape, times = _aligned(g.avals[x].shape, dims)
    return g.add("Tile", g.add("Reshape", x, g.integers(shape), allowzero=1), g.integers(times))


@tile.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, dims: Ints):
    shape, times = _aligned(tuple(x.shape), dims)
    if all(t == 1 for t in times):
        return reshape(dout, shape=tuple(x.shape)),
    apart = tuple([e for pair in zip(times, shape, strict=True) for e in pair])
    once = tuple([e for n in shape for e in (1, n)])
    return reshape(sum_to(reshape(dout, shape=apart), shape=once), shape=tuple(x.shape)),


@operator(hidden=True, samples=[((2, 3), {"repeats": 2, "axis": 1}),
                                ((2, 3), {"repeats": (1, 2), "axis": 0})],
          dims=lambda x, repeats, axis: along(axis, rank_of(x)))
def repeat_interleave(x: Tensor, *, repeats: int | Ints, axis: int):
    """`x` with each slice along `axis` repeated; `repeats` is one number or one per slice."""
    if isinstance(repeats, int):
        return x.repeat_interleave(repeats, axis)
    counts = torch.tensor(repeats, device=x.device)
    return x.repeat_interleave(counts, axis, output_size=sum(repeats))


@repeat_interleave.shape
def _(x: Aval, *, repeats: int | Ints, axis: int) -> Aval:
    axis = one_axis(axis, len(x.shape), "repeat_interleave")
    counts = (repeats,) * x.shape[axis] if isinstance(repeats, int) else tuple(repeats)
    if len(counts) != x.shape[axis] or min(counts, default=0) < 0:
        raise ValueError("For 'repeat_interleave', the 'repeats' must be one number, or one for each "
                         f"of the {x.shape[axis]} slices, none negative, but got {repeats}.")
    return Aval((*x.shape[:axis], sum(counts), *x.shape[axis + 1:]), x.dtype)


@repeat_interleave.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, repeats: int | Ints, axis: int):
    return repeat_interleave_grad(dout, repeats=repeats, axis=axis % len(x.shape),
                                  extent=x.shape[axis]),


@operator(hidden=True, samples=[((2, 6), {"repeats": 2, "axis": 1, "extent": 3}),
                                ((3, 3), {"repeats": (1, 2), "axis": 0, "extent": 2})],
          dims=lambda dout, repeats, axis, extent: along(axis, rank_of(dout)))
def repeat_interleave_grad(dout: Tensor, *, repeats: int | Ints, axis: int, extent: int):
    """The sums of `dout` over the repetitions of every slice."""
    if isinstance(repeats, int):
        return torch_private.unflatten(dout, axis, (extent, repeats)).sum(axis + 1)
    places = torch.arange(extent, device=dout.device).repeat_interleave(
        torch.tensor(repeats, device=dout.device), output_size=sum(repeats))
    shape = (*dout.shape[:axis], extent, *dout.shape[axis + 1:])
    return dout.new_zeros(shape).index_add_(axis, places, dout)


@repeat_interleave_grad.shape
def _(dout: Aval, *, repeats: int | Ints, axis: int, extent: int) -> Aval:
    return Aval((*dout.shape[:axis], extent, *dout.shape[axis + 1:]), dout.dtype)


@repeat_interleave_grad.grad(needs="")
def _(ddx: Value, *, repeats: int | Ints, axis: int, extent: int):
    return repeat_interleave(ddx, repeats=repeats, axis=axis),


def _grid(*xs: Aval, indexing: str = "xy") -> str:
    line = [f"v{i}" for i in range(len(xs))]
    out = [*line[1::-1], *line[2:]] if indexing == "xy" else line
    return f"{', '.join(line)} -> * {' '.join(out)}"


@operator(primitive="Meshgrid(indexing='xy')(inputs)", promote=True,
          samples=[((3,), (2,)), ((3,), (2,), (4,), {"indexing": "ij"})],
          dims=_grid, traits={VIEW})
def meshgrid(*xs: Tensor, indexing: str = "xy"):
    """For every vector a tensor with its elements along one dimension of the common grid."""
    if any([not x.dim() for x in xs]):
        raise ValueError("For 'Meshgrid', every input must be a vector, but got one without dimensions.")
    return tuple(torch.meshgrid(*xs, indexing=indexing))


@meshgrid.shape
def _(*xs: Any, indexing: str = "xy") -> tuple[Aval, ...]:
    if indexing not in ("xy", "ij"):
        raise ValueError(f"For 'Meshgrid', the 'indexing' must be 'xy' or 'ij', but got {indexing!r}.")
    for x in tensors_of(xs, "Meshgrid"):
        if len(x.shape) != 1:
            raise ValueError(f"For 'Meshgrid', every input must be a vector, but got {show(x)}.")
    extents = [x.shape[0] for x in xs]
    if indexing == "xy" and len(extents) > 1:
        extents[:2] = extents[1], extents[0]
    return tuple([Aval(tuple(extents), x.dtype) for x in xs])


@meshgrid.grad(needs="xs")
def _(xs: tuple[Value, ...], dout: Value | tuple[Value | None, ...], *, indexing: str = "xy"):
    douts = dout if isinstance(dout, tuple) else (dout,)
    rank = len(xs)
    found: list[Any] = []
    for i, d in enumerate(douts):
        at = 1 - i if indexing == "xy" and i < 2 and rank > 1 else i
        line = tuple([n if a == at else 1 for a, n in enumerate(d.shape)]) if d is not None else ()
        found.append(None if d is None else reshape(sum_to(d, shape=line), shape=tuple(xs[i].shape)))
    return found


@operator(primitive="ReverseV2(axis)(input)",
          samples=[((2, 3), {"axis": (1,)}), ((2, 3, 4), {"axis": (0, -1)})], traits={WIDEN_UNSIGNED},
          dims=lambda x, axis: along(axis, rank_of(x)))
def reverse(x: Tensor, *, axis: int | Ints):
    """`x` with the order of its elements reversed along the dimensions `axis`."""
    return torch.flip(x, axis if isinstance(axis, tuple) else (axis,))


@reverse.shape
def _(x: Aval, *, axis: Axes) -> Aval:
    if axis != ():
        axes_of(axis, len(x.shape), "ReverseV2")
    return x


@reverse.grad(needs="")
def _(dout: Value, *, axis: Axes):
    return reverse(dout, axis=axis),


@operator(primitive="Roll(shifts, dims=None)(input)",
          samples=[((2, 3), {"shifts": 1, "dims": 1}), ((2, 3), {"shifts": (1, -1), "dims": (0, 1)}),
                   ((2, 3), {"shifts": 2})],
          dims=lambda x, shifts, dims=None: along(
              tuple(range(rank_of(x))) if dims is None else dims, rank_of(x)))
def roll(x: Tensor, *, shifts: int | Ints, dims: Any = None):
    """`x` with its elements moved by `shifts` along `dims`, round the end; flattened without `dims`."""
    return torch.roll(x, shifts, dims)


@roll.shape
def _(x: Aval, *, shifts: int | Ints, dims: int | Ints | None = None) -> Aval:
    if dims is not None:
        axes = (dims,) if isinstance(dims, int) else dims
        count = 1 if isinstance(shifts, int) else len(shifts)
        for axis in axes:
            one_axis(axis, len(x.shape), "Roll")
        if count != len(axes):
            raise ValueError(f"For 'Roll', 'shifts' and 'dims' must have one length, but got "
                             f"{shifts} and {dims}.")
    return x


@roll.grad(needs="")
def _(dout: Value, *, shifts: int | Ints, dims: int | Ints | None = None):
    back = -shifts if isinstance(shifts, int) else tuple([-n for n in shifts])
    return roll(dout, shifts=back, dims=dims),
