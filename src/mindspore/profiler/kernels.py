"""What torch runs below operators, and the memory that it takes: from torch's own profiler, kineto."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch._C._profiler import ProfilerConfig, ProfilerState, RecordScope, _ExperimentalConfig
from torch.profiler import ProfilerActivity

from mindspore.core import log

from .recorded import Memory, Span

HOST, DEVICE = "Torch", "Device"
_MEMORY = "[memory]"


class Kernels:
    """Takes up what torch runs.

    Args:
        host: Whether functions of torch on the host are wanted, not only those of a device.
        memory: Whether allocations are wanted.
        shapes: Whether shapes are wanted.
    """

    def __init__(self, host: bool, memory: bool, shapes: bool):
        self._host, self._memory, self._shapes = host, memory, shapes
        self._running = False
        self._results: list[Any] = []

    def start(self) -> None:
        """Take up from now on; a warning says so if torch measures for somebody else."""
        if torch.autograd._profiler_enabled():
            log.warning("torch measures already, so its kernels and memory are not in this profile.")
            return
        activities = {ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if torch.cuda.is_available() else [])}
        config = ProfilerConfig(ProfilerState.KINETO, self._shapes, self._memory, False, False, False,
                                _ExperimentalConfig())
        # Of functions that nobody wants torch is not to tell: to note them costs more than the allocations do.
        scopes = set() if self._host or ProfilerActivity.CUDA in activities else {RecordScope.USER_SCOPE}
        torch.autograd._prepare_profiler(config, activities)
        torch.autograd._enable_profiler(config, activities, scopes)  # pyright: ignore[reportCallIssue]  # not in stubs
        self._running = True

    def stop(self) -> None:
        """Take up no longer."""
        if self._running:
            self._running = False
            self._results.append(torch.autograd._disable_profiler())

    def clear(self) -> None:
        """Forget what was taken up."""
        self.stop()
        self._results.clear()
        self.start()

    def spans(self, epoch: int) -> list[Span]:
        """What torch ran.

        Args:
            epoch: ns since 1970 at which the clock of spans was 0.
        """
        return _nested([span for result in self._results if result is not None for event in result.events()
                        for span in self._spans(event, epoch)])

    def _spans(self, event: Any, epoch: int) -> Iterator[Span]:
        on_host = event.device_type() == torch.autograd.DeviceType.CPU
        if event.name() == _MEMORY or (on_host and not self._host):
            return
        args = {"tid": event.start_thread_id() if on_host else event.device_resource_id()}
        if self._shapes and on_host:
            args["shapes"] = event.shapes()
        yield Span(HOST if on_host else DEVICE, event.name(), event.start_ns() - epoch, event.duration_ns(), -1, args)

    def memory(self, epoch: int) -> list[Memory]:
        """What torch allocated and released, in order of time.

        Args:
            epoch: ns since 1970 at which the clock of the times was 0.
        """
        todo = [node for result in self._results if result is not None for node in result.experimental_event_tree()]
        found: list[Memory] = []
        while todo:
            node = todo.pop()
            todo += node.children
            if node.name == _MEMORY:
                extra = node.extra_fields
                found.append(Memory(node.start_time_ns - epoch, extra.alloc_size, extra.total_allocated,
                                    extra.total_reserved, str(extra.device), extra.ptr))
        return sorted(found, key=lambda m: m.time) if self._memory else []


def _nested(spans: list[Span]) -> list[Span]:
    """Spans of which none ends after one that it lies in: torch's times are off by some 100 ns."""
    found: list[Span] = []
    ends: dict[Any, list[int]] = {}
    for span in sorted(spans, key=lambda s: (s.start, -s.duration)):
        around = ends.setdefault((span.lane, span.args["tid"]), [])
        while around and around[-1] <= span.start:
            around.pop()
        end = min([span.start + span.duration, *around[-1:]])
        around.append(end)
        found.append(span._replace(duration=end - span.start))
    return found


__all__ = ["DEVICE", "HOST", "Kernels"]
