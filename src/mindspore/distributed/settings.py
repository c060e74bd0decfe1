"""What the context says about several processes, under the names that programs of both generations read it by."""
from __future__ import annotations

from typing import Any

from mindspore.core import context

from . import groups


class AutoParallelContext:
    """The keys of automatic parallelism as methods: `get_<key>()`, `get_<key>_is_set()`, `set_<key>(value)`."""

    def __getattr__(self, name: str) -> Any:
        verb, _, key = name.partition("_")
        given = key.removesuffix("_is_set")
        if verb == "get" and given != key and given in context.parallel.table and key not in context.parallel.table:
            return lambda: given in context.parallel.given
        if verb == "get" and key in context.parallel.table:
            return lambda: context.get_auto_parallel_context(key)
        if verb == "set" and key in context.parallel.table:
            return lambda value: context.set_auto_parallel_context(**{key: value})
        raise AttributeError(f"The auto parallel context has no '{name}'.")

    def set_all_reduce_fusion_split_indices(self, indices: list[int], group: str = "") -> None:
        """Which gradients end a message of the all-reduce; the group is the world."""
        if group and group not in groups.WORLDS:
            raise ValueError(f"For 'set_all_reduce_fusion_split_indices', the 'group' must be the group of all "
                             f"processes, but got '{group}'.")
        context.set_auto_parallel_context(all_reduce_fusion_config=indices)

    def get_all_reduce_fusion_split_indices(self, group: str = "") -> list[int]:
        """Which gradients end a message of the all-reduce; of other groups than the world none was ever set."""
        if group and group not in groups.WORLDS:
            return []
        return context.get_auto_parallel_context("all_reduce_fusion_config")

    def set_enable_all_reduce_fusion(self, enable_all_reduce_fusion: bool) -> None:
        """Whether gradients travel in common messages; results are the same."""
        context.set_auto_parallel_context(comm_fusion={"openstate": enable_all_reduce_fusion})

    def reset(self) -> None:
        """Puts every key back to its default."""
        context.reset_auto_parallel_context()


_context = AutoParallelContext()


def auto_parallel_context() -> AutoParallelContext:
    """The one object that is the context of automatic parallelism, as programs of 1.x ask for it.

    Its methods get and set what `set_auto_parallel_context` keeps.
    """
    return _context


def _get_device_num() -> int:
    """Number of processes: as the program set it, else as they were started."""
    return context.parallel.device_num if "device_num" in context.parallel.given else groups.get_group_size()


def _get_global_rank() -> int:
    """Number of this process: as the program set it, else as it was started."""
    return context.parallel.global_rank if "global_rank" in context.parallel.given else groups.get_rank()


def _get_parallel_mode() -> str:
    return context.parallel.parallel_mode


def _get_gradients_mean() -> bool:
    return context.parallel.gradients_mean


def _get_parameter_broadcast() -> bool:
    return context.parallel.parameter_broadcast


def _get_enable_parallel_optimizer() -> bool:
    return context.parallel.enable_parallel_optimizer


def _get_pipeline_stages() -> int:
    return context.parallel.pipeline_stages


def _is_in_auto_parallel_mode() -> bool:
    """Whether the program's networks are split by placements or by search."""
    return context.parallel.parallel_mode in ("semi_auto_parallel", "auto_parallel")


def _is_sharding_propagation() -> bool:
    """Whether the search carries the placements that the program gave to the other operators."""
    return context.parallel.search_mode == "sharding_propagation" or context.parallel.sharding_propagation


def _device_number_check(parallel_mode: str, device_number: int) -> None:
    """Refuse a mode of one device with more.

    Raises:
        ValueError: If the mode is "stand_alone" and the number is not 1.
    """
    if parallel_mode == "stand_alone" and device_number != 1:
        raise ValueError(f"For the parallel mode 'stand_alone', the number of devices must be 1, but got "
                         f"{device_number}. Set another 'parallel_mode' by 'set_auto_parallel_context'.")
