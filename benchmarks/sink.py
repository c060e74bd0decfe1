"""Training with and without sink: ms of a step of `Model.train`, fed by a data pipeline, and what the arithmetic takes.

    python benchmarks/sink.py [--steps N] [--rounds N] [--write]

Both kinds train in turns, epoch by epoch; the median over the rounds. "one batch" is the compiled step called again and
again with the same tensors: what is above it is loading, the loop of the training and Python.
"""
from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
import results
import torch

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Tensor, nn, train
from mindspore.compiler import sinking


class LeNet(nn.Cell):
    """LeNet-5 for images of 32 by 32."""

    batch, shape = 32, (1, 32, 32)

    def __init__(self) -> None:
        super().__init__()
        self.one, self.two = nn.Conv2d(1, 6, 5, pad_mode="valid"), nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.layers = nn.SequentialCell(nn.Flatten(), nn.Dense(400, 120), nn.ReLU(), nn.Dense(120, 84), nn.ReLU(),
                                        nn.Dense(84, 10))
        self.pool, self.relu = nn.MaxPool2d(2, 2), nn.ReLU()

    def construct(self, x: Tensor) -> Tensor:
        x = self.pool(self.relu(self.one(x)))
        return self.layers(self.pool(self.relu(self.two(x))))


class Layers(nn.Cell):
    """784-512-512-10."""

    batch, shape = 64, (784,)

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.SequentialCell(nn.Dense(784, 512), nn.ReLU(), nn.Dense(512, 512), nn.ReLU(),
                                        nn.Dense(512, 10))

    def construct(self, x: Tensor) -> Tensor:
        return self.layers(x)


class Clock(train.Callback):
    """Notes how long epochs take."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    def on_train_epoch_begin(self, run_context: train.RunContext) -> None:
        self.began = time.perf_counter()

    def on_train_epoch_end(self, run_context: train.RunContext) -> None:
        run_context.original_args().net_outputs.asnumpy()
        self.taken.append(time.perf_counter() - self.began)


def training(kind: Callable[[], nn.Cell], steps: int, sink: bool) -> tuple[Callable[[], float], Callable[[], float]]:
    """What trains an epoch and gives the ms of a step, and what does so for one batch again and again."""
    ms.set_seed(1)
    draws, net = np.random.default_rng(0), kind()
    size = net.batch * steps
    data = ds.NumpySlicesDataset({"x": draws.standard_normal((size, *net.shape), np.float32),
                                  "y": draws.integers(0, 10, size, dtype=np.int32)}, shuffle=True)
    data = data.batch(net.batch, drop_remainder=True)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model, clock = train.Model(net, loss, nn.Momentum(net.trainable_params(), 0.01, 0.9)), Clock()

    def epoch() -> float:
        model.train(2, data, callbacks=[clock], dataset_sink_mode=sink)      # the first one fills the queue
        return 1e3 * clock.taken[-1] / steps
    batch = next(iter(data.create_tuple_iterator(num_epochs=1)))

    def one() -> float:
        begin = time.perf_counter()
        for _ in range(steps):
            model.train_network(*batch)
        return 1e3 * (time.perf_counter() - begin) / steps
    return epoch, one


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--note", default="", help="words about the circumstances, for the results")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    ms.set_context(mode=ms.GRAPH_MODE)
    torch.set_num_threads(args.threads)
    table = ["| step | without sink, ms | with sink, ms | without / with (quartiles) | one batch, ms | steps at once |",
             "|---|---|---|---|---|---|"]
    counts: list[int] = []
    together = sinking.Steps._together

    def noted(self: sinking.Steps, *given: object) -> object:
        out = together(self, *given)
        counts.append(self.done)
        return out
    sinking.Steps._together = noted
    for name, kind in (("LeNet, 32", LeNet), ("784-512-512-10, 64", Layers)):
        (plain, one), (sunk, _) = training(kind, args.steps, False), training(kind, args.steps, True)
        found = [(plain(), sunk(), one()) for _ in range(args.rounds + 1)][1:]
        ratios = statistics.quantiles([a / b for a, b, _ in found], n=4)
        a, b, alone = [statistics.median(times) for times in zip(*found, strict=True)]
        table.append(f"| {name} | {a:.3f} | {b:.3f} | {ratios[1]:.2f} ({ratios[0]:.2f} to {ratios[2]:.2f}) "
                     f"| {alone:.3f} | {statistics.mean(counts):.0f} |")
        counts.clear()
    print("\n".join(table))
    if args.write:
        note = [args.note, ""] if args.note else []
        results.write("Sinks", "python benchmarks/sink.py", [*note, *table])


if __name__ == "__main__":
    main()
