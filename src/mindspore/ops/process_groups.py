"""Groups of processes under the names of `mindspore.mint.distributed`; None for a group is the world."""
from __future__ import annotations

from datetime import timedelta
from typing import Any

from mindspore import distributed
from mindspore.core import check
from mindspore.distributed import GlobalComm
from mindspore.distributed.groups import HCCL_WORLD_COMM_GROUP as WORLD
from mindspore.distributed.groups import has_group, members

from .comm_func import group_name


def init_process_group(backend: str | None = "hccl", init_method: str | None = None, timeout: timedelta | None = None,
                       world_size: int = -1, rank: int = -1, store: Any = None, group_name: str = "",
                       pg_options: Any = None, device_id: Any = None) -> None:
    """Join the processes that were started together; what they are, the launcher said (`mindspore.communication.init`).

    Args:
        backend: "hccl", "nccl", "mccl" or "gloo": the library follows from the device, whatever is named.
        init_method, store: Must be None: processes meet where the launcher says.
        timeout: Must be None.
        world_size, rank: Those that the launcher said, or -1.
        group_name, pg_options, device_id: Must be "" and None.

    Raises:
        ValueError: An argument asks for something else than the launcher.

    Examples:
        >>> from mindspore.ops import communication as distributed
        >>> distributed.init_process_group()
        >>> distributed.get_world_size(), distributed.is_initialized()
        (1, True)
        >>> distributed.destroy_process_group()
    """
    name = "init_process_group"
    if backend is not None:
        check.option(name, "backend", backend, ("hccl", "nccl", "mccl", "gloo"))
    for argument, value, default in (
            ("init_method", init_method, None), ("timeout", timeout, None), ("store", store, None),
            ("group_name", group_name, ""), ("pg_options", pg_options, None), ("device_id", device_id, None)):
        if value != default:
            raise ValueError(f"For '{name}', the '{argument}' must be {default!r}, but got {value!r}: where processes "
                             "meet, the launcher says (msrun, torchrun, mpirun, or RANK_ID and RANK_SIZE).")
    distributed.init()
    for argument, value, found in (("world_size", world_size, get_world_size()), ("rank", rank, get_rank())):
        if value not in (-1, found):
            raise ValueError(f"For '{name}', the '{argument}' must be {found}, as the launcher said, or -1, but got "
                             f"{value!r}.")


def destroy_process_group(group: str | None = None) -> None:
    """Leave a group; with None all of them, together with the other processes.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> mindspore.ops.communication.destroy_process_group()
        >>> mindspore.ops.communication.is_initialized()
        False
    """
    if group is None or group == WORLD:
        distributed.release()
    else:
        distributed.destroy_group(group_name("destroy_process_group", group))


def get_rank(group: str | None = None) -> int:
    """The number of this process in a group; -1 if it is not part of it.

    Examples:
        >>> mindspore.ops.communication.get_rank()
        0
    """
    return distributed.get_rank(group_name("get_rank", group))


def get_world_size(group: str | None = None) -> int:
    """The number of processes in a group; -1 if there is no such group here.

    Examples:
        >>> mindspore.ops.communication.get_world_size()
        1
    """
    group = group_name("get_world_size", group)
    return distributed.get_group_size(group) if group == WORLD or has_group(group) else -1


def get_backend(group: str | None = None) -> str:
    """The name that the original gives the library of the collectives on this device: "hccl", "nccl" or "mccl".

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> mindspore.ops.communication.get_backend()
        'mccl'
        >>> mindspore.ops.communication.destroy_process_group()
    """
    members("get_backend", group_name("get_backend", group))
    return GlobalComm.BACKEND


def get_global_rank(group: str | None, group_rank: int) -> int:
    """The number in the world of process `group_rank` of a group.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> mindspore.ops.communication.get_global_rank(None, 0)
        0
        >>> mindspore.ops.communication.destroy_process_group()
    """
    return distributed.get_world_rank_from_group_rank(group_name("get_global_rank", group), group_rank)


def get_group_rank(group: str | None, global_rank: int) -> int:
    """The number in a group of process `global_rank` of the world.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> mindspore.ops.communication.get_group_rank(None, 0)
        0
        >>> mindspore.ops.communication.destroy_process_group()
    """
    return distributed.get_group_rank_from_world_rank(global_rank, group_name("get_group_rank", group))


def get_process_group_ranks(group: str | None = None) -> list[int]:
    """The numbers in the world of the processes of a group.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> mindspore.ops.communication.get_process_group_ranks()
        [0]
        >>> mindspore.ops.communication.destroy_process_group()
    """
    return distributed.get_process_group_ranks(group_name("get_process_group_ranks", group))


def new_group(ranks: list[int] | None = None, timeout: Any = None, backend: str | None = None, pg_options: Any = None,
              use_local_synchronization: bool = False, group_desc: str | None = None) -> str:
    """Make a group of some processes of the world.

    Args:
        ranks: Their numbers. Default: all.
        timeout, backend, pg_options: Must be None.
        use_local_synchronization: Whether the processes of the group alone wait for each other, which they always do.
        group_desc: The name of the group. Default: made of the numbers.

    Returns:
        The name of the group; "" in a process that is not part of it.

    Raises:
        ValueError: A number stands twice, or an argument is not None.

    Examples:
        >>> mindspore.ops.communication.init_process_group()
        >>> group = mindspore.ops.communication.new_group([0])
        >>> mindspore.ops.communication.get_world_size(group)
        1
        >>> mindspore.ops.communication.destroy_process_group()
    """
    check.boolean("new_group", "use_local_synchronization", use_local_synchronization)
    for argument, value in (("timeout", timeout), ("backend", backend), ("pg_options", pg_options)):
        if value is not None:
            raise ValueError(f"For 'new_group', the '{argument}' must be None, but got {value!r}.")
    every = list(range(distributed.get_group_size())) if ranks is None else ranks
    if not isinstance(every, (list, tuple)):
        raise check.fail(TypeError, "new_group", "ranks", "a list of ints", ranks)
    name = group_desc or "processes " + " ".join(map(str, every))
    if distributed.get_rank() not in every:
        return ""
    distributed.create_group(name, every)
    return name


def is_available() -> bool:
    """Whether this build can work with several processes, which it always can.

    Examples:
        >>> mindspore.ops.communication.is_available()
        True
    """
    return True


def is_initialized() -> bool:
    """Whether this process has joined the others.

    Examples:
        >>> mindspore.ops.communication.is_initialized()
        False
    """
    return GlobalComm.INITED
