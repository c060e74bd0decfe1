"""Operators that make tensors from numbers."""
from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from mindspore.core.dtype import DType, float32
from mindspore.core.errors import show
from mindspore.ir import INTS, Aval

from .exported import Exported
from .indexing import unknown_extent
from .labels import whole
from .registry import operator
from .rules import extent_of
from .structure import device_in_use, reshape, sum_to
from .traits import STRICT
from .values import Ints, Value


@operator(hidden=True, samples=[], dims=whole("the numbers count on from the first one"))
def arange(*, start: int, stop: int, step: float, dtype: DType):
    """The numbers from `start` to before `stop` in steps of `step`."""
    if dtype.torch in (torch.uint16, torch.uint32, torch.uint64):      # torch fills only the others
        return torch.arange(start, stop, step, dtype=torch.int64, device=device_in_use()).to(dtype.torch)
    return torch.arange(start, stop, step, dtype=dtype.torch, device=device_in_use())


@arange.shape
def _(*, start: int, stop: int, step: int, dtype: DType) -> Aval:
    if all([type(n) in INTS for n in (start, stop, step)]):
        return Aval((extent_of(start, stop, step),), dtype)
    return Aval((max(math.ceil((stop - start) / step), 0),), dtype)


@arange.onnx
def _(g: Exported, *, start: int, stop: int, step: float, dtype: DType):
    if not all([type(n) in INTS for n in (start, stop, step)]):
        raise NotImplementedError("ONNX has no range of floats whose ends only a run tells.")
    ends = [g.add("Squeeze", g.integers((n,))) for n in (start, stop, step)]
    return g.cast(g.add("Range", *ends), dtype)


@arange.grad(needs="")
def _(dout: Value, **_: Any):
    return ()


@operator(hidden=True, samples=[], dims=whole("its extents are a number of the program"))
def marks(n: Tensor):
    """A tensor without memory whose extents are an integer: (n, 0), or (0, -n) if it is negative."""
    if n.is_meta:
        raise unknown_extent("int")
    value = int(n)
    return n.new_empty(()).expand(max(value, 0), max(-value, 0))


marks.dynamic_shape(lambda n: [("above", "below")])


@operator(hidden=True, samples=[], dims=whole("its numbers are one attribute"))
def constant(*, values: Ints, shape: Ints, dtype: DType):
    """A tensor of given numbers."""
    return torch.tensor(values, dtype=dtype.torch, device=device_in_use()).reshape(shape)


@constant.shape
def _(*, values: Ints, shape: Ints, dtype: DType) -> Aval:
    return Aval(tuple(shape), dtype)


@constant.grad(needs="")
def _(dout: Value, **_: Any):
    return ()


@operator(hidden=True, samples=[], dims=whole("the diagonal begins elsewhere in every piece"))
def eye(*, n: int, m: int, dtype: DType):
    """An n x m matrix with ones on its diagonal."""
    return torch.eye(n, m, dtype=dtype.torch, device=device_in_use())


@eye.shape
def _(*, n: int, m: int, dtype: DType) -> Aval:
    return Aval((n, m), dtype)


@eye.grad(needs="")
def _(dout: Value, **_: Any):
    return ()


@operator(primitive="LinSpace()(start, stop, num)", samples=[((), (), {"num": 5})],
          dims=whole("the numbers count on from the first one"), traits={STRICT})
def lin_space(start: Tensor | float, stop: Tensor | float, *, num: int):
    """`num` numbers at equal distances from `start` to `stop`, both included."""
    weights = torch.linspace(0, 1, num, dtype=_floating(start, stop), device=device_in_use())
    start, stop = [torch.as_tensor(v, dtype=weights.dtype, device=weights.device)
                   for v in (start, stop)]
    return torch.lerp(start[..., None], stop[..., None], weights)


def _floating(*values: Tensor | float) -> torch.dtype:
    found = [v.dtype for v in values if isinstance(v, torch.Tensor) and v.is_floating_point()]
    return found[0] if found else torch.float32


@lin_space.shape
def _(start: Aval | float, stop: Aval | float, *, num: object) -> Aval:
    if isinstance(num, bool) or not isinstance(num, int):
        raise TypeError(f"For 'LinSpace', the 'num' must be an int, but got {num!r}.")
    if num < 1:
        raise ValueError(f"For 'LinSpace', the 'num' must be positive, but got {num}.")
    avals = [v for v in (start, stop) if type(v) is Aval]
    for v in avals:
        if v.shape != avals[0].shape:
            raise ValueError(f"For 'LinSpace', 'start' and 'stop' must have one shape, but got "
                             f"{show(start)} and {show(stop)}.")
    floats = [v.dtype for v in avals if v.dtype.is_floating]
    return Aval((*(avals[0].shape if avals else ()), num), floats[0] if floats else float32)


@lin_space.grad(needs="start.aval stop.aval")
def _(start: Aval, stop: Aval, dout: Value, *, num: int):
    weights = lin_space(0.0, 1.0, num=num)
    return lambda: _weighted(start, dout * (1 - weights)), lambda: _weighted(stop, dout * weights)


def _weighted(value: Aval, dout: Value):
    """The cotangent of an end: the sum over the numbers."""
    if not hasattr(value, "shape"):
        return None
    shape = tuple(value.shape)
    return reshape(sum_to(dout, shape=(*shape, 1)), shape=shape)
