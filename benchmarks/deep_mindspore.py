"""Deep networks in MindSpore's API: `deep_mindspore.py NAME [--cache FOLDER]` times the first training step.

It also runs under the original.  It prints one line of JSON: seconds until the first step has run, of the
second step, and (not under the original) of compiling alone.
"""
from __future__ import annotations

import json
import sys
import time

import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

ms.set_context(mode=ms.GRAPH_MODE)


class Bottleneck(nn.Cell):
    """Three convolutions with a shortcut."""

    def __init__(self, inner, outer, stride, width):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(inner, width, 1), nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, pad_mode="pad", padding=1)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3, self.bn3 = nn.Conv2d(width, outer, 1), nn.BatchNorm2d(outer)
        self.relu = nn.ReLU()
        self.down = None
        if stride != 1 or inner != outer:
            self.down = nn.SequentialCell([nn.Conv2d(inner, outer, 1, stride), nn.BatchNorm2d(outer)])

    def construct(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        if self.down is not None:
            x = self.down(x)
        return self.relu(x + y)


class ResNet(nn.Cell):
    """He et al. 2015."""

    def __init__(self, depths):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, pad_mode="pad", padding=3)
        self.bn1, self.relu = nn.BatchNorm2d(64), nn.ReLU()
        self.pool = nn.MaxPool2d(3, 2, pad_mode="same")
        layers, inner = [], 64
        for i, depth in enumerate(depths):
            for j in range(depth):
                layers.append(Bottleneck(inner, 256 << i, 2 if i and not j else 1, 64 << i))
                inner = 256 << i
        self.layers = nn.SequentialCell(layers)
        self.head = nn.Dense(inner, 10)

    def construct(self, x):
        x = self.pool(self.relu(self.bn1(self.conv1(x))))
        return self.head(self.layers(x).mean((2, 3)))


class Attention(nn.Cell):
    """Self-attention with dropout."""

    def __init__(self, size, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = [nn.Dense(size, size) for _ in range(3)]
        self.out, self.drop = nn.Dense(size, size), nn.Dropout(p=0.1)

    def split(self, x):
        n, t, c = x.shape
        return x.reshape(n, t, self.heads, c // self.heads).transpose(0, 2, 1, 3)

    def construct(self, x, mask):
        n, t, c = x.shape
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = ops.matmul(q, k.transpose(0, 1, 3, 2)) * (c // self.heads) ** -0.5 + mask
        y = ops.matmul(self.drop(ops.softmax(scores, -1)), v)
        return self.out(y.transpose(0, 2, 1, 3).reshape(n, t, c))


class Layer(nn.Cell):
    """One encoder layer."""

    def __init__(self, size, heads):
        super().__init__()
        self.attention, self.norm1, self.norm2 = Attention(size, heads), nn.LayerNorm((size,)), nn.LayerNorm((size,))
        self.up, self.down, self.act = nn.Dense(size, 4 * size), nn.Dense(4 * size, size), nn.GELU()
        self.drop = nn.Dropout(p=0.1)

    def construct(self, x, mask):
        x = self.norm1(x + self.drop(self.attention(x, mask)))
        return self.norm2(x + self.drop(self.down(self.act(self.up(x)))))


class Bert(nn.Cell):
    """Devlin et al. 2018, with a masked-language head on every place."""

    def __init__(self, words=30522, size=768, depth=12, heads=12, length=128):
        super().__init__()
        self.words = nn.Embedding(words, size)
        self.place = Parameter(Tensor(np.zeros((length, size), np.float32)), name="place")
        self.norm, self.drop = nn.LayerNorm((size,)), nn.Dropout(p=0.1)
        self.layers = nn.CellList([Layer(size, heads) for _ in range(depth)])
        self.transform, self.act, self.head = nn.Dense(size, size), nn.GELU(), nn.Dense(size, words)

    def construct(self, tokens):
        mask = (tokens == 0).astype(ms.float32).expand_dims(1).expand_dims(1) * -1e9
        x = self.drop(self.norm(self.words(tokens) + self.place))
        for layer in self.layers:
            x = layer(x, mask)
        x = self.head(self.act(self.transform(x)))
        return x.reshape(-1, x.shape[-1])


def images(depths):
    draw = np.random.default_rng(0)
    return ResNet(depths), draw.standard_normal((1, 3, 64, 64), np.float32), np.zeros(1, np.int32)


def bert():
    draw = np.random.default_rng(0)
    return Bert(), draw.integers(1, 30000, (1, 128)).astype(np.int32), np.zeros(128, np.int32)


NETS = {"resnet50": lambda: images((3, 4, 6, 3)), "resnet152": lambda: images((3, 8, 36, 3)), "bert-base": bert}


def training(name):
    """The training step as a cell, and its inputs."""
    net, x, y = NETS[name]()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Momentum(net.trainable_params(), 0.01, 0.9))
    return step.set_train(), Tensor(x), Tensor(y)


def main():
    if "--cache" in sys.argv:
        ms.set_context(enable_compile_cache=True, compile_cache_path=sys.argv[sys.argv.index("--cache") + 1])
    step, x, y = training(sys.argv[1])
    found = {}
    if hasattr(ms, "graph") and hasattr(ms.graph, "explain"):
        start = time.perf_counter(), time.process_time()
        step.compile(x, y)
        found["compile"] = time.perf_counter() - start[0]
        found["cpu"] = time.process_time() - start[1]
        (program,) = ms.graph.explain(step).programs
        found["nodes"], found["cache"] = program.nodes, program.cache
        found["stages"] = {s.name: round(s.seconds, 3) for s in program.stages}
    for key in ("first", "second"):
        start = time.perf_counter()
        step(x, y).asnumpy()
        found[key] = time.perf_counter() - start
    found["first"] += found.get("compile", 0)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
