"""`mstx`: moments and ranges that a program marks in its profile."""
from __future__ import annotations

import itertools
import time
from typing import Any

from mindspore.core import log

from .recorded import Span

LANE = "mstx"


class _Open:
    """What is marked while a measurement keeps marks."""

    def __init__(self) -> None:
        self.keeper: Any = None                          # has `spans` and the number of the `step`
        self.domains: tuple[tuple[str, ...], tuple[str, ...]] = (), ()       # the only ones; those left out
        self.ranges: dict[int, tuple[str, str, int]] = {}
        self.serials = itertools.count(1)

    def keeps(self, name: str, message: Any, stream: Any, domain: Any) -> bool:
        """Whether that is kept; what cannot be is told, as it ends no training."""
        if self.keeper is None:
            return False
        if not isinstance(message, str) or not message:
            log.warning(f"For 'mstx.{name}', the 'message' must be a text, but got {message!r}: nothing is marked.")
            return False
        if not isinstance(domain, str) or not domain:
            log.warning(f"For 'mstx.{name}', the 'domain' must be a name, but got {domain!r}: nothing is marked.")
            return False
        if stream is not None:
            log.warn_once(f"For 'mstx.{name}', 'stream' marks nothing on a device: the mark is on the host.")
        only, without = self.domains
        return domain in only if only else domain not in without

    def note(self, message: str, domain: str, start: int, duration: int) -> None:
        """Keep a mark."""
        self.keeper.spans.append(Span(LANE, message, start, duration, self.keeper.step, {"domain": domain}))


marking = _Open()


class Mstx:
    """Marks moments and ranges, which the trace of a profile shows; nothing where no profiler wants them.

    A profiler wants them with `experimental_config=_ExperimentalConfig(mstx=True)`. Texts and domains that do not fit
    are told in a warning.

    Examples:
        >>> import tempfile
        >>> from mindspore.profiler import _ExperimentalConfig, mstx, profile, tensorboard_trace_handler
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with profile(on_trace_ready=tensorboard_trace_handler(folder),
        ...                  experimental_config=_ExperimentalConfig(mstx=True)) as measured:
        ...         part = mstx.range_start("loading")
        ...         mstx.mark("file opened")
        ...         mstx.range_end(part)
        ...     [span.name for span in measured.recorded.spans]
        ['file opened', 'loading']
    """

    @staticmethod
    def mark(message: str, stream: Any = None, domain: str = "default") -> None:
        """Mark this moment.

        Args:
            message: What the trace shows.
            stream: A stream of a device; the mark is on the host all the same. Default: None.
            domain: A name for marks that belong together. Default: "default".
        """
        if marking.keeps("mark", message, stream, domain):
            marking.note(message, domain, time.perf_counter_ns(), -1)

    @staticmethod
    def range_start(message: str, stream: Any = None, domain: str = "default") -> int:
        """Begin a range.

        Args:
            message: What the trace shows.
            stream: A stream of a device; the range is on the host all the same. Default: None.
            domain: A name for marks that belong together. Default: "default".

        Returns:
            What `range_end` takes; 0 where nothing is kept.
        """
        if not marking.keeps("range_start", message, stream, domain):
            return 0
        serial = next(marking.serials)
        marking.ranges[serial] = message, domain, time.perf_counter_ns()
        return serial

    @staticmethod
    def range_end(range_id: int, domain: str = "default") -> None:
        """End a range.

        Args:
            range_id: What `range_start` returned; nothing happens for 0.
            domain: That of the range. Default: "default".
        """
        if not range_id or marking.keeper is None:
            return
        message, begun, start = marking.ranges.get(range_id, ("", "", 0))
        if begun != domain:
            log.warning(f"For 'mstx.range_end', no range {range_id!r} of {domain!r} has begun: nothing is marked.")
            return
        del marking.ranges[range_id]
        marking.note(message, domain, start, time.perf_counter_ns() - start)


__all__ = ["LANE", "Mstx", "marking"]
