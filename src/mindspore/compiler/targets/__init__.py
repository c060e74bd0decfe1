"""What a graph is made for: a device, its threads, a mesh of devices, options.

Passes and the source ask the target; none of them knows a processor by itself.
"""
from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch

from mindspore.core import context
from mindspore.ir import Graph
from mindspore.ir.runtime import runtime
from mindspore.parallel import running

from . import cpu


@dataclass(frozen=True)
class Target:
    """What a graph is made for.

    Attributes:
        device: The kind of torch's device: "cpu", "cuda", "npu".
        threads: How many threads kernels may use.
        mesh: The stages and the extents of a mesh of devices, over which a program may be split; () for one device.
        level: Passes of higher levels are left out: 0 for what every graph needs, 1 for what makes it faster.
        options: What passes may be told beyond that.
    """

    device: str = "cpu"
    threads: int = 1
    mesh: tuple[Any, ...] = ()
    level: int = 1
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def schedule(self, graph: Graph) -> cpu.Schedule | None:
        """What the generated source of a graph does between its statements; None for nothing."""
        return cpu.schedule(graph) if self.device == "cpu" else None

    def guarded(self, run: Callable[..., Any], space: dict[str, Any]) -> Callable[..., Any]:
        """A generated function, with what must be put right where it ends in a fault; `space` are its globals."""
        return cpu.guarded(run, space) if self.device == "cpu" else run


_LEVELS = {"O0": 0, "O1": 1, "O2": 2, "": 1}


def level_of(jit_level: str) -> int:
    """The level of passes of a `jit_level`; for "" that of the context, or 1."""
    return _LEVELS[jit_level or context.state.jit_level]


@contextmanager
def at_level(level: int | None) -> Generator[None]:
    """Let what is compiled inside of the block be of a level, or with None of that of the context."""
    before, runtime.level = runtime.level, level
    try:
        yield
    finally:
        runtime.level = before


def here() -> Target:
    """The target of programs that are compiled now: the device of the context, torch's threads, the level."""
    level = level_of("") if runtime.level is None else runtime.level
    return Target(context.torch_device().type, torch.get_num_threads(), running.mesh(), level)


__all__ = ["Target", "at_level", "here", "level_of"]
