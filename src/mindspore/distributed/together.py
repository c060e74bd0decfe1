"""Sums of many tensors over processes, in few messages that travel while other things are computed."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from .collectives import AVG, PROD, reduced_over, told, torch_distributed, travels_as
from .groups import members

_under_way: dict[int, tuple[Any, torch.Tensor]] = {}          # by the memory of a message: what waits for it


def reduced_together(xs: Sequence[torch.Tensor], op: str, group: str, most: int) -> list[torch.Tensor]:
    """The sum (or maximum...) of the tensors of all processes, each of `xs` for itself.

    They travel in messages of at most `most` bytes that are under way at once. Results of one message share its memory.
    """
    pg, _ = members("AllReduce", group)
    if pg is None:
        return [x.clone() for x in xs]
    parts = messages([(x.dtype, x.nbytes) if joins(x.dtype) else None for x in xs], most)
    sent = [begun([xs[k] for k in part], op, group) for part in parts]
    found: list[Any] = [None if joins(x.dtype) else reduced_over(x, op, group) for x in xs]
    for part, message in zip(parts, sent, strict=True):
        for k, piece in zip(part, ended(message, [tuple(xs[k].shape) for k in part], op, group), strict=True):
            found[k] = piece
    return found


def joins(dtype: torch.dtype) -> bool:
    """Whether tensors of a type travel with others: floats that are added up as they are."""
    return dtype.is_floating_point and travels_as(dtype) == dtype


def messages(tensors: Sequence[tuple[Any, int] | None], most: int) -> list[list[int]]:
    """The places of tensors that travel together: of one type, the last ones first, as gradients become ready.

    Args:
        tensors: The type and the bytes of each; None for one that travels by itself.
        most: How many bytes a message has at most, if it has more than one tensor.
    """
    parts: list[list[int]] = []
    open_: dict[Any, tuple[list[int], int]] = {}
    for k in reversed(range(len(tensors))):
        one = tensors[k]
        if one is None:
            continue
        kind, bytes_ = one
        part, size = open_.get(kind, ([], 0))
        if not part or size + bytes_ > most:
            part, size = [], 0
            parts.append(part)
        part.append(k)
        open_[kind] = part, size + bytes_
    return parts


def begun(xs: Sequence[torch.Tensor], op: str, group: str) -> torch.Tensor:
    """A message of tensors of one type, which is under way from then on; `ended` waits for it."""
    message = torch.cat([_flat(x) for x in xs])
    pg, ranks = members("AllReduce", group)
    if pg is not None and message.numel():
        dist = torch_distributed()
        kind = dist.ReduceOp.SUM if op == AVG else getattr(dist.ReduceOp, "PRODUCT" if op == PROD else op.upper())
        with told("AllReduce", ranks):
            _under_way[message.data_ptr()] = dist.all_reduce(message, kind, group=pg, async_op=True), message
    return message


def ended(message: torch.Tensor, shapes: Sequence[Sequence[int]], op: str, group: str) -> Iterator[torch.Tensor]:
    """The results of a message, in its memory; all of them once the other processes have sent theirs."""
    _, ranks = members("AllReduce", group)
    work, _ = _under_way.pop(message.data_ptr(), (None, None))
    if work is not None:
        with told("AllReduce", ranks):
            work.wait()
        if op == AVG:
            message.div_(len(ranks))
    sizes = [torch.Size(shape).numel() for shape in shapes]
    pieces = [message.narrow(0, sum(sizes[:k]), n) for k, n in enumerate(sizes)]
    return iter([_shaped(piece, shape) for piece, shape in zip(pieces, shapes, strict=True)])


def _flat(x: torch.Tensor) -> torch.Tensor:
    """The elements in the order in which they travel, which must not depend on how a process has them in memory.

    On a CPU kernels of convolutions leave gradients with the channels innermost: so those of four dimensions travel.
    """
    return x.permute(0, 2, 3, 1).reshape(-1) if x.dim() == 4 and x.is_cpu else x.reshape(-1)


def _shaped(flat: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    """The inverse of `_flat`."""
    if len(shape) == 4 and flat.is_cpu:
        n, c, h, w = shape
        return flat.view(n, h, w, c).permute(0, 3, 1, 2)
    return flat.view(tuple(shape))
