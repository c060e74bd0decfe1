"""PyNative execution: run kernels, record what a gradient needs.

Every tensor that depends on a watched one carries `_var = (record, i)`: the record of the operator
that made it and the index among its results.  A record keeps its parents' vars and only the raw
values that the gradient rule needs.  The sweep (`eager.sweep`) applies the operators' gradient rules to tensors; a
sweep inside another gradient is recorded like any computation, which gives higher orders.
"""
# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from mindspore.core.kinds import type_of
from mindspore.eager import lone
from mindspore.eager.changes import check, lost
from mindspore.eager.execution import explained, same_dtype, wrapped
from mindspore.eager.hooks import HookHandle, Seen, own_hooks
from mindspore.eager.memory import bases, note_saved, refresh
from mindspore.eager.records import Bases, Record, Var, ViewRecord, Watched
from mindspore.eager.tensor import Tensor, wrap
from mindspore.ir import Aval
from mindspore.ir.runtime import Interpreter, runtime
from mindspore.operators import registry, torch_reverse
from mindspore.operators.attached import AVAL, OUT, REST
from mindspore.operators.cpu_threads.kernels import run
from mindspore.operators.cpu_threads.number import SLEEP
from mindspore.operators.promotion import in_wider_type
from mindspore.operators.registry import Operator
from mindspore.operators.torch_private import alias, is_of_slices


class Recording(Interpreter):
    """Records what depends on a watched tensor; all else is left to who computes."""

    rank = 1

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Run an operator, with a record if an input has a place on the tape."""
        if runtime.changed:
            refresh(inputs)
        for x in inputs:
            if isinstance(x, Tensor) and x._var is not None:
                return _execute_recorded(op, inputs, attrs)
        return self.below.apply(op, inputs, attrs)


@contextmanager
def recording() -> Generator[None]:
    """Let what is computed be recorded, in this thread.  RuntimeError inside of `_no_grad`."""
    if any(one.refusing for one in runtime.stack):
        raise RuntimeError("In no_grad context, you can not calculate gradient: it would be zero. Call 'grad' outside "
                           "of the block of '_no_grad'.")
    own = None if runtime.depth else Recording()
    if own is not None:
        runtime.push(own)
    runtime.depth += 1
    try:
        yield
    finally:
        runtime.depth -= 1
        if own is not None:
            runtime.drop(own)


def _execute_recorded(op: Operator, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    if op.promote:
        inputs = same_dtype(op, inputs)
    if op.strict:
        op.accepts(inputs, attrs)
    raw = [x._data if isinstance(x, Tensor) else x for x in inputs]
    if op.rule is None and op.via_torch:
        return _execute_via_torch(op, inputs, raw, attrs)
    try:
        out = lone.computed(op, raw, attrs) if runtime.steady and op in lone.OPERATORS else None
        if out is None:
            out = run(op, raw, attrs) if SLEEP else op.kernel(*raw, **attrs)
    except Exception as error:  # of a kernel: raised again in the operator's words
        return _in_wider_type(op, inputs, attrs, error)
    several = type_of(out) is tuple
    if op.view:
        if not several and out is raw[0]:
            out = alias(out)                       # two tensors, one memory
        if op.rule is not None:
            return _viewed(op, inputs, raw, out, attrs)
    if op.rule is None:
        return wrapped(out)
    parents = tuple([x._var if isinstance(x, Tensor) else None for x in inputs])
    if several:
        record = Record(op, parents, _saved(op, inputs, raw, out), attrs, len(out))
        return tuple([wrap(o, (record, i)) for i, o in enumerate(out)])
    record = Record(op, parents, _saved(op, inputs, raw, out), attrs, 1)
    return wrap(out, (record, 0))


def _in_wider_type(op: Operator, inputs: tuple[Any, ...], attrs: dict[str, Any], error: Exception) -> Any:
    """The results in a wider type, recorded, or the error of the kernel that refused this one."""
    again = in_wider_type(op, inputs, attrs) if op.wider else None
    if again is None:
        raise explained(op, error, inputs, attrs) from None
    return again


def _viewed(op: Operator, inputs: tuple[Any, ...], raw: list[Any], out: Any, attrs: dict[str, Any]) -> Any:
    """The results of an operator that may share memory with its inputs, recorded."""
    outs: tuple[torch.Tensor, ...] = out if type_of(out) is tuple else (out,)
    parents = tuple([x._var if isinstance(x, Tensor) else None for x in inputs])
    record = view_record(op, parents, _saved(op, inputs, raw, out), attrs, len(outs), bases(inputs, raw, outs))
    found = [wrap(o, (record, i)) for i, o in enumerate(outs)]
    return tuple(found) if outs is out else found[0]


def view_record(op: Any, parents: tuple[Var | None, ...], saved: Any, attrs: dict[str, Any], count: int,
                sources: Bases | None) -> Record:
    """A record, of a kind that knows what its results are views of, if they are."""
    if sources is None:
        return Record(op, parents, saved, attrs, count)
    record = ViewRecord(op, parents, saved, attrs, count)
    record.bases = sources
    return record


# Saved values are not wrappers: a parameter may be rebound before the sweep, and a saved result must
# not point back to the record that holds it, or only the garbage collector would free them.

class Saved:
    """A tensor that a rule needs, without its wrapper, its version and its var (or its index among the results)."""

    __slots__ = ("__weakref__", "data", "var", "version")
    version: int

    def __init__(self, data: torch.Tensor, var: Var | int | None):
        self.data, self.var, self.version = data, var, data._version
        if data._base is not None:
            note_saved(self, data._base)

    def copy(self) -> None:
        """Keep the elements of memory that is about to change; if it changed before, that is found as ever."""
        if self.data._version == self.version:
            self.data = self.data.clone()
            self.version = self.data._version

    def restore(self, record: Record) -> Tensor:
        """The tensor again, if it was not changed; else what raises where its elements are needed."""
        var = (record, self.var) if type(self.var) is int else self.var
        if self.data._version != self.version:
            return lost(self.data, var, getattr(record.op, "op", record.op).name)
        return wrap(self.data, var)


def _pack(inputs: Sequence[Any], raw: Sequence[Any]) -> list[Any]:
    return [Saved(r, x._var) if isinstance(x, Tensor) else r
            for x, r in zip(inputs, raw, strict=True)]


def _saved(op: Operator, inputs: Sequence[Any], raw: list[Any], out: Any) -> list[Any]:
    """The values that the operator's rule needs, in its order."""
    saved: list[Any] = []
    for k in op.picks:
        if k == OUT:
            saved.append(tuple([Saved(o, i) for i, o in enumerate(out)]) if type_of(out) is tuple else Saved(out, 0))
        elif k == REST:
            at = len(op.inputs) - 1
            saved.append(tuple(_pack(inputs[at:], raw[at:])))
        elif k >= AVAL:
            x = inputs[k - AVAL]
            saved.append(_aval(raw[k - AVAL]) if isinstance(x, Tensor) else x)
        elif k < len(inputs):
            x = inputs[k]
            saved.append(Saved(raw[k], x._var) if isinstance(x, Tensor) else x)
        else:
            saved.append(None)
    return saved


_avals: dict[Any, Aval] = {}


def _aval(data: torch.Tensor) -> Aval:
    key = data.shape, data.dtype
    found = _avals.get(key)
    if found is None:
        if len(_avals) > 10_000:              # programs with ever new shapes
            _avals.clear()
        found = _avals[key] = registry.aval_of(data)
    return found


def restored(value: Any, record: Record) -> Any:
    """What a record kept, with the value that it had when the operator ran."""
    if type(value) is Saved:
        return value.restore(record)
    if type_of(value) is tuple:
        return tuple([restored(v, record) for v in value])
    return value


# ---------------------------------------------------------------------- torch's own derivatives

class _Torch:
    """The step of an operator whose derivative is torch's own."""

    __slots__ = ("avals", "inputs", "leaves", "name", "op", "outs")

    def __init__(self, op: Operator, inputs: list[Any], leaves: list[Any], outs: tuple[Any, ...]):
        self.op, self.inputs, self.leaves, self.outs, self.name = op, inputs, leaves, outs, op.name
        self.avals = _signatures(outs)

    def sweep(self, record: Record, dout: tuple[Any, ...]) -> list[Any]:
        if runtime.depth:                     # differentiated again: as an operator, which is recorded
            return self.computed_again(record, dout)
        pairs = [(o, d._data) for o, d in zip(self.outs, dout, strict=True)
                 if d is not None and o.requires_grad]
        wanted = [x for x in self.leaves if x is not None]
        try:
            grads = iter(torch.autograd.grad([o for o, _ in pairs], wanted, [d for _, d in pairs],
                                             retain_graph=True, allow_unused=True))
        except RuntimeError:     # torch asks for the versions of what it saved; records may hold copies
            for v in self.inputs:
                if type(v) is Saved:
                    check(v.data, v.version, self.name)
            return self.computed_again(record, dout)
        found = [next(grads) if x is not None else None for x in self.leaves]
        return [wrap(g) if g is not None else None for g in found]

    def computed_again(self, record: Record, dout: tuple[Any, ...]) -> list[Any]:
        """The cotangents by an operator that computes the results once more."""
        values = [restored(v, record) for v in self.inputs]
        douts = [zeros_of(a) if d is None else d for d, a in zip(dout, self.avals, strict=True)]
        reverse = torch_reverse.reverse_of(self.op, len(values))
        return list(reverse(*values, *douts, **record.attrs))


def _execute_via_torch(op: Operator, inputs: tuple[Any, ...], raw: list[Any],
                       attrs: dict[str, Any]) -> Any:
    leaves: list[Any] = [None] * len(raw)
    args = list(raw)
    for i, x in enumerate(inputs):
        if isinstance(x, Tensor) and x._var is not None and (
                x._data.is_floating_point() or x._data.is_complex()):
            args[i] = leaves[i] = x._data.detach().requires_grad_()
    try:
        with torch.enable_grad():
            out = op.kernel(*args, **attrs)
    except Exception as error:  # of a kernel: raised again in the operator's words
        return _in_wider_type(op, inputs, attrs, error)
    outs: tuple[torch.Tensor, ...] = out if type_of(out) is tuple else (out,)
    parents = tuple([x._var if isinstance(x, Tensor) else None for x in inputs])
    step = _Torch(op, _pack(inputs, raw), leaves, outs)
    record = Record(step, parents, None, attrs, len(outs))
    found = [wrap(o.detach(), (record, i) if o.requires_grad else None)
             for i, o in enumerate(outs)]
    return tuple(found) if outs is out else found[0]


def _signatures(outs: Sequence[torch.Tensor]) -> tuple[Any, ...]:
    return tuple([(o.shape, o.dtype, o.device) for o in outs])


def zeros_of(signature: Any) -> Tensor:
    """A zero cotangent for a result of that shape, dtype and device."""
    shape, dtype, device = signature
    return wrap(torch.zeros(shape, dtype=dtype, device=device))


# ---------------------------------------------------------------------- watching

def refuse_slices(new: torch.Tensor, held: torch.Tensor | None = None) -> None:
    """RuntimeError for what holds all slices, where something that they share is to hold it."""
    if is_of_slices(new) and (held is None or not is_of_slices(held)):
        raise RuntimeError("A tensor that all slices share is assigned a value that differs between them.")


def watch(tensor: Tensor) -> Var:
    """A fresh variable for a tensor; where an outer gradient watches it, a step of the outer one."""
    refresh((tensor,))
    return Record(Watched(tensor), (tensor._var,), None, {}, 1), 0


def zeros_for(var: Var) -> Tensor:
    """A zero cotangent for a watched variable."""
    return zeros_of(var[0].op.aval)


class Custom:
    """A derivative given as a function: cotangents of the parents from those of the results."""

    __slots__ = ("avals", "fill", "rule")

    def __init__(self, rule: Callable[..., Sequence[Any]], outs: Sequence[torch.Tensor], fill: bool = True):
        self.rule, self.avals, self.fill = rule, _signatures(outs), fill

    def sweep(self, record: Record, dout: tuple[Any, ...]) -> Sequence[Any]:
        if not self.fill:
            return self.rule(*dout)
        filled = [zeros_of(a) if d is None else d for d, a in zip(dout, self.avals, strict=True)]
        return self.rule(*filled)


def record_custom(rule: Callable[..., Sequence[Any]], inputs: Sequence[Tensor],
                  outs: Sequence[Tensor], fill: bool = True, parents: tuple[Any, ...] | None = None) -> list[Tensor]:
    """Results that lead back to `inputs` through `rule(*douts) -> cotangents`; without `fill` some `douts` may be None.

    `parents` are the places of the inputs on the tape, where these have changed since.
    """
    if parents is None:
        refresh(inputs)
        parents = tuple([x._var for x in inputs])
    if not runtime.depth or not any(p is not None for p in parents):
        return list(outs)
    raw, made = [x._data for x in inputs], [o._data for o in outs]
    record = view_record(Custom(rule, made, fill), parents, None, {}, len(outs), bases(inputs, raw, made))
    return [wrap(o._data, (record, i)) for i, o in enumerate(outs)]


def register_hook(tensor: Tensor, hook: Callable[..., Any]) -> HookHandle:
    """Let a function see, and perhaps replace, the gradient of a tensor; see `Tensor.register_hook`."""
    refresh((tensor,))
    var = tensor._var
    while var is not None and type(var[0].op) is Watched:       # the tensor that a gradient is taken of
        tensor, var = var[0].op.tensor, var[0].parents[0]
    place, extra = own_hooks(tensor), None
    if var is not None:
        record, i = var
        if type(record.op) is not Seen:
            record.op = Seen(record.op)
        extra = record.op.hooks.setdefault(i, {})
    handle = HookHandle(place, extra_dict=extra)
    for where in (place, extra):
        if where is not None:
            where[handle.handle_id] = hook
    return handle
