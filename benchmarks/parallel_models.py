"""Training steps for `parallel.py`: models of real widths, of two layers, whose weights are zeros."""
from __future__ import annotations

import numpy as np

import mindspore as ms
from mindspore import nn, ops


def dense(i, o, bias=True):
    """A dense layer of zeros."""
    return nn.Dense(i, o, weight_init="zeros", has_bias=bias)


def conv(i, o, size=3, stride=1):
    """A convolution and its normalisation."""
    return nn.SequentialCell(nn.Conv2d(i, o, size, stride, weight_init="zeros"), nn.BatchNorm2d(o), nn.ReLU())


class Attention(nn.Cell):
    """Attention with separate products for queries, keys and values."""

    def __init__(self, width, heads, bias):
        super().__init__()
        self.q, self.k, self.v, self.o = [dense(width, width, bias) for _ in range(4)]
        self.heads = heads

    def construct(self, x):
        b, s, h = x.shape
        q, k, v = [t.reshape((b, s, self.heads, h // self.heads)).transpose((0, 2, 1, 3))
                   for t in (self.q(x), self.k(x), self.v(x))]
        p = ops.softmax(ops.matmul(q, k.transpose((0, 1, 3, 2))) * (h // self.heads) ** -0.5, axis=-1)
        return self.o(ops.matmul(p, v).transpose((0, 2, 1, 3)).reshape((b, s, h)))


class Wide(nn.Cell):
    """The wide part of a layer; gated in the manner of LLaMA."""

    def __init__(self, width, inner, gated):
        super().__init__()
        self.gated, self.f1, self.f2 = gated, dense(width, inner, not gated), dense(inner, width, not gated)
        if gated:
            self.gate = dense(width, inner, False)

    def construct(self, x):
        return self.f2(ops.silu(self.gate(x)) * self.f1(x) if self.gated else ops.gelu(self.f1(x)))


class Experts(nn.Cell):
    """A mixture: tokens go to the places of experts by a product, and back."""

    def __init__(self, width, inner, experts, room):
        super().__init__()
        self.gate, self.experts, self.room = dense(width, experts * room, False), experts, room
        self.up = ms.Parameter(ms.ops.zeros((experts, width, inner), ms.float32), name="up")
        self.down = ms.Parameter(ms.ops.zeros((experts, inner, width), ms.float32), name="down")

    def construct(self, x):
        b, s, h = x.shape
        tokens = x.reshape((b * s, h))
        share = ops.softmax(self.gate(tokens), axis=-1)
        given = ops.matmul(share.transpose((1, 0)), tokens).reshape((self.experts, self.room, h))
        made = ops.bmm(ops.relu(ops.bmm(given, self.up)), self.down).reshape((self.experts * self.room, h))
        return ops.matmul(share, made).reshape((b, s, h))


class Layer(nn.Cell):
    """Attention and a wide part, normalised first."""

    def __init__(self, width, heads, wide, norm, bias=True):
        super().__init__()
        self.before, self.between = norm((width,)), norm((width,))
        self.attention, self.wide = Attention(width, heads, bias), wide()

    def construct(self, x):
        x = x + self.attention(self.before(x))
        return x + self.wide(self.between(x))


class Words(nn.Cell):
    """Words, layers, a head over all words."""

    def __init__(self, words, width, layers, norm):
        super().__init__()
        self.words, self.last = nn.Embedding(words, width, embedding_table="zeros"), norm((width,))
        self.layers, self.head, self.count = nn.SequentialCell(*layers), dense(width, words, False), words

    def construct(self, x):
        return self.head(self.last(self.layers(self.words(x)))).reshape((-1, self.count))


class Patches(nn.Cell):
    """ViT: patches, layers, classes."""

    def __init__(self, width, heads):
        super().__init__()
        self.patch, self.last = nn.Conv2d(3, width, 16, 16, weight_init="zeros"), nn.LayerNorm((width,))
        self.layers = nn.SequentialCell(*[Layer(width, heads, lambda: Wide(width, 4 * width, False), nn.LayerNorm)
                                          for _ in range(2)])
        self.head = dense(width, 1000)

    def construct(self, x):
        x = self.patch(x)
        x = x.reshape((x.shape[0], x.shape[1], -1)).transpose((0, 2, 1))
        return self.head(self.last(self.layers(x)).mean(1))


class UNet(nn.Cell):
    """Down twice, up twice, what was there joined in again."""

    def __init__(self, width):
        super().__init__()
        self.a, self.b, self.c = conv(3, width), conv(width, 2 * width, 3, 2), conv(2 * width, 4 * width, 3, 2)
        self.up = [nn.Conv2dTranspose(4 * width, 2 * width, 2, 2, weight_init="zeros"),
                   nn.Conv2dTranspose(2 * width, width, 2, 2, weight_init="zeros")]
        self.up = nn.CellList(self.up)
        self.d, self.e = conv(4 * width, 2 * width), conv(2 * width, width)
        self.last = nn.Conv2d(width, 2, 1, weight_init="zeros")

    def construct(self, x):
        a = self.a(x)
        b = self.b(a)
        x = self.d(ops.cat([self.up[0](self.c(b)), b], 1))
        x = self.last(self.e(ops.cat([self.up[1](x), a], 1)))
        return x.transpose((0, 2, 3, 1)).reshape((-1, 2))


class Clicks(nn.Cell):
    """DLRM: large tables, products of their rows, dense layers."""

    def __init__(self, rows, width, tables):
        super().__init__()
        self.tables = nn.CellList([nn.Embedding(rows, width, embedding_table="zeros") for _ in range(tables)])
        self.below = nn.SequentialCell(dense(13, 512), nn.ReLU(), dense(512, width), nn.ReLU())
        self.above = nn.SequentialCell(dense(width * (tables + 1), 1024), nn.ReLU(), dense(1024, 1024), nn.ReLU(),
                                       dense(1024, 2))

    def construct(self, x, ids):
        rows = [table(ids[:, k]) for k, table in enumerate(self.tables)]
        return self.above(ops.cat([self.below(x), *rows], 1))


def zeros(*shape, dtype=np.float32):
    return ms.Tensor(np.zeros(shape, dtype))


def tokens(b, s):
    return [zeros(b, s, dtype=np.int32)], b * s


def words(width, heads, layers, gated, norm, count=51200):
    return lambda: Words(count, width, [Layer(width, heads, lambda: Wide(width, 4 * width, gated), norm, not gated)
                                        for _ in range(layers)], norm)


MODELS = {
    "GPT": (words(1024, 16, 2, False, nn.LayerNorm), lambda: tokens(8, 256)),
    "LLaMA-like": (words(2048, 16, 2, True, lambda s: nn.RmsNorm(s[0]) if hasattr(nn, "RmsNorm") else nn.LayerNorm(s),
                         32000), lambda: tokens(8, 256)),
    "MoE": (lambda: Words(32000, 1024, [Layer(1024, 16, lambda: Experts(1024, 4096, 16, 128), nn.LayerNorm)
                                        for _ in range(2)], nn.LayerNorm), lambda: tokens(8, 256)),
    "Wide-ResNet": (lambda: nn.SequentialCell(
        conv(3, 160), conv(160, 320, 3, 2), conv(320, 640, 3, 2), conv(640, 1280, 3, 2), conv(1280, 2560, 3, 2),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), dense(2560, 1000)), lambda: ([zeros(16, 3, 64, 64)], 16)),
    "ViT": (lambda: Patches(1024, 16), lambda: ([zeros(16, 3, 224, 224)], 16)),
    "U-Net": (lambda: UNet(64), lambda: ([zeros(8, 3, 64, 64)], 8 * 64 * 64)),
    "DLRM-like": (lambda: Clicks(500_000, 64, 4), lambda: ([zeros(2048, 13), zeros(2048, 4, dtype=np.int32)], 2048)),
}


def step_of(name):
    """A training step of a model, and what it is called with."""
    make, data = MODELS[name]
    net, (inputs, rows) = make(), data()
    net.set_train()
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")

    def step(*batch):
        value, grads = ms.value_and_grad(lambda *b: loss(net(*b[:-1]), b[-1]), None, optimizer.parameters)(*batch)
        optimizer(grads)
        return value
    return step, (*inputs, zeros(rows, dtype=np.int32))
