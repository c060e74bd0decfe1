"""What workers ask of parameter servers, as operators of their programs."""
from __future__ import annotations

import torch
from torch import Tensor

from mindspore.core.dtype import float32
from mindspore.distributed import clients, meeting
from mindspore.ir import Aval

from .communication import EFFECT, TOGETHER, once_a_run
from .registry import operator
from .values import Value


@operator(hidden=True, effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def serve_step(*grads: Tensor, names: tuple[str, ...]):
    """Let the servers make a step by the gradients of all workers; the new values, and a zero."""
    own = clients.client()
    found = own.step(dict(zip(names, grads, strict=True)), own.place, own.mean)
    return (*[found[name].to(g.dtype) for name, g in zip(names, grads, strict=True)], torch.zeros(()))


@serve_step.shape
def _(*grads: Aval, names: tuple[str, ...]) -> tuple[Aval, ...]:
    return (*[g.strong for g in grads], Aval((), float32))


@operator(hidden=True, effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def pull_rows(ids: Tensor, anchor: Tensor, *, table: str, rows: int, room: int):
    """The rows of a table of the servers; `anchor` represents the table. A server, which only waits, gets zeros."""
    if meeting.role() != "worker":
        return anchor.new_zeros((*ids.shape, anchor.shape[1]))
    return clients.looked_up(ids, anchor, table, rows, room)


@pull_rows.shape
def _(ids: Aval, anchor: Aval, *, table: str, rows: int, room: int) -> Aval:
    return Aval((*ids.shape, anchor.shape[1]), anchor.dtype)


@pull_rows.grad(needs="ids anchor.aval")
def _(ids: Value, anchor: Aval, dout: Value, *, table: str, rows: int, room: int):
    return None, lambda: note_rows(ids, dout, table=table, rows=anchor.shape[0])


@operator(hidden=True, effect=EFFECT, samples=[], dims=TOGETHER)
@once_a_run
def note_rows(ids: Tensor, dout: Tensor, *, table: str, rows: int):
    """Keep the gradients of rows for the next step; zeros, for what represents the table."""
    if meeting.role() == "worker":
        clients.noted(ids, dout, table)
    return dout.new_zeros((rows, dout.shape[-1]))


@note_rows.shape
def _(ids: Aval, dout: Aval, *, table: str, rows: int) -> Aval:
    return Aval((rows, dout.shape[-1]), dout.dtype)
