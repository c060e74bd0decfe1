"""Collectives on torch tensors, for groups by name: new results, the inputs stay as they are.

In a group of one process nothing travels. Element types that a backend does not send travel in one that it does, or as
their bytes.
"""
from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from mindspore.core import context
from mindspore.core.parallel_modes import ParallelMode

from . import world as worlds
from .groups import members

SUM, MAX, MIN, PROD, AVG = "sum", "max", "min", "prod", "avg"
REDUCTIONS = (SUM, MAX, MIN, PROD, AVG)
WORD = 3                 # seconds in which processes whose collective failed are expected to say so

# What the elements travel as where the backend has no reduction for them.
_WIDER = {torch.int16: torch.int32, torch.uint16: torch.int32, torch.uint32: torch.int64, torch.bool: torch.uint8}
_HALF = (torch.float16, torch.bfloat16)
_BOOLS = {SUM: MAX, MAX: MAX, MIN: MIN, PROD: MIN}


def reduced_over(x: torch.Tensor, op: str, group: str) -> torch.Tensor:
    """The sum (or maximum...) of the tensors of all processes.

    Args:
        x: Of one shape and type in all processes.
        op: One of `REDUCTIONS`. A sum of bools is whether any is true, a product whether all are.
        group: Name of the group.
    """
    pg, ranks = members("AllReduce", group)
    if pg is None:
        return x.clone()
    return _reduced(x, op, "AllReduce", ranks, lambda sent, kind: torch_distributed().all_reduce(sent, kind, group=pg))


def reduced_at(x: torch.Tensor, op: str, root: int, group: str) -> torch.Tensor:
    """The same for process `root` of the group; the others get one zero."""
    pg, ranks = members("Reduce", group)
    if pg is None:
        return x.clone()
    reduce = torch_distributed().reduce
    found = _reduced(x, op, "Reduce", ranks, lambda sent, kind: reduce(sent, ranks[root], kind, group=pg))
    return found if ranks[root] == worlds.world.rank else x.new_zeros(1)


def _reduced(x: torch.Tensor, op: str, name: str, ranks: Sequence[int], send: Any) -> torch.Tensor:
    average = op == AVG
    if average and not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"For '{name}', the mean of {x.dtype} is not defined: cast the tensor to a float type.")
    op = SUM if average else op
    kind = getattr(torch_distributed().ReduceOp, "PRODUCT" if op == PROD else op.upper())
    if x.is_complex():
        if op != SUM:
            raise TypeError(f"For '{name}', complex numbers can only be added, but the 'op' is {op!r}.")
        sent = torch.view_as_real(x).contiguous().clone()
    elif x.dtype == torch.bool:
        kind = getattr(torch_distributed().ReduceOp, _BOOLS[op].upper())
        sent = x.to(torch.uint8)
    elif x.dtype == torch.uint64:                 # sums and products have the bits of signed ones, the order is shifted
        sent = x.view(torch.int64).clone()
        if op in (MAX, MIN):
            sent ^= torch.iinfo(torch.int64).min
    else:
        sent = x.to(travels_as(x.dtype)).contiguous()
        sent = sent.clone() if sent.data_ptr() == x.data_ptr() else sent
    with told(name, ranks):
        send(sent, kind)
    if x.dtype == torch.uint64:
        out = (sent ^ torch.iinfo(torch.int64).min if op in (MAX, MIN) else sent).view(torch.uint64)
    else:
        out = torch.view_as_complex(sent) if x.is_complex() else sent.to(x.dtype)
    return out.div_(len(ranks)) if average else out


def travels_as(dtype: torch.dtype) -> torch.dtype:
    """The type in which elements are added up."""
    settings = context.parallel
    split = settings.parallel_mode in (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL)
    if dtype in _HALF and (settings.force_fp32_communication or (settings.gradient_fp32_sync and split)):
        return torch.float32
    return _WIDER.get(dtype, dtype)


def gathered(x: torch.Tensor, group: str) -> torch.Tensor:
    """The tensors of all processes one after the other along the first axis."""
    pg, ranks = members("AllGather", group)
    if pg is None:
        return x.clone()
    sent = as_bytes(x)
    out = sent.new_empty((len(ranks) * sent.shape[0], *sent.shape[1:]))
    with told("AllGather", ranks):
        _named("all_gather_single", "all_gather_into_tensor")(out, sent, group=pg)
    return from_bytes(out, x.dtype)


def gathered_unequal(x: torch.Tensor, counts: Sequence[int], group: str) -> torch.Tensor:
    """The same for tensors whose first axes have the lengths `counts`."""
    longest = max(counts)
    padded = torch.cat([x, x.new_zeros((longest - x.shape[0], *x.shape[1:]))]) if x.shape[0] < longest else x
    parts = gathered(padded, group).split(longest)
    return torch.cat([part[:n] for part, n in zip(parts, counts, strict=True)])


def gathered_at(x: torch.Tensor, root: int, group: str) -> torch.Tensor:
    """The tensors of all processes for process `root`; the others get one zero."""
    pg, ranks = members("CollectiveGather", group)
    if pg is None:
        return x.clone()
    sent, here = as_bytes(x), ranks[root] == worlds.world.rank
    parts = [torch.empty_like(sent) for _ in ranks] if here else None
    with told("CollectiveGather", ranks):
        torch_distributed().gather(sent, parts, ranks[root], group=pg)
    return from_bytes(torch.cat(parts), x.dtype) if parts else x.new_zeros(1)


def reduced_in_parts(x: torch.Tensor, op: str, group: str, free: bool = False) -> torch.Tensor:
    """The part that belongs to this process of the reduction of all tensors, cut along the first axis.

    Args:
        x: Of one shape and type in all processes.
        op: One of `REDUCTIONS`.
        group: Name of the group.
        free: Whether `x` may be overwritten, because it is not read again.
    """
    pg, ranks = members("ReduceScatter", group)
    if pg is None:
        return x.clone()
    n, own = len(ranks), ranks.index(worlds.world.rank)
    if not scatters(x.dtype):                                  # as a whole: the same numbers
        return reduced_over(x, op, group).chunk(n)[own].clone()
    if travels_as(x.dtype) != x.dtype:
        return reduced_in_parts(x.to(travels_as(x.dtype)), op, group).to(x.dtype)
    kind = torch_distributed().ReduceOp.SUM if op in (SUM, AVG) else getattr(torch_distributed().ReduceOp,
                                                                 "PRODUCT" if op == PROD else op.upper())
    out = x.new_empty((x.shape[0] // n, *x.shape[1:]))
    sent = x.contiguous() if free else x.contiguous().clone()
    with told("ReduceScatter", ranks):
        _named("reduce_scatter_single", "reduce_scatter_tensor")(out, sent, kind, group=pg)
    return out.div_(n) if op == AVG else out


def scatters(dtype: torch.dtype) -> bool:
    """Whether the parts of a sum of such tensors travel to their processes; else every process gets the whole sum."""
    return dtype.is_floating_point and travels_as(dtype) not in _HALF


def reduced_in_unequal_parts(x: torch.Tensor, counts: Sequence[int], op: str, group: str) -> torch.Tensor:
    """The same for parts of the lengths `counts`; they travel as long as the longest of them."""
    _, ranks = members("ReduceScatterV", group)
    longest, own = max(counts), ranks.index(worlds.world.rank)
    even = x.new_zeros((len(counts), longest, *x.shape[1:]))
    for row, part in zip(even, x.split(list(counts)), strict=True):
        row[:part.shape[0]] = part
    return reduced_in_parts(even.flatten(0, 1), op, group)[:counts[own]].clone()


def sent_to_all(x: torch.Tensor, root: int, group: str) -> torch.Tensor:
    """The tensor of process `root` of the group."""
    pg, ranks = members("Broadcast", group)
    if pg is None:
        return x.clone()
    sent = as_bytes(x)
    sent = sent.clone() if sent.data_ptr() == x.data_ptr() else sent
    with told("Broadcast", ranks):
        torch_distributed().broadcast(sent, ranks[root], group=pg)
    return from_bytes(sent, x.dtype)


def scattered(x: torch.Tensor, root: int, group: str) -> torch.Tensor:
    """The part that belongs to this process of the tensor of process `root`, cut along the first axis."""
    pg, ranks = members("CollectiveScatter", group)
    if pg is None:
        return x.clone()
    sent = as_bytes(x)
    out = sent.new_empty((sent.shape[0] // len(ranks), *sent.shape[1:]))
    parts = list(sent.chunk(len(ranks))) if ranks[root] == worlds.world.rank else None
    with told("CollectiveScatter", ranks):
        torch_distributed().scatter(out, parts, ranks[root], group=pg)
    return from_bytes(out, x.dtype)


def wait_for_all(group: str) -> None:
    """Return when all processes of the group have come here."""
    pg, ranks = members("Barrier", group)
    if pg is not None:
        with told("Barrier", ranks):
            torch_distributed().barrier(group=pg)


# ---------------------------------------------------------------------- bytes, errors

_SENT = {torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.uint8, torch.int32, torch.int64}


def as_bytes(x: torch.Tensor) -> torch.Tensor:
    """The elements row by row, in a form that every backend moves; of other types the bytes, along one more axis."""
    x = x.contiguous() if x.numel() else torch.empty(x.shape, dtype=x.dtype, device=x.device)   # with usual strides
    if x.dtype in _SENT:
        return x
    if x.dtype == torch.bool:
        return x.view(torch.uint8)
    return x.view(torch.uint8) if x.dim() else x.reshape(1).view(torch.uint8)


def from_bytes(x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """The inverse of `as_bytes`."""
    return x if x.dtype == dtype else x.view(dtype)


@contextmanager
def told(name: str, ranks: Sequence[int]) -> Generator[None]:
    """Say which processes did not answer if a collective fails.

    Raises:
        RuntimeError: The collective failed; the message names it, the cause, and the processes that say nothing.
    """
    try:
        yield
    except (RuntimeError, ValueError) as error:
        silent = _silent(name, ranks)
        others = (f"The processes {silent} do not answer: they have ended, hang, or run a program with other "
                  f"collectives. "
                  "Look at the first error in their logs." if silent else
                  "All processes answer: do they call the collective with tensors of the same shape and type?")
        raise RuntimeError(f"For '{name}', process {worlds.world.rank} could not work together with the processes "
                           f"{list(ranks)}: {worlds.first_line(error)} {others}") from None


def _silent(name: str, ranks: Sequence[int]) -> list[int]:
    """The processes of whose failing collective nobody hears within a short time."""
    store, own = worlds.world.store, worlds.world.rank
    absent = [r for r in ranks if r != own]
    try:
        store.set(f"failed/{own}", name)
        end = time.monotonic() + WORD
        while absent and time.monotonic() < end:
            absent = [r for r in absent if not store.check([f"failed/{r}"])]
            time.sleep(0.05)
    except RuntimeError:            # the meeting point is gone with its process
        return absent
    return absent


def _named(name: str, before: str) -> Any:
    """A collective of torch that had another name in earlier releases."""
    return getattr(torch_distributed(), name, None) or getattr(torch_distributed(), before)


def torch_distributed() -> Any:
    """The module of torch."""
    import torch.distributed as dist  # loaded by the set-up of the world

    return dist
