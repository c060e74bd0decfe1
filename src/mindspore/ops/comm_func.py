"""Collectives as functions that return new tensors: `mindspore.communication.comm_func`.

They are the operators of `ops` (`AllReduce`, ...) with numbers of processes in the world, and handles of what is under
way.  Collectives are done when they return; only messages between two processes (`isend`, `irecv`) are under way.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.core import check
from mindspore.core.errors import show
from mindspore.distributed.groups import HCCL_WORLD_COMM_GROUP as WORLD
from mindspore.distributed.groups import members
from mindspore.eager.tensor import is_tensor
from mindspore.operators import communication as collectives


class CommHandle:
    """What is under way: `wait` returns when it is done.

    Args:
        finish: What there is to do; None if it is done.
        exec_sync: Whether it is waited for at once.

    Examples:
        >>> mindspore.communication.init()
        >>> _, handle = mindspore.communication.comm_func.all_reduce(Tensor([1.0]), async_op=True)
        >>> handle.wait()
        >>> mindspore.communication.release()
    """

    def __init__(self, handle: Callable[[], None] | None = None, exec_sync: bool = False):
        self._finish = handle
        if check.boolean("CommHandle", "exec_sync", exec_sync):
            self.wait()

    def wait(self) -> None:
        """Wait until it is done; a second time there is nothing to wait for."""
        finish, self._finish = self._finish, None
        if finish is not None:
            finish()


def handle(name: str, async_op: Any) -> CommHandle | None:
    """The handle of a collective, which is done: None unless one is asked for."""
    return CommHandle() if check.boolean(name, "async_op", async_op) else None


def tensor_in(name: str, argument: str, value: Any) -> Any:
    """The argument; TypeError if it is no tensor."""
    if not is_tensor(value):
        raise TypeError(f"For '{name}', the '{argument}' must be a Tensor, but got {show(value)} with type "
                        f"'{type(value).__name__}'.")
    return value


def place_of(name: str, argument: str, rank: Any, group: str) -> int:
    """The number in a group of a process that has this number in the world."""
    check.integer(name, argument, rank, 0)
    _, ranks = members(name, group)
    if rank not in ranks:
        raise ValueError(f"For '{name}', the '{argument}' must be one of the processes {ranks} of the group, but got "
                         f"{rank}.")
    return ranks.index(rank)


def group_name(name: str, group: Any) -> str:
    """The name of a group; None is the world."""
    return WORLD if group is None else check.string(name, "group", group)


def all_reduce(tensor: Any, op: str = "sum", group: str = WORLD, async_op: bool = False) -> Any:
    """The sum, maximum, minimum, product or mean of the tensors of all processes.

    Args:
        tensor: Of the same shape and dtype in all processes.
        op: One of `ops.ReduceOp`.
        group: Name of the group.
        async_op: Whether a handle is returned.

    Returns:
        The tensor, and a handle, or None without `async_op`.

    Raises:
        TypeError: An argument has the wrong type.
        RuntimeError: `init` was not called, or the processes do not answer.

    Examples:
        >>> mindspore.communication.init()
        >>> mindspore.communication.comm_func.all_reduce(Tensor([1.0, 2.0]))[0].tolist()
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    name = "all_reduce"
    found = collectives.all_reduce(tensor_in(name, "tensor", tensor), op=op, group=group_name(name, group))
    return found, handle(name, async_op)


def all_gather_into_tensor(tensor: Any, group: str = WORLD, async_op: bool = False) -> Any:
    """The tensors of all processes one after the other, (n * processes, ...); arguments and results as `all_reduce`.

    Examples:
        >>> mindspore.communication.init()
        >>> mindspore.communication.comm_func.all_gather_into_tensor(Tensor([1.0, 2.0]))[0].tolist()
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    name = "all_gather_into_tensor"
    found = collectives.all_gather(tensor_in(name, "tensor", tensor), group=group_name(name, group))
    return found, handle(name, async_op)


def reduce_scatter_tensor(tensor: Any, op: str = "sum", group: str = WORLD, async_op: bool = False) -> Any:
    """The part of this process, (n, ...), of the sum of tensors (n * processes, ...); otherwise as `all_reduce`.

    Examples:
        >>> mindspore.communication.init()
        >>> mindspore.communication.comm_func.reduce_scatter_tensor(Tensor([1.0, 2.0]))[0].tolist()
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    name = "reduce_scatter_tensor"
    found = collectives.reduce_scatter(tensor_in(name, "tensor", tensor), op=op, group=group_name(name, group))
    return found, handle(name, async_op)


def reduce(tensor: Any, dst: int, op: str = "sum", group: str = WORLD) -> Any:
    """The sum (or another reduction) for process `dst` of the world; the others get one zero.

    Args:
        tensor: Of the same shape and dtype in all processes.
        dst: The number of the process in the world.
        op: One of `ops.ReduceOp`.
        group: Name of the group.

    Returns:
        The tensor.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `dst` is not part of the group.

    Examples:
        >>> mindspore.communication.init()
        >>> mindspore.communication.comm_func.reduce(Tensor([1.0, 2.0]), 0).tolist()
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    name = "reduce"
    group = group_name(name, group)
    return collectives.reduce(tensor_in(name, "tensor", tensor), dest_rank=place_of(name, "dst", dst, group), op=op,
                              group=group)


def broadcast(tensor: Any, src: int = 0, group: str = WORLD) -> Any:
    """The tensor of process `src` of the world; arguments and errors as `reduce`.

    Examples:
        >>> mindspore.communication.init()
        >>> mindspore.communication.comm_func.broadcast(Tensor([1.0, 2.0])).tolist()
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    name = "broadcast"
    group = group_name(name, group)
    return collectives.broadcast(tensor_in(name, "tensor", tensor), root_rank=place_of(name, "src", src, group),
                                 group=group)[0]


def gather_into_tensor(tensor: Any, dst: int = 0, group: str = WORLD) -> Any:
    """The tensors of all processes one after the other for process `dst` of the world; the others get one zero.

    Examples:
        >>> mindspore.communication.init()
        >>> mindspore.communication.comm_func.gather_into_tensor(Tensor([1.0, 2.0])).tolist()
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    name = "gather_into_tensor"
    group = group_name(name, group)
    return collectives.collective_gather(tensor_in(name, "tensor", tensor),
                                         dest_rank=place_of(name, "dst", dst, group), group=group)


def scatter_tensor(tensor: Any, src: int = 0, group: str = WORLD) -> Any:
    """The part of this process, (n, ...), of the tensor (n * processes, ...) of process `src` of the world.

    Examples:
        >>> mindspore.communication.init()
        >>> mindspore.communication.comm_func.scatter_tensor(Tensor([1.0, 2.0])).tolist()
        [1.0, 2.0]
        >>> mindspore.communication.release()
    """
    name = "scatter_tensor"
    group = group_name(name, group)
    return collectives.collective_scatter(tensor_in(name, "tensor", tensor),
                                          src_rank=place_of(name, "src", src, group), group=group)


def barrier(group: str = WORLD) -> None:
    """Return when all processes of the group have come here.

    Examples:
        >>> mindspore.communication.init()
        >>> mindspore.communication.comm_func.barrier()
        >>> mindspore.communication.release()
    """
    collectives.barrier(group=group_name("barrier", group))
