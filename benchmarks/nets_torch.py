"""The networks in PyTorch: `nets_torch.py eager|compile`."""
from __future__ import annotations

import sys

import torch
import torch.nn.functional as F
from protocol import serve
from torch import nn

torch.set_num_threads(2)
torch.manual_seed(0)


def lenet():
    return nn.Sequential(nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(),
                         nn.MaxPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.ReLU(),
                         nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10))


def mlp():
    return nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(),
                         nn.Linear(512, 10))


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.norm1 = nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width)
        self.second, self.norm2 = nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width)

    def forward(self, x):
        y = F.relu(self.norm1(self.first(x)))
        return F.relu(x + self.norm2(self.second(y)))


class Residuals(nn.Module):
    def __init__(self, width=64, blocks=4):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, 2, padding=1, bias=False)
        self.blocks = nn.Sequential(*[Residual(width) for _ in range(blocks)])
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)).mean((2, 3)))


class Block(nn.Module):
    def __init__(self, size, heads):
        super().__init__()
        self.heads, self.size = heads, size
        self.norm1, self.norm2 = nn.LayerNorm(size), nn.LayerNorm(size)
        self.qkv, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.up, self.down = nn.Linear(size, 4 * size), nn.Linear(4 * size, size)

    def forward(self, x):
        n, t, _ = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(n, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(n, t, self.size))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class Transformer(nn.Module):
    def __init__(self, words=1000, size=192, depth=3, heads=6, length=96):
        super().__init__()
        self.embed, self.place = nn.Embedding(words, size), nn.Parameter(torch.zeros(length, size))
        self.blocks = nn.Sequential(*[Block(size, heads) for _ in range(depth)])
        self.head = nn.Linear(size, words)

    def forward(self, x):
        return self.head(self.blocks(self.embed(x) + self.place)).flatten(0, 1)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.lstm = nn.Embedding(2000, 64), nn.LSTM(64, 128, batch_first=True)
        self.head = nn.Linear(128, 2)

    def forward(self, x):
        return self.head(self.lstm(self.embed(x))[0].mean(1))


def case(net, x, y):
    def build():
        model = net()
        optimizer = torch.optim.SGD(model.parameters(), 0.01, 0.9)
        forward = torch.compile(model) if sys.argv[1] == "compile" else model

        def step():
            optimizer.zero_grad()
            loss = F.cross_entropy(forward(x), y)
            loss.backward()
            optimizer.step()
            return loss.item()
        return step
    return build


def label(high, *shape):
    return torch.randint(0, high, shape)


serve({
    "lenet-b32": case(lenet, torch.randn(32, 1, 32, 32), label(10, 32)),
    "mlp-b64": case(mlp, torch.randn(64, 784), label(10, 64)),
    "residual-b32": case(Residuals, torch.randn(32, 3, 32, 32), label(10, 32)),
    "transformer-b8t96": case(Transformer, label(1000, 8, 96), label(1000, 8 * 96)),
    "lstm-b32t48": case(Recurrent, label(2000, 32, 48), label(2, 32)),
})
