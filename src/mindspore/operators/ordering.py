"""Operators that order, count and find elements."""
from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import DType, as_dtype, bool_, int32, int64
from mindspore.core.errors import show
from mindspore.ir import Aval

from . import torch_private
from .exported import Exported
from .indexing import counted, gather_d_grad, integers, unknown_extent
from .joining import one_axis
from .labels import along, rank_of, whole
from .registry import operator
from .samples import index
from .values import Value

_SIGNED = {torch.uint16: torch.int16, torch.uint32: torch.int32, torch.uint64: torch.int64}


def _ordered(x: torch.Tensor) -> torch.Tensor:
    """`x`, or, where torch cannot compare its type, signed integers in the same order."""
    if x.dtype not in _SIGNED:
        return x
    signed = x.view(_SIGNED[x.dtype])
    return signed ^ torch.iinfo(signed.dtype).min        # turns the highest bit round


def _picked(x: torch.Tensor, values: torch.Tensor, places: torch.Tensor, dim: int) -> torch.Tensor:
    """The elements that were picked, in the type of `x`."""
    if values.dtype is x.dtype:
        return values
    return x.view(values.dtype).gather(dim, places).view(x.dtype)


@operator(primitive="TopK(sorted=True)(input_x, k)",
          samples=[((3, 5), {"k": 2}), ((3, 5), {"k": 2, "dim": 0, "largest": False})],
          dims=lambda x, k, sorted=True, dim=-1, largest=True: along(dim, rank_of(x), 2))
def top_k(x: Tensor, *, k: int, sorted: bool = True, dim: int = -1, largest: bool = True):
    """The `k` greatest (or smallest) elements along `dim` and their indices, int32.

    Input: (..., n, ...), real; ValueError unless 0 <= k <= n.  Outputs: two (..., k, ...), dtype of `x` and int32; the
    greatest comes first if `sorted`.

    Examples:
        >>> values, places = ops.TopK()(Tensor([1.0, 4.0, 2.0]), 2)
        >>> values.tolist(), places.tolist()
        ([4.0, 2.0], [1, 2])
    """
    values, places = torch.topk(_ordered(x), k, dim, largest, sorted)
    return _picked(x, values, places, dim), places.int()


@top_k.shape
def _(x: Aval, *, k: object, sorted: bool = True, dim: int = -1, largest: bool = True) -> tuple[Aval, Aval]:
    if isinstance(k, bool) or not isinstance(k, int):
        raise TypeError(f"For 'TopK', the 'k' must be an int, but got {k!r}.")
    if not x.shape:
        raise ValueError("For 'TopK', the input must have a dimension at least.")
    dim = one_axis(dim, len(x.shape), "TopK")
    if not 0 <= k <= x.shape[dim]:
        raise ValueError(f"For 'TopK', the 'k' must be in [0, {x.shape[dim]}], the extent of the "
                         f"input along the axis, but got {k}.")
    shape = (*x.shape[:dim], k, *x.shape[dim + 1:])
    return Aval(shape, x.dtype), Aval(shape, int32)


@top_k.grad(needs="x.aval out")
def _(x: Aval, out: tuple[Value, ...], dout: tuple[Value | None, ...], *, k: int, sorted: bool = True,
      dim: int = -1, largest: bool = True):
    return _back(x, out[1], dout[0], dim),


def _back(x: Any, places: Any, dout: Any, dim: int) -> Any:
    """Zeros like `x` with the cotangents where the elements came from."""
    if dout is None:
        return None
    return gather_d_grad(dout, places, shape=tuple(x.shape), dim=dim) if x.shape else dout


@operator(primitive="Sort(axis=-1, descending=False)(x)",
          samples=[((3, 4),), ((3, 4), {"axis": 0, "descending": True})],
          dims=lambda x, axis=-1, descending=False: along(axis, rank_of(x), 2))
def sort(x: Tensor, *, axis: int = -1, descending: bool = False):
    """The elements in order along `axis` and their indices, int32; equal ones keep their order."""
    values, places = torch.sort(_ordered(x), dim=axis, descending=descending, stable=True)
    return _picked(x, values, places, axis), places.int()


@sort.shape
def _(x: Aval, *, axis: int = -1, descending: object = False) -> tuple[Aval, Aval]:
    one_axis(axis, max(len(x.shape), 1), "Sort")
    if not isinstance(descending, bool):
        raise TypeError(f"For 'Sort', the 'descending' must be a bool, but got {descending!r}.")
    return x, Aval(x.shape, int32)


@sort.grad(needs="x.aval out")
def _(x: Aval, out: tuple[Value, ...], dout: tuple[Value | None, ...], *, axis: int = -1, descending: bool = False):
    return _back(x, out[1], dout[0], axis),


# ---------------------------------------------------------------------- finding

@operator(primitive="SearchSorted(dtype=int64, right=False)(sorted_sequence, values, sorter=None)",
          samples=[],
          dims=lambda sequence, values, sorter=None, dtype=int64, right=False: (
              "... s!, ... v, ... s! -> ... v" if rank_of(sequence) > 1 else "s!, ..., s! -> ..."))
def search_sorted(sorted_sequence: Tensor, values: Tensor, sorter: Any = None, *, dtype: DType = int64,
                  right: bool = False):
    """Where each value has to be inserted to keep the sequence in order."""
    if sorter is not None:
        sorted_sequence = torch.gather(sorted_sequence, -1, counted(sorter))
    found = torch.searchsorted(sorted_sequence.contiguous(), values.contiguous(), right=right)
    return found.to(dtype.torch)


@search_sorted.shape
def _(sequence: Aval, values: Aval, sorter: Any = None, *, dtype: DType = int64, right: bool = False) -> Aval:
    if len(sequence.shape) != 1 and sequence.shape[:-1] != values.shape[:-1]:
        raise ValueError(f"For 'SearchSorted', 'sorted_sequence' and 'values' must agree in all "
                         f"dimensions but the last, but got {show(sequence)} and {show(values)}.")
    if sorter is not None and sorter.shape != sequence.shape:
        raise ValueError(f"For 'SearchSorted', the 'sorter' must have the shape of the sequence, but "
                         f"got {show(sorter)} and {show(sequence)}.")
    if as_dtype(dtype) not in (int32, int64):
        raise ValueError(f"For 'SearchSorted', the 'dtype' must be int32 or int64, but got {dtype}.")
    return Aval(values.shape, as_dtype(dtype))


@operator(primitive="InTopK(k)(x1, x2)", function="intopk(x1, x2, k)", samples=[((2, 5), index(5, 2), {"k": 3})],
          dims="n c!, n -> n")
def in_top_k(x: Tensor, targets: Tensor, *, k: int):
    """For each row whether the element at its target is among the `k` greatest."""
    inside = (targets >= 0) & (targets < x.shape[1])
    mine = x.gather(1, torch.where(inside, counted(targets), 0)[:, None])
    return inside & torch.isfinite(mine[:, 0]) & ((x > mine).sum(1) < k)


@in_top_k.shape
def _(x: Aval, targets: Any, *, k: int) -> Aval:
    integers("InTopK", "x2", targets)
    if len(x.shape) != 2 or targets.shape != x.shape[:1]:
        raise ValueError(f"For 'InTopK', 'x1' must be a matrix and 'x2' have an element for each of "
                         f"its rows, but got {show(x)} and {show(targets)}.")
    return Aval(targets.shape, bool_)


# ---------------------------------------------------------------------- results of unknown extent

@operator(primitive="NonZero()(input)", samples=[],
          dims=whole("how many elements there are is known only at run time"))
def non_zero(x: Tensor):
    """The coordinates of the elements that are not zero, one row each, int64."""
    if x.is_meta:
        raise unknown_extent("NonZero")
    return torch.nonzero(x.view(_SIGNED[x.dtype]) if x.dtype in _SIGNED else x)


non_zero.dynamic_shape(lambda x: [("count", len(x.shape))])


@non_zero.onnx
def _(g: Exported, x: str):
    return g.add("Transpose", g.add("NonZero", g.cast(x, bool_)), perm=(1, 0))


@operator(hidden=True, samples=[], dims=whole("how many elements there are is known only at run time"))
def mask_places(mask: Tensor):
    """The coordinates of the true elements of a mask: an index tensor per dimension."""
    if mask.is_meta:
        raise unknown_extent("getitem")
    return torch.nonzero(mask, as_tuple=True)


mask_places.dynamic_shape(lambda mask: [("count",)] * len(mask.shape))


@mask_places.onnx
def _(g: Exported, mask: str):
    places = g.add("NonZero", g.cast(mask, bool_))
    return tuple([g.add("Gather", places, g.constant(k, int64), axis=0) for k in range(len(g.avals[mask].shape))])


@operator(primitive="Unique()(x)", function="unique(input)", samples=[],
          dims=whole("how many elements there are is known only at run time"))
def unique(x: Tensor):
    """The distinct elements in the order of their first occurrence, and for each element its place
    among them (int64 for int64, else int32)."""
    if x.is_meta:
        raise unknown_extent("Unique")
    flat = x.reshape(-1)
    values, places = torch_private.unique(flat, return_inverse=True)
    first = torch.full((values.numel(),), flat.numel(), device=x.device)
    first.scatter_reduce_(0, places, torch.arange(flat.numel(), device=x.device), "amin")
    order = first.argsort()
    rank = torch.empty_like(order)
    rank[order] = torch.arange(order.numel(), device=x.device)
    wide = torch.int64 if x.dtype is torch.int64 else torch.int32
    return values[order], rank[places].reshape(x.shape).to(wide)


unique.dynamic_shape(lambda x: [("count",), x.shape])


@operator(primitive="UniqueWithPad()(x, pad_num)", samples=[],
          dims=whole("how many elements there are is known only at run time"))
def unique_with_pad(x: Tensor, *, pad_num: Any):
    """The distinct elements, filled up with `pad_num` to as many as `x` has, and each one's place."""
    flat = x.reshape(-1)
    values, places = unique.kernel(flat)
    out = torch.full_like(flat, pad_num)
    out[:values.numel()] = values
    return out, places


@unique_with_pad.shape
def _(x: Aval, *, pad_num: Any) -> tuple[Aval, Aval]:
    flat = (math.prod(x.shape),)
    return Aval(flat, x.dtype), Aval(flat, int64 if x.dtype is int64 else int32)


@operator(primitive="UniqueConsecutive(return_inverse=False, return_counts=False, dim=None)(input)",
          samples=[], dims=whole("how many elements there are is known only at run time"))
def unique_consecutive(x: Tensor, *, return_inverse: bool = False, return_counts: bool = False, dim: Any = None):
    """`x` without the repetitions that follow each other; on request each element's place, and how
    often each occurs, else a number 0."""
    if x.is_meta:
        raise unknown_extent("UniqueConsecutive")
    values, places, counts = torch_private.unique_consecutive(x, True, True, dim)
    nothing = torch.zeros((), dtype=torch.int64, device=x.device)      # for what was not asked for
    return values, places if return_inverse else nothing, counts if return_counts else nothing


def _distinct(x: Aval, *, return_inverse: bool = False, return_counts: bool = False, dim: Any = None) -> list[Any]:
    whole: list[Any] = ["count"]
    places = x.shape
    if dim is not None:
        axis: int = dim % len(x.shape)
        whole = [("count" if i == axis else n) for i, n in enumerate(x.shape)]
        places = (x.shape[axis],)
    return [whole, places if return_inverse else (), ("count",) if return_counts else ()]


unique_consecutive.dynamic_shape(_distinct)


@operator(primitive="ListDiff(out_idx=int32)(x, y)", samples=[],
          dims=whole("how many elements there are is known only at run time"))
def list_diff(x: Tensor, y: Tensor, *, out_idx: Any = int32):
    """The elements of the vector `x` that `y` lacks, and their indices."""
    if x.is_meta:
        raise unknown_extent("ListDiff")
    wide = [v.long() if v.dtype in (torch.uint16, torch.uint32, torch.uint64, torch.bool) else v for v in (x, y)]
    places = torch.nonzero(~torch.isin(*wide)).reshape(-1)
    return x[places], places.to(out_idx.torch)


list_diff.dynamic_shape(lambda x, y, out_idx=int32: [("count",), ("count",)])


@operator(hidden=True, samples=[], dims=whole("how many elements there are is known only at run time"))
def distinct(x: Tensor, *, sorted: bool = True, dim: Any = None):
    """The distinct elements (or slices along `dim`), each element's place, and how often each occurs."""
    if x.is_meta:
        raise unknown_extent("Unique")
    if not sorted and dim is None:
        values, places = unique.kernel(x)
        return values, places.long(), torch.bincount(places.reshape(-1).long())
    return torch_private.unique(x, True, True, True, dim)


distinct.dynamic_shape(lambda x, sorted=True, dim=None: _distinct(
    x, return_inverse=True, return_counts=True, dim=dim))
