"""What a summary costs a training: LeNet, 32 images, graph mode, by `Model.train`, every collector at its default.

    python benchmarks/summaries.py [--rounds N] [--steps N] [--write]

Trainings with and without a collector take turns in one process, on one thread: what encodes pictures in a process of
its own has the other processor. The ratio is that of the two trainings of a round, its median and quartiles over the
rounds.
"""
from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

import numpy as np
import results
import torch

import mindspore as ms
from mindspore import dataset, nn, train
from profiler import LeNet


class Clock(train.Callback):
    """Milliseconds of a step, from the second to the last: by the clock, and of the CPU in the training's thread."""

    def on_train_step_begin(self, run_context):
        """Begin with the second step: the first one compiles and opens the files."""
        now = run_context.original_args()
        if now.cur_step_num == 2:
            self.steps, self.begun = now.batch_num - 1, (time.perf_counter(), time.thread_time())

    def on_train_step_end(self, run_context):
        """Take the time."""
        self.ended = time.perf_counter(), time.thread_time()

    def times(self) -> list[float]:
        """Both."""
        return [1e3 * (end - begin) / self.steps for begin, end in zip(self.begun, self.ended, strict=True)]


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


def measured(run: Callable[[list[train.Callback]], None]) -> list[float]:
    """The times of a step without and with a collector, and milliseconds until the files are complete."""
    plain, with_one = Clock(), Clock()
    run([plain])
    with tempfile.TemporaryDirectory() as folder:
        run([train.SummaryCollector(folder), with_one])
        after = 1e3 * (time.perf_counter() - with_one.ended[0])
    return [*plain.times(), *with_one.times(), after]


def row(name: str, pairs: list[tuple[float, float]]) -> str:
    """Medians without and with a collector, and the ratio by rounds."""
    low, middle, high = statistics.quantiles([b / a for a, b in pairs], n=4)
    without, with_one = map(statistics.median, zip(*pairs, strict=True))
    return f"| {name} | {without:.3f} | {with_one:.3f} | {middle:.3f} ({low:.3f} to {high:.3f}) |"


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(1)
    ms.set_context(mode=ms.GRAPH_MODE)
    run = training(args.steps)
    run([])
    found = [measured(run) for _ in range(args.rounds)]
    table = ["| milliseconds of a step | without | with a collector | ratio (quartiles) |", "|---|---|---|---|",
             row("of the CPU, in the training's thread", [(times[1], times[3]) for times in found]),
             row("by the clock", [(times[0], times[2]) for times in found]), "",
             f"The files were complete {statistics.median(times[4] for times in found):.0f} ms after the last step."]
    print("\n".join(table))
    if args.write:
        results.write("Summaries", " ".join(["python benchmarks/summaries.py", *sys.argv[1:]]), table)


if __name__ == "__main__":
    main()
