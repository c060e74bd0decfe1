"""Training in bfloat16 (levels of amp) against float32, in turns: time of a step, loss after some steps.

    python benchmarks/half_precision.py [--cases gpt-mini-b8t128,resnet18-cifar-b64] [--steps 200] [--write]

All begin with the same weights and see the same batches, of tasks that can be learned: the next token of a random
walk through a fixed table, and which of ten patterns an image has, under noise.  The loss is the mean of the last tenth
of the steps.
"""
from __future__ import annotations

import argparse
import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import results

import mindspore as ms
from mindspore import Parameter, Tensor, amp, nn, ops


def normed(inner: int, outer: int, size: int, stride: int = 1) -> list[nn.Cell]:
    """A convolution and its norm."""
    return [nn.Conv2d(inner, outer, size, stride, pad_mode="pad", padding=size // 2), nn.BatchNorm2d(outer)]


class Residual(nn.Cell):
    """He et al. 2015, with two convolutions."""

    def __init__(self, inner: int, outer: int, stride: int):
        super().__init__()
        self.body = nn.SequentialCell(*normed(inner, outer, 3, stride), nn.ReLU(), *normed(outer, outer, 3))
        self.same = inner == outer and stride == 1
        self.short = nn.Identity() if self.same else nn.SequentialCell(*normed(inner, outer, 1, stride))

    def construct(self, x):
        return ops.relu(self.body(x) + self.short(x))


class ResNet18(nn.Cell):
    """For images of 32 by 32."""

    def __init__(self) -> None:
        super().__init__()
        sizes = (64, 64, 64, 128, 128, 256, 256, 512, 512)
        blocks = [Residual(a, b, 1 if a == b else 2) for a, b in itertools.pairwise(sizes)]
        self.body, self.head = nn.SequentialCell(*normed(3, 64, 3), nn.ReLU(), *blocks), nn.Dense(512, 10)

    def construct(self, x):
        return self.head(self.body(x).mean((2, 3)))


class Block(nn.Cell):
    """Causal attention and a layer of 4 times the width, each behind a norm."""

    def __init__(self, width: int, heads: int, length: int):
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm((width,)), nn.LayerNorm((width,))
        self.qkv, self.out = nn.Dense(width, 3 * width), nn.Dense(width, width)
        self.up, self.down = nn.Dense(width, 4 * width), nn.Dense(4 * width, width)
        self.mask = Tensor(np.triu(np.full((length, length), -1e9, np.float32), 1))

    def construct(self, x):
        n, t, width = x.shape
        size = width // self.heads
        qkv = self.qkv(self.first(x)).reshape(n, t, 3, self.heads, size).transpose(2, 0, 3, 1, 4)
        scores = ops.matmul(qkv[0], qkv[1].swapaxes(-1, -2)) * size ** -0.5
        weights = ops.softmax(scores + self.mask.astype(scores.dtype), -1)
        x = x + self.out(ops.matmul(weights, qkv[2]).transpose(0, 2, 1, 3).reshape(n, t, width))
        return x + self.down(ops.gelu(self.up(self.second(x)), approximate="tanh"))


class Gpt(nn.Cell):
    """Four blocks of 256 with 8 heads."""

    def __init__(self, words: int = 1000, width: int = 256, length: int = 128):
        super().__init__()
        self.words = words
        self.embed, self.places = nn.Embedding(words, width), Parameter(np.zeros((length, width), np.float32), "places")
        self.blocks = nn.SequentialCell(*[Block(width, 8, length) for _ in range(4)])
        self.norm, self.head = nn.LayerNorm((width,)), nn.Dense(width, words)

    def construct(self, x):
        return self.head(self.norm(self.blocks(self.embed(x) + self.places))).reshape(-1, self.words)


def walks() -> Iterator[tuple[Tensor, Tensor]]:
    """Tokens and those that follow them: three of four times what a table says."""
    rng = np.random.default_rng(1)
    table = rng.permutation(1000)
    while True:
        tokens = np.empty((8, 129), np.int32)
        tokens[:, 0] = rng.integers(0, 1000, 8)
        for t in range(128):
            tokens[:, t + 1] = np.where(rng.random(8) < 0.75, table[tokens[:, t]], rng.integers(0, 1000, 8))
        yield Tensor(tokens[:, :-1].copy()), Tensor(tokens[:, 1:].reshape(-1).copy())


def pictures(count: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Noisy patterns and which they are."""
    rng = np.random.default_rng(2)
    patterns = rng.standard_normal((10, 3, 32, 32))
    while True:
        which = rng.integers(0, 10, count)
        images = 0.2 * patterns[which] + rng.standard_normal((count, 3, 32, 32))
        yield Tensor(images.astype(np.float32)), Tensor(which.astype(np.int32))


# "auto" lowers convolutions on a CPU, of which the first has none
CASES: dict[str, tuple[Callable[[], nn.Cell], Callable[[], Iterator[Any]], float, tuple[str, ...]]] = {
    "gpt-mini-b8t128": (Gpt, walks, 0.05, ("O0", "O1", "O2")),
    "resnet18-cifar-b64": (ResNet18, lambda: pictures(64), 0.01, ("O0", "O2", "auto")),
    "resnet18-cifar-b16": (ResNet18, lambda: pictures(16), 0.01, ("O0", "O2", "auto"))}


def step(make: Callable[[], nn.Cell], rate: float, level: str) -> Callable[[Tensor, Tensor], float]:
    """A training step at a level, from the same weights."""
    ms.set_seed(3)
    np.random.seed(3)
    net = make()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    update = nn.Momentum(net.trainable_params(), rate, 0.9)
    low = amp.auto_mixed_precision(net, level, ms.bfloat16)
    train = nn.TrainOneStepCell(nn.WithLossCell(low, loss), update)
    train.set_train()
    return lambda x, y: float(train(x, y).astype(ms.float32).asnumpy())


def measured(name: str, steps: int, rounds: int) -> list[str]:
    """The rows of a case."""
    make, draw, rate, levels = CASES[name]
    runs = {level: step(make, rate, level) for level in levels}
    losses: dict[str, list[float]] = {level: [] for level in levels}
    times: dict[str, list[float]] = {level: [] for level in levels}
    each, batches = -(-steps // rounds), draw()
    for _ in range(rounds):
        given = [next(batches) for _ in range(each)]
        for level, run in runs.items():
            taken = []
            for x, y in given:
                start = time.perf_counter()
                losses[level].append(run(x, y))
                taken.append(time.perf_counter() - start)
            times[level].append(statistics.median(taken[1:]))
    rows, last = [], max(1, len(losses["O0"]) // 10)
    for level in levels:
        ratios = sorted(plain / own for plain, own in zip(times["O0"], times[level], strict=True))
        ends = {k: statistics.mean(v[-last:]) for k, v in losses.items()}
        kind, own = "float32" if level == "O0" else f"bfloat16, {level}", 1e3 * statistics.median(times[level])
        rows.append(f"| {name} | {kind} | {own:.1f} | {statistics.median(ratios):.2f} | {ratios[0]:.2f} | "
                    f"{ratios[-1]:.2f} | {statistics.mean(losses[level][:last]):.4f} | {ends[level]:.4f} | "
                    f"{100.0 * (ends[level] / ends['O0'] - 1.0):+.2f} % |")
        print(rows[-1], flush=True)
    return rows


def native() -> str:
    """What the processor has for bfloat16."""
    info = Path("/proc/cpuinfo")
    flags = info.read_text().split() if info.exists() else []
    return ", ".join(f for f in ("avx512_bf16", "amx_bf16", "bf16") if f in flags) or "nothing"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default="gpt-mini-b8t128,resnet18-cifar-b64")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    ms.set_context(mode=ms.GRAPH_MODE)
    table = [f"The processor has for bfloat16: {native()}.  {args.steps} steps.", "",
             "| case | precision | ms | float32 / own | low | high | loss at first | at last | from float32 |",
             "|---|---|---|---|---|---|---|---|---|"]
    for name in args.cases.split(","):
        table += measured(name, args.steps, args.rounds)
    if args.write:
        results.write("Training in bfloat16", f"python benchmarks/half_precision.py --cases {args.cases} "
                      f"--steps {args.steps}", table)


if __name__ == "__main__":
    main()
