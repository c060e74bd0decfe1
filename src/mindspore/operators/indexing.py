"""Operators that take elements and slices by index."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import from_torch, int64
from mindspore.core.errors import ArgumentError, UnknownExtent, show
from mindspore.ir import Aval

from .exported import Exported
from .joining import one_axis
from .labels import rank_of, returned
from .registry import operator
from .rules import is_value, moving, stated
from .samples import index
from .table import REGISTRY
from .traits import STREAMING
from .values import Ints, Value


def unknown_extent(name: str) -> Exception:
    """The error for a result whose shape depends on elements while a graph is compiled."""
    return UnknownExtent(
        f"For '{name}', the shape of the result depends on the elements of the input, which have no "
        f"values while a graph is compiled where this stands, as inside of a loop on a tensor. Compute "
        f"with a mask ('ops.select', 'masked_fill'), loop over a Python range, or run this part in "
        f"PyNative mode.")


def integers(name: str, what: str, index: Any) -> None:
    """TypeError unless an index tensor holds integers."""
    if not is_value(index) or index.dtype.kind not in "iu":
        raise TypeError(f"For '{name}', the '{what}' must be a tensor of integers, but got "
                        f"{show(index)}.")


def counted(index: torch.Tensor) -> torch.Tensor:
    """An index tensor of a type that torch takes everywhere.  TypeError if it holds no integers."""
    if index.dtype is torch.int64:
        return index
    if index.is_floating_point() or index.is_complex():
        raise TypeError(f"For an index, the tensor must hold integers, but got {from_torch(index.dtype)}.")
    return index.long()


def from_start(index: torch.Tensor, extent: int) -> torch.Tensor:
    """Indices with negative ones counted from the end, as int64."""
    index = counted(index)
    return torch.where(index < 0, index + extent, index)


def places_along(shape: Sequence[int], index: Sequence[int], axis: int, mark: str = "") -> tuple[str, str]:
    """Labels of a tensor and of an index of the same rank for places along an axis; `mark` those of the index there.

    Where the index is shorter than the tensor, it names the first places: these stay whole.
    """
    axis = axis % len(shape) if shape else 0
    whole = [i == axis or n != m for i, (n, m) in enumerate(zip(shape, index, strict=True))]
    left = " ".join([f"d{i}" + "!" * w for i, w in enumerate(whole)])
    return left, " ".join([f"i{i}{mark}" if i == axis else f"i{i}!" if w else f"d{i}" for i, w in enumerate(whole)])


def coordinates(rank: int, index: Sequence[int], mark: str = "") -> tuple[str, str, str]:
    """Labels of a tensor, of coordinates (..., k), and of the slices there; `mark` is for the coordinates."""
    rest = " ".join([f"d{i}" for i in range(index[-1], rank)])
    line = " ".join([f"i{i}{mark}" for i in range(len(index) - 1)])
    return f"{' '.join([f'd{i}!' for i in range(index[-1])])} {rest}", f"{line} k!", f"{line} {rest}"


def _from_last(batch_dims: int, rank: int) -> int:
    return batch_dims + rank if batch_dims < 0 else batch_dims


def _common(x: Any, indices: Any, axis: int, batch_dims: int) -> int:
    """How many first dimensions a tensor and its indices have in common.

    Raises:
        ValueError: If they do not, or if `axis` is one of them.
    """
    ours, theirs = tuple(x.shape), tuple(indices.shape)
    found = _from_last(batch_dims, len(theirs))
    if not 0 <= found <= min(len(theirs), axis):
        raise ValueError(f"For 'Gather', the 'batch_dims' must not exceed 'axis' and the rank of the indices, but got "
                         f"{batch_dims} with axis {axis} and indices of the shape {theirs}.")
    if ours[:found] != theirs[:found]:
        raise ValueError(f"For 'Gather', the first {found} dimensions of both inputs must agree, but got the shapes "
                         f"{ours} and {theirs}.")
    return found


@operator(primitive="Gather(batch_dims=0)(input_params, input_indices, axis); "
                    "GatherV2()(input_params, input_indices, axis); "
                    "SparseGatherV2()(input_params, input_indices, axis)",
          function="gather(input_params, input_indices, axis, batch_dims=0)",
          samples=[((4, 3), index(4, 2), {"axis": 0}), ((3, 4), index(4, 2, 2), {"axis": 1}),
                   ((2, 3, 4), index(3, 2, 2), {"axis": 1, "batch_dims": 1})],
          dims=lambda x, indices, axis, batch_dims=0: _taken(
              rank_of(x), rank_of(indices), axis, _from_last(batch_dims, rank_of(indices))), traits={STREAMING})
@moving
def gather(x: Tensor, indices: Tensor, *, axis: int, batch_dims: int = 0):
    """The slices of `x` along `axis` at `indices`; negative indices count from the end.

    The first `batch_dims` dimensions are common to both; a negative number counts from the rank of the indices.
    Inputs: (a, n, b) with n at `axis`, any dtype; integers of any shape s in [-n, n).  Output: (a, s, b), dtype of `x`.
    TypeError for indices that are no integers, ArgumentError for those out of range.

    Examples:
        >>> ops.Gather()(Tensor([[1, 2], [3, 4]]), Tensor([1, 0, -1]), 0).tolist()
        [[3, 4], [1, 2], [3, 4]]
    """
    if batch_dims:
        axis = axis % x.dim()
        return _gather_batched(x, indices, axis, _common(x, indices, axis, batch_dims))
    flat = indices if indices.dim() == 1 else indices.reshape(-1)
    if flat.dtype is not torch.int64 and flat.dtype is not torch.int32:
        flat = _whole(flat)
    if x.is_cpu:
        try:
            out = torch.index_select(x, axis, flat)
        except (IndexError, RuntimeError):      # negative indices; others fail again below
            out = torch.index_select(x, axis, checked(flat, x.shape[axis]))
    else:
        out = torch.index_select(x, axis, from_start(flat, x.shape[axis]))
    if indices.dim() == 1:
        return out
    axis %= x.dim()
    return out.reshape(x.shape[:axis] + indices.shape + x.shape[axis + 1:])


def _taken(rank: int, count: int, axis: int, batch: int) -> str:
    """Sharding labels: the axis stays whole, the indices and the rest can be split."""
    axis, batch = axis % rank, batch % (count + 1)
    left = [f"d{i}" + "!" * (i == axis) for i in range(rank)]
    index = [f"d{i}" if i < batch else f"i{i}" for i in range(count)]
    out = [*left[:axis], *index[batch:], *left[axis + 1:]]
    return f"{' '.join(left)}, {' '.join(index)} -> {' '.join(out)}"


def _whole(index: torch.Tensor) -> torch.Tensor:
    if index.is_floating_point() or index.dtype is torch.bool:
        raise TypeError(f"For 'Gather', the indices must be integers, but got {index.dtype}.")
    return index.long()


def checked(index: torch.Tensor, extent: int) -> torch.Tensor:
    """Indices with negative ones counted from the end.  ArgumentError if one is out of range."""
    line = from_start(index, extent)
    if line.numel() and not line.is_meta and not bool(((line >= 0) & (line < extent)).all()):
        wrong = line[(line < 0) | (line >= extent)][0].item()
        raise ArgumentError(f"For 'Gather', the indices must be in [{-extent}, {extent}), but got "
                            f"{wrong if wrong >= 0 else wrong - extent}.")
    return line


def _gather_batched(x: torch.Tensor, indices: torch.Tensor, axis: int, batch: int) -> torch.Tensor:
    inner = indices.dim() - batch
    out = x.movedim(axis, batch)[tuple(_batched(x, indices, axis, batch))]
    return out.movedim(list(range(batch, batch + inner)), list(range(axis, axis + inner)))


def _batched(x: Any, indices: torch.Tensor, axis: int, batch: int) -> list[torch.Tensor]:
    """Index tensors that pair every batch entry of `x` with its own indices."""
    found: list[Tensor] = []
    for d in range(batch):
        line = torch.arange(indices.shape[d], device=indices.device)
        found.append(line.reshape(-1, *(1,) * (indices.dim() - d - 1)))
    return [*found, from_start(indices, x.shape[axis])]


@gather.shape
def _(x: Aval, indices: Any, *, axis: int, batch_dims: int = 0) -> Aval:
    integers("Gather", "input_indices", indices)
    axis = one_axis(axis, len(x.shape), "Gather")
    batch_dims = _common(x, indices, axis, batch_dims)
    return Aval((*x.shape[:axis], *indices.shape[batch_dims:], *x.shape[axis + 1:]), x.dtype)


@gather.onnx
def _(g: Exported, x: str, indices: str, *, axis: int, batch_dims: int = 0):
    if batch_dims:
        raise NotImplementedError("ONNX has no Gather with dimensions of a batch.")
    return g.add("Gather", x, indices, axis=axis)


@gather.grad(needs="x.aval indices")
def _(x: Aval, indices: Value, dout: Value, *, axis: int, batch_dims: int = 0):
    return lambda: gather_grad(dout, indices, shape=tuple(x.shape), axis=axis % len(x.shape),
                               batch_dims=_from_last(batch_dims, len(indices.shape))), None


@operator(hidden=True,
          samples=[((2, 3), index(4, 2), {"shape": (4, 3), "axis": 0, "batch_dims": 0}),
                   ((3, 2), index(4, 2), {"shape": (3, 4), "axis": 1, "batch_dims": 0}),
                   ((2, 2, 4), index(3, 2, 2), {"shape": (2, 3, 4), "axis": 1,
                                                "batch_dims": 1})],
          dims=lambda dout, indices, shape, axis, batch_dims: returned(
              _taken(len(shape), rank_of(indices), axis, batch_dims)))
def gather_grad(dout: Tensor, indices: Tensor, *, shape: Ints, axis: int, batch_dims: int):
    """Zeros of `shape` with every slice of `dout` added where `Gather` took it from; slices that a
    negative index took get nothing (observed: MindSpore 2.10, CPU)."""
    if batch_dims:
        return _gather_batched_grad(dout, indices, shape, axis, batch_dims)
    line = counted(indices)
    if axis == 0 and dout.is_floating_point():
        flat = dout.reshape(*indices.shape, -1)
        return torch.ops.aten.embedding_dense_backward(
            flat, line.clamp(min=-1), shape[0], -1, False).view(shape)
    n = shape[axis]
    out = dout.new_zeros((*shape[:axis], n + 1, *shape[axis + 1:]))     # one more for those
    slices = dout.reshape(*shape[:axis], -1, *shape[axis + 1:])
    out.index_add_(axis, torch.where(line < 0, n, line).reshape(-1), slices)
    return out.narrow(axis, 0, n)


def _gather_batched_grad(dout: torch.Tensor, indices: torch.Tensor, shape: tuple[int, ...],
                         axis: int, batch: int) -> torch.Tensor:
    inner = indices.dim() - batch
    moved = dout.movedim(list(range(axis, axis + inner)), list(range(batch, batch + inner)))
    kept = (indices >= 0).reshape(*indices.shape, *(1,) * (moved.dim() - indices.dim()))
    out = dout.new_zeros(shape)
    places: Any = _batched(out, indices, axis, batch)
    out.movedim(axis, batch).index_put_(places, torch.where(kept, moved, 0), accumulate=True)
    return out


gather_grad.shape(stated)


@gather_grad.grad(needs="indices")
def _(indices: Value, ddx: Value, *, shape: Ints, axis: int, batch_dims: int):
    return gather(ddx, indices, axis=axis, batch_dims=batch_dims), None


@operator(primitive="GatherD()(x, dim, index)", function="gather_d(x, dim, index); "
          "gather_elements(input, dim, index)", method="gather_elements(dim, index)",
          samples=[((3, 4), index(4, 3, 2), {"dim": 1}), ((3, 4), index(3, 1, 4), {"dim": 0})],
          dims=lambda x, index, dim: "{0}, {1} -> {1}".format(*places_along(x.shape, index.shape, dim)))
@moving
def gather_d(x: Tensor, index: Tensor, *, dim: int):
    """For every place of `index` the element of `x` at the same place but there along `dim`."""
    index = counted(index)
    if x.is_cpu:
        try:
            return torch.gather(x, dim, index)
        except (IndexError, RuntimeError):      # negative indices; others fail again
            pass
    return torch.gather(x, dim, from_start(index, x.shape[dim]))


@gather_d.shape
def _(x: Aval, index: Any, *, dim: int) -> Aval:
    integers("GatherD", "index", index)
    dim = one_axis(dim, len(x.shape), "GatherD")
    if len(x.shape) != len(index.shape) or any(
            m > n for i, (n, m) in enumerate(zip(x.shape, index.shape, strict=True)) if i != dim):
        raise ValueError(f"For 'GatherD', the 'index' must have the rank of 'x' and not exceed its "
                         f"extents but along 'dim', but got {show(index)} for {show(x)}.")
    return Aval(index.shape, x.dtype)


@gather_d.onnx
def _(g: Exported, x: str, index: str, *, dim: int):
    return g.add("GatherElements", x, index, axis=dim)


@gather_d.grad(needs="x.aval index")
def _(x: Aval, index: Value, dout: Value, *, dim: int):
    return lambda: gather_d_grad(dout, index, shape=tuple(x.shape), dim=dim), None


@operator(hidden=True, samples=[((3, 2), index(4, 3, 2), {"shape": (3, 4), "dim": 1})],
          dims=lambda dout, index, shape, dim: "{1}, {1}; shape={0} -> {0}".format(
              *places_along(shape, index.shape, dim)))
def gather_d_grad(dout: Tensor, index: Tensor, *, shape: Ints, dim: int):
    """Zeros of `shape` with every element of `dout` added where `GatherD` took it from."""
    return dout.new_zeros(shape).scatter_add_(dim, from_start(index, shape[dim]), dout)


gather_d_grad.shape(stated)


@gather_d_grad.grad(needs="index")
def _(index: Value, ddx: Value, *, shape: Ints, dim: int):
    return gather_d(ddx, index, dim=dim), None


@operator(primitive="GatherNd()(input_x, indices)", function="gather_nd(input_x, indices)",
          method="gather_nd(indices)",
          samples=[((3, 4), index(3, 2, 2)), ((3, 4, 2), index(3, 2, 1))],
          dims=lambda x, indices: "{}, {} -> {}".format(*coordinates(rank_of(x), indices.shape)))
def gather_nd(x: Tensor, indices: Tensor):
    """The slices of `x` at the coordinates in the last dimension of `indices`.

    Inputs: any shape and dtype; (..., k) integers with k up to the rank of `x`, else ValueError.
    Output: (..., the last dimensions of `x` but for k).

    Examples:
        >>> ops.GatherNd()(Tensor([[1, 2], [3, 4]]), Tensor([[0, 1], [1, 0]])).tolist()
        [2, 3]
    """
    if not indices.shape[-1]:
        return x.expand(*indices.shape[:-1], *x.shape).clone()
    found = x[counted(indices).unbind(-1)]
    return found.clone() if indices.dim() == 1 else found            # which torch gives as a view


@gather_nd.shape
def _(x: Aval, indices: Any) -> Aval:
    _coordinates("GatherNd", x.shape, indices)
    return Aval((*indices.shape[:-1], *x.shape[indices.shape[-1]:]), x.dtype)


def _coordinates(name: str, shape: tuple[int, ...], indices: Any) -> None:
    integers(name, "indices", indices)
    if not indices.shape or indices.shape[-1] > len(shape):
        raise ValueError(f"For '{name}', the last dimension of 'indices' must hold at most "
                         f"{len(shape)} coordinates, but got {show(indices)}.")


@gather_nd.onnx
def _(g: Exported, x: str, indices: str):
    return g.add("GatherND", x, g.cast(indices, int64))


@gather_nd.grad(needs="x.aval indices")
def _(x: Aval, indices: Value, dout: Value):
    return lambda: REGISTRY["ScatterNd"](indices, dout, shape=tuple(x.shape)), None


@operator(primitive="EmbeddingLookup()(input_params, input_indices, offset)",
          samples=[((4, 3), index(5, 3), {"offset": 1})],
          dims=lambda x, indices, offset: _taken(rank_of(x), rank_of(indices), 0, 0), traits={STREAMING})
def embedding_lookup(x: Tensor, indices: Tensor, *, offset: int):
    """The rows of `x` at `indices - offset`; zeros for indices outside of it."""
    line = counted(indices) - offset
    inside = (line >= 0) & (line < x.shape[0])
    rows = torch.nn.functional.embedding(torch.where(inside, line, 0), x.reshape(x.shape[0], -1))
    rows.masked_fill_(~inside[..., None], 0)         # which keeps the type, as `where` with a number does not
    return rows.reshape(indices.shape + x.shape[1:])


@embedding_lookup.shape
def _(x: Aval, indices: Any, *, offset: int) -> Aval:
    integers("EmbeddingLookup", "input_indices", indices)
    if not x.shape:
        raise ValueError("For 'EmbeddingLookup', the 'input_params' must have a dimension at least.")
    return Aval((*indices.shape, *x.shape[1:]), x.dtype)


@embedding_lookup.grad(needs="x.aval indices")
def _(x: Aval, indices: Value, dout: Value, *, offset: int):
    return lambda: embedding_lookup_grad(dout, indices, shape=tuple(x.shape), offset=offset), None


@operator(hidden=True, samples=[((3, 2), index(5, 3), {"shape": (4, 2), "offset": 1})],
          dims=lambda dout, indices, shape, offset: returned(_taken(len(shape), rank_of(indices), 0, 0)))
def embedding_lookup_grad(dout: Tensor, indices: Tensor, *, shape: Ints, offset: int):
    """Zeros of `shape` with every row of `dout` added where `EmbeddingLookup` took it from."""
    line = counted(indices) - offset
    line = torch.where((line >= 0) & (line < shape[0]), line, shape[0]).reshape(-1)
    out = dout.new_zeros(shape[0] + 1, *shape[1:])
    return out.index_add_(0, line, dout.reshape(-1, *shape[1:]))[:-1]


embedding_lookup_grad.shape(stated)


@embedding_lookup_grad.grad(needs="indices")
def _(indices: Value, ddx: Value, *, shape: Ints, offset: int):
    return embedding_lookup(ddx, indices, offset=offset), None
