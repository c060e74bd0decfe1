"""Which of how many processes a program is, for the program itself: before `init`, too."""
from __future__ import annotations

from typing import Any

from mindspore.core.launched import ALONE, Launch, launch

from . import groups


def get_rank(group: Any = groups.HCCL_WORLD_COMM_GROUP) -> int:
    """Number of this process in the group, from 0; before `init` what the launcher says, or 0.

    Args:
        group: Name of a group that was created; by default the world.

    Returns:
        The number, an int; -1 in a group that this process is not part of.

    Raises:
        TypeError: The name is no str.
        RuntimeError: There is no group of that name, or numbers are only given by `init`.

    Examples:
        >>> mindspore.communication.get_rank()
        0
    """
    found = _as_started(group).rank
    if found is None:
        raise RuntimeError("For 'get_rank', the scheduler gives this process its number when they meet. Call "
                           "'mindspore.communication.init()' at the beginning of the program.")
    return found or groups.get_rank(group)


def get_group_size(group: Any = groups.HCCL_WORLD_COMM_GROUP) -> int:
    """Number of processes in the group; before `init` what the launcher says, or 1.

    Args:
        group: Name of a group that was created; by default the world.

    Returns:
        The number, an int.

    Raises:
        TypeError: The name is no str.
        RuntimeError: There is no group of that name.

    Examples:
        >>> mindspore.communication.get_group_size()
        1
    """
    found = _as_started(group).size
    return found if found > 1 else groups.get_group_size(group)


def _as_started(group: Any) -> Launch:
    """What is known of the world before the processes have met; of a process alone where nothing is to be said."""
    if groups.GlobalComm.INITED or not groups.GlobalComm.CHECK_ENVS or group not in groups.WORLDS:
        return ALONE
    started = launch()
    return started if started.role == "worker" and started.size > 1 else ALONE
