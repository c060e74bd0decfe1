"""Operators whose work is done by functions of the user's."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mindspore.core.dtype import DType, from_torch
from mindspore.core.kinds import is_sequence
from mindspore.ir import Aval

from .labels import whole
from .registry import operator
from .rules import same
from .structure import zeros_like
from .torch_private import from_numpy
from .traits import FOREIGN, VIEW
from .values import Ints, Value


@operator(hidden=True, samples=[], dims=whole("what the user's function does is not known"), traits={FOREIGN})
def python_call(*xs: Any, function: Any, outs: Sequence[tuple[Ints, DType]], bprop: Any = None):
    """What a function of NumPy arrays returns; `outs` are shapes and types of its results."""
    if getattr(function, "of_tensors", False):
        made = function(*xs, outs=outs)
        return made[0] if len(made) == 1 else tuple(made)
    arrays = [x.detach().cpu().numpy() if isinstance(x, torch.Tensor) else x for x in xs]
    found = function(*arrays)
    found = found if is_sequence(found) else (found,)
    if len(found) != len(outs):
        raise ValueError(f"For 'Custom', the function '{_name(function)}' must return {len(outs)} "
                         f"results, but returned {len(found)}.")
    device = next((x.device for x in xs if isinstance(x, torch.Tensor)), torch.device("cpu"))
    made = [_checked(function, v, Aval(*o)).to(device) for v, o in zip(found, outs, strict=True)]
    return made[0] if len(made) == 1 else tuple(made)


def _checked(function: Any, value: Any, aval: Aval) -> torch.Tensor:
    out = from_numpy(np.ascontiguousarray(value).copy())
    if tuple(out.shape) != aval.shape or out.dtype is not aval.dtype.torch:
        raise ValueError(f"For 'Custom', the function '{_name(function)}' must return {aval}, but "
                         f"returned {Aval(tuple(out.shape), from_torch(out.dtype))}.")
    return out


def _name(function: Any) -> str:
    return getattr(function, "__name__", repr(function))


@python_call.shape
def _(*xs: Aval, function: Any, outs: Sequence[tuple[Ints, DType]], bprop: Any = None) -> Any:
    avals = tuple([Aval(*o) for o in outs])
    return avals[0] if len(avals) == 1 else avals


@python_call.grad(needs="xs out")
def _(xs: tuple[Value, ...], out: Value, dout: Value, *, function: Any, outs: Sequence[tuple[Ints, DType]],
      bprop: Any = None):
    if bprop is None:
        raise TypeError(f"For 'Custom', the function '{_name(function)}' has no derivative; pass it as "
                        f"'bprop'.")
    found = bprop(*xs, out, dout)
    return tuple(found) if is_sequence(found) else (found,)


@operator(hidden=True, samples=[], dims=whole("what the user's loops do is not known"))
def kernel_call(*xs: Tensor, kernel: Any):
    """The results of a kernel that a user wrote; see `compiler.kernels.user`."""
    found = kernel(*xs)
    return found[0] if len(found) == 1 else tuple(found)


@kernel_call.shape
def _(*xs: Aval, kernel: Any) -> Any:
    avals = tuple([Aval(*o) for o in _fitting(kernel, xs).outs([x.shape for x in xs])])
    return avals[0] if len(avals) == 1 else avals


def _fitting(kernel: Any, xs: Sequence[Any]) -> Any:
    """The kernel for inputs of these types."""
    return kernel.fit([x.dtype.torch for x in xs])


@kernel_call.grad(needs="xs out")
def _(xs: tuple[Value, ...], out: Any, dout: Any, *, kernel: Any):
    outs, douts = [v if is_sequence(v) else (v,) for v in (out, dout)]
    found: list[Any] = [None] * len(xs)
    kernel = _fitting(kernel, xs)
    if kernel.places:
        given = [zeros_like(outs[k]) if douts[k] is None else douts[k] for k in kernel.floats]
        backward = kernel_call(*xs, *outs, *given, kernel=kernel.backward)
        parts = backward if is_sequence(backward) else (backward,)
        for k, d in zip(kernel.places, parts, strict=True):
            found[k] = d
    return tuple(found)


@operator(hidden=True, samples=[], dims=whole("the hook sees the whole cotangent"), traits={FOREIGN, VIEW})
def hooked(x: Tensor, *, hook: Any):
    """`x`; in the backward pass `hook` sees its cotangent, and may return another one."""
    return x


hooked.shape(same)


@hooked.grad(needs="")
def _(dout: Value, *, hook: Any):
    changed = hook(dout)
    return (dout if changed is None else changed),


@operator(hidden=True, samples=[], dims=whole("the hook sees the whole cotangents"), traits={FOREIGN})
def hooked_together(*xs: Tensor, hook: Any):
    """Copies of `xs`; in the backward pass `hook` sees all their cotangents in one call, and may return others."""
    return tuple([x.clone() for x in xs])


@hooked_together.shape
def _(*xs: Aval, hook: Any) -> tuple[Aval, ...]:
    return xs


@hooked_together.grad(needs="xs")
def _(xs: tuple[Value, ...], dout: Any, *, hook: Any):
    douts = tuple([zeros_like(x) if d is None else d for x, d in zip(xs, dout, strict=True)])
    changed = hook(*douts)
    return douts if changed is None else tuple(changed)
