"""Training steps of networks with stages, for tests that cut them."""
from __future__ import annotations

import numpy as np

import mindspore as ms
from mindspore import nn
from mindspore.compiler.autodiff import copied
from mindspore.compiler.pipeline import prepared
from mindspore.compiler.program import Program
from mindspore.parallel.placement import mesh_of
from mindspore.parallel.search import searched
from mindspore.parallel.simulation import line, simulated
from mindspore.parallel.splitting import Splitter
from mindspore.parallel.staging import Stage, staged
from mindspore.parallel.storing import Spreading, storing_of


class Loss(nn.Cell):
    """The loss of a network."""

    def __init__(self, net):
        super().__init__()
        self.net, self.loss = net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")

    def construct(self, x, y):
        return self.loss(self.net(x), y)


class Tied(nn.Cell):
    """Words, layers, and a head with the words' table."""

    def __init__(self, layers):
        super().__init__()
        self.embedding = nn.Embedding(11, 8)
        self.layers = nn.CellList([nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
                                   for _ in range(layers)])
        self.last = nn.LayerNorm((8,))

    def construct(self, tokens):
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x)
        return ms.ops.matmul(self.last(x), self.embedding.embedding_table.T).mean(axis=1)


def staged_net(name, stages, segments=1, kind="1f1b"):
    """A network whose cells say their stages, and a batch of 12."""
    from mindspore.parallel.schedules import place

    draw = np.random.default_rng(2)
    n = stages * segments
    if name == "mlp":
        net = nn.SequentialCell(*[nn.Dense(12, 12, activation="tanh") for _ in range(n)])
        cells, x = list(net), draw.standard_normal((12, 12)).astype(np.float32)
    else:
        net = Tied(n)
        cells, x = list(net.layers), draw.integers(0, 11, (12, 5)).astype(np.int32)
        net.embedding.pipeline_stage = 0
        net.last.pipeline_stage = place(n - 1, kind, stages)[0]
    for k, cell in enumerate(cells):
        cell.pipeline_stage, segment = place(k, kind, stages)
        if segments > 1:
            cell.pipeline_segment = segment
    return Loss(net), ms.Tensor(x), ms.Tensor(draw.integers(0, 11, 12).astype(np.int32))


def step_of(name, stages, micros, segments=1, kind="1f1b"):
    """The graph of a training step, what goes into it, the tensors it captured, and what results replace."""
    ms.set_seed(3)
    return step_with(*staged_net(name, stages, segments, kind), micros)


def step_with(loss, x, y, micros):
    """The same for a network with its loss, and a batch."""
    net = nn.PipelineCell(loss, micros)
    step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 0.01))
    step.set_train()
    program = Program("step", step, (x, y), {})
    place = {id(t): k for k, t in enumerate(program.captured)}
    replaced = {program.count + k: place[id(p)] for k, p in enumerate(program.assigned)}
    return copied(prepared(program, program.target)), [x._data, y._data], program.captured, replaced


def cut(graph, captured, replaced, stages, size, kind, machine=None):
    """The graphs of all devices, with the stages of the captured tensors and their pieces."""
    nodes = graph.params[len(graph.params) - len(captured):]
    found = staged(graph, stages, {k: id(nodes[at]) for k, at in replaced.items()})
    mesh, graphs, lies = mesh_of(size), [], []
    for device in range(stages * size):
        stage, d = divmod(device, size)
        one, _ = Stage(graph, found, stage, lambda to, d=d: to * size + d, kind).made()
        own = {k: at for k, at in replaced.items() if found.home.get(id(nodes[at]), stage) == stage}
        plan = searched(one, mesh, machine, storing=storing_of(one, captured, own, Spreading())).plan
        graphs.append(Splitter(plan, d, lambda line_, first=stage * size: line([first + k for k in line_])).split(one))
        params = one.params[len(one.params) - len(captured):]
        lies.append([(found.home.get(id(n), -1), plan.stored.get(id(p), mesh.whole)) for n, p in zip(
            nodes, params, strict=True)])
    return graphs, lies, mesh


def run(graphs, inputs):
    """What all devices compute."""
    return simulated(graphs, inputs, lambda node, xs: node.op.kernel(*xs, **node.attrs))
