"""Counters of the memory of a device, and what a program says about it."""
from __future__ import annotations

from typing import Any

import torch

from mindspore.core import context, log
from mindspore.core.memory import give_back

from .devices import module_of, target_of

_set: list[dict[str, str]] = []          # what `set_memory` was given: once per process


def _counter(name: str, of_torch: str, doc: str) -> Any:
    def count(device_target: str | None = None) -> int:
        target = target_of(f"hal.{name}", device_target)
        return 0 if target == "CPU" else getattr(module_of(target), of_torch)()
    count.__name__ = count.__qualname__ = name
    count.__doc__ = f"""{doc}; 0 for a CPU, whose memory is the process's.

    Args:
        device_target: "CPU", "GPU" or "Ascend". Default: that of the context.

    Examples:
        >>> mindspore.hal.{name}("CPU")
        0
    """
    return count


memory_allocated = _counter("memory_allocated", "memory_allocated", "Bytes that tensors take")
max_memory_allocated = _counter("max_memory_allocated", "max_memory_allocated", "The most bytes that tensors took")
memory_reserved = _counter("memory_reserved", "memory_reserved", "Bytes that are held for tensors")
max_memory_reserved = _counter("max_memory_reserved", "max_memory_reserved", "The most bytes held for tensors")


def memory_stats(device_target: str | None = None) -> dict[str, Any]:
    """The counters of the memory of a device in one dictionary, and of its blocks.

    Args:
        device_target: "CPU", "GPU" or "Ascend". Default: that of the context.

    Examples:
        >>> mindspore.hal.memory_stats("CPU")["total_allocated_memory"]
        0
    """
    target = target_of("hal.memory_stats", device_target)
    held = {} if target == "CPU" else module_of(target).memory_stats()
    reserved, taken = held.get("reserved_bytes.all.current", 0), held.get("allocated_bytes.all.current", 0)
    blocks = {"block_unit_size": 0, "block_counts": held.get("segment.all.current", 0), "blocks_info": {}}
    return {
        "total_reserved_memory": reserved, "total_allocated_memory": taken, "total_idle_memory": reserved - taken,
        "total_eager_free_memory": 0, "max_reserved_memory": held.get("reserved_bytes.all.peak", 0),
        "max_allocated_memory": held.get("allocated_bytes.all.peak", 0), "common_mem_pool_stats": blocks,
        "persistent_mem_pool_stats": {"block_counts": 0, "block_unit_size": 0, "blocks_info": {}},
    }


_LINES = {
    "Reserved memory": "total_reserved_memory", "Allocated memory": "total_allocated_memory",
    "Idle memory": "total_idle_memory", "Eager free memory": "total_eager_free_memory",
    "Max reserved memory": "max_reserved_memory", "Max allocated memory": "max_allocated_memory",
}


def memory_summary(device_target: str | None = None) -> str:
    """The counters of the memory of a device as a table.

    Args:
        device_target: "CPU", "GPU" or "Ascend". Default: that of the context.

    Examples:
        >>> print(mindspore.hal.memory_summary("CPU").split("|")[1])
        =============================================
    """
    counted = memory_stats(device_target)
    double, single = f"|{'=' * 45}|", f"|{'-' * 45}|"
    lines = [double, f"|{'Memory summary':^45}|", double, f"| {'Metric':<21}| {'Data':<21}|"]
    for title, key in _LINES.items():
        lines += [single, f"| {title:<21}|{_size(counted[key]):>9}{'':<13}|"]
    return "\n".join([*lines, double]) + "\n"


def _size(count: int) -> str:
    """A number of bytes with its unit."""
    if count < 1024:
        return f"{count} B"
    power = min((count.bit_length() - 1) // 10, 4)
    return f"{count / 1024**power:.2f} {('KB', 'MB', 'GB', 'TB')[power - 1]}"


def empty_cache() -> None:
    """Hand memory that no tensor takes back to the device or the system."""
    if context.target_in_use() == "GPU":
        torch.cuda.empty_cache()
    else:
        give_back()


def _reset(name: str, doc: str) -> Any:
    def reset(device_target: str | None = None) -> None:
        target = target_of(f"hal.{name}", device_target)
        if target != "CPU":
            module_of(target).reset_peak_memory_stats()
    reset.__name__ = reset.__qualname__ = name
    reset.__doc__ = f"""{doc} begins anew with what it is now.

    Args:
        device_target: "CPU", "GPU" or "Ascend". Default: that of the context.
    """
    return reset


reset_peak_memory_stats = _reset("reset_peak_memory_stats", "The most memory that was taken and held")
reset_max_memory_allocated = _reset("reset_max_memory_allocated", "The most memory that was taken")
reset_max_memory_reserved = _reset("reset_max_memory_reserved", "The most memory that was held")


def set_memory(init_size: str = "2GB", increase_size: str = "2GB", max_size: str = "1024GB",
               optimize_level: str = "O0", huge_page_reserve_size: str = "0GB") -> None:
    """Limit the memory of the GPU that tensors may take; may be called once.

    Args:
        init_size: How much the original takes at first, such as "2GB"; torch takes what is needed.
        increase_size: How much the original takes more; torch takes what is needed.
        max_size: The most that tensors may take; on a GPU this is a limit.
        optimize_level: "O0" or "O1", of the original's planner.
        huge_page_reserve_size: Of the original on Ascend.

    Raises:
        TypeError: If an argument is no str.
        ValueError: If it is no size, or no level.
        RuntimeError: If it was called before.
    """
    sizes = {"init_size": init_size, "increase_size": increase_size, "max_size": max_size,
             "huge_page_reserve_size": huge_page_reserve_size}
    for name, value in {**sizes, "optimize_level": optimize_level}.items():
        if not isinstance(value, str):
            raise TypeError(f"For 'set_memory', the '{name}' must be a str, but got {type(value).__name__}.")
    found = {name: _bytes(name, value) for name, value in sizes.items()}
    if optimize_level not in ("O0", "O1"):
        raise ValueError(f"For 'set_memory', the 'optimize_level' must be 'O0' or 'O1', but got {optimize_level!r}.")
    if _set:
        raise RuntimeError("The 'set_memory' can not be set repeatedly.")
    _set.append(sizes)
    if context.target_in_use() == "GPU":
        whole = torch.cuda.get_device_properties(0).total_memory
        torch.cuda.set_per_process_memory_fraction(min(1.0, found["max_size"] / whole))
    log.info("For 'set_memory', only 'max_size' has an effect, on a GPU: %s.", sizes)


def _bytes(name: str, text: str) -> float:
    number = text.removesuffix("GB").strip()
    try:
        if not text.endswith("GB") or float(number) < 0:
            raise ValueError(number)
        return float(number) * 2**30
    except ValueError:
        raise ValueError(f"For 'set_memory', the '{name}' must be a size such as '2GB', but got {text!r}.") from None
