"""Messages that write into tensors of the caller, and Python objects on their way: part of `mint.distributed`."""
from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore import distributed
from mindspore.core.dtype import int64, uint8
from mindspore.eager.tensor import Tensor
from mindspore.operators import messages

from . import comm_func, comm_messages
from ._holding import become
from .comm_func import CommHandle, group_name
from .comm_in_place import one_each
from .comm_messages import P2POp


def isend(tensor: Any, dst: int = 0, group: str | None = None, tag: int = 0) -> CommHandle:
    """Begin to send a tensor to process `dst`; `comm_func.isend` with the world for None.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> if mindspore.ops.communication.get_world_size() > 1:
        ...     under_way = mindspore.ops.communication.isend(Tensor([1.0]), 1)
        >>> mindspore.ops.communication.destroy_process_group()
    """
    return comm_messages.isend(tensor, dst, group_name("isend", group), tag)


def irecv(tensor: Any, src: int = 0, group: str | None = None, tag: int = 0) -> CommHandle:
    """Begin to receive a tensor, which holds what came when the handle was waited for.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> if mindspore.ops.communication.get_world_size() > 1:
        ...     under_way = mindspore.ops.communication.irecv(ops.zeros(1), 0)
        >>> mindspore.ops.communication.destroy_process_group()
    """
    came, under_way = comm_messages.irecv(tensor, src, group_name("irecv", group), tag)

    def finish() -> None:
        under_way.wait()
        become(tensor, came)
    return CommHandle(finish)


def send(tensor: Any, dst: int = 0, group: str | None = None, tag: int = 0) -> int:
    """Send a tensor to process `dst`; 0 when it is on its way.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> if mindspore.ops.communication.get_world_size() > 1:
        ...     mindspore.ops.communication.send(Tensor([1.0]), 1)
        >>> mindspore.ops.communication.destroy_process_group()
    """
    isend(tensor, dst, group, tag).wait()
    return 0


def recv(tensor: Any, src: int = 0, group: str | None = None, tag: int = 0) -> int:
    """Let a tensor hold what process `src` sends; 0 when it came.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> if mindspore.ops.communication.get_world_size() > 1:
        ...     mindspore.ops.communication.recv(ops.zeros(1), 0)
        >>> mindspore.ops.communication.destroy_process_group()
    """
    irecv(tensor, src, group, tag).wait()
    return 0


def batch_isend_irecv(p2p_op_list: Sequence[P2POp]) -> list[CommHandle]:
    """Send and receive several tensors at once; the tensors of "irecv" hold what came.

    Args:
        p2p_op_list: The messages, of one group.

    Returns:
        A list of one handle, which is done.

    Raises:
        TypeError: The argument is no list of `P2POp`, is empty, or has several groups.

    Examples:
        >>> from mindspore.ops.communication import P2POp, batch_isend_irecv
        >>> mindspore.ops.communication.init_process_group()
        >>> x = ops.zeros(2)
        >>> batch_isend_irecv([P2POp("isend", Tensor([1.0, 2.0]), 0), P2POp("irecv", x, 0)])[0].wait()
        >>> x.tolist()
        [1.0, 2.0]
        >>> mindspore.ops.communication.destroy_process_group()
    """
    came = comm_messages.batch_isend_irecv(p2p_op_list)
    for p, value in zip(p2p_op_list, came, strict=True):
        if p.op == "irecv":
            become(p.tensor, value)
    return [CommHandle()]


# ---------------------------------------------------------------------- Python objects, by pickle

def all_gather_object(object_list: list[Any], obj: Any, group: str | None = None) -> None:
    """Let a list hold the objects of all processes.

    Objects travel as pickles, which can run code when they are read: the processes must trust one another.

    Args:
        object_list: A list with a place for each process.
        obj: The object of this process.
        group: Name of the group. Default: the world.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> found = [None]
        >>> mindspore.ops.communication.all_gather_object(found, {"a": 1})
        >>> found
        [{'a': 1}]
        >>> mindspore.ops.communication.destroy_process_group()
    """
    group = group_name("all_gather_object", group)
    one_each("all_gather_object", "object_list", object_list, group)
    data = _pickled(obj)
    sizes = comm_func.all_gather_into_tensor(Tensor([data.size], int64), group)[0].tolist()
    flat = messages.all_gather_v(data, output_split_sizes=tuple(sizes), group=group).asnumpy()
    start = 0
    for k, n in enumerate(sizes):
        object_list[k] = pickle.loads(flat[start:start + n].tobytes())
        start += n


def _pickled(obj: Any) -> Tensor:
    return Tensor(np.frombuffer(pickle.dumps(obj), np.uint8).copy())


def gather_object(obj: Any, object_gather_list: list[Any] | None = None, dst: int = 0,
                  group: str | None = None) -> None:
    """Let a list of process `dst` hold the objects of all processes; see `all_gather_object`.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> found = [None]
        >>> mindspore.ops.communication.gather_object("a", found)
        >>> found
        ['a']
        >>> mindspore.ops.communication.destroy_process_group()
    """
    every: list[Any] = [None] * distributed.get_group_size(group_name("gather_object", group))
    all_gather_object(every, obj, group)
    if distributed.get_rank() == dst:
        one_each("gather_object", "object_gather_list", object_gather_list or [], group_name("gather_object", group))
        assert object_gather_list is not None
        object_gather_list[:] = every


def broadcast_object_list(object_list: list[Any], src: int = 0, group: str | None = None, device: Any = None) -> None:
    """Let a list hold the objects of the list of process `src`; `device` must be None. See `all_gather_object`.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> mindspore.ops.communication.broadcast_object_list(["a", 1])
        >>> mindspore.ops.communication.destroy_process_group()
    """
    _no_device("broadcast_object_list", device)
    group = group_name("broadcast_object_list", group)
    data = _pickled(object_list)
    size = comm_func.broadcast(Tensor([data.size], int64), src, group).tolist()[0]
    here = distributed.get_rank() == src
    sent = comm_func.broadcast(data if here else Tensor(np.zeros(size, np.uint8)), src, group)
    object_list[:] = pickle.loads(sent.asnumpy().tobytes())


def _no_device(name: str, device: Any) -> None:
    if device is not None:
        raise ValueError(f"For '{name}', the 'device' must be None, but got {device!r}.")


def scatter_object_list(scatter_object_output_list: list[Any], scatter_object_input_list: list[Any] | None,
                        src: int = 0, group: str | None = None) -> None:
    """Let the first place of a list hold the object of this process in the list of process `src`.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> found = [None]
        >>> mindspore.ops.communication.scatter_object_list(found, ["a"])
        >>> found
        ['a']
        >>> mindspore.ops.communication.destroy_process_group()
    """
    name = "scatter_object_list"
    group = group_name(name, group)
    every = list(scatter_object_input_list or [])
    if distributed.get_rank() == src:
        one_each(name, "scatter_object_input_list", every, group)
    broadcast_object_list(every, src, group)
    scatter_object_output_list[0] = every[distributed.get_rank(group)]


def send_object_list(object_list: list[Any], dst: int, group: str | None = None, device: Any = None) -> None:
    """Send the objects of a list to process `dst`; `device` must be None. See `all_gather_object`.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> if mindspore.ops.communication.get_world_size() > 1:
        ...     mindspore.ops.communication.send_object_list(["a"], 1)
        >>> mindspore.ops.communication.destroy_process_group()
    """
    _no_device("send_object_list", device)
    data = _pickled(object_list)
    send(Tensor([data.size], int64), dst, group)
    send(data, dst, group)


def recv_object_list(object_list: list[Any], src: int = 0, group: str | None = None, device: Any = None) -> int:
    """Let a list hold the objects that process `src` sends; 0 when they came. See `all_gather_object`.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> if mindspore.ops.communication.get_world_size() > 1:
        ...     mindspore.ops.communication.recv_object_list([None], 0)
        >>> mindspore.ops.communication.destroy_process_group()
    """
    _no_device("recv_object_list", device)
    size = Tensor([0], int64)
    recv(size, src, group)
    data = Tensor(np.zeros(int(size), np.uint8), uint8)
    recv(data, src, group)
    object_list[:] = pickle.loads(data.asnumpy().tobytes())
    return 0
