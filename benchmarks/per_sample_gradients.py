"""Gradients per sample of a small network by `vmap(grad(loss))`, beside torch.func: median times of one call.

    python benchmarks/per_sample_gradients.py [batch]
"""
from __future__ import annotations

import itertools
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
import torch

import mindspore as ms
from mindspore import Tensor, ops

WIDTHS = (32, 64, 64, 10)
CALLS = 40


def arrays(batch: int) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Weights and biases of the layers, inputs, and targets as one-hot rows."""
    rng = np.random.default_rng(0)
    weights = []
    for a, b in itertools.pairwise(WIDTHS):
        weights += [rng.standard_normal((a, b)).astype(np.float32) / 8, np.zeros(b, np.float32)]
    targets = np.eye(WIDTHS[-1], dtype=np.float32)[rng.integers(0, WIDTHS[-1], batch)]
    return weights, rng.standard_normal((batch, WIDTHS[0])).astype(np.float32), targets


def loss_by(relu: Callable, matmul: Callable, log_softmax: Callable) -> Callable:
    """The cross entropy of one sample, in the words of a library."""
    def loss(weights, x, target):
        last = len(weights) - 2
        for k in range(0, len(weights), 2):
            x = matmul(x, weights[k]) + weights[k + 1]
            x = x if k == last else relu(x)
        return -(log_softmax(x, -1) * target).sum()
    return loss


def median(call: Callable) -> float:
    """The median time of a call in microseconds, after a few to warm up."""
    times = []
    for _ in range(CALLS + 10):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times[10:]) * 1e6


def main(batch: int = 64) -> None:
    """Measure the three in turns, three times, and print the best medians."""
    torch.set_num_threads(1)
    weights, x, targets = arrays(batch)
    theirs = torch.func.vmap(torch.func.grad(loss_by(torch.relu, torch.matmul, torch.log_softmax)), (None, 0, 0))
    ours = ms.vmap(ms.grad(loss_by(ops.relu, ops.matmul, ops.log_softmax)), (None, 0, 0))
    compiled = ms.jit(lambda *args: ours(*args))
    of_torch = [torch.tensor(w) for w in weights], torch.tensor(x), torch.tensor(targets)
    of_us = tuple(map(Tensor, weights)), Tensor(x), Tensor(targets)
    for a, b in zip(theirs(*of_torch), ours(*of_us), strict=True):
        np.testing.assert_allclose(a.numpy(), b.asnumpy(), atol=1e-5)
    calls = {"torch.func": lambda: theirs(*of_torch), "PyNative": lambda: ours(*of_us),
             "graph": lambda: compiled(*of_us)}
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(3):
        for name, call in calls.items():
            best[name] = min(best[name], median(call))
    for name, found in best.items():
        print(f"{name:12} {found:8.0f} us  {found / best['torch.func']:.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
