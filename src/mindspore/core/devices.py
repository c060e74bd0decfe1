"""The torch device for a device that a program names: that one, or what this machine has in its place.

Most programs name the device of the machine that they were written on. Where it is absent they run on the
best device that is present, and are told so once; `ANYSPORE_DEVICE=strict` in the environment makes it an error.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from mindspore.core import log

KINDS = {"CPU": "cpu", "GPU": "cuda", "Ascend": "npu"}      # MindSpore's name: torch's
TARGETS = {kind: name for name, kind in KINDS.items()}
IN_PLACE = {"Ascend": ("GPU", "CPU"), "GPU": ("CPU",)}      # what is tried in the place of an absent device


def torch_device(target: str, number: int, owner: str = "set_context") -> Any:
    """The device number `number` of a kind ("CPU", "GPU", "Ascend"), or the one that takes its place.

    Raises:
        RuntimeError: Devices of this kind are present, but fewer; none is, and ANYSPORE_DEVICE is "strict".
    """
    import torch  # here, because importing the package must not load it

    reason = _absent(target)
    if reason is None:
        return _numbered(torch, target, number, owner)
    if os.environ.get("ANYSPORE_DEVICE", "") == "strict":
        raise RuntimeError(f"For '{owner}', the device '{target}' is not here: {reason}. To run without it, call "
                           "mindspore.set_context(device_target='CPU'), or unset the environment variable "
                           "ANYSPORE_DEVICE.")
    other = next(name for name in IN_PLACE[target] if _absent(name) is None)
    log.warn_once("The device '%s' is not here (%s): what is meant for it runs on the %s. The environment variable "
                  "ANYSPORE_DEVICE=strict makes this an error.", target, reason, other)
    return torch.device("cpu") if other == "CPU" else torch.device(KINDS[other], number % _count(torch, other))


_uses_meta: list[None] = []


def meta() -> Any:
    """The device of tensors without elements. Once it is asked for, compiled functions look whether they get one."""
    import torch  # as above

    _uses_meta[:] = [None]
    return torch.device("meta")


def refuse_meta(tensors: Iterable[Any]) -> None:
    """RuntimeError if one of the tensors of torch among what a compiled function gets has no elements."""
    if _uses_meta and any(getattr(x, "is_meta", False) for x in tensors):       # numbers are no tensors
        raise RuntimeError("A compiled function is given a tensor or parameter on the device 'meta', which has no "
                           "elements. Give it elements, by 'Cell.to_empty' and 'load_param_into_net' for example.")


def uses_meta() -> bool:
    """Whether a program has made tensors without elements."""
    return bool(_uses_meta)


def _absent(target: str) -> str | None:
    """Why there is no device of a kind; None if there is one."""
    import torch  # as above

    if target == "CPU":
        return None
    if target == "GPU":
        return None if torch.cuda.is_available() else "this torch finds no CUDA device"
    try:
        import torch_npu as torch_npu  # pyright: ignore[reportMissingImports]  # gives torch the Ascend devices
    except ImportError:
        return "the package torch_npu is not installed"
    return None


def _count(torch: Any, target: str) -> int:
    return getattr(torch, KINDS[target]).device_count()


def _numbered(torch: Any, target: str, number: int, owner: str) -> Any:
    if target == "CPU":
        return torch.device("cpu")
    count = _count(torch, target)
    if number >= count:
        raise RuntimeError(
            f"For '{owner}', the 'device_id' must be below {count}, the number of {KINDS[target]} devices "
            f"that this process sees, but got {number}."
        )
    return torch.device(KINDS[target], number)


class MSContext:
    """What programs ask the machine for: `MSContext.get_instance().get_ascend_soc_version()`."""

    @classmethod
    def get_instance(cls) -> MSContext:
        """The one object."""
        return _machine

    def get_ascend_soc_version(self) -> str:
        """The model of the NPU: none is driven by this package, so ""."""
        return ""


_machine = MSContext()
