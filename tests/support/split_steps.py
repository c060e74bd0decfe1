"""Training steps of small networks as graphs, for tests that split them over devices."""
from __future__ import annotations

import numpy as np

import mindspore as ms
from mindspore import nn
from mindspore.compiler.autodiff import copied
from mindspore.compiler.pipeline import prepared
from mindspore.compiler.program import Program
from mindspore.parallel.simulation import line, simulated
from mindspore.parallel.splitting import Splitter


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


def graph_of(name):
    """The graph of one training step, and what goes into it."""
    ms.set_seed(3)
    make, data, count, classes = NETS[name]
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


def on_all(graph, inputs, plan):
    """The graphs of all devices of a plan, and what each device computes."""
    graphs = [Splitter(plan, d, line).split(graph) for d in range(plan.mesh.size)]
    return graphs, simulated(graphs, [[x.clone() for x in inputs] for _ in graphs], evaluate)


def stepper(graph, plan):
    """A function of what devices hold: what each of them computes."""
    graphs = [Splitter(plan, d, line).split(graph) for d in range(plan.mesh.size)]
    return lambda held: simulated(graphs, [[x.clone() for x in one] for one in held], evaluate)


def on_one(graph, inputs):
    """The results of the graph as it is."""
    return simulated([graph], [[x.clone() for x in inputs]], evaluate)[0]
