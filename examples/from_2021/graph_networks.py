"""GCN and GAT tell the parties of a graph from a few labelled nodes (1.3).

    python examples/from_2021/graph_networks.py [--mode graph|pynative] [--epochs N]
"""
import argparse

import numpy as np

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
from mindspore import Tensor, context, set_seed


def parties(nodes=60, seed=0):
    """A graph of three parties whose members mostly know each other: features, adjacency, labels, known nodes."""
    rng = np.random.RandomState(seed)
    labels = np.arange(nodes) % 3
    chance = np.where(labels[:, None] == labels[None], 0.3, 0.03)
    adjacency = np.triu(rng.rand(nodes, nodes) < chance, 1)
    adjacency = adjacency | adjacency.T
    features = (np.eye(3)[labels] + rng.normal(0, 1.5, (nodes, 3))).astype(np.float32)
    known = np.zeros(nodes, np.float32)
    known[:12] = 1
    return features, adjacency, labels.astype(np.int32), known


def normalised(adjacency):
    """D^-1/2 (A + I) D^-1/2 (Kipf and Welling 2017)."""
    a = adjacency + np.eye(len(adjacency))
    d = 1 / np.sqrt(a.sum(1))
    return (a * d[:, None] * d[None]).astype(np.float32)


class GCN(nn.Cell):
    """Two layers: neighbours' features are mixed, then a dense layer is applied."""

    def __init__(self, adjacency, hidden=16, classes=3):
        super().__init__()
        self.adjacency = Tensor(normalised(adjacency))
        self.first, self.second = nn.Dense(3, hidden, "XavierUniform"), nn.Dense(hidden, classes, "XavierUniform")
        self.matmul, self.relu = ops.MatMul(), nn.ReLU()

    def construct(self, x):
        x = self.relu(self.first(self.matmul(self.adjacency, x)))
        return self.second(self.matmul(self.adjacency, x))


class AttentionHead(nn.Cell):
    """Neighbours weighted by learned scores (Velickovic et al. 2018)."""

    def __init__(self, width, out, adjacency):
        super().__init__()
        self.dense = nn.Dense(width, out, "XavierUniform", has_bias=False)
        self.left, self.right = nn.Dense(out, 1), nn.Dense(out, 1)
        self.leaky, self.softmax = nn.LeakyReLU(0.2), nn.Softmax(-1)
        self.blocked = Tensor(np.where(adjacency | np.eye(len(adjacency), dtype=bool), 0, -1e9).astype(np.float32))
        self.matmul, self.transpose = ops.MatMul(), ops.Transpose()

    def construct(self, x):
        h = self.dense(x)
        scores = self.leaky(self.left(h) + self.transpose(self.right(h), (1, 0)))
        return self.matmul(self.softmax(scores + self.blocked), h)


class GAT(nn.Cell):
    """Several heads side by side, then one."""

    def __init__(self, adjacency, heads=4, hidden=4, classes=3):
        super().__init__()
        self.heads = nn.CellList([AttentionHead(3, hidden, adjacency) for _ in range(heads)])
        self.last = AttentionHead(heads * hidden, classes, adjacency)
        self.concat, self.elu = ops.Concat(axis=1), nn.ELU()

    def construct(self, x):
        outs = ()
        for head in self.heads:
            outs += (self.elu(head(x)),)
        return self.last(self.concat(outs))


class LossOfKnown(nn.Cell):
    """The mean cross entropy of the nodes that are known, and a penalty for large weights."""

    def __init__(self, net, labels, known, penalty=5e-4):
        super().__init__(auto_prefix=False)
        self.net, self.labels, self.known, self.penalty = net, Tensor(labels), Tensor(known), penalty
        self.entropy = nn.SoftmaxCrossEntropyWithLogits(sparse=True)
        self.weights = ms.ParameterTuple(net.trainable_params())
        self.square = ops.L2Loss()

    def construct(self, x):
        loss = (self.entropy(self.net(x), self.labels) * self.known).sum() / self.known.sum()
        for weight in self.weights:
            loss += self.penalty * self.square(weight)
        return loss


def main(mode="graph", epochs=40):
    """The accuracies on the nodes that are not known."""
    context.set_context(mode=context.GRAPH_MODE if mode == "graph" else context.PYNATIVE_MODE)
    features, adjacency, labels, known = parties()
    found = {}
    for kind in (GCN, GAT):
        set_seed(1)
        net = kind(adjacency)
        step = nn.TrainOneStepCell(LossOfKnown(net, labels, known), nn.Adam(net.trainable_params(), 0.02))
        step.set_train()
        for _ in range(epochs):
            loss = step(Tensor(features))
        told = ops.Argmax()(net(Tensor(features))).asnumpy()
        found[kind.__name__] = float(np.mean((told == labels)[known == 0]))
        print(f"{kind.__name__}: loss {float(loss.asnumpy()):.3f}, accuracy {found[kind.__name__]:.3f}")
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--epochs", type=int, default=100)
    main(**vars(parser.parse_args()))
