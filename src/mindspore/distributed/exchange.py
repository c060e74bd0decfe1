"""Messages between single processes, on torch tensors, and what consists of them."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from . import world as worlds
from .collectives import as_bytes, from_bytes, told
from .groups import HCCL_WORLD_COMM_GROUP as WORLD
from .groups import members


def swapped(x: torch.Tensor, give: Sequence[int], take: Sequence[int], group: str, name: str) -> torch.Tensor:
    """`x` is cut along the first axis into parts of the lengths `give`, one for each process; what comes is joined.

    Args:
        take: The lengths of the parts that come, from each process in order.
        name: The operator, for errors.
    """
    pg, ranks = members(name, group)
    if sum(give) != x.shape[0] or len(give) != len(ranks) or len(take) != len(ranks):
        raise ValueError(f"For '{name}', the lengths must be {len(ranks)} numbers for the parts that are sent, which "
                         f"add up to {x.shape[0]}, and as many for those that come, but got {list(give)} and "
                         f"{list(take)}.")
    if pg is None:
        return x.clone()
    sent = as_bytes(x)
    out = sent.new_empty((sum(take), *sent.shape[1:]))
    with told(name, ranks):
        _dist().all_to_all_single(out, sent, list(take), list(give), group=pg)
    return from_bytes(out, x.dtype)


def swapped_blocks(x: torch.Tensor, split: int, join: int, group: str) -> torch.Tensor:
    """Cut along `split` into a block for each process, swap, and join what comes along `join`."""
    _, ranks = members("AlltoAll", group)
    n = len(ranks)
    blocks = torch.stack(x.chunk(n, split))
    return torch.cat(swapped(blocks, [1] * n, [1] * n, group, "AlltoAll").unbind(0), join)


class Message:
    """One tensor on its way: what `dist.P2POp` wants, and the result of a message that comes."""

    def __init__(self, peer: int, give: torch.Tensor | None = None, shape: Sequence[int] = (),
                 dtype: torch.dtype = torch.float32, device: Any = None, tag: int = 0):
        self.peer, self.tag, self.dtype, self.shape = peer, tag, dtype, tuple(shape)
        self.comes = give is None
        self.buffer = as_bytes(torch.empty(self.shape, dtype=dtype, device=device) if give is None else give)

    def result(self) -> torch.Tensor:
        """What came."""
        return from_bytes(self.buffer, self.dtype).reshape(self.shape)


def passed(messages: Sequence[Message], group: str, name: str) -> list[torch.Tensor]:
    """Send and receive at once, so that no order of processes can block; the tensors that came, in order.

    Raises:
        ValueError: A process would send to itself what it does not receive.
    """
    pg, ranks = members(name, group)
    own = worlds.world.rank
    to_self = [m for m in messages if ranks[m.peer] == own]
    sent, came = [m for m in to_self if not m.comes], [m for m in to_self if m.comes]
    if len(sent) != len(came):
        raise ValueError(f"For '{name}', process {own} sends {len(sent)} tensors to itself and receives {len(came)} "
                         "from itself: both numbers must be equal.")
    for give, take in zip(sent, came, strict=True):
        take.buffer = give.buffer.clone()
    others = [m for m in messages if ranks[m.peer] != own]
    if others and pg is not None:
        dist = _dist()
        with told(name, ranks):
            works = [(dist.irecv if m.comes else dist.isend)(m.buffer, ranks[m.peer], group=pg, tag=m.tag)
                     for m in others]
            for work in works:
                work.wait()
    return [m.result() for m in messages if m.comes]


_under_way: list[tuple[Callable[[], None], torch.Tensor]] = []


def sent_away(x: torch.Tensor, peer: int, tag: int) -> None:
    """Begin to send a tensor to a process; `settled` waits for it."""
    kept = x.detach().clone(memory_format=torch.contiguous_format)        # the program may write into its memory
    wait = begun(Message(peer, kept, tag=tag), WORLD, "Send")
    if wait is not None:
        _under_way.append((wait, kept))


def received(shape: Sequence[int], dtype: torch.dtype, peer: int, tag: int) -> torch.Tensor:
    """The tensor that a process sends."""
    message = Message(peer, shape=shape, dtype=dtype, tag=tag)
    wait = begun(message, WORLD, "Receive")
    if wait is not None:
        wait()
    return message.result()


def settled() -> None:
    """Wait until everything that was sent has been taken."""
    while _under_way:
        _under_way.pop(0)[0]()


def begun(message: Message, group: str, name: str) -> Callable[[], None] | None:
    """Begin with one message; what waits for it.  A message to this process itself has no second end, an error.

    Raises:
        ValueError: The message is for this process.
    """
    pg, ranks = members(name, group)
    if ranks[message.peer] == worlds.world.rank:
        raise ValueError(f"For '{name}', process {worlds.world.rank} cannot exchange a message with itself.")
    with told(name, ranks):
        work = (_dist().irecv if message.comes else _dist().isend)(message.buffer, ranks[message.peer], group=pg,
                                                                   tag=message.tag)

    def wait() -> None:
        with told(name, ranks):
            work.wait()
    return wait


def _dist() -> Any:
    import torch.distributed as dist  # loaded by the set-up of the world

    return dist
