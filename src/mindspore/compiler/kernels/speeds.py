"""How fast this processor is, and what a second thread brings: measured, since no table of processors tells.

Two processors of an operating system may be one core's two threads, which share its arithmetic; and threads may sleep
between parallel regions, so that it takes longer to wake them than to do their work.  What is measured holds for the
whole process, so programs that happen to run beside it in these milliseconds must not decide: what threads gain is told
by the time that they had a processor, too.
"""
from __future__ import annotations

import ctypes
import functools
import os
import statistics
import time
from pathlib import Path
from typing import Any, NamedTuple

import torch

from mindspore.operators.choices import choices

from .meeting import write_meeting
from .native import machine
from .text import Module, Value

_STEPS, _SUMS, _TRIALS = 20_000, 12, 9
_MEETINGS = 32
_PAUSE = 0.0005          # seconds between regions, in which threads that do not spin fall asleep
_LEAST = 1.1             # times as fast, from which threads are used


class Speeds(NamedTuple):
    """What was measured.

    Attributes:
        flops: Operations per nanosecond of one thread, of multiplications and additions in one.
        gain: How much more all threads do.
        region: Nanoseconds to begin and end a parallel region.
        meeting: Nanoseconds in which all threads meet.
    """

    flops: float
    gain: float
    region: float
    meeting: float

    def worth(self, work: float, parts: int) -> bool:
        """Whether work of so many nanoseconds on one thread, in so many parts, is done faster by all."""
        return work > _LEAST * (work / self.gain + self.region + parts * self.meeting)


def speeds(threads: int) -> Speeds:
    """What the table of this machine says, or what is measured with so many threads, in some 20 ms."""
    known = choices()
    if known.flops:
        return Speeds(known.flops, *(known[1:4] if threads > 1 else (1.0, 0.0, 0.0)))
    return measured(threads)


@functools.cache
def measured(threads: int) -> Speeds:
    """What is measured with so many threads, in some 20 ms."""
    found: Any = machine()
    code = found.load(_text(found.width))
    room = torch.zeros(threads * found.width * _SUMS)
    counter = torch.zeros(1, dtype=torch.int64)

    def taken(steps: int, meetings: int, shared: bool) -> tuple[float, float]:
        counter[0] = 0
        table = (ctypes.c_void_p * 4)(room.data_ptr(), counter.data_ptr(), steps, meetings)
        start, had = time.perf_counter_ns(), time.process_time_ns()
        if shared:
            code.run_parallel(table, threads)
        else:
            code.run(table)
        had = time.process_time_ns() - had
        return float(time.perf_counter_ns() - start), float(had)

    def quickest(*given: Any) -> tuple[float, ...]:
        return tuple([min(t) for t in zip(*[taken(*given) for _ in range(_TRIALS)], strict=True)])
    one, one_had = quickest(_STEPS, 0, False)
    flops = 2.0 * _STEPS * _SUMS * found.width / one
    if not code.parallel or threads == 1:
        return Speeds(flops, 1.0, 0.0, 0.0)
    all_, all_had = quickest(_STEPS, 0, True)
    near, near_had = quickest(1, 0, True)
    met, _ = quickest(1, _MEETINGS, True)
    asleep: list[float] = []
    for _ in range(_TRIALS):
        time.sleep(_PAUSE)
        asleep.append(taken(1, 0, True)[0])
    gain = gained(threads, one / max(all_ - near, 1.0), one_had / max((all_had - near_had) / threads, 1.0))
    return Speeds(flops, gain, statistics.median(asleep), max(met - near, 0.0) / _MEETINGS)


def gained(threads: int, *speeds: float) -> float:
    """How much more all threads do, from the speed of each beside that of one alone, as clocks saw it."""
    return max(1.0, min(threads * max(speeds), float(threads), processors()))


def processors() -> float:
    """How many processors this process may use at a time."""
    known = getattr(os, "sched_getaffinity", None)
    count = float(len(known(0)) if known else os.cpu_count() or 1)
    for files in (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us")):
        try:
            quota, period = " ".join([Path("/sys/fs/cgroup", f).read_text() for f in files]).split()
            count = min(count, int(quota) / int(period)) if int(quota) > 0 else count
        except (OSError, ValueError):            # no such file, or "max"
            continue
    return count


def _text(width: int) -> str:
    """As many multiplications and additions per thread as the table says, and meetings after them."""
    module = Module(width)
    write_meeting(module)
    with module.function("work", ["ptr", "i64"], internal=True) as b:
        type_ = b.vector_type("float")
        sums = [b.variable(b.constant(float(k), type_)) for k in range(_SUMS)]
        factor = b.constant(0.999, type_)
        with b.loop(0, b.load(b.args[0], 2, "i64", one=True)):
            for s in sums:
                s.set(b.fma(s.get(), factor, factor))
        place = b.address(b.load(b.args[0], 0, "ptr", one=True), b.args[1] * (width * _SUMS), "float")
        for k, s in enumerate(sums):
            b.store(s.get(), place, k * width)
    with module.function("run", ["ptr"]) as b:
        b.call("work", [b.args[0], b.integer(0)])
    with module.function("share", ["ptr"], internal=True) as b:
        thread, threads = [b.cast("sext", b.call(f"omp_get_{what}", [], "i32"), "i64")
                           for what in ("thread_num", "num_threads")]
        b.call("work", [b.args[0], thread])
        counter = b.load(b.args[0], 1, "ptr", one=True)
        with b.loop(0, b.load(b.args[0], 3, "i64", one=True)) as i:
            b.call("meet", [counter, (i + 1) * threads])
    with module.function("run_parallel", ["ptr", "i32"]) as b:
        b.call("GOMP_parallel", [Value(b, "@share", "ptr"), b.args[0], b.args[1], b.constant(0, "i32")])
    return module.text()
