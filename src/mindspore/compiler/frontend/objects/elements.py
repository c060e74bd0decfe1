"""Tensors from outside whose elements the program looks at while it is compiled.

Where that is possible, such a tensor is what it holds at every run (`at_run_time`).  Otherwise the elements are
constants of the program, which holds as long as the tensor holds them (`note_reading`).
"""
from __future__ import annotations

from typing import Any

from mindspore.core.errors import GraphValueError
from mindspore.eager.parameter import Parameter
from mindspore.eager.tensor import Tensor
from mindspore.ir.runtime import runtime
from mindspore.ir.user_tensor import known

from .state import Trace, lift


def at_run_time(value: Any) -> Any:
    """A tensor whose elements the program asks for as a node, if only the run knows them; other values unchanged."""
    trace = runtime.trace
    if not isinstance(value, Tensor) or trace is None:
        return value
    if isinstance(value, Parameter) or _is_changed(trace, value):
        return lift(value)
    if id(value) in trace.made:
        return value
    trace.asked_for.append(value)
    return value if trace.by_value else lift(value)


def note_reading(tensor: Tensor) -> None:
    """Note that the elements of a tensor become constants of the program.

    Raises:
        GraphValueError: If the program has changed them.
    """
    trace = runtime.trace
    if trace is None:
        return
    if _is_changed(trace, tensor):
        raise GraphValueError("The elements of a tensor that the program has changed are not known while a graph is "
                              "compiled. Compute with tensor operations, or run in PyNative mode.")
    if id(tensor) not in trace.made:
        trace.heap.watch.reading(tensor)


def _is_changed(trace: Trace, tensor: Tensor) -> bool:
    """Whether the program gave a tensor other elements."""
    if isinstance(tensor, Parameter) and tensor in trace.state:
        return True
    found = trace.captured.get(id(tensor))
    return found is not None and known(found[1]).content is not None
