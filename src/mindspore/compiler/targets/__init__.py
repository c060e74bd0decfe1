"""What a graph is made for: a device, its threads, a mesh of devices, options.

Passes and the source ask the target; none of them knows a processor by itself.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from mindspore.core.context import torch_device
from mindspore.ir import Graph

from . import cpu


@dataclass(frozen=True)
class Target:
    """What a graph is made for.

    Attributes:
        device: The kind of torch's device: "cpu", "cuda", "npu".
        threads: How many threads kernels may use.
        mesh: The extents of a mesh of devices, over which a program may be split; () for one device.
        level: Passes of higher levels are left out.
        options: What passes may be told beyond that.
    """

    device: str = "cpu"
    threads: int = 1
    mesh: tuple[int, ...] = ()
    level: int = 2
    options: Mapping[str, Any] = field(default_factory=dict)

    def schedule(self, graph: Graph) -> cpu.Schedule | None:
        """What the generated source of a graph does between its statements; None for nothing."""
        return cpu.schedule(graph) if self.device == "cpu" else None


def here() -> Target:
    """The target of programs that are compiled now: the device of the context, and torch's threads."""
    return Target(torch_device().type, torch.get_num_threads())


__all__ = ["Target", "here"]
