"""PyNative execution: run kernels, record what a gradient needs, sweep back.

Every tensor that depends on a watched one carries `_var = (record, i)`: the record of the operator
that made it and the index among its results.  A record keeps its parents' vars and only the raw
values that the gradient rule needs.  The sweep applies the operators' gradient rules to tensors; a
sweep inside another gradient is recorded like any computation, which gives higher orders.
"""
from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import torch

from mindspore.core.tensor import Tensor, wrap
from mindspore.operators import infix, registry
from mindspore.operators.registry import Operator, promoted

_serial = itertools.count()
Var = tuple["Record", int]


class Record:
    """One application of an operator (or of a custom derivative) on the tape."""

    __slots__ = ("attrs", "avals", "op", "parents", "saved", "serial")

    def __init__(self, op: Any, parents: tuple[Var | None, ...], saved: Any, attrs: dict[str, Any],
                 avals: tuple[Any, ...]):
        self.serial = next(_serial)
        self.op, self.parents, self.saved, self.attrs = op, parents, saved, attrs
        self.avals = avals                 # (shape, torch dtype, device) of the results


class State:
    """How many gradients are being taken: 0 records nothing."""

    depth = 0


def execute(op: Operator, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """Run an operator on tensors and constants."""
    if op.promote:
        inputs = _same_dtype(op, inputs)
    raw = [x._data if isinstance(x, Tensor) else x for x in inputs]
    if State.depth and op.effect != "assign":
        for x in inputs:
            if isinstance(x, Tensor) and x._var is not None:
                return _execute_recorded(op, inputs, raw, attrs)
    try:
        out = op.kernel(*raw, **attrs)
    except Exception as error:
        raise _explained(op, error, inputs, attrs) from None
    if type(out) is tuple:
        return tuple([wrap(o) for o in out])
    return wrap(out)


def _same_dtype(op: Operator, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(inputs) == 2:                   # the common case, without building a key
        x, y = inputs
        if isinstance(x, Tensor):
            dx = x._data.dtype
            if isinstance(y, Tensor):
                if dx is y._data.dtype:
                    return inputs
            elif dx.is_floating_point and type(y) in (float, int):
                return inputs
        elif not isinstance(y, Tensor):    # two Python scalars
            return Tensor(x), y
        elif y._data.dtype.is_floating_point and type(x) in (float, int):
            return inputs
    return promoted(op, inputs)


def _explained(op: Operator, error: Exception, inputs: Sequence[Any],
               attrs: dict[str, Any]) -> Exception:
    """The user's error: what the shape rule says if it objects, else the kernel's, reworded."""
    if op.shape_rule:
        try:
            op.shape_rule(*[x.aval if isinstance(x, Tensor) else x for x in inputs], **attrs)
        except (TypeError, ValueError) as better:
            return better
    return op.explain(error, inputs)


def _execute_recorded(op: Operator, inputs: tuple[Any, ...], raw: list[Any],
                      attrs: dict[str, Any]) -> Any:
    if op.rule is None and op.via_torch:
        return _execute_via_torch(op, inputs, raw, attrs)
    try:
        out = op.kernel(*raw, **attrs)
    except Exception as error:
        raise _explained(op, error, inputs, attrs) from None
    outs = out if type(out) is tuple else (out,)
    wrapped = [wrap(o) for o in outs]
    if op.rule is not None:
        parents = tuple([x._var if isinstance(x, Tensor) else None for x in inputs])
        saved = _saved(op, inputs, raw, outs, type(out) is tuple)
        record = Record(op, parents, saved, attrs, _signatures(outs))
        for i, t in enumerate(wrapped):
            t._var = (record, i)
    return tuple(wrapped) if type(out) is tuple else wrapped[0]


def _signatures(outs: Sequence[torch.Tensor]) -> tuple[Any, ...]:
    return tuple([(o.shape, o.dtype, o.device) for o in outs])


# Saved values are not wrappers: a parameter may be rebound before the sweep, and a saved result must
# not point back to the record that holds it, or only the garbage collector would free it.

class Saved:
    """A tensor that a rule needs, without its wrapper, and its var (or its index among the results)."""

    __slots__ = ("data", "var")

    def __init__(self, data: torch.Tensor, var: Var | int | None):
        self.data, self.var = data, var

    def restore(self, record: Record) -> Tensor:
        return wrap(self.data, (record, self.var) if type(self.var) is int else self.var)


def _pack(inputs: Sequence[Any], raw: list[Any]) -> list[Any]:
    return [Saved(r, x._var) if isinstance(x, Tensor) else r
            for x, r in zip(inputs, raw, strict=True)]


def _saved(op: Operator, inputs: Sequence[Any], raw: list[Any], outs: Sequence[Any],
           several: bool) -> list[Any]:
    out: Any = None
    if "out" in op.needs:
        marked = tuple([Saved(o, i) for i, o in enumerate(outs)])
        out = marked if several else marked[0]
    return op.select(_pack(inputs, raw), out)


def _restore(value: Any, record: Record) -> Any:
    if type(value) is Saved:
        return value.restore(record)
    if type(value) is tuple:
        return tuple([_restore(v, record) for v in value])
    return value


class _Torch:
    """The record of an operator whose derivative is torch's own: one opaque step."""

    @staticmethod
    def sweep(record: Record, dout: tuple[Any, ...]) -> list[Any]:
        ins, outs = record.saved
        pairs = [(o, d) for o, d in zip(outs, dout, strict=True) if d is not None and o.requires_grad]
        wanted = [x for x in ins if x is not None]
        if State.depth > 0:                 # differentiated again: torch differentiates its own sweep
            return _vjp_again(record, dout)
        grads = iter(torch.autograd.grad([o for o, _ in pairs], wanted,
                                         [d._data for _, d in pairs], retain_graph=True,
                                         allow_unused=True))
        found = [next(grads) if x is not None else None for x in ins]
        return [wrap(g) if g is not None else None for g in found]


def _vjp_again(record: Record, dout: tuple[Any, ...]) -> list[Any]:
    """Cotangents as an application of the operator's own reverse operator, which is recorded."""
    op, inputs = record.attrs["op"], record.attrs["inputs"]
    values = [_restore(v, record) for v in inputs]
    douts = [zeros_of(a) if d is None else d for d, a in zip(dout, record.avals, strict=True)]
    return list(registry.reverse_of(op, len(values))(*values, *douts, **record.attrs["attrs"]))


def _execute_via_torch(op: Operator, inputs: tuple[Any, ...], raw: list[Any],
                       attrs: dict[str, Any]) -> Any:
    leaves: list[Any] = [None] * len(raw)
    args = list(raw)
    for i, x in enumerate(inputs):
        if isinstance(x, Tensor) and x._var is not None:
            args[i] = leaves[i] = x._data.detach().requires_grad_()
    try:
        with torch.enable_grad():
            out = op.kernel(*args, **attrs)
    except Exception as error:
        raise _explained(op, error, inputs, attrs) from None
    outs = out if type(out) is tuple else (out,)
    parents = tuple([x._var if isinstance(x, Tensor) else None for x in inputs])
    again = {"op": op, "attrs": attrs, "inputs": _pack(inputs, raw)}
    record = Record(_Torch, parents, (leaves, outs), again, _signatures(outs))
    wrapped = [wrap(o.detach(), (record, i) if o.requires_grad else None)
               for i, o in enumerate(outs)]
    return tuple(wrapped) if type(out) is tuple else wrapped[0]


# ---------------------------------------------------------------------- watching and sweeping

def watch(tensor: Tensor) -> Var:
    """A fresh variable for a tensor; where an outer gradient watches it, a step of the outer one."""
    t = tensor._data
    return Record(_IDENTITY, (tensor._var,), None, {}, ((t.shape, t.dtype, t.device),)), 0


class _Identity:
    """The step from an outer variable of a tensor to an inner one."""

    @staticmethod
    def sweep(record: Record, dout: tuple[Any, ...]) -> list[Any]:
        return [dout[0]]


_IDENTITY = _Identity


class Custom:
    """A derivative given as a function: cotangents of the parents from those of the results."""

    def __init__(self, rule: Callable[..., Sequence[Any]]):
        self.rule = rule

    def sweep(self, record: Record, dout: tuple[Any, ...]) -> Sequence[Any]:
        filled = [zeros_of(a) if d is None else d for d, a in zip(dout, record.avals, strict=True)]
        return self.rule(*filled)


def record_custom(rule: Callable[..., Sequence[Any]], inputs: Sequence[Tensor],
                  outs: Sequence[Tensor]) -> list[Tensor]:
    """Results that lead back to `inputs` through `rule(*douts) -> cotangents`."""
    parents = tuple([x._var for x in inputs])
    if not State.depth or not any(p is not None for p in parents):
        return list(outs)
    record = Record(Custom(rule), parents, None, {}, _signatures([o._data for o in outs]))
    return [wrap(o._data, (record, i)) for i, o in enumerate(outs)]


def zeros_of(signature: Any) -> Tensor:
    """A zero cotangent for a recorded result."""
    shape, dtype, device = signature
    return wrap(torch.zeros(shape, dtype=dtype, device=device))


def sweep(outs: Sequence[Tensor], douts: Sequence[Tensor | None], wanted: Sequence[Var],
          keep: bool = False) -> list[Tensor | None]:
    """Cotangents of the wanted variables; `keep` leaves the records usable for another sweep."""
    slots: dict[Record, list[Any]] = {}
    for out, dout in zip(outs, douts, strict=True):
        if dout is not None and out._var is not None:
            _give(slots, out._var, dout)
    stops = {var[0] for var in wanted}
    order = _needed(list(slots), stops)
    add = registry.REGISTRY["Add"]
    for record in order:
        dout = slots.pop(record, None)
        if dout is None:
            continue
        if type(record.op) is Operator:
            cotangents = _apply(record, dout)
        else:
            cotangents = record.op.sweep(record, tuple(dout))
        if not keep and not State.depth:
            record.saved = _FREED
        for parent, d in zip(record.parents, cotangents, strict=False):
            if parent is None or d is None or parent[0] not in order.wanted:
                continue
            if type(d) is FunctionType:      # computed only now that somebody wants it
                d = d()
            if d is not None:
                _give(slots, parent, d, add)
    return [slots[r][i] if r in slots else None for r, i in wanted]


_FREED = object()


def _apply(record: Record, dout: list[Any]) -> Sequence[Any]:
    if record.saved is _FREED:
        raise RuntimeError(f"The values that the gradient of '{record.op.name}' needs were freed "
                           "after a first sweep; take both gradients in one call.")
    saved = [_restore(v, record) for v in record.saved]
    several = len(record.avals) > 1
    return record.op.rule(*saved, tuple(dout) if several else dout[0], **record.attrs)


def _give(slots: dict[Record, list[Any]], var: Var, d: Any, add: Any = None) -> None:
    record, i = var
    held = slots.get(record)
    if held is None:
        held = slots[record] = [None] * len(record.avals)
    held[i] = d if held[i] is None else (add or registry.REGISTRY["Add"])(held[i], d)


class _Order(list[Record]):
    """Records to sweep, latest first; `wanted` holds those on a path to a wanted variable."""

    wanted: set[Record]


def _needed(roots: list[Record], stops: set[Record]) -> _Order:
    """The records between the roots and the wanted variables."""
    low = min((r.serial for r in stops), default=0)
    seen: dict[Record, None] = dict.fromkeys(roots)
    todo = list(roots)
    while todo:
        record = todo.pop()
        if record in stops:
            continue
        for parent in record.parents:
            if parent is not None and parent[0].serial >= low and parent[0] not in seen:
                seen[parent[0]] = None
                todo.append(parent[0])
    rising = sorted(seen, key=lambda r: r.serial)
    wanted = set(stops)
    for record in rising:
        if record not in wanted and any(p is not None and p[0] in wanted for p in record.parents):
            wanted.add(record)
    order = _Order([r for r in reversed(rising) if r in wanted and r not in stops])
    order.wanted = wanted
    return order


infix.install(Tensor)
registry.eager = execute
__all__ = ["Custom", "Record", "State", "Var", "execute", "record_custom", "sweep",
           "watch", "zeros_of"]
