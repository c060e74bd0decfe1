"""Another device for part of a program."""
from __future__ import annotations

from types import TracebackType
from typing import Any

from .check import fail
from .context import exchange_device, get_context, set_context, torch_device
from .devices import meta


class DeviceCtx:
    """Lets tensors be made on another device within a `with`; what exists stays where it is.

    Like the context, the device is that of all threads.  `DeviceCtx` may stand within another one.

    Args:
        name: "CPU", "GPU", "Ascend", or "meta": tensors have a shape and a dtype, but no elements, so that a network
            needs no memory; `Cell.to_empty` gives its parameters elements, and a checkpoint fills them.
        device_id: Which one, a non-negative int; None for the number of the context.

    Raises:
        ValueError: On entering, if `name` is none of these, or `device_id` is negative.
        TypeError: On entering, if `device_id` is no int.
        RuntimeError: On entering, if this process cannot reach the device, and ANYSPORE_DEVICE is "strict".

    Examples:
        >>> with mindspore.DeviceCtx("CPU"):
        ...     x = Tensor([1.0, 2.0])
        >>> x.device
        'CPU'
        >>> with mindspore.DeviceCtx("meta"):
        ...     net = nn.Dense(100000, 100000)
        >>> net.weight.shape, net.weight.is_meta
        ((100000, 100000), True)
    """

    def __init__(self, name: str, device_id: int | None = None):
        self.name, self.device_id = name, device_id
        self._before: list[Any] = []

    def __enter__(self) -> DeviceCtx:
        if self.name == "meta":
            self._before.append(exchange_device(meta()))
            return self
        if self.name not in ("CPU", "GPU", "Ascend"):
            raise fail(ValueError, "DeviceCtx", "name", "one of 'CPU', 'GPU', 'Ascend', 'meta'", self.name)
        before = {key: get_context(key) for key in ("device_target", "device_id")}
        try:
            set_context(device_target=self.name)
            if self.device_id is not None:
                set_context(device_id=self.device_id)
            torch_device()
        except Exception:  # of any kind, raised again with the device of before
            set_context(**before)
            raise
        self._before.append(before)
        return self

    def __exit__(self, exc_type: type[BaseException] | None, exc_val: BaseException | None,
                 exc_tb: TracebackType | None) -> None:
        before = self._before.pop()
        if isinstance(before, dict):
            set_context(**before)
        else:
            exchange_device(before)
