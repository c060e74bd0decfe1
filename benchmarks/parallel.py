"""How long the search for a plan takes: the training step of a GPT, derivatives and optimizer included.

    python benchmarks/parallel.py [--layers 2 6 24] [--write]

Prints, for each number of layers and each mesh, the operators, how many are cut, the seconds of the processor, whether
the plan is the best of its space, and what each device sends by the cost model. Widths are small, since the search does
not depend on them; the machine of the cost model is so slow that it pays to cut.
"""
from __future__ import annotations

import argparse
import time

import numpy as np
import results

import mindspore as ms
from mindspore import nn, ops
from mindspore.compiler.autodiff import copied
from mindspore.compiler.pipeline import prepared
from mindspore.compiler.program import Program
from mindspore.parallel.costs import Machine
from mindspore.parallel.placement import Mesh
from mindspore.parallel.search import searched

BATCH, LENGTH, WIDTH, HEADS, WORDS = 16, 64, 64, 16, 512
MACHINE = Machine(flops=1e9, memory=1e9, start=2e-6, link=(1e10,), latency=1e-6)


class Block(nn.Cell):
    """A layer of a transformer, normalised first."""

    def __init__(self):
        super().__init__()
        self.before, self.between = nn.LayerNorm((WIDTH,)), nn.LayerNorm((WIDTH,))
        self.qkv, self.out = nn.Dense(WIDTH, 3 * WIDTH), nn.Dense(WIDTH, WIDTH)
        self.wide, self.narrow = nn.Dense(WIDTH, 4 * WIDTH, activation="gelu"), nn.Dense(4 * WIDTH, WIDTH)

    def construct(self, x):
        q, k, v = [t.reshape((BATCH, LENGTH, HEADS, WIDTH // HEADS)).transpose((0, 2, 1, 3))
                   for t in ops.split(self.qkv(self.before(x)), WIDTH, axis=2)]
        scores = ops.softmax(ops.matmul(q, k.transpose((0, 1, 3, 2))) * (WIDTH // HEADS) ** -0.5, axis=-1)
        x = x + self.out(ops.matmul(scores, v).transpose((0, 2, 1, 3)).reshape((BATCH, LENGTH, WIDTH)))
        return x + self.narrow(self.wide(self.between(x)))


class Gpt(nn.Cell):
    """Words, layers, a head."""

    def __init__(self, layers: int):
        super().__init__()
        self.words, self.last = nn.Embedding(WORDS, WIDTH), nn.LayerNorm((WIDTH,))
        self.blocks = nn.SequentialCell(*[Block() for _ in range(layers)])
        self.head = nn.Dense(WIDTH, WORDS, has_bias=False)

    def construct(self, x):
        return self.head(self.last(self.blocks(self.words(x)))).reshape((-1, WORDS))


def step_of(layers: int):
    """The graph of a training step."""
    net = Gpt(layers)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    draw = np.random.default_rng(1)
    x = ms.Tensor(draw.integers(0, WORDS, (BATCH, LENGTH)).astype(np.int32))
    y = ms.Tensor(draw.integers(0, WORDS, BATCH * LENGTH).astype(np.int32))

    def step(x, y):
        value, grads = ms.value_and_grad(lambda x, y: loss(net(x), y), None, optimizer.parameters)(x, y)
        optimizer(grads)
        return value
    program = Program("step", step, (x, y), {})
    return copied(prepared(program, program.target))


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--layers", type=int, nargs="+", default=[2, 6, 24])
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    table = ["| layers | mesh | operators | cut | CPU s | best of its space | MB sent by each |",
             "|---|---|---|---|---|---|---|"]
    for layers in args.layers:
        graph = step_of(layers)
        for shape in ((2,), (8,), (2, 4), (64,), (8, 8)):
            start = time.process_time()
            found = searched(graph, Mesh(shape), MACHINE)
            spent = time.process_time() - start
            cut = sum([any(c.labels) for c in found.plan.chosen.values()])
            table.append(f"| {layers} | {'x'.join(map(str, shape))} | {len(found.plan.chosen)} | {cut} | {spent:.2f} | "
                         f"{'yes' if found.exact else 'not proven'} | {found.volume / 1e6:.1f} |")
            print(table[-1], flush=True)
    if args.write:
        results.write("Search for a plan", "python benchmarks/parallel.py", table)


if __name__ == "__main__":
    main()
