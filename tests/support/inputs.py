"""What programs of the tests are called with, under the short names that scripts use."""
# ruff: noqa: E743  # I is for integers as T is for tensors
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mindspore import Tensor, nn


def T(*shape, s=0, dt=np.float32):
    """A tensor of that shape with normally distributed elements; `s` seeds them."""
    return Tensor(np.random.RandomState(s).randn(*shape).astype(dt))


def I(*shape, s=0, hi=5):
    """A tensor of that shape with int32 elements from 0 up to `hi`; `s` seeds them."""
    return Tensor(np.random.RandomState(s).randint(0, hi, shape).astype(np.int32))


def W(*shape, k=0):
    """A weight of that shape; `k` seeds it."""
    return T(*shape, s=k)


def D(i, o, **k):
    """A layer from `i` to `o` features with known weights, without bias at first."""
    return nn.Dense(i, o, weight_init=W(o, i), bias_init="zeros", **k)


@dataclass
class Cfg:
    """The configuration of a network as scripts write one."""

    d: int = 4
    act: str = "relu"
    layers: list = field(default_factory=lambda: [4, 3])
    drop: float = 0.0

    def width(self, i):
        return self.layers[i] * (2 if self.act == "gelu" else 1)

    @property
    def depth(self):
        return len(self.layers)

    @classmethod
    def big(cls):
        return cls(layers=[4, 4, 4, 2])
