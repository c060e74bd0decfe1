"""What a summary costs a training: LeNet, 32 images, graph mode, by `Model.train`, every collector at its default.

    python benchmarks/summaries.py [--rounds N] [--steps N] [--write]

Trainings with and without a collector take turns in one process; times are of the clock, from the first step to the
last, and the ratio is that of the two trainings of a round. The summary is complete on the disk only after the
training; what that takes is told apart.
"""
from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator

import numpy as np
import results

import mindspore as ms
from mindspore import dataset, nn, train
from profiler import LeNet


class Clock(train.Callback):
    """The time between the begin of the second step and the end of the last."""

    def on_train_step_begin(self, run_context):
        """Begin with the second step: the first one compiles."""
        if run_context.original_args().cur_step_num == 2:
            self.begun = time.perf_counter()

    def on_train_step_end(self, run_context):
        """Take the time."""
        self.ended = time.perf_counter()


def images(steps: int) -> dataset.Dataset:
    """Batches of 32 pictures like those of digits: most of a picture is black."""
    draw = np.random.default_rng(0)
    x = np.zeros((256, 1, 32, 32), np.float32)
    x[:, :, 8:24, 8:24] = np.maximum(draw.standard_normal((256, 1, 16, 16), np.float32), 0)
    y = draw.integers(0, 10, 256).astype(np.int32)

    def rows() -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for k in range(steps * 32):
            yield x[k % 256], y[k % 256]

    return dataset.GeneratorDataset(list(rows()), ["x", "y"], shuffle=False).batch(32)


def training(steps: int) -> Callable[[list[train.Callback]], None]:
    """A function that trains, with callbacks."""
    net, data = LeNet(), images(steps)
    model = train.Model(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
                        nn.Momentum(net.trainable_params(), 0.01, 0.9))

    def run(callbacks: list[train.Callback]) -> None:
        model.train(1, data, callbacks=callbacks, dataset_sink_mode=False)
    return run


def measured(run: Callable[[list[train.Callback]], None], steps: int) -> tuple[float, float, float]:
    """Milliseconds of a step without and with a collector, and of completing the files."""
    plain, with_one = Clock(), Clock()
    run([plain])
    with tempfile.TemporaryDirectory() as folder:
        run([train.SummaryCollector(folder), with_one])
        after = time.perf_counter() - with_one.ended
    each = 1e3 / (steps - 1)
    return each * (plain.ended - plain.begun), each * (with_one.ended - with_one.begun), 1e3 * after


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    arguments = parser.parse_args()
    ms.set_context(mode=ms.GRAPH_MODE)
    run = training(arguments.steps)
    run([])
    found = [measured(run, arguments.steps) for _ in range(arguments.rounds)]
    ratios = sorted(b / a for a, b, _ in found)
    low, middle, high = statistics.quantiles(ratios, n=4)
    plain, with_one, after = (statistics.median(column) for column in zip(*found, strict=True))
    table = ["| ms of a step without | with a collector | ratio (quartiles) | ms until the files are complete |",
             "|---|---|---|---|",
             f"| {plain:.3f} | {with_one:.3f} | {middle:.3f} ({low:.3f} to {high:.3f}) | {after:.0f} |"]
    print("\n".join(table))
    if arguments.write:
        results.write("Summaries", "python benchmarks/summaries.py", table)


if __name__ == "__main__":
    main()
