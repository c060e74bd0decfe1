"""The search for a plan: how long it takes, and its plans beside others under one cost model.

    python benchmarks/parallel.py [--layers 2 6 24] [--models GPT ...] [--many] [--write]

First, the training step of a GPT, derivatives and optimizer included: for each number of layers and each mesh the
operators, how many are cut, the seconds of the processor, by how much the plan may be longer than the best one, and
what each device sends by the cost model. Widths are small, since the search does not depend on them; the machine of
the cost model is so slow that it pays to cut.

Then, models of real widths over 8 devices (`parallel_models.py`): milliseconds, and megabytes that each device sends,
of the plan that is found, and of those of `parallel_plans.py`, each with what it leaves open filled in by the search,
over the best of the meshes 8, 2x4, 4x2. Last, the plan that sends least while all products are cut over all devices,
for two layers of a GPT of width 1024, 8 times 256 tokens and 51,200 words.

And (`--many`: only this) a GPT of 175 billion parameters with a batch of 1,536 on many A100: stages, parts of the
batch, schedule, recomputation and sharing of states, beside the best arrangement of Megatron's choices of 2021 (copies
share nothing, everything is computed again); with the speed of ten published steps (Narayanan et al. 2021).
"""
from __future__ import annotations

import argparse
import time

import numpy as np
import parallel_models
import parallel_plans
import results

import mindspore as ms
from mindspore import nn, ops
from mindspore.compiler.inspection.plans import traced
from mindspore.parallel.arrangements import INTERLEAVED, ONE_F_ONE_B, arranged
from mindspore.parallel.blocks import A100, Transformer
from mindspore.parallel.choices import choices
from mindspore.parallel.costs import Machine
from mindspore.parallel.placement import Mesh, meshes_of
from mindspore.parallel.search import searched

BATCH, LENGTH, WIDTH, HEADS, WORDS = 16, 64, 64, 16, 512
FAST = Machine(flops=1e14, memory=1.5e12, start=2e-6, link=(2e11,), latency=3e-6)
SENDS = Machine(flops=1e14, memory=1.5e12, start=0.0, link=(2e8,), latency=0.0)          # where only bytes count
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
    return traced(step, (x, y))[0]


def search_times(layers):
    """The first table."""
    table = ["| layers | mesh | operators | cut | CPU s | above the best at most | MB sent by each |",
             "|---|---|---|---|---|---|---|"]
    for count in layers:
        graph = step_of(count)
        for shape in ((2,), (8,), (2, 4), (64,), (8, 8), (16, 64)):
            start = time.process_time()
            found = searched(graph, Mesh(shape), MACHINE)
            spent = time.process_time() - start
            cut = sum([any(c.labels) for c in found.plan.chosen.values()])
            table.append(f"| {count} | {'x'.join(map(str, shape))} | {len(found.plan.chosen)} | {cut} | {spent:.2f} | "
                         f"{'0' if found.exact else f'{found.gap:.2%}'} | {found.volume / 1e6:.1f} |")
            print(table[-1], flush=True)
    return table


def whole_weights(storing):
    storing.free.clear()
    storing.follows.clear()
    return storing


def spread(storing):
    storing.spread |= storing.free
    return storing


PLANS = {"found": (None, None), "data parallel": (parallel_plans.data_parallel, whole_weights),
         "ZeRO 3": (parallel_plans.data_parallel, spread), "Megatron": (parallel_plans.megatron(False), None),
         "Megatron, sequences cut": (parallel_plans.megatron(True), None),
         "recursive": (parallel_plans.recursive, None)}


LAYERED = ("GPT", "LLaMA-like", "MoE", "ViT")         # models that the plans with layers of two products are for


def best_of(plan, graph, storing, devices=8):
    """The best plan within the limits of one over all meshes, with a bound for all; None where it is for none."""
    limits, lies = PLANS[plan]
    found = []
    for mesh in meshes_of(devices):
        ways = limits(graph, mesh) if limits else None
        if ways or not limits:
            found.append(searched(graph, mesh, FAST, ways, lies(storing()) if lies else storing()))
    best = min(found, key=lambda f: f.seconds, default=None)
    if best is not None:
        best.bound = min([f.bound for f in found])
    return best


def compared(names):
    """The second table; AssertionError if a plan is better than the one that is found."""
    table = ["| model | above the best at most | " + " | ".join(PLANS) + " |", "|---" * (len(PLANS) + 2) + "|"]
    for name in names:
        graph, storing = traced(*parallel_models.step_of(name))
        plans = {p: best_of(p, graph, storing) for p in PLANS if name in LAYERED or "Megatron" not in p}
        best = plans["found"]
        assert all([p is None or p.seconds >= best.bound * (1 - 1e-9) for p in plans.values()])
        assert all([p is None or p.seconds >= best.seconds * (1 - 1e-9) for p in plans.values()])
        cells = [f"{p.seconds * 1e3:.2f} ms, {p.volume / 1e6:.1f} MB" if p else "-" for p in map(plans.get, PLANS)]
        table.append(f"| {name} | {'0' if best.exact else f'{best.gap:.2%}'} | {' | '.join(cells)} |")
        print(table[-1], flush=True)
    return table


def least_sent():
    """The third table."""
    graph, storing = traced(*parallel_models.step_of("GPT"))
    table = ["| mesh | MB sent by each | above the best at most | CPU s |", "|---|---|---|---|"]
    for mesh in meshes_of(8):
        def ways(node, mesh=mesh):
            every = choices(node, mesh)
            return [c for c in every if node.op.name not in parallel_plans.ALL_PRODUCTS or all(c.labels)] or every
        start = time.process_time()
        found = searched(graph, mesh, SENDS, ways, storing())
        table.append(f"| {'x'.join(map(str, mesh.shape))} | {found.volume / 1e6:.1f} | "
                     f"{'0' if found.exact else f'{found.gap:.2%}'} | {time.process_time() - start:.2f} |")
        print(table[-1], flush=True)
    return table


PUBLISHED = (("1.7", 24, 2304, 24, 1, 1, 32, 512, 137), ("3.6", 32, 3072, 30, 2, 1, 64, 512, 138),
             ("7.5", 32, 4096, 36, 4, 1, 128, 512, 142), ("18.4", 48, 6144, 40, 8, 1, 256, 1024, 135),
             ("39.1", 64, 8192, 48, 8, 2, 512, 1536, 138), ("76.1", 80, 10240, 60, 8, 4, 1024, 1792, 140),
             ("145.6", 96, 12288, 80, 8, 8, 1536, 2304, 148), ("310.1", 128, 16384, 96, 8, 16, 1920, 2160, 155),
             ("529.6", 128, 20480, 105, 8, 35, 2520, 2520, 163), ("1008", 160, 25600, 128, 8, 64, 3072, 3072, 163))


def plain(net, devices, batch, **ways):
    """The best arrangement of what Megatron had in 2021."""
    return arranged(net, A100, devices, batch, ("full",), (0,), (ONE_F_ONE_B, INTERLEAVED), **ways)


def arrangements():
    """The last two tables."""
    table = ["| devices | ways, worked out | CPU s | above the best at most | a step | "
             "devices a block, stages, copies, parts | schedule | Megatron's choices |",
             "|---|---|---|---|---|---|---|---|"]
    for devices in (1024, 2048, 4096, 6144, 8192, 16384, 32768, 65536):
        net = Transformer(96, 12288, 96)
        found, other = arranged(net, A100, devices, 1536), plain(net, devices, 1536).best
        way = found.best.way
        table.append(f"| {devices:,} | {found.ways}, {found.tried} | {found.cpu:.2f} | {found.gap:.3%} | "
                     f"{found.best.seconds:.2f} s | {way.shared}, {way.stages}, {way.copies}, {way.micros} | "
                     f"{way.schedule}, {way.rounds} | {f'{other.seconds:.2f} s' if other else 'none fits'} |")
        print(table[-1], flush=True)
    table += ["", "| 10^9 parameters | devices | published Tflop/s a device | by the model | |",
              "|---|---|---|---|---|"]
    errors = []
    for name, heads, width, layers, shared, stages, devices, batch, speed in PUBLISHED:
        net = Transformer(layers, width, heads)
        seconds = plain(net, devices, batch, shared=shared, stages=stages).best.seconds
        model = net.flops(batch) / seconds / devices / 1e12
        errors.append(abs(model / speed - 1))
        table.append(f"| {name} | {devices:,} | {speed} | {model:.0f} | {model / speed - 1:+.1%} |")
    table.append(f"| mean of the errors | | | | {np.mean(errors):.1%} |")
    print("\n".join(table[-len(PUBLISHED) - 3:]), flush=True)
    return table


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--layers", type=int, nargs="*", default=[2, 6, 24])
    parser.add_argument("--models", nargs="*", default=list(parallel_models.MODELS))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--many", action="store_true", help="only the last tables")
    args = parser.parse_args()
    many = arrangements()
    if args.write:
        results.write("Arrangements of many devices", "python benchmarks/parallel.py --many", many)
    if args.many:
        return
    table = [*search_times(args.layers), "", *compared(args.models), "", *least_sent()]
    if args.write:
        results.write("Search for a plan", "python benchmarks/parallel.py", table)


if __name__ == "__main__":
    main()
