"""What two sweeps over the tape have in common: operators, shapes, constants, and how they hang together.

The tape of a training step is made anew in every step, mostly with the same structure.  A sweep over it does then the
same with other elements, so that a program that was compiled once can do it (`compiler.replay`).
"""
# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch

from mindspore.core.constants import SIMPLE, constant_key
from mindspore.core.dtype import DType
from mindspore.core.kinds import type_of
from mindspore.eager.records import Record, Var
from mindspore.eager.tape import Saved
from mindspore.ir import Aval
from mindspore.operators.im2col_convolution import samples_innermost
from mindspore.operators.registry import Operator, aval_of

_EXACT = SIMPLE - {float, complex}


class Place(NamedTuple):
    """The place of a tensor among those that a sweep uses."""

    at: int


@dataclass(frozen=True)
class Step:
    """One record of a sweep: an operator to reverse, or without one a tensor that a cotangent is wanted of."""

    op: Operator | None
    attrs: dict[str, Any]
    parents: tuple[tuple[int, int] | None, ...]         # the number of the step, of the result
    saved: tuple[Any, ...]                              # with places instead of tensors
    count: int


class Sweep(NamedTuple):
    """A sweep without its tensors.

    Attributes:
        steps: Latest first.
        avals: Of what the steps saved, and of the cotangents behind that.
        innermost: Which of these tensors have their samples innermost in memory.
        outs: The steps, and which of their results, that these cotangents are of.
        wanted: The steps whose cotangents are asked for; -1 for none.
    """

    steps: list[Step]
    avals: list[Aval]
    innermost: list[bool]
    outs: list[tuple[int, int]]
    wanted: list[int]


class Other(Exception):
    """A sweep that no program can do: it calls functions of the program, or its constants cannot be compared."""


class Structure:
    """The structure of a sweep, and the tensors that it uses.

    Args:
        order: The records, latest first.
        outs: The variables of what is differentiated, and the cotangent of each.
        wanted: The variables whose cotangents are asked for.

    Attributes:
        key: Equal for sweeps that one program can do.
        tensors: What the records saved.

    Raises:
        Other: No program can do this.
    """

    def __init__(self, order: Sequence[Record], outs: Sequence[tuple[Var, torch.Tensor]], wanted: Sequence[Var]):
        self.order = order
        self.numbers = numbers = {record: k for k, record in enumerate(order)}
        self.tensors: list[torch.Tensor] = []
        self.places: dict[int, int] = {}
        stops = {var[0] for var in wanted}
        parts = [self._record(record, record in stops) for record in order]
        parts.append(tuple([(numbers.get(r, -1), i, *_kind(d)) for (r, i), d in outs]))
        parts.append(tuple([numbers.get(r, -1) for r, _ in wanted]))
        self.key = tuple(parts)

    def _record(self, record: Record, stop: bool) -> Any:
        op: Any = record.op
        if stop:
            return op.aval
        saved: Any = record.saved
        if type(op) is not Operator or not isinstance(saved, list):
            raise Other
        find = self.numbers.get
        parents = tuple([None if p is None else (find(p[0], -1), p[1]) for p in record.parents])
        attrs = tuple([(k, constant(v)) for k, v in record.attrs.items()]) if record.attrs else ()
        return id(op), parents, tuple([self._value(v) for v in record.saved]), attrs, record.count

    def _value(self, value: Any) -> Any:
        if type(value) is not Saved:
            return tuple([self._value(v) for v in value]) if type_of(value) is tuple else constant(value)
        data = value.data
        if data._version != value.version:
            raise Other
        at = self.places.get(id(data))
        if at is not None:
            return at
        self.places[id(data)] = at = len(self.tensors)
        self.tensors.append(data)
        return at, *_kind(data)

    def described(self, outs: Sequence[tuple[Var, torch.Tensor]], wanted: Sequence[Var]) -> Sweep:
        """The same for making a program; `outs` and `wanted` are those of the structure."""
        numbers, tensors = self.numbers, (*self.tensors, *[d for _, d in outs])
        return Sweep([self._step(record) for record in self.order],
                     [aval_of(x) for x in tensors], [samples_innermost(x) for x in tensors],
                     [(numbers[r], i) for (r, i), _ in outs], [numbers.get(r, -1) for r, _ in wanted])

    def _step(self, record: Record) -> Step:
        if type(record.op) is not Operator:
            return Step(None, {}, (), (), 1)
        numbers = self.numbers
        parents = [None if p is None or p[0] not in numbers else (numbers[p[0]], p[1]) for p in record.parents]
        return Step(record.op, dict(record.attrs), tuple(parents), tuple([self._placed(v) for v in record.saved]),
                    record.count)

    def _placed(self, value: Any) -> Any:
        if type(value) is Saved:
            return Place(self.places[id(value.data)])
        return tuple([self._placed(v) for v in value]) if type_of(value) is tuple else value


def _kind(data: torch.Tensor) -> tuple[Any, ...]:
    """What a program is made for; Other for tensors of kinds that none takes."""
    dtype = data.dtype
    if type(data) is not torch.Tensor or not data.is_cpu or data.layout is not torch.strided or (
            dtype.is_complex) or data.is_neg():
        raise Other
    return data.shape, dtype, samples_innermost(data)


def constant(value: Any) -> Any:
    """What is equal for two constants of operators if they are the same.

    Raises:
        Other: It is none that can be compared.
    """
    kind: Any = type_of(value)
    if kind in _EXACT:
        return kind, value
    if kind is tuple or kind is list:
        return (kind, *[constant(v) for v in value])
    if kind is Aval or isinstance(value, (DType, torch.dtype)):
        return value
    key = constant_key(value)
    if key is None:
        raise Other
    return key
