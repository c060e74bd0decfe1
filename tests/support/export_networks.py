"""Networks of many kinds, in terms that the original has, too, for tests of formats of models."""
from __future__ import annotations

import math

import numpy as np

import mindspore
from mindspore import Parameter, Tensor, nn, ops


def tensor(*shape, seed=0):
    """A tensor of normal numbers."""
    return Tensor(np.random.default_rng(seed).normal(size=shape).astype(np.float32))


def integers(low, high, shape, seed=0):
    """A tensor of integers."""
    return Tensor(np.random.default_rng(seed).integers(low, high, shape).astype(np.int32))


def convolution(inputs, outputs, size=3, stride=1, group=1, activation=nn.ReLU):
    """A convolution, its normalisation and an activation."""
    layers = [nn.Conv2d(inputs, outputs, size, stride, pad_mode="pad", padding=size // 2, group=group),
              nn.BatchNorm2d(outputs)]
    return nn.SequentialCell([*layers, activation()] if activation else layers)


class Bottleneck(nn.Cell):
    def __init__(self, inputs, width, stride):
        super().__init__()
        self.body = nn.SequentialCell([convolution(inputs, width, 1), convolution(width, width, 3, stride),
                                       convolution(width, 4 * width, 1, activation=None)])
        self.short = None
        if stride > 1 or inputs != 4 * width:
            self.short = convolution(inputs, 4 * width, 1, stride, activation=None)

    def construct(self, x):
        return ops.relu(self.body(x) + (x if self.short is None else self.short(x)))


class ResNet50(nn.Cell):
    def __init__(self, width=4):
        super().__init__()
        layers, inputs = [convolution(3, width, 7, 2), nn.MaxPool2d(3, 2, pad_mode="same")], width
        for k, count in enumerate((3, 4, 6, 3)):
            for i in range(count):
                layers.append(Bottleneck(inputs, width << k, 2 if k and not i else 1))
                inputs = 4 * (width << k)
        self.body, self.head = nn.SequentialCell(layers), nn.Dense(inputs, 10)

    def construct(self, x):
        return self.head(ops.mean(self.body(x), (2, 3)))


class Inverted(nn.Cell):
    """An inverted residual, with squeeze and excitation for the later generations."""

    def __init__(self, inputs, outputs, stride, activation, squeeze):
        super().__init__()
        wide = 3 * inputs
        self.expand = convolution(inputs, wide, 1, activation=activation)
        self.depthwise = convolution(wide, wide, 3, stride, wide, activation)
        self.squeeze = None
        if squeeze:
            self.squeeze = nn.SequentialCell([nn.Conv2d(wide, 4, 1, has_bias=True), nn.ReLU(),
                                              nn.Conv2d(4, wide, 1, has_bias=True), squeeze()])
        self.project = convolution(wide, outputs, 1, activation=None)
        self.residual = stride == 1 and inputs == outputs

    def construct(self, x):
        y = self.depthwise(self.expand(x))
        if self.squeeze is not None:
            y = y * self.squeeze(ops.ReduceMean(keep_dims=True)(y, (2, 3)))
        y = self.project(y)
        return x + y if self.residual else y


class Mobile(nn.Cell):
    def __init__(self, activation, squeeze=None):
        super().__init__()
        self.body = nn.SequentialCell([convolution(3, 8, 3, 2, activation=activation),
                                       Inverted(8, 8, 1, activation, None), Inverted(8, 12, 2, activation, squeeze),
                                       Inverted(12, 12, 1, activation, squeeze)])
        self.pool, self.flatten, self.head = nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dense(12, 5)

    def construct(self, x):
        return self.head(self.flatten(self.pool(self.body(x))))


class UNet(nn.Cell):
    def __init__(self, transposed):
        super().__init__()
        self.down1, self.down2, self.pool = convolution(1, 4), convolution(4, 8), nn.MaxPool2d(2, 2)
        self.transposed = transposed
        self.raise_ = nn.Conv2dTranspose(8, 8, 2, 2, pad_mode="valid", has_bias=True)
        self.up, self.out = convolution(12, 4), nn.Conv2d(4, 2, 1)

    def construct(self, x):
        a = self.down1(x)
        b = self.down2(self.pool(a))
        b = self.raise_(b) if self.transposed else ops.interpolate(b, size=a.shape[2:], mode="bilinear",
                                                                   align_corners=True)
        return ops.softmax(self.out(self.up(ops.cat((a, b), 1))), 1)


class Tagger(nn.Cell):
    def __init__(self, layer, **options):
        super().__init__()
        self.embedding = nn.Embedding(20, 6)
        self.layer = layer(6, 5, batch_first=True, **options)
        self.head = nn.Dense(5 * (2 if options.get("bidirectional") else 1), 3)

    def construct(self, tokens):
        y, _ = self.layer(self.embedding(tokens))
        return self.head(y[:, -1])


class Attention(nn.Cell):
    def __init__(self, size, heads, causal=False):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.q, self.k, self.v, self.out = [nn.Dense(size, size) for _ in range(4)]

    def split(self, x):
        return x.reshape(x.shape[0], x.shape[1], self.heads, -1).transpose(0, 2, 1, 3)

    def construct(self, x):
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        scores = ops.matmul(q, k.swapaxes(-1, -2)) / math.sqrt(q.shape[-1])
        if self.causal:
            mask = ops.tril(ops.ones((x.shape[1], x.shape[1]), mindspore.float32))
            scores = ops.masked_fill(scores, mask == 0, Tensor(-1e9, mindspore.float32))
        y = ops.matmul(ops.softmax(scores), v).transpose(0, 2, 1, 3)
        return self.out(y.reshape(x.shape))


class Block(nn.Cell):
    def __init__(self, size, heads, causal=False):
        super().__init__()
        self.attention, self.drop = Attention(size, heads, causal), nn.Dropout(p=0.1)
        self.norm1, self.norm2 = nn.LayerNorm((size,)), nn.LayerNorm((size,))
        self.mlp = nn.SequentialCell([nn.Dense(size, 2 * size), nn.GELU(), nn.Dense(2 * size, size)])

    def construct(self, x):
        x = x + self.drop(self.attention(self.norm1(x)))
        return x + self.mlp(self.norm2(x))


class Bert(nn.Cell):
    def __init__(self):
        super().__init__()
        self.words, self.kinds, self.places = nn.Embedding(30, 8), nn.Embedding(2, 8), nn.Embedding(16, 8)
        self.body, self.norm = nn.SequentialCell([Block(8, 2), Block(8, 2)]), nn.LayerNorm((8,))
        self.pooler, self.tanh = nn.Dense(8, 8), nn.Tanh()

    def construct(self, tokens, kinds):
        places = ops.arange(tokens.shape[1])
        x = self.body(self.words(tokens) + self.kinds(kinds) + self.places(places))
        return self.norm(x), self.tanh(self.pooler(x[:, 0]))


class Gpt(nn.Cell):
    """Greedy decoding in a loop, with keys and values of the tokens so far."""

    def __init__(self, size=8, length=12):
        super().__init__()
        self.size, self.length = size, length
        self.words, self.places = nn.Embedding(20, size), nn.Embedding(length, size)
        self.q, self.k, self.v, self.head = [nn.Dense(size, n) for n in (size, size, size, 20)]

    def construct(self, token, count):
        keys = ops.zeros((self.length, self.size), mindspore.float32)
        values, tokens = ops.zeros((self.length, self.size), mindspore.float32), ops.zeros((self.length,),
                                                                                           mindspore.int32)
        places = ops.arange(self.length)
        at = Tensor(0, mindspore.int64)
        while at < count:
            x = self.words(token) + self.places(at)
            here = places == at
            keys = ops.where(here.expand_dims(1), self.k(x.expand_dims(0)), keys)
            values = ops.where(here.expand_dims(1), self.v(x.expand_dims(0)), values)
            scores = ops.matmul(keys, self.q(x.expand_dims(0))[0]) / math.sqrt(self.size)
            weights = ops.softmax(ops.where(places <= at, scores, Tensor(-1e9, mindspore.float32)))
            y = self.head((x + ops.matmul(weights, values)).expand_dims(0))
            token = ops.argmax(y, -1)[0].astype(mindspore.int32)
            tokens = ops.where(here, token, tokens)
            at = at + 1
        return tokens, keys


class Vit(nn.Cell):
    def __init__(self):
        super().__init__()
        self.patches, self.token = nn.Conv2d(3, 8, 4, 4, has_bias=True), Parameter(tensor(1, 1, 8), name="token")
        self.places = Parameter(tensor(1, 17, 8), name="places")
        self.body, self.norm, self.head = Block(8, 2), nn.LayerNorm((8,)), nn.Dense(8, 4)

    def construct(self, x):
        n = x.shape[0]
        x = self.patches(x).reshape(n, 8, -1).transpose(0, 2, 1)
        x = ops.cat((ops.tile(self.token, (n, 1, 1)), x), 1) + self.places
        return self.head(self.norm(self.body(x))[:, 0])


class Yolo(nn.Cell):
    """A head over three boxes per cell, decoded, and two scales joined."""

    def __init__(self):
        super().__init__()
        self.body, self.deep = convolution(3, 8, 3, 4, activation=nn.SiLU), convolution(8, 8, 3, 2, activation=nn.SiLU)
        self.head = nn.Conv2d(16, 3 * 7, 1, has_bias=True)
        self.anchors = Tensor(np.array([[10, 13], [16, 30], [33, 23]], np.float32).reshape(1, 3, 1, 1, 2))

    def construct(self, x):
        a = self.body(x)
        b = ops.interpolate(self.deep(a), scale_factor=2.0, mode="nearest", recompute_scale_factor=True)
        y = self.head(ops.cat((a, b), 1))
        n, _, h, w = y.shape
        y = ops.sigmoid(y.reshape(n, 3, 7, h, w).transpose(0, 1, 3, 4, 2))
        rows, columns = ops.meshgrid(ops.arange(h), ops.arange(w), indexing="ij")
        grid = ops.stack((columns, rows), -1).astype(mindspore.float32)
        places = (y[..., :2] * 2 - 0.5 + grid) * 4
        sizes = (y[..., 2:4] * 2) ** 2 * self.anchors
        return ops.cat((places, sizes, y[..., 4:]), -1).reshape(n, -1, 7)


class Generator(nn.Cell):
    def __init__(self):
        super().__init__()
        self.body = nn.SequentialCell([
            nn.Conv2dTranspose(6, 8, 4, 1, pad_mode="valid"), nn.BatchNorm2d(8), nn.ReLU(),
            nn.Conv2dTranspose(8, 4, 4, 2, pad_mode="pad", padding=1), nn.BatchNorm2d(4), nn.LeakyReLU(0.2),
            nn.Conv2dTranspose(4, 3, 4, 2, pad_mode="same"), nn.Tanh()])

    def construct(self, z):
        return self.body(z)


class Vae(nn.Cell):
    """With the noise as an input."""

    def __init__(self):
        super().__init__()
        self.hidden, self.mean, self.scale, self.out = nn.Dense(12, 8), nn.Dense(8, 3), nn.Dense(8, 3), nn.Dense(3, 12)

    def construct(self, x, noise):
        h = ops.relu(self.hidden(x))
        mean, scale = self.mean(h), self.scale(h)
        return ops.sigmoid(self.out(mean + noise * ops.exp(0.5 * scale))), mean, scale


class Gcn(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Dense(5, 6, has_bias=False), nn.Dense(6, 3, has_bias=False)

    def construct(self, x, edges):
        """Sums over neighbours along edges (2, E), divided by their number."""
        source, target = edges[0], edges[1]
        ones = ops.ones((x.shape[0], 1), mindspore.float32)
        degree = ops.tensor_scatter_add(ones, target.expand_dims(1), ops.ones((edges.shape[1], 1), mindspore.float32))
        for k, layer in enumerate((self.first, self.second)):
            h = layer(x)
            h = ops.tensor_scatter_add(h, target.expand_dims(1), ops.gather(h, source, 0)) / degree
            x = ops.relu(h) if not k else h
        return ops.log_softmax(x)


class Halving(nn.Cell):
    """A loop whose number of passes depends on elements."""

    def construct(self, x):
        count = Tensor(0, mindspore.int32)
        while ops.reduce_sum(ops.abs(x)) > 1:
            x = x / 2
            count = count + 1
        return x, count


class Branch(nn.Cell):
    def __init__(self):
        super().__init__()
        self.positive, self.negative = nn.Dense(4, 3), nn.Dense(4, 3)

    def construct(self, x):
        if x.sum() > 0:
            y = self.positive(x)
            if x.max() > 2:
                y = y * 2
        else:
            y = self.negative(x) - 1
        return ops.relu(y)


NETS = [
    ("ResNet50", ResNet50, (tensor(1, 3, 32, 32),)),
    ("MobileNetV2", lambda: Mobile(nn.ReLU6), (tensor(2, 3, 16, 16),)),
    ("MobileNetV3", lambda: Mobile(nn.HSwish, nn.HSigmoid), (tensor(2, 3, 16, 16),)),
    ("EfficientNet", lambda: Mobile(nn.SiLU, nn.Sigmoid), (tensor(2, 3, 16, 16),)),
    ("UNet with transposed convolutions", lambda: UNet(True), (tensor(1, 1, 16, 16),)),
    ("UNet with interpolation", lambda: UNet(False), (tensor(1, 1, 16, 16),)),
    ("LSTM", lambda: Tagger(nn.LSTM), (integers(0, 20, (2, 7)),)),
    ("bidirectional LSTM of two layers", lambda: Tagger(nn.LSTM, num_layers=2, bidirectional=True),
     (integers(0, 20, (2, 7)),)),
    ("GRU", lambda: Tagger(nn.GRU, num_layers=2), (integers(0, 20, (2, 7)),)),
    ("RNN", lambda: Tagger(nn.RNN, bidirectional=True), (integers(0, 20, (2, 7)),)),
    ("BERT", Bert, (integers(0, 30, (2, 6)), integers(0, 2, (2, 6)))),
    ("causal block", lambda: Block(8, 2, causal=True), (tensor(2, 5, 8),)),
    ("ViT", Vit, (tensor(2, 3, 16, 16),)),
    ("YOLO head", Yolo, (tensor(1, 3, 32, 32),)),
    ("DCGAN", Generator, (tensor(2, 6, 1, 1),)),
    ("VAE", Vae, (tensor(2, 12), tensor(2, 3, seed=1))),
    ("GCN", Gcn, (tensor(6, 5), integers(0, 6, (2, 9)))),
]
