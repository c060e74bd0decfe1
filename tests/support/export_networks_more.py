"""Further networks of many kinds, in terms that the original has, too, for tests of formats of models."""
from __future__ import annotations

import math

from export_networks import Block, Branch, Gpt, Halving, convolution, integers, tensor

import mindspore
from mindspore import Parameter, Tensor, nn, ops


def chain(*layers):
    return nn.SequentialCell(list(layers))


def lenet():
    return chain(nn.Conv2d(1, 6, 5, pad_mode="valid"), nn.ReLU(), nn.MaxPool2d(2, 2),
                 nn.Conv2d(6, 16, 5, pad_mode="valid"), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(),
                 nn.Dense(400, 120), nn.ReLU(), nn.Dense(120, 84), nn.ReLU(), nn.Dense(84, 10))


def discriminator():
    return chain(nn.Conv2d(3, 6, 4, 2, "pad", 1), nn.LeakyReLU(0.2), nn.Conv2d(6, 12, 4, 2, "pad", 1),
                 nn.BatchNorm2d(12), nn.LeakyReLU(0.2), nn.Conv2d(12, 1, 4, 1, "valid"), nn.Flatten(), nn.Sigmoid())


def vgg():
    return chain(nn.Conv2d(3, 6, 3, has_bias=True), nn.ReLU(), nn.Conv2d(6, 6, 3, has_bias=True), nn.ReLU(),
                 nn.AvgPool2d(2, 2), nn.Conv2d(6, 8, 3, has_bias=True), nn.ReLU(), nn.MaxPool2d(3, 2, pad_mode="same"),
                 nn.Flatten(), nn.Dense(8 * 16, 10), nn.Dropout(p=0.5), nn.LogSoftmax(1))


class DenseNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 6, 3)
        self.layers = nn.CellList([chain(nn.BatchNorm2d(6 + 4 * k), nn.ReLU(), nn.Conv2d(6 + 4 * k, 4, 3))
                                   for k in range(3)])
        self.pool, self.head = nn.AvgPool2d(8), nn.Dense(18, 5)

    def construct(self, x):
        x = self.first(x)
        for layer in self.layers:
            x = ops.concat((x, layer(x)), 1)
        return self.head(self.pool(x).reshape(x.shape[0], -1))


class Inception(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = convolution(3, 4, 1), convolution(3, 4, 3), convolution(3, 4, 5)
        self.pool, self.d = nn.MaxPool2d(3, 1, pad_mode="same"), convolution(3, 4, 1)
        self.mean, self.head = nn.AvgPool2d(3, 2, pad_mode="same"), nn.Dense(16 * 16, 5)

    def construct(self, x):
        y = ops.concat((self.a(x), self.b(x), self.c(x), self.d(self.pool(x))), 1)
        return self.head(self.mean(y).reshape(x.shape[0], -1))


class Shuffle(nn.Cell):
    """Groups of channels that are mixed."""

    def __init__(self):
        super().__init__()
        self.a, self.b = convolution(8, 8, 1, group=2), convolution(8, 8, 3, group=8, activation=None)

    def construct(self, x):
        n, c, h, w = x.shape
        y = self.a(x).reshape(n, 2, c // 2, h, w).transpose(0, 2, 1, 3, 4).reshape(n, c, h, w)
        left, right = ops.split(self.b(y), c // 2, axis=1)
        return ops.relu(x + ops.concat((right, left), 1))


class ConvNext(nn.Cell):
    def __init__(self):
        super().__init__()
        self.stem, self.mix = nn.Conv2d(3, 8, 4, 4, "valid", has_bias=True), nn.Conv2d(8, 8, 7, group=8, has_bias=True)
        self.norm, self.wide, self.narrow = nn.LayerNorm((8,)), nn.Dense(8, 32), nn.Dense(32, 8)
        self.scale = Parameter(tensor(8, seed=3), name="scale")

    def construct(self, x):
        x = self.stem(x)
        y = self.norm(self.mix(x).transpose(0, 2, 3, 1))
        y = self.narrow(ops.gelu(self.wide(y))) * self.scale
        return (x + y.transpose(0, 3, 1, 2)).mean((2, 3))


class TextCnn(nn.Cell):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(20, 6)
        self.layers = nn.CellList([nn.Conv1d(6, 5, k, pad_mode="valid", has_bias=True) for k in (2, 3, 4)])
        self.head = nn.Dense(15, 2)

    def construct(self, tokens):
        x = self.words(tokens).transpose(0, 2, 1)
        return self.head(ops.concat([ops.relu(layer(x)).max(axis=2) for layer in self.layers], 1))


class Mixer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norms = nn.CellList([nn.LayerNorm((8,)) for _ in range(2)])
        self.tokens, self.channels = chain(nn.Dense(6, 12), nn.GELU(), nn.Dense(12, 6)), chain(
            nn.Dense(8, 16), nn.GELU(False), nn.Dense(16, 8))

    def construct(self, x):
        x = x + self.tokens(self.norms[0](x).swapaxes(1, 2)).swapaxes(1, 2)
        return x + self.channels(self.norms[1](x))


class DeepFm(nn.Cell):
    """Fields of a recommender: their pairs in closed form, and a network over all."""

    def __init__(self):
        super().__init__()
        self.first, self.table = nn.Embedding(30, 1), nn.Embedding(30, 4)
        self.deep = chain(nn.Dense(12, 8), nn.ReLU(), nn.Dense(8, 1))

    def construct(self, ids, weights):
        v = self.table(ids) * weights.expand_dims(2)
        pairs = 0.5 * (ops.square(v.sum(1)) - ops.square(v).sum(1)).sum(1, keepdims=True)
        linear = (self.first(ids).squeeze(2) * weights).sum(1, keepdims=True)
        return ops.sigmoid(linear + pairs + self.deep(v.reshape(ids.shape[0], -1)))


class PointNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.each, self.head = chain(nn.Dense(3, 8), nn.ReLU(), nn.Dense(8, 12), nn.ReLU()), nn.Dense(12, 4)

    def construct(self, points):
        return self.head(self.each(points).max(axis=1))


class SuperResolution(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.act, self.b = nn.Conv2d(1, 6, 5, has_bias=True), nn.PReLU(6), nn.Conv2d(6, 4, 3)
        self.shuffle = nn.PixelShuffle(2)

    def construct(self, x):
        return ops.clamp(self.shuffle(self.b(self.act(self.a(x)))), -1.0, 1.0)


class Normed(nn.Cell):
    """A residual block with norms over groups of channels."""

    def __init__(self):
        super().__init__()
        self.pad = nn.ReflectionPad2d(1)
        self.a, self.b = nn.Conv2d(4, 4, 3, pad_mode="valid"), nn.Conv2d(4, 4, 3, pad_mode="valid")
        self.group, self.other = nn.GroupNorm(2, 4), nn.GroupNorm(4, 4)

    def construct(self, x):
        y = ops.relu(self.group(self.a(self.pad(x))))
        return x + ops.tanh(self.other(self.b(self.pad(y))))


class Seq2Seq(nn.Cell):
    """An encoder, and a decoder that attends to it, with masks of lengths."""

    def __init__(self):
        super().__init__()
        self.words, self.encoder = nn.Embedding(20, 6), nn.GRU(6, 6, batch_first=True)
        self.decoder, self.out = nn.GRUCell(12, 6), nn.Dense(6, 20)

    def construct(self, source, lengths, target):
        memory, last = self.encoder(self.words(source))
        places = ops.arange(source.shape[1]).expand_dims(0)
        mask = ops.select(places < lengths.expand_dims(1), ops.zeros((), mindspore.float32),
                          ops.ones((), mindspore.float32) * -1e9)
        h, outs = last[0], []
        for t in range(target.shape[1]):
            scores = (memory * h.expand_dims(1)).sum(2) / math.sqrt(6) + mask
            context = (memory * ops.softmax(scores, 1).expand_dims(2)).sum(1)
            h = self.decoder(ops.concat((self.words(target[:, t]), context), 1), h)
            outs.append(self.out(h))
        return ops.stack(outs, 1)


class Crnn(nn.Cell):
    def __init__(self):
        super().__init__()
        self.body, self.layer = convolution(1, 4, 3, 2), nn.LSTM(16, 5, bidirectional=True)
        self.head = nn.Dense(10, 7)

    def construct(self, x):
        x = self.body(x)
        n, c, h, w = x.shape
        y, _ = self.layer(x.transpose(3, 0, 1, 2).reshape(w, n, c * h))
        return ops.log_softmax(self.head(y), 2)


class Rope(nn.Cell):
    """A block of a later language model: roots of mean squares, rotations, gates."""

    def __init__(self, size=8):
        super().__init__()
        self.scale = Parameter(ops.ones((size,), mindspore.float32), name="scale")
        self.qkv, self.out = nn.Dense(size, 3 * size, has_bias=False), nn.Dense(size, size, has_bias=False)
        self.gate, self.up, self.down = nn.Dense(size, 16), nn.Dense(size, 16), nn.Dense(16, size)

    def norm(self, x):
        return x * ops.rsqrt(ops.square(x).mean(-1, keep_dims=True) + 1e-6) * self.scale

    def turned(self, x):
        half = x.shape[-1] // 2
        angles = ops.arange(x.shape[1]).astype(mindspore.float32).expand_dims(1) / 10.0
        a, b = x[..., :half], x[..., half:]
        return ops.concat((a * ops.cos(angles) - b * ops.sin(angles), b * ops.cos(angles) + a * ops.sin(angles)), -1)

    def construct(self, x):
        q, k, v = ops.split(self.qkv(self.norm(x)), x.shape[-1], axis=-1)
        scores = ops.matmul(self.turned(q), self.turned(k).swapaxes(1, 2)) / math.sqrt(x.shape[-1])
        mask = ops.triu(ops.ones((x.shape[1], x.shape[1]), mindspore.float32), 1) * -1e9
        x = x + self.out(ops.matmul(ops.softmax(scores + mask), v))
        y = self.norm(x)
        return x + self.down(ops.silu(self.gate(y)) * self.up(y))


class Siamese(nn.Cell):
    def __init__(self):
        super().__init__()
        self.body = chain(nn.Dense(6, 8), nn.Tanh(), nn.Dense(8, 4))

    def construct(self, x, y):
        a, b = self.body(x), self.body(y)
        norms = ops.sqrt(ops.square(a).sum(1)) * ops.sqrt(ops.square(b).sum(1))
        return (a * b).sum(1) / ops.maximum(norms, Tensor(1e-6, mindspore.float32))


MORE = [
    ("LeNet", lenet, (tensor(2, 1, 32, 32),)),
    ("GPT with a loop", Gpt, (Tensor(3, mindspore.int32), Tensor(5, mindspore.int64))),
    ("loop", Halving, (tensor(3) * 100,)),
    ("branch", Branch, (tensor(2, 4),)),
    ("VGG", vgg, (tensor(1, 3, 16, 16),)),
    ("DCGAN discriminator", discriminator, (tensor(2, 3, 16, 16),)),
    ("DenseNet", DenseNet, (tensor(2, 3, 8, 8),)),
    ("Inception", Inception, (tensor(2, 3, 8, 8),)),
    ("ShuffleNet", Shuffle, (tensor(2, 8, 6, 6),)),
    ("ConvNeXt", ConvNext, (tensor(2, 3, 16, 16),)),
    ("TextCNN", TextCnn, (integers(0, 20, (2, 9)),)),
    ("MLP mixer", Mixer, (tensor(2, 6, 8),)),
    ("DeepFM", DeepFm, (integers(0, 30, (4, 3)), tensor(4, 3))),
    ("PointNet", PointNet, (tensor(2, 7, 3),)),
    ("super resolution", SuperResolution, (tensor(1, 1, 6, 6),)),
    ("norms of groups", Normed, (tensor(2, 4, 6, 6),)),
    ("Seq2Seq", Seq2Seq, (integers(0, 20, (2, 5)), Tensor([3, 5], mindspore.int32), integers(0, 20, (2, 3), 1))),
    ("CRNN", Crnn, (tensor(1, 1, 8, 10),)),
    ("rotary block", Rope, (tensor(2, 5, 8),)),
    ("siamese", Siamese, (tensor(3, 6), tensor(3, 6, seed=1))),
    ("encoder of two blocks", lambda: chain(Block(8, 2), Block(8, 4)), (tensor(2, 5, 8),)),
]
