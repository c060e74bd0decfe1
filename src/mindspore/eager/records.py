"""What the tape consists of: records of operators, and of tensors that a gradient is taken of."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

import itertools
from typing import Any

from mindspore.eager.tensor import Tensor

_next_serial = itertools.count().__next__
FREED: list[Any] = []           # what a record saved, after a sweep
Var = tuple["Record", int]
Place = tuple[tuple[int, ...], tuple[int, ...], int]          # where a view lies in memory: shape, strides, offset
Bases = tuple[tuple[Var | None, Place | None] | None, ...]


class Record:
    """One application of an operator, or of a custom derivative, on the tape.

    `op` is an Operator, or an object with `sweep(record, douts) -> cotangents of the parents`.
    """

    __slots__ = ("attrs", "count", "op", "parents", "saved", "serial")

    def __init__(self, op: Any, parents: tuple[Var | None, ...], saved: Any, attrs: dict[str, Any],
                 count: int):
        self.serial = _next_serial()
        self.op, self.parents, self.saved, self.attrs = op, parents, saved, attrs
        self.count = count                 # how many results the operator gave


class ViewRecord(Record):
    """The record of an operator whose results share memory with inputs.

    Attributes:
        bases: For each result the var and the place in memory of what it is a view of; None if it is none.
    """

    __slots__ = ("bases",)
    bases: Bases


class Watched:
    """The step from an outer variable of a tensor to an inner one."""

    __slots__ = ("aval", "tensor")

    def __init__(self, tensor: Tensor):
        data = tensor._data
        self.aval, self.tensor = (data.shape, data.dtype, data.device), tensor

    def sweep(self, record: Record, dout: tuple[Any, ...]) -> tuple[Any, ...]:
        """The cotangent of the outer variable is that of the inner one."""
        return dout
