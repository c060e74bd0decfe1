"""Time the first training step of LeNet in fresh processes: without a cache on disk, and with what it keeps.

    python benchmarks/first_step.py [--runs 7] [--write]

Graphs alone are what the cache kept before it kept machine code, too: before those runs, machine code is removed.
"""
from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import results

ROOT = Path(__file__).resolve().parent.parent
CASES = ("nothing", "graphs", "graphs and machine code")


def step(level: str) -> None:
    """Print what the first step takes in this process, in ms, and its loss."""
    import time

    import numpy as np

    import mindspore as ms
    from mindspore import Tensor, nn

    ms.set_context(mode=ms.GRAPH_MODE, jit_config={"jit_level": level})
    ms.set_seed(1)
    net = nn.SequentialCell(
        nn.Conv2d(1, 6, 5, pad_mode="valid"), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Conv2d(6, 16, 5, pad_mode="valid"),
        nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(), nn.Dense(400, 120), nn.ReLU(), nn.Dense(120, 84), nn.ReLU(),
        nn.Dense(84, 10))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    train = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Momentum(net.trainable_params(), 0.01, 0.9)).set_train()
    x = Tensor(np.random.default_rng(0).normal(size=(32, 1, 32, 32)).astype(np.float32))
    y = Tensor(np.arange(32, dtype=np.int32) % 10)
    start = time.perf_counter()
    found = train(x, y).asnumpy()
    print((time.perf_counter() - start) * 1e3, found.tobytes().hex())


def asked(level: str, cache: str | None) -> tuple[float, str]:
    """The time and the loss of a fresh process."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "MS_COMPILER_CACHE_ENABLE": "1" if cache else "0",
           "MS_COMPILER_CACHE_PATH": cache or "", "ANYSPORE_KERNEL_CACHE": "off"}
    said = subprocess.run([sys.executable, __file__, "--level", level], env=env, check=True, text=True,
                          stdout=subprocess.PIPE).stdout.split()
    return float(said[0]), said[1]


def measured(level: str, runs: int) -> list[str]:
    """The rows of one level."""
    with tempfile.TemporaryDirectory() as cache:
        asked(level, cache)
        times: dict[str, list[float]] = {case: [] for case in CASES}
        losses: set[str] = set()
        for _ in range(runs):                 # in turns: the machine's other work meets all alike
            for case in CASES:
                if case == "graphs":
                    shutil.rmtree(Path(cache, "kernel_cache"), ignore_errors=True)
                taken, loss = asked(level, cache if case != "nothing" else None)
                times[case].append(taken)
                losses.add(loss)
    assert len(losses) == 1, losses
    return [f"| {level} | {case} | {statistics.median(found):.0f} | {min(found):.0f} to {max(found):.0f} |"
            for case, found in times.items()]


def main() -> None:
    """Read the arguments, measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--level", help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    if args.level:
        step(args.level)
        return
    table = ["| level | found on disk | first step, ms | runs |", "|---|---|---|---|"]
    table += [row for level in ("O0", "O1", "O2") for row in measured(level, args.runs)]
    print("\n".join(table))
    if args.write:
        results.write("First training step of LeNet", "python benchmarks/first_step.py", table)


if __name__ == "__main__":
    main()
