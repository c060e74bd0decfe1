"""The overflow flags of an NPU, where there are none: what was computed since they were cleared is looked at.

An NPU sets its flags at any overflow.  Here `NPUClearFloatStatus` begins to note what gradient functions give and what
`depend` names, in the thread or in the graph that is being built, and `NPUGetFloatStatus` sets the flags if one of
these numbers is not finite.  Nothing is noted in programs that do not clear.
"""
from __future__ import annotations

import threading
from typing import Any
from weakref import WeakKeyDictionary

from mindspore.core.dtype import float32
from mindspore.eager.tensor import Tensor, is_tensor
from mindspore.ir import tree
from mindspore.ir.runtime import runtime
from mindspore.operators import comparison, reduction
from mindspore.operators.structure import broadcast_to, cast, zeros_like

from ._holding import held
from .primitive import composed


class _Thread(threading.local):
    noted: list[Any] | None = None


_thread = _Thread()
_graphs: WeakKeyDictionary[Any, list[Any]] = WeakKeyDictionary()       # by what walks the program while it is compiled


def note(values: Any) -> None:
    """Let the next question for the flags look at these values."""
    noted = _thread.noted if runtime.trace is None else _graphs.get(runtime.trace)
    if noted is not None:
        noted += tree.leaves(values, lambda x: is_tensor(x) and x.dtype.is_floating)


def _set(noted: list[Any] | None) -> None:
    if runtime.trace is None:
        _thread.noted = noted
    elif noted is None:
        _graphs.pop(runtime.trace, None)
    else:
        _graphs[runtime.trace] = noted


@composed("FloatStatus()(x)")
def float_status(x: Any) -> Any:
    """[1.0] if an element of the tensor is infinite or not a number, else [0.0]."""
    finite = reduction.reduce_all(comparison.is_finite(x))
    return cast(comparison.equal(finite, False), dtype=float32).reshape((1,))


@composed("NPUAllocFloatStatus()()")
def _alloc_float_status() -> Tensor:
    """The overflow flags, none of which is set."""
    return Tensor([0.0] * 8, float32)


@composed("NPUClearFloatStatus()(input_x)")
def _clear_float_status(input_x: Any) -> Any:
    """Forget the overflow flags; from now on gradients are watched."""
    _set([])
    return held(input_x, zeros_like(input_x))


@composed("NPUGetFloatStatus()(input_x)")
def _get_float_status(input_x: Any) -> Any:
    """Set the flags if a value or gradient since they were cleared is not finite; returns them."""
    noted = (_thread.noted if runtime.trace is None else _graphs.get(runtime.trace)) or []
    _set(None)
    if not noted:
        return held(input_x, zeros_like(input_x))
    found = float_status(noted[0])
    for x in noted[1:]:
        found = found + float_status(x)
    return held(input_x, broadcast_to(cast(found > 0, dtype=input_x.dtype), shape=tuple(input_x.shape)))
