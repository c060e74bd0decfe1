"""The command that measures what plans are weighed by: this machine's arithmetic, memory, and messages.

    python -m mindspore.parallel.calibrate machine.json                      # one process: arithmetic and memory
    msrun --worker_num 4 --local_worker_num 4 --join True python -m mindspore.parallel.calibrate machine.json

The second one measures messages, too.

Programs whose environment variable `MS_MACHINE_FILE` names that file are split by it. Each figure is the median of
some measurements; of several processes the slowest one counts.
"""
from __future__ import annotations

import argparse
import dataclasses
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import torch

from mindspore.core.launched import launch
from mindspore.distributed import collectives, get_group_size, get_rank, init, release
from mindspore.distributed.groups import HCCL_WORLD_COMM_GROUP as WORLD

from .costs import Machine
from .machines import VARIABLE, write

TIMES = 9                      # measurements of which the median counts
SMALL, LARGE = 1024, 1 << 20   # elements of messages
SIDE, ROWS = 512, 1 << 22      # of matrices to be multiplied, and of vectors to be added


def median_time(call: Callable[[], Any], times: int = TIMES, repeats: int = 1) -> float:
    """Seconds of a call, by a clock on the wall."""
    call()
    found: list[float] = []
    for _ in range(times):
        start = time.perf_counter()
        for _ in range(repeats):
            call()
        found.append((time.perf_counter() - start) / repeats)
    return statistics.median(found)


def measured() -> Machine:
    """This machine; with the messages of the processes that were started together, if there are several."""
    a, b = torch.randn(SIDE, SIDE), torch.randn(SIDE, SIDE)
    x, y, out = torch.randn(ROWS), torch.randn(ROWS), torch.empty(ROWS)
    one = torch.ones(1)
    flops = 2 * SIDE ** 3 / _slowest(median_time(lambda: torch.mm(a, b)))
    memory = 3 * x.nbytes / _slowest(median_time(lambda: torch.add(x, y, out=out)))
    start = _slowest(median_time(lambda: torch.add(one, one), repeats=100))
    found = Machine(flops, memory, start)
    return found if get_group_size() == 1 else dataclasses.replace(found, **_messages())


def _slowest(seconds: float) -> float:
    if get_group_size() == 1:
        return seconds
    return float(collectives.reduced_over(torch.tensor(seconds, dtype=torch.float64), "max", WORLD))


def _messages() -> dict[str, Any]:
    """Bytes a second and seconds of a round, by the times of a small sum over all processes, and of a large one."""
    n = get_group_size()
    a, b = torch.ones(SMALL), torch.ones(LARGE)
    small = _slowest(median_time(lambda: collectives.reduced_over(a, "sum", WORLD)))
    large = _slowest(median_time(lambda: collectives.reduced_over(b, "sum", WORLD)))
    sent = 2 * (LARGE - SMALL) * 4 * (n - 1) / n
    link = sent / max(large - small, 1e-9)
    latency = max(small - 2 * SMALL * 4 * (n - 1) / n / link, 1e-9) / (2 * (n - 1))
    return {"link": (link,), "latency": latency}


def main(arguments: list[str] | None = None) -> int:
    """Run the command; its exit status."""
    parser = argparse.ArgumentParser("calibrate", description="Measure what plans for several processes cost.")
    parser.add_argument("file", help="where the figures are written, as JSON")
    args = parser.parse_args(arguments)
    several = launch().size > 1
    if several:
        init()
    found = measured()
    if get_rank() == 0:
        write(found, args.file)
        messages = f"{found.link[0] / 1e9:.3g} GB/s, {found.latency * 1e6:.3g} us a round" if several else "as usual"
        print(f"{found.flops / 1e9:.3g} GFLOP/s, memory {found.memory / 1e9:.3g} GB/s, {found.start * 1e6:.3g} us an "
              f"operator, messages {messages}: {args.file}. Set {VARIABLE} to it.", flush=True)
    if several:
        release()
    return 0


if __name__ == "__main__":
    sys.exit(main())
