"""The command that measures what plans are weighed by: this machine's arithmetic, memory, and messages.

    python -m mindspore.parallel.calibrate machine.json                      # one process: arithmetic and memory
    msrun --worker_num 4 --local_worker_num 4 --join True python -m mindspore.parallel.calibrate machine.json

The second one measures messages, too. Processes share cores and memory, so start as many as the program will have: all
of them compute at once while one is measured.

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
from mindspore.distributed import (
    collectives,
    create_group,
    exchange,
    get_group_size,
    get_rank,
    init,
    release,
)
from mindspore.distributed.groups import HCCL_WORLD_COMM_GROUP as WORLD
from mindspore.operators.activation import tanh
from mindspore.operators.convolution import (
    convolution,
    convolution_affine_grad,
    convolution_input_grad,
    convolution_weight_grad,
)
from mindspore.operators.cross_entropy import sparse_cross_entropy, sparse_cross_entropy_grad
from mindspore.operators.gelus import gelu
from mindspore.operators.piecewise import relu, relu_grad
from mindspore.operators.softmaxes import softmax, softmax_grad

from .costs import Machine, rounds_of
from .machines import VARIABLE, write

TIMES = 3                      # measurements of which the median counts
WINDOW = 0.03                  # seconds of a measurement
SIDES = (8, 32, 64, 128, 256, 512)                                # of matrices to be multiplied
ROWS = (64, 1 << 10, 1 << 13, 1 << 16, 1 << 18, 1 << 20, 1 << 22)  # of vectors to be added
LINES, COLUMNS = (1, 16, 256, 4096), 256                           # of matrices for operators
CHANNELS, EDGES = 32, (4, 12, 32)                                  # of images for convolutions
REPEATS = 6                    # messages of a measurement
SENT = (16, 1 << 10, 1 << 13, 1 << 16, 1 << 18, 1 << 20)           # elements of messages

Table = list[tuple[float, float]]


def mean_time(call: Callable[[], Any], window: float) -> float:
    """Seconds of a call while all processes make it, by a clock on the wall."""
    call()
    found: list[float] = []
    for _ in range(TIMES):
        if get_group_size() > 1:
            collectives.wait_for_all(WORLD)
        start, count = time.perf_counter(), 0
        while time.perf_counter() - start < window:
            call()
            count += 1
        found.append((time.perf_counter() - start) / count)
    return statistics.median(found)


def measured(window: float = WINDOW) -> Machine:
    """This machine; with the messages of the processes that were started together, if there are several."""
    one = torch.ones(1)
    start = _slowest(mean_time(lambda: torch.add(one, one), window))
    tables = {"product": _ascending([_product(side, window) for side in SIDES]),
              "sweep": _ascending([_sweep(rows, window) for rows in ROWS])}
    for op in OPERATORS:
        tables[op.name] = _ascending([_operator(op, rows, window) for rows in LINES])
    for op in CONVOLUTIONS:
        tables[f"product {op.name}"] = _ascending([_convolution(op, edge, window) for edge in EDGES])
    (operations, long), (moved, time_) = tables["product"][-1], tables["sweep"][-1]
    found = Machine(operations / long, moved / time_, start, tables=tables)
    return found if get_group_size() == 1 else _with_messages(found)


def _product(side: int, window: float) -> tuple[float, float]:
    a, b = torch.randn(side, side), torch.randn(side, side)
    return 2 * side ** 3, _slowest(mean_time(lambda: torch.mm(a, b), window))


def _sweep(rows: int, window: float) -> tuple[float, float]:
    """The sum of two vectors in memory of its own, as operators give it."""
    x, y = torch.randn(rows), torch.randn(rows)
    return 3 * x.nbytes, _slowest(mean_time(lambda: torch.add(x, y), window))


def _operator(op: Any, rows: int, window: float) -> tuple[float, float]:
    """An operator that takes longer than to read and to write its tensors, on so many rows."""
    inputs = OPERATORS[op](torch.randn(rows, COLUMNS))
    outs = op.kernel(*inputs)
    tensors = [*inputs, *(outs if isinstance(outs, tuple) else [outs])]
    return sum([x.nbytes for x in tensors]), _slowest(mean_time(lambda: op.kernel(*inputs), window))


def _convolution(op: Any, edge: int, window: float) -> tuple[float, float]:
    """A convolution of 3 by 3 over four images, or its derivative, by its operations."""
    x, w = torch.randn(4, CHANNELS, edge, edge), torch.randn(CHANNELS, CHANNELS, 3, 3)
    inputs = (x, w) if op is convolution else (x, x, w)
    more = {"stride": (1, 1), "padding": (1, 1, 1, 1), "dilation": (1, 1), "output_padding": (0, 0)}
    operations = 2 * x.numel() * CHANNELS * 9
    return operations, _slowest(mean_time(lambda: op.kernel(*inputs, **more), window))


def _labels(x: torch.Tensor) -> torch.Tensor:
    return torch.arange(len(x)) % COLUMNS


OPERATORS: dict[Any, Callable[[torch.Tensor], tuple[torch.Tensor, ...]]] = {
    sparse_cross_entropy: lambda x: (x, _labels(x)),
    sparse_cross_entropy_grad: lambda x: (torch.ones(()), x.log_softmax(-1), _labels(x)),
    softmax: lambda x: (x,), softmax_grad: lambda x: (x, x.softmax(-1)), gelu: lambda x: (x,), tanh: lambda x: (x,),
    relu: lambda x: (x,), relu_grad: lambda x: (x, x)}
CONVOLUTIONS = (convolution, convolution_input_grad, convolution_weight_grad, convolution_affine_grad)


def _ascending(rows: Table) -> Table:
    """What is larger takes no less time."""
    found: Table = []
    for size, seconds in rows:
        found.append((size, max([seconds, *[s for _, s in found]])))
    return found


def _slowest(seconds: float) -> float:
    if get_group_size() == 1:
        return seconds
    return float(collectives.reduced_over(torch.tensor(seconds, dtype=torch.float64), "max", WORLD))


def _with_messages(machine: Machine) -> Machine:
    """With the seconds of every movement over lines of as many processes as meshes of all of them can have."""
    size, tables = get_group_size(), dict(machine.tables)
    for parts in [n for n in range(2, size + 1) if size % n == 0]:
        first = get_rank() // parts * parts
        group = WORLD if parts == size else f"calibrated {first} {parts}"
        if parts < size:
            create_group(group, list(range(first, first + parts)))
        for kind, call in MOVES.items():
            tables[f"{kind} {parts}"] = _ascending([_message(call, kind, n // parts * parts, parts, group)
                                                    for n in SENT])
    (_, small), *_, (sent, large) = tables[f"reduce {size}"]
    return dataclasses.replace(machine, tables=tables, link=(sent / large,), latency=small / rounds_of("reduce", size))


def _swapped(x: torch.Tensor, parts: int, group: str) -> torch.Tensor:
    counts = [x.numel() // parts] * parts
    return exchange.swapped(x, counts, counts, group, "AlltoAll")


MOVES: dict[str, Callable[[torch.Tensor, int, str], torch.Tensor]] = {
    "reduce": lambda x, parts, group: collectives.reduced_over(x, "sum", group),
    "scatter": lambda x, parts, group: collectives.reduced_in_parts(x, "sum", group),
    "gather": lambda x, parts, group: collectives.gathered(x[:len(x) // parts], group),
    "swap": _swapped}


def _message(call: Callable[[torch.Tensor, int, str], torch.Tensor], kind: str, count: int, parts: int,
             group: str) -> tuple[float, float]:
    """The bytes that a process sends of so many elements in all, and the seconds."""
    x = torch.ones(max(count, parts))
    call(x, parts, group)
    found: list[float] = []
    for _ in range(TIMES):
        collectives.wait_for_all(WORLD)
        start = time.perf_counter()
        for _ in range(REPEATS):
            call(x, parts, group)
        found.append((time.perf_counter() - start) / REPEATS)
    return x.nbytes * (parts - 1) / parts * (2 if kind == "reduce" else 1), _slowest(statistics.median(found))


def main(arguments: list[str] | None = None) -> int:
    """Run the command; its exit status."""
    parser = argparse.ArgumentParser("calibrate", description="Measure what plans for several processes cost.")
    parser.add_argument("file", help="where the figures are written, as JSON")
    parser.add_argument("--window", type=float, default=WINDOW, help="seconds of a measurement; more where processes "
                        "that share a core change seldom")
    args = parser.parse_args(arguments)
    if not 0 < args.window < 60:
        parser.error(f"--window {args.window} must be a number of seconds above 0 and below 60")
    several = launch().size > 1
    if several:
        init()
    found = measured(args.window)
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
