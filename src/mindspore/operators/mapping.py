"""A function over the slices of its inputs as one operator."""
from __future__ import annotations

from typing import Any

from torch import Tensor

from mindspore.core.kinds import is_tuple
from mindspore.ir import Aval

from .labels import whole
from .registry import REGISTRY, operator
from .structure import full
from .values import Value


@operator(hidden=True, samples=[], dims=whole("the shapes of its results are part of the function"))
def mapped(*xs: Tensor, body: Any):
    """What `body` gives for each slice of the inputs, put together; see `ops.vmap.Body`."""
    return body(*xs)


@mapped.shape
def _(*xs: Aval, body: Any):
    return body.avals[0] if len(body.avals) == 1 else tuple(body.avals)


@mapped.grad(needs="xs")
def _(xs: tuple[Value, ...], dout: Value | tuple[Value | None, ...], *, body: Any) -> tuple[Any, ...]:
    douts = dout if isinstance(dout, tuple) else (dout,)
    given = [full(shape=a.shape, value=0, dtype=a.dtype) if d is None else d
             for a, d in zip(body.avals, douts, strict=True)]
    reverse, places = body.reverse()
    if not places:
        return (None,) * len(xs)
    found = mapped(*xs, *given, body=reverse)
    found = iter(found if is_tuple(found) else (found,))
    cotangents: list[Any] = []
    for k in range(len(xs)):
        d = next(found) if k in places else None
        shared = d is not None and body.in_axes[k] is None      # every slice has its part in it
        cotangents.append(REGISTRY["ReduceSum"](d, axis=(0,)) if shared else d)
    return tuple(cotangents)
