"""The networks in MindSpore's API: `nets_mindspore.py graph|pynative [O0]`; also runs under the original."""
from __future__ import annotations

import sys

import numpy as np
from protocol import serve

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

ms.set_context(mode=ms.GRAPH_MODE if sys.argv[1] == "graph" else ms.PYNATIVE_MODE)
if len(sys.argv) > 2:
    ms.set_context(jit_config={"jit_level": sys.argv[2]})
DRAW = np.random.default_rng(0)


def lenet():
    def conv(i, o):
        return nn.Conv2d(i, o, 5, pad_mode="valid")
    return nn.SequentialCell(conv(1, 6), nn.ReLU(), nn.MaxPool2d(2, 2), conv(6, 16), nn.ReLU(),
                             nn.MaxPool2d(2, 2), nn.Flatten(), nn.Dense(400, 120), nn.ReLU(),
                             nn.Dense(120, 84), nn.ReLU(), nn.Dense(84, 10))


def mlp():
    return nn.SequentialCell(nn.Dense(784, 512), nn.ReLU(), nn.Dense(512, 512), nn.ReLU(),
                             nn.Dense(512, 10))


class Residual(nn.Cell):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, pad_mode="pad", padding=1)
        self.norm1 = nn.BatchNorm2d(width)
        self.second = nn.Conv2d(width, width, 3, pad_mode="pad", padding=1)
        self.norm2 = nn.BatchNorm2d(width)

    def construct(self, x):
        y = ops.relu(self.norm1(self.first(x)))
        return ops.relu(x + self.norm2(self.second(y)))


class Residuals(nn.Cell):
    def __init__(self, width=64, blocks=4):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, 2, pad_mode="pad", padding=1)
        self.blocks = nn.SequentialCell([Residual(width) for _ in range(blocks)])
        self.head = nn.Dense(width, 10)

    def construct(self, x):
        return self.head(self.blocks(self.stem(x)).mean((2, 3)))


class Block(nn.Cell):
    def __init__(self, size, heads, length):
        super().__init__()
        self.heads, self.size = heads, size
        self.norm1, self.norm2 = nn.LayerNorm((size,)), nn.LayerNorm((size,))
        self.qkv, self.out = nn.Dense(size, 3 * size), nn.Dense(size, size)
        self.up, self.down, self.act = nn.Dense(size, 4 * size), nn.Dense(4 * size, size), nn.GELU()
        self.mask = Tensor(np.triu(np.full((length, length), -1e9, np.float32), 1))

    def construct(self, x):
        n, t, _ = x.shape
        h, d = self.heads, self.size // self.heads
        q, k, v = self.qkv(self.norm1(x)).reshape(n, t, 3, h, d).transpose(2, 0, 3, 1, 4)
        scores = ops.matmul(q, k.swapaxes(-1, -2)) / d ** 0.5 + self.mask
        y = ops.matmul(ops.softmax(scores, -1), v).transpose(0, 2, 1, 3).reshape(n, t, self.size)
        x = x + self.out(y)
        return x + self.down(self.act(self.up(self.norm2(x))))


class Transformer(nn.Cell):
    def __init__(self, words=1000, size=192, depth=3, heads=6, length=96):
        super().__init__()
        self.words = words
        self.embed = nn.Embedding(words, size)
        self.place = Parameter(Tensor(np.zeros((length, size), np.float32)), name="place")
        self.blocks = nn.SequentialCell([Block(size, heads, length) for _ in range(depth)])
        self.head = nn.Dense(size, words)

    def construct(self, x):
        return self.head(self.blocks(self.embed(x) + self.place)).reshape(-1, self.words)


class Recurrent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embed, self.lstm = nn.Embedding(2000, 64), nn.LSTM(64, 128, 1, batch_first=True)
        self.head = nn.Dense(128, 2)

    def construct(self, x):
        return self.head(self.lstm(self.embed(x))[0].mean(1))


def case(net, x, y):
    def build():
        cell = net()
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        train = nn.TrainOneStepCell(nn.WithLossCell(cell, loss),
                                    nn.Momentum(cell.trainable_params(), 0.01, 0.9)).set_train()
        inputs, labels = Tensor(x), Tensor(y)
        return lambda: float(train(inputs, labels).asnumpy())
    return build


def image(*shape):
    return DRAW.standard_normal(shape, np.float32)


def label(high, *shape):
    return DRAW.integers(0, high, shape).astype(np.int32)


serve({
    "lenet-b32": case(lenet, image(32, 1, 32, 32), label(10, 32)),
    "mlp-b64": case(mlp, image(64, 784), label(10, 64)),
    "residual-b32": case(Residuals, image(32, 3, 32, 32), label(10, 32)),
    "transformer-b8t96": case(Transformer, label(1000, 8, 96), label(1000, 8 * 96)),
    "lstm-b32t48": case(Recurrent, label(2000, 32, 48), label(2, 32)),
})
