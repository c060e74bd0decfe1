"""Messages between two processes as functions; the part of `mindspore.communication.comm_func` beside collectives."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.core import check
from mindspore.core.dtype import float32
from mindspore.distributed import exchange
from mindspore.distributed.groups import HCCL_WORLD_COMM_GROUP as WORLD
from mindspore.eager.tensor import wrap
from mindspore.ir.runtime import runtime
from mindspore.operators import messages

from .comm_func import CommHandle, group_name, place_of, tensor_in


def send(tensor: Any, dst: int = 0, group: str = WORLD, tag: int = 0) -> None:
    """Send a tensor to process `dst` of the world, and wait until it is on its way.

    Args:
        tensor: The tensor.
        dst: The number of the process in the world.
        group: Name of a group that both are part of.
        tag: A number that the receiver names, too.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `dst` is not part of the group.

    Examples:
        >>> from mindspore.communication import comm_func, get_group_size, get_rank, init, release
        >>> init()
        >>> if get_group_size() > 1:
        ...     comm_func.send(Tensor([1.0]), 1) if get_rank() == 0 else comm_func.recv(ops.zeros(1), 0)
        >>> release()
    """
    isend(tensor, dst, group, tag).wait()


def recv(tensor: Any, src: int = 0, group: str = WORLD, tag: int = 0) -> Any:
    """A tensor of the shape and dtype of `tensor` from process `src` of the world; arguments and errors as `send`.

    Examples:
        >>> from mindspore.communication import comm_func, get_group_size, get_rank, init, release
        >>> init()
        >>> if get_group_size() > 1:
        ...     comm_func.send(Tensor([1.0]), 1) if get_rank() == 0 else comm_func.recv(ops.zeros(1), 0)
        >>> release()
    """
    found, under_way = irecv(tensor, src, group, tag)
    under_way.wait()
    return found


def isend(tensor: Any, dst: int = 0, group: str = WORLD, tag: int = 0) -> CommHandle:
    """Begin to send a tensor; arguments as `send`. The handle tells when it is done.

    Examples:
        >>> from mindspore.communication import comm_func, get_group_size, get_rank, init, release
        >>> init()
        >>> if get_group_size() > 1:
        ...     under_way = comm_func.isend(Tensor([1.0]), (get_rank() + 1) % get_group_size())
        ...     x = comm_func.recv(ops.zeros(1), get_rank() - 1 if get_rank() else get_group_size() - 1)
        ...     under_way.wait()
        >>> release()
    """
    name = "isend"
    group = group_name(name, group)
    eager(name)
    message = exchange.Message(place_of(name, "dst", dst, group), give=tensor_in(name, "tensor", tensor)._data,
                               tag=check.integer(name, "tag", tag, 0))
    return CommHandle(exchange.begun(message, group, name))


def irecv(tensor: Any, src: int = 0, group: str = WORLD, tag: int = 0) -> tuple[Any, CommHandle]:
    """Begin to receive a tensor, which is complete when the handle was waited for; arguments as `recv`.

    Examples:
        >>> from mindspore.communication import comm_func, get_group_size, get_rank, init, release
        >>> init()
        >>> if get_group_size() > 1:
        ...     x, under_way = comm_func.irecv(ops.zeros(1), get_rank() - 1 if get_rank() else get_group_size() - 1)
        ...     comm_func.send(Tensor([1.0]), (get_rank() + 1) % get_group_size())
        ...     under_way.wait()
        >>> release()
    """
    name = "irecv"
    group = group_name(name, group)
    eager(name)
    like = tensor_in(name, "tensor", tensor)._data
    message = exchange.Message(place_of(name, "src", src, group), shape=tuple(like.shape), dtype=like.dtype,
                               device=like.device, tag=check.integer(name, "tag", tag, 0))
    finish = exchange.begun(message, group, name)
    return wrap(message.result()), CommHandle(finish)


def eager(name: str) -> None:
    """RuntimeError in a graph, which has no handles."""
    if runtime.building:
        raise RuntimeError(f"'{name}' is for PyNative mode; in graphs use ops.Send and ops.Receive.")


class P2POp:
    """A message of `batch_isend_irecv`.

    Args:
        op: "isend" or "irecv", or the function of that name.
        tensor: What is sent, or a tensor (or a shape) as what comes.
        peer: The number of the other process in the world.
        group: Name of a group that both are part of. Default: the world.
        tag: Must be 0.
        recv_dtype: The dtype of what comes if `tensor` is a shape.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `op` is no such name, or there is no dtype for a shape.
        NotImplementedError: `tag` is not 0.

    Examples:
        >>> mindspore.communication.comm_func.P2POp("isend", Tensor([1.0]), 0).op
        'isend'
    """

    def __init__(self, op: Any, tensor: Any, peer: int, group: str | None = None, tag: int = 0, *,
                 recv_dtype: Any = None):
        self.op = getattr(op, "__name__", op)
        if self.op not in ("isend", "irecv"):
            raise ValueError(f"For 'P2POp', the 'op' must be 'isend' or 'irecv' or the function of that name, but got "
                             f"{op!r}.")
        if isinstance(tensor, (tuple, list)) and self.op == "irecv":
            if recv_dtype is None:
                raise ValueError("For 'P2POp', the 'recv_dtype' must be given where the 'tensor' is a shape.")
        else:
            tensor_in("P2POp", "tensor", tensor)
        if tag:
            raise NotImplementedError(f"For 'P2POp', the 'tag' must be 0, but got {tag!r}.")
        self.tensor, self.tag, self.recv_dtype = tensor, tag, recv_dtype
        self.peer = check.integer("P2POp", "peer", peer, 0)
        self.group = group_name("P2POp", group)


def batch_isend_irecv(p2p_op_list: Sequence[P2POp]) -> tuple[Any, ...]:
    """Send and receive several tensors at once, so that no order of processes can block.

    Args:
        p2p_op_list: The messages, of one group.

    Returns:
        For every message that comes its tensor, for every other one a zero.

    Raises:
        TypeError: The argument is no list of `P2POp`, is empty, or has several groups.

    Examples:
        >>> mindspore.communication.init()
        >>> P2POp = mindspore.communication.comm_func.P2POp
        >>> both = [P2POp("isend", Tensor([1.0, 2.0]), 0), P2POp("irecv", (2,), 0, recv_dtype=mindspore.float32)]
        >>> mindspore.communication.comm_func.batch_isend_irecv(both)[1].tolist()
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    name = "batch_isend_irecv"
    if not isinstance(p2p_op_list, (list, tuple)) or not p2p_op_list or not all(
            [isinstance(p, P2POp) for p in p2p_op_list]):
        raise TypeError(f"For '{name}', the 'p2p_op_list' must be a list of P2POp, at least one, but got "
                        f"{p2p_op_list!r}.")
    group = p2p_op_list[0].group
    if any([p.group != group for p in p2p_op_list]):
        raise TypeError(f"For '{name}', all messages must be of one group, but got "
                        f"{sorted({p.group for p in p2p_op_list})}.")
    comes = [p for p in p2p_op_list if p.op == "irecv"]
    shapes = [tuple(p.tensor if isinstance(p.tensor, (tuple, list)) else p.tensor.shape) for p in comes]
    dtypes = [p.recv_dtype or getattr(p.tensor, "dtype", float32) for p in comes]
    return tuple(messages.batch_isend_irecv(
        *[p.tensor for p in p2p_op_list if p.op == "isend"], op_types=tuple([p.op for p in p2p_op_list]),
        remote_ranks=tuple([place_of(name, "peer", p.peer, group) for p in p2p_op_list]),
        receive_shapes=tuple(shapes), receive_dtypes=tuple(dtypes), group=group))
