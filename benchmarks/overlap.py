"""How much of the loading overlaps with the network's computing: training with and without sink, fed by a pipeline.

    python benchmarks/overlap.py [--steps N] [--rounds N] [--write]

Times of a step in ms: loading alone, computing alone (one batch over and over), and both in `Model.train`. If nothing
overlapped, the last would be the sum of the others; if all did, the larger of them. `share` is how far it is from the
former to the latter. One thread computes, one loads.
"""
from __future__ import annotations

import argparse
import statistics
import time

import loading_inputs as inputs
import numpy as np
import results
import torch

import mindspore as ms
import mindspore.dataset as ds
from mindspore import nn, train
from mindspore.dataset import transforms, vision

SIZE = 64


def pipeline() -> ds.Dataset:
    """Augmented colour images, by one worker."""
    data = ds.Cifar10Dataset(str(inputs.colours()), "train", shuffle=True)
    operations = [vision.RandomCrop(32, 4), vision.RandomHorizontalFlip(), vision.RandomRotation(15),
                  vision.RandomColorAdjust(0.4, 0.4, 0.4), vision.Normalize(inputs.MEAN, inputs.STD), vision.HWC2CHW()]
    data = data.map(operations, "image", num_parallel_workers=1)
    data = data.map(transforms.TypeCast(ms.int32), "label", num_parallel_workers=1)
    return data.batch(SIZE, drop_remainder=True, num_parallel_workers=1)


def network() -> nn.Cell:
    """Two convolutions and a layer."""
    return nn.SequentialCell(
        nn.Conv2d(3, 16, 3, has_bias=True), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Conv2d(16, 32, 3, has_bias=True),
        nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(), nn.Dense(32 * 64, 10))


class Clock(train.Callback):
    """Notes when epochs end."""

    def __init__(self) -> None:
        self.ends: list[float] = []

    def on_train_epoch_end(self, run_context: train.RunContext) -> None:
        self.ends.append(time.perf_counter())


def trained(data: ds.Dataset, sink: bool, steps: int, rounds: int) -> float:
    """ms of a step of `Model.train`, the median over epochs of `steps`."""
    net, clock = network(), Clock()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = train.Model(net, loss, nn.Momentum(net.trainable_params(), 0.001, 0.9))
    model.train(rounds + 2, data if sink else data.take(steps), callbacks=[clock], dataset_sink_mode=sink,
                sink_size=steps if sink else -1)
    times = np.diff(clock.ends[1:])
    return 1e3 * statistics.median(times.tolist()) / steps


def loaded(data: ds.Dataset, steps: int, rounds: int) -> float:
    """ms of a batch for a reader that does nothing else."""
    iterator, times = data.create_tuple_iterator(), []
    batches = (batch for _ in iter(int, 1) for batch in iterator)
    for _ in range(rounds + 1):
        begin = time.perf_counter()
        for _ in range(steps):
            next(batches)
        times.append(time.perf_counter() - begin)
    iterator.stop()
    return 1e3 * statistics.median(times[1:]) / steps


def constant(steps: int) -> ds.Dataset:
    """The same batch again and again, at no cost."""
    images = np.random.default_rng(0).standard_normal((SIZE, 3, 32, 32), np.float32)
    labels = np.arange(SIZE, dtype=np.int32) % 10
    return ds.GeneratorDataset(lambda: iter([(images, labels)] * steps), ["image", "label"])


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--note", default="", help="words about the circumstances, for the results")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    ms.set_context(mode=ms.GRAPH_MODE)
    torch.set_num_threads(1)
    counts = args.steps, args.rounds
    loading = loaded(pipeline(), *counts)
    table = ["| mode | loading, ms | computing, ms | training, ms | share of the smaller that overlaps |",
             "|---|---|---|---|---|"]
    for name, sink in (("no sink", False), ("sink", True)):
        computing = trained(constant(args.steps), sink, *counts)
        both = trained(pipeline(), sink, *counts)
        share = (loading + computing - both) / min(loading, computing)
        table.append(f"| {name} | {loading:.1f} | {computing:.1f} | {both:.1f} | {share:.0%} |")
    print("\n".join(table))
    if args.write:
        note = [args.note, ""] if args.note else []
        results.write("Loading while computing", "python benchmarks/overlap.py", [*note, *table])


if __name__ == "__main__":
    main()
