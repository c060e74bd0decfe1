"""The networks of `deep_mindspore.py` in torch: `deep_torch.py NAME eager|aot_eager` times torch.compile's front end.

The backends "eager" and "aot_eager" generate no code: what is measured is tracing (and, with the latter, the
derivative and decompositions).  Optimizers run outside of the compiled function, as torch's users write it.
"""
from __future__ import annotations

import json
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F


class Bottleneck(nn.Module):
    def __init__(self, inner, outer, stride, width):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(inner, width, 1), nn.BatchNorm2d(width)
        self.conv2, self.bn2 = nn.Conv2d(width, width, 3, stride, 1), nn.BatchNorm2d(width)
        self.conv3, self.bn3 = nn.Conv2d(width, outer, 1), nn.BatchNorm2d(outer)
        self.down = None
        if stride != 1 or inner != outer:
            self.down = nn.Sequential(nn.Conv2d(inner, outer, 1, stride), nn.BatchNorm2d(outer))

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)))
        y = F.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        if self.down is not None:
            x = self.down(x)
        return F.relu(x + y)


class ResNet(nn.Module):
    def __init__(self, depths):
        super().__init__()
        self.conv1, self.bn1, self.pool = nn.Conv2d(3, 64, 7, 2, 3), nn.BatchNorm2d(64), nn.MaxPool2d(3, 2, 1)
        layers, inner = [], 64
        for i, depth in enumerate(depths):
            for j in range(depth):
                layers.append(Bottleneck(inner, 256 << i, 2 if i and not j else 1, 64 << i))
                inner = 256 << i
        self.layers, self.head = nn.Sequential(*layers), nn.Linear(inner, 10)

    def forward(self, x):
        x = self.pool(F.relu(self.bn1(self.conv1(x))))
        return self.head(self.layers(x).mean((2, 3)))


class Attention(nn.Module):
    def __init__(self, size, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = [nn.Linear(size, size) for _ in range(3)]
        self.out, self.drop = nn.Linear(size, size), nn.Dropout(0.1)

    def split(self, x):
        n, t, c = x.shape
        return x.reshape(n, t, self.heads, c // self.heads).transpose(1, 2)

    def forward(self, x, mask):
        n, t, c = x.shape
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = q @ k.transpose(-1, -2) * (c // self.heads) ** -0.5 + mask
        return self.out((self.drop(scores.softmax(-1)) @ v).transpose(1, 2).reshape(n, t, c))


class Layer(nn.Module):
    def __init__(self, size, heads):
        super().__init__()
        self.attention, self.norm1, self.norm2 = Attention(size, heads), nn.LayerNorm(size), nn.LayerNorm(size)
        self.up, self.down, self.drop = nn.Linear(size, 4 * size), nn.Linear(4 * size, size), nn.Dropout(0.1)

    def forward(self, x, mask):
        x = self.norm1(x + self.drop(self.attention(x, mask)))
        return self.norm2(x + self.drop(self.down(F.gelu(self.up(x)))))


class Bert(nn.Module):
    def __init__(self, words=30522, size=768, depth=12, heads=12, length=128):
        super().__init__()
        self.words, self.place = nn.Embedding(words, size), nn.Parameter(torch.zeros(length, size))
        self.norm, self.drop = nn.LayerNorm(size), nn.Dropout(0.1)
        self.layers = nn.ModuleList([Layer(size, heads) for _ in range(depth)])
        self.transform, self.head = nn.Linear(size, size), nn.Linear(size, words)

    def forward(self, tokens):
        mask = (tokens == 0).float()[:, None, None] * -1e9
        x = self.drop(self.norm(self.words(tokens) + self.place))
        for layer in self.layers:
            x = layer(x, mask)
        x = self.head(F.gelu(self.transform(x)))
        return x.reshape(-1, x.shape[-1])


def images(depths):
    return ResNet(depths), torch.randn(1, 3, 64, 64), torch.zeros(1, dtype=torch.long)


NETS = {"resnet50": lambda: images((3, 4, 6, 3)), "resnet152": lambda: images((3, 8, 36, 3)),
        "bert-base": lambda: (Bert(), torch.randint(1, 30000, (1, 128)), torch.zeros(128, dtype=torch.long))}


def main():
    net, x, y = NETS[sys.argv[1]]()

    @torch.compile(backend=sys.argv[2])
    def loss(x, y):
        return F.cross_entropy(net(x), y)

    found = {}
    for key in ("first", "second"):
        start = time.perf_counter()
        loss(x, y).backward()
        found[key] = time.perf_counter() - start
    found["compile"] = found["first"] - found["second"]
    print(json.dumps(found))


if __name__ == "__main__":
    main()
