"""Compile time per node of the final graph: evaluate, differentiate, simplify, write and compile source.

    python benchmarks/compile.py [--blocks 100 700] [--profile] [--write]

A net of residual blocks and its gradient for every weight is compiled as one step; the time is CPU
time of one thread, the best of three fresh compilations.  Budget: 100 microseconds per node, linear.
"""
from __future__ import annotations

import argparse
import cProfile
import pstats
import time

import numpy as np
import results

BUDGET = 100.0     # microseconds of CPU per node of the final graph


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
    from mindspore.compiler.pipeline import Program

    step = value_and_grad(net, None, net.trainable_params())
    start = time.process_time()
    program = Program("step", step.native, (x,), {})
    executable = program.executable
    seconds = time.process_time() - start
    assert executable is not None
    return seconds, len(program.graph.nodes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blocks", type=int, nargs="+", default=[50, 350, 700])
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--write", action="store_true")
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
