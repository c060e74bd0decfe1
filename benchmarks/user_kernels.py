"""LayerNorm and GELU as one kernel of `ops.kernel`, against torch.compile and torch's own kernels.

    python benchmarks/user_kernels.py [--threads 1] [--rounds 15] [--rows 4096] [--columns 1024]

In turns in one process: the medians of the rounds, and the median of the ratios peer / kernel of each round.  Needs a
C++ compiler (torch.compile).  Compile times are those of the first call, without the start of LLVM or torch.compile.
"""
# ruff: noqa: F821  # the words of kernels are no names of Python's
# pyright: reportUndefinedVariable=false
from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import results
import torch

from mindspore.compiler.kernels.user.compiled import Compiled, Kernel, Kernels

F = torch.nn.functional


def norm_gelu(x, g, b):
    y = output_tensor(x.shape, x.dtype)
    n = x.shape[1]
    for i in parallel(x.shape[0]):
        total = 0.0
        for j in range(n):
            total += x[i, j]
        mean = total / n
        spread = 0.0
        for j in range(n):
            spread += (x[i, j] - mean) ** 2
        r = rsqrt(spread / n + 1e-5)
        for j in vectorize(n):
            h = (x[i, j] - mean) * r * g[j] + b[j]
            y[i, j] = 0.5 * h * (1.0 + tanh(0.7978845608028654 * (h + 0.044715 * h ** 3)))
    return y


def of_torch(x: torch.Tensor, g: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return F.gelu(F.layer_norm(x, g.shape, g, b), approximate="tanh")


def measured(runs: dict[str, Callable[[], Any]], rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each, in turns."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for k in range(rounds + 2):
        for name, run in runs.items():
            begin = time.perf_counter()
            run()
            if k > 1:
                times[name].append(1e3 * (time.perf_counter() - begin))
    return times


def told(what: str, times: dict[str, list[float]]) -> list[str]:
    """A row of the table for each."""
    own, rows = times["kernel"], []
    for name, found in times.items():
        ratio = statistics.median([t / o for t, o in zip(found, own, strict=True)])
        rows.append(f"| {what} | {name} | {statistics.median(found):.2f} | {min(found):.2f} | {ratio:.2f} |")
        print(rows[-1], flush=True)
    return rows


def compiling(kernel: Compiled) -> float:
    """Milliseconds of this process for the code of a kernel, the least of five."""
    found = []
    for _ in range(5):
        begin = time.process_time()
        kernel.loaded(True)
        found.append(1e3 * (time.process_time() - begin))
    return min(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("threads", 1), ("rounds", 15), ("rows", 4096), ("columns", 1024)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--write", action="store_true", help="into RESULTS.md")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    draws = torch.Generator().manual_seed(1)
    x, dy = torch.randn(2, options.rows, options.columns, generator=draws)
    g, b = torch.randn(2, options.columns, generator=draws)
    kernel: Kernel = Kernels(norm_gelu).of([("float32", 2), ("float32", 1), ("float32", 1)])
    compiled = torch.compile(of_torch)
    given = [t.clone().requires_grad_() for t in (x, g, b)]
    outs = {"torch.compile": compiled(*given), "torch": of_torch(*given)}
    own = kernel(x, g, b)[0]
    assert float((own - outs["torch"]).abs().max().detach()) < 1e-5
    table = ["| | what | median ms | least ms | peer / kernel |", "|---|---|---|---|---|"]
    with torch.no_grad():
        forwards = {"kernel": lambda: kernel(x, g, b), "torch.compile": lambda: compiled(x, g, b),
                    "torch": lambda: of_torch(x, g, b)}
        table += told("forward", measured(forwards, options.rounds))
    backwards: dict[str, Callable[[], Any]] = {"kernel": lambda: kernel.backward(x, g, b, own, dy)}
    for name, out in outs.items():
        backwards[name] = lambda out=out: torch.autograd.grad(out, given, dy, retain_graph=True)
    table += told("backward", measured(backwards, options.rounds))
    for what, code in (("forward", kernel.forward), ("backward", kernel.backward.forward)):
        table.append(f"| {what} | to compile the kernel | | {compiling(code):.0f} | |")
        print(table[-1])
    if options.write:
        results.write(f"LayerNorm and GELU as a kernel of `ops.kernel`, {options.rows}x{options.columns}",
                      f"python benchmarks/user_kernels.py --threads {options.threads}", table)


if __name__ == "__main__":
    main()
