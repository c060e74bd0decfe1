"""Groups of processes by name: the world, and those that `create_group` made of some of its processes."""
from __future__ import annotations

from typing import Any

from mindspore.core import context

from . import world as worlds

HCCL_WORLD_COMM_GROUP = "hccl_world_group"
NCCL_WORLD_COMM_GROUP = "nccl_world_group"
MCCL_WORLD_COMM_GROUP = "mccl_world_group"
WORLDS = (HCCL_WORLD_COMM_GROUP, NCCL_WORLD_COMM_GROUP, MCCL_WORLD_COMM_GROUP)
_known: dict[str, list[int]] = {}      # the processes of every group that ever had a name
BACKENDS = {"Ascend": "hccl", "GPU": "nccl", "CPU": "mccl"}


class GlobalComm:
    """The group of all processes, as `init` found it.

    Attributes:
        BACKEND: "hccl", "nccl" or "mccl".
        WORLD_COMM_GROUP: Name of the group.
        INITED: Whether `init` was called.
        CHECK_ENVS: Whether `init` looks at the environment variables of the launcher; if not, the process is alone.
    """

    BACKEND: str = "hccl"
    WORLD_COMM_GROUP: str = HCCL_WORLD_COMM_GROUP
    INITED: bool = False
    CHECK_ENVS: bool = True


def init(backend_name=None):
    """Joins the processes that were started together.

    They are started by `msrun`, `torchrun` or `mpirun`, by scripts that set RANK_ID and RANK_SIZE, or with a scheduler
    (MS_ROLE, MS_WORKER_NUM). A process that was started alone is a world of one: collectives return what they get.

    Args:
        backend_name: The library of the collectives; by default the one of the device, the only one that is taken.

    Raises:
        TypeError: `backend_name` is not a str.
        RuntimeError: The backend is unknown or not the one of the device; the processes were started wrongly, or did
            not all come in time (5 minutes; MS_TOPO_TIMEOUT changes the time).

    Examples:
        >>> mindspore.communication.init()
        >>> mindspore.communication.get_rank(), mindspore.communication.get_group_size()
        (0, 1)
        >>> mindspore.communication.release()
    """
    wanted = BACKENDS[context.target_in_use()]
    if backend_name is not None:
        if not isinstance(backend_name, str):
            raise TypeError(f"For 'init', the argument 'backend_name' must be a str, "
                            f"but got {type(backend_name).__name__}.")
        if backend_name not in BACKENDS.values():
            raise RuntimeError(f"For 'init', the argument 'backend_name' must be one of {list(BACKENDS.values())}, "
                               f"but got {backend_name!r}.")
        if backend_name not in (wanted, BACKENDS[context.state.device_target]):     # what is asked for may be absent
            raise RuntimeError(f"For 'init', the argument 'backend_name' must be {wanted!r} on the device "
                               f"{context.target_in_use()}, but got {backend_name!r}.")
    if not GlobalComm.INITED and GlobalComm.CHECK_ENVS:
        worlds.join()
    GlobalComm.BACKEND, GlobalComm.WORLD_COMM_GROUP, GlobalComm.INITED = wanted, f"{wanted}_world_group", True


def release():
    """Leaves all groups, together with the other processes; before `init` there is nothing to leave."""
    worlds.leave()
    GlobalComm.INITED = False


def get_rank(group=HCCL_WORLD_COMM_GROUP):
    """Number of this process in the group, from 0; 0 before `init`, -1 in a group that it is not part of."""
    members = _members("get_rank", group)
    rank = worlds.world.rank
    return members.index(rank) if rank in members else -1


def get_local_rank(group=HCCL_WORLD_COMM_GROUP):
    """Number of this process among those of the group on this machine; 0 before `init`."""
    neighbours = _neighbours("get_local_rank", group)
    rank = worlds.world.rank
    return neighbours.index(rank) if rank in neighbours else -1


def get_group_size(group=HCCL_WORLD_COMM_GROUP):
    """Number of processes in the group; 1 before `init`."""
    return len(_members("get_group_size", group))


def get_local_rank_size(group=HCCL_WORLD_COMM_GROUP):
    """Number of processes of the group on this machine; 1 before `init`."""
    return len(_neighbours("get_local_rank_size", group))


def get_world_rank_from_group_rank(group, group_rank_id):
    """Number in the world of the process that has the number `group_rank_id` in the group."""
    _check_int("get_world_rank_from_group_rank", "group_rank_id", group_rank_id)
    members = _initialized("get_world_rank_from_group_rank", group)
    if not 0 <= group_rank_id < len(members):
        raise ValueError(f"For 'get_world_rank_from_group_rank', the 'group_rank_id' must be in [0, {len(members)}), "
                         f"but got {group_rank_id}.")
    return members[group_rank_id]


def get_group_rank_from_world_rank(world_rank_id, group):
    """Number in the group of the process that has the number `world_rank_id` in the world."""
    _check_int("get_group_rank_from_world_rank", "world_rank_id", world_rank_id)
    members = _initialized("get_group_rank_from_world_rank", group)
    if world_rank_id not in members:
        raise ValueError(f"For 'get_group_rank_from_world_rank', the 'world_rank_id' must be one of {members}, "
                         f"but got {world_rank_id}.")
    return members.index(world_rank_id)


def get_process_group_ranks(group=HCCL_WORLD_COMM_GROUP):
    """Numbers in the world of the processes of the group."""
    return list(_initialized("get_process_group_ranks", group))


def get_comm_name(group=HCCL_WORLD_COMM_GROUP):
    """Name of the communicator of the group."""
    _initialized("get_comm_name", group)
    return group


def create_group(group, rank_ids, options=None):
    """Makes a group of some processes of the world. The processes of the group call it, and wait for each other.

    Args:
        group: The name, at most 127 characters.
        rank_ids: The numbers of its processes in the world, this one among them. In the group they have numbers in the
            same order, from 0.
        options: None; they tune a library that is not used here.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `rank_ids` is empty, has a number twice or one that the world does not have.
        RuntimeError: `init` was not called, the process is not part of the group, or the name was that of a group of
            other processes.

    Examples:
        >>> mindspore.communication.init()
        >>> mindspore.communication.create_group("first", [0])
        >>> mindspore.communication.get_group_size("first")
        1
        >>> mindspore.communication.release()
    """
    _check_name("create_group", group)
    _initialized("create_group", GlobalComm.WORLD_COMM_GROUP)
    if not isinstance(rank_ids, list):
        raise TypeError(f"For 'create_group', the argument 'rank_ids' must be a list, "
                        f"but got {type(rank_ids).__name__}.")
    if options is not None:
        raise ValueError("For 'create_group', the 'options' must be None: they tune a library that is not used here.")
    if not group or len(group) > 127 or group in WORLDS:
        raise ValueError(f"For 'create_group', the 'group' must be a name of 1 to 127 characters that is not the one "
                         f"of the world, but got {group!r}.")
    for rank in rank_ids:
        _check_int("create_group", "rank_ids", rank)
    if not rank_ids or len(set(rank_ids)) != len(rank_ids):
        raise ValueError(f"For 'create_group', the 'rank_ids' must be different numbers, at least one, "
                         f"but got {rank_ids}.")
    size = worlds.world.size
    if not all([0 <= rank < size for rank in rank_ids]):
        raise RuntimeError(f"For 'create_group', the 'rank_ids' must be numbers below the size of the world, {size}, "
                           f"but got {rank_ids}.")
    if worlds.world.rank not in rank_ids:
        raise RuntimeError(f"For 'create_group', this process, {worlds.world.rank}, must be among the 'rank_ids', "
                           f"but got {rank_ids}: only the processes of a group make it.")
    members = sorted(rank_ids)
    if _known.setdefault(group, members) != members:
        raise RuntimeError(f"For 'create_group', the group '{group}' had the processes {_known[group]} before, and "
                           f"compiled programs rely on it. Choose another name for {members}.")
    worlds.world.groups[group] = (worlds.made(group, members), members)


def has_group(group: str) -> bool:
    """Whether there is a group of that name."""
    return group in WORLDS or group in worlds.world.groups


def destroy_group(group):
    """Forgets a group that `create_group` made."""
    _check_name("destroy_group", group)
    _initialized("destroy_group", GlobalComm.WORLD_COMM_GROUP)
    if group in WORLDS:
        raise ValueError("For 'destroy_group', the 'group' must not be the group of all processes.")
    if group not in worlds.world.groups:
        raise KeyError(f"For 'destroy_group', there is no group '{group}'.")
    worlds.unmade(worlds.world.groups.pop(group)[0])


def members(function: str, group: Any) -> tuple[Any, list[int]]:
    """The process group of torch that a name means, and the ranks in it; None for a process alone.

    Raises:
        RuntimeError: `init` was not called, or there is no such group.
    """
    ranks = _initialized(function, group)
    return (worlds.world.groups[group][0] if group in worlds.world.groups else worlds.whole()), ranks


def _neighbours(function: str, group: Any) -> list[int]:
    """The processes of a group that run on this machine."""
    hosts = worlds.world.hosts
    return [rank for rank in _members(function, group) if hosts[rank] == hosts[worlds.world.rank]]


def _members(function: str, group: Any) -> list[int]:
    """Numbers of the processes of a group. Before `init` every group is the process alone."""
    _check_name(function, group)
    if not GlobalComm.INITED:
        return [0]
    if group in WORLDS:
        return list(range(worlds.world.size))
    if group not in worlds.world.groups:
        raise RuntimeError(f"For '{function}', the group {group} does not exist. Make it with 'create_group'.")
    return worlds.world.groups[group][1]


def _initialized(function: str, group: Any) -> list[int]:
    _check_name(function, group)
    if not GlobalComm.INITED:
        raise RuntimeError(f"For '{function}', distributed communication has not been inited. "
                           f"Please call `init()` first.")
    return _members(function, group)


def _check_name(function: str, group: Any) -> None:
    if not isinstance(group, str):
        raise TypeError(f"For '{function}', the argument 'group' must be a str, but got {type(group).__name__}.")


def _check_int(function: str, name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"For '{function}', the argument '{name}' must be an int, but got {type(value).__name__}.")
