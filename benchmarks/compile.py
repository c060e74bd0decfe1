"""Compile time per node of the final graph: evaluate, differentiate, simplify, write and compile source.

    python benchmarks/compile.py [--blocks 100 700] [--profile] [--write] [--torch PY] [--original PY]

A net of residual blocks and its gradient for every weight is compiled as one step; the time is CPU
time of one thread, the best of three fresh compilations.  Budget: 100 microseconds per node, linear.
With `--torch` or `--original` also the training steps of deep networks: the time to compile them here, of
torch.compile's front end (tracing alone; tracing and derivative) and of the original (first step less
the second).
"""
from __future__ import annotations

import argparse
import cProfile
import json
import os
import pstats
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import results

BUDGET = 60.0     # microseconds of CPU per node of the final graph


def network(count: int, width: int = 8):
    """Residual blocks of nine forward operators each."""
    from mindspore import Parameter, Tensor, nn, ops

    class Dense(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor(np.eye(width, dtype=np.float32)), name="w")
            self.b = Parameter(Tensor(np.zeros(width, np.float32)), name="b")

        def construct(self, x):
            return ops.matmul(x, self.w) + self.b

    class Block(nn.Cell):
        def __init__(self):
            super().__init__()
            self.up, self.down = Dense(), Dense()

        def construct(self, x):
            h = ops.relu(self.up(x))
            gate = ops.tanh(h) * 0.5
            return x + self.down(h * gate)

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.blocks = nn.CellList([Block() for _ in range(count)])

        def construct(self, x):
            for block in self.blocks:
                x = block(x)
            return (x * x).sum()

    return Net(), Tensor(np.ones((2, width), np.float32))


def compiled(net, x) -> tuple[float, int]:
    """CPU seconds of one compilation of the gradient step, and the nodes of its graph."""
    from mindspore import value_and_grad
    from mindspore.compiler.program import Program

    step = value_and_grad(net, None, net.trainable_params())
    start = time.process_time()
    program = Program("step", step.native, (x,), {})
    executable = program.executable
    seconds = time.process_time() - start
    assert executable is not None
    return seconds, len(program.graph.nodes)


def measured(python: str, script: str, *args: str) -> dict:
    """What a script of this folder prints under an interpreter, as a process of its own."""
    environment = {k: v for k, v in os.environ.items() if python == sys.executable or k != "PYTHONPATH"}
    done = subprocess.run([python, str(Path(__file__).with_name(script)), *args], capture_output=True, text=True,
                          check=True, env={**environment, "OMP_NUM_THREADS": "2", "GLOG_v": "4"})
    return json.loads(done.stdout.splitlines()[-1])


def deep(torch: str | None, original: str | None) -> list[str]:
    """The table of deep networks."""
    table = ["| training step | nodes | here, s | torch tracing, s | with derivative, s | original, s | bars |",
             "|---|---|---|---|---|---|---|"]
    for name in ("resnet50", "resnet152", "bert-base"):
        here = measured(sys.executable, "deep_mindspore.py", name)
        own, cells, bars = here["compile"], [], []
        for backend in ("eager", "aot_eager"):
            seconds = measured(torch, "deep_torch.py", name, backend)["compile"] if torch else 0
            cells.append(f"{seconds:.1f} ({seconds / own:.0f}x)" if torch else "-")
        bars += ["5x torch"] if torch and seconds / own >= 5 else []
        if original:
            found = measured(original, "deep_mindspore.py", name)
            seconds = found["first"] - found["second"]
            bars += ["20x original"] if seconds / own >= 20 else []
        cells.append(f"{seconds:.1f} ({seconds / own:.0f}x)" if original else "-")
        bars += ["3 s"] if own < 3 else []
        table.append(f"| {name} | {here['nodes']} | {own:.2f} | {' | '.join(cells)} | {', '.join(bars)} |")
        print(table[-1])
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blocks", type=int, nargs="+", default=[50, 350, 960])
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--torch", help="an interpreter with torch")
    parser.add_argument("--original", help="an interpreter with the original")
    options = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    compiled(*network(3))
    worst = 0.0
    table = ["| blocks | nodes of the final graph | CPU seconds | us per node |", "|---|---|---|---|"]
    for count in options.blocks:
        net, x = network(count)
        seconds, nodes = min(compiled(net, x) for _ in range(3))
        worst = max(worst, seconds / nodes * 1e6)
        print(f"{count:5} blocks  {nodes:6} nodes  {seconds:6.3f} s  {seconds / nodes * 1e6:6.1f} us per node")
        table.append(f"| {count} | {nodes} | {seconds:.3f} | {seconds / nodes * 1e6:.0f} |")
    if options.torch or options.original:
        beside = deep(options.torch, options.original)
        if options.write:
            results.write("Compile time of training steps", "python benchmarks/compile.py --torch PY --original PY",
                          beside)
    if options.write:
        results.write("Compile time", "python benchmarks/compile.py --blocks "
                      + " ".join(map(str, options.blocks)), table)
    if options.profile:
        profile = cProfile.Profile()
        profile.runcall(compiled, *network(options.blocks[-1]))
        pstats.Stats(profile).sort_stats("tottime").print_stats(35)
    return int(worst > BUDGET)


if __name__ == "__main__":
    raise SystemExit(main())
