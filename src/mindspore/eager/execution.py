"""PyNative execution where no gradient is taken: what the interpreter at the bottom does, and its fast path.

The cost of a call counts here: two tensors of one dtype, or a tensor and a number, come from an infix operator to the
kernel without lists and dicts, as long as no other interpreter takes part.
"""
# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from mindspore.core.errors import UnknownExtent
from mindspore.core.kinds import type_of
from mindspore.eager.tensor import Tensor, wrap
from mindspore.ir.runtime import Base, base, runtime
from mindspore.operators import alone, infix
from mindspore.operators.cpu_threads.kernels import run
from mindspore.operators.cpu_threads.number import SLEEP
from mindspore.operators.promotion import in_wider_type, promoted
from mindspore.operators.registry import Operator
from mindspore.operators.table import REGISTRY
from mindspore.operators.torch_private import alias

_new = object.__new__


def _apply(self: Base, op: Operator, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """Run an operator on tensors and constants."""
    if op.promote:
        inputs = same_dtype(op, inputs)
    if op.strict:
        op.accepts(inputs, attrs)
    if len(inputs) == 2:
        x, y = inputs
        raw: Any = (x._data if isinstance(x, Tensor) else x, y._data if isinstance(y, Tensor) else y)
    elif len(inputs) == 1:
        x = inputs[0]
        raw = (x._data if isinstance(x, Tensor) else x,)
    else:
        raw = [x._data if isinstance(x, Tensor) else x for x in inputs]
    try:
        out = run(op, raw, attrs) if SLEEP else op.kernel(*raw, **attrs) if attrs else op.kernel(*raw)
    except Exception as error:  # of a kernel: raised again in the operator's words
        again = in_wider_type(op, inputs, attrs) if op.wider else None
        if again is None:
            raise explained(op, error, inputs, attrs) from None
        return again
    if type_of(out) is not torch.Tensor and not isinstance(out, torch.Tensor):
        return several(op, out, inputs)
    if op.view and raw and out is raw[0]:
        out = alias(out)                       # two tensors, one memory
    made = _new(Tensor)
    made._data = out
    made._var = None
    return made


def several(op: Operator, out: Any, inputs: Sequence[Any]) -> Any:
    """The results of a kernel that gave no tensor; a TypeError where arrays took the place of tensors."""
    if type_of(out) is not tuple or not all([isinstance(o, torch.Tensor) for o in out]):
        strange: list[Any] = [x for x in inputs if isinstance(x, np.ndarray)]
        if strange:
            raise TypeError(f"For '{op.name}', the inputs must be tensors, but got {strange[0]!r} with type 'ndarray'.")
    return wrapped(out)


def wrapped(out: torch.Tensor | tuple[torch.Tensor, ...]) -> Any:
    """The results of a kernel as tensors."""
    return tuple([wrap(o) for o in out]) if isinstance(out, tuple) else wrap(out)


def _tensor(self: Base, value: Any, dtype: Any = None) -> Tensor:
    """A tensor of a value."""
    return Tensor(value, dtype)


def same_dtype(op: Operator, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """The inputs, cast to their common dtype."""
    if len(inputs) == 2:                   # the common case, without building a key
        x, y = inputs
        if isinstance(x, Tensor):
            dx = x._data.dtype
            if isinstance(y, Tensor):
                if dx is y._data.dtype:
                    return inputs
            elif dx.is_floating_point and type(y) in (float, int):
                return inputs
        elif not isinstance(y, Tensor) and isinstance(x, (int, float, complex)):
            return promoted(op, (Tensor(x), y))          # two numbers of Python
        elif isinstance(y, Tensor) and y._data.dtype.is_floating_point and type(x) in (float, int):
            return inputs
    return promoted(op, inputs)


def explained(op: Operator, error: Exception, inputs: Sequence[Any], attrs: dict[str, Any]) -> Exception:
    """The user's error: what the shape rule says if it objects, else the kernel's, reworded."""
    if op.shape_rule:
        try:
            op.shape_rule(*[x.aval if isinstance(x, Tensor) else x for x in inputs], **attrs)
        except UnknownExtent:          # says nothing on the error
            pass
        except (IndexError, TypeError, ValueError) as better:
            return op.explain(better, inputs, attrs)
        except AttributeError:         # an input is no tensor at all
            pass
    return op.explain(error, inputs, attrs)


def _quick(general: Callable[[Any, Any], Any], name: str) -> Callable[[Any, Any], Any]:
    """An infix operator that calls the kernel at once if no interpreter takes part and nothing is to be cast."""

    def forward(x: Any, y: Any) -> Any:
        if runtime.top is base:
            try:
                a, kind = x._data, type_of(y)
                if isinstance(y, Tensor):
                    y_data = y._data
                    fits = a.dtype is y_data.dtype
                else:
                    y_data, fits = y, (kind is float or kind is int) and a.dtype.is_floating_point
                if fits:
                    made = _new(Tensor)
                    made._data = REGISTRY[name].kernel(a, y_data)
                    made._var = None
                    return made
            except Exception:  # whatever it is, it is met again, and explained
                pass
        return general(x, y)
    return forward


def _generated(forms: Sequence[Any]) -> Any:
    """A kernel for elements, where kernels can be generated."""
    from mindspore.compiler.kernels import (  # loaded with the first tensor of many elements
        available,
        generated,
    )

    return generated(forms) if available() else None


def _install() -> None:
    alone.use(_generated)
    Base.apply, Base.tensor = _apply, _tensor  # for all threads, from now on
    infix.install(Tensor)
    for method, name in () if SLEEP else (infix.BINARY | infix.COMPARE).items():
        special = f"__{method}__"
        setattr(Tensor, special, _quick(getattr(Tensor, special), name))


_install()
