"""Operators that take elements by index, by mask or by condition."""
from __future__ import annotations

from typing import Any

import torch

from mindspore.compiler.ir import Aval
from mindspore.core.dtype import bool_, from_torch
from mindspore.core.errors import ArgumentError, UnknownExtent, show

from .joining import one_axis
from .registry import common_dtype, operator, rank_of
from .rules import broadcast, fit, is_value
from .samples import index, truth
from .structure import cast, sum_to, zeros_like


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


# ---------------------------------------------------------------------- slices by index

@operator(primitive="Gather(batch_dims=0)(input_params, input_indices, axis); "
                    "GatherV2()(input_params, input_indices, axis); "
                    "SparseGatherV2()(input_params, input_indices, axis)",
          function="gather(input_params, input_indices, axis, batch_dims=0)", onnx="Gather",
          samples=[((4, 3), index(4, 2), {"axis": 0}), ((3, 4), index(4, 2, 2), {"axis": 1}),
                   ((2, 3, 4), index(3, 2, 2), {"axis": 1, "batch_dims": 1})],
          dims=lambda x, indices, axis, batch_dims=0: _taken(rank_of(x), rank_of(indices), axis,
                                                             batch_dims))
def gather(x, indices, *, axis, batch_dims=0):
    """The slices of `x` along `axis` at `indices`; negative indices count from the end.

    Inputs: (a, n, b) with n at `axis`, any dtype; integers of any shape s in [-n, n).  Output: (a, s, b), dtype of `x`.
    TypeError for indices that are no integers, ArgumentError for those out of range.
    """
    if batch_dims:
        return _gather_batched(x, indices, axis % x.dim(), batch_dims)
    flat = indices if indices.dim() == 1 else indices.reshape(-1)
    if flat.dtype is not torch.int64 and flat.dtype is not torch.int32:
        flat = _whole(flat)
    if x.is_cpu:
        try:
            out = torch.index_select(x, axis, flat)
        except (IndexError, RuntimeError):      # negative indices; others fail again below
            out = torch.index_select(x, axis, _checked(flat, x.shape[axis]))
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


def _checked(index: torch.Tensor, extent: int) -> torch.Tensor:
    line = from_start(index, extent)
    if line.numel() and not bool(((line >= 0) & (line < extent)).all()):
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
    found = []
    for d in range(batch):
        line = torch.arange(indices.shape[d], device=indices.device)
        found.append(line.reshape(-1, *(1,) * (indices.dim() - d - 1)))
    return [*found, from_start(indices, x.shape[axis])]


@gather.shape
def _(x: Aval, indices: Any, *, axis, batch_dims=0) -> Aval:
    integers("Gather", "input_indices", indices)
    axis = one_axis(axis, len(x.shape), "Gather")
    rank = len(indices.shape)
    if not -rank <= batch_dims <= rank or batch_dims % (rank + 1) > axis:
        raise ValueError(f"For 'Gather', the 'batch_dims' must not exceed 'axis' and the rank of the "
                         f"indices, but got {batch_dims} with axis {axis} and {show(indices)}.")
    if x.shape[:batch_dims] != indices.shape[:batch_dims]:
        raise ValueError(f"For 'Gather', the first {batch_dims} dimensions of both inputs must "
                         f"agree, but got {show(x)} and {show(indices)}.")
    return Aval((*x.shape[:axis], *indices.shape[batch_dims:], *x.shape[axis + 1:]), x.dtype)


@gather.grad(needs="x.aval indices")
def _(x, indices, dout, *, axis, batch_dims=0):
    return lambda: gather_grad(dout, indices, shape=tuple(x.shape), axis=axis % len(x.shape),
                               batch_dims=batch_dims), None


@operator(hidden=True,
          samples=[((2, 3), index(4, 2), {"shape": (4, 3), "axis": 0, "batch_dims": 0}),
                                ((3, 2), index(4, 2), {"shape": (3, 4), "axis": 1, "batch_dims": 0}),
                                ((2, 2, 4), index(3, 2, 2), {"shape": (2, 3, 4), "axis": 1,
                                                             "batch_dims": 1})])
def gather_grad(dout, indices, *, shape, axis, batch_dims):
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


@gather_grad.shape
def _(dout: Aval, indices: Aval, *, shape, axis, batch_dims) -> Aval:
    return Aval(tuple(shape), dout.dtype)


@gather_grad.grad(needs="indices")
def _(indices, ddx, *, shape, axis, batch_dims):
    return gather(ddx, indices, axis=axis, batch_dims=batch_dims), None


# ---------------------------------------------------------------------- elements by index

@operator(primitive="GatherD()(x, dim, index)", function="gather_d(x, dim, index); "
          "gather_elements(input, dim, index)", method="gather_elements(dim, index)",
          samples=[((3, 4), index(4, 3, 2), {"dim": 1}), ((3, 4), index(3, 1, 4), {"dim": 0})])
def gather_d(x, index, *, dim):
    """For every place of `index` the element of `x` at the same place but there along `dim`."""
    index = counted(index)
    if x.is_cpu:
        try:
            return torch.gather(x, dim, index)
        except (IndexError, RuntimeError):      # negative indices; others fail again
            pass
    return torch.gather(x, dim, from_start(index, x.shape[dim]))


@gather_d.shape
def _(x: Aval, index: Any, *, dim) -> Aval:
    integers("GatherD", "index", index)
    dim = one_axis(dim, len(x.shape), "GatherD")
    if len(x.shape) != len(index.shape) or any(
            m > n for i, (n, m) in enumerate(zip(x.shape, index.shape, strict=True)) if i != dim):
        raise ValueError(f"For 'GatherD', the 'index' must have the rank of 'x' and not exceed its "
                         f"extents but along 'dim', but got {show(index)} for {show(x)}.")
    return Aval(index.shape, x.dtype)


@gather_d.grad(needs="x.aval index")
def _(x, index, dout, *, dim):
    return lambda: gather_d_grad(dout, index, shape=tuple(x.shape), dim=dim), None


@operator(hidden=True, samples=[((3, 2), index(4, 3, 2), {"shape": (3, 4), "dim": 1})])
def gather_d_grad(dout, index, *, shape, dim):
    """Zeros of `shape` with every element of `dout` added where `GatherD` took it from."""
    return dout.new_zeros(shape).scatter_add_(dim, from_start(index, shape[dim]), dout)


@gather_d_grad.shape
def _(dout: Aval, index: Aval, *, shape, dim) -> Aval:
    return Aval(tuple(shape), dout.dtype)


@gather_d_grad.grad(needs="index")
def _(index, ddx, *, shape, dim):
    return gather_d(ddx, index, dim=dim), None


@operator(primitive="GatherNd()(input_x, indices)", function="gather_nd(input_x, indices)",
          method="gather_nd(indices)", onnx="GatherND",
          samples=[((3, 4), index(3, 2, 2)), ((3, 4, 2), index(3, 2, 1))])
def gather_nd(x, indices):
    """The slices of `x` at the coordinates in the last dimension of `indices`.

    Inputs: any shape and dtype; (..., k) integers with k up to the rank of `x`, else ValueError.
    Output: (..., the last dimensions of `x` but for k).
    """
    if not indices.shape[-1]:
        return x.expand(*indices.shape[:-1], *x.shape)
    return x[counted(indices).unbind(-1)]


@gather_nd.shape
def _(x: Aval, indices: Any) -> Aval:
    _coordinates("GatherNd", x.shape, indices)
    return Aval((*indices.shape[:-1], *x.shape[indices.shape[-1]:]), x.dtype)


def _coordinates(name: str, shape: tuple[int, ...], indices: Any) -> None:
    integers(name, "indices", indices)
    if not indices.shape or indices.shape[-1] > len(shape):
        raise ValueError(f"For '{name}', the last dimension of 'indices' must hold at most "
                         f"{len(shape)} coordinates, but got {show(indices)}.")


@gather_nd.grad(needs="x.aval indices")
def _(x, indices, dout):
    from .scatter import scatter_nd  # scattering stands on this family

    return lambda: scatter_nd(indices, dout, shape=tuple(x.shape)), None


@operator(primitive="EmbeddingLookup()(input_params, input_indices, offset)",
          samples=[((4, 3), index(5, 3), {"offset": 1})])
def embedding_lookup(x, indices, *, offset):
    """The rows of `x` at `indices - offset`; zeros for indices outside of it."""
    line = counted(indices) - offset
    inside = (line >= 0) & (line < x.shape[0])
    rows = torch.nn.functional.embedding(torch.where(inside, line, 0), x.reshape(x.shape[0], -1))
    rows = torch.where(inside[..., None], rows, 0)
    return rows.reshape(indices.shape + x.shape[1:])


@embedding_lookup.shape
def _(x: Aval, indices: Any, *, offset) -> Aval:
    integers("EmbeddingLookup", "input_indices", indices)
    if not x.shape:
        raise ValueError("For 'EmbeddingLookup', the 'input_params' must have a dimension at least.")
    return Aval((*indices.shape, *x.shape[1:]), x.dtype)


@embedding_lookup.grad(needs="x.aval indices")
def _(x, indices, dout, *, offset):
    return lambda: embedding_lookup_grad(dout, indices, shape=tuple(x.shape), offset=offset), None


@operator(hidden=True, samples=[((3, 2), index(5, 3), {"shape": (4, 2), "offset": 1})])
def embedding_lookup_grad(dout, indices, *, shape, offset):
    """Zeros of `shape` with every row of `dout` added where `EmbeddingLookup` took it from."""
    line = counted(indices) - offset
    line = torch.where((line >= 0) & (line < shape[0]), line, shape[0]).reshape(-1)
    out = dout.new_zeros(shape[0] + 1, *shape[1:])
    return out.index_add_(0, line, dout.reshape(-1, *shape[1:]))[:-1]


@embedding_lookup_grad.shape
def _(dout: Aval, indices: Aval, *, shape, offset) -> Aval:
    return Aval(tuple(shape), dout.dtype)


@embedding_lookup_grad.grad(needs="indices")
def _(indices, ddx, *, shape, offset):
    return embedding_lookup(ddx, indices, offset=offset), None


# ---------------------------------------------------------------------- conditions and masks

@operator(primitive="Select()(condition, input, other)", onnx="Where", dims="..., ..., ... -> ...",
          samples=[(truth(2, 3), (2, 3), (2, 3)), (truth(2, 1), (2, 3), (3,)), (truth(3),
                   (2, 3), 0.5)])
def select(condition, x, y):
    """`x` where the condition holds, elsewhere `y`; the three are broadcast.

    Inputs: bools (else TypeError); tensors or numbers, whose dtypes are joined.  Output: the common shape;
    ValueError if there is none.
    """
    return torch.where(condition, x, y)


@select.shape
def _(condition: Any, x: Any, y: Any) -> Aval:
    mask("Select", "condition", condition)
    shapes = [v.shape for v in (condition, x, y) if type(v) is Aval]
    return Aval(broadcast(*shapes, name="Select"), select_dtype(x, y))


def mask(name: str, what: str, value: Any) -> None:
    """TypeError unless a mask holds bools."""
    if not is_value(value) or value.dtype is not bool_:
        raise TypeError(f"For '{name}', the '{what}' must be a tensor of bools, but got "
                        f"{show(value)}.")


def select_dtype(x: Any, y: Any) -> Any:
    """The dtype of two operands together."""
    from mindspore.core.dtype import as_dtype  # Python numbers on both sides

    kinds = [v.dtype if is_value(v) else type(v) for v in (x, y)]
    if not is_value(x) and not is_value(y):
        return as_dtype(float if float in kinds else int if int in kinds else bool)
    return common_dtype(select, kinds) or next(v.dtype for v in (x, y) if is_value(v))


@select.grad(needs="condition x.aval y.aval")
def _(condition, x, y, dout):
    return None, lambda: fit(_as(select(condition, dout, 0), x), x), lambda: fit(
        _as(select(condition, 0, dout), y), y)


def _as(d: Any, x: Any) -> Any:
    return cast(d, dtype=x.dtype) if is_value(x) and d.dtype is not x.dtype else d


@operator(primitive="MaskedFill()(input_x, mask, value)", dims="..., ..., ... -> ...",
          samples=[((2, 3), truth(2, 3), 0.5), ((2, 3), truth(3), ())])
def masked_fill(x, mask, value):
    """`x` with `value` where the mask holds; mask and `x` are broadcast."""
    if mask.dim() > x.dim() or mask.shape != x.shape:
        x, mask = torch.broadcast_tensors(x, mask)
    if isinstance(value, torch.Tensor):
        value = value.to(x.dtype)
        return torch.where(mask, value, x)
    return x.masked_fill(mask, value)


@masked_fill.shape
def _(x: Aval, mask_: Any, value: Any) -> Aval:
    mask("MaskedFill", "mask", mask_)
    if is_value(value) and value.shape != ():
        raise ValueError(f"For 'MaskedFill', the 'value' must be a number or a tensor without "
                         f"dimensions, but got {show(value)}.")
    if not is_value(value) and not isinstance(value, (bool, int, float, complex)):
        raise TypeError(f"For 'MaskedFill', the 'value' must be a number or a tensor, but got "
                        f"{show(value)}.")
    return Aval(broadcast(x.shape, mask_.shape, name="MaskedFill"), x.dtype)


@masked_fill.grad(needs="x.aval mask value.aval")
def _(x, mask, value, dout):
    return (lambda: fit(masked_fill(dout, mask, 0.0), x), None,
            lambda: _filled(mask, value, dout))


def _filled(mask: Any, value: Any, dout: Any) -> Any:
    """The cotangent of the value that fills: the sum over the places that it fills."""
    if not is_value(value):
        return None
    return _as(sum_to(select(mask, dout, 0.0), shape=()), value)


@operator(primitive="MaskedSelect()(input, mask)", function="masked_select(input, mask)",
          method="masked_select(mask)", samples=[])
def masked_select(x, mask):
    """The elements of `x` where the mask holds, as a vector."""
    if x.is_meta:
        raise unknown_extent("MaskedSelect")
    if mask.dtype is not torch.bool:
        raise TypeError(f"For 'MaskedSelect', the 'mask' must be a tensor of bools, but got "
                        f"{mask.dtype}.")
    return torch.masked_select(x, mask)


masked_select.extents = lambda x, mask: [("count",)]


@masked_select.grad(needs="x.aval mask")
def _(x, mask, dout):
    return lambda: fit(masked_scatter(zeros_like(x) + masked_zeros(x, mask), mask, dout), x), None


def masked_zeros(x: Any, mask: Any) -> Any:
    """Zeros of the common shape of `x` and a mask."""
    from .structure import full

    return full(shape=broadcast(tuple(x.shape), tuple(mask.shape)), value=0, dtype=x.dtype)


@operator(primitive="MaskedScatter()(input, mask, source)", method="masked_scatter(mask, source)",
          samples=[((2, 3), truth(2, 3), (6,)), ((2, 3), truth(2, 1), (2, 3))])
def masked_scatter(x, mask, source):
    """`x` with the elements of `source` in order where the mask holds."""
    if not mask.is_meta and x.is_cpu and int(mask.expand(x.shape).sum()) > source.numel():
        raise ValueError(f"For 'MaskedScatter', the 'source' must have an element for every true "
                         f"element of the mask, but got {source.numel()}.")
    return torch.masked_scatter(x, mask, source)


@masked_scatter.shape
def _(x: Aval, mask_: Any, source: Aval) -> Aval:
    mask("MaskedScatter", "mask", mask_)
    if broadcast(x.shape, mask_.shape, name="MaskedScatter") != x.shape:
        raise ValueError(f"For 'MaskedScatter', the mask {show(mask_)} must fit into the shape "
                         f"{x.shape}.")
    if x.dtype is not source.dtype:
        raise TypeError(f"For 'MaskedScatter', 'input' and 'source' must have one dtype, but got "
                        f"{show(x)} and {show(source)}.")
    return x


@masked_scatter.grad(needs="mask source.aval")
def _(mask, source, dout):
    return (lambda: masked_fill(dout, mask, 0.0), None,
            lambda: masked_scatter_grad(dout, mask, shape=tuple(source.shape)))


@operator(hidden=True, samples=[((2, 3), truth(2, 3), {"shape": (6,)})])
def masked_scatter_grad(dout, mask, *, shape):
    """The elements of `dout` where the mask holds, followed by zeros."""
    return torch.ops.aten.masked_scatter_backward(dout, mask.expand(dout.shape), shape)


@masked_scatter_grad.shape
def _(dout: Aval, mask: Aval, *, shape) -> Aval:
    return Aval(tuple(shape), dout.dtype)


@masked_scatter_grad.grad(needs="dout.aval mask")
def _(dout, mask, ddx, *, shape):
    return masked_scatter(zeros_like(dout), mask, ddx), None


def _marked(rank: int, axis: int) -> str:
    """Sharding labels of a tensor of indices that gets a dimension for its classes."""
    left, at = [f"i{i}" for i in range(rank)], rank if axis == -1 else axis
    return f"{' '.join(left)}, , -> {' '.join([*left[:at], 'n!', *left[at:]])}"


@operator(primitive="OneHot(axis=-1)(indices, depth, on_value, off_value)", onnx="OneHot",
          dims=lambda indices, *_, depth, axis=-1: _marked(rank_of(indices), axis),
         
          samples=[(index(3, 4), (), (), {"depth": 3}),
                   (index(4, 2, 2), 1.0, 0.0, {"depth": 3, "axis": 0})])
def one_hot(indices, on_value, off_value, *, depth, axis=-1):
    """`on_value` at the place that each index names along a new dimension, elsewhere `off_value`.

    Inputs: integers of any shape, else TypeError; numbers or tensors without dimensions.  Output: `depth` at the new
    dimension `axis` (-1: the last), dtype of the two values.  Indices out of range give `off_value` only.
    """
    if indices.is_floating_point() or indices.dtype is torch.bool:
        raise TypeError(f"For 'OneHot', the indices must be integers, but got {indices.dtype}.")
    line = torch.arange(depth, device=indices.device)
    if axis != -1:
        line = line.reshape(-1, *(1,) * (indices.dim() - axis))
    return torch.where(indices.unsqueeze(axis) == line, on_value, off_value)


@one_hot.shape
def _(indices: Any, on_value: Any, off_value: Any, *, depth, axis=-1) -> Aval:
    integers("OneHot", "indices", indices)
    if isinstance(depth, bool) or not isinstance(depth, int):
        raise TypeError(f"For 'OneHot', the 'depth' must be an int, but got {depth!r}.")
    if depth < 0:
        raise ValueError(f"For 'OneHot', the 'depth' cannot be negative, but got {depth}.")
    rank = len(indices.shape)
    if isinstance(axis, bool) or not isinstance(axis, int):
        raise TypeError(f"For 'OneHot', the 'axis' must be an int, but got {axis!r}.")
    if not -1 <= axis <= rank:
        raise ValueError(f"For 'OneHot', the 'axis' must be in [-1, {rank}], but got {axis}.")
    at = rank if axis == -1 else axis
    return Aval((*indices.shape[:at], depth, *indices.shape[at:]), select_dtype(on_value, off_value))


@one_hot.grad(needs="indices on_value.aval off_value.aval")
def _(indices, on_value, off_value, dout, *, depth, axis=-1):
    def share(value: Any, on: int) -> Any:
        if not is_value(value):
            return None
        hot = one_hot(indices, on, 1 - on, depth=depth, axis=axis)
        return _as(sum_to(dout * cast(hot, dtype=dout.dtype), shape=()), value)
    return None, lambda: share(on_value, 1), lambda: share(off_value, 0)
