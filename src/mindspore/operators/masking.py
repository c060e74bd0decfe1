"""Operators that choose elements by a condition, a mask or a class."""
from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import bool_, int64
from mindspore.core.errors import show
from mindspore.ir import Aval

from . import loops
from .exported import Exported
from .indexing import integers, unknown_extent
from .labels import rank_of, whole
from .promotion import common_dtype
from .registry import aval_of, operator
from .rules import broadcast, fit, is_value, moving, stated
from .samples import index, truth
from .structure import cast, full, sum_to, zeros_like
from .torch_private import broadcast_tensors
from .traits import STREAMING, STRICT
from .values import Ints, Value


@operator(primitive="Select()(condition, input, other)", dims="..., ..., ... -> ...",
          samples=[(truth(2, 3), (2, 3), (2, 3)), (truth(2, 1), (2, 3), (3,)), (truth(3),
                   (2, 3), 0.5)], traits={STREAMING})
def select(condition: Tensor, x: Tensor | float, y: Tensor | float):
    """`x` where the condition holds, elsewhere `y`; the three are broadcast.

    Inputs: bools (else TypeError); tensors or numbers, whose dtypes are joined.  Output: the common shape;
    ValueError if there is none.

    Examples:
        >>> ops.Select()(Tensor([True, False]), Tensor([1.0, 2.0]), Tensor([3.0, 4.0])).tolist()
        [1.0, 4.0]
    """
    if condition.dtype is not torch.bool:       # torch takes bytes, too
        mask("Select", "condition", aval_of(condition))
    return torch.where(condition, x, y)


@select.shape
def _(condition: Any, x: Any, y: Any) -> Aval:
    mask("Select", "condition", condition)
    shapes = [v.shape for v in (condition, x, y) if type(v) is Aval]
    return Aval(broadcast(*shapes, name="Select"), select_dtype(x, y))
select.loop(loops.where)


def mask(name: str, what: str, value: Any) -> None:
    """TypeError unless a mask holds bools."""
    if not is_value(value) or value.dtype is not bool_:
        raise TypeError(f"For '{name}', the '{what}' must be a tensor of bools, but got "
                        f"{show(value)}.")


_bools = mask


def select_dtype(x: Any, y: Any) -> Any:
    """The dtype of two operands together."""
    from mindspore.core.dtype import as_dtype  # Python numbers on both sides

    kinds: list[Any] = [v.dtype if is_value(v) else type(v) for v in (x, y)]
    if not is_value(x) and not is_value(y):
        return as_dtype(float if float in kinds else int if int in kinds else bool)
    return common_dtype(select, kinds) or next(v.dtype for v in (x, y) if is_value(v))


@select.onnx
def _(g: Exported, condition: str, x: str, y: str):
    return g.add("Where", condition, *[g.cast(v, g.results[0].dtype) for v in (x, y)])


@select.grad(needs="condition x.aval y.aval")
def _(condition: Value, x: Aval | float, y: Aval | float, dout: Value):
    return None, lambda: fit(_as(select(condition, dout, 0), x), x), lambda: fit(
        _as(select(condition, 0, dout), y), y)


def _as(d: Any, x: Any) -> Any:
    return cast(d, dtype=x.dtype) if is_value(x) and d.dtype is not x.dtype else d


def _single(value: Aval) -> None:
    if value.shape != ():
        raise ValueError(f"For 'MaskedFill', the 'value' must be a number or a tensor without "
                         f"dimensions, but got {show(value)}.")


@operator(primitive="MaskedFill()(input_x, mask, value)", dims="..., ..., ... -> ...",
          samples=[((2, 3), truth(2, 3), 0.5), ((2, 3), truth(3), ())], traits={STREAMING})
@moving
def masked_fill(x: Tensor, mask: Tensor, value: Tensor | float):
    """`x` with `value` where the mask holds; mask and `x` are broadcast."""
    if mask.dtype is not torch.bool:
        _bools("MaskedFill", "mask", aval_of(mask))
    if mask.dim() > x.dim() or mask.shape != x.shape:
        x, mask = broadcast_tensors(x, mask)
    if isinstance(value, torch.Tensor):
        if value.dim():
            _single(aval_of(value))
        value = value.to(x.dtype)
        return torch.where(mask, value, x)
    return x.masked_fill(mask, value)


@masked_fill.shape
def _(x: Aval, mask_: Any, value: Any) -> Aval:
    mask("MaskedFill", "mask", mask_)
    if is_value(value):
        _single(value)
    if not is_value(value) and not isinstance(value, (bool, int, float, complex)):
        raise TypeError(f"For 'MaskedFill', the 'value' must be a number or a tensor, but got "
                        f"{show(value)}.")
    return Aval(broadcast(x.shape, mask_.shape, name="MaskedFill"), x.dtype)


@masked_fill.onnx
def _(g: Exported, x: str, mask: str, value: str):
    return g.add("Where", mask, g.cast(value, g.results[0].dtype), x)


@masked_fill.grad(needs="x.aval mask value.aval")
def _(x: Aval, mask: Value, value: Aval | float, dout: Value):
    return (lambda: fit(masked_fill(dout, mask, 0.0), x), None,
            lambda: _filled(mask, value, dout))


def _filled(mask: Any, value: Any, dout: Any) -> Any:
    """The cotangent of the value that fills: the sum over the places that it fills."""
    if not is_value(value):
        return None
    return _as(sum_to(select(mask, dout, 0.0), shape=()), value)


@operator(primitive="MaskedSelect()(input, mask)", function="masked_select(input, mask)",
          method="masked_select(mask)", samples=[],
          dims=whole("how many elements there are is known only at run time"))
@moving
def masked_select(x: Tensor, mask: Tensor):
    """The elements of `x` where the mask holds, as a vector."""
    if x.is_meta:
        raise unknown_extent("MaskedSelect")
    if mask.dtype is not torch.bool:
        raise TypeError(f"For 'MaskedSelect', the 'mask' must be a tensor of bools, but got "
                        f"{str(mask.dtype).removeprefix('torch.')}.")
    return torch.masked_select(x, mask)


masked_select.dynamic_shape(lambda x, mask: [("count",)])


@masked_select.grad(needs="x.aval mask")
def _(x: Aval, mask: Value, dout: Value):
    return lambda: fit(masked_scatter(zeros_like(x) + masked_zeros(x, mask), mask, dout), x), None


def masked_zeros(x: Any, mask: Any) -> Any:
    """Zeros of the common shape of `x` and a mask."""
    return full(shape=broadcast(tuple(x.shape), tuple(mask.shape)), value=0, dtype=x.dtype)


@operator(primitive="MaskedScatter()(input, mask, source)", method="masked_scatter(mask, source)",
          samples=[((2, 3), truth(2, 3), (6,)), ((2, 3), truth(2, 1), (2, 3))],
          dims=whole("which element comes next depends on all places before"))
def masked_scatter(x: Tensor, mask: Tensor, source: Tensor):
    """`x` with the elements of `source` in order where the mask holds, in its dtype."""
    if not mask.is_meta and x.is_cpu and int(mask.expand(x.shape).sum()) > source.numel():
        raise ValueError(f"For 'MaskedScatter', the 'source' must have an element for every true "
                         f"element of the mask, but got {source.numel()}.")
    return torch.masked_scatter(x, mask, source.to(x.dtype))


@masked_scatter.shape
def _(x: Aval, mask_: Any, source: Aval) -> Aval:
    mask("MaskedScatter", "mask", mask_)
    if broadcast(x.shape, mask_.shape, name="MaskedScatter") != x.shape:
        raise ValueError(f"For 'MaskedScatter', the mask {show(mask_)} must fit into the shape "
                         f"{x.shape}.")
    return x


@masked_scatter.grad(needs="mask source.aval")
def _(mask: Value, source: Aval, dout: Value):
    return (lambda: masked_fill(dout, mask, 0.0), None,
            lambda: _as(masked_scatter_grad(dout, mask, shape=tuple(source.shape)), source))


@operator(hidden=True, samples=[((2, 3), truth(2, 3), {"shape": (6,)})],
          dims=whole("which element comes next depends on all places before"))
def masked_scatter_grad(dout: Tensor, mask: Tensor, *, shape: Ints):
    """The elements of `dout` where the mask holds, followed by zeros."""
    return torch.ops.aten.masked_scatter_backward(dout, mask.expand(dout.shape), shape)


masked_scatter_grad.shape(stated)


@masked_scatter_grad.grad(needs="dout.aval mask")
def _(dout: Aval, mask: Value, ddx: Value, *, shape: Ints):
    return masked_scatter(zeros_like(dout), mask, ddx), None


def _marked(rank: int, axis: int) -> str:
    """Sharding labels of a tensor of indices that gets a dimension for its classes."""
    left, at = [f"i{i}" for i in range(rank)], rank if axis == -1 else axis
    return f"{' '.join(left)}, , ; depth=n! -> {' '.join([*left[:at], 'n!', *left[at:]])}"


@operator(primitive="OneHot(axis=-1)(indices, depth, on_value, off_value)",
          dims=lambda indices, on_value, off_value, depth, axis=-1: _marked(rank_of(indices), axis),
          samples=[(index(3, 4), (), (), {"depth": 3}),
                   (index(4, 2, 2), 1.0, 0.0, {"depth": 3, "axis": 0})], traits={STRICT})
def one_hot(indices: Tensor, on_value: Tensor | float, off_value: Tensor | float, *, depth: Any, axis: int = -1):
    """`on_value` at the place that each index names along a new dimension, elsewhere `off_value`.

    Inputs: integers of any shape, else TypeError; numbers or tensors without dimensions.  Output: `depth` at the new
    dimension `axis` (-1: the last), dtype of the two values.  Indices out of range give `off_value` only.

    Examples:
        >>> ops.OneHot()(Tensor([0, 2]), 3, Tensor(1.0), Tensor(0.0)).tolist()
        [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    if isinstance(depth, bool) or not isinstance(depth, int):
        raise TypeError(f"For 'OneHot', the 'depth' must be an int, but got {depth!r}.")
    if indices.is_floating_point() or indices.is_complex() or indices.dtype is torch.bool:
        raise TypeError(f"For 'OneHot', the indices must be integers, but got {indices.dtype}.")
    line = torch.arange(depth, device=indices.device)
    if axis != -1:
        line = line.reshape(-1, *(1,) * (indices.dim() - axis))
    return torch.where(indices.unsqueeze(axis) == line, on_value, off_value)


@one_hot.shape
def _(indices: Any, on_value: Any, off_value: Any, *, depth: object, axis: object = -1) -> Aval:
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


@one_hot.onnx
def _(g: Exported, indices: str, on_value: str, off_value: str, *, depth: int, axis: int = -1):
    """ONNX's own operator counts negative indices from the end."""
    rank, wanted = len(g.avals[indices].shape), g.results[0].dtype
    at = rank if axis == -1 else axis
    line = g.add("Reshape", g.constant(range(depth), int64), g.integers((-1, *(1,) * (rank - at))))
    hot = g.add("Equal", g.add("Unsqueeze", g.cast(indices, int64), g.integers((at,))), line)
    return g.add("Where", hot, g.cast(on_value, wanted), g.cast(off_value, wanted))


@one_hot.grad(needs="indices on_value.aval off_value.aval")
def _(indices: Value, on_value: Aval, off_value: Aval, dout: Value, *, depth: int, axis: int = -1):
    def share(value: Any, on: int) -> Any:
        if not is_value(value):
            return None
        hot = one_hot(indices, on, 1 - on, depth=depth, axis=axis)
        return _as(sum_to(dout * cast(hot, dtype=dout.dtype), shape=()), value)
    return None, lambda: share(on_value, 1), lambda: share(off_value, 0)
