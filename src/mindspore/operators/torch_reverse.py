"""The reverse of operators whose derivative is torch's."""
from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import torch

from mindspore.core.dtype import float64
from mindspore.core.kinds import is_tuple
from mindspore.ir import Aval

from .labels import Whole, adjoint
from .registry import Operator
from .rules import kept
from .table import REGISTRY

_reverses: dict[tuple[str, int], Operator] = {}
_making = threading.Lock()         # one of a kind is registered


def reverse_of(op: Operator, count: int) -> Operator:
    """The reverse of an operator whose derivative is torch's: inputs and cotangents to cotangents.

    It runs the kernel again under torch's recording, and is itself differentiated by torch.
    `count` is the number of the operator's inputs.  Inputs that have no derivative give a zero.
    """
    with _making:
        known = _reverses.get((op.name, count))
        if known is None:
            known = _reverses[op.name, count] = _made(op, count)
    return known


def _made(op: Operator, count: int) -> Operator:
    def kernel(*values: Any, **attrs: Any) -> tuple[torch.Tensor, ...]:
        ins, douts = values[:count], values[count:]
        with torch.enable_grad():
            leaves = [_leaf(x) for x in ins]
            out = op.kernel(*leaves, **attrs)
            outs: tuple[torch.Tensor, ...] = out if is_tuple(out) else (out,)
            pairs = [(o, d) for o, d in zip(outs, douts, strict=True)
                     if d is not None and o.requires_grad]
            wanted = [x for x in leaves if isinstance(x, torch.Tensor) and x.requires_grad]
            asked = [o for o, _ in pairs], wanted, [d for _, d in pairs]
            grads = iter(torch.autograd.grad(
                *asked, create_graph=tracked(*values), allow_unused=True) if wanted else ())
        found: list[torch.Tensor] = []
        for x in leaves:
            if isinstance(x, torch.Tensor) and x.requires_grad:
                d = next(grads, None)
                found.append(torch.zeros_like(x) if d is None else d)
            else:
                found.append(torch.zeros((), device=_device_of(values)))
        return tuple(found)

    kernel.__name__ = f"{op.name}_reverse_{count}"
    kernel.__doc__ = f"The cotangents of '{op.name}', by torch's own derivative."
    made = Operator(kernel, grad="torch", hidden=True)
    made.name = f"{op.name}Grad"

    @made.shape
    def _(*avals: Any, **attrs: Any) -> tuple[Aval, ...]:
        from mindspore.core.dtype import float32
        scalar = Aval((), float32)
        return tuple([a if type(a) is Aval and a.dtype.is_differentiable else scalar
                      for a in avals[:count]])

    @made.layout
    def _(*avals: Any, **attrs: Any) -> str | Whole | None:
        labels = op.labels(avals[:count], attrs)
        if labels is None:
            return None
        own = [*op.inputs, *[f"rest{i}" for i in range(count - len(op.inputs))]][:count]
        takes = [*own, *[f"out{i}" for i in range(len(avals) - count)]]
        gives = [n if type(a) is Aval and a.dtype.is_differentiable else "-"
                 for n, a in zip(own, avals[:count], strict=True)]
        return adjoint(labels, " ".join(takes), " ".join(gives), own)

    return made


def also_of_integers(op: Operator) -> None:
    """Let an operator of one tensor, whose derivative is torch's, have one for integers: in floats, then cut off."""
    @op.grad(needs="x")
    def _(x: Any, dout: Any, **attrs: Any):
        whole = not x.dtype.is_differentiable
        given = [REGISTRY["Cast"](v, dtype=float64) for v in (x, dout)] if whole else (x, dout)
        found = reverse_of(op, 1)(*given, **attrs)
        return kept(found[0] if is_tuple(found) else found, x),


def tracked(*values: Any) -> bool:
    """Whether torch records a computation on these values: a kernel is being differentiated by torch."""
    return any(isinstance(x, torch.Tensor) and x.requires_grad for x in values)


def _leaf(x: Any) -> Any:
    if not isinstance(x, torch.Tensor) or not (x.is_floating_point() or x.is_complex()):
        return x
    return x if x.requires_grad else x.detach().requires_grad_()


def _device_of(values: Sequence[Any]) -> torch.device:
    return next((v.device for v in values if isinstance(v, torch.Tensor)), torch.device("cpu"))
