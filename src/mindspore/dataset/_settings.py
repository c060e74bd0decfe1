"""What the settings of data pipelines are, and what they are at first."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from enum import IntEnum
from typing import Any


class ErrorSamplesMode(IntEnum):
    """What to do with a sample that a transform fails on: raise, replace it by another, leave it out."""

    RETURN = 0
    REPLACE = 1
    SKIP = 2


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Settings:
    """The current values; one object, since settings belong to the process."""

    def __init__(self) -> None:
        self.seed: int | None = None
        self.global_version = 0  # of the global seed when `seed` was set
        self.seed_version = 0
        self.values: dict[str, Any] = {
            "num_parallel_workers": min(cores(), 8),
            "prefetch_size": 16,
            "monitor_sampling_interval": 1000,
            "callback_timeout": 60,
            "multiprocessing_timeout_interval": 300,
            "autotune_interval": 0,
            "auto_num_workers": False,
            "auto_offload": False,
            "numa_enable": False,
            "enable_shared_mem": True,
            "enable_autotune": False,
            "autotune_file": None,
            "enable_watchdog": True,
            "fast_recovery": True,
            "dynamic_shape": False,
            "enable_optimizer": True,
            "debug_mode": False,
            "debug_hooks": [],
            "error_samples_mode": ErrorSamplesMode.RETURN,
            "iterator_mode": {"do_copy": False, "parallel_convert": False},
            "multiprocessing_start_method": "fork",
            "video_backend": "CPU",
            "sending_batches": 0,
            "outside_files": False,
            "image_limit": None,
        }


class DebugHook(ABC):
    """What `set_debug_mode` calls before the first transform of a `map` and after each; `compute` says what happens.

    Args:
        prev_op_name: Name of the transform before, that of the first one before it; set by the pipeline.

    Examples:
        >>> class Printed(dataset.debug.DebugHook):
        ...     def compute(self, *args):
        ...         return args
        >>> isinstance(Printed(), dataset.debug.DebugHook)
        True
    """

    def __init__(self, prev_op_name: str | None = None):
        self.prev_op_name = prev_op_name
        self.is_first_op = False

    def __call__(self, *args: Any) -> Any:
        return self.compute(*args)

    @abstractmethod
    def compute(self, *args: Any) -> Any:
        """Look at the values of a row, and give them on."""

    def set_previous_op_name(self, prev_op_name: str | None) -> None:
        """Name of the transform that gave the values."""
        self.prev_op_name = prev_op_name

    def set_is_first(self, is_first_op: bool) -> None:
        """Whether no transform has been called yet."""
        self.is_first_op = is_first_op
