"""What a profile costs while it is taken, and how much of the steps it explains: LeNet, 32 images, both modes.

    python benchmarks/profiler.py [--rounds N] [--write] [--picture FILE.svg]

Steps with and without a profiler take turns in one process, on one thread; times are of the CPU, since other programs
take up more than the profiler does: the ratio of the median steps, its median and quartiles over the rounds.
`--picture` draws a step and the roofline of its operators (needs matplotlib).
"""
from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import results
import torch

import mindspore as ms
from mindspore import Tensor, nn
from mindspore.profiler import profile, roofline, step_time, tensorboard_trace_handler

STEPS = 20
PHASES = {"forward": "#4477aa", "reverse": "#cc6677", "optimizer": "#228833"}


class LeNet(nn.Cell):
    """The network of the demo."""

    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 6, 5, pad_mode="valid"), nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.pool, self.relu, self.flatten = nn.MaxPool2d(2, 2), nn.ReLU(), nn.Flatten()
        self.fc1, self.fc2, self.fc3 = nn.Dense(400, 120), nn.Dense(120, 84), nn.Dense(84, 10)

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        x = self.relu(self.fc1(self.flatten(x)))
        return self.fc3(self.relu(self.fc2(x)))


def training(mode: int) -> Callable[[], float]:
    """A step of the training in a mode."""
    ms.set_context(mode=mode)
    net, draw = LeNet(), np.random.default_rng(0)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")),
                               nn.Momentum(net.trainable_params(), 0.01, 0.9)).set_train()
    x = Tensor(draw.standard_normal((32, 1, 32, 32), np.float32))
    y = Tensor(draw.integers(0, 10, 32).astype(np.int32))
    return lambda: float(step(x, y).asnumpy())


def timed(step: Callable[[], float], after: Callable[[], None]) -> list[float]:
    """The time of the CPU for each of some steps, after one that is not counted."""
    step()
    times = []
    for _ in range(STEPS):
        start = time.process_time()
        step()
        after()
        times.append(time.process_time() - start)
    return times


def measured(step: Callable[[], float], folder: Path, **options: object) -> tuple[list[float], profile]:
    """The times of steps with a profiler, and the profiler."""
    with profile(on_trace_ready=tensorboard_trace_handler(str(folder), analyse_flag=False), **options) as one:
        return timed(step, one.step), one


def rows(mode: int, rounds: int, folder: Path) -> list[str]:
    """The rows of a mode."""
    name, step = "graph" if mode == ms.GRAPH_MODE else "PyNative", training(mode)
    for _ in range(10):
        step()
    kinds: dict[str, dict[str, object]] = {
        "operators and lines": {}, "with stacks": {"with_stack": True},
        "with memory": {"profile_memory": True}}
    found = []
    for kind, options in kinds.items():
        ratios, plain, last = [], [], None
        for k in range(rounds):
            off = timed(step, lambda: None) if k % 2 else []
            on, last = measured(step, folder, **options)
            off = off or timed(step, lambda: None)
            ratios.append(statistics.median(on) / statistics.median(off))
            plain += off
        ratios.sort()
        assert last is not None
        parts: dict[str, int] = {}
        for (where, _), ns in step_time.spent(last.recorded).items():
            parts[where] = parts.get(where, 0) + ns
        total = sum(s.duration for s in last.recorded.steps)
        shares = [parts.get(where, 0) / total for where in (step_time.OPERATORS, "calling a program", step_time.PYTHON)]
        found.append(f"| {name} | {kind} | {1e3 * statistics.median(plain):.2f} | "
                     f"{100 * (statistics.median(ratios) - 1):+.1f} % ({100 * (ratios[rounds // 4] - 1):+.1f} to "
                     f"{100 * (ratios[3 * rounds // 4] - 1):+.1f}) | "
                     + " | ".join([f"{100 * share:.1f} %" for share in [*shares, sum(shares)]]) + " |")
        print(found[-1], flush=True)
    return found


def draw(file: str, folder: Path) -> None:
    """A step in graph mode over time, and the roofline of its operators."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    step = training(ms.GRAPH_MODE)
    for _ in range(20):
        step()
    with profile(on_trace_ready=tensorboard_trace_handler(str(folder))) as one:
        for _ in range(50):
            step()
            one.step()
    middle = min(one.recorded.steps, key=lambda s: s.duration)
    found = one.recorded.of_steps([middle.number])
    events = found.events
    plt.rcParams |= {"font.size": 8, "svg.hashsalt": "profiler", "svg.fonttype": "none"}
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), width_ratios=(3, 2), layout="constrained")
    lines = sorted({e.line for e in events})
    for e in events:
        left.barh(lines.index(e.line), e.duration / 1e6, left=(e.start - middle.start) / 1e6, height=0.7,
                  color=PHASES[e.phase], edgecolor="white", linewidth=0.3)
    text = Path(__file__).read_text().splitlines()
    left.set_yticks(range(len(lines)), [f"{n}: {text[n - 1].strip()[:42]}" for n in lines])
    left.invert_yaxis()
    left.set_xlim(0, middle.duration / 1e6)
    left.set_xlabel("ms since the step began")
    left.set_title("one step of LeNet, by line of the program")
    left.legend(handles=[plt.Rectangle((0, 0), 1, 1, color=c, label=p) for p, c in PHASES.items()], frameon=False)
    head, *table = roofline.table(found)
    ops = [row for row in (dict(zip(head, r, strict=True)) for r in table) if row["flops"] and row["flop_per_byte"]]
    top, band = found.peak.flops / 1e9, found.peak.bandwidth / 1e9
    x = np.geomspace(0.2, 200, 50)
    right.loglog(x, np.minimum(top, band * x), color="black", linewidth=1)
    for row in ops:
        right.scatter(float(row["flop_per_byte"]), float(row["gflop_per_s"]), s=4 + 200 * float(row["total_time(ms)"])
                      / max(float(r["total_time(ms)"]) for r in ops), color=PHASES[row["phase"]], alpha=0.6)
    for k, row in enumerate(ops[:5]):
        right.annotate(row["op_type"], (float(row["flop_per_byte"]), float(row["gflop_per_s"])), fontsize=6,
                       xytext=(5, 6 if k % 2 else -9), textcoords="offset points")
    right.set_xlabel("floating-point operations per byte")
    right.set_ylabel("GFLOP/s")
    right.set_title(f"roofline ({top:.0f} GFLOP/s, {band:.1f} GB/s)")
    figure.savefig(file, metadata={"Date": None})


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--picture", metavar="FILE")
    args = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        if args.picture:
            draw(args.picture, Path(folder))
            return
        table = ["| mode | what is measured | ms of CPU per step without | with a profiler (quartiles) "
                 "| operators, of the step | calls of programs | Python before and after | together |",
                 "|---|---|---|---|---|---|---|---|"]
        print("\n".join(table), flush=True)
        for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
            table += rows(mode, args.rounds, Path(folder))
    if args.write:
        results.write("Profiler", "python benchmarks/profiler.py", table)


if __name__ == "__main__":
    main()
