"""How fast two processes train together, beside the same two that train for themselves: ResNet-18 on images of CIFAR.

    python benchmarks/data_parallel.py [--processes N] [--batch N] [--steps N] [--rounds N] [--first] [--write]

In each round every process makes so many steps alone, all processes at once, and then so many in data parallel mode.
The efficiency of a round is the quotient of both times, each that of the slowest process; rounds are next to each
other, so that both see the same machine. With `--first` they run before all others of the machine (Linux, root).
"""
from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
import predicted
import results

HERE = Path(__file__).resolve()


def work(batch, steps, rounds, out):
    """Train; the first process writes the seconds of a step alone and together, by round."""
    from half_precision import ResNet18

    import mindspore as ms
    from mindspore import nn, ops
    from mindspore.communication import get_rank, init, release

    init()
    ms.set_context(mode=ms.GRAPH_MODE)
    draw = np.random.default_rng(get_rank())
    x = ms.Tensor(draw.standard_normal((batch, 3, 32, 32)).astype(np.float32))
    y = ms.Tensor(draw.integers(0, 10, batch).astype(np.int32))

    def step(mode):
        ms.set_auto_parallel_context(parallel_mode=mode, gradients_mean=True)
        net = ResNet18()
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
        return nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer).set_train()

    def seconds(train):
        ops.AllReduce()(ms.Tensor([0.0])).asnumpy()
        start = time.perf_counter()
        for _ in range(steps):
            train(x, y).asnumpy()
        spent = ms.Tensor([(time.perf_counter() - start) / steps])
        return float(ops.AllReduce("max")(spent).asnumpy()[0])
    alone, together, found = step("stand_alone"), step("data_parallel"), []
    for _ in range(2):
        alone(x, y), together(x, y)
    for _ in range(rounds):
        found.append((seconds(alone), seconds(together)))
        if get_rank() == 0:
            Path(out).write_text(json.dumps(found))
    release()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, value in (("processes", 2), ("batch", 64), ("steps", 2), ("rounds", 6)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--first", action="store_true", help="run before all other processes")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.work:
        if args.first:
            predicted.go_first()
        work(args.batch, args.steps, args.rounds, args.work)
        return
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/found.json"
        options = [f"--{name}={getattr(args, name)}" for name in ("batch", "steps", "rounds")]
        predicted.started(args.processes, str(HERE), "--work", out, *options, *(["--first"] if args.first else []))
        rows = json.loads(Path(out).read_text())
    table = ["| processes | images each | alone, ms | together, ms | efficiency (rounds) |", "|---|---|---|---|---|"]
    shares = [a / b for a, b in rows]
    alone, together = [1e3 * statistics.median(times) for times in zip(*rows, strict=True)]
    table.append(f"| {args.processes} | {args.batch} | {alone:.0f} | {together:.0f} | {statistics.median(shares):.3f} "
                 f"({min(shares):.3f} to {max(shares):.3f}) |")
    print("\n".join(table))
    if args.write:
        results.write("Data parallel training", "python benchmarks/data_parallel.py", table)


if __name__ == "__main__":
    main()
