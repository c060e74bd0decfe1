"""The roles of processes with parameter servers, as programs of 1.x ask for them."""
from __future__ import annotations

from mindspore.distributed import get_rank, meeting


def _is_role_pserver() -> bool:
    """Whether this process is a parameter server."""
    return meeting.role() == "server"


def _is_role_worker() -> bool:
    """Whether this process is the worker of parameter servers."""
    return meeting.role() == "worker"


def _is_role_sched() -> bool:
    """Whether this process is the scheduler of parameter servers."""
    return meeting.role() == "scheduler"


def _get_ps_mode_rank() -> int:
    """The number of this process among the workers of parameter servers; 0 without."""
    return get_rank()


def destroy_allgather_cell() -> None:
    """Give up the cell that gathers parameters for a checkpoint: none is kept here."""


__all__ = ["_get_ps_mode_rank", "_is_role_pserver", "_is_role_sched", "_is_role_worker", "destroy_allgather_cell"]
