"""The devices that this process can reach, by the name of their kind: "CPU", "GPU" or "Ascend"."""
from __future__ import annotations

import importlib.util
from functools import partial
from typing import Any

import torch

from mindspore.core import context
from mindspore.core.devices import KINDS

TARGETS = ("CPU", "GPU", "Ascend")


def target_of(owner: str, device_target: Any) -> str:
    """The kind of device that is asked for; that of the context for None.

    Raises:
        ValueError: If it is none, or if this process cannot reach such a device.
    """
    target = context.target_in_use() if device_target is None else device_target
    if target not in TARGETS:
        raise ValueError(f"For '{owner}', the argument 'device_target' must be one of {list(TARGETS)}, but got "
                         f"{device_target}.")
    if not is_available(target):
        raise ValueError(f"For '{owner}', no {target} can be reached from here. Call 'hal.is_available' first.")
    return target


def module_of(target: str) -> Any:
    """torch's module for the devices of a kind."""
    return {"CPU": torch.cpu, "GPU": torch.cuda}.get(target) or getattr(torch, KINDS[target])


def is_available(device_target: str) -> bool:
    """Whether this process can reach a device of that kind.

    Args:
        device_target: "CPU", "GPU" or "Ascend".

    Raises:
        ValueError: If it is none of these.

    Examples:
        >>> mindspore.hal.is_available("CPU")
        True
    """
    if device_target not in TARGETS:
        raise ValueError(f"For 'hal.is_available', the argument 'device_target' must be one of {list(TARGETS)}, but "
                         f"got {device_target}.")
    if device_target == "GPU":
        return torch.cuda.is_available()
    return device_target == "CPU" or (importlib.util.find_spec("torch_npu") is not None and hasattr(torch, "npu")
                                      and module_of("Ascend").is_available())


def is_initialized(device_target: str) -> bool:
    """Whether something has used the devices of that kind: on the CPU, whether a tensor has been made.

    Args:
        device_target: "CPU", "GPU" or "Ascend".

    Returns:
        A bool; False where there is no such device.

    Raises:
        ValueError: If it is none of these.

    Examples:
        >>> x = Tensor([1.0])
        >>> mindspore.hal.is_initialized("CPU")
        True
    """
    if device_target not in TARGETS:
        raise ValueError(f"For 'hal.is_initialized', the argument 'device_target' must be one of {list(TARGETS)}, but "
                         f"got {device_target}.")
    if device_target == "CPU":
        return context.is_in_use()
    return is_available(device_target) and module_of(device_target).is_initialized()


def device_count(device_target: str | None = None) -> int:
    """The number of devices of that kind; there is one CPU.

    Args:
        device_target: "CPU", "GPU" or "Ascend". Default: that of the context.

    Raises:
        ValueError: If there is none.

    Examples:
        >>> mindspore.hal.device_count("CPU")
        1
    """
    target = target_of("hal.device_count", device_target)
    return 1 if target == "CPU" else module_of(target).device_count()


def get_device_name(device_id: int, device_target: str | None = None) -> str:
    """The name of a device, such as that of its model.

    Args:
        device_id: Its number.
        device_target: "CPU", "GPU" or "Ascend". Default: that of the context.

    Raises:
        ValueError: If there is none.

    Examples:
        >>> mindspore.hal.get_device_name(0, "CPU")
        'CPU'
    """
    target = target_of("hal.get_device_name", device_target)
    return "CPU" if target == "CPU" else module_of(target).get_device_name(device_id)


def get_device_properties(device_id: int, device_target: str | None = None) -> Any:
    """Name, memory and further properties of a GPU; None for a CPU.

    Args:
        device_id: Its number.
        device_target: "CPU", "GPU" or "Ascend". Default: that of the context.

    Raises:
        ValueError: If there is none.
    """
    target = target_of("hal.get_device_properties", device_target)
    return None if target == "CPU" else module_of(target).get_device_properties(device_id)


def get_device_capability(device_id: int, device_target: str | None = None) -> tuple[int, int] | None:
    """The version of a GPU's instructions, major and minor; None for others.

    Args:
        device_id: Its number.
        device_target: "CPU", "GPU" or "Ascend". Default: that of the context.

    Raises:
        ValueError: If there is none.
    """
    target = target_of("hal.get_device_capability", device_target)
    return torch.cuda.get_device_capability(device_id) if target == "GPU" else None


def get_arch_list(device_target: str | None = None) -> list[str] | None:
    """The GPU architectures that kernels were compiled for; None for others.

    Args:
        device_target: "CPU", "GPU" or "Ascend". Default: that of the context.

    Raises:
        ValueError: If there is none.
    """
    target = target_of("hal.get_arch_list", device_target)
    return torch.cuda.get_arch_list() if target == "GPU" else None


cpu_count, gpu_count, ascend_count = [partial(device_count, t) for t in TARGETS]
cpu_is_available, gpu_is_available, ascend_is_available = [partial(is_available, t) for t in TARGETS]
