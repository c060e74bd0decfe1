"""The reverse sweep over the records of the tape."""
# pyright: reportPrivateUsage=false
from __future__ import annotations

import operator
from collections.abc import Sequence
from types import FunctionType
from typing import Any

from mindspore.eager.hooks import Hooked, Seen, hooks_of, through
from mindspore.eager.records import FREED, Record, Var
from mindspore.eager.steady import Training, repeated
from mindspore.eager.tape import Saved, restored
from mindspore.eager.tensor import Tensor
from mindspore.ir.runtime import runtime
from mindspore.operators.registry import Operator
from mindspore.operators.rules import Part

_by_serial = operator.attrgetter("serial")


def sweep(outs: Sequence[Tensor], douts: Sequence[Tensor | None], wanted: Sequence[Var],
          keep: bool = False, training: Training | None = None) -> list[Tensor | None]:
    """Cotangents of the wanted variables; `keep` leaves the records usable for another sweep.

    With `training` a program may do it (`eager.steady`).
    """
    slots: dict[Record, Any] = {}
    for out, dout in zip(outs, douts, strict=True):
        if dout is not None and out._var is not None:
            record, i = out._var
            _give(slots, record, i, dout)
    stops = {var[0] for var in wanted}
    free = not keep and not runtime.depth
    own: set[Record] = set()              # whose cotangent is a buffer of its own
    order = _needed(list(slots), stops)
    if training is not None and not runtime.depth:
        given = [(o._var, d) for o, d in zip(outs, douts, strict=True) if d is not None and o._var is not None]
        found = repeated(order, given, wanted, training, keep)
        if found is not None:
            return found
    reach = set(order) if runtime.depth else None       # the outermost sweep reaches what is needed only
    outer = runtime.swept
    try:
        for record in order:
            if record in stops:
                if Hooked.count and record in slots:
                    slots[record] = through(hooks_of(record.op.tensor), slots[record])
                continue
            dout = slots.pop(record, None)
            if dout is None:
                continue
            runtime.swept = record
            for parent, d in zip(record.parents, _cotangents(record, dout, free), strict=False):
                if parent is not None and d is not None and (reach is None or parent[0] in reach):
                    _arrive(slots, own, parent, d)
    finally:
        runtime.swept = outer
    return [_slot(slots, *var) for var in wanted]


def _cotangents(record: Record, dout: Any, free: bool) -> Sequence[Any]:
    """The cotangents of a record's parents; with `free` the record forgets what it saved."""
    op = record.op
    if type(op) is Seen:
        op, dout = op.op, op.replaced(record, dout)
    if type(op) is not Operator:
        return op.sweep(record, (dout,) if record.count == 1 else tuple(dout))
    saved = record.saved
    if saved is FREED:
        raise RuntimeError(f"The values that the gradient of '{op.name}' needs were freed after a "
                           "first sweep; take both gradients in one call.")
    values = [v.restore(record) if type(v) is Saved else
              restored(v, record) if type(v) is tuple else v for v in saved]
    if free:
        record.saved = FREED
    if record.count > 1:
        return op.rule(*values, tuple(dout), **record.attrs)
    if dout._data.is_complex():
        return op.conjugated(values, dout, record.attrs)
    return op.rule(*values, dout, **record.attrs)


def _arrive(slots: dict[Record, Any], own: set[Record], parent: Var, d: Any) -> None:
    """Take a cotangent in the forms that rules return: a value, a function, a part."""
    if type(d) is FunctionType:          # computed only now that it is needed
        d = d()
    elif type(d) is Part:
        d = _added(d, slots, parent[0], own)
    if d is not None:
        _give(slots, parent[0], parent[1], d)


def _added(part: Part, slots: dict[Record, Any], record: Record, own: set[Record]) -> Any:
    """Add a part to the total that is held, in place (then None); or the part as a whole."""
    if runtime.depth or record.count > 1:
        return part.whole()
    held = slots.get(record)
    if held is not None and record in own:
        part.kernel(held._data, *[o._data for o in part.operands])
        return None
    if held is None:
        own.add(record)
    else:
        own.discard(record)
    return part.whole()


def _give(slots: dict[Record, Any], record: Record, i: int, d: Any) -> None:
    """Add a cotangent to those of a record's result: one value, or a list for several results."""
    if record.count == 1:
        held = slots.get(record)
        slots[record] = d if held is None else held + d
        return
    column = slots.get(record)
    if column is None:
        column = slots[record] = [None] * record.count
    column[i] = d if column[i] is None else column[i] + d


def _slot(slots: dict[Record, Any], record: Record, i: int) -> Tensor | None:
    return slots.get(record) if record.count == 1 else slots.get(record, [None] * record.count)[i]


def _needed(roots: list[Record], stops: set[Record]) -> list[Record]:
    """The records between the roots and the wanted variables, latest first."""
    low = min((r.serial for r in stops), default=0)
    seen = set(roots)
    todo = list(roots)
    while todo:
        for parent in todo.pop().parents:
            if parent is not None:
                record = parent[0]
                if record not in seen and record.serial >= low:
                    seen.add(record)
                    if record not in stops:
                        todo.append(record)
    falling = sorted(seen, key=_by_serial, reverse=True)
    if not runtime.depth:
        return falling
    wanted = set(stops)                       # an outer gradient's variables lead elsewhere, too
    for record in reversed(falling):
        if any(p is not None and p[0] in wanted for p in record.parents):
            wanted.add(record)
    return [r for r in falling if r in wanted]
