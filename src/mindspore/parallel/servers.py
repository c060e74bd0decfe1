"""The roles of parameter servers, as programs of 1.x ask for them: no process has one."""
from __future__ import annotations


def _is_role_pserver() -> bool:
    """Whether this process is a parameter server: never."""
    return False


def _is_role_worker() -> bool:
    """Whether this process is the worker of a parameter server: never."""
    return False


def _is_role_sched() -> bool:
    """Whether this process is the scheduler of parameter servers: never."""
    return False


def _get_ps_mode_rank() -> int:
    """The number of this process among the workers of a parameter server: 0."""
    return 0


def destroy_allgather_cell() -> None:
    """Give up the cell that gathers parameters for a checkpoint: none is kept here."""


__all__ = ["_get_ps_mode_rank", "_is_role_pserver", "_is_role_sched", "_is_role_worker", "destroy_allgather_cell"]
