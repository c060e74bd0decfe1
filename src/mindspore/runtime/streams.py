"""Streams of work on a device, and events in them.

A CPU has one stream, and what is asked of it is done when the call returns; so waiting is done at once there, and an
event holds the time at which it was recorded.
"""
from __future__ import annotations

import time
from itertools import count
from typing import Any

import torch

from mindspore.core import check, context
from mindspore.core.errors import kind

_numbers = count()


def _on_gpu() -> bool:
    return context.target_in_use() == "GPU"


class Stream:
    """Work that a device does in order.

    Args:
        priority: 0, or -1 for one that goes before others.
        kwargs: `stream` is the number of one that there is, `stream_id` as well; `device_id` is read from it.

    Raises:
        TypeError: If an argument is unknown or has the wrong type.

    Examples:
        >>> stream = mindspore.runtime.Stream()
        >>> with mindspore.runtime.StreamCtx(stream):
        ...     y = Tensor([1.0]) + 1
        >>> stream.synchronize()
        >>> stream.query(), y.tolist()
        (True, [2.0])
    """

    def __init__(self, priority: int = 0, **kwargs: Any):
        check.integer(self, "priority", priority)
        unknown = kwargs.keys() - {"stream", "stream_id", "device_id", "stream_ptr", "own"}
        if unknown:
            raise TypeError(f"For 'Stream', the arguments {sorted(unknown)} are unknown.")
        self.own = kwargs.get("own") or (torch.cuda.Stream(priority=priority) if _on_gpu() else None)
        self.id = kwargs.get("stream_id", next(_numbers)) if self.own is None else self.own.stream_id

    @property
    def device_name(self) -> str:
        """The kind of its device: "CPU" or "GPU"."""
        return "CPU" if self.own is None else "GPU"

    @property
    def device_id(self) -> int:
        """The number of its device."""
        return 0 if self.own is None else self.own.device_index

    def query(self) -> bool:
        """Whether everything that was asked for is done."""
        return self.own is None or self.own.query()

    def synchronize(self) -> None:
        """Wait until everything that was asked for is done."""
        if self.own is not None:
            self.own.synchronize()

    def record_event(self, event: Event | None = None) -> Event:
        """Record an event, by default a new one, behind what was asked for; returns it.

        Raises:
            TypeError: If it is no event.
        """
        found: Event = Event() if event is None else check.instance("record_event", "event", event, Event)
        found.record(self)
        return found

    def wait_event(self, event: Event) -> None:
        """Let what is asked for from now on wait for an event.

        Raises:
            TypeError: If it is no event.
        """
        check.instance("wait_event", "event", event, Event).wait(self)

    def wait_stream(self, stream: Stream) -> None:
        """Let what is asked for from now on wait for what was asked of another stream.

        Raises:
            TypeError: If it is no stream.
        """
        other = check.instance("wait_stream", "stream", stream, Stream)
        if self.own is not None and other.own is not None:
            self.own.wait_stream(other.own)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and (self.own, self.id) == (other.own, other.id)

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"Stream(device_name={self.device_name}, device_id:{self.device_id}, stream id:{self.id})"


class Event:
    """A mark in a stream that others can wait for, and whose time can be taken.

    Args:
        enable_timing: Whether `elapsed_time` may be asked.
        blocking: Whether a thread that waits sleeps, on a GPU.

    Raises:
        TypeError: If an argument is no bool.

    Examples:
        >>> start, end = [mindspore.runtime.Event(enable_timing=True) for _ in range(2)]
        >>> start.record(); end.record(); end.synchronize()
        >>> start.elapsed_time(end) >= 0
        True
    """

    def __init__(self, enable_timing: bool = False, blocking: bool = False):
        self.enable_timing = check.boolean(self, "enable_timing", enable_timing)
        self.blocking = check.boolean(self, "blocking", blocking)
        self.own = torch.cuda.Event(enable_timing, blocking) if _on_gpu() else None
        self._at: float | None = None

    def record(self, stream: Stream | None = None) -> None:
        """Stand behind what was asked of the stream, by default of the current one."""
        if self.own is None:
            self._at = time.perf_counter()
        else:
            self.own.record((stream or current_stream()).own)

    def wait(self, stream: Stream | None = None) -> None:
        """Let what is asked of the stream from now on, by default of the current one, wait for this event."""
        if self.own is not None:
            self.own.wait((stream or current_stream()).own)

    def synchronize(self) -> None:
        """Wait until what was asked for before the event is done."""
        if self.own is not None:
            self.own.synchronize()

    def query(self) -> bool:
        """Whether what was asked for before the event is done."""
        return self.own is None or self.own.query()

    def elapsed_time(self, end_event: Event) -> float:
        """The time from this event to another one, in ms.

        Raises:
            TypeError: If the other one is no event.
            RuntimeError: If one was not recorded, or made without `enable_timing`.
        """
        end = check.instance("elapsed_time", "end_event", end_event, Event)
        if not (self.enable_timing and end.enable_timing):
            raise RuntimeError("For 'Event.elapsed_time', both events must be made with 'enable_timing=True'.")
        if self.own is not None:
            return self.own.elapsed_time(end.own)
        if self._at is None or end._at is None:
            raise RuntimeError("For 'Event.elapsed_time', both events must be recorded before.")
        return (end._at - self._at) * 1000

    def __repr__(self) -> str:
        return f"Event(enable_timing={self.enable_timing:d}, blocking:{self.blocking:d})"


class StreamCtx:
    """`with StreamCtx(stream):` asks that stream for what is computed in the block.

    Args:
        ctx_stream: The stream; None for the current one.

    Raises:
        TypeError: If it is no stream.
    """

    def __init__(self, ctx_stream: Stream | None):
        if ctx_stream is not None and not isinstance(ctx_stream, Stream):
            raise TypeError(f"For 'StreamCtx', the 'ctx_stream' must be a Stream or None, but got {kind(ctx_stream)}.")
        self.stream = ctx_stream
        self._before: list[Stream] = []

    def __enter__(self) -> None:
        self._before.append(current_stream())
        if self.stream is not None:
            set_cur_stream(self.stream)

    def __exit__(self, *raised: object) -> None:
        set_cur_stream(self._before.pop())


_OF_CPU = Stream(stream_id=0, own=None)
_current = _OF_CPU


def current_stream() -> Stream:
    """The stream that is asked for what is computed now.

    Examples:
        >>> mindspore.runtime.current_stream() == mindspore.runtime.default_stream()
        True
    """
    return Stream(own=torch.cuda.current_stream()) if _on_gpu() else _current


def default_stream() -> Stream:
    """The stream of a program that says nothing of streams."""
    return Stream(own=torch.cuda.default_stream()) if _on_gpu() else _OF_CPU


def communication_stream() -> Stream:
    """The stream of messages between processes, which torch keeps to itself: here the default one."""
    return default_stream()


def set_cur_stream(stream: Stream | None) -> None:
    """Ask that stream for what is computed from now on; nothing changes for None.

    Args:
        stream: The stream.

    Raises:
        TypeError: If it is no stream.
    """
    global _current
    if stream is None:
        return
    check.instance("set_cur_stream", "stream", stream, Stream)
    if stream.own is not None:
        torch.cuda.set_stream(stream.own)
    else:
        _current = stream


def synchronize() -> None:
    """Wait until the device has done all that was asked for; a CPU has."""
    if _on_gpu():
        torch.cuda.synchronize()
