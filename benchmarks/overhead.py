"""What our layers add to torch's own call cost: per node of a graph, per PyNative call, per gradient.

Small tensors (4 elements), one thread: the kernels cost next to nothing, so that the rest shows.
"""
from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import results
import torch

import mindspore as ms
from mindspore import Tensor, ops

LENGTH = 200


def chain(x, w, relu):
    """A chain of element-wise operations."""
    for _ in range(LENGTH // 4):
        x = relu(x * w) + w
        x = x - 1.0
    return x


def torch_gradient(x, w):
    leaf = x.detach().requires_grad_()
    return torch.autograd.grad(chain(leaf, w, torch.relu).sum(), leaf)[0]


def microseconds(functions: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Microseconds per operation of the chain, medians over rounds in turns."""
    times: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(rounds):
        for name, fn in functions.items():
            start = time.perf_counter()
            for _ in range(10):
                fn()
            times[name].append((time.perf_counter() - start) / 10 / LENGTH * 1e6)
    return {name: statistics.median(t) for name, t in times.items()}


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(1)
    x, w = Tensor([1.0, 2.0, 3.0, 4.0]), Tensor([0.5, 1.5, 1.0, 2.0])
    a, b = torch.tensor([1.0, 2.0, 3.0, 4.0]), torch.tensor([0.5, 1.5, 1.0, 2.0])

    @ms.jit
    def forward(x, w):
        return chain(x, w, ops.relu)

    def loss(x, w):
        return chain(x, w, ops.relu).sum()
    gradient = ms.grad(loss)
    compiled = ms.jit(lambda x, w: ms.grad(loss)(x, w))
    found = microseconds({
        "torch, forward": lambda: chain(a, b, torch.relu),
        "graph, forward": lambda: forward(x, w),
        "PyNative, forward": lambda: chain(x, w, ops.relu),
        "torch.autograd, forward and backward": lambda: torch_gradient(a, b),
        "graph, forward and backward": lambda: compiled(x, w),
        "PyNative, forward and backward": lambda: gradient(x, w),
    }, args.rounds)
    table = ["| what runs the chain | us per forward operation |", "|---|---|"]
    table += [f"| {name} | {value:.2f} |" for name, value in found.items()]
    print("\n".join(table))
    if args.write:
        results.write("Overhead", "python benchmarks/overhead.py", table)


if __name__ == "__main__":
    main()
