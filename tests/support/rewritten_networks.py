"""Networks whose trees several tests change."""
from __future__ import annotations

from mindspore import nn, ops


class Scaled(nn.Cell):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def construct(self, x):
        return ops.mul(x, self.factor)


class Twins(nn.Cell):
    """Two parts of one class, which are changed differently."""

    def __init__(self):
        super().__init__()
        self.a, self.b = Scaled(2.0), Scaled(5.0)

    def construct(self, x):
        y = self.a(x)
        z = self.b(x)
        return y - z
