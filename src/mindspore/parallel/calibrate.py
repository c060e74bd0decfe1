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
import functools
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch

from mindspore.core.launched import launch
from mindspore.distributed import (
    collectives,
    create_group,
    get_group_size,
    get_rank,
    init,
    release,
)
from mindspore.distributed.groups import HCCL_WORLD_COMM_GROUP as WORLD
from mindspore.operators import pieces
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
BETWEEN = 384                  # side of the matrices that are multiplied before each message
LEAST = 1e-6                   # seconds of a message, where others hide it
SENT = (16, 1 << 10, 1 << 13, 1 << 16, 1 << 18, 1 << 20)           # elements of messages

APART, COPIES = 1 << 24, 256   # bytes between two uses of one input, and inputs at most
SHARED = 1.0                   # seconds in which processes that share a core have it in turn, several times

Table = list[tuple[float, float]]


def mean_time(calls: Sequence[Callable[[], Any]], window: float) -> float:
    """Seconds that this process computes for one of some calls, in turn, while all processes make them.

    Calls on memory of their own find it as an operator finds it in a program: not in the nearest cache. The time in
    which other processes have the core is none of the call's: `waiting` tells it for all calls together.
    """
    for call in calls:
        call()
    found: list[float] = []
    for _ in range(TIMES):
        if get_group_size() > 1:
            collectives.wait_for_all(WORLD)
        start, spent, count = time.thread_time(), 0.0, 0
        while spent < window or not spent:
            for call in calls:
                call()
            count += len(calls)
            spent = time.thread_time() - start
        found.append(spent / count)
    return statistics.median(found)


def waiting(window: float) -> float:
    """How many times longer all processes take that compute at once than one that has its core for itself."""
    if get_group_size() == 1:
        return 1.0
    collectives.wait_for_all(WORLD)
    start, spent = time.perf_counter(), time.thread_time()
    while time.thread_time() - spent < window:
        pass
    return _slowest((time.perf_counter() - start) / (time.thread_time() - spent))


def measured(window: float = WINDOW) -> Machine:
    """This machine; with the messages of the processes that were started together, if there are several."""
    longer = waiting(max(10 * window, SHARED if window >= WINDOW else 0.0))
    one = torch.ones(1)
    start = longer * _slowest(mean_time([lambda: torch.add(one, one)], window))
    tables = {"product": [_product(side, window) for side in SIDES],
              "sweep": [_sweep(rows, window) for rows in ROWS]}
    for op in OPERATORS:
        tables[op.name] = [_operator(op, rows, window) for rows in LINES]
    for op in CONVOLUTIONS:
        tables[f"product {op.name}"] = [_convolution(op, edge, window) for edge in EDGES]
    tables = {name: _ascending([(size, seconds * longer) for size, seconds in rows]) for name, rows in tables.items()}
    (operations, long), (moved, time_) = tables["product"][-1], tables["sweep"][-1]
    found = Machine(operations / long, moved / time_, start, tables=tables)
    return found if get_group_size() == 1 else _with_messages(found, longer)


def _product(side: int, window: float) -> tuple[float, float]:
    calls = _cold(lambda: (torch.randn(side, side), torch.randn(side, side)), torch.mm)
    return 2 * side ** 3, _slowest(mean_time(calls, window))


def _sweep(rows: int, window: float) -> tuple[float, float]:
    """The sum of two vectors in memory of its own, as operators give it."""
    calls = _cold(lambda: (torch.randn(rows), torch.randn(rows)), torch.add)
    return 12 * rows, _slowest(mean_time(calls, window))


def _operator(op: Any, rows: int, window: float) -> tuple[float, float]:
    """An operator that takes longer than to read and to write its tensors, on so many rows."""
    inputs = OPERATORS[op](torch.randn(rows, COLUMNS))
    outs = op.kernel(*inputs)
    tensors = [*inputs, *(outs if isinstance(outs, tuple) else [outs])]
    calls = _cold(lambda: OPERATORS[op](torch.randn(rows, COLUMNS)), op.kernel)
    return sum([x.nbytes for x in tensors]), _slowest(mean_time(calls, window))


def _convolution(op: Any, edge: int, window: float) -> tuple[float, float]:
    """A convolution of 3 by 3 over four images, or its derivative, by its operations."""
    def inputs() -> tuple[torch.Tensor, ...]:
        x, w = torch.randn(4, CHANNELS, edge, edge), torch.randn(CHANNELS, CHANNELS, 3, 3)
        return (x, w) if op is convolution else (x, x, w)
    more = {"stride": (1, 1), "padding": (1, 1, 1, 1), "dilation": (1, 1), "output_padding": (0, 0)}
    operations = 2 * 4 * CHANNELS * edge ** 2 * CHANNELS * 9
    return operations, _slowest(mean_time(_cold(inputs, functools.partial(op.kernel, **more)), window))


def _cold(inputs: Callable[[], tuple[torch.Tensor, ...]], call: Callable[..., Any]) -> list[Callable[[], Any]]:
    """Calls on so many inputs that each of them is out of the nearest cache when its turn comes."""
    first = inputs()
    count = min(COPIES, 1 + APART // max(sum([x.nbytes for x in first]), 1))
    return [functools.partial(call, *one) for one in (first, *[inputs() for _ in range(count - 1)])]


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


def _with_messages(machine: Machine, longer: float) -> Machine:
    """With the seconds of every movement over lines of as many processes as meshes of all of them can have.

    Args:
        longer: How many times longer the processes take that compute at once.
    """
    size, tables = get_group_size(), dict(machine.tables)
    for parts in [n for n in range(2, size + 1) if size % n == 0]:
        first = get_rank() // parts * parts
        group = WORLD if parts == size else f"calibrated {first} {parts}"
        if parts < size:
            create_group(group, list(range(first, first + parts)))
        for kind in MOVES:
            tables[f"{kind} {parts}"] = _ascending([_message(kind, max(n // parts ** 2, 1), parts, get_rank() - first,
                                                             group, longer) for n in SENT])
    (_, small), *_, (sent, large) = tables[f"reduce {size}"]
    return dataclasses.replace(machine, tables=tables, link=(sent / large,), latency=small / rounds_of("reduce", size))


def _reduce(x: torch.Tensor, parts: int, place: int, group: str) -> torch.Tensor:
    return pieces.reduce_parts.kernel(x, kind="sum", size=parts, group=group)


def _scatter(x: torch.Tensor, parts: int, place: int, group: str) -> torch.Tensor:
    return pieces.scatter_parts.kernel(x, dim=1, counts=(x.shape[1] // parts,) * parts, place=place, group=group)


def _gather(x: torch.Tensor, parts: int, place: int, group: str) -> torch.Tensor:
    own = x.shape[1] // parts
    return pieces.gather_pieces.kernel(x[:, :own], dim=1, counts=(own,) * parts, group=group)


def _swap(x: torch.Tensor, parts: int, place: int, group: str) -> torch.Tensor:
    cuts, counts = (x.shape[1] // parts,) * parts, (x.shape[0] // parts,) * parts
    piece = x[:counts[0]]
    return pieces.swap_pieces.kernel(piece, split=1, cuts=cuts, dim=0, counts=counts, place=place, group=group)


# The movements, on a tensor of all devices whose columns are cut, and what part of it each of some devices sends.
MOVES: dict[str, tuple[Callable[[torch.Tensor, int, int, str], torch.Tensor], Callable[[int], float]]] = {
    "reduce": (_reduce, lambda n: 2 * (n - 1) / n), "scatter": (_scatter, lambda n: (n - 1) / n),
    "gather": (_gather, lambda n: (n - 1) / n), "swap": (_swap, lambda n: (n - 1) / n ** 2)}


def _message(kind: str, columns: int, parts: int, place: int, group: str, longer: float) -> tuple[float, float]:
    """The bytes that a process sends of a tensor of so many columns, and the seconds.

    Processes compute between their messages, as in a program: they wait for one another, and must be woken.
    """
    (call, sent), x = MOVES[kind], torch.ones(parts, columns * parts)
    a, b = torch.randn(BETWEEN, BETWEEN), torch.randn(BETWEEN, BETWEEN)
    call(x, parts, place, group)
    found: list[float] = []
    for _ in range(TIMES):
        collectives.wait_for_all(WORLD)
        start, computed = time.perf_counter(), 0.0
        for _ in range(REPEATS):
            before = time.thread_time()
            torch.mm(a, b)
            computed += time.thread_time() - before
            call(x, parts, place, group)
        found.append((time.perf_counter() - start - longer * computed) / REPEATS)
    return x.nbytes * sent(parts), max(_slowest(statistics.median(found)), LEAST)


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
