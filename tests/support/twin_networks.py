"""Small networks of all kinds, each with the torch module that has the same attributes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


def conv_bn(cin, cout, size, stride=1, group=1):
    return nn.SequentialCell(
        nn.Conv2d(cin, cout, size, stride, pad_mode="pad", padding=size // 2, group=group),
        nn.BatchNorm2d(cout))


def torch_conv_bn(cin, cout, size, stride=1, group=1):
    return torch.nn.Sequential(
        torch.nn.Conv2d(cin, cout, size, stride, size // 2, groups=group, bias=False),
        torch.nn.BatchNorm2d(cout))


class LeNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid", has_bias=True)
        self.conv2 = nn.Conv2d(6, 8, 5, pad_mode="valid", has_bias=True)
        self.fc1, self.fc2 = nn.Dense(32, 20), nn.Dense(20, 4)
        self.pool, self.flatten = nn.MaxPool2d(2, 2), nn.Flatten()

    def construct(self, x):
        x = self.pool(ops.relu(self.conv1(x)))
        x = self.flatten(self.pool(ops.relu(self.conv2(x))))
        return self.fc2(ops.relu(self.fc1(x)))


class TorchLeNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = torch.nn.Conv2d(1, 6, 5), torch.nn.Conv2d(6, 8, 5)
        self.fc1, self.fc2 = torch.nn.Linear(32, 20), torch.nn.Linear(20, 4)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2).flatten(1)
        return self.fc2(F.relu(self.fc1(x)))


def mlp(dtype=ms.float32):
    return nn.SequentialCell(nn.Dense(6, 16, dtype=dtype), nn.Tanh(), nn.Dense(16, 16, dtype=dtype),
                             nn.Sigmoid(), nn.Dense(16, 4, dtype=dtype))


def torch_mlp():
    return torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.Tanh(), torch.nn.Linear(16, 16),
                               torch.nn.Sigmoid(), torch.nn.Linear(16, 4))


class Residual(nn.Cell):
    """Two residual blocks of a ResNet, the first with a stride, and their classifier."""

    def __init__(self, bottleneck):
        super().__init__()
        if bottleneck:
            self.first = nn.SequentialCell(conv_bn(3, 4, 1), nn.ReLU(), conv_bn(4, 4, 3, 2), nn.ReLU(),
                                           conv_bn(4, 8, 1))
        else:
            self.first = nn.SequentialCell(conv_bn(3, 8, 3, 2), nn.ReLU(), conv_bn(8, 8, 3))
        self.skip, self.second = conv_bn(3, 8, 1, 2), conv_bn(8, 8, 3)
        self.relu, self.head = nn.ReLU(), nn.Dense(8, 4)

    def construct(self, x):
        x = self.relu(self.first(x) + self.skip(x))
        x = self.relu(self.second(x) + x)
        return self.head(x.mean((2, 3)))


class TorchResidual(torch.nn.Module):
    def __init__(self, bottleneck):
        super().__init__()
        relu = torch.nn.ReLU()
        if bottleneck:
            parts = [torch_conv_bn(3, 4, 1), relu, torch_conv_bn(4, 4, 3, 2), relu, torch_conv_bn(4, 8, 1)]
        else:
            parts = [torch_conv_bn(3, 8, 3, 2), relu, torch_conv_bn(8, 8, 3)]
        self.first = torch.nn.Sequential(*parts)
        self.skip, self.second = torch_conv_bn(3, 8, 1, 2), torch_conv_bn(8, 8, 3)
        self.head = torch.nn.Linear(8, 4)

    def forward(self, x):
        x = F.relu(self.first(x) + self.skip(x))
        x = F.relu(self.second(x) + x)
        return self.head(x.mean((2, 3)))


class Inverted(nn.Cell):
    """The block of MobileNetV2: expand, filter every channel alone, project, add."""

    def __init__(self):
        super().__init__()
        self.body = nn.SequentialCell(conv_bn(4, 12, 1), nn.ReLU6(), conv_bn(12, 12, 3, group=12),
                                      nn.ReLU6(), conv_bn(12, 4, 1))
        self.head = nn.Dense(4, 4)

    def construct(self, x):
        return self.head(nn.AdaptiveAvgPool2d(1)(x + self.body(x)).reshape(x.shape[0], -1))


class TorchInverted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch_conv_bn(4, 12, 1), torch.nn.ReLU6(),
                                        torch_conv_bn(12, 12, 3, group=12), torch.nn.ReLU6(),
                                        torch_conv_bn(12, 4, 1))
        self.head = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.head((x + self.body(x)).mean((2, 3)))


class UNet(nn.Cell):
    """One level of a U-Net: down, up by a transposed convolution, joined with what was there before."""

    def __init__(self):
        super().__init__()
        self.left, self.bottom, self.right = conv_bn(2, 4, 3), conv_bn(4, 8, 3), conv_bn(8, 4, 3)
        self.up = nn.Conv2dTranspose(8, 4, 2, 2, pad_mode="valid", has_bias=True)
        self.out = nn.Conv2d(4, 4, 1, has_bias=True)
        self.pool = nn.MaxPool2d(2, 2)

    def construct(self, x):
        a = ops.relu(self.left(x))
        b = ops.relu(self.bottom(self.pool(a)))
        return self.out(ops.relu(self.right(ops.cat((a, self.up(b)), 1))))


class TorchUNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.bottom = torch_conv_bn(2, 4, 3), torch_conv_bn(4, 8, 3)
        self.right = torch_conv_bn(8, 4, 3)
        self.up, self.out = torch.nn.ConvTranspose2d(8, 4, 2, 2), torch.nn.Conv2d(4, 4, 1)

    def forward(self, x):
        a = F.relu(self.left(x))
        b = F.relu(self.bottom(F.max_pool2d(a, 2)))
        return self.out(F.relu(self.right(torch.cat((a, self.up(b)), 1))))


class GPT(nn.Cell):
    """Embedding, one block with causal attention, and the next token's scores."""

    def __init__(self, words=11, size=8, heads=2, length=5):
        super().__init__()
        self.heads = heads
        self.embed = nn.Embedding(words, size)
        self.position = Parameter(Tensor(np.zeros((length, size), np.float32)), name="position")
        self.norm1, self.norm2 = nn.LayerNorm((size,)), nn.LayerNorm((size,))
        self.qkv, self.proj = nn.Dense(size, 3 * size), nn.Dense(size, size)
        self.up, self.down, self.gelu = nn.Dense(size, 4 * size), nn.Dense(4 * size, size), nn.GELU()
        self.head = nn.Dense(size, words)
        self.mask = Tensor(np.triu(np.full((length, length), -1e9, np.float32), 1))

    def construct(self, tokens):
        x = self.embed(tokens) + self.position
        n, length, size = x.shape
        parts = self.qkv(self.norm1(x)).reshape(n, length, 3, self.heads, size // self.heads)
        q, k, v = parts.transpose(2, 0, 3, 1, 4)
        scores = ops.matmul(q, k.swapaxes(-1, -2)) / (size // self.heads) ** 0.5 + self.mask
        y = ops.matmul(ops.softmax(scores, -1), v).transpose(0, 2, 1, 3).reshape(n, length, size)
        x = x + self.proj(y)
        x = x + self.down(self.gelu(self.up(self.norm2(x))))
        return self.head(x).swapaxes(1, 2)


class TorchGPT(torch.nn.Module):
    def __init__(self, words=11, size=8, heads=2, length=5):
        super().__init__()
        self.heads = heads
        self.embed = torch.nn.Embedding(words, size)
        self.position = torch.nn.Parameter(torch.randn(length, size))
        self.norm1, self.norm2 = torch.nn.LayerNorm(size, 1e-7), torch.nn.LayerNorm(size, 1e-7)
        self.qkv, self.proj = torch.nn.Linear(size, 3 * size), torch.nn.Linear(size, size)
        self.up, self.down = torch.nn.Linear(size, 4 * size), torch.nn.Linear(4 * size, size)
        self.head = torch.nn.Linear(size, words)

    def forward(self, tokens):
        x = self.embed(tokens) + self.position
        n, length, size = x.shape
        parts = self.qkv(self.norm1(x)).reshape(n, length, 3, self.heads, size // self.heads)
        y = F.scaled_dot_product_attention(*parts.permute(2, 0, 3, 1, 4), is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(n, length, size))
        x = x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))
        return self.head(x).transpose(1, 2)


class Bert(nn.Cell):
    """Embeddings of tokens, places and segments, an encoder layer, and the pooled first token."""

    def __init__(self, words=11, size=8, length=5):
        super().__init__()
        self.tokens, self.segments = nn.Embedding(words, size), nn.Embedding(2, size)
        self.places, self.norm = nn.Embedding(length, size), nn.LayerNorm((size,), epsilon=1e-12)
        self.layer = nn.TransformerEncoderLayer(size, 2, 16, dropout=0.0, activation="gelu",
                                                batch_first=True)
        self.pooler, self.head = nn.Dense(size, size, activation="tanh"), nn.Dense(size, 4)

    def construct(self, tokens, segments):
        place = ops.arange(tokens.shape[1])
        x = self.norm(self.tokens(tokens) + self.segments(segments) + self.places(place))
        return self.head(self.pooler(self.layer(x)[:, 0]))


class TorchBert(torch.nn.Module):
    def __init__(self, words=11, size=8, length=5):
        super().__init__()
        self.tokens, self.segments = torch.nn.Embedding(words, size), torch.nn.Embedding(2, size)
        self.places, self.norm = torch.nn.Embedding(length, size), torch.nn.LayerNorm(size, 1e-12)
        self.layer = torch.nn.TransformerEncoderLayer(size, 2, 16, dropout=0.0, activation=F.gelu,
                                                      batch_first=True)
        self.pooler, self.head = torch.nn.Linear(size, size), torch.nn.Linear(size, 4)

    def forward(self, tokens, segments):
        place = torch.arange(tokens.shape[1])
        x = self.norm(self.tokens(tokens) + self.segments(segments) + self.places(place))
        return self.head(torch.tanh(self.pooler(self.layer(x)[:, 0])))


class Encoder(nn.Cell):
    """The transformer's encoder layer that normalises first, on sequences that stand in columns."""

    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(6, 3, 8, dropout=0.0, norm_first=True)
        self.head = nn.Dense(6, 4)

    def construct(self, x):
        return self.head(self.layer(x).mean(0))


class TorchEncoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.TransformerEncoderLayer(6, 3, 8, dropout=0.0, norm_first=True)
        self.head = torch.nn.Linear(6, 4)

    def forward(self, x):
        return self.head(self.layer(x).mean(0))


class Recurrent(nn.Cell):
    """The mean state of an LSTM or GRU over a sequence, classified."""

    def __init__(self, layer, **options):
        super().__init__()
        self.layer = layer(3, 5, batch_first=True, **options)
        self.head = nn.Dense(10 if options.get("bidirectional") else 5, 4)

    def construct(self, x):
        y, _ = self.layer(x)
        return self.head(y.mean(1))


class TorchRecurrent(torch.nn.Module):
    def __init__(self, layer, **options):
        super().__init__()
        self.layer = layer(3, 5, batch_first=True, **options)
        self.head = torch.nn.Linear(10 if options.get("bidirectional") else 5, 4)

    def forward(self, x):
        return self.head(self.layer(x)[0].mean(1))


EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (4, 5), (5, 6)]


def normalised_adjacency():
    """D^-1/2 (A + I) D^-1/2, Kipf and Welling 2017."""
    a = np.eye(7, dtype=np.float32)
    for i, j in EDGES:
        a[i, j] = a[j, i] = 1
    d = a.sum(1) ** -0.5
    return d[:, None] * a * d


class GCN(nn.Cell):
    """Two graph convolutions; only the first nodes have labels."""

    def __init__(self):
        super().__init__()
        self.adjacency = Tensor(normalised_adjacency())
        self.first, self.second = nn.Dense(3, 6, has_bias=False), nn.Dense(6, 4)

    def construct(self, x):
        x = ops.elu(ops.matmul(self.adjacency, self.first(x)))
        return ops.gather(ops.matmul(self.adjacency, self.second(x)), Tensor([0, 2, 4]), 0)


class TorchGCN(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(3, 6, bias=False), torch.nn.Linear(6, 4)

    def forward(self, x):
        a = torch.tensor(normalised_adjacency())
        return (a @ self.second(F.elu(a @ self.first(x))))[[0, 2, 4]]


@dataclass
class Twin:
    """A cell, the torch module with the same attributes, and what both are given."""

    name: str
    cell: Callable[[], nn.Cell]
    module: Callable[[], torch.nn.Module]
    inputs: list[tuple[int, ...] | tuple[int, tuple[int, ...]]]
    labels: tuple[int, ...]
    classes: int = 4
    optimizer: Any = nn.Momentum

    def data(self):
        """Normal numbers for a shape; integers below n for (n, shape); and the labels."""
        rng = np.random.default_rng(7)
        inputs = [rng.integers(0, s[0], s[1]).astype(np.int32) if isinstance(s[-1], tuple)
                  else rng.standard_normal(s, np.float32) for s in self.inputs]
        return inputs, rng.integers(0, self.classes, self.labels)

    def net(self, twins, module=None):
        """The cell with the weights of the module."""
        torch.manual_seed(3)
        cell = self.cell()
        twins.copy_weights(module or self.module(), cell)
        return cell


TWINS = [
    Twin("lenet", LeNet, TorchLeNet, [(3, 1, 20, 20)], (3,)),
    Twin("mlp", mlp, torch_mlp, [(5, 6)], (5,), optimizer=nn.Adam),
    Twin("basic residual", lambda: Residual(False), lambda: TorchResidual(False), [(3, 3, 8, 8)], (3,)),
    Twin("bottleneck", lambda: Residual(True), lambda: TorchResidual(True), [(3, 3, 8, 8)], (3,),
         optimizer=nn.Adam),
    Twin("inverted", Inverted, TorchInverted, [(3, 4, 6, 6)], (3,)),
    Twin("u-net", UNet, TorchUNet, [(2, 2, 8, 8)], (2, 8, 8)),
    Twin("gpt", GPT, TorchGPT, [(11, (2, 5))], (2, 5), 11, nn.Adam),
    Twin("bert", Bert, TorchBert, [(11, (3, 5)), (2, (3, 5))], (3,), optimizer=nn.Adam),
    Twin("encoder", Encoder, TorchEncoder, [(5, 3, 6)], (3,)),
    Twin("lstm", lambda: Recurrent(nn.LSTM, num_layers=2, bidirectional=True),
         lambda: TorchRecurrent(torch.nn.LSTM, num_layers=2, bidirectional=True), [(3, 4, 3)], (3,),
         optimizer=nn.Adam),
    Twin("gru", lambda: Recurrent(nn.GRU), lambda: TorchRecurrent(torch.nn.GRU), [(3, 4, 3)], (3,)),
    Twin("gcn", GCN, TorchGCN, [(7, 3)], (3,), optimizer=nn.Adam),
]
