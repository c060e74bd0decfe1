"""Operators that put values into a tensor at given indices."""
from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import int64
from mindspore.core.errors import ArgumentError, show
from mindspore.ir import Aval

from .exported import Exported
from .indexing import (
    coordinates,
    counted,
    from_start,
    gather,
    gather_d,
    gather_nd,
    integers,
    places_along,
)
from .joining import one_axis
from .labels import rank_of
from .masking import select
from .registry import Operator, operator
from .rules import in_int64, is_value, moving
from .samples import Values, index, positive
from .structure import full, zeros_like
from .traits import ORDERED, WIDEN_UNSIGNED, Trait
from .values import Ints, Value

_REDUCTIONS = {"mul": "prod", "div": "prod", "max": "amax", "min": "amin"}


def _coordinates(name: str, shape: tuple[int, ...], indices: Any, updates: Any) -> None:
    integers(name, "indices", indices)
    if not is_value(updates):
        raise TypeError(f"For '{name}', the 'updates' must be a tensor, but got {show(updates)}.")
    if not indices.shape or indices.shape[-1] > len(shape):
        raise ValueError(f"For '{name}', the last dimension of 'indices' must hold at most "
                         f"{len(shape)} coordinates, but got {show(indices)}.")
    wanted = (*indices.shape[:-1], *shape[indices.shape[-1]:])
    if tuple(updates.shape) != wanted:
        raise ValueError(f"For '{name}', the shape of 'updates' must be {wanted}, that of 'indices' "
                         f"without its last dimension and the rest of the input's, but got "
                         f"{tuple(updates.shape)}.")


def _places(indices: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    """The coordinates as places in the flattened first dimensions."""
    place: Any = None
    for n, i in zip(shape, counted(indices).unbind(-1), strict=False):
        if indices.is_cpu and i.numel() and not (int(i.min()) >= 0 and int(i.max()) < n):
            raise ArgumentError(f"For a scatter, the indices must be in [0, {n}), but got some in "
                                f"[{int(i.min())}, {int(i.max())}].")
        place = i if place is None else place * n + i
    return place.reshape(-1)


def _scattered(x: torch.Tensor, indices: torch.Tensor, updates: torch.Tensor, mode: str,
               ) -> torch.Tensor:
    """`x`, which is a fresh copy, with the updates written, added, multiplied, ..."""
    k = indices.shape[-1]
    if (*indices.shape[:-1], *x.shape[k:]) != tuple(updates.shape):
        raise ValueError(f"For a scatter, the shape of 'updates' must be {(*indices.shape[:-1], *x.shape[k:])}, "
                         f"that of 'indices' without its last dimension and the rest of the input's, but got "
                         f"{tuple(updates.shape)}.")
    rows = math.prod(x.shape[:k])
    place = _places(indices, tuple(x.shape))
    width = math.prod(x.shape[k:])
    flat, new = x.view(rows, width), updates.reshape(place.numel(), width)
    if mode == "update":
        flat.index_put_((place,), new)
    elif mode in ("add", "sub"):
        flat.index_add_(0, place, new, alpha=1 if mode == "add" else -1)
    elif mode == "div":
        factor = torch.ones_like(flat).scatter_reduce_(0, _wide(place, new), new, "prod")
        flat.div_(factor) if x.is_floating_point() else flat.div_(factor, rounding_mode="trunc")
    else:
        flat.scatter_reduce_(0, _wide(place, new), new, _REDUCTIONS[mode])
    return x


def _wide(place: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    return place[:, None].expand(values.shape)


def _rows(rank: int, axis: int, text: str) -> str:
    """Labels: {0} of a tensor, {1} of slices at places along an axis."""
    left = [f"d{i}" + "!" * (i == axis % rank) for i in range(rank)]
    return text.format(" ".join(left), " ".join(["p!" if n.endswith("!") else n for n in left]))


@operator(primitive="ScatterNd()(indices, updates, shape)",
          function="scatter_nd(indices, updates, shape)",
          samples=[(index(4, 2, 1), (2, 3), {"shape": (4, 3)}), (index(3, 2, 2),
                   (2,), {"shape": (3, 4)})],
          dims=lambda indices, updates, shape: (
              "{1}, {2}; shape={0} -> {0}".format(*coordinates(len(shape), indices.shape))), traits={WIDEN_UNSIGNED})
def scatter_nd(indices: Tensor, updates: Tensor, *, shape: Ints):
    """Zeros of `shape` with the updates added at the coordinates in `indices`."""
    if isinstance(shape, int):
        raise TypeError(f"For 'ScatterNd', the 'shape' must be a tuple of ints, but got {shape}.")
    out = updates.new_zeros(shape)
    if not indices.shape[-1]:
        return out + updates.sum_to_size(shape)
    return _scattered(out, indices, updates, "add")


@scatter_nd.shape
def _(indices: Any, updates: Any, *, shape: Ints) -> Aval:
    _coordinates("ScatterNd", tuple(shape), indices, updates)
    return Aval(tuple(shape), updates.dtype)


@scatter_nd.onnx
def _(g: Exported, indices: str, updates: str, *, shape: Ints):
    if not g.avals[indices].shape[-1]:
        raise NotImplementedError("ONNX has no coordinates without members.")
    zeros = g.add("Expand", g.constant(0, g.results[0].dtype), g.integers(shape))
    return g.add("ScatterND", zeros, g.cast(indices, int64), updates, reduction="add")


@scatter_nd.grad(needs="indices")
def _(indices: Value, dout: Value, *, shape: Ints):
    return None, gather_nd(dout, indices)


_UNSIGNED: dict[str, set[Trait]] = {"div": set(), "max": {ORDERED, WIDEN_UNSIGNED}, "min": {ORDERED, WIDEN_UNSIGNED}}
_SAMPLES = [((3, 4), index(3, 1, 2), positive(1)), ((3, 4), index(3, 1, 1), positive(1, 4))]


def _comparable(name: str, x: Any, updates: Any) -> None:
    """TypeError for uint64 beside another type: neither holds all elements of the other."""
    if x.dtype != updates.dtype and "uint64" in str([x.dtype, updates.dtype]).lower():
        raise TypeError(f"For '{name}', tensors of uint64 must have updates of uint64, and others must not, but got "
                        f"{show(x)} and {show(updates)}; cast one of them.")


_ORDER = "bifc"


def _fitting(name: str, x: Any, updates: Any) -> None:
    """TypeError for updates of a higher kind than the tensor, which would lose fractions or imaginary parts."""
    kinds = [_ORDER.index(_kind(t.dtype)) for t in (x, updates)]
    if kinds[1] > kinds[0] and 0 not in kinds:
        raise TypeError(f"For '{name}', a tensor of {x.dtype} cannot hold updates of {updates.dtype}; cast one of "
                        f"them.")


def _kind(dtype: Any) -> str:
    if not isinstance(dtype, torch.dtype):
        return dtype.kind.replace("u", "i")
    return "b" if dtype is torch.bool else "c" if dtype.is_complex else "f" if dtype.is_floating_point else "i"


def _tensor_scatter(name: str, mode: str, doc: str) -> Operator:
    """The operator that returns `x` with updates applied at coordinates."""
    def kernel(x: Tensor, indices: Tensor, updates: Tensor):
        if mode in ("max", "min"):
            _comparable(name, x, updates)
        _fitting(name, x, updates)
        return _scattered(x.clone(memory_format=torch.contiguous_format), indices,
                          updates.to(x.dtype), mode)

    def shape(x: Aval, indices: Any, updates: Any) -> Aval:
        _coordinates(name, x.shape, indices, updates)
        if mode in ("max", "min"):
            _comparable(name, x, updates)
        _fitting(name, x, updates)
        return x

    kernel.__doc__ = doc
    low = f"tensor_scatter_{mode}"
    op = operator(primitive=f"{name}()(input_x, indices, updates)",
                  function=f"{low}(input_x, indices, updates)", samples=_SAMPLES,
                  traits=_UNSIGNED.get(mode, {WIDEN_UNSIGNED}),
                  dims=lambda x, indices, updates: "{0}, {1}, {2} -> {0}".format(
                      *coordinates(rank_of(x), indices.shape, "!")))(in_int64(kernel) if mode == "div" else kernel)
    op.shape(shape)

    def exported(g: Exported, x: str, indices: str, updates: str) -> str:
        new = g.cast(updates, g.avals[x].dtype)
        if mode == "sub":
            new = g.add("Neg", new)
        kind = {"update": "none", "sub": "add"}.get(mode, mode)
        return g.add("ScatterND", x, g.cast(indices, int64), new, reduction=kind)
    if mode != "div":                   # ONNX has no quotients there
        op.onnx(exported)
    return op


tensor_scatter_update = _tensor_scatter(
    "TensorScatterUpdate", "update", "`x` with the updates at the coordinates in `indices`.")
tensor_scatter_add = _tensor_scatter(
    "TensorScatterAdd", "add", "`x` with the updates added at the coordinates in `indices`.")
tensor_scatter_sub = _tensor_scatter(
    "TensorScatterSub", "sub", "`x` with the updates subtracted at the coordinates in `indices`.")
tensor_scatter_mul = _tensor_scatter(
    "TensorScatterMul", "mul", "`x` multiplied by the updates at the coordinates in `indices`.")
tensor_scatter_div = _tensor_scatter(
    "TensorScatterDiv", "div", "`x` divided by the updates at the coordinates in `indices`.")
tensor_scatter_max = _tensor_scatter(
    "TensorScatterMax", "max", "The greater of `x` and the updates at the coordinates in `indices`.")
tensor_scatter_min = _tensor_scatter(
    "TensorScatterMin", "min", "The smaller of `x` and the updates at the coordinates in `indices`.")


@tensor_scatter_update.grad(needs="indices updates.aval")
def _(indices: Value, updates: Aval, dout: Value):
    return (lambda: tensor_scatter_update(dout, indices, zeros_like(updates)), None,
            lambda: gather_nd(dout, indices))


@tensor_scatter_add.grad(needs="indices")
def _(indices: Value, dout: Value):
    return dout, None, lambda: gather_nd(dout, indices)


@tensor_scatter_sub.grad(needs="indices")
def _(indices: Value, dout: Value):
    return dout, None, lambda: -gather_nd(dout, indices)


@tensor_scatter_mul.grad(needs="x indices updates")
def _(x: Value, indices: Value, updates: Value, dout: Value):
    """An update that shares its place is treated as if it were alone (observed: MindSpore 2.10)."""
    return (lambda: tensor_scatter_mul(dout, indices, updates), None,
            lambda: gather_nd(dout * x, indices))


@tensor_scatter_div.grad(needs="x indices updates")
def _(x: Value, indices: Value, updates: Value, dout: Value):
    """An update that shares its place is treated as if it were alone (observed: MindSpore 2.10)."""
    return (lambda: tensor_scatter_div(dout, indices, updates), None,
            lambda: -gather_nd(dout * x, indices) / (updates * updates))


def _extreme(x: Value, indices: Value, updates: Value, out: Value, dout: Value):
    """Equal candidates for the extreme share the cotangent."""
    one = full(shape=(), value=1, dtype=dout.dtype)
    mine = select(x == out, one, 0.0)
    theirs = select(updates == gather_nd(out, indices), one, 0.0)
    share = dout / tensor_scatter_add(mine, indices, theirs)
    return mine * share, None, theirs * gather_nd(share, indices)


tensor_scatter_max.grad(_extreme, needs="x indices updates out")
tensor_scatter_min.grad(_extreme, needs="x indices updates out")


# ---------------------------------------------------------------------- along one axis

def _known_reduction(reduction: str) -> None:
    if reduction not in ("none", "add", "mul"):
        raise ValueError(f"For 'TensorScatterElements', the 'reduction' must be 'none', 'add' or "
                         f"'mul', but got {reduction!r}.")


@operator(primitive="TensorScatterElements(axis=0, reduction='none')(data, indices, updates)",
          function="tensor_scatter_elements(input_x: data, indices, updates, axis=0, "
                   "reduction='none')",
          samples=[((3, 3), Values((2, 3), 0, 3, "int64"), (2, 3), {"reduction": "add"})],
          dims=lambda data, indices, updates, axis=0, reduction="none": (
              "{0}, {1}, {1} -> {0}".format(*places_along(data.shape, indices.shape, axis, "!"))),
          traits={WIDEN_UNSIGNED})
def tensor_scatter_elements(data: Tensor, indices: Tensor, updates: Tensor, *, axis: int = 0, reduction: str = "none"):
    """`data` with each update written to (or added at) its own place, but there along `axis`."""
    _known_reduction(reduction)
    line = from_start(indices, data.shape[axis])
    updates = updates.to(data.dtype)
    if reduction == "add":
        return data.scatter_add(axis, line, updates)
    if reduction == "mul":
        return data.scatter_reduce(axis, line, updates, "prod")
    return data.scatter(axis, line, updates)


@tensor_scatter_elements.shape
def _(data: Aval, indices: Any, updates: Any, *, axis: int = 0, reduction: str = "none") -> Aval:
    integers("TensorScatterElements", "indices", indices)
    one_axis(axis, len(data.shape), "TensorScatterElements")
    _known_reduction(reduction)
    if len(indices.shape) != len(data.shape) or indices.shape != updates.shape:
        raise ValueError(f"For 'TensorScatterElements', 'indices' and 'updates' must have one shape "
                         f"and the rank of the input, but got {show(data)}, {show(indices)} and "
                         f"{show(updates)}.")
    return data


@tensor_scatter_elements.grad(needs="indices updates out")
def _(indices: Value, updates: Value, out: Value, dout: Value, *, axis: int = 0, reduction: str = "none"):
    def of_data() -> Any:
        if reduction == "add":
            return dout
        if reduction == "mul":
            return tensor_scatter_elements(dout, indices, updates, axis=axis, reduction="mul")
        return tensor_scatter_elements(dout, indices, zeros_like(updates), axis=axis)

    def of_updates() -> Any:
        if reduction != "mul":
            return gather_d(dout, indices, dim=axis)
        return gather_d(dout * out, indices, dim=axis) / updates
    return of_data, None, of_updates


@operator(hidden=True, samples=[((3, 4), index(4, 2), (3, 2), {"axis": 1})],
          dims=lambda x, indices, y, axis: _rows(rank_of(x), axis, "{0}, p!, {1} -> {0}"), traits={WIDEN_UNSIGNED})
def index_add(x: Tensor, indices: Tensor, y: Tensor, *, axis: int):
    """`x` with the slices of `y` along `axis` added at `indices`."""
    return x.index_add(axis, from_start(indices, x.shape[axis]), y.to(x.dtype))


@index_add.shape
def _(x: Aval, indices: Any, y: Any, *, axis: int) -> Aval:
    integers("IndexAdd", "indices", indices)
    axis = one_axis(axis, len(x.shape), "IndexAdd")
    wanted = (*x.shape[:axis], *indices.shape, *x.shape[axis + 1:])
    if len(indices.shape) != 1 or y.shape != wanted:
        raise ValueError(f"For 'IndexAdd', 'y' must have the shape of 'x' with as many slices along "
                         f"'axis' as the vector 'indices' has elements, but got {show(x)}, "
                         f"{show(indices)} and {show(y)}.")
    return x


@index_add.grad(needs="indices")
def _(indices: Value, dout: Value, *, axis: int):
    return dout, None, lambda: gather(dout, indices, axis=axis)


@operator(hidden=True, samples=[],
          dims=lambda x, value, indices, axis: _rows(rank_of(x), axis, "{0}, {1}, p! -> {0}"))
@moving
def index_put(x: Tensor, value: Tensor, indices: Tensor, *, axis: int):
    """`x` with the slices along `axis` at `indices` replaced by those of `value`."""
    return x.index_copy(axis, from_start(indices, x.shape[axis]), value.to(x.dtype))


@index_put.shape
def _(x: Aval, value: Any, indices: Any, *, axis: int) -> Aval:
    index_add.shape_rule(x, indices, value, axis=axis)
    return x


@index_put.grad(needs="value.aval indices")
def _(value: Aval, indices: Value, dout: Value, *, axis: int):
    return (lambda: index_put(dout, zeros_like(value), indices, axis=axis),
            lambda: gather(dout, indices, axis=axis), None)
