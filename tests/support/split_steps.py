"""Training steps of small networks as graphs, for tests that split them over devices."""
from __future__ import annotations

import numpy as np
import torch

import mindspore as ms
from mindspore import nn
from mindspore.compiler.autodiff import copied
from mindspore.compiler.pipeline import prepared
from mindspore.compiler.program import Program
from mindspore.parallel.costs import Machine
from mindspore.parallel.placement import mesh_of
from mindspore.parallel.search import searched
from mindspore.parallel.simulation import line, simulated
from mindspore.parallel.splitting import Splitter
from mindspore.parallel.storing import Spreading, Stored, storing_of

SLOW = Machine(flops=1e6, memory=1e6, start=0.0, latency=1e-7)       # where it pays to cut nearly everything


class Words(nn.Cell):
    """An embedding, a layer of a transformer, a head."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(11, 8)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
        self.head = nn.Dense(8, 11)

    def construct(self, tokens):
        return self.head(self.layer(self.embedding(tokens))).reshape((-1, 11))


class Tied(nn.Cell):
    """An embedding that is the head, too."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(11, 8)
        self.dense = nn.Dense(8, 8, activation="tanh")

    def construct(self, tokens):
        return ms.ops.matmul(self.dense(self.embedding(tokens)), self.embedding.embedding_table.T).reshape((-1, 11))


class Rows(nn.Cell):
    """A recurrent layer and a head."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(5, 6, batch_first=True)
        self.head = nn.Dense(6, 3)

    def construct(self, x):
        return self.head(self.lstm(x)[0][:, -1])


def images(*shape):
    return lambda draw: ms.Tensor(draw.standard_normal((8, *shape)).astype(np.float32))


def tokens(draw):
    return ms.Tensor(draw.integers(0, 11, (4, 6)).astype(np.int32))


def conv(inner, outer, size, **more):
    return nn.Conv2d(inner, outer, size, weight_init="normal", **more)


class Experts(nn.Cell):
    """Tokens, a mixture of four experts that all tokens go through by shares, a head."""

    def __init__(self):
        super().__init__()
        self.embedding, self.gate, self.head = nn.Embedding(11, 8), nn.Dense(8, 4), nn.Dense(8, 11)
        draw = np.random.default_rng(4)
        self.up = ms.Parameter(ms.Tensor(draw.standard_normal((4, 8, 12)).astype(np.float32) * 0.3), name="up")
        self.down = ms.Parameter(ms.Tensor(draw.standard_normal((4, 12, 8)).astype(np.float32) * 0.3), name="down")

    def construct(self, tokens):
        x = self.embedding(tokens).reshape((-1, 8))
        share = ms.ops.softmax(self.gate(x), axis=-1)
        given = ms.ops.broadcast_to(x.expand_dims(0), (4, *x.shape))
        made = ms.ops.bmm(ms.ops.relu(ms.ops.bmm(given, self.up)), self.down)
        return self.head((made * share.transpose((1, 0)).expand_dims(-1)).sum(0))


NETS = {
    "mlp": (lambda: nn.SequentialCell(nn.Dense(12, 16, activation="relu"), nn.Dense(16, 5)), images(12), 8, 5),
    "lenet": (lambda: nn.SequentialCell(
        conv(1, 6, 5, pad_mode="valid"), nn.ReLU(), nn.MaxPool2d(2, 2), conv(6, 16, 5, pad_mode="valid"), nn.ReLU(),
        nn.MaxPool2d(2, 2), nn.Flatten(), nn.Dense(400, 24), nn.ReLU(), nn.Dense(24, 10)), images(1, 32, 32), 8, 10),
    "norm": (lambda: nn.SequentialCell(conv(3, 6, 3), nn.BatchNorm2d(6), nn.ReLU(), nn.Flatten(), nn.Dense(216, 5)),
             images(3, 6, 6), 8, 5),
    "lstm": (Rows, images(4, 5), 8, 3),
    "transformer": (Words, tokens, 24, 11),
    "tied": (Tied, tokens, 24, 11),
}
MORE = {"experts": (Experts, tokens, 24, 11)}          # for few tests


def graph_of(name):
    """The graph of one training step, and what goes into it."""
    ms.set_seed(3)
    make, data, count, classes = {**NETS, **MORE}[name]
    draw = np.random.default_rng(5)
    net, x = make(), data(draw)
    labels = ms.Tensor(draw.integers(0, classes, count).astype(np.int32))
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    net.set_train()

    def step(x, labels):
        value, grads = ms.value_and_grad(lambda x, y: loss(net(x), y), None, optimizer.parameters)(x, labels)
        optimizer(grads)
        return value
    program = Program("step", step, (x, labels), {})
    place = {id(t): k for k, t in enumerate(program.captured)}
    REPLACED[name] = {program.count + k: place[id(p)] for k, p in enumerate(program.assigned)}
    return copied(prepared(program, program.target)), [t._data for t in (x, labels, *program.captured)]


REPLACED: dict = {}


class Held:
    """What the splitting asks of a captured tensor."""

    stored, parallel_optimizer = None, True

    def __init__(self, x):
        self.nbytes = x.nbytes


def replaced(name):
    """By number of a result, the place among the captured tensors of the parameter that it is for."""
    return REPLACED[name]


def evaluate(node, inputs):
    """One node by its kernel."""
    return node.op.kernel(*inputs, **node.attrs)


def exactly(node, inputs):
    """One node in float64, also where the graph makes constants of fewer digits."""
    found = evaluate(node, inputs)

    def wide(x):
        return x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x
    return tuple(map(wide, found)) if isinstance(found, (tuple, list)) else wide(found)


def on_all(graph, inputs, plan):
    """The graphs of all devices of a plan, and what each device computes."""
    graphs = [Splitter(plan, d, line).split(graph) for d in range(plan.mesh.size)]
    return graphs, simulated(graphs, [[x.clone() for x in inputs] for _ in graphs], evaluate)


def stepper(graph, plan, evaluate=evaluate):
    """A function of what devices hold: what each of them computes."""
    graphs = [Splitter(plan, d, line).split(graph) for d in range(plan.mesh.size)]
    return lambda held: simulated(graphs, [[x.clone() for x in one] for one in held], evaluate)


def on_one(graph, inputs, evaluate=evaluate):
    """The results of the graph as it is."""
    return simulated([graph], [[x.clone() for x in inputs]], evaluate)[0]


def stepping(name, devices, parallel=False, steps=10, mesh=None, exact=False):
    """What devices hold after some steps, beside what one device holds; losses, the plan and the sizes in bytes."""
    graph, inputs = graph_of(name)
    how = exactly if exact else evaluate
    if exact:
        inputs = [x.double() if x.is_floating_point() else x for x in inputs]
    captured = [Held(x) for x in inputs[2:]]
    replaced = REPLACED[name]
    mesh = mesh or mesh_of(devices)
    plan = searched(graph, mesh, SLOW, storing=storing_of(graph, captured, replaced, Spreading(parallel, 0))).plan
    lies = [Stored(mesh, plan.stored.get(id(p), mesh.whole), tuple(p.aval.shape)) for p in graph.params]
    now = [[s.piece(x, d) for s, x in zip(lies, inputs, strict=True)] for d in range(devices)]
    alone, losses = list(inputs), []
    held = [sum([x.nbytes for x in line[2:]]) for line in now], sum([x.nbytes for x in inputs[2:]])
    step = stepper(graph, plan, how)
    for _ in range(steps):
        found = step(now)
        wanted = on_one(graph, alone, how)
        losses.append((float(found[0][0]), float(wanted[0])))
        for d in range(devices):
            for k, at in replaced.items():
                now[d][2 + at] = found[d][k]
        for k, at in replaced.items():
            alone[2 + at] = wanted[k]
    pieces = [[s.piece(x, d) for s, x in zip(lies, alone, strict=True)] for d in range(devices)]
    return now, pieces, losses, plan, held
