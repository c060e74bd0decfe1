"""Operators that move, repeat, cast or make elements without computing on them."""
from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from mindspore.core.context import torch_device as device_in_use
from mindspore.core.dtype import DType, as_dtype
from mindspore.ir import Aval

from . import loops
from .exported import Exported, reshaping
from .labels import inserted, permuted, rank_of, reshaped, squeezed
from .loops import Element
from .registry import operator
from .rules import BINARY, ELEMENTWISE, axes_of, fit, same
from .traits import CAST, COPIES, IDENTITY, STREAMING, SUM, VIEW
from .values import Axes, Ints, Value


@operator(primitive="BroadcastTo(shape)(input)", function="broadcast_to(input, shape)",
          samples=[((1, 3), {"shape": (4, 3)}), ((3,), {"shape": (2, -1)})], dims="...; shape=... -> ...",
          traits={VIEW})
def broadcast_to(x: Tensor, *, shape: Ints):
    """`x` repeated along new leading dimensions and along those of extent 1; -1 keeps an extent.

    Inputs: any shape and dtype; the wanted shape, at least as long.  Output: that shape, dtype of `x`.
    ValueError where an extent is neither 1 nor the wanted one.
    """
    return x.expand(shape)


@broadcast_to.shape
def _(x: Aval, *, shape: Ints) -> Aval:
    lead = len(shape) - len(x.shape)
    full: list[int] = []
    for i, extent in enumerate(shape):
        own = x.shape[i - lead] if i >= lead else None
        wanted = own if extent == -1 and own is not None else extent
        if lead < 0 or (own not in (None, 1) and own != wanted) or (extent == -1 and own is None):
            raise ValueError(f"For 'BroadcastTo', the shape {x.shape} cannot be broadcast to "
                             f"{tuple(shape)}.")
        full.append(wanted)
    if lead < 0:
        raise ValueError(f"For 'BroadcastTo', the shape {x.shape} has more dimensions than "
                         f"{tuple(shape)}.")
    return Aval(tuple(full), x.dtype)


@broadcast_to.onnx
def _(g: Exported, x: str, *, shape: Ints):
    return g.add("Expand", x, g.integers(g.results[0].shape))


@broadcast_to.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, shape: Ints):
    return fit(dout, x),


@operator(primitive="Cast()(input_x, dtype)", dims=ELEMENTWISE,
          traits={CAST, STREAMING, VIEW})
def cast(x: Tensor, *, dtype: DType):
    """`x` with element type `dtype`.

    Input: any shape and dtype.  Output: shape of `x`; floats lose their fraction in integers, everything but 0 is True.
    """
    return x.to(dtype.torch)


@cast.shape
def _(x: Aval, *, dtype: DType) -> Aval:
    return Aval(x.shape, as_dtype(dtype))
cast.loop(lambda x, dtype: loops.cast(x, dtype))


@cast.onnx
def _(g: Exported, x: str, *, dtype: DType):
    return g.cast(x, g.results[0].dtype)


@cast.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, dtype: DType):
    return cast(dout, dtype=x.dtype),          # through integers and bools, too, as MindSpore does


@operator(hidden=True, samples=[], dims="; shape=... -> ...", traits={STREAMING})
def full(*, shape: Ints, value: int, dtype: DType):
    """A tensor of that shape and dtype filled with a number."""
    return torch.full(shape, value, dtype=dtype.torch, device=device_in_use())


full.loop(lambda shape, value, dtype: loops.constant(value, dtype) if not shape else None)


@full.shape
def _(*, shape: Ints, value: int, dtype: DType) -> Aval:
    return Aval(tuple(shape), dtype)


@full.onnx
def _(g: Exported, *, shape: Ints, value: int, dtype: DType):
    return g.add("Expand", g.constant(value, g.results[0].dtype), g.integers(g.results[0].shape))


@full.grad(needs="")
def _(dout: Value, **_: Any):
    return ()


@operator(hidden=True, dims=ELEMENTWISE, samples=[((2, 3),)], code="{0}",
          traits={COPIES, IDENTITY, VIEW}, onnx="Identity")
def identity(x: Tensor):
    """`x`: a place where a gradient, a hook or a name can attach."""
    return x


identity.shape(same)


@identity.grad(needs="")
def _(dout: Value):
    return dout,


@operator(primitive="ExpandDims()(input_x, axis)", function="expand_dims(input_x, axis)",
          method="expand_dims(axis)",
          dims=lambda x, axis: inserted(rank_of(x), axis),
          samples=[((2, 3), {"axis": 1}), ((2, 3), {"axis": -1})], traits={VIEW})
def expand_dims(x: Tensor, *, axis: int):
    """`x` with a new dimension of extent 1 at `axis`.

    Input: any shape of rank r and any dtype; `axis` in [-r - 1, r], else ValueError.  Output: rank r + 1.

    Examples:
        >>> ops.ExpandDims()(Tensor([1, 2]), -1).tolist()
        [[1], [2]]
    """
    return x.unsqueeze(axis)


@expand_dims.shape
def _(x: Aval, *, axis: object) -> Aval:
    rank = len(x.shape)
    if isinstance(axis, bool) or not isinstance(axis, int):
        raise TypeError(f"For 'ExpandDims', the 'axis' must be an int, but got {axis!r}.")
    if not -rank - 1 <= axis <= rank:
        raise ValueError(f"For 'ExpandDims', the 'axis' must be in [{-rank - 1}, {rank}], but got "
                         f"{axis}.")
    at = axis % (rank + 1)
    return Aval((*x.shape[:at], 1, *x.shape[at:]), x.dtype)


@expand_dims.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, axis: int):
    return reshape(dout, shape=tuple(x.shape)),


@operator(primitive="Reshape()(input, shape)",
          samples=[((2, 6), {"shape": (3, 4)}), ((2, 6), {"shape": (-1, 2)})],
          dims=lambda x, shape: reshaped(x.shape, shape), traits={STREAMING, VIEW})
def reshape(x: Tensor, *, shape: Ints):
    """The elements of `x` in the same order with another shape; one extent may be -1.

    Input: any shape and dtype.  Output: `shape`, dtype of `x`.  ValueError if the numbers of elements differ,
    TypeError if `shape` holds anything but ints.

    Examples:
        >>> ops.Reshape()(Tensor([1, 2, 3, 4]), (2, -1)).tolist()
        [[1, 2], [3, 4]]
    """
    return x.reshape(shape)


@reshape.loop
def _(x: Element, *, shape: Any):
    shape = (shape,) if isinstance(shape, int) else shape
    known = math.prod([n for n in shape if n != -1])
    return loops.shaped(x, [math.prod(x.shape) // known if n == -1 else n for n in shape])


@reshape.shape
def _(x: Aval, *, shape: Any) -> Aval:
    total, known = 1, 1
    shape = (shape,) if isinstance(shape, int) else shape
    for extent in x.shape:
        total *= extent
    for extent in shape:
        if isinstance(extent, bool) or not isinstance(extent, int):
            raise TypeError(f"For 'Reshape', the shape must hold ints, but got {tuple(shape)}.")
        known *= 1 if extent == -1 else extent
    if any(e == -1 for e in shape):
        if list(shape).count(-1) > 1:
            raise ValueError(f"For 'Reshape', at most one extent can be -1, but got {tuple(shape)}.")
        free = total // known if known else 0
        shape = tuple([free if e == -1 else e for e in shape])
        known *= free
    if known != total:
        raise ValueError(f"For 'Reshape', the {total} elements of shape {x.shape} do not fit the "
                         f"shape {tuple(shape)}.")
    return Aval(tuple(shape), x.dtype)


@reshape.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, shape: Ints):
    return reshape(dout, shape=tuple(x.shape)),


@operator(hidden=True, dims=ELEMENTWISE, samples=[((2, 3),)], traits={STREAMING}, onnx="Identity")
def copied(x: Tensor):
    """`x` in a storage of its own."""
    return x.clone()


copied.shape(same)


@copied.grad(needs="")
def _(dout: Value):
    return dout,


@operator(hidden=True, dims=ELEMENTWISE, samples=[], code="{0}", traits={VIEW}, onnx="Identity")
def stop_gradient(x: Tensor):
    """`x`, through which no gradient flows.

    Input: any shape and dtype.  Output: the same elements.
    """
    return x.detach()


stop_gradient.shape(same)


@operator(hidden=True, dims=BINARY, samples=[], code="{0}", traits={COPIES, VIEW})
def assigned(value: Tensor, held: Tensor):
    """`value`, which a parameter holds from now on: a leaf as before, so cotangents go to what it held."""
    return value


@assigned.shape
def _(value: Aval, held: Aval) -> Aval:
    return value


@assigned.grad(needs="")
def _(dout: Value):
    return None, dout


@operator(hidden=True, samples=[((4, 3), {"shape": (1, 3)}), ((2, 4, 3), {"shape": (4, 1)})],
          dims="...; shape=... -> ...", traits={STREAMING, SUM})
def sum_to(x: Tensor, *, shape: Ints):
    """The sum of `x` over the dimensions along which `shape` was broadcast to it."""
    found = x.sum_to_size(shape)
    return x.clone() if found is x else found.to(x.dtype)


@sum_to.shape
def _(x: Aval, *, shape: Ints) -> Aval:
    return Aval(tuple(shape), x.dtype)


@sum_to.loop
def _(x: Element, *, shape: Ints):
    lead = len(x.shape) - len(shape)
    axes = [i for i, n in enumerate(x.shape) if i < lead or shape[i - lead] != n]
    return loops.shaped(loops.total(x, axes), shape)


@sum_to.mindir
def _(g: Exported, x: str, *, shape: Ints):
    own = g.avals[x].shape
    lead = len(own) - len(shape)
    axes = tuple([i for i, n in enumerate(own) if i < lead or n != shape[i - lead]])
    return g.add("Reshape", g.add("ReduceSum", x, axis=axes) if axes else x, shape=tuple(shape))


@sum_to.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, shape: Ints):
    return broadcast_to(dout, shape=tuple(x.shape)),


@operator(primitive="Transpose()(input, dims)",
          samples=[((2, 3), {"perm": (1, 0)}), ((2, 3, 4), {"perm": (1, 2, 0)})],
          dims=lambda x, perm: permuted(rank_of(x), perm), traits={VIEW})
def transpose(x: Tensor, *, perm: Ints):
    """`x` with its dimensions in the order `perm`.

    Input: (n_0, ..., n_r) of any dtype; `perm` a permutation of its dimensions, else ValueError.
    Output: (n_perm[0], ..., n_perm[r]).

    Examples:
        >>> ops.Transpose()(ops.ones((2, 3, 4)), (0, 2, 1)).shape
        (2, 4, 3)
    """
    return x.permute(perm)


@transpose.shape
def _(x: Aval, *, perm: Ints) -> Aval:
    rank = len(x.shape)
    if len(perm) != rank or sorted([p + rank if p < 0 else p for p in perm]) != list(range(rank)):
        raise ValueError(f"For 'Transpose', the 'perm' must order the {rank} dimensions of the "
                         f"input of shape {x.shape}, but got {tuple(perm)}.")
    return Aval(tuple([x.shape[p] for p in perm]), x.dtype)


@transpose.onnx
def _(g: Exported, x: str, *, perm: Ints):
    return g.add("Transpose", x, perm=[p % len(perm) for p in perm])


@transpose.grad(needs="")
def _(dout: Value, *, perm: Ints):
    rank = len(perm)
    inverse = [0] * rank
    for i, p in enumerate(perm):
        inverse[p % rank] = i
    return transpose(dout, perm=tuple(inverse)),


def zeros_like(x: Any) -> Any:
    """Zeros with shape and dtype of `x`."""
    return full(shape=tuple(x.shape), value=0, dtype=x.dtype)


def ones_like(x: Any) -> Any:
    """Ones with shape and dtype of `x`."""
    return full(shape=tuple(x.shape), value=1, dtype=x.dtype)


@operator(primitive="Flatten()(input_x)", samples=[((2, 3, 4),)],
          dims=lambda x: " ".join(["d0", *[f"d{i}!" for i in range(1, rank_of(x))]]) + " -> d0 rest!",
          traits={VIEW})
def flatten(x: Tensor):
    """`x` as a matrix: all dimensions but the first in one.

    Input: (N, *) of any dtype; ValueError without dimensions.  Output: (N, product of the others).
    """
    return x.reshape(x.shape[0], -1) if x.numel() else x.reshape(_matrix(tuple(x.shape)))


def _matrix(shape: tuple[int, ...]) -> tuple[int, int]:
    if not shape:
        raise ValueError("For 'Flatten', the input must have a dimension at least, but got a tensor "
                         "without dimensions.")
    return shape[0], math.prod(shape[1:])


@flatten.shape
def _(x: Aval) -> Aval:
    return Aval(_matrix(x.shape), x.dtype)


@flatten.grad(needs="x.aval")
def _(x: Aval, dout: Value):
    return reshape(dout, shape=tuple(x.shape)),


@operator(primitive="Squeeze(axis=())(input)",
          samples=[((1, 2, 1, 3),), ((1, 2, 1), {"axis": 0}), ((1, 2, 1), {"axis": (0, -1)})],
          dims=lambda x, axis=(): squeezed(getattr(x, "shape", x), axis), traits={VIEW})
def squeeze(x: Tensor, *, axis: Axes = ()):
    """`x` without its dimensions of extent 1: all of them, or those of `axis` that have it.

    Input: any shape and dtype; `axis` an int or a tuple of ints in the rank of `x`, else ValueError.
    Output: the elements in the same order.

    Examples:
        >>> ops.Squeeze(0)(ops.ones((1, 2, 1))).shape
        (2, 1)
    """
    return x.squeeze() if axis is None or axis == () else x.squeeze(axis)


@squeeze.shape
def _(x: Aval, *, axis: Axes = ()) -> Aval:
    gone = axes_of(axis, len(x.shape), "Squeeze")
    return Aval(tuple([n for i, n in enumerate(x.shape) if n != 1 or i not in gone]), x.dtype)


@squeeze.grad(needs="x.aval")
def _(x: Aval, dout: Value, *, axis: Axes = ()):
    return reshape(dout, shape=tuple(x.shape)),


def move_axis(rank: int, source: int, target: int) -> tuple[int, ...]:
    """The `perm` that moves one dimension."""
    order = [i for i in range(rank) if i != source % rank]
    order.insert(target % rank, source % rank)
    return tuple(order)


for _op in (reshape, flatten, squeeze, expand_dims):
    _op.onnx(reshaping)
